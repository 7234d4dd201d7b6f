"""Keys and gamepad buttons that are bound to console buttons: storage, polling, and input. Gamepad
buttons have SDL's names: ``a`` is the lower of the four, ``dpup`` is up on the cross, ``leftx-`` is
the left stick to the left."""

import importlib
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from typing import Any, Final, NamedTuple, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.inputs import Pattern, on_off
from integrator.ui import widgets as ui
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.screen.screen_view import key_label, key_of_name, keys_of, player_keys
from integrator.ui.settings import UiSettings
from integrator.ui.window_context import Part
from libretro_host.systems.axes import Axis
from libretro_host.systems.descriptor import SystemDescriptor

WATCH_MS = 8  # interval between polls with a pad: half a frame
SEEK_MS = 1000  # interval between polls without a pad

_TRIGGERS = ("lefttrigger", "righttrigger")
PAD_AXES = ("leftx", "lefty", "rightx", "righty", *_TRIGGERS)  # in SDL's order


class PadState(NamedTuple):
    """The state of a pad: its name, the names of its pressed buttons, and its sticks and triggers.
    ``axes`` are SDL's numbers from -32768 to 32767, in the order of ``PAD_AXES``; 0 at rest."""

    name: str
    pressed: frozenset[str] = frozenset()
    axes: tuple[int, ...] = ()


class PadSource(Protocol):
    """A source of pads, for one thread. ``close`` releases the pads, and is idempotent."""

    def poll(self) -> tuple[PadState, ...]: ...

    def close(self) -> None: ...


class Gamepads(QObject):
    """Polls a source. ``changed`` gives a PadState for each pad, ``came_or_went`` the names of the
    pads, and ``pressed`` (pad, name) for each new press."""

    changed = Signal(object)
    came_or_went = Signal(object)
    pressed = Signal(int, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source: PadSource | None = None
        self.states: tuple[PadState, ...] = ()
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.poll)

    @property
    def has_source(self) -> bool:
        return self._source is not None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(state.name for state in self.states)

    def start(self, source: PadSource) -> None:
        self._source = source
        self._timer.start(SEEK_MS)
        self.poll()

    def poll(self) -> None:
        if self._source is None:
            return
        before, self.states = self.states, self._source.poll()
        if before == self.states:
            return
        if [state.name for state in before] != [state.name for state in self.states]:
            self._timer.setInterval(WATCH_MS if self.states else SEEK_MS)
            self.came_or_went.emit(self.names)
        self.changed.emit(self.states)
        for pad, state in enumerate(self.states):
            old = before[pad].pressed if pad < len(before) else frozenset()
            for name in sorted(state.pressed - old):
                self.pressed.emit(pad, name)

    def close(self) -> None:
        self._timer.stop()
        source, self._source, self.states = self._source, None, ()
        if source is not None:
            source.close()


def mask_of(pressed: frozenset[str], names: Sequence[str], *, stick_is_cross: bool = True) -> int:
    """Return the mask that a pad presses; ``names[bit]`` is the pad button of a bit, or "". The
    left stick acts as the cross, unless it is bound itself or the console has a stick."""
    cross = {"leftx-": "dpleft", "leftx+": "dpright", "lefty-": "dpup", "lefty+": "dpdown"}
    if stick_is_cross:
        pressed |= {cross[each] for each in pressed - {*names} if each in cross}
    return sum(1 << bit for bit, name in enumerate(names) if name in pressed)


_BUTTONS = (  # SDL_GameControllerButton by number
    *("a", "b", "x", "y", "back", "guide", "start", "leftstick", "rightstick"),
    *("leftshoulder", "rightshoulder", "dpup", "dpdown", "dpleft", "dpright"),
)

_PLAIN_BUTTONS = ("a", "b", "x", "y", "leftshoulder", "rightshoulder", "back", "start")
"""The assumed meanings by number of the buttons of a joystick that is not in SDL's table."""

# SDL needs a video driver for events; "dummy" opens no window. SDL's signal handlers would catch
# SIGTERM, and without a window of SDL's, all events are "in the background".
_ENVIRONMENT = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS": "1",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


