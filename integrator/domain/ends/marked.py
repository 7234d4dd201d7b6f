"""Recorded frames divided by the marked ends: before an end, around it, and after it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError

Mask = NDArray[np.bool_]

NEAR_FRAMES: Final = 60
"""A mark may be so far from the frame that it means: people see an end before they mark it."""
_AFTERMATH_FRAMES: Final = 600
"""For so long after an end, a condition may go on to hold: the title screen is no next episode."""


class MarkedPlay:
    """Frames 0, 1, ... of a line, its marks, and its jumps to other states.

    ``before`` is bool (frames,): frames on which no end may be. ``windows`` is intp (marks,
    frames around each): those in which the end lies; repeated where a jump or another mark is near.
    """

    def __init__(self, length: int, marks: Collection[int], jumps: Sequence[int]) -> None:
        """``jumps`` are the frames after which play went on from another state.

        Raises SearchError for a mark that is not on the line, or for none.
        """
        self.marks = tuple(sorted(set(marks)))
        if not self.marks:
            raise SearchError("no end is marked: mark a frame on which an episode ends")
        if not 1 <= self.marks[0] <= self.marks[-1] <= length:
            raise SearchError(f"an end must be one of the recorded frames, 1 to {length}")
        self.length = length
        self.before: Mask = np.ones(length + 1, np.bool_)
        self.before[0] = False
        stops = np.array([*sorted(jumps), length])
        self.windows = np.empty((len(self.marks), 2 * NEAR_FRAMES + 1), np.intp)
        for row, mark in enumerate(self.marks):
            stop = int(stops[np.searchsorted(stops, mark)])
            begin = self._begin(mark, jumps)
            around = np.arange(mark - NEAR_FRAMES, mark + NEAR_FRAMES + 1)
            self.windows[row] = np.clip(around, begin, stop)
            self.before[
                max(begin, mark - NEAR_FRAMES) : min(stop, mark + _AFTERMATH_FRAMES) + 1
            ] = False
        starts = np.array([frame + 1 for frame in jumps if frame < length], np.intp)
        self.steady: Mask = np.ones(length + 1, np.bool_)
        self.steady[0] = False
        self.steady[starts] = False

    def _begin(self, mark: int, jumps: Sequence[int]) -> int:
        """The first frame after the jump before a mark."""
        return max((frame + 1 for frame in jumps if frame < mark), default=1)

    def changes(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Each frame's change of a number, 0 where play jumped."""
        changed = np.zeros_like(values)
        changed[1:] = values[1:] - values[:-1]
        changed[~self.steady] = 0
        return changed

    def late(self, holds: Mask) -> tuple[int | None, ...]:
        """For each mark, the frames until a condition first holds near it; None if it does not."""
        found = holds[self.windows]
        first = found.argmax(axis=1)
        rows = range(len(self.marks))
        late = [int(self.windows[row, first[row]]) - self.marks[row] for row in rows]
        return tuple(late[row] if found[row].any() else None for row in rows)

    def share(self, holds: Mask) -> float:
        """The share of the frames before ends on which a condition holds."""
        return float(holds[self.before].mean()) if self.before.any() else 0.0

    def false_alarms(self, holds: Mask) -> tuple[int, ...]:
        """The first frames of the times that a condition holds before an end."""
        wrong = holds & self.before
        begins = wrong.copy()
        begins[1:] &= ~wrong[:-1]
        return tuple(np.flatnonzero(begins).tolist())
