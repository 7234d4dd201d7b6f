"""Keys and pad buttons that are buttons of the console: kept for each, and played with."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from typing import Any, Final

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.inputs import Pattern, Turbo, on_off
from integrator.ui.desk import Part
from integrator.ui.play.pads.gamepad import Gamepads, SdlPads, load_sdl, mask_of
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.screen.keyboard import key_label, key_of_name, keys_of, player_keys
from integrator.ui.settings import UiSettings
from integrator.ui.widgets.fields import settle_timer
from libretro_host.systems.axes import Axis

PLAYERS = 2  # players with bindings of their own in the settings, even while one plays

_PAD_OF_BIT = (
    *("a", "x", "back", "start", "dpup", "dpdown", "dpleft", "dpright"),
    *("b", "y", "leftshoulder", "rightshoulder", "lefttrigger", "righttrigger"),
    *("leftstick", "rightstick"),
)
"""Place of each joypad id of libretro on a pad (names as SDL has them): a is the lower button."""


@dataclass(frozen=True, slots=True)
class Binding:
    """The keys, one or two with a space between, and pad button of one console button ("" is none).
    ``turbo``: it pulses; ``pattern`` is how, as :func:`parse_pattern` reads it, and "" is as the
    preferences say."""

    key: str = ""
    pad: str = ""
    turbo: bool = False
    pattern: str = ""


MAX_PATTERN_FRAMES = 600


def parse_pattern(text: str) -> Pattern | None:
    """The pattern of a text such as ``2/2`` or ``1/3/2/1``: frames down, up, down and so on. None
    for any other text, and for a pattern that never presses or never lets go."""
    runs = [run.strip() for run in text.split("/")]
    if not all(run.isascii() and run.isdigit() and len(run) < 4 for run in runs):
        return None
    numbers = [int(run) for run in runs]
    presses, releases = any(numbers[::2]), any(numbers[1::2])
    if not presses or not releases or sum(numbers) > MAX_PATTERN_FRAMES:
        return None
    return on_off(*numbers)


Bindings = tuple[Binding, ...]  # one player's: item i is bit i of the mask


@dataclass(frozen=True, slots=True)
class Clash:
    """A key or pad button was taken from ``button`` (a bit) of ``player``."""

    player: int
    button: int


def default_bindings(
    buttons: Sequence[str | None], keys: Sequence[str | None], player: int
) -> Bindings:
    """The descriptor's keys for player 0, others for players 1 and 2; all have a gamepad's."""
    padded = (*player_keys(buttons, keys, player), *(None for _ in buttons))
    return tuple(
        Binding(padded[bit] or "", _PAD_OF_BIT[bit]) if name else Binding()
        for bit, name in enumerate(buttons)
    )


def bind(
    players: Sequence[Bindings], player: int, bit: int, binding: Binding
) -> tuple[tuple[Bindings, ...], tuple[Clash, ...]]:
    """Give a button another binding; another button with that key or pad button loses it. A key is
    one for all players. A pad button is one for its own player: each has a pad."""
    clashes, changed = [], [list(each) for each in players]
    for other, bindings in enumerate(changed):
        for at, old in enumerate(bindings):
            same_key = keys_of(old.key) & keys_of(binding.key)
            same_pad = other == player and binding.pad and old.pad == binding.pad
            if (same_key or same_pad) and (other, at) != (player, bit):
                kept = [name for name in old.key.split() if key_of_name(name) not in same_key]
                pad = "" if same_pad else old.pad
                bindings[at] = replace(old, key=" ".join(kept), pad=pad)
                clashes.append(Clash(other, at))
    changed[player][bit] = binding
    return tuple(map(tuple, changed)), tuple(clashes)


class BindingStore:
    """The bindings of each system in the settings file; only differences from the defaults."""

    def __init__(self, settings: UiSettings) -> None:
        self._settings = settings

    def load(
        self,
        system: str,
        buttons: Sequence[str | None],
        keys: Sequence[str | None],
        players: int = PLAYERS,
    ) -> tuple[Bindings, ...]:
        """The bindings of all players: of two always, so that a second one's are kept. A key that
        the user gave to an earlier player is no later player's by default."""
        found: list[Bindings] = []
        for player in range(max(players, PLAYERS)):
            taken = {key for bindings in found for each in bindings for key in keys_of(each.key)}
            kept = self._settings.table(f"bindings/{system}-{player + 1}")
            bindings = []
            for name, default in zip(buttons, default_bindings(buttons, keys, player), strict=True):
                free = replace(default, key="") if keys_of(default.key) & taken else default
                bindings.append(_binding(kept.get(str(name)), free) if name else free)
            found.append(tuple(bindings))
        return tuple(found)

    def save(
        self,
        system: str,
        buttons: Sequence[str | None],
        keys: Sequence[str | None],
        players: Sequence[Bindings],
    ) -> None:
        for player, bindings in enumerate(players):
            defaults = default_bindings(buttons, keys, player)
            changed = {
                str(name): asdict(new)
                for name, new, old in zip(buttons, bindings, defaults, strict=True)
                if name and new != old
            }
            self._settings.set_table(f"bindings/{system}-{player + 1}", changed)


