"""States, movies and new integrations, through the dialogs and actions that a user takes."""

import functools
import gzip
import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot
from ui_driver import banners, frame_number, open_and_wait, scenario, step

from integrator import paths
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.memory.variables import VariablesView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.main_window import MainWindow

Answer = Callable[[Path], None]


@pytest.fixture
def answer_files(monkeypatch: pytest.MonkeyPatch) -> Answer:
    """Answers the next file dialogs with a path."""

    def answer(path: Path) -> None:
        for method in ("getOpenFileName", "getSaveFileName"):
            monkeypatch.setattr(QFileDialog, method, lambda *_: (str(path), ""))

    return answer


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A copy of the demo game's integration."""
    source = paths.shipped("data") / "EmberMoth-Nes-v0"
    return Path(shutil.copytree(source, tmp_path / "EmberMoth-Nes-v0"))


def states(window: MainWindow) -> list[str]:
    """Names in the States panel."""
    return [tile.name for tile in window.parts[StatesView].model.rows]


def record(window: MainWindow, qtbot: QtBot, path: Path, answer: Answer, frames: int = 12) -> None:
    """Record a movie with the right button held."""
    answer(path)
    with qtbot.waitSignal(window.controller.recording_changed):
        window.actions_by_key["record"].trigger()
    screen = window.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_Right)
    step(window, qtbot, frames)
    QTest.keyRelease(screen, Qt.Key.Key_Right)
    with qtbot.waitSignal(window.controller.recording_changed):
        window.actions_by_key["stop_recording"].trigger()
    assert path.is_file()


