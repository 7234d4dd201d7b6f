"""Explains the picture in a box by a number: the same digit always looks the same, others differ.

The box as a whole has to look the same for the same number, and different for different ones. Then
cells are looked for in which each decimal digit has its own look: they tell a score from a counter
that moves with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.numbers import Number, slow_numbers
from integrator.domain.suggest.play import Play
from integrator.domain.values.datatype import DataType

Looks = NDArray[np.int64]
"""A number for each different look of a part of the picture, int64 (samples,)."""

_AGREED_SHARE: Final = 0.95
"""A sample may fall into the frames between a number's change and its drawing."""
_CELL_WIDTHS: Final = (8, 16, *range(4, 8), *range(9, 16))
_MOST_CELLS: Final = 8
_LEAST_CELLS: Final = 2
"""Fewer told digits may be a coincidence."""
_BLANK: Final = 10
"""Stands for a zero in front, which may be drawn as nothing."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number that explains the box. ``cells`` are the cells with digits that were told apart."""

    number: Number
    cells: int


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
        return _looks(self.crops)


def explain(play: Play, samples: Samples) -> list[Explanation]:
    """The numbers that explain the box over all samples, best first.

    The shapes alone have to tell if no number explains the colours, because games let these run.
    """
    return _explain(play, samples) or _explain(play, Samples(samples.rows, _shapes(samples.crops)))


def _shapes(crops: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """For each pixel, its difference from those to the left and above: equal in other colours."""
    shapes = np.zeros_like(crops)
    shapes[:, :, 1:] = crops[:, :, 1:] != crops[:, :, :-1]
    shapes[:, 1:] |= np.left_shift(crops[:, 1:] != crops[:, :-1], 1, dtype=np.uint32)
    return shapes


def _explain(play: Play, samples: Samples) -> list[Explanation]:
    whole, grids = samples.looks, list(_grids(samples.crops))
    moving = [
        (number, values)
        for number in _numbers(play)
        for values in (number.values[samples.rows],)
        if (values != values[0]).any()
    ]
    fitting = [each for each in moving if _bijective(each[1], whole)]
    # A picture that moves behind the digits leaves only the cells to go by.
    asked = fitting or [each for each in moving if each[0].type.kind in "dn"]
    found = [
        Explanation(number, max((_digits_told(values, grid) for grid in grids), default=0))
        for number, values in asked
    ]
    if not fitting:
        found = [each for each in found if each.cells >= _LEAST_CELLS]
    found.sort(key=_oddness)
    return found


def _oddness(each: Explanation) -> tuple[int, ...]:
    """Orders numbers that explain the box: by told digits, then those that change the least."""
    number = each.number
    width = number.type.width
    told = each.cells if each.cells >= _LEAST_CELLS else 0
    # A tile's code has a digit in its low half, and the same high half always.
    decimal = number.type.kind in "dn" and len(np.unique(number.values // 10)) > 1
    wide = number.type.kind == "u" and width > 1
    return -told, wide, not decimal, len(number.rows), -width if decimal else width


def _numbers(play: Play) -> Iterator[Number]:
    yield from slow_numbers(play, slow_share=1.0)
    changes = play.changes
    for index in np.flatnonzero(np.diff(play.places) == 1).tolist():
        # A low byte changes more often than the high one that it carries into.
        big = changes[index] < changes[index + 1]
        data_type = DataType.parse(">u2" if big else "<u2")
        values = data_type.decode_array(play.ram[:, index : index + 2])
        yield Number(int(play.places[index]), data_type, values, play.steady)


# -- looks ----------------------------------------------------------------------------------


def _looks(crops: NDArray[np.uint32]) -> Looks:
    flat = np.ascontiguousarray(crops.reshape(len(crops), -1))
    rows = flat.view(np.dtype((np.void, flat.dtype.itemsize * flat.shape[1]))).ravel()
    return np.unique(rows, return_inverse=True)[1].astype(np.int64)


def _grids(crops: NDArray[np.uint32]) -> Iterator[list[Looks]]:
    """Cells of each width and offset, from the right: their looks, of those that change."""
    moving = np.flatnonzero((crops != crops[:1]).any(axis=(0, 1)))
    if not len(moving):
        return
    left, right = int(moving[0]), int(moving[-1]) + 1
    for width in _CELL_WIDTHS:
        for end in range(right, min(right + width, crops.shape[2] + 1)):
            starts = range(end - width, left - width, -width)[:_MOST_CELLS]
            yield [_looks(crops[:, :, max(0, start) : start + width]) for start in starts]


def _bijective(values: NDArray[np.int64], looks: Looks) -> bool:
    """True when each number has its own look, and each look its own number."""
    _, first = np.unique(looks, return_inverse=True)
    _, second = np.unique(values, return_inverse=True)
    counts = np.zeros((first.max() + 1, second.max() + 1), np.int64)
    np.add.at(counts, (first, second), 1)
    if counts.shape[0] > 2 * counts.shape[1] or counts.shape[1] > 2 * counts.shape[0]:
        return False
    agreed = np.minimum(_kept(counts), _kept(counts.T))
    return bool(agreed >= _AGREED_SHARE * len(values))


def _kept(counts: NDArray[np.int64]) -> int:
    """Samples that agree with the commonest partner of each row."""
    return int(counts.max(axis=1).sum())


def _digits_told(values: NDArray[np.int64], cells: Sequence[Looks]) -> int:
    """The cells, from the right, in which each digit has its own look; 0 when one contradicts."""
    if values.min() < 0:
        return 0
    told = 0
    place = next(p for p in range(20) if len(np.unique(_digit(values, p))) > 1)
    for number, looks in enumerate(cells):
        digits = _digit(values, place + number)
        if len(np.unique(looks)) < 2 and len(np.unique(digits)) < 2:
            continue
        if not _fits_digits(digits, looks):
            return 0
        told += len(np.unique(digits)) > 1
    return told


def _digit(values: NDArray[np.int64], place: int) -> NDArray[np.int64]:
    """The digit at a place from the right, from 0 on; ``_BLANK`` for zeros in front."""
    power = 10**place
    return np.where((values < power) & (place > 0), _BLANK, values // power % 10)


def _fits_digits(digits: NDArray[np.int64], looks: Looks) -> bool:
    """As :func:`_bijective`; a zero in front may look like a zero."""
    return _bijective(digits, looks) or _bijective(np.where(digits == _BLANK, 0, digits), looks)
