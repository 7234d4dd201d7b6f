"""A touched screen and a moved stick: played in the window, and marked as not in training."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import OPEN_TIMEOUT_MS, open_and_wait, step

from integrator.ui.play.pads.gamepad import PadState
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.review.input_log.input_log_view import InputLogView
from integrator.ui.shell.main_window import MainWindow
from scripts.campaign import toys

LEFT = Qt.MouseButton.LeftButton
AXES = [
    {"axis": "X Axis", "device": "analog", "id": 0, "least": -128, "most": 127, "scale": 409.6},
    {"axis": "Touch X", "device": "pointer", "id": 0, "least": 0, "most": 255}
    | {"scale": 255.9922, "shift": -32639, "port": 0},
    {"axis": "Touch", "device": "pointer", "id": 2, "least": 0, "most": 1, "port": 0},
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
def toy(
    window: MainWindow,
    qtbot: QtBot,
    own_home: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> MainWindow:
    """A window with the toy in it, which has a stick and a touch screen."""
    cores = toys.build_toycore(tmp_path_factory.mktemp("cores")).parent
    monkeypatch.setenv("INTEGRATOR_CORES", str(cores))
    toys.describe_toy(axes=AXES)
    open_and_wait(window, qtbot, toys.make_game(own_home / "Game-Toy-v0", axes=1))
    return window


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
    seen = toy.parts[InputLogView].grid.seen
    assert seen.axes == ("Touch X", "Touch", "P1 X Axis")
    qtbot.waitUntil(lambda: seen.number(3, 0) == 255, timeout=OPEN_TIMEOUT_MS)
    assert [seen.number(frame, 1) for frame in (2, 3, 4)] == [1, 1, 0]
    assert seen.axis_at(int(seen.axis_x(1)) + 5) == "Touch"


def test_a_stick_moves_the_console_s_and_not_its_cross(toy: MainWindow, qtbot: QtBot) -> None:
    pad, gamepads = OnePad(), toy.parts[PadController].gamepads
    gamepads.close()
    gamepads.start(lambda: pad)
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
