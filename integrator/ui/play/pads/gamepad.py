"""Gamepads and their pressed buttons, watched by a timer in the window's thread.

Names of pad buttons are SDL's: ``a`` is the lower of the four, ``dpup`` the cross, ``leftx-`` the
left stick to the left.
"""

import importlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

WATCH_MS = 8  # between two looks while a pad is there: half a frame
SEEK_MS = 1000  # between two looks while there is none


_TRIGGERS = ("lefttrigger", "righttrigger")
PAD_AXES = ("leftx", "lefty", "rightx", "righty", *_TRIGGERS)
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

    def start(self, source: PadSource) -> None:
        """Watch the pads of a source."""
        self._source = source
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


def mask_of(pressed: frozenset[str], names: Sequence[str], *, stick_is_cross: bool = True) -> int:
    """The mask that a pad presses; ``names[bit]`` plays a bit, "" none. The left stick plays as the
    cross, unless it plays something of its own, or the console has a stick."""
    cross = {"leftx-": "dpleft", "leftx+": "dpright", "lefty-": "dpup", "lefty+": "dpdown"}
    if stick_is_cross:
        pressed |= {cross[each] for each in pressed - {*names} if each in cross}
    return sum(1 << bit for bit, name in enumerate(names) if name in pressed)


_LABELS = (
    {"dpleft": "cross ←", "dpright": "cross →", "dpup": "cross ↑", "dpdown": "cross ↓"}
    | {"leftx-": "stick ←", "leftx+": "stick →", "lefty-": "stick ↑", "lefty+": "stick ↓"}
    | {"rightx-": "right stick ←", "rightx+": "right stick →"}
    | {"righty-": "right stick ↑", "righty+": "right stick ↓"}
    | {"leftshoulder": "L1", "lefttrigger": "L2", "leftstick": "L3"}
    | {"rightshoulder": "R1", "righttrigger": "R2", "rightstick": "R3"}
    | {"back": "Back", "start": "Start", "guide": "Guide"}
    | {"a": "A (lower)", "b": "B (right)", "x": "X (left)", "y": "Y (upper)"}
)


def pad_label(name: str) -> str:
    """A pad button's name as a user reads it."""
    return _LABELS.get(name, name)


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
        except pygame.error:  # it left again already
            return
        self._pads[joystick.get_instance_id()] = joystick, controller

    def close(self) -> None:
        self._pads.clear()
        self._controller.quit()
        self._pygame.joystick.quit()
        self._pygame.display.quit()


def _state(joystick: Any, controller: Any) -> PadState:
    """A pad, read through SDL's table where it is in it, otherwise by a good guess."""
    if controller is not None:
        pressed = {name for number, name in enumerate(_BUTTONS) if controller.get_button(number)}
        numbers = [controller.get_axis(axis) for axis in range(len(PAD_AXES))]
    else:
        pressed, numbers = _guessed(joystick)
    for name, number in zip(PAD_AXES, numbers, strict=False):
        if abs(number) > 16_000:  # half of a stick's way, and of a trigger's
            way = "-" if number < 0 else "+"
            pressed.add(name if name in _TRIGGERS else name + way)
    # A stick that nobody holds wanders up to 3000.
    axes = tuple(0 if abs(number) < 3_000 else number for number in numbers)
    return PadState(str(joystick.get_name()), frozenset(pressed), axes)


def _guessed(stick: Any) -> tuple[set[str], list[int]]:
    """Of a guessed pad, only the left stick is known."""
    count = min(stick.get_numbuttons(), len(_PLAIN_BUTTONS))
    pressed = {_PLAIN_BUTTONS[number] for number in range(count) if stick.get_button(number)}
    for x, y in map(stick.get_hat, range(stick.get_numhats())):
        pressed |= {"dpleft"} if x < 0 else {"dpright"} if x > 0 else set()
        pressed |= {"dpdown"} if y < 0 else {"dpup"} if y > 0 else set()
    axes = range(min(stick.get_numaxes(), 2))
    return pressed, [round(stick.get_axis(axis) * 32767) for axis in axes]
