"""Lines of digits anywhere on the screen: their first rows, and cells of any width in them. Most
consoles draw digits in tiles of 8 pixels. Sprites, and screens that games paint themselves, have
digits at any pixel and of any width. They are found as rows that change together."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from integrator.domain.suggest.grids import ALL_GRIDS, EMPTY, Grid, grids_of
from integrator.domain.suggest.screen import CELL_PIXELS, Looks, StripTable, cells_of

Strips = NDArray[np.uint16]

_HIGHEST: Final = 24
_BANDS: Final = 8
_SAMPLES: Final = 48
_BEFORE, _AFTER = 4, 3  # strips around changing ones, where zeros may be that never change
_APART: Final = 6
_FEWEST: Final = 3


def looks_at(rows: NDArray[np.intp], strips: Strips, table: StripTable) -> Iterator[Looks]:
    """Yield pictures as cells: first all regular cells, then cells of other places and widths.

    ``strips`` are (pictures, rows, columns) of ``table``, and ``rows`` the pictures' frames."""
    yield Looks.of(rows, *cells_of(strips))
    for top, stop, columns in _bands(strips):
        corner = int(columns[0]) * CELL_PIXELS, top
        yield from _looks_in(rows, strips[:, top:stop, columns], table, corner)


def _bands(strips: Strips) -> Iterator[tuple[int, int, NDArray[np.intp]]]:
    """Yield likely lines of digits: the first row, the row after the last, and the columns. Rows of
    a digit rest with several looks, while things that pass rest with none of their own."""
    values = strips[::_APART]
    rested = np.sort(np.where(values[1:] == values[:-1], values[1:], 0), axis=0)
    looks = np.count_nonzero(rested[1:] != rested[:-1], axis=0)
    # Rows between digits change only when all of the screen does, as after a title.
    padded = np.pad(looks, ((_HIGHEST // 2, _HIGHEST // 2), (0, 0)), mode="edge")
    looks -= sliding_window_view(padded, _HIGHEST + 1, axis=0).min(axis=-1)
    groups: dict[tuple[int, int], list[int]] = {}
    for column, own in enumerate(looks.T):
        edges = np.flatnonzero(np.diff(own > 1, prepend=False, append=False))
        for top, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            if 5 <= stop - top <= _HIGHEST and own[top:stop].max() >= _FEWEST:
                groups.setdefault((top, stop), []).append(column)
    found = []
    for (top, stop), columns in groups.items():
        ends = np.flatnonzero(np.diff(columns, append=strips.shape[2] + _BEFORE + _AFTER) > _BEFORE)
        for first, last in zip(np.append(0, ends[:-1] + 1), ends, strict=True):
            begin, end = max(0, columns[first] - _BEFORE), columns[last] + _AFTER
            found.append((last - first, top, stop, np.arange(begin, min(end, strips.shape[2]))))
    found.sort(key=lambda each: -each[0])
    yield from (each[1:] for each in found[:_BANDS])


def _looks_in(
    rows: NDArray[np.intp], band: Strips, table: StripTable, corner: tuple[int, int]
) -> Iterator[Looks]:
    """Yield the band in the cells that fit digits best, and nothing if these are the regular ones.
    ``corner`` is the x and y of the band in pixels."""
    fresh = np.append(True, (band[1:] != band[:-1]).any(axis=(1, 2)))
    moments = np.flatnonzero(fresh)
    if len(moments) < 4:
        return
    crops = table.pixels[band[moments]].reshape(len(moments), band.shape[1], -1)
    # Digits rest longer than things that pass.
    lasting = np.diff(moments, append=len(band))
    chosen = np.sort(np.argsort(-lasting, kind="stable")[:_SAMPLES])
    samples = crops[chosen]
    # Digits are drawn in one color, perhaps in front of a picture.
    drawn, counts = np.unique(samples[1:][samples[1:] != samples[:-1]], return_counts=True)
    inks = drawn[np.argsort(-counts, kind="stable")[:2]].tolist()
    # Digits are at most about twice as high as wide, or as wide as high.
    likely = [each for each in ALL_GRIDS if band.shape[1] // 2 - 1 <= each[0] <= 2 * band.shape[1]]
    every = [(ink, grid) for ink in inks for grid in grids_of(1 * (samples == ink), likely)]
    if not every:
        return
    whole = crops.shape[2]
    every.sort(
        key=lambda pair: (-pair[1].merit, (pair[1].width, pair[1].stop) != (CELL_PIXELS, whole))
    )
    best = every[0][1]
    in_line = corner[1] // CELL_PIXELS == (corner[1] + band.shape[1] - 1) // CELL_PIXELS
    is_regular = in_line and (best.width, best.stop) == (CELL_PIXELS, whole)
    # Regular cells show the same digits, unless a picture is behind these.
    if is_regular and _regular(band[moments[chosen]]).merit >= best.merit:
        return
    # A few numbers look as much like pairs of digits.
    other = next(pair for pair in every if pair[1].width != best.width)
    for ink, each in (every[0], other):
        [grid] = grids_of(1 * (crops == ink), [(each.width, each.stop - whole)])
        looks = grid.looks(rows, (*corner, band.shape[1]), 3)
        yield Looks(rows, looks.ids[np.cumsum(fresh) - 1], looks.boxes)


def _regular(band: Strips) -> Grid:
    """Return the cells of a band that lies in one line of regular cells."""
    pictures, high, wide = band.shape
    columns = band.transpose(0, 2, 1).reshape(-1, high)
    glyphs = np.unique(columns, axis=0, return_inverse=True)[1].astype(np.int64)
    # The most frequent cell is the background.
    glyphs[glyphs == np.bincount(glyphs).argmax()] = EMPTY
    return Grid(CELL_PIXELS, wide * CELL_PIXELS, glyphs.reshape(pictures, wide).T[::-1])
