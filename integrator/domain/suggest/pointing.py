"""Explains the picture in a box by a number: the same number always looks the same, others differ.

The digits of a number are looked for first, in cells beside each other. Bars, rows of icons and
other pictures have no digits: there, the whole box has to look the same for the same number, and
different for different ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.digits import Told, tell_digits
from integrator.domain.suggest.glyphs import Looks, Samples, looks_of, shapes_of
from integrator.domain.suggest.numbers import Number, decoded, slow_numbers, words_of
from integrator.domain.suggest.play import Play
from integrator.domain.values.datatype import DataType

_AGREED_SHARE: Final = 0.95
"""A sample may fall into the frames between a number's change and its drawing."""
_SURE_BITS: Final = 4
"""With fewer bits, told digits may be a coincidence."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number that explains the box. ``cells`` are the cells with digits that were told apart.

    ``is_code`` is true for a byte that stands for one digit, such as a pointer to its picture.
    ``bits`` tell the number from a chance.
    """

    number: Number
    cells: int
    is_code: bool = False
    bits: float = 0.0


def explain(play: Play, samples: Samples) -> list[Explanation]:
    """The numbers that explain the box over all samples, best first."""
    rows = samples.rows
    told = sorted(tell_digits(play, samples), key=lambda told: _doubt(play, told, rows))
    whole = _explain_whole(play, samples)
    sure = [each for each in told if each.bits >= _SURE_BITS]
    unsure = [each for each in told if each.bits < _SURE_BITS]
    found = [*_explained(play, sure), *whole, *_explained(play, unsure)]
    first = {(each.number.place, each.number.type): each for each in reversed(found)}
    return [each for each in found if first[each.number.place, each.number.type] is each]


def _doubt(play: Play, told: Told, rows: NDArray[np.intp]) -> tuple[float, ...]:
    """Orders told numbers: by evidence, then likely types first."""
    data_type = told.type
    return (
        -told.bits,
        _is_padded(play, told.place, data_type, rows),
        told.is_code,
        data_type.kind != "d",
        -data_type.width,
        data_type.endian == "<",
    )


def _explained(play: Play, found: list[Told]) -> Iterator[Explanation]:
    for told in found:
        values = decoded(play, told.place, told.type)
        number = Number(told.place, told.type, values, play.steady)
        yield Explanation(number, told.weight.cells, told.is_code, told.bits)


# -- the whole box --------------------------------------------------------------------------


def _explain_whole(play: Play, samples: Samples) -> list[Explanation]:
    """Numbers with a look of the box each; by shapes if no number explains the colours."""
    moving = [
        (number, values)
        for number in _numbers(play)
        for values in (number.values[samples.rows],)
        if (values != values[0]).any()
    ]
    for looks in (samples.looks, looks_of(shapes_of(samples.crops))):
        fitting = [number for number, values in moving if _bijective(values, looks)]
        if fitting:
            fitting.sort(key=lambda number: _oddness(play, number, samples.rows))
            return [Explanation(number, 0) for number in fitting]
    return []


def _is_padded(play: Play, place: int, data_type: DataType, rows: NDArray[np.intp]) -> bool:
    """True when several bytes move, and one of them tells as many samples apart as all."""
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


def _numbers(play: Play) -> Iterator[Number]:
    yield from slow_numbers(play, slow_share=1.0)
    for place, data_type in words_of(play):
        yield Number(place, data_type, decoded(play, place, data_type), play.steady)


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
