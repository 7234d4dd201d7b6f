"""The log folder: lines that rotate, the stacks of a crash, and folders that refuse both."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest
import warm_children

from integrator import log_files as module
from integrator import paths
from integrator.commands.shared.options import demo_game
from integrator.log_files import CRASH_NAME, LOG_NAME, log_facts, log_files

LOG = logging.getLogger("integrator.window")

pytestmark = pytest.mark.usefixtures("own_crash_handler")


@pytest.fixture
def folder(own_home: Path) -> Path:
    assert paths.user_log_dir().is_relative_to(own_home)
    return paths.user_log_dir()


def python(code: str, *arguments: object) -> int:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return warm_children.run(command, capture_output=True, check=False).returncode


def test_what_the_window_says_is_in_the_file(folder: Path) -> None:
    with log_files() as problem:
        assert problem == ""
        LOG.info("opened %s", "Moth")
    LOG.info("after the window")
    lines = (folder / LOG_NAME).read_text().splitlines()
    assert [line.split(" INFO ")[1].split(":")[0] for line in lines] == [
        "started", "opened Moth", "ended",
    ]  # fmt: skip
    assert not any(LOG.handlers + logging.getLogger("integrator").handlers)


def test_old_lines_move_on_and_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MAX_BYTES", 400)
    with log_files():
        for _ in range(100):
            LOG.info("a line of some length, as they are")
    names = sorted(path.name for path in folder.iterdir() if path.name.startswith(LOG_NAME))
    assert names == [LOG_NAME, *(f"{LOG_NAME}.{number}" for number in (1, 2, 3))]
    assert all((folder / name).stat().st_size <= 400 for name in names)


def test_a_crash_leaves_its_stacks_and_the_report_names_them(folder: Path) -> None:
    code = (
        "import faulthandler\n"
        "from integrator.log_files import log_files\n"
        "def where_it_happened():\n"
        "    faulthandler._sigsegv()\n"
        "with log_files():\n"
        "    where_it_happened()\n"
    )
    assert python(code) < 0
    where, lines, trace = log_facts()
    assert where == folder
    assert [line.split(":")[0] for line in lines] == [LOG_NAME, CRASH_NAME]
    assert trace[0] == "Fatal Python error: Segmentation fault"
    assert any("where_it_happened" in line for line in trace)


def test_a_core_that_crashes_leaves_the_files_alone(folder: Path) -> None:
    code = (
        "import contextlib, faulthandler, os, signal, sys\n"
        "from pathlib import Path\n"
        "import integrator\n"
        "from integrator.log_files import log_files\n"
        "from libretro_host.errors import CoreCrashed\n"
        "with log_files(), integrator.open_session(sys.argv[1]) as session:\n"
        "    tasks = Path('/proc/self/task').glob('*/children')\n"
        "    (child,) = [int(pid) for task in tasks for pid in task.read_text().split()]\n"
        "    os.kill(child, signal.SIGSEGV)\n"
        "    with contextlib.suppress(CoreCrashed):\n"
        "        session.advance((0,))\n"
        "    assert faulthandler.is_enabled()\n"
    )
    assert python(code, demo_game()) == 0
    assert (folder / CRASH_NAME).read_bytes() == b""
    assert (folder / LOG_NAME).read_text().endswith(" INFO ended\n")


def test_a_folder_that_can_not_be_written_is_told(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("in the way, for root too")
    with log_files() as problem:
        LOG.info("said to nobody")
        assert problem == f"nothing is logged to {folder}: File exists"
    assert log_facts()[1] == [f"{LOG_NAME}: Not a directory", f"{CRASH_NAME}: Not a directory"]


def test_a_full_disk_ends_the_log_and_not_the_window(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir(parents=True)
    (folder / LOG_NAME).symlink_to("/dev/full")
    with log_files() as problem:
        LOG.info("lost")
        LOG.info("lost too")
        assert problem == ""
    assert capfd.readouterr() == ("", "")
