"""Explains the picture in a box by a number: the same number always looks the same, others differ.

The digits of a number are looked for first, in cells next to each other. Bars, rows of icons and
other pictures have no digits: there, the whole box has to look the same for the same number, and
different for different ones.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.glyphs import (
    EMPTY,
    Digits,
    Grid,
    Looks,
    Samples,
    fit_of,
    grids_of,
    key_of,
    looks_of,
    shapes_of,
)
from integrator.domain.suggest.numbers import Number, decoded, slow_numbers, words_of
from integrator.domain.suggest.play import BYTE, Play
from integrator.domain.suggest.screen import Looks as ScreenLooks
from integrator.domain.suggest.screen import ScreenNumber, fonts, read_screen
from integrator.domain.suggest.solving import lowest_digits, solve
from integrator.domain.values.datatype import DataType


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number that explains the box. ``cells`` are the cells with digits that were distinguished.

    ``is_code`` is true for a byte that stands for one digit, such as a pointer to its picture.
    ``bits`` measure the number against chance.
    """

    number: Number
    cells: int
    is_code: bool = False
    bits: float = 0.0


def explain(
    play: Play, samples: Samples, numbers: Sequence[ScreenNumber] = ()
) -> list[Explanation]:
    """The numbers that explain the box over all samples, best first.

    ``numbers`` are those of the screen that were read in the box.
    """
    read = [each for number in numbers for each in _explained(play, number)]
    found = read or list(_read(play, samples.drawn))
    found.sort(key=lambda each: _doubt(play, each, samples.rows))
    whole = _explain_whole(play, samples)
    # With few bits, digits that were read may be a coincidence.
    sure = [each for each in found if each.bits >= 4]
    every = [*sure, *whole, *found[len(sure) :]]
    first = {(each.number.place, each.number.type): each for each in reversed(every)}
    return [each for each in every if first[each.number.place, each.number.type] is each]


def _doubt(play: Play, found: Explanation, rows: NDArray[np.intp]) -> tuple[float, ...]:
    """Orders numbers that were read: by evidence, then likely types first."""
    place, data_type = found.number.place, found.number.type
    return (
        -found.bits,
        _is_padded(play, place, data_type, rows),
        found.is_code,
        data_type.kind != "d",
        -data_type.width,
        data_type.endian == "<",
    )


def _read(play: Play, samples: Samples) -> Iterator[Explanation]:
    """The numbers whose digits are read in cells of the box."""
    for grid in _likely(grids_of(samples.crops)):
        count = len(grid.glyphs)
        left = grid.stop - np.arange(count, 0, -1) * grid.width
        zero, wide = np.zeros(count, np.intp), np.full(count, grid.width)
        boxes = np.stack([left, zero, wide, wide], axis=1)
        looks = ScreenLooks(samples.rows, grid.glyphs[::-1].T.astype(np.int32), boxes, 1)
        for _, font in fonts(looks, lambda frames: lowest_digits(play, frames), in_box=True):
            for number in read_screen(looks, font):
                yield from _explained(play, number)
        for index, key in enumerate(grid.keys):
            if any(key):
                yield from _codes(play, samples.rows, grid.glyphs[index])


def _likely(grids: Iterable[Grid]) -> list[Grid]:
    """Grids that fit digits: their cells show few glyphs, and each of them in several cells."""
    ranked: dict[bytes, tuple[float, Grid]] = {}
    for grid in grids:
        moves = grid.glyphs[:, 1:] != grid.glyphs[:, :-1]
        if moves.any():
            seen = [np.unique(each) for each in grid.glyphs]
            glyphs, cells = np.unique(np.concatenate(seen), return_counts=True)
            several = np.isin(grid.glyphs, glyphs[(cells > 1) & (glyphs != EMPTY)])
            shared = int((moves & several[:, 1:]).sum())
            merit = shared * grid.width / 8 - len(glyphs)
            ranked.setdefault(key_of(grid.glyphs.ravel()), (merit, grid))
    best = sorted(ranked.values(), key=lambda pair: -pair[0])
    return [grid for _, grid in best[:24]]


