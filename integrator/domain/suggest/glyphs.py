"""Cells of a box on the screen, and the digits of numbers that look the same in them each time."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Looks = NDArray[np.int64]
"""A number for each different look of a part of the picture, int64 (samples,)."""
Digits = NDArray[np.int64]
"""The digit of a number at each sample, int64 (samples,)."""

EMPTY: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Moments at which the box rested.

    ``rows`` are rows of the play, ascending; ``crops`` the pixels in the box: (samples, height,
    width) of whole pixels.
    """

    rows: NDArray[np.intp]
    crops: NDArray[np.uint32]

    @property
    def looks(self) -> Looks:
        """The look of the whole box."""
        return looks_of(self.crops)

    @property
    def drawn(self) -> "Samples":
        """The moments at which the box shows a number: neither nothing, nor an interlude."""
        shapes = shapes_of(self.crops)
        shown = np.flatnonzero(shapes.any(axis=(1, 2)))
        shown = shown[~_interludes(looks_of(shapes[shown]))] if len(shown) else shown
        return Samples(self.rows[shown], self.crops[shown]) if len(shown) else self

    @property
    def pictures(self) -> int:
        """The number of different pictures; other colours alone count if nothing else differs."""
        shapes = int(looks_of(shapes_of(self.crops)).max()) + 1
        return shapes if shapes > 1 else int(self.looks.max()) + 1


def looks_of(crops: NDArray[np.uint32] | NDArray[np.uint64]) -> Looks:
    """The same number for equal pictures."""
    flat = np.ascontiguousarray(crops.reshape(len(crops), -1))
    rows = flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).ravel()
    return np.unique(rows, return_inverse=True)[1].astype(np.int64)


