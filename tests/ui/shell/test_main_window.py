"""The window as a user meets it: open, play, step, reset, save, and the window's notices."""

import errno
import gc
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import (
    OPEN_TIMEOUT_MS,
    banners,
    cell,
    frame_number,
    open_and_wait,
    scenario,
    settled_frame,
    step,
)

from integrator import paths
from integrator.domain.errors import SaveError
from integrator.session.frame.result import CoreRestarted, Event
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.memory.variables import VariableColumn
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.files.file_commands import save_picture
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind
from libretro_host.remote import RemoteHost

pytestmark = pytest.mark.usefixtures("qapp")


def test_an_empty_window_says_what_to_do_next(window: MainWindow) -> None:
    assert window.screen_panel.welcome.isVisible()
    assert window.actions_by_key["open_rom"].isEnabled()
    assert not window.actions_by_key["play"].isEnabled()
    assert not window.top_bar.save_button.isEnabled()


def test_opening_an_integration_shows_its_first_frame(open_game: MainWindow) -> None:
    panel = open_game.screen_panel
    assert panel.header.title.text() == "Airstriker-Genesis-v0"
    assert "Level1" in panel.subtitle.text()
    assert "genesis_plus_gx" in panel.subtitle.text()
    assert panel.game_screen.isVisible()
    assert panel.game_screen.frame is not None
    assert (panel.game_screen.frame.width, panel.game_screen.frame.height) == (320, 224)
    assert cell(open_game, "lives", VariableColumn.VALUE) == "3"
    assert "frame" in open_game.status.frame.text()


def test_frame_advance_runs_exactly_one_frame(open_game: MainWindow, qtbot: QtBot) -> None:
    first = open_game.controller.last
    assert first is not None
    step(open_game, qtbot, 3)
    last = open_game.controller.last
    assert last is not None
    assert last.number == first.number + 3


def test_drawing_again_advances_nothing(open_game: MainWindow, qtbot: QtBot) -> None:
    before = open_game.controller.last
    for key in (each.key for each in WORKSPACES):
        open_game.use_workspace(key)
        open_game.repaint()
        qtbot.wait(30)
    assert open_game.controller.last is before


def test_play_pause_and_reset(open_game: MainWindow, qtbot: QtBot) -> None:
    play = open_game.screen_panel.transport.play
    QTest.mouseClick(play, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not open_game.controller.paused)
    assert play.accessibleName() == "Pause"
    assert "live" in open_game.status.mode.text()
    qtbot.waitUntil(lambda: frame_number(open_game) > 5)
    QTest.mouseClick(play, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: open_game.controller.paused)
    with qtbot.waitSignal(open_game.bridge.frame_ready):
        open_game.actions_by_key["reset"].trigger()
    assert open_game.controller.last is not None
    assert open_game.controller.last.outcome.frame == 1


def test_the_keyboard_plays(open_game: MainWindow, qtbot: QtBot) -> None:
    game = open_game.controller.game
    assert game is not None
    bit = game.system.buttons.index("RIGHT")
    screen = open_game.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_Right)
    step(open_game, qtbot)
    last = open_game.controller.last
    assert last is not None
    assert last.inputs == (1 << bit,)
    QTest.keyRelease(screen, Qt.Key.Key_Right)
    step(open_game, qtbot)
    assert open_game.controller.last is not None
    assert open_game.controller.last.inputs == (0,)


def test_two_players_play_on_one_keyboard(open_game: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(open_game.bridge.frame_ready):
        open_game.actions_by_key["two_players"].trigger()
    game = open_game.controller.game
    assert game is not None
    assert game.players == 2
    assert open_game.actions_by_key["two_players"].isChecked()
    screen = open_game.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_Right)
    QTest.keyPress(screen, Qt.Key.Key_J)
    step(open_game, qtbot)
    assert open_game.controller.last is not None
    right, left = (1 << game.system.buttons.index(name) for name in ("RIGHT", "LEFT"))
    assert open_game.controller.last.inputs == (right, left)


