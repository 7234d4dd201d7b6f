"""Cells of any width in pictures: a grid divides a line of the screen into cells."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.screen import Looks as ScreenLooks

Looks = NDArray[np.int64]  # looks of a part of the picture as numbers, int64 (samples,)

EMPTY: Final = -1


def looks_of(crops: NDArray[np.uint32] | NDArray[np.uint64]) -> Looks:
    """Return a number for each picture, which is the same for equal pictures."""
    flat = np.ascontiguousarray(crops.reshape(len(crops), -1))
    rows = flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).ravel()
    return np.unique(rows, return_inverse=True)[1].astype(np.int64)


def shapes_of(crops: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return 1 for each pixel unlike the left one, plus 2 if unlike the one above."""
    shapes = np.zeros(crops.shape, np.uint32)
    shapes[:, :, 1:] = crops[:, :, 1:] != crops[:, :, :-1]
    shapes[:, 1:] |= np.left_shift(crops[:, 1:] != crops[:, :-1], 1, dtype=np.uint32)
    return shapes


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells of ``width`` pixels next to each other, the rightmost first. ``stop`` is the pixel
    column after the rightmost cell, which may be outside of the box. ``glyphs`` are int64 (cells,
    samples): equal numbers look the same; ``EMPTY`` is an empty cell."""

    width: int
    stop: int
    glyphs: NDArray[np.int64]

    @cached_property
    def keys(self) -> list[bytes]:
        """A key for each cell, which is the same for cells that change in the same way."""
        return [key_of(row) for row in self.glyphs]

    @cached_property
    def merit(self) -> float:
        """The fit to digits: cells show few glyphs, and glyphs that change are in several cells."""
        glyphs = self.glyphs - EMPTY
        seen = np.zeros((len(glyphs), int(glyphs.max()) + 1), np.bool_)
        seen[np.arange(len(glyphs))[:, np.newaxis], glyphs] = True
        several = np.count_nonzero(seen, axis=0) > 1
        several[0] = False
        shared = (glyphs[:, 1:] != glyphs[:, :-1]) & several[glyphs[:, 1:]]
        return float(shared.sum() * self.width / 8 - seen.any(axis=0).sum())

    def looks(self, rows: NDArray[np.intp], place: tuple[int, int, int], rests: int) -> ScreenLooks:
        """Return the cells at ``rows`` of play; ``place`` is their x, y and height in pixels."""
        count, (x, y, height) = len(self.glyphs), place
        left = x + self.stop - np.arange(count, 0, -1) * self.width
        same = np.ones(count, np.intp)
        boxes = np.stack([left, y * same, self.width * same, height * same], axis=1)
        return ScreenLooks(rows, self.glyphs[::-1].T.astype(np.int32), boxes, rests)


_WIDEST: Final = 16
ALL_GRIDS: Final = [  # likely widths of cells, and pixels of the last cell outside of a box
    (width, beyond)
    for width in range(4, _WIDEST + 1)
    for beyond in range(-(width // 2), width // 2 + 1)
]


def grids_of(
    crops: NDArray[np.uint32], grids: Iterable[tuple[int, int]] = ALL_GRIDS
) -> Iterator[Grid]:
    """Yield those of the ``grids`` that have cells in the box."""
    # Each pixel column has a number, and a second one that does not depend on pixels to its left.
    shapes = shapes_of(crops)
    columns, first_columns = np.zeros((2, len(shapes), shapes.shape[2]), np.uint64)
    for row, weight in enumerate(_weights(shapes.shape[1])):
        columns += shapes[:, row] * weight
        first_columns += (shapes[:, row] & 2) * weight
    looks = looks_of(columns)
    shown = np.unique(looks, return_index=True)[1]
    count_all = columns.shape[1]
    padding = ((0, 0), (_WIDEST, _WIDEST))
    whole, masked = (np.pad(each[shown], padding) for each in (columns, first_columns))
    weights = _weights(_WIDEST)
    for width, beyond in grids:
        # At least half of a cell has to be in the box.
        count = (count_all + beyond + width // 2) // width
        if count < 1:
            continue
        stop = _WIDEST + count_all + beyond
        cells = whole[:, stop - count * width : stop].reshape(-1, count, width).copy()
        # The pixel to the left of a cell belongs to its neighbor.
        cells[..., 0] = masked[:, stop - count * width : stop : width]
        hashes = cells @ weights[:width]
        glyphs = np.unique(hashes, return_inverse=True)[1].reshape(hashes.shape)
        glyphs[hashes == 0] = EMPTY
        yield Grid(width, count_all + beyond, glyphs.T[::-1, looks].astype(np.int64))


def _weights(count: int) -> NDArray[np.uint64]:
    return np.random.default_rng(count).integers(1, 1 << 63, count, np.uint64) * np.uint64(2) + 1


def key_of(column: NDArray[np.int64]) -> bytes:
    """Return a key that is equal for columns whose values are equal at the same moments."""
    _, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return order[inverse].astype(np.uint16).tobytes()


def likely(grids: Iterable[Grid], most: int) -> list[Grid]:
    """Return the grids whose cells fit digits best; of grids that look alike, the first one."""
    found: dict[bytes, Grid] = {}
    for grid in grids:
        if (grid.glyphs[:, 1:] != grid.glyphs[:, :-1]).any():
            found.setdefault(key_of(grid.glyphs.ravel()), grid)
    return sorted(found.values(), key=lambda grid: -grid.merit)[:most]
