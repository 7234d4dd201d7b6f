"""A touched screen and a moved stick: played in the window, and marked as not in training."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait, step

from integrator.ui.play.pads.pad_controller import PadController, PadState
from integrator.ui.review.input_log.input_log_panel import InputLogView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.shown_game import DiscsMenu
from scripts.campaign import toys

LEFT = Qt.MouseButton.LeftButton
AXES = [
    {"axis": "X Axis", "device": "analog", "id": 0, "least": -128, "most": 127, "scale": 409.6},
    {"axis": "Touch X", "device": "pointer", "id": 0, "least": 0, "most": 255}
    | {"scale": 255.9922, "shift": -32639, "port": 0},
    {"axis": "Touch", "device": "pointer", "id": 2, "least": 0, "most": 1, "port": 0},
]
AIMED = [
    {"axis": "Mouse X", "device": "mouse", "id": 0, "least": -127, "most": 127, "port": 1},
    {"axis": "Mouse Left", "device": "mouse", "id": 2, "least": 0, "most": 1, "port": 1},
    {"axis": "Mouse Right", "device": "mouse", "id": 3, "least": 0, "most": 1, "port": 1},
    {"axis": "Gun X", "device": "light-gun", "id": 13, "least": -32768, "most": 32767, "port": 1},
    {"axis": "Trigger", "device": "light-gun", "id": 2, "least": 0, "most": 1, "port": 1},
]
DRIVE = [
    {"axis": "Open Tray", "device": "disc", "id": 0, "least": 0, "most": 1, "port": 0},
    {"axis": "Close Tray", "device": "disc", "id": 1, "least": 0, "most": 1, "port": 0},
    {"axis": "Disk Index", "device": "disc", "id": 2, "least": -1, "most": 15, "port": 0},
]


class OnePad:
    """A pad whose left stick stands somewhere."""

    x = 0

    def poll(self) -> tuple[PadState, ...]:
        pressed = frozenset({"leftx+"}) if self.x else frozenset()
        return (PadState("A pad", pressed, (self.x, 0, 0, 0, 0, 0)),)

    def close(self) -> None:
        """Nothing to let go of."""


@pytest.fixture
def toys_home(
    own_home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The home of a user who has the toy core."""
    cores = toys.build_toycore(tmp_path_factory.mktemp("cores")).parent
    monkeypatch.setenv("INTEGRATOR_CORES", str(cores))
    return own_home


@pytest.fixture
def toy(window: MainWindow, qtbot: QtBot, toys_home: Path) -> MainWindow:
    """A window with the toy in it, which has a stick and a touch screen."""
    toys.describe_toy(axes=AXES)
    open_and_wait(window, qtbot, toys.make_game(toys_home / "Game-Toy-v0", axes=1))
    return window


def move_mouse(widget: QWidget, where: QPoint) -> None:
    """Move the mouse now; QTest's moves come later, and several become one."""
    none = Qt.MouseButton.NoButton
    place = widget.mapToGlobal(where)
    kind = QEvent.Type.MouseMove
    event = QMouseEvent(kind, where, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)


def inputs(window: MainWindow, qtbot: QtBot) -> list[int]:
    """Inputs of one more frame: buttons, touched place, touch, and stick."""
    step(window, qtbot)
    assert window.controller.last is not None
    return list(window.controller.last.inputs)


def test_the_mouse_touches_and_the_log_and_the_header_mark_it(
    toy: MainWindow, qtbot: QtBot
) -> None:
    screen = toy.screen_panel.game_screen
    picture = screen.picture_rect()
    middle = picture.center().toPoint()
    QTest.mousePress(screen, LEFT, pos=middle)
    assert inputs(toy, qtbot) == [0, pytest.approx(128, abs=1), 1, 0]
    QTest.mouseMove(screen, QPoint(int(picture.right()) + 50, middle.y()))
    assert inputs(toy, qtbot) == [0, 255, 1, 0]
    QTest.mouseRelease(screen, LEFT, pos=middle)
    assert inputs(toy, qtbot) == [0, 0, 0, 0]
    QTest.mousePress(screen, LEFT, pos=QPoint(int(picture.left()) - 3, middle.y()))
    assert inputs(toy, qtbot) == [0, 0, 0, 0], "a press beside the picture touches nothing"
    assert "stick, touch: not in training" in toy.screen_panel.header.note.text()
    toy.use_workspace("review")
    grid = toy.parts[InputLogView].grid
    seen = grid.seen
    assert seen.axes == ["Touch X", "Touch", "P1 X Axis"]
    qtbot.waitUntil(lambda: seen.number(3, 0) == 255)
    assert [seen.number(frame, 1) for frame in (2, 3, 4)] == [1, 1, 0]
    head, tip = Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    touch = len(seen.keys) + 1
    assert str(seen.headerData(touch, head, tip)).startswith("Touch: ")
    assert seen.index(2, touch).data(tip) == seen.headerData(touch, head, tip)


