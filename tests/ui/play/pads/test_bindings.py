"""Keys, gamepads and the pad on the screen: bound in the dialog, kept, and played with."""

from collections.abc import Callable, Iterator
from functools import partial
from threading import Event

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from ui_driver import OPEN_TIMEOUT_MS, open_and_wait, step

from integrator.commands.shared.options import demo_game
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.setup.roots import systems
from integrator.ui.play.pads import pad_controller
from integrator.ui.play.pads.bindings_dialog import BindingsDialog
from integrator.ui.play.pads.pad_controller import (
    Binding,
    Gamepads,
    PadController,
    PadState,
    SdlPads,
    bind,
    load_sdl,
)
from integrator.ui.play.pads.pad_view import SHEET, PadPanel, PadView, pad_layout
from integrator.ui.play.preferences import PreferencesController
from integrator.ui.screen.pad_overlay import shown_bits
from integrator.ui.shell.main_window import MainWindow

NES = systems()["Nes"]
SNES = systems()["Snes"]
A, B, RIGHT = NES.buttons.index("A"), NES.buttons.index("B"), NES.buttons.index("RIGHT")


class FakePads:
    """Pads that a test presses: SDL shows no virtual pads to pygame."""

    def __init__(self) -> None:
        self.pads: list[PadState] = []
        self.closed = False

    def press(self, number: int, *names: str) -> None:
        self.pads[number] = PadState(self.pads[number].name, frozenset(names))

    def poll(self) -> tuple[PadState, ...]:
        return tuple(self.pads)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def pads(monkeypatch: pytest.MonkeyPatch) -> FakePads:
    """The pads that the window of this test finds."""
    fake = FakePads()
    monkeypatch.setattr(pad_controller, "load_sdl", lambda: fake)
    monkeypatch.setattr(pad_controller, "PADS_AFTER_MS", 0)
    monkeypatch.setattr(pad_controller, "SdlPads", lambda _: fake)
    return fake


@pytest.fixture
def playing(pads: FakePads, window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with the demo game in it, which looks for pads."""
    open_and_wait(window, qtbot, demo_game())
    gamepads = window.parts[PadController].gamepads
    qtbot.waitUntil(lambda: gamepads.has_source)
    assert pads.poll() == ()
    return window


@pytest.fixture
def dialog(playing: MainWindow) -> Iterator[BindingsDialog]:
    shown = playing.parts[PreferencesController].show_bindings()
    assert shown is not None
    yield shown
    if isValid(shown):
        shown.close()


def inputs(window: MainWindow, qtbot: QtBot) -> tuple[int, ...]:
    """The core's inputs on the next frame."""
    step(window, qtbot)
    assert window.controller.last is not None
    return window.controller.last.inputs


def place_of(window: MainWindow, pad: PadView, bit: int) -> QPoint:
    """The middle of a button, in the pad's coordinates."""
    assert window.controller.game is not None
    buttons = pad_layout(window.controller.game.system.buttons)
    [box] = [each.box for each in buttons if each.bit == bit]
    scale = min(pad.width() / SHEET[0], pad.height() / SHEET[1])
    away = (box.center() - QPointF(SHEET[0] / 2, SHEET[1] / 2)) * scale
    return (QPointF(pad.width() / 2, pad.height() / 2) + away).toPoint()


def test_a_bound_key_plays_at_once_and_after_a_restart(
    playing: MainWindow,
    dialog: BindingsDialog,
    qtbot: QtBot,
    new_window: Callable[[], MainWindow],
) -> None:
    place = place_of(playing, dialog.pad, A)
    QTest.mouseClick(dialog.pad, Qt.MouseButton.LeftButton, pos=place)
    assert "for A" in dialog.prompt.text()
    QTest.keyClick(dialog, Qt.Key.Key_Z)
    assert dialog.waiting is None
    assert "Z is A now" in dialog.prompt.text()
    assert "B" in dialog.prompt.text()
    dialog.close()
    screen = playing.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_Z)
    assert inputs(playing, qtbot) == (1 << A,)
    QTest.keyRelease(screen, Qt.Key.Key_Z)
    playing.close()
    again = new_window()
    open_and_wait(again, qtbot, demo_game())
    assert again.parts[PadController].bindings[0][A].key == "Z"
    assert again.parts[PadController].bindings[0][B].key == ""