def load_sdl() -> Any:
    """Import pygame, which takes a tenth of a second; None if it is not installed."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        importlib.import_module("pygame._sdl2.controller")
        return importlib.import_module("pygame")
    except ImportError:
        return None


class SdlPads:
    """All pads that SDL finds, without sound and window. Raises OSError if SDL does not start."""

    def __init__(self, pygame: Any) -> None:
        self._pygame = pygame
        kept = os.environ.copy()
        os.environ.update(_ENVIRONMENT)
        try:
            pygame.display.init()
            pygame.joystick.init()
            self._controller = importlib.import_module("pygame._sdl2.controller")
            self._controller.init()
        except pygame.error as error:
            raise OSError(f"gamepads cannot be watched: {error}") from error
        finally:
            # SDL reads these variables only once, and the processes of cores must not inherit them.
            for name in _ENVIRONMENT:
                del os.environ[name]
                os.environ |= {name: kept[name]} if name in kept else {}
        self._pads: dict[int, tuple[Any, Any]] = {}

    def poll(self) -> tuple[PadState, ...]:
        pygame = self._pygame
        for event in pygame.event.get():
            if event.type == pygame.JOYDEVICEADDED:
                self._add(event.device_index)
            elif event.type == pygame.JOYDEVICEREMOVED:
                self._pads.pop(event.instance_id, None)
        return tuple(_state(*pad) for pad in self._pads.values())

    def _add(self, index: int) -> None:
        pygame = self._pygame
        try:
            joystick = pygame.joystick.Joystick(index)
            known = self._controller.is_controller(index)
            controller = self._controller.Controller(index) if known else None
        except pygame.error:  # the pad is gone already
            return
        self._pads[joystick.get_instance_id()] = joystick, controller

    def close(self) -> None:
        self._pads.clear()
        self._controller.quit()
        self._pygame.joystick.quit()
        self._pygame.display.quit()


def _state(joystick: Any, controller: Any) -> PadState:
    """Return the state of a pad, by SDL's table if it has the pad, otherwise by a guess."""
    if controller is not None:
        pressed = {name for number, name in enumerate(_BUTTONS) if controller.get_button(number)}
        numbers = [controller.get_axis(axis) for axis in range(len(PAD_AXES))]
    else:
        pressed, numbers = _guessed(joystick)
    for name, number in zip(PAD_AXES, numbers, strict=False):
        if abs(number) > 16_000:  # half of the way of a stick or trigger
            way = "-" if number < 0 else "+"
            pressed.add(name if name in _TRIGGERS else name + way)
    # A stick at rest wanders up to 3000.
    axes = tuple(0 if abs(number) < 3_000 else number for number in numbers)
    return PadState(str(joystick.get_name()), frozenset(pressed), axes)


def _guessed(stick: Any) -> tuple[set[str], list[int]]:
    """Return the state of an unknown pad: its buttons, hats and left stick."""
    count = min(stick.get_numbuttons(), len(_PLAIN_BUTTONS))
    pressed = {_PLAIN_BUTTONS[number] for number in range(count) if stick.get_button(number)}
    for x, y in map(stick.get_hat, range(stick.get_numhats())):
        pressed |= {"dpleft"} if x < 0 else {"dpright"} if x > 0 else set()
        pressed |= {"dpdown"} if y < 0 else {"dpup"} if y > 0 else set()
    axes = range(min(stick.get_numaxes(), 2))
    return pressed, [round(stick.get_axis(axis) * 32767) for axis in axes]


_PAD_OF_BIT = (  # SDL's names of pad buttons by libretro's joypad id; ``a`` is the lower one
    *("a", "x", "back", "start", "dpup", "dpdown", "dpleft", "dpright"),
    *("b", "y", "leftshoulder", "rightshoulder", "lefttrigger", "righttrigger"),
    *("leftstick", "rightstick"),
)


@dataclass(frozen=True, slots=True)
class Binding:
    """The keys (one, or two separated by a space) and the pad button of a console button; "" for
    none. With ``turbo`` the button pulses, by ``pattern`` in the form of :func:`parse_pattern`, or,
    if that is "", as the preferences say."""

    key: str = ""
    pad: str = ""
    turbo: bool = False
    pattern: str = ""


def parse_pattern(text: str) -> Pattern | None:
    """Return the pattern of a text such as ``2/2`` or ``1/3/2/1``: frames down, up, down and so on.
    None for other texts, and for patterns that never press, never release, or exceed 600 frames."""
    runs = [run.strip() for run in text.split("/")]
    if not all(run.isascii() and run.isdigit() and len(run) < 4 for run in runs):
        return None
    numbers = [int(run) for run in runs]
    alternates = any(numbers[::2]) and any(numbers[1::2])
    return on_off(*numbers) if alternates and sum(numbers) <= 600 else None