def test_holding_space_fast_forwards_and_letting_go_stops(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    screen = open_game.screen_panel.game_screen
    before = frame_number(open_game)
    QTest.keyPress(screen, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: frame_number(open_game) > before + 20)
    QTest.keyRelease(screen, Qt.Key.Key_Space)
    stopped = settled_frame(open_game, qtbot)
    qtbot.wait(100)
    assert frame_number(open_game) == stopped


def test_a_dropped_folder_is_opened(window: MainWindow, qtbot: QtBot, airstriker: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(airstriker))])
    drop = QDropEvent(
        QPointF(50, 50),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    with qtbot.waitSignal(window.bridge.opened):
        window.dropEvent(drop)


def test_a_file_that_is_no_game_is_named_and_the_window_lives(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    bad = tmp_path / "notes.xyz"
    bad.write_text("not a game")
    with qtbot.waitSignal(window.bridge.open_failed):
        window.open_path(bad)
    assert any("notes.xyz" in text for text in banners(window))
    assert window.screen_panel.notices.banners()[0].kind is NoticeKind.ERROR
    assert window.screen_panel.welcome.isVisible()


def test_a_file_that_does_not_open_leaves_the_status_of_the_open_game(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    said = open_game.status.mode.text()
    bad = tmp_path / "unknown.bin"
    bad.write_bytes(bytes(5000))
    with qtbot.waitSignal(open_game.bridge.open_failed):
        open_game.open_path(bad)
        assert "opening unknown.bin" in open_game.status.mode.text()
    assert open_game.status.mode.text() == said


def test_a_rom_alone_plays_and_offers_to_become_an_integration(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    rom = tmp_path / "Ember Moth (U).nes"
    shutil.copy(paths.shipped("data") / "EmberMoth-Nes-v0" / "rom.nes", rom)
    open_and_wait(window, qtbot, rom)
    assert any("not an integration yet" in text for text in banners(window))
    window.screen_panel.notices.clear()
    # The offer stays where Save is, after its banner has gone.
    assert window.top_bar.save_button.text() == "Make integration…"
    QTest.mouseClick(window.top_bar.save_button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(NewIntegrationDialog)
    assert isinstance(dialog, NewIntegrationDialog)
    assert dialog.rom.text() == str(rom)
    assert dialog.name.text().startswith("EmberMoth-Nes")
    dialog.reject()
    window.actions_by_key["close_game"].trigger()
    assert window.top_bar.save_button.text() == "Save integration"


def test_broken_json_is_named_with_its_line(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    (airstriker / "scenario.json").write_text('{\n  "done": \n}')
    with qtbot.waitSignal(window.bridge.open_failed):
        window.open_path(airstriker)
    assert any("scenario.json:3" in text for text in banners(window))


def test_a_killed_core_is_replaced_and_edits_are_kept(open_game: MainWindow, qtbot: QtBot) -> None:
    pids: list[int] = []

    def remember(pid: int | None) -> None:
        pids.append(pid or 0)

    def child(session: object) -> int | None:
        host = session.host  # type: ignore[attr-defined]  # posted to the session's own thread
        assert isinstance(host, RemoteHost)
        return host.pid

    open_game.bridge.ask(child, remember)
    qtbot.waitUntil(lambda: bool(pids))
    open_game.parts[RewardView].add_time()
    qtbot.waitUntil(lambda: "time" in str(scenario(open_game)["reward"]))
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(lambda: frame_number(open_game) > 10)
    events: list[Event] = []
    open_game.bridge.event_received.connect(events.append)
    os.kill(pids[0], signal.SIGSEGV)
    qtbot.waitUntil(lambda: any(isinstance(event, CoreRestarted) for event in events))
    after = frame_number(open_game)
    qtbot.waitUntil(lambda: frame_number(open_game) > after + 10)
    assert any("SIGSEGV" in text for text in banners(open_game))
    assert "time" in str(scenario(open_game)["reward"])


def test_saving_keeps_what_the_window_does_not_know(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    file = airstriker / "scenario.json"
    value = json.loads(file.read_text())
    value["crop"] = [0, 24, 320, 200]
    value["x-own"] = {"kept": [1, 2.50, None]}
    value["reward"]["time"] = {"reward": -0.5}
    file.write_text(json.dumps(value, indent=3))
    open_and_wait(window, qtbot, airstriker)
    window.parts[RewardView].add_term("lives")
    qtbot.waitUntil(lambda: "lives" in str(scenario(window)["reward"]))
    assert window.isWindowModified()
    QTest.mouseClick(window.top_bar.save_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isWindowModified())
    value["reward"]["variables"]["lives"] = {"reward": 1.0}
    assert json.loads(file.read_text()) == value
    assert '\n   "' in file.read_text()


def test_layout_and_theme_are_kept(new_window: Callable[[], MainWindow], qtbot: QtBot) -> None:
    first = new_window()
    first.use_workspace("score")
    first.docks.all["variables"].hide()
    first.docks.all["log"].show()
    first.close()
    second = new_window()
    assert second.workspace == "score"
    qtbot.waitUntil(lambda: not second.docks.all["log"].isHidden())
    assert second.docks.all["variables"].isHidden()


def test_a_damaged_settings_file_is_set_aside(
    settings_path: Path, new_window: Callable[[], MainWindow]
) -> None:
    settings_path.parent.mkdir(parents=True)
    settings_path.write_bytes(b"\xff\x00\x13 nonsense")
    window = new_window()
    assert settings_path.with_suffix(".damaged").exists()
    assert any("damaged" in text for text in banners(window))


def test_settings_that_cannot_be_written_are_named(
    window: MainWindow, qtbot: QtBot, settings_path: Path
) -> None:
    folder = settings_path.parent
    kept = folder.rename(folder.with_name("kept"))
    folder.touch()
    settings = window.context.settings
    for volume in (9, 8, 7):
        settings.volume = volume
    assert not banners(window)  # a slider that moves does not wait for the disk
    qtbot.waitUntil(lambda: bool(banners(window)))
    [text] = banners(window)
    assert text.startswith(f"{settings_path}: the window's settings could not be written; free ")
    folder.unlink()
    kept.rename(folder)
    settings.volume = 8
    qtbot.waitUntil(lambda: settings_path.exists() and "volume=8" in settings_path.read_text())
    assert banners(window) == [text]


def test_a_picture_of_the_window_can_be_saved(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_picture(window, tmp_path / "window.png")
    assert (tmp_path / "window.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "window.png").stat().st_size > 1000
    with pytest.raises(SaveError, match=r"missing.*create the folder first"):
        save_picture(window, tmp_path / "missing" / "window.png")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SaveError, match="free some disk space"):
        save_picture(window, tmp_path / "half.png")
    assert not (tmp_path / "half.png").exists()


@pytest.mark.skipif(
    sys.version_info >= (3, 12),
    reason="None is immortal since Python 3.12: its count says nothing, and can end no process",
)
def test_frames_leak_no_reference_to_none(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(lambda: frame_number(open_game) > 10)
    gc.collect()
    before, start = sys.getrefcount(None), frame_number(open_game)
    # One wait instead of polling, so that only the window works meanwhile.
    with qtbot.waitSignal(
        open_game.bridge.frame_ready,
        timeout=2 * OPEN_TIMEOUT_MS,
        check_params_cb=lambda result: result.number > start + 200,
    ):
        pass
    gc.collect()
    # A lost reference a frame would make this 200 and more; caches come and go by a few.
    assert abs(sys.getrefcount(None) - before) < 100


def test_the_speed_is_shown_without_the_mnemonics_of_a_desktop(window: MainWindow) -> None:
    button = window.screen_panel.transport.speed
    for action in button.menu().actions():
        action.setText(f"&{action.text()}")
    window.screen_panel.transport.show_speed(2.0)
    assert button.text() == "2×"
