"""The players' inputs: keyboard, gamepads and the pad on the screen, as one for each player."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, Final

from PySide6.QtCore import QTimer

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.inputs import Turbo, on_off
from integrator.ui.desk import Part
from integrator.ui.play.pads.bindings import Bindings, BindingStore, parse_pattern
from integrator.ui.play.pads.gamepad import Gamepads, SdlPads, load_sdl, mask_of
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.screen.keyboard import key_label
from integrator.ui.settings.settings import Preferences
from libretro_host.systems.axes import Axis

LEFT_STICK: Final = 0
"""Place of the left stick's x among the axes of a pad."""

_TRIGGERS: Final = {(2, 12): 4, (2, 13): 5}
_X, _Y, _PRESS = 0, 1, 2
_PLACES: Final = {
    "pointer": {0: _X, 1: _Y, 2: _PRESS},
    "light-gun": {13: _X, 14: _Y, 2: _PRESS},
    "mouse": {2: _PRESS},
}
"""libretro's ids of the place and of the button, by the devices that the computer's mouse is."""


def pad_axis(axis: Axis) -> int | None:
    """The place in ``PAD_AXES`` of the stick or trigger that moves an axis; None without one."""
    if axis.device != "analog":
        return None
    return 2 * axis.index + axis.id if axis.index < 2 else _TRIGGERS.get((axis.index, axis.id))


def stick_number(axis: Axis, numbers: Sequence[int]) -> int:
    """The axis' number while a pad's sticks and triggers have these numbers."""
    place = pad_axis(axis)
    at_rest = place is None or place >= len(numbers) or not numbers[place]
    return 0 if place is None or at_rest else axis.limited(numbers[place])


def pointer_number(axis: Axis, where: tuple[int, int] | None) -> int:
    """The number of an axis while the computer's mouse is pressed there; None: it is not. ``where``
    is in libretro's coordinates of a pointer, -32767 to 32767 over the picture."""
    place = _PLACES[axis.device].get(axis.id)
    if where is None or place is None:
        return 0
    return 1 if place == _PRESS else axis.limited(where[place])


def mouse_number(axis: Axis, moved: tuple[int, int]) -> int:
    """The number of an axis after the computer's mouse moved these pixels of the picture."""
    return axis.limited(moved[axis.id]) if axis.device == "mouse" and axis.id in (_X, _Y) else 0


PADS_AFTER_MS = 500
"""The first frames of a game go first: SDL takes a tenth of a second to load."""


class PadController(Part):
    """Owns the bindings of the open game's console and applies them. Pads are players' in the order
    in which they came; a single player has them all."""

    def _set_up(self) -> None:
        desk, bridge = self._desk, self._bridge
        self._pad = desk.parts[PadPanel]
        self._preferences = desk.parts[Preferences]
        self.store = BindingStore(self._preferences.settings)
        self.game: GameSnapshot | None = None
        self.bindings: tuple[Bindings, ...] = ()
        self.gamepads = Gamepads(self)
        self._pointed: tuple[int, int] | None = None
        self._has_stick = False
        self._start_pads = QTimer(self, singleShot=True, interval=PADS_AFTER_MS)
        self._start_pads.timeout.connect(lambda: bridge.beside(load_sdl, self._watch_pads))
        self._ended = False
        bridge.opened.connect(self._game_opened)
        bridge.closed.connect(self._game_closed)
        bridge.ending.connect(self._end)
        desk.screen.game_screen.masks_changed.connect(lambda _: self._tell())
        desk.screen.game_screen.pointed.connect(self._pointer_moved)
        desk.screen.game_screen.mouse_moved.connect(self._mouse_moved)
        self._pad.masks_changed.connect(lambda _: self._tell())
        self.gamepads.changed.connect(lambda _: self._tell())
        self._preferences.changed.connect(self._apply_turbo)

    def _game_opened(self, game: GameSnapshot) -> None:
        self.game = game
        self._pointed = None
        self._has_stick = any(pad_axis(each.axis) == LEFT_STICK for each in game.axes)
        self._pad.show_game(game.buttons, game.players)
        self.use(self.store.load(game.system, game.buttons, game.keys, game.players))
        if not self.gamepads.has_source:
            self._start_pads.start()

    def _end(self) -> None:
        """Stop watching gamepads, because the window goes away."""
        self._ended = True
        self._start_pads.stop()
        self.gamepads.close()

    def _game_closed(self) -> None:
        self.game = None

    def _watch_pads(self, pygame: Any) -> None:
        if pygame is None or self._ended or self.gamepads.has_source:
            return

        def start() -> SdlPads | None:
            try:
                return SdlPads(pygame)
            except OSError:  # no gamepads, and the keyboard is still there
                return None

        self.gamepads.start(start)

    def use(self, bindings: Sequence[Bindings]) -> None:
        self.bindings = tuple(bindings)
        game = self.game
        if game is None:
            return
        keys = [tuple(each.key for each in player) for player in self.bindings]
        self._desk.screen.game_screen.set_keys(*keys[: game.players])
        self._pad.show_keys([[key_label(key) for key in player] for player in keys])
        self._apply_turbo()
        self._tell()

    def change(self, bindings: Sequence[Bindings]) -> None:
        game = self.game
        if game is not None:
            self.store.save(game.system, game.buttons, game.keys, bindings)
            self.use(bindings)

    @property
    def turbo_frames(self) -> int:
        return self._preferences.turbo_frames

    def _apply_turbo(self) -> None:
        usual = on_off(*[self._preferences.turbo_frames] * 2)
        patterns = {
            (port, bit): parse_pattern(each.pattern) or usual
            for port, player in enumerate(self.bindings)
            for bit, each in enumerate(player)
            if each.turbo
        }
        self._bridge.live.set_turbo(Turbo(patterns))

    # -- held buttons -----------------------------------------------------------------------

    def _pointer_moved(self, where: tuple[int, int] | None) -> None:
        self._pointed = where
        self._tell()

    def _mouse_moved(self, x: int, y: int) -> None:
        if self.game is not None:
            self._bridge.live.nudge(
                tuple(mouse_number(each.axis, (x, y)) for each in self.game.axes)
            )

    def _tell(self) -> None:
        game = self.game
        if game is None:
            return
        keyboard, clicks = self._desk.screen.game_screen.masks, self._pad.masks
        sources = (keyboard, clicks, self._pad_masks(game.players))
        held = tuple(
            reduce(int.__or__, (masks[player] for masks in sources if player < len(masks)), 0)
            for player in range(game.players)
        )
        self._pad.show_held(held)
        self._bridge.set_masks(held, self._axes(game))

    def _axes(self, game: GameSnapshot) -> tuple[int, ...]:
        """A number for each axis of the game: pads move sticks, and the mouse is what is aimed."""
        pads = {
            player_of_pad(number, game.players): state.axes
            for number, state in enumerate(self.gamepads.states)
        }
        return tuple(
            pointer_number(each.axis, self._pointed)
            if each.axis.device in _PLACES
            else stick_number(each.axis, pads.get(each.port, ()))
            for each in game.axes
        )

    def _pad_masks(self, players: int) -> tuple[int, ...]:
        masks = [0] * players
        for number, state in enumerate(self.gamepads.states):
            player = player_of_pad(number, players)
            if player is not None:
                names = [each.pad for each in self.bindings[player]]
                own_stick = self._has_stick
                masks[player] |= mask_of(state.pressed, names, stick_is_cross=not own_stick)
        return tuple(masks)


def player_of_pad(number: int, players: int) -> int | None:
    """The player of a pad; None when every player has one already."""
    return 0 if players == 1 else number if number < players else None
