"""Ctrl+C while the processes of a command start: one line, status 130, nothing half-written."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from integrator.commands.shared.options import demo_game

_SPIED = """
import os, signal, sys
from integrator.__main__ import main
from libretro_host.processes import children

started = children.start

def start(*arguments, **options):
    child = started(*arguments, **options)
    # As a terminal does: to all processes of the group, of which the newest has just begun.
    os.killpg(0, signal.SIGINT)
    return child

if __name__ == "__main__":
    children.start = start
    main()
"""


def _hear() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run a command in a group of its own, in which Ctrl+C is what it is in a terminal."""
    return subprocess.run(
        [sys.executable, "-P", *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
        process_group=0,
        preexec_fn=_hear,
    )


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(
    "words",
    [("agents", "--agent", "random", "--episodes", "20", "--frames", "8"), ("audit", "--json")],
    ids=["agents", "audit"],
)
def test_ctrl_c_while_workers_start_is_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    script = tmp_path / "spied.py"
    script.write_text(_SPIED)
    out = tmp_path / "movies"
    more = ("--out", out) if words[0] == "agents" else ()
    ended = interrupted([script, words[0], demo_game(), *words[1:], "--jobs", "2", *more])
    assert ended.returncode == 130
    assert ended.stderr.strip() == "integrator: interrupted"
    assert ended.stdout == ""
    assert not [path for path in out.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("module", "words"), [("integrator.cli", ["cores"]), ("signal", ["--version"])]
)
def test_ctrl_c_while_modules_load_is_one_line(
    tmp_path: Path, module: str, words: Sequence[str]
) -> None:
    script = tmp_path / "loading.py"
    script.write_text(
        "import os, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        f"            os.kill(os.getpid(), {int(signal.SIGINT)})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from integrator.__main__ import main\n"
        "main()\n"
    )
    ended = interrupted([script, *words])
    assert (ended.returncode, ended.stderr) == (130, "integrator: interrupted\n")
