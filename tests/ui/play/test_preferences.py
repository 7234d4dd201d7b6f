"""Presentation of the picture, preferences, pausing out of sight; speeds; full screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, frame_number, open_and_wait

from integrator.commands.shared.games import demo_game
from integrator.ui.play.pause_in_background import PauseInBackground
from integrator.ui.play.preferences_controller import PreferencesController
from integrator.ui.screen.picture_place import PicturePlace, Presentation
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.screen.transport import REPEAT_DELAY_MS, SPEEDS
from integrator.ui.settings.preferences import Aspect, Preferences, Scaling
from integrator.ui.settings.settings import UiSettings
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import Theme
from libretro_host.frame import Frame, PixelFormat

NES = QSize(256, 240)


@pytest.fixture
def playing(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with the demo game in it."""
    open_and_wait(window, qtbot, demo_game())
    return window


@pytest.mark.parametrize(
    ("shown", "room", "size"),
    [
        (Presentation(), QSize(1000, 800), (768, 720)),
        (Presentation(Scaling.WHOLE, 4 / 3), QSize(1000, 800), (960, 720)),
        (Presentation(Scaling.FILL), QSize(1000, 800), (853, 800)),
        (Presentation(Scaling.SMOOTH, 4 / 3), QSize(1000, 800), (1000, 750)),
        (Presentation(Scaling.WHOLE, 0.0, 1), QSize(1000, 800), (720, 768)),
        (Presentation(Scaling.FILL, 4 / 3, 3), QSize(600, 800), (600, 800)),
    ],
)
def test_the_picture_has_the_size_and_shape_that_was_chosen(
    shown: Presentation, room: QSize, size: tuple[int, int]
) -> None:
    place = PicturePlace.of(NES, room, 1.0, shown)
    assert (round(place.rect.width()), round(place.rect.height())) == size
    assert abs(place.rect.center().x() - room.width() / 2) <= 1
    corner = place.to_widget.map(QPointF(0, 0))
    corners = (
        place.rect.topLeft(),
        place.rect.bottomLeft(),
        place.rect.bottomRight(),
        place.rect.topRight(),
    )
    expected = corners[shown.quarter_turns]
    assert abs(corner.x() - expected.x()) < 1e-6
    assert abs(corner.y() - expected.y()) < 1e-6


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
@pytest.mark.parametrize("rotation", [0, 1])
def test_a_drawn_pixel_is_where_the_picture_says(
    qtbot: QtBot, theme: Theme, turns: int, rotation: int
) -> None:
    """One white pixel in the black: found on the screen by its place as training sees it."""
    pixels = np.zeros((30, 40), "<u2")
    pixels[3, 5] = 0xFFFF
    frame = Frame(pixels.view(np.uint8).reshape(30, 80), 40, 30, PixelFormat.RGB565, rotation)
    screen = ScreenView(theme)
    qtbot.addWidget(screen)
    screen.resize(400, 300)
    screen.show_frame(frame)
    row, column = np.argwhere(frame.rgb()[:, :, 0])[0].tolist()
    for shown in (Presentation(quarter_turns=turns), Presentation(Scaling.WHOLE, 1.5, turns)):
        screen.present(shown)
        image = screen.grab().toImage()
        middle = screen.rect_of(column, row, 1, 1).center()
        assert image.pixelColor(middle.toPoint()).lightness() > 200
        found = screen.pixel_at(middle)
        assert (int(found.x()), int(found.y())) == (column, row)
        beside = screen.rect_of(column + 1, row, 1, 1).center().toPoint()
        assert image.pixelColor(beside).lightness() < 60


def test_preferences_are_kept_and_nonsense_is_ignored(tmp_path: Path) -> None:
    settings = UiSettings(tmp_path / "window.ini")
    preferences = Preferences(settings)
    told: list[bool] = []
    preferences.changed.connect(lambda: told.append(True))
    preferences.scaling = Scaling.SMOOTH
    preferences.scaling = Scaling.SMOOTH
    preferences.volume = 30
    preferences.sound = False
    assert len(told) == 3
    settings.save()
    again = Preferences(UiSettings(settings.path))
    assert (again.scaling, again.volume, again.sound) == (Scaling.SMOOTH, 30, False)
    for key, text in (("scaling", "huge"), ("volume", "much"), ("quarter-turns", "9")):
        settings.set_text(f"play/{key}", text)
    assert (preferences.scaling, preferences.volume) == (Scaling.WHOLE, 70)
    assert preferences.quarter_turns == 3


def test_the_dialog_changes_the_picture_at_once(playing: MainWindow) -> None:
    screen = playing.screen_panel.game_screen
    before = screen.picture_rect()
    dialog = playing.parts[PreferencesController].show_preferences()
    dialog.aspect.setCurrentIndex(1)
    dialog.aspect.activated.emit(1)
    game = playing.controller.game
    assert game is not None
    assert game.aspect_ratio > 0
    after = screen.picture_rect()
    assert after.width() / after.height() == pytest.approx(game.aspect_ratio, abs=0.01)
    assert after.height() == before.height()
    assert playing.parts[Preferences].aspect is Aspect.CORE
    dialog.volume.setValue(12)
    assert playing.parts[Preferences].volume == 12
    assert playing.screen_panel.transport.volume.value() == 12
    dialog.sound.setChecked(False)
    assert not playing.actions_by_key["sound"].isChecked()
    assert dialog.buttons.isEnabled()
    dialog.close()


