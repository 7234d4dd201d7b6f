"""Gamepads and their pressed buttons, watched by a timer in the window's thread.

Names of pad buttons are SDL's: ``a`` is the lower of the four, ``dpup`` the cross, ``leftx-`` the
left stick to the left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

WATCH_MS = 8
"""Between two looks while a pad is there: half a frame."""

SEEK_MS = 1000
"""Between two looks while there is none."""


PAD_AXES = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger")
"""Sticks and triggers of a pad, in SDL's order."""


@dataclass(frozen=True, slots=True)
class PadState:
    """One pad: its own name, the names of its pressed buttons, and its sticks and triggers.

    ``axes`` are SDL's numbers, -32768 to 32767, of ``PAD_AXES``; those at rest are 0.
    """

    name: str
    pressed: frozenset[str] = frozenset()
    axes: tuple[int, ...] = ()


class PadSource(Protocol):
    """Source of pads. One thread uses it."""

    def poll(self) -> tuple[PadState, ...]:
        """All pads in the order in which they came; those that left are gone from it."""
        ...

    def close(self) -> None:
        """Let go of the pads. Idempotent."""
        ...


class Gamepads(QObject):
    """Polls a source. ``changed`` gives a PadState for each pad.

    ``came_or_went`` gives the names of the pads, ``pressed`` (pad, name) each new press.
    """

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
        """True when pads are watched for."""
        return self._source is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The pads' own names."""
        return tuple(state.name for state in self.states)

    def start(self, open_source: Callable[[], PadSource | None]) -> None:
        """Watch the pads of a source; None is a machine that can not have any."""
        self._source = open_source()
        if self._source is not None:
            self.poll()
            self._timer.start(WATCH_MS if self.states else SEEK_MS)

    def poll(self) -> None:
        """Look once, and report the changes."""
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


_STICK = {"dpleft": "leftx-", "dpright": "leftx+", "dpup": "lefty-", "dpdown": "lefty+"}


def mask_of(pressed: frozenset[str], names: Sequence[str], *, stick_is_cross: bool = True) -> int:
    """The mask that a pad presses; ``names[bit]`` plays a bit, "" none.

    The left stick plays as the cross, unless it plays something of its own, or the console has a
    stick.
    """
    mask = 0
    for bit, name in enumerate(names):
        stick = _STICK.get(name) if stick_is_cross else None
        if name in pressed or (stick in pressed and stick not in names):
            mask |= 1 << bit
    return mask


_LABELS = {
    "dpup": "cross ↑",
    "dpdown": "cross ↓",
    "dpleft": "cross ←",
    "dpright": "cross →",
    "leftx-": "stick ←",
    "leftx+": "stick →",
    "lefty-": "stick ↑",
    "lefty+": "stick ↓",
    "rightx-": "right stick ←",
    "rightx+": "right stick →",
    "righty-": "right stick ↑",
    "righty+": "right stick ↓",
    "leftshoulder": "L1",
    "rightshoulder": "R1",
    "lefttrigger": "L2",
    "righttrigger": "R2",
    "leftstick": "L3",
    "rightstick": "R3",
    "back": "Back",
    "start": "Start",
    "guide": "Guide",
    "a": "A (lower)",
    "b": "B (right)",
    "x": "X (left)",
    "y": "Y (upper)",
}


def pad_label(name: str) -> str:
    """A pad button's name as a user reads it."""
    return _LABELS.get(name, name)
