"""The Ends panel: ends marked on the slider, ends proposed, and a done condition by one key."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, banners, open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.domain.ends.marks import EndCondition, EndTest
from integrator.domain.scenario.tree import OPS, Condition, TestSpec
from integrator.domain.values.memory import DataType
from integrator.session.recorded_rows import undo_edit
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from integrator.ui.find.ends import EndsView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import dock_of
from scripts.demo_script import play_script

pytestmark = pytest.mark.usefixtures("shared_window")
END = 1392
"""The frame on which the demo game's recorded play is over."""
_WAIT_MS = 4 * OPEN_TIMEOUT_MS


def _play(session: Session) -> None:
    session.game.use_state(POWER_ON)
    play_script(session)


@pytest.fixture
def opened(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> EndsView:
    """The panel in front, with a copy of the demo game and no play."""
    copy = shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    open_and_wait(window, qtbot, copy)
    window.use_workspace("find")
    view: EndsView = window.parts[EndsView]
    dock_of(view).come_forward()
    return view


@pytest.fixture
def view(window: MainWindow, opened: EndsView, qtbot: QtBot) -> EndsView:
    """The panel in front, after a recorded game of the demo game."""
    played: list[None] = []
    window.bridge.ask(_play, played.append)
    qtbot.waitUntil(lambda: bool(played))
    return opened


def _mark(window: MainWindow, view: EndsView, qtbot: QtBot) -> None:
    """Mark the end by the time slider's menu."""
    menu = QMenu()
    window.parts[EndsView].add_to_menu(END, menu)
    [ends] = menu.findChildren(QMenu)  # `action.menu()` deletes the menu in PySide 6.8
    assert [action.text() for action in ends.actions()] == ["dead", "won", "level done"]
    ends.actions()[0].trigger()
    qtbot.waitUntil(lambda: view.moments.marked == (END,))


def _scenario(window: MainWindow) -> Any:
    documents = window.controller.documents
    assert documents is not None
    return documents.scenario


def test_a_marked_end_becomes_a_done_condition(
    window: MainWindow, view: EndsView, qtbot: QtBot
) -> None:
    assert not view.search.isEnabled()
    assert not view.ends.isVisible()
    _mark(window, view, qtbot)
    assert view.ends.isVisible()
    QTest.mouseClick(view.search, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.model.rowCount() > 0, timeout=_WAIT_MS)
    found = [view.model.item(row) for row in range(view.model.rowCount())]
    row = [str(each) for each in found].index("game_over nonzero")
    assert row < 3
    cells = [str(view.model.index(row, column).data()) for column in range(4)]
    assert cells == ["game_over nonzero", "1 of 1", "0", "0"]
    view.table.selectRow(row)
    before = _scenario(window)
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: _scenario(window) != before)
    node = {"condition": "any", "variables": {"game_over": {"op": "nonzero"}}}
    assert _scenario(window)["done"]["nodes"] == {"end": node}
    window.actions_by_key["undo"].trigger()
    qtbot.waitUntil(lambda: _scenario(window) == before)


def test_titles_explain_themselves(opened: EndsView) -> None:
    model, across = opened.model, Qt.Orientation.Horizontal
    assert model.headerData(model.place("alarms"), across) == "false alarms"
    tip = model.headerData(model.place("late"), across, Qt.ItemDataRole.ToolTipRole)
    assert "Frames from the mark" in tip


def test_a_mark_is_taken_back(window: MainWindow, view: EndsView, qtbot: QtBot) -> None:
    _mark(window, view, qtbot)
    box = view.moments.index(0, 0)
    assert box.data(Qt.ItemDataRole.CheckStateRole) is Qt.CheckState.Checked
    assert view.moments.index(0, 1).data() == "dead"
    view.moments.setData(box, Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: view.moments.marked == ())
    assert not view.search.isEnabled()