def test_play_pauses_behind_other_programs_only_if_that_is_wanted(
    playing: MainWindow, qtbot: QtBot
) -> None:
    background, controller = playing.parts[PauseInBackground], playing.controller
    away, back = Qt.ApplicationState.ApplicationInactive, Qt.ApplicationState.ApplicationActive
    playing.bridge.play()
    qtbot.waitUntil(lambda: not controller.paused)
    background.state_changed(away)
    qtbot.wait(50)
    assert not controller.paused
    playing.parts[Preferences].pause_in_background = True
    background.state_changed(away)
    qtbot.waitUntil(lambda: controller.paused)
    background.state_changed(back)
    qtbot.waitUntil(lambda: not controller.paused)
    playing.bridge.pause()
    qtbot.waitUntil(lambda: controller.paused)
    background.state_changed(away)
    background.state_changed(back)
    qtbot.wait(50)
    assert controller.paused


def test_speeds_go_from_an_eighth_to_unlimited(playing: MainWindow, qtbot: QtBot) -> None:
    assert [speed for _, speed in SPEEDS] == [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 0.0]
    transport = playing.screen_panel.transport
    transport.speed_chosen.emit(0.125)
    qtbot.waitUntil(lambda: transport.speed.text() == "⅛×")
    playing.bridge.play()
    qtbot.wait(600)
    slow = frame_number(playing)
    transport.speed_chosen.emit(1.0)
    qtbot.wait(600)
    assert frame_number(playing) - slow > 2 * slow


def test_frame_advance_repeats_while_its_button_is_held(playing: MainWindow, qtbot: QtBot) -> None:
    button = playing.screen_panel.transport.advance
    first = frame_number(playing)
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    qtbot.wait(REPEAT_DELAY_MS // 2)
    assert frame_number(playing) <= first + 1
    qtbot.waitUntil(lambda: frame_number(playing) > first + 5, timeout=OPEN_TIMEOUT_MS)
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    qtbot.wait(200)
    last = frame_number(playing)
    qtbot.wait(300)
    assert frame_number(playing) == last


def test_full_screen_is_the_picture_alone_and_gives_everything_back(
    playing: MainWindow, qtbot: QtBot, new_window: Callable[[], MainWindow]
) -> None:
    action = playing.actions_by_key["full_screen"]
    docks = [dock for dock in playing.docks.all.values() if dock.isVisible()]
    assert docks
    around = [playing.top_bar, playing.statusBar(), playing.screen_panel.transport, *docks]
    action.setChecked(True)
    qtbot.wait(50)
    assert not any(each.isVisible() for each in around)
    assert playing.isFullScreen()
    assert playing.screen_panel.game_screen.isVisible()
    action.setChecked(False)
    qtbot.wait(50)
    assert all(each.isVisible() for each in around)
    action.setChecked(True)
    playing.close()
    again = new_window()
    assert again.docks.all["variables"].isVisible()
    assert again.top_bar.isVisible()


@pytest.mark.parametrize("at", ["@", r"\x40"])
def test_settings_with_a_damaged_variant_are_set_aside(tmp_path: Path, at: str) -> None:
    """Qt reserves as many places as such a value says that it has, and ends the program."""
    path = tmp_path / "window.ini"
    path.write_text(f"[list]\nv={at}Variant(\\0\\0\\0\\v\\x7f\\xff\\xff\\xff)\n")
    settings = UiSettings(path)
    assert settings.text("list/v") is None
    assert settings.set_aside == path.with_suffix(".damaged")
    settings.set_text("list/v", "@Variant(mine)/a@Variant(")
    settings.save()
    again = UiSettings(path)
    assert (again.text("list/v"), again.set_aside) == ("@Variant(mine)/a@Variant(", None)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_stands_in_the_place_of_settings_is_set_aside(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = tmp_path / "window.ini"
    make(path)
    settings = UiSettings(path)
    assert settings.set_aside is not None
    settings.set_text("a", "b")
    settings.save()
    assert UiSettings(path).text("a") == "b"


def test_how_much_disk_recorded_play_may_take_is_chosen_and_kept(
    playing: MainWindow, qtbot: QtBot
) -> None:
    def allowed() -> int:
        answers: list[int] = []
        playing.bridge.ask(
            lambda session: session.timeline.log._pool._disk_budget_bytes, answers.append
        )
        qtbot.waitUntil(lambda: bool(answers), timeout=OPEN_TIMEOUT_MS)
        return answers[0]

    assert allowed() == 8_000_000_000
    dialog = playing.parts[PreferencesController].show_preferences()
    dialog.timeline.setValue(3)
    assert allowed() == 3_000_000_000
    kept = Preferences(playing.parts[Preferences].settings)
    assert kept.timeline_gb == 3
    dialog.close()
