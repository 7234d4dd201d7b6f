"""The Input log: pressed buttons by frame, seeking, and edits of the past."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QWidget
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number, slider, step, timeline_facts

from integrator.domain.timeline.line import Marker
from integrator.session.frame.result import ChunkResult, FrameResult
from integrator.session.recorded_rows import document_rows, rows_ahead
from integrator.session.session import Session
from integrator.ui.review.input_log.input_grid import InputGrid, Wish
from integrator.ui.review.input_log.input_log_panel import InputLogView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.table import RowMenu


def log_view(window: MainWindow, qtbot: QtBot, frame: int) -> InputGrid:
    """The input log, with ``frame`` on the screen and in view."""
    view = window.parts[InputLogView].grid
    window.parts[TravelController].seek(frame)
    qtbot.waitUntil(lambda: frame_number(window) == frame)
    qtbot.waitUntil(lambda: view.viewport().rect().contains(number_of(view, frame)))
    return view


def number_of(view: InputGrid, frame: int) -> QPoint:
    """The place of a frame's number."""
    return QPoint(20, view.rowViewportPosition(frame - 1) + view.rowHeight(0) // 2)


def click_number(view: InputGrid, frame: int) -> None:
    frames = view.verticalHeader().viewport()
    QTest.mouseClick(frames, Qt.MouseButton.LeftButton, pos=number_of(view, frame))


def cell(view: InputGrid, frame: int, bit: int) -> QPoint:
    """The place of a button of the first player."""
    return view.visualRect(view.seen.index(frame - 1, view.seen.keys.index((0, bit)))).center()


def test_the_log_shows_what_was_pressed_and_seeks(review: MainWindow, qtbot: QtBot) -> None:
    game = review.controller.game
    assert game is not None
    right = game.system.buttons.index("RIGHT")
    view = log_view(review, qtbot, 20)
    qtbot.waitUntil(lambda: view.seen.is_pressed(20, 0, right))
    assert not view.seen.is_pressed(20, 0, game.system.buttons.index("LEFT"))
    click_number(view, 25)
    qtbot.waitUntil(lambda: frame_number(review) == 25)


def test_the_newest_frame_stays_in_view_though_its_length_comes_later(
    review: MainWindow, qtbot: QtBot
) -> None:
    view = log_view(review, qtbot, 20)
    for length in (900, 940, 990):
        view.seen.set_position(990)
        view.seen.set_length(length, (), {}, 0)
        assert 0 < number_of(view, 990).y() < view.viewport().height()


def test_rows_that_were_scrolled_to_stay_when_the_panel_changes_its_height(
    review: MainWindow, qtbot: QtBot
) -> None:
    view = log_view(review, qtbot, 20)
    view.seen.set_position(900)
    view.seen.set_length(990, (), {}, 0)
    view.verticalScrollBar().setValue(100)
    bar = review.parts[InputLogView].bar
    height = view.height()
    bar.show()  # as at an edit that runs frames again
    qtbot.waitUntil(lambda: view.height() < height)
    assert view.verticalScrollBar().value() == 100
    bar.hide()
    qtbot.waitUntil(lambda: view.height() == height)
    view.seen.set_position(100 + view.viewport().height() // view.rowHeight(0))
    assert view.verticalScrollBar().value() == 100
    bar.show()
    qtbot.waitUntil(lambda: view.height() < height)
    assert number_of(view, view.seen.position).y() < view.viewport().height()


class Painted(QObject):
    """The parts of a widget that are painted from now on."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.regions: list[QRegion] = []
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.regions.append(QRegion(event.region()))
        return super().eventFilter(watched, event)


def test_rows_between_two_positions_are_shaded_again(review: MainWindow, qtbot: QtBot) -> None:
    view = log_view(review, qtbot, 20)
    qtbot.wait(400)  # what seeking has changed is painted
    painted = Painted(view.viewport())
    view.seen.set_position(14)
    between = number_of(view, 17)
    qtbot.waitUntil(lambda: any(region.contains(between) for region in painted.regions))


def test_a_stroke_in_the_log_changes_the_past_into_a_branch(
    review: MainWindow, qtbot: QtBot
) -> None:
    game = review.controller.game
    assert game is not None
    left = game.system.buttons.index("LEFT")
    view = log_view(review, qtbot, 20)
    length = review.screen_panel.timeline.facts
    assert length is not None
    planned = inputs(review, qtbot)[25:]
    start = cell(view, 20, left)
    stop = cell(view, 23, left)
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view.viewport(), stop)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=stop)
    qtbot.waitUntil(
        lambda: (
            [view.seen.is_pressed(frame, 0, left) for frame in range(19, 25)]
            == [False, True, True, True, True, False]
        )
    )
    qtbot.waitUntil(lambda: len(getattr(review.screen_panel.timeline.facts, "branches", ())) == 1)
    facts = review.screen_panel.timeline.facts
    assert facts is not None
    assert (facts.length, facts.position) == (20, 20)
    assert facts.length + facts.ahead == length.length == view.seen.length
    tip = view.seen.index(20, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Not played yet" in tip
    click_number(view, 25)
    qtbot.waitUntil(lambda: frame_number(review) == 25)
    qtbot.waitUntil(lambda: view.seen.played == 25)
    assert view.seen.is_pressed(23, 0, left)
    step(review, qtbot, 1)
    assert inputs(review, qtbot)[25:] == planned


def test_the_input_log_has_what_was_played_before_it_was_shown(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    log = open_game.parts[InputLogView]
    assert not log.isVisible()
    step(open_game, qtbot, 5)
    qtbot.waitUntil(lambda: open_game.screen_panel.timeline.facts is not None)
    open_game.use_workspace("review")
    qtbot.waitUntil(lambda: log.grid.seen.length == 6)


def test_a_stroke_past_the_edge_scrolls(review: MainWindow, qtbot: QtBot) -> None:
    view = log_view(review, qtbot, 20)
    bar = view.verticalScrollBar()
    bar.setValue(10)
    start = cell(view, 15, 0)
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view.viewport(), QPoint(start.x(), view.viewport().height() - 1))
    assert bar.value() == 10
    QTest.mouseMove(view.viewport(), QPoint(start.x(), view.viewport().height() + 40))
    assert bar.value() > 11
    stroke = view.seen.end_stroke()
    assert stroke is not None
    assert view.visualRect(view.seen.index(stroke.last - 1, 0)).top() >= 0
    assert stroke.begin == 15


def test_a_stroke_below_the_last_row_adds_rows(review: MainWindow, qtbot: QtBot) -> None:
    old = inputs(review, qtbot)
    view = log_view(review, qtbot, len(old))
    seen = view.seen
    qtbot.waitUntil(lambda: seen.length == len(old))
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    place = cell(view, len(old) + 2, 0)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: inputs(review, qtbot) == [*old, 0, 1])
    qtbot.waitUntil(lambda: (seen.length, seen.played) == (len(old) + 2, len(old)))
    assert frame_number(review) == len(old)


def test_a_movie_shows_all_its_rows_from_its_first_frame_on(
    review: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    view = log_view(review, qtbot, 20)

    def play(session: Session) -> tuple[int, FrameResult]:
        movie = session.timeline.export(tmp_path / "play.bk2", 1)
        return movie.stop - movie.start, session.play(movie.path)

    begun: list[tuple[int, FrameResult]] = []
    review.bridge.ask(play, begun.append)
    qtbot.waitUntil(lambda: bool(begun))
    rows, first = begun[0]
    review.bridge.show(first)
    whole = first.number + rows - 1
    qtbot.waitUntil(lambda: view.seen.length == whole)
    assert view.seen.played == first.number
    click_number(view, first.number + 2)
    qtbot.waitUntil(lambda: frame_number(review) == first.number + 2)


def select(view: InputGrid, first: int, last: int) -> None:
    """Select frames as a user does: drag over their numbers."""
    frames = view.verticalHeader().viewport()
    QTest.mousePress(frames, Qt.MouseButton.LeftButton, pos=number_of(view, first))
    QTest.mouseMove(frames, number_of(view, last))
    QTest.mouseRelease(frames, Qt.MouseButton.LeftButton, pos=number_of(view, last))
    assert view.selection == (first, last)


def inputs(window: MainWindow, qtbot: QtBot) -> list[int]:
    """The buttons of player 1 in all rows, recorded and planned."""

    def read(session: Session) -> list[int]:
        rows = document_rows(session, 1, session.timeline.length + len(rows_ahead(session)) + 1)
        column: list[int] = rows[:, 0].tolist()
        return column

    found: list[list[int]] = []
    window.bridge.ask(read, found.append)
    qtbot.waitUntil(lambda: bool(found))
    return found[0]


def test_keys_edit_the_selected_frames_and_undo_them(review: MainWindow, qtbot: QtBot) -> None:
    view = log_view(review, qtbot, 20)
    old = inputs(review, qtbot)
    view.setFocus()

    def press(key: Qt.Key, modifiers: Qt.KeyboardModifier, expected: list[int]) -> None:
        QTest.keyClick(view, key, modifiers)
        qtbot.waitUntil(lambda: inputs(review, qtbot) == expected)

    none, control = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
    shift = Qt.KeyboardModifier.ShiftModifier
    select(view, 20, 22)
    added = [*old[:19], 0, 0, 0, *old[19:]]
    press(Qt.Key.Key_Insert, none, added)
    press(Qt.Key.Key_D, control, [*added[:22], 0, 0, 0, *added[22:]])
    press(Qt.Key.Key_Z, control, added)
    press(Qt.Key.Key_Z, control, old)
    press(Qt.Key.Key_Z, control | shift, added)
    select(view, 21, 22)
    press(Qt.Key.Key_Delete, none, [*old[:19], 0, *old[19:]])
    panel = review.parts[InputLogView]
    qtbot.waitUntil(lambda: panel.undo.isEnabled() and not panel.redo.isEnabled())


def test_two_quick_clicks_change_a_cell_twice(review: MainWindow, qtbot: QtBot) -> None:
    view, asked = log_view(review, qtbot, 20), []
    view.edit_requested.connect(lambda *edit: asked.append(edit))
    qtbot.waitUntil(lambda: view.seen.first <= 22 < view.seen.first + len(view.seen.rows))
    qtbot.wait(200)  # rows that were asked for before the click are there
    where, left = cell(view, 22, 0), Qt.MouseButton.LeftButton
    QTest.mouseClick(view.viewport(), left, pos=where)
    QTest.mouseDClick(view.viewport(), left, pos=where)
    QTest.mouseRelease(view.viewport(), left, pos=where)
    assert [edit[:4] for edit in asked[:2]] == [(22, 22, 0, 0)] * 2
    assert asked[0][4] is not asked[1][4]


def test_arrow_keys_begin_at_the_frame_on_the_screen(review: MainWindow, qtbot: QtBot) -> None:
    view = log_view(review, qtbot, 60)
    review.screen_panel.game_screen.setFocus()
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.selection == (61, 61)
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert view.selection == (61, 62)
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert view.selection == (61, 61)


def test_copied_rows_are_text_and_text_is_pasted(review: MainWindow, qtbot: QtBot) -> None:
    view, panel = log_view(review, qtbot, 20), review.parts[InputLogView]
    old, clipboard = inputs(review, qtbot), QGuiApplication.clipboard()
    clipboard.clear()
    select(view, 20, 21)
    panel.do(Wish.COPY)
    qtbot.waitUntil(lambda: clipboard.text().count("R") == 2)
    row = clipboard.text().splitlines()[0]
    assert row.startswith("|..|")
    clipboard.setText(f"{row.replace('R', '.')}\n{row}\n")
    panel.do(Wish.PASTE)
    expected = [*old[:19], 0, *old[20:]]
    qtbot.waitUntil(lambda: inputs(review, qtbot) == expected)
    panel.do(Wish.PASTE_INSERT)
    longer = [*expected[:19], 0, old[19], *expected[19:]]
    qtbot.waitUntil(lambda: inputs(review, qtbot) == longer)
    clipboard.setText("|..|Q|")
    with qtbot.waitSignal(
        review.controller.said, check_params_cb=lambda _, text: "no button" in text
    ):
        panel.do(Wish.PASTE)


def test_the_same_rows_pasted_change_nothing_and_it_is_said(
    review: MainWindow, qtbot: QtBot
) -> None:
    view, panel = log_view(review, qtbot, 20), review.parts[InputLogView]
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    select(view, 20, 21)
    panel.do(Wish.COPY)
    qtbot.waitUntil(lambda: clipboard.text().count("R") == 2)
    with qtbot.waitSignal(
        review.controller.said, check_params_cb=lambda _, text: text.startswith("Nothing changed")
    ):
        panel.do(Wish.PASTE)
    assert not panel.undo.isEnabled()
    assert view.selection == (20, 21)


def test_a_mark_is_named_in_the_log_and_shown_on_the_slider(
    review: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, panel = log_view(review, qtbot, 20), review.parts[InputLogView]
    answers = iter((("boss", True), ("first boss", True)))
    asked: list[str] = []

    def answer(*_: object, text: str) -> tuple[str, bool]:
        asked.append(text)
        return next(answers)

    monkeypatch.setattr("PySide6.QtWidgets.QInputDialog.getText", answer)
    select(view, 21, 22)
    for label in ("boss", "first boss"):
        panel.do(Wish.MARK)
        qtbot.waitUntil(lambda label=label: view.seen.marks == {21: label})  # type: ignore[misc] # a loop variable
    assert asked == ["", "boss"]
    facts = review.screen_panel.timeline.facts
    assert facts is not None
    assert Marker(21, "user", "first boss") in facts.markers
    panel.do(Wish.UNMARK)
    qtbot.waitUntil(lambda: not view.seen.marks)


def test_the_menu_offers_each_wish_and_only_what_can_be_done(
    review: MainWindow, qtbot: QtBot
) -> None:
    log_view(review, qtbot, 20)
    panel = review.parts[InputLogView]
    menu, length = panel.menu(), panel.grid.seen.length
    offered = {a.text().split("\t")[0]: a.isEnabled() for a in menu.actions() if a.text()}
    assert offered.pop("Values next to the buttons")
    assert set(offered) == {panel.grid.edits[wish].text() for wish in Wish}
    assert {text for text, enabled in offered.items() if not enabled} == {
        "Undo", "Redo", "Remove the mark",
    }  # fmt: skip
    next(a for a in menu.actions() if a.text().startswith("Clone")).trigger()
    qtbot.waitUntil(lambda: panel.grid.seen.length == length + 1)


def test_a_long_edit_shows_its_progress_and_can_be_stopped(
    review: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("integrator.ui.bridge.background.LONG_FRAMES", 1)
    going_on = threading.Event()
    run = Session.run

    def slow(session: Session, *arguments: Any, **named: Any) -> list[ChunkResult]:
        going_on.wait(OPEN_TIMEOUT_MS / 1000)
        return run(session, *arguments, **named)

    view, panel = log_view(review, qtbot, 20), review.parts[InputLogView]
    review.bridge.ask(lambda session: session.advance(frames=200))
    old = inputs(review, qtbot)
    monkeypatch.setattr(Session, "run", slow)
    select(view, 20, 21)
    panel.do(Wish.INSERT)
    qtbot.waitUntil(panel.bar.isVisible)
    panel.bar.cancel.click()
    going_on.set()
    qtbot.waitUntil(lambda: not panel.bar.isVisible())
    assert inputs(review, qtbot) == old


def test_lag_frames_are_counted_and_explained(review: MainWindow, qtbot: QtBot) -> None:
    panel = review.parts[InputLogView]
    view = log_view(review, qtbot, 20)
    qtbot.waitUntil(lambda: "no lag seen" in panel.facts.text())
    facts = replace(timeline_facts(review), lag=1)
    slider(review).show_facts(facts, 60.0)
    review.controller.timeline_moved.emit(facts)
    assert panel.facts.text() == "1 lag frame"
    lag = np.array([0, 0, 0, 1], bool)
    view.seen.set_rows(21, (np.zeros((4, 1), np.uint16), lag, np.zeros((4, 0), int)))
    plain, lagging = (
        view.viewport().grab().toImage().pixelColor(2, number_of(view, n).y()) for n in (22, 24)
    )
    assert view.seen.lags(24)
    assert plain != lagging


def test_rows_that_wait_because_of_a_poke_are_said(review: MainWindow, qtbot: QtBot) -> None:
    panel, travel = review.parts[InputLogView], review.parts[TravelController]
    log_view(review, qtbot, 20)
    facts = replace(timeline_facts(review), wait=True)
    slider(review).show_facts(facts, 60.0)
    review.controller.timeline_moved.emit(facts)
    assert panel.facts.text().endswith(" · planned frames wait")
    assert "advance a frame" in panel.facts.toolTip()
    with qtbot.waitSignal(
        review.controller.timeline_moved
    ):  # all that was asked before has arrived
        travel.refresh()
    with qtbot.waitSignal(review.controller.timeline_moved):
        review.controller.memory_written.emit()


def test_names_of_marks_are_cut_before_buttons_are_out_of_sight(
    review: MainWindow, qtbot: QtBot
) -> None:
    view = log_view(review, qtbot, 20)
    last = view.seen.columnCount() - 1
    view.seen.set_length(100, (), {5: "first boss"}, 100)
    for width, least, most in ((320, 36, 60), (600, 78, 300)):
        view.resize(width, 400)
        assert view.horizontalHeader().length() == view.viewport().width()
        assert least <= view.columnWidth(last) <= most


def test_values_stand_beside_the_rows_and_a_title_holds_its_button(
    review: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, grid = review.parts[InputLogView], log_view(review, qtbot, 20)
    name = view.variables[0]
    menu = view.menu()
    [values] = menu.findChildren(RowMenu)
    [shown] = [each for each in values.actions() if each.text() == name]
    shown.trigger()
    qtbot.waitUntil(lambda: grid.seen.values.shape[1:] == (1,))
    columns: list[Any] = []
    review.bridge.ask(lambda session: session.timeline.column(name), columns.append)
    qtbot.waitUntil(lambda: bool(columns))
    assert grid.seen.number(20, 0) == columns[0][19]
    grid.select((22, 24))
    bit = grid.seen.keys[0][1]
    titles = grid.horizontalHeader().viewport()
    QTest.mouseClick(titles, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    qtbot.waitUntil(lambda: all(grid.seen.is_pressed(at, 0, bit) for at in (22, 23, 24)))
    button = grid.seen.buttons[bit]
    monkeypatch.setattr(QInputDialog, "getItem", lambda *_: (f"{button} 1 2", True))
    view.do(Wish.PATTERN)
    qtbot.waitUntil(lambda: not grid.seen.is_pressed(23, 0, bit))
    assert grid.seen.is_pressed(22, 0, bit)
