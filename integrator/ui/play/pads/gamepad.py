"""Gamepads and their pressed buttons, watched by a timer in the window's thread.

Names of pad buttons are SDL's: ``a`` is the lower of the four, ``dpup`` the cross, ``leftx-`` the
left stick to the left.
"""

import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

WATCH_MS = 8  # between two looks while a pad is there: half a frame
SEEK_MS = 1000  # between two looks while there is none


PAD_AXES = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger")
"""Sticks and triggers of a pad, in SDL's order."""


@dataclass(frozen=True, slots=True)
class PadState:
    """One pad: its own name, the names of its pressed buttons, and its sticks and triggers.
    ``axes`` are SDL's numbers, -32768 to 32767, of ``PAD_AXES``; those at rest are 0."""

    name: str
    pressed: frozenset[str] = frozenset()
    axes: tuple[int, ...] = ()


class PadSource(Protocol):
    """Source of pads, which one thread uses; ``close`` lets go of them, and is idempotent."""

    def poll(self) -> tuple[PadState, ...]: ...

    def close(self) -> None: ...


class Gamepads(QObject):
    """Polls a source. ``changed`` gives a PadState for each pad. ``came_or_went`` gives the names
    of the pads, ``pressed`` (pad, name) each new press."""

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

    def start(self, open_source: Callable[[], PadSource | None]) -> None:
        """Watch the pads of a source; None is a machine that cannot have any."""
        self._source = open_source()
        if self._source is not None:
            self.poll()
            self._timer.start(WATCH_MS if self.states else SEEK_MS)

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
        """Watch no longer."""
        self._timer.stop()
        source, self._source, self.states = self._source, None, ()
        if source is not None:
            source.close()


_WAYS = ("left", "right", "up", "down")
_STICK = {"dpleft": "leftx-", "dpright": "leftx+", "dpup": "lefty-", "dpdown": "lefty+"}


def mask_of(pressed: frozenset[str], names: Sequence[str], *, stick_is_cross: bool = True) -> int:
    """The mask that a pad presses; ``names[bit]`` plays a bit, "" none. The left stick plays as the
    cross, unless it plays something of its own, or the console has a stick."""
    sticks = _STICK if stick_is_cross else {}
    played = pressed | {name for name, stick in sticks.items() if stick in pressed - {*names}}
    return sum(1 << bit for bit, name in enumerate(names) if name in played)


_LABELS = (
    {f"dp{way}": f"cross {arrow}" for way, arrow in zip(_WAYS, "←→↑↓", strict=True)}
    | {
        f"{stick}{end}": f"{name} {arrow}"
        for stick, name in (("left", "stick"), ("right", "right stick"))
        for end, arrow in zip(("x-", "x+", "y-", "y+"), "←→↑↓", strict=True)
    }
    | {
        f"{side}{part}": f"{side[0].upper()}{number}"
        for side in ("left", "right")
        for number, part in enumerate(("shoulder", "trigger", "stick"), 1)
    }
    | {"back": "Back", "start": "Start", "guide": "Guide"}
    | {"a": "A (lower)", "b": "B (right)", "x": "X (left)", "y": "Y (upper)"}
)


def pad_label(name: str) -> str:
    """A pad button's name as a user reads it."""
    return _LABELS.get(name, name)


_DEAD_ZONE = 16_000  # half of a stick's way, and of a trigger's
_REST = 3_000  # a stick that nobody holds wanders so far

_TRIGGERS = PAD_AXES[4:]
_BUTTONS = (
    *("a", "b", "x", "y", "back", "guide", "start", "leftstick", "rightstick"),
    *("leftshoulder", "rightshoulder", "dpup", "dpdown", "dpleft", "dpright"),
)
"""SDL_GameControllerButton by number."""

_PLAIN_BUTTONS = ("a", "b", "x", "y", "leftshoulder", "rightshoulder", "back", "start")
"""Meaning by number of the buttons of a joystick that SDL's table does not have."""

# SDL needs a video driver to look at events; this one opens nothing. Its own handling of signals
# would take SIGTERM from us, and without a window of SDL's all events are "in the background".
_ENVIRONMENT = {
    "SDL_VIDEODRIVER": "dummy",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS": "1",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


def load_sdl() -> Any:
    """Import pygame, which takes a tenth of a second; None where it is not installed."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        importlib.import_module("pygame._sdl2.controller")
        return importlib.import_module("pygame")
    except ImportError:
        return None


class SdlPads:
    """All pads that SDL sees; no sound, and no window. Raises OSError when SDL does not start."""

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
            # SDL reads these variables once; the processes of cores must not inherit them.
            for name in _ENVIRONMENT:
                del os.environ[name]
                os.environ |= {name: kept[name]} if name in kept else {}
        self._pads: dict[int, _Pad] = {}

    def poll(self) -> tuple[PadState, ...]:
        pygame = self._pygame
        for event in pygame.event.get():
            if event.type == pygame.JOYDEVICEADDED:
                self._add(event.device_index)
            elif event.type == pygame.JOYDEVICEREMOVED:
                self._pads.pop(event.instance_id, None)
        return tuple(pad.state() for pad in self._pads.values())

    def _add(self, index: int) -> None:
        pygame = self._pygame
        try:
            joystick = pygame.joystick.Joystick(index)
            known = self._controller.is_controller(index)
            controller = self._controller.Controller(index) if known else None
        except pygame.error:  # it left again already
            return
        self._pads[joystick.get_instance_id()] = _Pad(joystick, controller)

    def close(self) -> None:
        self._pads.clear()
        self._controller.quit()
        self._pygame.joystick.quit()
        self._pygame.display.quit()


class _Pad:
    """One pad: read through SDL's table where it is in it, otherwise by a good guess."""

    def __init__(self, joystick: Any, controller: Any) -> None:
        self._joystick, self._controller = joystick, controller
        self._name = str(joystick.get_name())

    def state(self) -> PadState:
        pressed, numbers = self._known() if self._controller is not None else self._guessed()
        for name, number in zip(PAD_AXES, numbers, strict=False):
            if abs(number) > _DEAD_ZONE:
                way = "-" if number < 0 else "+"
                pressed.add(name if name in _TRIGGERS else f"{name}{way}")
        axes = tuple(0 if abs(number) < _REST else number for number in numbers)
        return PadState(self._name, frozenset(pressed), axes)

    def _known(self) -> tuple[set[str], list[int]]:
        pad = self._controller
        pressed = {name for number, name in enumerate(_BUTTONS) if pad.get_button(number)}
        return pressed, [pad.get_axis(axis) for axis in range(len(PAD_AXES))]

    def _guessed(self) -> tuple[set[str], list[int]]:
        """Of a guessed pad, only the left stick is known."""
        stick = self._joystick
        count = min(stick.get_numbuttons(), len(_PLAIN_BUTTONS))
        pressed = {_PLAIN_BUTTONS[number] for number in range(count) if stick.get_button(number)}
        for hat in range(stick.get_numhats()):
            x, y = stick.get_hat(hat)
            pressed |= {"dpleft"} if x < 0 else {"dpright"} if x > 0 else set()
            pressed |= {"dpdown"} if y < 0 else {"dpup"} if y > 0 else set()
        axes = range(min(stick.get_numaxes(), 2))
        return pressed, [round(stick.get_axis(axis) * 32767) for axis in axes]
