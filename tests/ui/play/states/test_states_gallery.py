"""The gallery of start states: pictures, load checks, defaults, slots on the function keys."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from ui_driver import banners, frame_number, step

from integrator.session.hidden.clips import slot_path
from integrator.ui.bridge.background import MadePicture
from integrator.ui.play.states.states_view import StatesView, StateTile
from integrator.ui.shell.main_window import MainWindow
from libretro_host.inprocess import without_chip

pytestmark = pytest.mark.usefixtures("shared_window")


def tile(window: MainWindow, name: str) -> StateTile:
    """What the gallery knows about a state."""
    rows = window.parts[StatesView].model.rows
    return next((each for each in rows if each.name == name), StateTile(name))


def save_state(window: MainWindow, qtbot: QtBot, name: str) -> None:
    """Keep this moment as a start state."""
    window.parts[StatesView].save(name)
    qtbot.waitUntil(lambda: tile(window, name).info is not None)


def test_states_have_pictures_and_the_core_that_made_them(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    (airstriker / "Broken.state").write_bytes(gzip.compress(b"no state"))
    step(open_game, qtbot, 3)
    save_state(open_game, qtbot, "Later")
    qtbot.waitUntil(lambda: tile(open_game, "Later").picture is not None)
    image = QImage(str(tile(open_game, "Later").picture))
    assert (image.width(), image.height()) == (320, 224)
    qtbot.waitUntil(lambda: bool(tile(open_game, "Broken").problem))
    assert "does not take this state" in tile(open_game, "Broken").problem
    later, first = tile(open_game, "Later").info, tile(open_game, "Level1").info
    assert later is not None
    assert "Genesis Plus GX" in str(later.stamp)
    assert first is not None
    assert first.stamp is None


def test_a_state_is_the_default_for_two_players(open_game: MainWindow, qtbot: QtBot) -> None:
    save_state(open_game, qtbot, "Duel")
    [players] = open_game.parts[StatesView].state_menu("Duel").findChildren(QMenu)
    players.actions()[1].trigger()
    qtbot.waitUntil(lambda: tile(open_game, "Duel").badges == ["2P"])
    assert tile(open_game, "Level1").badges == ["default"]


def test_the_check_of_a_game_that_was_left_says_nothing(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = open_game.parts[StatesView]
    takers: list[Callable[[MadePicture], object]] = []

    def request(*given: object, **_: object) -> None:
        takers.append(given[1])  # type: ignore[arg-type]  # the second argument takes pictures

    monkeypatch.setattr(view._pictures, "request", request)
    view.check("Level1")
    qtbot.waitUntil(lambda: bool(takers))
    takers[-1](MadePicture(tmp_path / "left", "Level1", None))
    assert not any("loads in this core" in text for text in banners(open_game))


def test_the_check_says_whether_a_state_loads(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    open_game.parts[StatesView].check("Level1")
    qtbot.waitUntil(lambda: "Level1 loads in this core" in banners(open_game))
    (airstriker / "Level1.state").write_bytes(gzip.compress(b"no state"))
    open_game.parts[StatesView].check("Level1")
    qtbot.waitUntil(lambda: "does not take this state" in banners(open_game)[0])


def test_function_keys_keep_and_load_slots(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    strip = open_game.parts[StatesView].slots
    QTest.keyClick(open_game, Qt.Key.Key_F3)
    qtbot.waitUntil(lambda: "Slot 3 is empty; Shift+F3 saves into it" in banners(open_game)[0])
    step(open_game, qtbot, 5)
    QTest.keyClick(open_game, Qt.Key.Key_F3, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: strip.buttons[3].filled)
    kept = slot_path("Airstriker-Genesis-v0", 3)
    raw = gzip.decompress(kept.read_bytes())
    assert not [path for path in airstriker.iterdir() if "F3" in path.name]
    step(open_game, qtbot, 5)
    before = frame_number(open_game)
    with qtbot.waitSignal(open_game.bridge.frame_ready):
        QTest.mouseClick(strip.buttons[3], Qt.MouseButton.LeftButton)
    assert frame_number(open_game) == before + 1
    # One frame is run to show the game's state: the one that followed the kept moment.
    states: list[bytes] = []
    open_game.bridge.ask(lambda session: session.timeline.state_at(before), states.append)
    qtbot.waitUntil(lambda: bool(states))
    assert [without_chip(state) for state in states] == [raw]


def test_renaming_keeps_the_default(open_game: MainWindow, qtbot: QtBot, airstriker: Path) -> None:
    open_game.parts[StatesView].rename("Level1", "Begin")
    qtbot.waitUntil(open_game.isWindowModified)
    assert (airstriker / "Level1.state").is_file()
    open_game.actions_by_key["save"].trigger()
    qtbot.waitUntil((airstriker / "Begin.state").is_file)
    metadata = airstriker / "metadata.json"
    qtbot.waitUntil(lambda: json.loads(metadata.read_text())["default_state"] == "Begin")


def test_a_low_gallery_shows_whole_tiles_with_their_names(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    view = open_game.parts[StatesView]
    for height in (90, 110, 400):
        view.list.setFixedHeight(height)
        qtbot.waitUntil(lambda: view.list.viewport().height() > 80)
        rect = view.list.visualRect(view.model.index(0, 0))
        assert rect.bottom() <= view.list.viewport().height() + view.tiles.gap
        wide = rect.width() - view.tiles.gap
        whole = round(wide * view.tiles.shape) + view.tiles.text_height
        assert rect.height() - view.tiles.gap <= whole