def test_a_key_that_is_a_shortcut_plays_once_it_is_bound(
    playing: MainWindow, dialog: BindingsDialog, qtbot: QtBot
) -> None:
    dialog.wait_for(B)
    QTest.keyClick(dialog, Qt.Key.Key_F)
    dialog.close()
    screen = playing.screen_panel.game_screen
    screen.setFocus()
    number = playing.controller.last.number if playing.controller.last else 0
    QTest.keyPress(screen, Qt.Key.Key_F)
    assert screen.masks == (1 << B,)
    assert inputs(playing, qtbot) == (1 << B,)
    assert playing.controller.last is not None
    assert playing.controller.last.number == number + 1
    QTest.keyRelease(screen, Qt.Key.Key_F)


def test_a_row_is_as_high_as_its_field(dialog: BindingsDialog) -> None:
    cell = dialog.table.cellWidget(0, 3)
    field = cell.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    assert field.height() >= field.sizeHint().height()
    assert cell.rect().contains(field.geometry())


def test_reset_and_escape_and_clear(playing: MainWindow, dialog: BindingsDialog) -> None:
    pads = playing.parts[PadController]
    before = pads.bindings
    dialog.wait_for(A)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.waiting is None
    assert dialog.isVisible()
    assert pads.bindings == before
    dialog.wait_for(A)
    QTest.mouseClick(dialog.clear, Qt.MouseButton.LeftButton)
    assert pads.bindings[0][A] == Binding()
    dialog.show_player(1)
    dialog.wait_for(B)
    QTest.keyClick(dialog, Qt.Key.Key_X)
    assert pads.bindings[1][B].key == "X"
    QTest.mouseClick(dialog.reset, Qt.MouseButton.LeftButton)
    assert pads.bindings == before


def test_a_gamepad_is_plugged_in_plays_and_leaves(
    playing: MainWindow, pads: FakePads, qtbot: QtBot
) -> None:
    gamepads = playing.parts[PadController].gamepads
    with qtbot.waitSignal(gamepads.came_or_went):
        pads.pads.append(PadState("A pad"))
    pads.press(0, "b", "leftx+")
    qtbot.waitUntil(lambda: gamepads.states[0].pressed != frozenset())
    assert inputs(playing, qtbot) == (1 << A | 1 << RIGHT,)
    pads.pads.clear()
    qtbot.waitUntil(lambda: gamepads.names == ())
    assert inputs(playing, qtbot) == (0,)
    playing.close()
    assert pads.closed


def test_a_pad_button_is_bound_in_the_dialog(
    playing: MainWindow, dialog: BindingsDialog, pads: FakePads, qtbot: QtBot
) -> None:
    pads.pads.append(PadState("A pad"))
    playing.parts[PadController].gamepads.poll()
    assert "A pad" in dialog.gamepads.text()
    dialog.wait_for(A)
    pads.press(0, "righttrigger")
    qtbot.waitUntil(lambda: dialog.waiting is None)
    assert playing.parts[PadController].bindings[0][A].pad == "righttrigger"
    assert inputs(playing, qtbot) == (1 << A,)


def test_two_pads_are_two_players(playing: MainWindow, pads: FakePads, qtbot: QtBot) -> None:
    with qtbot.waitSignal(playing.bridge.frame_ready):
        playing.actions_by_key["two_players"].trigger()
    pads.pads += [PadState("one"), PadState("two"), PadState("three")]
    pads.press(0, "a")
    pads.press(1, "dpright")
    pads.press(2, "start")
    playing.parts[PadController].gamepads.poll()
    assert inputs(playing, qtbot) == (1 << B, 1 << RIGHT)