Bindings = tuple[Binding, ...]  # the bindings of one player; item i is for bit i of the mask


def default_bindings(system: SystemDescriptor, player: int) -> Bindings:
    """Return the default pad buttons and keys: player 0 has the descriptor's, 1 and 2 others."""
    keys = player_keys(system.buttons, system.keys, player)
    padded = (*keys, *(None for _ in system.buttons))
    return tuple(
        Binding(padded[bit] or "", _PAD_OF_BIT[bit]) if name else Binding()
        for bit, name in enumerate(system.buttons)
    )


def bind(
    players: Sequence[Bindings], player: int, bit: int, binding: Binding
) -> tuple[tuple[Bindings, ...], tuple[tuple[int, int], ...]]:
    """Set the binding of a button. Other buttons lose the same key, which is shared by all players;
    a pad button is lost only by buttons of the same player, because each player has a pad. The
    second value lists the (player, bit) of each button that lost something."""
    clashes, changed = [], [list(each) for each in players]
    for other, bindings in enumerate(changed):
        for at, old in enumerate(bindings):
            same_key = keys_of(old.key) & keys_of(binding.key)
            same_pad = other == player and binding.pad and old.pad == binding.pad
            if (same_key or same_pad) and (other, at) != (player, bit):
                kept = [name for name in old.key.split() if key_of_name(name) not in same_key]
                pad = "" if same_pad else old.pad
                bindings[at] = replace(old, key=" ".join(kept), pad=pad)
                clashes.append((other, at))
    changed[player][bit] = binding
    return tuple(map(tuple, changed)), tuple(clashes)


def load_bindings(
    settings: UiSettings, system: SystemDescriptor, players: int = 2
) -> tuple[Bindings, ...]:
    """Return the bindings of all players of a system, of at least two, so that a second player's
    are kept. A key that the user gave to an earlier player is no default of a later player."""
    found: list[Bindings] = []
    for player in range(max(players, 2)):
        taken = {key for bindings in found for each in bindings for key in keys_of(each.key)}
        kept = settings.table(f"bindings/{system.name}-{player + 1}")
        bindings = []
        for name, default in zip(system.buttons, default_bindings(system, player), strict=True):
            free = replace(default, key="") if keys_of(default.key) & taken else default
            bindings.append(_binding(kept.get(str(name)), free) if name else free)
        found.append(tuple(bindings))
    return tuple(found)


def save_bindings(
    settings: UiSettings, system: SystemDescriptor, players: Sequence[Bindings]
) -> None:
    """Store the differences from the defaults."""
    for player, bindings in enumerate(players):
        defaults = default_bindings(system, player)
        changed = {
            str(name): asdict(new)
            for name, new, old in zip(system.buttons, bindings, defaults, strict=True)
            if name and new != old
        }
        settings.set_table(f"bindings/{system.name}-{player + 1}", changed)


def _binding(stored: Any, default: Binding) -> Binding:
    match stored:
        case {"key": str(key), "pad": str(pad), "turbo": bool(turbo)}:
            pattern = stored.get("pattern")
            known = isinstance(pattern, str) and parse_pattern(pattern) is not None
            return Binding(key if keys_of(key) else "", pad, turbo, pattern if known else "")
    return default


_AIMED: Final = {("pointer", 0): 0, ("pointer", 1): 1, ("light-gun", 13): 0, ("light-gun", 14): 1}
_PRESSED: Final = {("pointer", 2), ("light-gun", 2), ("mouse", 2)}
"""libretro's ids of position and button, for devices whose part the computer's mouse plays."""


def stick_of(axis: Axis) -> int | None:
    """Return the place in ``PAD_AXES`` of the stick or trigger that moves an axis, or None."""
    place = 2 * axis.index + axis.id if axis.index < 2 else {12: 4, 13: 5}.get(axis.id)
    return place if axis.device == "analog" else None


def axis_number(axis: Axis, sticks: Sequence[int], where: tuple[int, int] | None) -> int:
    """Return the value of an axis. ``sticks`` are the values of a pad's sticks and triggers.
    ``where`` is the place where the computer's mouse is pressed, in libretro's pointer coordinates
    (-32767 to 32767 over the picture), or None if it is not pressed."""
    stick, part = stick_of(axis), (axis.device, axis.id)
    if stick is not None and stick < len(sticks) and sticks[stick]:
        return axis.limited(sticks[stick])
    if where is not None and part in _AIMED:
        return axis.limited(where[_AIMED[part]])
    return int(where is not None and part in _PRESSED)


