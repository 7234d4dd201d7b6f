"""The examples of the book run as they stand, page by page, and print what the page says.

A block of ``python`` or ``bash`` runs; ``text`` behind it is its output, in which "…" stands for
anything. Blocks without a language are synopses. docs/training.md has a test of its own, which
knows the numbers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from integrator.commands.shared.options import DEMO_GAME, demo_game

# The pages share nothing, but each starts cores: one worker runs them all.
pytestmark = pytest.mark.xdist_group("book")
DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(
    r"^```(python|bash)\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL
)
PAGES = {
    page.relative_to(DOCS).as_posix(): blocks
    for page in sorted(DOCS.rglob("*.md"))
    if page.name != "training.md" and (blocks := BLOCK.findall(page.read_text(encoding="utf-8")))
}


def said(wanted: str, output: str) -> bool:
    """True if the output has each wanted line, in this order."""
    lines = (re.escape(line.strip()).replace("…", ".*") for line in wanted.strip().splitlines())
    return re.search(".*".join(lines), output, re.DOTALL) is not None


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / DEMO_GAME).symlink_to(demo_game())  # pages name files in it
    programs = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / ".home"))
    for language, code, wanted in PAGES[page]:
        command = [sys.executable, "-c"] if language == "python" else ["bash", "-ec"]
        done = subprocess.run(
            [*command, code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{code}\n{done.stderr}"
        assert said(wanted, done.stdout + done.stderr), f"{code}\n{done.stdout}{done.stderr}"


def test_the_python_of_the_readme_runs_in_an_empty_folder(tmp_path: Path) -> None:
    blocks = BLOCK.findall((DOCS.parent / "README.md").read_text(encoding="utf-8"))
    code = "".join(code for language, code, _ in blocks if language == "python")
    assert "open_session(" in code
    assert "make_vec(" in code
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert said("631 …'score': 40…\nplayer-x 0xff0268 >u2", done.stdout)


def test_the_first_hour_is_among_the_pages() -> None:
    assert "first-hour/3-by-script.md" in PAGES
    assert sum(map(len, PAGES.values())) >= 8


def test_another_output_is_noticed() -> None:
    assert said("score: … as >d3\ndone", "a line\nscore: 0x306 as >d3\nmore\ndone\n")
    assert not said("score: … as >d3\ndone", "done\nscore: 0x306 as >d3\n")
    assert not said("lives", "score")