def _explained(play: Play, read: ScreenNumber) -> Iterator[Explanation]:
    digits = np.char.zfill(read.values.astype(str), 9)
    table = np.array([list(each) for each in digits.tolist()])
    known = read.values >= 0
    changed = (table[1:] != table[:-1]) & (known[1:] & known[:-1])[:, np.newaxis]
    cells = int(changed.any(axis=0).sum())
    # Digits that change with those of the number, less the price of learning a glyph each.
    bits = 6.0 * float(changed.sum()) - 3.0 * len(np.unique(table[known]))
    for each in solve(play, read):
        if each.mask is None:
            values = decoded(play, each.place, each.type)
            # Games that draw a number keep its decimal digits, most of them packed.
            is_shown = (each.scale, each.offset) == (1, 0)
            odd = {"d": 0, "n": 1}.get(each.type.kind, 2) + 2 * (not is_shown)
            number = Number(each.place, each.type, values, play.steady)
            yield Explanation(number, cells, bits=bits - odd)


def _codes(play: Play, rows: NDArray[np.intp], looks: Digits) -> Iterator[Explanation]:
    """Bytes that stand for one digit, such as pointers to its picture."""
    for place in play.places.tolist():
        raw = play.column(place)[rows].astype(np.int64)
        if bits := fit_of(raw, looks):
            # Pointers to glyphs jump about, and scores make steps of few sizes.
            steps = np.abs(np.diff(raw))
            unrest = np.log2(steps[steps > 0] / np.gcd.reduce(steps)).sum()
            number = Number(place, BYTE, play.column(place).astype(np.int64), play.steady)
            yield Explanation(number, 1, is_code=True, bits=bits - 4.0 - 0.15 * unrest)


def _explain_whole(play: Play, samples: Samples) -> list[Explanation]:
    """Numbers with a look of the box each; by shapes if no number explains the colours."""
    words = ((place, kind, decoded(play, place, kind)) for place, kind in words_of(play))
    numbers = (Number(*word, play.steady) for word in words)
    every = [*slow_numbers(play, slow_share=1.0), *numbers]
    moving = [each for each in every if np.ptp(each.values[samples.rows])]
    for looks in (samples.looks, looks_of(shapes_of(samples.crops))):
        fitting = [each for each in moving if _bijective(each.values[samples.rows], looks)]
        if fitting:
            fitting.sort(key=lambda number: _oddness(play, number, samples.rows))
            return [Explanation(number, 0) for number in fitting]
    return []


def _is_padded(play: Play, place: int, data_type: DataType, rows: NDArray[np.intp]) -> bool:
    """True when several bytes move, and one of them distinguishes as many samples as all."""
    raw = np.stack([play.column(place + k)[rows] for k in range(data_type.width)])
    counts = [len(np.unique(byte)) for byte in raw]
    return sum(count > 1 for count in counts) > 1 and max(counts) == len(np.unique(raw, axis=1).T)


def _oddness(play: Play, number: Number, rows: NDArray[np.intp]) -> tuple[int, ...]:
    """Orders numbers that explain the box: those that change the least first."""
    width = number.type.width
    padded = _is_padded(play, number.place, number.type, rows)
    # A tile's code has a digit in its low half, and the same high half always.
    decimal = number.type.kind in "dn" and len(np.unique(number.values // 10)) > 1
    wide = number.type.kind == "u" and width > 1
    return wide, padded, not decimal, len(number.rows), -width if decimal else width


def _bijective(values: NDArray[np.int64], looks: Looks) -> bool:
    """True when each number has its own look, and each look its own number."""
    _, first = np.unique(looks, return_inverse=True)
    _, second = np.unique(values, return_inverse=True)
    counts = np.zeros((first.max() + 1, second.max() + 1), np.int64)
    np.add.at(counts, (first, second), 1)
    if max(counts.shape) > 2 * min(counts.shape):
        return False
    # Samples that agree with the commonest partner of each look, and of each number.
    agreed = min(counts.max(axis=axis).sum() for axis in (0, 1))
    # One may fall into the frames between a number's change and its drawing.
    return bool(agreed >= 0.95 * len(values))
