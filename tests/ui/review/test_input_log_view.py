"""The Input log: pressed buttons by frame, seeking, and edits of the past."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number, step

from integrator.ui.review.input_log_view import InputLogView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.main_window import MainWindow


def log_view(window: MainWindow, qtbot: QtBot, frame: int) -> InputLogView:
    """The input log, with ``frame`` on the screen and in view."""
    view = window.parts[InputLogView]
    window.parts[TravelController].seek(frame)
    qtbot.waitUntil(lambda: frame_number(window) == frame, timeout=OPEN_TIMEOUT_MS)
    qtbot.waitUntil(lambda: view.cell_at(number_of(view, frame)) is not None)
    return view


def number_of(view: InputLogView, frame: int) -> QPoint:
    """The place of a frame's number."""
    return QPoint(20, int(view.cell_rect(frame, 0, 0).center().y()))


def test_the_log_shows_what_was_pressed_and_seeks(review: MainWindow, qtbot: QtBot) -> None:
    game = review.controller.game
    assert game is not None
    right = game.buttons.index("RIGHT")
    view = log_view(review, qtbot, 20)
    qtbot.waitUntil(lambda: view.is_pressed(20, 0, right), timeout=OPEN_TIMEOUT_MS)
    assert not view.is_pressed(20, 0, game.buttons.index("LEFT"))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=number_of(view, 25))
    qtbot.waitUntil(lambda: frame_number(review) == 25, timeout=OPEN_TIMEOUT_MS)


def test_a_stroke_in_the_log_changes_the_past_into_a_branch(
    review: MainWindow, qtbot: QtBot
) -> None:
    game = review.controller.game
    assert game is not None
    left = game.buttons.index("LEFT")
    view = log_view(review, qtbot, 20)
    length = review.screen_panel.timeline.facts
    assert length is not None
    start = view.cell_rect(20, 0, left).center().toPoint()
    stop = view.cell_rect(23, 0, left).center().toPoint()
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(view.viewport(), stop)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=stop)
    qtbot.waitUntil(
        lambda: (
            [view.is_pressed(frame, 0, left) for frame in range(19, 25)]
            == [False, True, True, True, True, False]
        ),
        timeout=OPEN_TIMEOUT_MS,
    )
    qtbot.waitUntil(
        lambda: len(getattr(review.screen_panel.timeline.facts, "branches", ())) == 1,
        timeout=OPEN_TIMEOUT_MS,
    )
    facts = review.screen_panel.timeline.facts
    assert facts is not None
    assert (facts.length, facts.position) == (length.length, 20)


def test_the_input_log_has_what_was_played_before_it_was_shown(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    log = open_game.parts[InputLogView]
    assert not log.isVisible()
    step(open_game, qtbot, 5)
    qtbot.waitUntil(
        lambda: open_game.screen_panel.timeline.facts is not None, timeout=OPEN_TIMEOUT_MS
    )
    open_game.use_workspace("review")
    qtbot.waitUntil(lambda: log._length == 6, timeout=OPEN_TIMEOUT_MS)
