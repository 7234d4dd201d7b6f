"""A movie whose game is not open, found by its name or asked for; a ROM that needs a choice."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot
from ui_driver import banners

import integrator
from integrator import paths
from integrator.commands.shared.options import demo_game
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.writer import MovieWriter
from integrator.session.opening import open_journaled
from integrator.session.setup.roots import systems
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.shell.files.path_opener import locate_movie
from integrator.ui.shell.main_window import MainWindow

GAME = "Moth-Nes-v0"


@pytest.fixture
def movie(tmp_path: Path) -> Path:
    """A movie of two players, of a game that is nowhere yet."""
    path = tmp_path / "runs" / "run.bk2"
    path.parent.mkdir()
    with integrator.open_session(demo_game()) as session:
        session.reset()
        state = session.save_state()
        buttons = session.system.buttons
    rows = np.full((400, 2), 1 << 7, np.uint16)
    with MovieWriter(
        path, game=GAME, console=MovieConsole(buttons, "Nes"), state=state, players=2
    ) as writer:
        writer.append(rows)
    return path


def plays(window: MainWindow, qtbot: QtBot, movie: Path) -> None:
    with qtbot.waitSignal(window.controller.movie_changed) as told:
        window.open_path(movie)
    assert told.args == [movie.name]


@pytest.mark.parametrize("place", ["beside the movie", "my integrations"])
def test_its_game_is_found_by_name(
    window: MainWindow, qtbot: QtBot, movie: Path, place: str
) -> None:
    beside = movie.parent.parent / GAME
    mine = paths.user_integrations_dir() / GAME
    shutil.copytree(demo_game(), beside if place == "beside the movie" else mine)
    plays(window, qtbot, movie)
    game = window.controller.game
    assert game is not None
    assert (game.name, game.players) == (GAME, 2)


def test_an_integration_without_its_rom_is_not_the_game(
    window: MainWindow,
    qtbot: QtBot,
    movie: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    empty = movie.parent / GAME
    shutil.copytree(demo_game(), empty)
    (empty / "rom.nes").unlink()
    rom = tmp_path / "moth.nes"
    shutil.copy(demo_game() / "rom.nes", rom)
    window.open_path(movie)
    qtbot.waitUntil(lambda: any(GAME in text for text in banners(window)))
    assert not window.bridge.is_open
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(rom), ""))
    [banner] = window.screen_panel.notices.banners()
    [choose] = [b for b in banner.findChildren(QPushButton) if "Choose" in b.text()]
    with qtbot.waitSignal(window.controller.movie_changed):
        choose.click()
    game = window.controller.game
    assert game is not None
    assert (game.rom.name, game.players) == (rom.name, 2)


@pytest.mark.parametrize("name", ["..", "../Moth-Nes-v0", "/etc", "."])
def test_a_name_that_is_a_path_finds_nothing(movie: Path, name: str) -> None:
    shutil.copytree(demo_game(), movie.parent.parent / GAME)
    path = movie.parent / "crafted.bk2"
    with MovieWriter(path, game=name, console=MovieConsole(["B"], "Nes"), state=None) as writer:
        writer.append(np.zeros((3, 1), np.uint16))
    assert locate_movie(path, systems())[1] is None


def test_a_rom_of_several_systems_gets_its_system_chosen(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rom = tmp_path / "Odd Game.bin"
    rom.write_bytes(bytes(4096))
    window.open_path(rom)
    qtbot.waitUntil(lambda: len(banners(window)) == 1)
    assert banners(window)[0].startswith("Odd Game.bin can be a game of several systems")
    banner = window.screen_panel.notices.banners()[0]
    button = next(b for b in banner.findChildren(QPushButton) if b.text() == "Choose the system…")
    button.click()
    dialog = window.findChild(NewIntegrationDialog)
    assert isinstance(dialog, NewIntegrationDialog)
    assert dialog.rom.text() == str(rom)


def test_the_open_rom_is_opened_again_as_the_same_consoles(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    source = paths.shipped("data") / "EmberMoth-Nes-v0" / "rom.nes"
    rom = Path(shutil.copy(source, tmp_path / "Game.bin"))
    with qtbot.waitSignal(window.bridge.opened):
        window.bridge.open(rom, lambda path: open_journaled(path, system="Nes"))

    def after_closing() -> None:
        with qtbot.waitSignal(window.bridge.closed):
            window.actions_by_key["close_game"].trigger()
        window.open_path(rom)

    twice = window.actions_by_key["two_players"].trigger
    for again in (twice, lambda: window.open_path(rom), after_closing):
        with qtbot.waitSignal(window.bridge.opened) as told:
            again()
        assert told.args is not None
        assert told.args[0].system.name == "Nes"