def _binding(stored: Any, default: Binding) -> Binding:
    """A stored binding; the default where it makes no sense."""
    match stored:
        case {"key": str(key), "pad": str(pad), "turbo": bool(turbo)}:
            pattern = stored.get("pattern")
            known = isinstance(pattern, str) and parse_pattern(pattern) is not None
            return Binding(key if keys_of(key) else "", pad, turbo, pattern if known else "")
    return default


LEFT_STICK: Final = 0  # place of the left stick's x among the axes of a pad

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


PADS_AFTER_MS = 500  # the first frames of a game go first: SDL takes a tenth of a second to load


class PadController(Part):
    """Owns the bindings of the open game's console and applies them. Pads are players' in the order
    in which they came; a single player has them all."""

    def _set_up(self) -> None:
        desk, bridge, screen = self._desk, self._bridge, self._desk.screen.game_screen
        self._pad = desk.parts[PadPanel]
        self._preferences = desk.settings
        self.store = BindingStore(self._preferences)
        self.game: GameSnapshot | None = None
        self.bindings: tuple[Bindings, ...] = ()
        self.gamepads = Gamepads(self)
        self._pointed: tuple[int, int] | None = None
        self._ended = self._has_stick = False
        self._start_pads = settle_timer(
            self, PADS_AFTER_MS, lambda: bridge.beside(load_sdl, self._watch_pads)
        )
        bridge.ending.connect(self._end)
        screen.pointed.connect(self._pointer_moved)
        screen.mouse_moved.connect(self._mouse_moved)
        for changed in (screen.masks_changed, self._pad.masks_changed, self.gamepads.changed):
            changed.connect(self._tell)
        self._preferences.changed.connect(self._apply_turbo)

    def _opened(self, game: GameSnapshot) -> None:
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

    def _closed(self) -> None:
        self.game = None

    def _watch_pads(self, pygame: Any) -> None:
        if pygame is not None and not self._ended and not self.gamepads.has_source:
            with suppress(OSError):  # no gamepads, and the keyboard is still there
                self.gamepads.start(lambda: SdlPads(pygame))

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

    def _pointer_moved(self, where: tuple[int, int] | None) -> None:
        self._pointed = where
        self._tell()

    def _mouse_moved(self, x: int, y: int) -> None:
        axes = self.game.axes if self.game is not None else ()
        self._bridge.live.nudge(tuple(mouse_number(each.axis, (x, y)) for each in axes))

    def _tell(self, _: object = None) -> None:
        game = self.game
        if game is None:
            return
        held = self._pad_masks(game.players)
        for masks in (self._desk.screen.game_screen.masks, self._pad.masks):
            held = [one | other for one, other in zip_longest(held, masks, fillvalue=0)]
        held = held[: game.players]
        self._pad.show_held(tuple(held))
        self._bridge.set_masks(tuple(held), self._axes(game))

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

    def _pad_masks(self, players: int) -> list[int]:
        masks, is_cross = [0] * players, not self._has_stick
        for number, state in enumerate(self.gamepads.states):
            player = player_of_pad(number, players)
            if player is not None:
                names = [each.pad for each in self.bindings[player]]
                masks[player] |= mask_of(state.pressed, names, stick_is_cross=is_cross)
        return masks


def player_of_pad(number: int, players: int) -> int | None:
    """The player of a pad; None when every player has one already."""
    return 0 if players == 1 else number if number < players else None
