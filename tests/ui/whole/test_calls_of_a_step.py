"""One step of a paused game: the project's calls, and the files that they are in.

Counted, not timed. Functions that also run while nobody does anything are no part of a step."""

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

import pytest
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait, step

import integrator
import libretro_host
from integrator.commands.shared.options import demo_game
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow

MOST_CALLS, MOST_FILES = 900, 60
STEPS = 5
"""A busy machine may paint a panel twice in a step, so the least of some steps counts."""

_ROOTS = tuple(str(Path(str(each.__file__)).parent) for each in (integrator, libretro_host))


@contextmanager
def counted() -> Iterator[Counter[CodeType]]:
    """Count the project's calls in this thread and those that begin inside."""
    calls: Counter[CodeType] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_ROOTS):
            calls[code] += 1

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.fixture
def calls() -> Iterator[Counter[CodeType]]:
    with counted() as found:
        yield found


@pytest.fixture
def paused(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The demo game in a window; each workspace has been in sight."""
    window.resize(1680, 1020)
    open_and_wait(window, qtbot, demo_game())
    for workspace in WORKSPACES:
        window.use_workspace(workspace.key)
        qtbot.wait(50)
    return window


def wait_for_rest(calls: Counter[CodeType], resting: frozenset[CodeType], qtbot: QtBot) -> None:
    """Wait until half a second brings no more calls than a rest does."""

    def total() -> int:
        return sum(count for code, count in list(calls.items()) if code not in resting)

    allowed = 0 if resting else 40
    for _ in range(40):
        before = total()
        qtbot.wait(500)
        if total() - before <= allowed:
            return


def test_a_step_costs_few_calls_in_few_files(
    calls: Counter[CodeType], paused: MainWindow, qtbot: QtBot
) -> None:
    most_calls, most_files = {}, {}
    for workspace in WORKSPACES:
        paused.use_workspace(workspace.key)
        wait_for_rest(calls, frozenset(), qtbot)
        calls.clear()
        qtbot.wait(1500)
        resting = frozenset(calls)
        steps: list[int] = []
        files: list[int] = []
        while len(steps) < STEPS and (
            not steps or min(steps) > MOST_CALLS or min(files) > MOST_FILES
        ):
            calls.clear()
            step(paused, qtbot)
            wait_for_rest(calls, resting, qtbot)
            of_step = {code: n for code, n in list(calls.items()) if code not in resting}
            steps.append(sum(of_step.values()))
            files.append(len({code.co_filename for code in of_step}))
        most_calls[workspace.key], most_files[workspace.key] = min(steps), min(files)
    print(most_calls, most_files)  # noqa: T201 - shown when the test fails
    assert max(most_calls.values()) <= MOST_CALLS
    assert max(most_files.values()) <= MOST_FILES