def shapes_of(crops: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """For each pixel, its difference from those to the left and above: equal in other colours."""
    shapes = np.zeros_like(crops)
    shapes[:, :, 1:] = crops[:, :, 1:] != crops[:, :, :-1]
    shapes[:, 1:] |= np.left_shift(crops[:, 1:] != crops[:, :-1], 1, dtype=np.uint32)
    return shapes


def _interludes(looks: Looks) -> NDArray[np.bool_]:
    """True for a picture after which the one before it returns, several ones in turn.

    Some games show a title every few seconds in the place of the number.
    """
    starts = np.flatnonzero(np.diff(looks, prepend=-1))
    runs = looks[starts]
    result = np.zeros(len(looks), np.bool_)
    for look in np.unique(runs).tolist():
        places = np.flatnonzero(runs[1:-1] == look) + 1
        returned = runs[places - 1] == runs[places + 1]
        around = np.unique(runs[places - 1][returned])
        # Two pictures that take turns may be a number that goes up and down.
        if len(around) > 1 and returned.mean() > 0.5:
            result |= looks == look
    return result


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of ``width`` pixels next to each other, the rightmost first.

    ``stop`` is the column of pixels behind the rightmost one, which may lie outside of the box.
    ``glyphs`` are int64 (cells, samples): equal numbers look the same in any cell; an empty cell is
    ``EMPTY``.
    """

    width: int
    stop: int
    glyphs: NDArray[np.int64]

    @cached_property
    def keys(self) -> list[bytes]:
        """For each cell, the moments at which it looked the same."""
        return [key_of(row) for row in self.glyphs]


def grids_of(crops: NDArray[np.uint32]) -> Iterator[Grid]:
    """Grids of all likely widths, at each place in the box."""
    # A number for each column of pixels, and one without regard to the pixel to the left.
    shapes = shapes_of(crops)
    columns, first_columns = np.zeros((2, len(shapes), shapes.shape[2]), np.uint64)
    for row, weight in enumerate(_weights(shapes.shape[1])):
        columns += shapes[:, row] * weight
        first_columns += (shapes[:, row] & 2) * weight
    looks = looks_of(columns)
    shown = np.unique(looks, return_index=True)[1]
    widest, count_all = 16, columns.shape[1]
    padding = ((0, 0), (widest, widest))
    whole, masked = (np.pad(each[shown], padding) for each in (columns, first_columns))
    weights = _weights(widest)
    for width in range(4, widest + 1):
        for beyond in range(-(width // 2), width // 2 + 1):
            # Half a cell at least has to be in the box.
            count = (count_all + beyond + width // 2) // width
            if count < 1:
                continue
            stop = widest + count_all + beyond
            cells = whole[:, stop - count * width : stop].reshape(-1, count, width).copy()
            # The pixel left of a cell belongs to its neighbour.
            cells[..., 0] = masked[:, stop - count * width : stop : width]
            hashes = cells @ weights[:width]
            glyphs = np.unique(hashes, return_inverse=True)[1].reshape(hashes.shape)
            glyphs[hashes == 0] = EMPTY
            yield Grid(width, count_all + beyond, glyphs.T[::-1, looks].astype(np.int64))


def _weights(count: int) -> NDArray[np.uint64]:
    return np.random.default_rng(count).integers(1, 1 << 63, count, np.uint64) * np.uint64(2) + 1


def key_of(column: NDArray[np.int64]) -> bytes:
    """Equal for columns that are equal, and differ, at the same moments."""
    _, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return order[inverse].astype(np.uint16).tobytes()


def fit_of(digits: Digits, looks: Looks) -> int:
    """The bits of evidence that a cell shows a digit; 0 when it does not.

    Each digit has its own look; a zero has two, because it may be drawn as nothing. For one
    stretch of the play, the cell may show something else.
    """
    starts = np.flatnonzero(np.diff(digits) | np.diff(looks)) + 1
    runs = np.concatenate([[0], starts])
    values, first = np.unique(digits[runs], return_inverse=True)
    second = np.unique(looks[runs], return_inverse=True)[1]
    if not 2 <= len(values) <= 12:
        return 0
    counts = np.zeros((len(values), int(second.max()) + 1), np.int64)
    np.add.at(counts, (first, second), 1)
    owner = counts.argmax(axis=0)
    owned = np.where(owner == np.arange(len(values))[:, np.newaxis], counts, 0)
    chosen = owned.argmax(axis=1)
    shown = chosen[first] == second
    if values[0] == 0:
        owned[0, chosen[0]] = 0
        shown |= (first == 0) & (second == owned[0].argmax()) & (owned[0].max() > 0)
    shown &= owner[second] == first
    kept = len(np.unique(first[shown]))
    switches = np.count_nonzero(np.diff(shown))
    # A moment may fall into the frames between a number's change and its drawing.
    agreed = shown.mean() >= 0.9 and kept >= 2
    # For the rest of the play, something else may be drawn in the box, such as a title.
    curtain = shown.mean() >= 0.4 and switches <= 2 and kept >= 3
    return kept - 1 + 2 * (int(shown.sum()) - kept) if agreed or curtain else 0


@dataclass(frozen=True, slots=True)
class Span:
    """Rows and columns of pixels, from the first to the one behind the last."""

    top: int
    bottom: int
    left: int
    right: int


def snapped(crops: NDArray[np.uint32], box: Span, limits: Span) -> Span:
    """The rows and columns of the number in ``box``, at most ``limits``, parts of ``crops``.

    ``crops`` are pixels: (samples, rows, columns). Rows at rest are left out, and rows and columns
    of digits that the box cuts are added. No columns are left out, because zeros in front never
    change.
    """
    shapes = shapes_of(crops)
    sideways, upwards = shapes & 1, shapes & 2
    # A difference from the pixel above says nothing of the row: one at rest may lie below digits.
    changed = (sideways[1:] ^ sideways[:-1])[:, :, box.left : box.right]
    rows: NDArray[np.bool_] = np.logical_or.reduce(changed, axis=2)
    live = np.flatnonzero(np.count_nonzero(rows[:, box.top : box.bottom], axis=0)) + box.top
    middle = live[len(live) // 3 : len(live) - len(live) // 3]
    core: NDArray[np.bool_] = np.logical_or.reduce(rows[:, middle], axis=1)
    both = (rows & core[:, np.newaxis]).sum(axis=0)
    # The rows of a number change with its middle; a title that comes and goes changes all rows, and
    # columns next to the number, but seldom.
    together = both >= 0.8 * rows.sum(axis=0)
    seldom = both < max(1.0, 0.2 * core.sum())
    moving = np.flatnonzero(~(together & seldom)[box.top : box.bottom]) + box.top
    if not len(moving):
        return box
    belonging = together & ~seldom
    top, bottom = int(moving[0]), int(moving[-1]) + 1
    if top == box.top:
        top = _grown(belonging, top, limits.top)
    if bottom == box.bottom:
        bottom = _grown(belonging, bottom - 1, limits.bottom - 1) + 1
    # The first row differs from a label that touches it, wherever the number ends.
    edges = np.logical_or.reduce(upwards[:, top + 1 : bottom + 1], axis=1)
    drawn: NDArray[np.bool_] = edges.mean(axis=0) >= 0.2
    left = _grown(drawn, box.left, limits.left)
    right = _grown(drawn, box.right - 1, limits.right - 1) + 1
    # Digits that touch others have no gap at which they end.
    if drawn[left] and left == limits.left:
        left = box.left
    if drawn[right - 1] and right == limits.right:
        right = box.right
    return Span(top, bottom, left, right)


def _grown(belonging: NDArray[np.bool_], edge: int, limit: int) -> int:
    """The last line from the edge on towards the limit with which the number goes on."""
    step = 1 if limit > edge else -1
    while edge != limit and belonging[edge] and belonging[edge + step]:
        edge += step
    return edge