def test_a_multitap_has_room_for_more_pads(
    pads: FakePads, window: MainWindow, qtbot: QtBot
) -> None:
    open_and_wait(window, qtbot, proof_roms()["Snes"].path)
    plug_in = window.actions_by_key["all_players"]
    assert plug_in.isEnabled()
    with qtbot.waitSignal(window.bridge.frame_ready):
        plug_in.trigger()
    assert plug_in.isChecked()
    assert not window.actions_by_key["two_players"].isChecked()
    buttons = ("a", "b", "x", "y", "start")
    pads.pads += [PadState(name, frozenset({name})) for name in buttons]
    controller = window.parts[PadController]
    qtbot.waitUntil(lambda: controller.gamepads.has_source)
    controller.gamepads.poll()
    assert inputs(window, qtbot) == (1 << 0, 1 << 8, 1 << 1, 1 << 9, 1 << 3)
    shown = window.parts[PadPanel].choose_player
    assert [not shown.button(str(player)).isHidden() for player in (4, 5)] == [True, False]
    shown.button("4").click()
    window.parts[PadPanel].view.latched.emit(0)
    assert inputs(window, qtbot)[4] == 1 << 3 | 1
    with qtbot.waitSignal(window.bridge.frame_ready):
        plug_in.trigger()
    assert not plug_in.isChecked()


def test_five_players_by_three_hands_of_keys_and_pads(
    pads: FakePads, window: MainWindow, qtbot: QtBot
) -> None:
    open_and_wait(window, qtbot, proof_roms()["Snes"].path)
    with qtbot.waitSignal(window.bridge.frame_ready):
        window.actions_by_key["all_players"].trigger()
    controller = window.parts[PadController]
    qtbot.waitUntil(lambda: controller.gamepads.has_source)
    screen = window.screen_panel.game_screen
    keys = Qt.Key.Key_Up, Qt.Key.Key_K, Qt.Key.Key_7  # up of player 1, down of 2, left of 3
    for key in keys:
        QTest.keyPress(screen, key)
    pads.pads += [PadState(str(number)) for number in range(5)]
    pads.press(3, "dpright")
    pads.press(4, "start")
    controller.gamepads.poll()
    bits = [1 << SNES.buttons.index(name) for name in ("UP", "DOWN", "LEFT", "RIGHT", "START")]
    assert inputs(window, qtbot) == tuple(bits)
    for key in keys:
        QTest.keyRelease(screen, key)
    controller.gamepads.poll()
    assert inputs(window, qtbot) == (0, 0, 0, *bits[3:])


def test_the_dialog_says_who_has_no_keys(pads: FakePads, window: MainWindow, qtbot: QtBot) -> None:
    open_and_wait(window, qtbot, proof_roms()["Snes"].path)
    assert not pads.pads
    with qtbot.waitSignal(window.bridge.frame_ready):
        window.actions_by_key["all_players"].trigger()
    dialog = window.parts[PreferencesController].show_bindings()
    assert dialog is not None
    for player in range(5):
        dialog.choose_player.button(str(player)).click()
        assert ("has no keys" in dialog.prompt.text()) == (player > 2)
    assert "gamepad 5 is theirs" in dialog.prompt.text()
    dialog.wait_for(0)
    QTest.keyClick(dialog, Qt.Key.Key_F9)
    dialog.show_player(4)
    assert "has no keys" not in dialog.prompt.text()
    dialog.close()


def test_a_console_without_a_multitap_offers_none(playing: MainWindow) -> None:
    assert not playing.actions_by_key["all_players"].isEnabled()


