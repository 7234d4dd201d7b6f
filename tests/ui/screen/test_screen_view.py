"""The picture: pixel formats, whole-number scale, rotation; and the keyboard as a pad."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from integrator.session.setup.roots import systems
from integrator.ui.screen.screen_view import ScreenView, key_of_name, player_keys, whole_scale
from libretro_host.host import Frame, PixelFormat
from libretro_host.systems.descriptor import SystemDescriptor


def two_by_one(pixel_format: PixelFormat, rotation: int = 0) -> Frame:
    """Red, then blue; each row is padded as cores do."""
    red, blue = {
        PixelFormat.RGB565: (0xF800, 0x001F),
        PixelFormat.RGB1555: (0x7C00, 0x001F),
        PixelFormat.XRGB8888: (0xFF0000, 0x0000FF),
    }[pixel_format]
    size = pixel_format.bytes_per_pixel
    row = b"".join(value.to_bytes(size, "little") for value in (red, blue)) + bytes(8)
    pixels = np.frombuffer(row, np.uint8).reshape(1, -1).copy()
    return Frame(pixels, 2, 1, pixel_format, rotation)


@pytest.mark.parametrize("pixel_format", list(PixelFormat))
@pytest.mark.usefixtures("theme")
def test_every_pixel_format_is_drawn_in_its_colors(qtbot: QtBot, pixel_format: PixelFormat) -> None:
    screen = ScreenView()
    qtbot.addWidget(screen)
    screen.resize(300, 200)
    screen.show_frame(two_by_one(pixel_format))
    image = screen.grab().toImage()
    middle = screen.height() // 2
    left, right = image.pixelColor(80, middle), image.pixelColor(220, middle)
    assert (left.red(), left.green(), left.blue()) == (255, 0, 0)
    assert (right.red(), right.green(), right.blue()) == (0, 0, 255)


@pytest.mark.usefixtures("theme")
def test_one_quarter_turn_is_counter_clockwise(qtbot: QtBot) -> None:
    screen = ScreenView()
    qtbot.addWidget(screen)
    screen.resize(300, 200)
    screen.show_frame(two_by_one(PixelFormat.RGB565, rotation=1))
    image = screen.grab().toImage()
    top, bottom = image.pixelColor(150, 40), image.pixelColor(150, 160)
    assert top.blue() == 255
    assert bottom.red() == 255


@pytest.mark.parametrize(
    ("room", "ratio", "scale"),
    [
        (QSize(640, 448), 1.0, 2.0),
        (QSize(959, 700), 1.0, 2.0),
        (QSize(870, 700), 2.0, 2.5),
        (QSize(480, 336), 2.0, 1.5),
        (QSize(580, 406), 1.0, 1.8125),
        (QSize(580, 406), 2.0, 1.8125),
        (QSize(160, 224), 1.0, 0.5),
    ],
)
def test_scale_is_whole_in_device_pixels_from_twice_on(
    room: QSize, ratio: float, scale: float
) -> None:
    assert whole_scale(QSize(320, 224), room, ratio) == scale


@pytest.mark.usefixtures("theme")
def test_the_next_game_tells_its_scale_though_it_is_the_same(qtbot: QtBot) -> None:
    screen = ScreenView()
    qtbot.addWidget(screen)
    screen.resize(400, 400)
    told: list[float] = []
    screen.scale_changed.connect(told.append)
    for frame in (two_by_one(PixelFormat.RGB565), None, two_by_one(PixelFormat.RGB565)):
        screen.show_frame(frame)
        screen.grab()
    assert told == [200.0, 200.0]


@pytest.mark.usefixtures("theme")
def test_losing_the_focus_lets_every_button_go(qtbot: QtBot) -> None:
    screen = ScreenView()
    qtbot.addWidget(screen)
    screen.set_keys(("Z", None, "TAB"))
    masks: list[tuple[int, ...]] = []
    screen.masks_changed.connect(masks.append)
    QTest.keyPress(screen, Qt.Key.Key_Z)
    QTest.keyPress(screen, Qt.Key.Key_Tab)
    assert masks == [(1,), (5,)]
    screen.clearFocus()
    screen.focusOutEvent(_focus_out())
    assert masks[-1] == (0,)
    QTest.keyPress(screen, Qt.Key.Key_Tab)
    assert masks[-1] == (4,)


@pytest.mark.usefixtures("theme")
def test_keys_that_are_no_buttons_are_ignored(qtbot: QtBot) -> None:
    screen = ScreenView()
    qtbot.addWidget(screen)
    screen.set_keys(("Z", "ENTER", None))
    QTest.keyPress(screen, Qt.Key.Key_Q)
    assert screen.masks == (0,)
    QTest.keyPress(screen, Qt.Key.Key_Enter)
    assert screen.masks == (2,)
    assert key_of_name("no such key") is None


def test_players_2_and_3_have_keys_of_their_own_and_others_none() -> None:
    buttons, first = ("B", None, "UP", "LEFT", "A"), ("Z", None, "UP", "LEFT", "O")
    found = [player_keys(buttons, first, player) for player in range(4)]
    assert found == [
        first,
        ("U", None, "I", "J", "P"),
        ("Y", None, "9", "7", "T"),
        (None,) * 5,
    ]


@pytest.mark.parametrize("system", systems().values(), ids=lambda system: system.name)
def test_no_key_is_of_two_players(system: SystemDescriptor) -> None:
    every = [player_keys(system.buttons, system.keys, player) for player in range(3)]
    if system.multitap:
        assert all(len(list(filter(None, keys))) == len(system.keys) for keys in every)
    named = [key_of_name(key) for keys in every for key in keys if key]
    assert None not in named
    assert len(set(named)) == len(named)


def _focus_out() -> QFocusEvent:
    return QFocusEvent(QEvent.Type.FocusOut)
