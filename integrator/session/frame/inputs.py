"""Inputs as one row for each frame: button masks, then axes; live or from a script."""

from collections import deque
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from libretro_host.systems.axes import PluggedAxis

Inputs = NDArray[np.uint16]

Held = Mapping[str, int] | None  # values of axes by name; other axes are at rest


def input_rows(masks: Sequence[int], frames: int, ports: int) -> Inputs:
    """``frames`` rows of ``masks``, uint16 of shape (frames, ports); missing ports are idle."""
    if len(masks) > ports:
        cure = f"open with players={len(masks)}"
        raise SessionError(f"{len(masks)} button masks, but players={ports}; {cure}")
    if any(not 0 <= mask <= 0xFFFF for mask in masks):
        raise SessionError(f"a button mask has 16 bits, got {list(masks)}")
    row = np.zeros(ports, dtype=np.uint16)
    row[: len(masks)] = masks
    return np.broadcast_to(row, (frames, ports)).copy()


def widened(rows: Inputs, players: int, columns: int) -> Inputs:
    """Add axes at rest to rows that hold only masks; return complete rows unchanged."""
    if rows.shape[1] == columns or rows.shape[1] != players:
        return rows
    return np.pad(rows, ((0, 0), (0, columns - players)))


def with_axes(rows: Inputs, axes: Sequence[PluggedAxis], moved: Held) -> Inputs:
    """Add axes to rows of masks, moved to the values ``moved`` by name. Raises SessionError."""
    if not moved:
        return rows
    held = dict.fromkeys((each.name for each in axes), 0)
    unknown = sorted(moved.keys() - held.keys())
    if unknown:
        known = f"; there are {', '.join(held)}" if held else ", and no other axis"
        raise SessionError(f"this game has no {', '.join(unknown)}{known}")
    for each in axes:
        number, axis = moved.get(each.name, 0), each.axis
        if not axis.least <= number <= axis.most:
            raise SessionError(f"{each.name} is {axis.least} to {axis.most}, not {number}")
        held[each.name] = number
    return with_columns(rows, [*held.values()])


def with_columns(rows: Inputs, numbers: Sequence[int]) -> Inputs:
    """Add the same values of axes to each row of masks, as int16 in two's complement."""
    columns = np.array(numbers, np.int16).view(np.uint16)
    return np.hstack([rows, np.broadcast_to(columns, (len(rows), len(columns)))])


Pattern = tuple[bool, ...]  # frames of a turbo button, True for down, repeated


def on_off(*runs: int) -> Pattern:
    """Return the pattern of a number of frames down, a number of frames up, and so on."""
    return tuple(number % 2 == 0 for number, frames in enumerate(runs) for _ in range(frames))


class LiveInputs:
    """Masks of the buttons held, with turbo and a macro applied frame by frame."""

    def __init__(self) -> None:
        self._held: tuple[int, ...] = ()
        self._axes: tuple[int, ...] = ()
        self._turbo: Mapping[tuple[int, int], Pattern] = {}
        # The number of frames for which each turbo button was held, by (port, bit).
        self._ages: dict[tuple[int, int], int] = {}
        # The macro that plays, its next row, and True if it repeats after its last row.
        self._macro: Inputs = np.zeros((0, 0), np.uint16)
        self._next, self._loops = 0, False
        self._nudges: deque[tuple[int, ...]] = deque()
        self._taps: deque[tuple[int, ...]] = deque()

    def set(self, masks: Sequence[int], axes: Sequence[int] = (), *, keep: bool = False) -> None:
        """Set masks and axes from the next frame on; ``keep`` lets a short tap last one frame."""
        self._held, self._axes = tuple(masks), tuple(axes)
        if keep:
            self._taps.append(self._held)
        else:
            self._taps.clear()

    def nudge(self, axes: Sequence[int]) -> None:
        """Move the axes by these amounts on the next frame only, as a mouse moves."""
        self._nudges.append(tuple(axes))

    def set_turbo(self, patterns: Mapping[tuple[int, int], Pattern]) -> None:
        """Set the turbo buttons, which repeat a pattern while held, by port and bit."""
        self._turbo = patterns

    def play(self, rows: Inputs | None, *, loop: bool = False) -> None:
        """Play a macro, uint16 (frames, ports), from the next frame on; None ends it."""
        self._macro = np.zeros((0, 0), np.uint16) if rows is None else rows
        self._next, self._loops = 0, loop

    @property
    def presses(self) -> bool:
        """True if a button is held or was tapped, an axis was nudged, or a macro plays."""
        taped = self._next < len(self._macro) or (self._loops and len(self._macro) > 0)
        return taped or any(self._held) or any(map(any, self._taps)) or bool(self._nudges)

    def rows(self, frames: int, ports: int, axes: int = 0) -> Inputs:
        """Return and use up the inputs of the next frames, uint16 (frames, ports and axes)."""
        held, ages = self._held, self._ages
        rows = input_rows(held, frames, ports)
        while self._taps:
            rows[:1] |= input_rows(self._taps.popleft(), 1, ports)
        self._ages = {}
        for (port, bit), pattern in self._turbo.items():
            if port < len(held) and held[port] & 1 << bit:
                age = ages.get((port, bit), 0)
                for frame in range(frames):
                    if not pattern[(age + frame) % len(pattern)]:
                        rows[frame, port] &= ~(1 << bit) & 0xFFFF
                self._ages[port, bit] = age + frames
        self._press_macro(self._macro, rows)
        if not axes:
            return rows
        # Axes that were never set are at rest.
        rows = with_columns(rows, (*self._axes, *[0] * axes)[:axes])
        while self._nudges:
            moved = np.array((*self._nudges.popleft(), *[0] * axes)[:axes], np.int16)
            rows[0, ports:] += moved.view(np.uint16)
        return rows

    def _press_macro(self, macro: Inputs, rows: Inputs) -> None:
        """Add the buttons of ``macro``, which another thread may replace in the meantime."""
        ports = min(macro.shape[1], rows.shape[1])
        for row in rows:
            if self._next == len(macro) and self._loops:
                self._next = 0
            if self._next < len(macro):
                row[:ports] |= macro[self._next, :ports]
                self._next += 1