def test_pads_found_after_the_window_is_closed_are_left_alone(
    pads: FakePads, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking, ending = Event(), Event()
    window.bridge.ending.connect(ending.set)

    def look() -> FakePads:
        looking.set()
        assert ending.wait(OPEN_TIMEOUT_MS / 1000)
        return pads

    monkeypatch.setattr(pad_controller, "load_sdl", look)
    open_and_wait(window, qtbot, demo_game())
    qtbot.waitUntil(looking.is_set)
    window.close()
    qtbot.wait(120)
    assert not window.parts[PadController].gamepads.has_source
    assert not pads.closed


def test_pads_are_not_looked_for_once_the_window_is_closed(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(pad_controller, "load_sdl", lambda: looked.append("at all"))
    open_and_wait(window, qtbot, demo_game())
    window.close()
    del looked[:]  # a slow machine looked before
    qtbot.wait(pad_controller.PADS_AFTER_MS + 100)
    assert not looked


def test_sdl_starts_without_a_pad_and_says_there_is_none(qtbot: QtBot) -> None:
    pygame = load_sdl()
    if pygame is None:
        pytest.skip("pygame-ce is not installed")
    gamepads = Gamepads()
    gamepads.start(SdlPads(pygame))
    assert gamepads.has_source
    assert gamepads.names == ()
    gamepads.close()
    qtbot.wait(20)
    assert not pygame.joystick.get_init()
    assert not pygame.display.get_init()


def test_the_pad_on_the_screen_presses_and_keeps_down(playing: MainWindow, qtbot: QtBot) -> None:
    playing.actions_by_key["on_screen_pad"].setChecked(True)
    pad = playing.parts[PadPanel]
    assert pad.isVisible()
    place = place_of(playing, pad.view, RIGHT)
    QTest.mousePress(pad.view, Qt.MouseButton.LeftButton, pos=place)
    assert inputs(playing, qtbot) == (1 << RIGHT,)
    QTest.mouseRelease(pad.view, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert inputs(playing, qtbot) == (0,)
    QTest.mouseClick(pad.view, Qt.MouseButton.RightButton, pos=place)
    QTest.keyPress(playing.screen_panel.game_screen, Qt.Key.Key_X)
    assert inputs(playing, qtbot) == (1 << RIGHT | 1 << A,)
    assert pad.view.held == 1 << RIGHT | 1 << A
    QTest.keyRelease(playing.screen_panel.game_screen, Qt.Key.Key_X)
    playing.actions_by_key["on_screen_pad"].setChecked(False)
    assert inputs(playing, qtbot) == (0,)


def test_a_turbo_button_pulses_while_it_is_held(
    playing: MainWindow, dialog: BindingsDialog, qtbot: QtBot
) -> None:
    dialog.set_turbo(A, on=True)
    dialog.close()
    playing.context.settings.turbo_frames = 1
    screen = playing.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_X)
    got = [inputs(playing, qtbot)[0] for _ in range(4)]
    QTest.keyRelease(screen, Qt.Key.Key_X)
    assert got == [1 << A, 0, 1 << A, 0]


def test_a_turbo_pattern_is_typed_and_fires(
    playing: MainWindow, dialog: BindingsDialog, qtbot: QtBot
) -> None:
    row = shown_bits(dialog._game.system.buttons).index(A)
    field = dialog.table.cellWidget(row, 3).findChild(QLineEdit)
    assert field is not None
    assert field.placeholderText() == "2/2"
    field.setText("often")
    field.editingFinished.emit()
    assert field.text() == ""
    assert "is no pattern" in dialog.prompt.text()
    field.setText("1/2")
    field.editingFinished.emit()
    assert "Click a button" in dialog.prompt.text()
    assert playing.parts[PadController].bindings[0][A].turbo
    dialog.close()
    screen = playing.screen_panel.game_screen
    QTest.keyPress(screen, Qt.Key.Key_X)
    got = [inputs(playing, qtbot)[0] for _ in range(4)]
    QTest.keyRelease(screen, Qt.Key.Key_X)
    assert got == [1 << A, 0, 0, 1 << A]


def test_a_button_has_two_keys_and_loses_only_the_one_that_is_taken(
    playing: MainWindow, dialog: BindingsDialog
) -> None:
    controller = playing.parts[PadController]
    first = controller.bindings[0][A].key
    dialog.wait_for(A)
    dialog.wait_for(A)
    QTest.keyClick(dialog, Qt.Key.Key_F5)
    assert controller.bindings[0][A].key == f"{first} F5"
    [changed], _ = bind([controller.bindings[0]], 0, B, Binding("F5"))
    assert (changed[A].key, changed[B].key) == (first, "F5")


def speed_is(window: MainWindow, text: str) -> bool:
    return bool(window.screen_panel.transport.speed.text() == text)


def test_plus_and_minus_change_the_speed(playing: MainWindow, qtbot: QtBot) -> None:
    for key, text in (("faster", "2×"), ("slower", "1×"), ("slower", "½×")):
        playing.actions_by_key[key].trigger()
        qtbot.waitUntil(partial(speed_is, playing, text))


def test_the_dialog_goes_away_with_its_game(
    playing: MainWindow, dialog: BindingsDialog, qtbot: QtBot
) -> None:
    dialog.wait_for(A)
    playing.bridge.close_game()
    qtbot.waitUntil(lambda: not isValid(dialog) or dialog.isHidden())