def test_proposed_ends_are_accepted(window: MainWindow, view: EndsView, qtbot: QtBot) -> None:
    QTest.mouseClick(view.propose, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.moments.rowCount() > 0, timeout=_WAIT_MS)
    rows = [view.moments.at(row) for row in range(view.moments.rowCount())]
    near = [row for row, each in enumerate(rows) if abs(each.frame - END) < 90]
    assert near, rows
    assert "lives 0 → -1" in rows[near[0]].reason
    assert not view.moments.marked
    box = view.moments.index(near[0], 0)
    view.moments.setData(box, Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)
    frame = rows[near[0]].frame
    qtbot.waitUntil(lambda: view.moments.marked == (frame,))
    assert view.search.isEnabled()
    window.bridge.close_game()
    qtbot.waitUntil(lambda: view.moments.rowCount() == 0)
    assert not view.search.isVisible()


def test_proposed_ends_stay_with_their_line(
    window: MainWindow, view: EndsView, qtbot: QtBot
) -> None:
    def frames() -> list[int]:
        return [view.moments.at(row).frame for row in range(view.moments.rowCount())]

    QTest.mouseClick(view.propose, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(frames()), timeout=_WAIT_MS)
    proposed = frames()
    start = proposed[-1] - 10

    def play_on(session: Session) -> None:
        session.timeline.seek(start)
        session.advance((0,), frames=60)

    travel = window.parts[TravelController]
    window.bridge.ask(play_on, lambda _: travel.refresh())
    kept = [frame for frame in proposed if frame <= start]
    qtbot.waitUntil(lambda: frames() == kept)
    window.bridge.ask(undo_edit, lambda _: travel.refresh())
    qtbot.waitUntil(lambda: frames() == proposed)


def test_conditions_go_with_their_line(window: MainWindow, view: EndsView, qtbot: QtBot) -> None:
    _mark(window, view, qtbot)
    QTest.mouseClick(view.search, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.model.rowCount() > 0, timeout=_WAIT_MS)
    travel, runs = window.parts[TravelController], []

    def play_on(session: Session) -> None:
        session.advance((0,), frames=60)
        runs.append((session.timeline.log.runs, session.timeline.length))

    def play_another(session: Session) -> None:
        session.timeline.seek(END + 20)
        play_on(session)

    for play, stay in ((play_on, True), (play_another, False)):
        with qtbot.waitSignal(
            window.controller.timeline_moved,
            check_params_cb=lambda facts: (facts.runs, facts.length) == runs[-1],
        ):
            window.bridge.ask(play, lambda _: travel.refresh())
        assert (view.model.rowCount() > 0) is stay
        assert view.moments.marked == (END,)


@pytest.mark.parametrize("left", [False, True])
def test_conditions_of_a_line_that_the_panel_does_not_know_yet(
    left: bool, window: MainWindow, view: EndsView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    _mark(window, view, qtbot)
    travel, shown = window.parts[TravelController], list[bool]()
    show = view._show_tested

    def tested(found: Any) -> None:
        if left:  # while the conditions were sought
            window.bridge.ask(_play_from_the_end)
        show(found)
        window.bridge.ask(lambda _: None, lambda _: shown.append(view.model.rowCount() > 0))

    monkeypatch.setattr(view, "_show_tested", tested)
    window.bridge.ask(_play_from_the_end)
    QTest.mouseClick(view.search, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(shown), timeout=_WAIT_MS)
    assert shown == [not left]
    with qtbot.waitSignal(window.controller.timeline_moved):
        travel.refresh()
    assert (view.model.rowCount() > 0) is not left


def _play_from_the_end(session: Session) -> None:
    session.timeline.seek(END + 20)
    session.advance((0,), frames=60)


def test_a_new_variable_is_named_where_the_end_is_told(
    window: MainWindow, opened: EndsView, qtbot: QtBot
) -> None:
    spec = TestSpec("", op=OPS["nonzero"])
    test = EndTest(spec, 0x301, DataType.parse("|u1"))
    opened.make_done(EndCondition((test,), Condition.ANY, (0,), ()))
    qtbot.waitUntil(lambda: bool(banners(window)))
    assert banners(window)[0] == (
        "Episodes end now when ended nonzero; new in Variables: ended (0x301)"
    )
    documents = window.controller.documents
    assert documents is not None
    assert documents.variables["ended"].address == 0x301
