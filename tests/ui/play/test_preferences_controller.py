"""Preferences at work: the picture's shape, pausing out of sight, speeds, disk space."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QSlider
from pytestqt.qtbot import QtBot
from ui_driver import frame_number, open_and_wait, settled_frame

from integrator.commands.shared.options import demo_game
from integrator.ui.play.preferences import PreferencesController
from integrator.ui.screen.screen_panel import REPEAT_DELAY_MS, SPEEDS
from integrator.ui.screen.screen_view import PicturePlace, Presentation, ScreenView
from integrator.ui.settings import Aspect, Scaling
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.parts import NumberBox
from libretro_host.host import Frame, PixelFormat

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
@pytest.mark.usefixtures("theme")
def test_a_drawn_pixel_is_where_the_picture_says(qtbot: QtBot, turns: int, rotation: int) -> None:
    """One white pixel in the black: found on the screen by its place as training sees it."""
    pixels = np.zeros((30, 40), "<u2")
    pixels[3, 5] = 0xFFFF
    frame = Frame(pixels.view(np.uint8).reshape(30, 80), 40, 30, PixelFormat.RGB565, rotation)
    screen = ScreenView()
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


def test_the_dialog_changes_the_picture_at_once(playing: MainWindow) -> None:
    screen = playing.screen_panel.game_screen
    before = screen.picture_rect()
    dialog = playing.parts[PreferencesController].show_preferences()
    aspect = dialog.fields["aspect"]
    assert isinstance(aspect, QComboBox)
    aspect.setCurrentIndex(1)
    aspect.activated.emit(1)
    game = playing.controller.game
    assert game is not None
    assert game.info.av.aspect_ratio > 0
    after = screen.picture_rect()
    assert after.width() / after.height() == pytest.approx(game.info.av.aspect_ratio, abs=0.01)
    assert after.height() == before.height()
    assert playing.context.settings.aspect is Aspect.CORE
    volume, sound = dialog.fields["volume"], dialog.fields["sound"]
    assert isinstance(volume, QSlider)
    assert isinstance(sound, QCheckBox)
    volume.setValue(12)
    assert playing.context.settings.volume == 12
    assert playing.screen_panel.transport.volume.value() == 12
    sound.setChecked(False)
    assert not playing.actions_by_key["sound"].isChecked()
    assert dialog.buttons.isEnabled()
    dialog.close()


def test_play_pauses_behind_other_programs_only_if_that_is_wanted(
    playing: MainWindow, qtbot: QtBot
) -> None:
    background, controller = playing.parts[PreferencesController], playing.controller
    away, back = Qt.ApplicationState.ApplicationInactive, Qt.ApplicationState.ApplicationActive
    playing.bridge.play()
    qtbot.waitUntil(lambda: not controller.paused)
    background.state_changed(away)
    qtbot.wait(50)
    assert not controller.paused
    playing.context.settings.pause_in_background = True
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
    changed = playing.controller.run_state_changed
    for action, (text, speed) in zip(transport.speed.menu().actions(), SPEEDS, strict=True):
        with qtbot.waitSignal(changed) as told:
            action.trigger()
        assert told.args == [True, speed]
        assert transport.speed.text() == text


def test_frame_advance_repeats_while_its_button_is_held(playing: MainWindow, qtbot: QtBot) -> None:
    button = playing.screen_panel.transport.advance
    first = frame_number(playing)
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    assert (button.autoRepeat(), button.autoRepeatDelay()) == (True, REPEAT_DELAY_MS)
    qtbot.waitUntil(lambda: frame_number(playing) > first + 5)
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    last = settled_frame(playing, qtbot)
    qtbot.wait(300)
    assert frame_number(playing) == last


def test_how_much_disk_recorded_play_may_take_is_chosen_and_kept(
    playing: MainWindow, qtbot: QtBot
) -> None:
    def allowed() -> int:
        answers: list[int] = []
        playing.bridge.ask(
            lambda session: session.timeline.log.pool._disk_budget_bytes, answers.append
        )
        qtbot.waitUntil(lambda: bool(answers))
        return answers[0]

    assert allowed() == 8_000_000_000
    dialog = playing.parts[PreferencesController].show_preferences()
    timeline = dialog.fields["timeline_gb"]
    assert isinstance(timeline, NumberBox)
    timeline.setValue(3)
    assert allowed() == 3_000_000_000
    assert playing.context.settings.timeline_gb == 3
    dialog.close()
