"""The book is built strictly, and loads nothing from the network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrator.session.setup.roots import systems
from scripts.book.hooks import wordless

# The book is built once, by the worker that runs them all.
pytestmark = pytest.mark.xdist_group("book")
TREE = Path(__file__).parents[2]
# Places of a page, style or setting from which a browser loads by itself.
LOADS = re.compile(
    r"""<(?:script|img|iframe|source|video|audio)[^>]*\ssrc=["']?(?:https?:)?//
    | <link[^>]*\shref=["']?(?:https?:)?//
    | url\(["']?(?:https?:)?//
    | @import\s+["'](?:https?:)?//""",
    re.VERBOSE,
)


def build(tree: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(TREE)}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(TREE, folder)
    assert done.returncode == 0, done.stderr
    return folder


def loads(site: Path) -> Iterator[str]:
    for path in sorted(site.rglob("*")):
        if path.suffix in {".html", ".css"}:
            for found in LOADS.finditer(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(site)}: {found[0]}"


def test_nothing_is_loaded_from_a_host(site: Path, tmp_path: Path) -> None:
    assert list(loads(site)) == []
    (tmp_path / "page.html").write_text('<script async src="https://host/x.js"></script>')
    (tmp_path / "style.css").write_text("@font-face { src: url(//host/font.woff) }")
    assert len(list(loads(tmp_path))) == 2


def test_pages_lead_on_and_are_searched_from_a_folder(site: Path) -> None:
    page = (site / "guide" / "02-finding.html").read_text(encoding="utf-8")
    for words in (
        "md-footer__link--prev",
        "/edit/main/docs/guide/02-finding.md",
        "content.code.copy",
    ):
        assert words in page
    assert "window.Worker = class" in page
    assert (site / "search" / "search_index.js").is_file()


def test_the_settings_name_no_host() -> None:
    assert "//" not in (TREE / "mkdocs.yml").read_text(encoding="utf-8")


def test_each_page_is_made_from_the_table_that_it_describes(site: Path) -> None:
    for page, words in {
        "commands": ("integrator dataset", "--observation", "integrator desktop install"),
        "window": ("Search actions", "Ctrl+K", "Suggestions"),
        "api": ("FrameResult", 'href="#search"', "by name alone", 'id="query"', 'id="causes"'),
        "keys-of-documents": ("default_player_state", "measurement", "work_ram"),
        "types-and-ops": ("packed BCD", "negative-equal"),
        "errors": ('id="done-at-start"', 'id="state-damaged"'),
    }.items():
        text = (site / "reference" / f"{page}.html").read_text(encoding="utf-8")
        assert [word for word in words if word not in text] == []


def test_each_console_has_a_page_with_its_memory(site: Path) -> None:
    for name, system in systems().items():
        text = (site / "consoles" / f"{name}.html").read_text(encoding="utf-8")
        assert system.title in text
        assert f"0x{system.rambase:X}" in text
        assert all(button in text for button in system.buttons if button)


def test_each_fault_in_a_page_ends_the_build(tmp_path: Path) -> None:
    settings = (TREE / "mkdocs.yml").read_text(encoding="utf-8")
    # The hook that checks pictures stays, without the pages that it would add.
    (tmp_path / "hooks.py").write_text("from scripts.book.hooks import on_page_markdown\n")
    (tmp_path / "mkdocs.yml").write_text(settings.replace("scripts/book/hooks.py", "hooks.py"))
    (tmp_path / "docs").mkdir()
    text = "# Page\n\n[a page](nowhere.md) [a heading](#elsewhere) ![](moth.png)\n"
    (tmp_path / "docs" / "index.md").write_text(text)
    (tmp_path / "docs" / "moth.png").write_bytes(b"")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    faults = [line for line in done.stderr.splitlines() if line.startswith("WARNING")]
    assert len(faults) == 3
    for fault in ("nowhere.md", "#elsewhere", "no words"):
        assert any(fault in line for line in faults)


def test_a_picture_in_code_needs_no_words() -> None:
    assert not wordless("`![](picture.png)` and\n\n```\n![](picture.png)\n```\n")
    assert not wordless("![words](picture.png)")
    assert wordless('<img src="picture.png">')
