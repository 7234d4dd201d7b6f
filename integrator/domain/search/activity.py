"""Counts of the changes of each byte while a game ran, and the frames since its last change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep import layout as search_layout
from integrator.domain.sweep.gather import busiest
from integrator.domain.sweep.sets import Positions, differing, positions_of
from integrator.domain.values.memory import AddressSpace

NEVER_CHANGED: Final = -1
"""The age of a byte that was not seen to change."""


class Activity:
    """Counts the changes of one memory, told of each frame; cheap enough for every one of them."""

    def __init__(self, space: AddressSpace) -> None:
        self.counts: NDArray[np.uint32] = np.zeros(space.size_bytes, np.uint32)
        self.last: NDArray[np.uint32] = np.zeros(space.size_bytes, np.uint32)
        self.frames = 0
        self._places = search_layout.console_positions(space)

    def note(self, offsets: NDArray[np.integer]) -> None:
        """One more frame, on which the bytes at distinct ``offsets`` in flat RAM changed."""
        self.note_positions(offsets if self._places is None else self._places[offsets])

    def note_positions(self, positions: NDArray[np.integer]) -> None:
        """As :meth:`note`, of bytes in console order."""
        self.frames += 1
        self.counts[positions] += np.uint32(1)
        self.last[positions] = self.frames


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """Change counts since some time, looked up when they are asked for: the game may go on.

    ``base`` are the counts of ``activity`` at that time, uint32 (bytes,) in console order. They are
    not copied, because that would be eight bytes for each one of a large memory.
    """

    activity: Activity
    base: NDArray[np.uint32]

    def counts_at(self, positions: Positions, width: int) -> NDArray[np.uint32]:
        """The number of frames on which the busiest of ``width`` bytes at each position changed."""
        columns = positions + np.arange(width)[:, np.newaxis]
        counted = self.activity.counts[columns] - self.base[columns]
        most: NDArray[np.uint32] = counted.max(axis=0)
        return most

    def ages_at(self, positions: Positions, width: int) -> NDArray[np.int64]:
        """Frames since any of ``width`` bytes at each position changed: 0 on the newest frame.

        NEVER_CHANGED where none did.
        """
        last = busiest(self.activity.last, positions, width).astype(np.int64)
        return np.where(last > 0, self.activity.frames - last, NEVER_CHANGED)


class ChangeCounter:
    """The change counts of one search, which may have begun later than those of others.

    Searches share ``activity``, which the runner of the game tells of each frame. Without one, RAM
    is compared whenever the search is shown some. RAM is in console order everywhere.
    """

    def __init__(
        self,
        space: AddressSpace,
        ram: NDArray[np.uint8],
        activity: Activity | None,
        counted: NDArray[np.uint32] | None = None,
    ) -> None:
        self._activity = Activity(space) if activity is None else activity
        self._compares = activity is None
        self._seen = ram
        self._base = self._activity.counts.copy()
        if counted is not None:
            # As if that many had come since; differences of unsigned numbers wrap.
            self._base -= counted

    def clear(self) -> None:
        """Count from now on."""
        self._base = self._activity.counts.copy()

    def see(self, ram: NDArray[np.uint8]) -> None:
        """Take in the present RAM."""
        if self._compares:
            self._activity.note_positions(positions_of(differing(ram, self._seen)))
            self._seen = ram

    def counts(self) -> NDArray[np.uint32]:
        """The number of changes of each byte since counting began; a new array."""
        counted: NDArray[np.uint32] = self._activity.counts - self._base
        return counted

    def counts_with(self, ram: NDArray[np.uint8]) -> NDArray[np.uint32]:
        """Counts as they will be when ``ram`` has been seen."""
        return self.counts() + (ram != self._seen) if self._compares else self.counts()

    def at(self, places: Sequence[tuple[int, int]]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Present counts and ages of (position, width) pairs."""
        counts = np.zeros(len(places), np.uint32)
        ages = np.zeros(len(places), np.int64)
        for row, (position, width) in enumerate(places):
            span = slice(position, position + width)
            counts[row] = (self._activity.counts[span] - self._base[span]).max()
            last = int(self._activity.last[span].max())
            ages[row] = self._activity.frames - last if last else NEVER_CHANGED
        return counts, ages

    def since_then(self) -> Changes:
        """Counts and ages by place, looked up at the time of asking."""
        return Changes(self._activity, self._base)