def test_a_saved_state_is_listed_and_begins_episodes(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step(open_game, qtbot, 3)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("Later", True))
    QTest.mouseClick(open_game.screen_panel.transport.save_state, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Later" in states(open_game))
    open_game.actions_by_key["save"].trigger()
    qtbot.waitUntil((airstriker / "Later.state").is_file)
    assert gzip.decompress((airstriker / "Later.state").read_bytes())
    view = open_game.parts[StatesView]
    with qtbot.waitSignal(open_game.bridge.frame_ready):
        view.list.activated.emit(view.model.index(states(open_game).index("Later"), 0))
    assert open_game.controller.last is not None
    assert open_game.controller.last.outcome.frame == 1
    qtbot.waitUntil(lambda: "Later" in open_game.screen_panel.subtitle.text())


def test_the_game_stands_still_while_a_state_is_named(
    open_game: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def name(*_: object, **__: object) -> tuple[str, bool]:
        qtbot.waitUntil(lambda: open_game.controller.paused)
        return "Here", True

    monkeypatch.setattr(QInputDialog, "getText", name)
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(lambda: frame_number(open_game) > 5)
    open_game.actions_by_key["save_state"].trigger()
    qtbot.waitUntil(lambda: "Here" in states(open_game))
    after = frame_number(open_game)
    qtbot.waitUntil(lambda: frame_number(open_game) > after)


def test_a_loaded_state_is_shown_also_while_paused(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, answer_files: Answer
) -> None:
    step(open_game, qtbot, 2)
    before = frame_number(open_game)
    answer_files(airstriker / "Level1.state")
    with qtbot.waitSignal(open_game.bridge.frame_ready):
        open_game.actions_by_key["load_state"].trigger()
    assert frame_number(open_game) == before + 1
    assert open_game.controller.paused


def test_a_recorded_movie_plays_again(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path, answer_files: Answer
) -> None:
    movie = tmp_path / "run.bk2"
    record(open_game, qtbot, movie, answer_files)
    played: list[str] = []
    open_game.controller.movie_changed.connect(played.append)
    open_game.actions_by_key["play_movie"].trigger()
    qtbot.waitUntil(lambda: played == ["run.bk2", ""])
    assert any("has ended" in text for text in banners(open_game))


def test_a_movie_opens_its_game_first(
    new_window: Callable[[], MainWindow], qtbot: QtBot, demo: Path, answer_files: Answer
) -> None:
    window = new_window()
    open_and_wait(window, qtbot, demo)
    movie = demo.parent / "flight.bk2"
    record(window, qtbot, movie, answer_files)
    window.close()
    fresh = new_window()
    with qtbot.waitSignal(fresh.controller.movie_changed):
        fresh.open_path(movie)
    assert fresh.controller.game is not None
    assert fresh.controller.game.directory == demo


def test_a_movie_of_an_unknown_game_asks_for_the_game(
    new_window: Callable[[], MainWindow], qtbot: QtBot, demo: Path, answer_files: Answer
) -> None:
    window = new_window()
    stranger = demo.rename(demo.with_name("Stranger-Nes-v0"))
    open_and_wait(window, qtbot, stranger)
    movie = demo.parent / "elsewhere" / "flight.bk2"
    movie.parent.mkdir()
    record(window, qtbot, movie, answer_files)
    window.close()
    game = stranger.rename(movie.parent / "Renamed-Nes-v0")
    fresh = new_window()
    fresh.open_path(movie)
    qtbot.waitUntil(lambda: bool(banners(fresh)))
    assert "flight.bk2 was recorded in Stranger-Nes-v0" in banners(fresh)[0]
    answer_files(game / "rom.nes")
    banner = fresh.screen_panel.notices.banners()[0]
    remedy = next(
        button for button in banner.findChildren(type(fresh.top_bar.save_button)) if button.text()
    )
    with qtbot.waitSignal(fresh.controller.movie_changed):
        QTest.mouseClick(remedy, Qt.MouseButton.LeftButton)


def test_a_state_in_an_integration_opens_its_game(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    window.open_path(airstriker / "Level1.state")
    qtbot.waitUntil(lambda: frame_number(window) >= 2)
    assert window.controller.game is not None
    assert window.controller.game.directory == airstriker


@pytest.mark.usefixtures("own_home")
def test_the_dialog_makes_an_integration_of_a_rom(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rom = tmp_path / "Ember Moth (U) [!].nes"
    shutil.copy(paths.shipped("data") / "EmberMoth-Nes-v0" / "rom.nes", rom)
    window.actions_by_key["new_integration"].trigger()
    dialog = window.findChild(NewIntegrationDialog)
    assert isinstance(dialog, NewIntegrationDialog)
    assert not dialog.make.isEnabled()
    QTest.keyClicks(dialog.rom, str(rom))
    assert dialog.name.text() == "EmberMoth-Nes"
    dialog.root.setText(str(tmp_path / "mine"))
    with qtbot.waitSignal(window.bridge.opened):
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    made = tmp_path / "mine" / "EmberMoth-Nes"
    assert sorted(path.name for path in made.iterdir()) == [
        "data.json",
        "metadata.json",
        "rom.nes",
        "rom.sha",
        "scenario.json",
    ]
    # The hash of a NES game leaves out its 16 bytes of header.
    expected = hashlib.sha1(rom.read_bytes()[16:], usedforsecurity=False).hexdigest()
    assert (made / "rom.sha").read_text().split() == [expected]


def test_what_was_found_in_a_bare_rom_goes_into_its_integration(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, own_home: Path
) -> None:
    rom = tmp_path / "Moth.nes"
    shutil.copy(paths.shipped("data") / "EmberMoth-Nes-v0" / "rom.nes", rom)
    open_and_wait(window, qtbot, rom)
    window.actions_by_key["add_variable"].trigger()
    qtbot.waitUntil(lambda: "variable1" in window.parts[VariablesView].model.names)
    QTest.mouseClick(window.top_bar.save_button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(NewIntegrationDialog)
    assert isinstance(dialog, NewIntegrationDialog)
    dialog.root.setText(str(own_home / "mine"))
    before = frame_number(window)
    with qtbot.waitSignal(window.controller.game_kept):
        QTest.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    made = own_home / "mine" / "Moth-Nes"
    assert "variable1" in json.loads((made / "data.json").read_text())["info"]
    assert frame_number(window) == before
    assert not window.isWindowModified()


def test_unsaved_edits_are_asked_about_once(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers = [QMessageBox.StandardButton.Cancel, QMessageBox.StandardButton.Save]

    def question(*arguments: object) -> QMessageBox.StandardButton:
        asked.append(str(arguments[2]))
        return answers[len(asked) - 1]

    monkeypatch.setattr(QMessageBox, "question", question)
    open_game.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: "time" in json.dumps(scenario(open_game)))
    open_game.close()
    assert open_game.isVisible()
    open_game.close()
    qtbot.waitUntil(lambda: not open_game.isVisible())
    assert len(asked) == 2
    assert "Airstriker-Genesis-v0 has edits" in asked[0]
    assert "time" in (airstriker / "scenario.json").read_text()


def test_done_is_shown_over_the_picture(open_game: MainWindow, qtbot: QtBot) -> None:
    mark = open_game.screen_panel.done_mark
    assert mark.isHidden()
    open_game.controller.set_in_scenario(("done", "variables", "lives"), None)
    path = ("done", "variables", "gameover")
    for op, shown in (("not-equal", True), ("equal", False)):
        open_game.controller.set_in_scenario(path, {"op": op, "reference": 1})
        qtbot.waitUntil(functools.partial(_has_op, open_game, op))
        step(open_game, qtbot)
        assert mark.isVisible() == shown


def test_done_has_its_place_also_when_it_came_while_the_screen_was_hidden(
    open_game: MainWindow,
) -> None:
    panel = open_game.screen_panel
    panel.hide()
    panel.show_done(done=True)
    panel.show()
    middle = panel.stage.rect().center()
    assert abs(panel.done_mark.geometry().center().x() - middle.x()) <= 1
    assert panel.done_mark.geometry().top() > middle.y()


def _has_op(window: MainWindow, op: str) -> bool:
    return f'"gameover": {{"op": "{op}"' in json.dumps(scenario(window)["done"])
