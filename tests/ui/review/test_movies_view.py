"""The Movies panel: a folder's movies, and the outcome of those that were played."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot
from ui_driver import MOVIE_FRAMES, OPEN_TIMEOUT_MS, banners

from integrator.domain.movies.writer import MovieWriter
from integrator.ui.review.movies_controller import MoviesController
from integrator.ui.review.movies_model import MovieColumn
from integrator.ui.review.movies_view import MoviesView
from integrator.ui.shell.main_window import MainWindow


def text(window: MainWindow, path: Path, column: MovieColumn) -> str:
    model = window.parts[MoviesView].model
    row = model.row_of(path)
    assert row is not None
    return str(model.index(row, column).data())


def test_a_folder_lists_its_movies(review: MainWindow, airstriker: Path) -> None:
    assert text(review, airstriker / "good.bk2", MovieColumn.FRAMES) == str(MOVIE_FRAMES + 1)
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
    from integrator.session.opening import movie_consoles, systems

    movie = read_movie(path, movie_consoles(systems()))
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
