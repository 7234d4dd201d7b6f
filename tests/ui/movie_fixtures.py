"""Movies of agents in the Movies panel."""

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import settled_frame

from integrator.commands.shared.options import airstriker as airstriker_game
from integrator.session.edits import commands as edits
from integrator.session.opening import open_session
from integrator.ui.review.movies.movies_lists import MovieColumn
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.shell.main_window import MainWindow


@pytest.fixture(scope="session")
def recorded_agents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Movies of three agents in Airstriker."""
    folder = tmp_path_factory.mktemp("agents")
    with open_session(airstriker_game()) as session:
        for name, frames in (("a", 150), ("b", 90), ("c", 120)):
            session.reset()
            session.record(folder / f"{name}.bk2")
            session.advance((), frames=frames - 1)
            session.stop_recording()
    return folder


@pytest.fixture
def agents(
    review: MainWindow, qtbot: QtBot, airstriker: Path, recorded_agents: Path
) -> tuple[Path, ...]:
    """A folder with three agents' movies, and a broken one; each frame costs a point."""
    folder = Path(shutil.copytree(recorded_agents, airstriker / "agents"))
    cost = {"time": {"reward": -1.0}}
    review.controller.edit(edits.set_in_scenario(("reward",), cost))
    settled_frame(review, qtbot)
    (folder / "broken.bk2").write_bytes(b"PK nothing")
    review.parts[MoviesView].list_folder(folder)
    model = review.parts[MoviesView].model
    qtbot.waitUntil(lambda: model.rowCount() == 4)
    return tuple(folder / f"{name}.bk2" for name in "abc")


def choose(window: MainWindow, paths: tuple[Path, ...]) -> None:
    """Choose rows as a user does, with Ctrl."""
    view = window.parts[MoviesView]
    view.table.clearSelection()
    for path in paths:
        row = view.model.row_of(path)
        assert row is not None
        place = view.table.visualRect(view.model.index(row, MovieColumn.NAME)).center()
        held = Qt.KeyboardModifier.ControlModifier
        QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, held, place)


def pick(window: MainWindow, path: Path, words: str) -> None:
    """Choose an action of a row's menu."""
    view = window.parts[MoviesView]
    menu = view.movie_menu(view.model.row_of(path) or 0)
    next(each for each in menu.actions() if words in each.text()).trigger()
    menu.deleteLater()