def test_a_stick_moves_the_console_s_and_not_its_cross(toy: MainWindow, qtbot: QtBot) -> None:
    pad, gamepads = OnePad(), toy.parts[PadController].gamepads
    gamepads.close()
    gamepads.start(pad)
    pad.x = 16384
    gamepads.poll()
    assert inputs(toy, qtbot) == [0, 0, 0, 40]
    pad.x = -32768
    gamepads.poll()
    assert inputs(toy, qtbot) == [0, 0, 0, -80 & 0xFFFF]
    pad.x = 0
    gamepads.poll()
    assert inputs(toy, qtbot) == [0, 0, 0, 0]


def test_a_console_without_a_touch_screen_takes_no_touch(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    screen = open_game.screen_panel.game_screen
    pointed: list[object] = []
    screen.pointed.connect(pointed.append)
    QTest.mousePress(screen, LEFT, pos=screen.picture_rect().center().toPoint())
    assert pointed == []
    assert inputs(open_game, qtbot) == [0]
    assert "training" not in open_game.screen_panel.header.note.text()


def test_the_mouse_moves_a_mouse_and_aims_a_light_gun(
    window: MainWindow, qtbot: QtBot, toys_home: Path
) -> None:
    toys.describe_toy(axes=AIMED)
    open_and_wait(window, qtbot, toys.make_game(toys_home / "Game-Toy-v0", axes=1))
    screen = window.screen_panel.game_screen
    qtbot.waitUntil(lambda: screen.scale > 0)  # the first picture is painted
    middle, scale = screen.picture_rect().center().toPoint(), screen.scale
    move_mouse(screen, middle)
    assert inputs(window, qtbot) == [0, 0, 0, 0, 0, 0]
    for _ in range(4):
        middle += QPoint(round(5 * scale), 0)
        move_mouse(screen, middle)
    moved, *others = inputs(window, qtbot)[1:]
    assert moved == pytest.approx(20, abs=1)
    assert others == [0, 0, 0, 0], "nothing is pressed"
    assert inputs(window, qtbot)[1] == 0, "a mouse that stands still moves nothing"
    QTest.mousePress(screen, LEFT, pos=middle)
    _, x, left, right, aimed, trigger = inputs(window, qtbot)
    assert (x, left, right, trigger) == (0, 1, 0, 1)
    assert aimed == pytest.approx(20 / 160 * 65536, abs=600)
    QTest.mouseRelease(screen, LEFT, pos=middle)
    assert inputs(window, qtbot) == [0] * 6
    assert "light gun, mouse: not in training" in window.screen_panel.header.note.text()


def test_the_discs_of_a_playlist_are_changed_by_a_menu(
    window: MainWindow, qtbot: QtBot, toys_home: Path
) -> None:
    toys.describe_toy(axes=DRIVE, content={"extensions": ["m3u"]})
    game = toys.make_game(toys_home / "Game-Toy-v0", discs=3, seed=1)
    # The toy core reads a list of discs as its own text.
    (game / "rom.toy").rename(game / "rom.m3u")
    open_and_wait(window, qtbot, game)
    window.actions_by_key["discs"].trigger()
    menu = window.parts[DiscsMenu].menu
    texts = [each.text() for each in menu.actions()]
    assert texts == ["Open the tray", "Put in disc 1: discs=3", "Put in disc 2: seed=1"]
    for entry, row in ((0, [0, 1, 0, 0]), (2, [0, 0, 1, 1])):
        menu.actions()[entry].trigger()
        assert inputs(window, qtbot) == row
        assert inputs(window, qtbot) == [0] * 4, "one frame, as a button"
    menu.close()
    assert "discs: not in training" in window.screen_panel.header.note.text()


def test_a_game_of_one_disc_says_so(toy: MainWindow) -> None:
    toy.actions_by_key["discs"].trigger()
    assert toy.parts[DiscsMenu].menu.isEmpty()
    assert any("has no other disc" in text for text in banners(toy))
