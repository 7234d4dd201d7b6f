"""Finds the part of the picture that changes when a number does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

_LATE_FRAMES: Final = 3
"""A number is drawn within so many frames after it changed."""
_MOST_CELLS: Final = 1500
_FLASH_SHARE: Final = 0.4
"""A frame on which more of the picture changes tells nothing of a place: it flashes or scrolls."""
_TOP_SHARE: Final = 0.2
_BOTTOM_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Drawn:
    """The part of the picture that changes with a number.

    ``agreement`` is 1 when it changes whenever the number does, and never else. ``x`` and ``y`` are
    the middle of its cells as shares of the picture's width and height.
    """

    agreement: float
    x: float
    y: float

    @property
    def is_inside(self) -> bool:
        """True away from the picture's upper and lower edge, where few games show numbers."""
        return _TOP_SHARE <= self.y <= _BOTTOM_SHARE

    @property
    def place(self) -> str:
        """The place in words, such as "at the top"."""
        if self.is_inside:
            return "in the picture"
        return "at the top" if self.y < 0.5 else "at the bottom"


class Screen:
    """The changes of a picture's cells over the frames of some play."""

    def __init__(self, cells: NDArray[np.bool_]) -> None:
        frames, self._rows, self._columns = cells.shape
        flat = cells.reshape(frames, -1).copy()
        flat[flat.mean(axis=1) > _FLASH_SHARE] = False
        self._busy = flat.mean(axis=0)
        # A number's cells rest most of the time.
        alive = np.flatnonzero((self._busy > 0) & (self._busy < 0.5))[:_MOST_CELLS]
        self._cells = alive
        self._changed = flat[1:, alive].astype(np.float32)
        self._moved = self._changed.any(axis=1)
        self._soon = _spread(self._changed, before=_LATE_FRAMES)
        self._counts = self._changed.sum(axis=0)

    def find(self, events: NDArray[np.bool_]) -> list[Drawn]:
        """The cells that follow each column of ``events``, bool (frames - 1, numbers)."""
        hits = events.astype(np.float32)
        count = hits.sum(axis=0)
        # Rows without a change add nothing, and most of them are.
        some = hits.any(axis=1)
        recall = hits[some].T @ self._soon[some] / np.maximum(count, 1)[:, None]
        after = _spread(hits, before=-_LATE_FRAMES)[self._moved]
        precision = after.T @ self._changed[self._moved] / np.maximum(self._counts, 1)
        both = 2 * recall * precision / np.maximum(recall + precision, 1e-6)
        # Few changes may agree by chance.
        both *= (count / (count + 0.5))[:, None]
        return [self._drawn(row) for row in both] if both.size else [_NOWHERE] * events.shape[1]

    def _drawn(self, agreement: NDArray[np.float32]) -> Drawn:
        best = float(agreement.max())
        chosen = self._cells[agreement >= 0.9 * best]
        rows, columns = np.divmod(chosen, self._columns)
        x, y = (columns.mean() + 0.5) / self._columns, (rows.mean() + 0.5) / self._rows
        return Drawn(best, float(x), float(y))


_NOWHERE: Final = Drawn(0.0, 0.5, 0.5)


def find_drawn(cells: NDArray[np.bool_] | None, events: Sequence[NDArray[np.bool_]]) -> list[Drawn]:
    """The place of each number on the screen; agreement 0 without pictures."""
    if cells is None or not events:
        return [_NOWHERE] * len(events)
    # Several readings of a byte change on the same frames.
    different = {each.tobytes(): each for each in events}
    found = Screen(cells).find(np.stack(list(different.values()), axis=1))
    by_events = dict(zip(different, found, strict=True))
    return [by_events[each.tobytes()] for each in events]


def _spread(changed: NDArray[np.float32], before: int) -> NDArray[np.float32]:
    """1 where anything happens within ``before`` frames after the row; negative looks back."""
    result = changed.copy()
    for shift in range(1, abs(before) + 1):
        if before > 0:
            np.maximum(result[:-shift], changed[shift:], out=result[:-shift])
        else:
            np.maximum(result[shift:], changed[:-shift], out=result[shift:])
    return result