PADS_AFTER_MS = 500  # SDL takes a tenth of a second to load, so the first frames come first


class PadController(Part):
    """Owns the bindings of the open game's console, and applies them. Pads belong to the players in
    the order in which they were connected; a single player has all pads."""

    def _set_up(self) -> None:
        bridge, screen = self._bridge, self._screen.game_screen
        self._pad = self._parts[PadPanel]
        self.bindings: tuple[Bindings, ...] = ()
        self.gamepads = Gamepads(self)
        self._pointed: tuple[int, int] | None = None
        self._ended = self._has_stick = False
        self._start_pads = ui.settle_timer(
            self, PADS_AFTER_MS, lambda: bridge.in_background(load_sdl, self._watch_pads)
        )
        bridge.ending.connect(self._end)
        screen.pointed.connect(self._point)
        screen.mouse_moved.connect(self._move_mouse)
        for changed in (screen.masks_changed, self._pad.masks_changed, self.gamepads.changed):
            changed.connect(self._give_inputs)
        self._settings.changed.connect(self._apply_turbo)

    def _opened(self, game: GameSnapshot) -> None:
        self._pointed = None
        self._has_stick = any(stick_of(each.axis) == 0 for each in game.axes)
        self._pad.show_game(game.system.buttons, game.players)
        self._use(game, load_bindings(self._settings, game.system, game.players))
        if not self.gamepads.has_source:
            self._start_pads.start()

    def _closed(self) -> None:
        self.bindings = ()

    def _end(self) -> None:
        self._ended = True
        self._start_pads.stop()
        self.gamepads.close()

    def _watch_pads(self, pygame: Any) -> None:
        if pygame is not None and not self._ended and not self.gamepads.has_source:
            with suppress(OSError):  # without gamepads, the keyboard still works
                self.gamepads.start(SdlPads(pygame))

    def change(self, bindings: Sequence[Bindings]) -> None:
        if (game := self._controller.game) is not None:
            save_bindings(self._settings, game.system, bindings)
            self._use(game, bindings)

    def _use(self, game: GameSnapshot, bindings: Sequence[Bindings]) -> None:
        self.bindings = tuple(bindings)
        keys = [tuple(each.key for each in player) for player in self.bindings]
        self._screen.game_screen.set_keys(*keys[: game.players])
        self._pad.show_keys([[key_label(key) for key in player] for player in keys])
        self._apply_turbo()
        self._give_inputs()

    def _apply_turbo(self) -> None:
        usual = on_off(*[self._settings.turbo_frames] * 2)
        patterns = {
            (port, bit): parse_pattern(each.pattern) or usual
            for port, player in enumerate(self.bindings)
            for bit, each in enumerate(player)
            if each.turbo
        }
        self._bridge.live.set_turbo(patterns)

    def _point(self, where: tuple[int, int] | None) -> None:
        self._pointed = where
        self._give_inputs()

    def _move_mouse(self, right: int, down: int) -> None:
        """Move the axes of the game's mouse, by pixels of the picture."""
        game = self._controller.game
        moved = {("mouse", 0): right, ("mouse", 1): down}
        axes = [each.axis for each in game.axes] if game else []
        moves = ((axis, moved.get((axis.device, axis.id))) for axis in axes)
        self._bridge.live.nudge(tuple(axis.limited(by) if by else 0 for axis, by in moves))

    def _give_inputs(self, _: object = None) -> None:
        if (game := self._controller.game) is None or not self.bindings:
            return
        held = [0] * game.players
        sticks: dict[int, tuple[int, ...]] = {}
        for number, state in enumerate(self.gamepads.states):
            if (player := player_of_pad(number, game.players)) is not None:
                names = [each.pad for each in self.bindings[player]]
                held[player] |= mask_of(state.pressed, names, stick_is_cross=not self._has_stick)
                sticks[player] = state.axes
        for masks in (self._screen.game_screen.masks, self._pad.masks):
            held = [one | other for one, other in zip_longest(held, masks, fillvalue=0)]
        held = held[: game.players]
        self._pad.show_held(tuple(held))
        where = self._pointed
        axes = (axis_number(each.axis, sticks.get(each.port, ()), where) for each in game.axes)
        self._bridge.set_masks(tuple(held), tuple(axes))


def player_of_pad(number: int, players: int) -> int | None:
    """Return the player of a pad; None if all players have another one."""
    return 0 if players == 1 else number if number < players else None
