"""The Movies panel, the input log, and the pressed buttons over the picture."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, banners, frame_number, open_and_wait, step

from integrator.domain.movies.writer import MovieWriter
from integrator.session.session import Session
from integrator.ui.review.input_log_view import InputLogView
from integrator.ui.review.movies_controller import MoviesController
from integrator.ui.review.movies_model import MovieColumn
from integrator.ui.review.movies_view import MoviesView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.screen.pad_labels import button_label, shown_bits
from integrator.ui.shell.main_window import MainWindow

FRAMES = 60


def hold_right(session: Session) -> None:
    bit = session.system.buttons.index("RIGHT")
    session.advance((1 << bit,), frames=FRAMES)


@pytest.fixture
def review(window: MainWindow, qtbot: QtBot, airstriker: Path) -> MainWindow:
    """A window that reviews a folder with a movie of ours, a wrong one and a broken one."""
    open_and_wait(window, qtbot, airstriker)

    def record(session: Session) -> None:
        session.record(airstriker / "good.bk2")
        hold_right(session)
        session.stop_recording()

    with qtbot.waitSignal(window.controller.core_memory, raising=False, timeout=1):
        window.bridge.ask(record)
    step(window, qtbot)
    shutil.copy(airstriker / "good.bk2", airstriker / "lies.bk2")
    (airstriker / "broken.bk2").write_bytes(b"PK nothing")
    window.use_workspace("review")
    window.parts[MoviesController].list_folder(airstriker)
    qtbot.waitUntil(lambda: window.parts[MoviesView].model.rowCount() == 3, timeout=OPEN_TIMEOUT_MS)
    return window


def text(window: MainWindow, path: Path, column: MovieColumn) -> str:
    model = window.parts[MoviesView].model
    row = model.row_of(path)
    assert row is not None
    return str(model.index(row, column).data())


def test_a_folder_lists_its_movies(review: MainWindow, airstriker: Path) -> None:
    assert text(review, airstriker / "good.bk2", MovieColumn.FRAMES) == str(FRAMES + 1)
    assert "Genesis Plus GX" in text(review, airstriker / "good.bk2", MovieColumn.CORE)
    assert text(review, airstriker / "broken.bk2", MovieColumn.RESULT) == "unreadable"


def test_a_played_movie_says_how_it_went(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    path = airstriker / "good.bk2"
    review.screen_panel.transport.speed_chosen.emit(0.0)
    review.parts[MoviesView].play_requested.emit(path)
    qtbot.waitUntil(
        lambda: text(review, path, MovieColumn.RESULT).startswith("reward"),
        timeout=OPEN_TIMEOUT_MS,
    )
    assert review.controller.paused


def test_a_movie_that_goes_out_of_step_is_told(
    review: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    path = airstriker / "lies.bk2"
    lie(path)
    review.parts[MoviesController].run_to_end(path)
    qtbot.waitUntil(
        lambda: "out of step" in text(review, path, MovieColumn.RESULT), timeout=OPEN_TIMEOUT_MS
    )
    qtbot.waitUntil(lambda: any("out of step" in banner for banner in banners(review)))


def lie(path: Path) -> None:
    """Write a movie whose hashes are of other play."""
    from integrator.domain.movies.reading import read_movie
    from integrator.session.opening import buttons_by_system, systems

    movie = read_movie(path, buttons_by_system(systems()))
    writer = MovieWriter(
        path,
        game=movie.game,
        system=movie.system,
        buttons=movie.buttons,
        state=movie.state,
        core=movie.core,
    )
    writer.append(movie.inputs, [12345] * movie.frames)
    writer.close()


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


def test_the_overlay_can_be_switched_on_and_is_kept(review: MainWindow, qtbot: QtBot) -> None:
    screen = review.screen_panel.game_screen
    before = screen.grab().toImage()
    review.actions_by_key["show_buttons"].setChecked(True)
    qtbot.wait(30)
    assert screen.grab().toImage() != before
    assert review._settings.shows_buttons


def test_buttons_have_short_names_and_directions_first() -> None:
    buttons = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
    labels = [button_label(str(buttons[bit])) for bit in shown_bits(buttons)]
    assert labels == ["↑", "↓", "←", "→", "B", "Sel", "St"]
