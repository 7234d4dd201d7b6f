"""Searches of large memories: while the game runs, on memory as it was between two frames."""

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import frame_number, open_and_wait, step

from integrator.domain.search.search import Search
from integrator.session.searches import Compare
from integrator.ui.find import find_view
from integrator.ui.find.find_view import FindView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = (0xFF025A, ">u2")


@pytest.fixture
def find(
    window: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> FindView:
    """The Find panel of a game whose memory counts as large."""
    monkeypatch.setattr(find_view, "AT_ONCE_BYTES", 0)
    open_and_wait(window, qtbot, airstriker)
    window.use_workspace("find")
    return window.parts[FindView]


def compare(find: FindView, qtbot: QtBot, command: Compare) -> set[tuple[int, str]]:
    with qtbot.waitSignal(find.status_changed):
        find.search(command)
    assert find.status is not None
    return {(each.address, each.type.spec) for each in find.status.candidates}


def test_the_game_goes_on_while_memory_is_searched(
    find: FindView, window: MainWindow, qtbot: QtBot
) -> None:
    let_go, seen = threading.Event(), list[int]()

    def slow(search: Search) -> None:
        let_go.wait()
        search.refine("equal", 3)
        seen.append(search.count)

    try:
        find.search(slow)
        first = frame_number(window)
        window.controller.poke("lives", 8)
        step(window, qtbot, 5)
        assert frame_number(window) == first + 5
        assert not seen
    finally:
        let_go.set()
    with qtbot.waitSignal(find.status_changed):
        pass
    # Searched was memory as it was before the poke.
    assert find.status is not None
    assert LIVES in {(each.address, each.type.spec) for each in find.status.candidates}


def test_recorded_frames_are_compared_with(
    find: FindView, window: MainWindow, qtbot: QtBot
) -> None:
    step(window, qtbot, 2)
    compare(find, qtbot, Compare("equal", 3, None))
    window.controller.poke("lives", 9)
    step(window, qtbot)
    assert LIVES in compare(find, qtbot, Compare("changed", None, "last-frame"))
    step(window, qtbot)
    assert LIVES in compare(find, qtbot, Compare("increased-by", 6, "frame 2"))
    assert LIVES not in compare(find, qtbot, Compare("changed", None, "last-frame"))


def test_a_frame_to_compare_with_is_typed(find: FindView, window: MainWindow, qtbot: QtBot) -> None:
    step(window, qtbot, 2)
    form = find.form
    form.against.setCurrentIndex(form.against.findData("frame"))
    assert form.frame.isVisible()
    QTest.mouseClick(form.memory_buttons["unchanged"], Qt.MouseButton.LeftButton)
    assert form.frame.property("invalid")
    QTest.keyClicks(form.frame, "1")
    with qtbot.waitSignal(find.status_changed):
        QTest.mouseClick(form.memory_buttons["unchanged"], Qt.MouseButton.LeftButton)
    assert find.status is not None
    assert find.status.steps[-1].against == "frame 1"


@pytest.mark.parametrize("when", ["frame", "press"])
def test_rules_follow_the_game(find: FindView, window: MainWindow, qtbot: QtBot, when: str) -> None:
    form = find.form
    form.when.setCurrentIndex(form.when.findData(when))
    QTest.mouseClick(form.memory_buttons["unchanged"], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(form.rule.isVisible)

    def steps() -> int:
        return 0 if find.status is None else len(find.status.steps)

    for pressed in (0, 1, 1, *[0] * 9):
        window.bridge.set_masks((pressed,))
        step(window, qtbot)
        qtbot.waitUntil(lambda: not window.parts[FindView].waiting)
    # A press gives two steps: memory before it, and what was compared after it.
    qtbot.waitUntil(lambda: steps() >= (3 if when == "press" else 10))
    QTest.mouseClick(form.rule, Qt.MouseButton.LeftButton)
    assert not form.rule.isVisible()
