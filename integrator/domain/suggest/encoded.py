"""Numbers that are bits of a byte: beside others, or one for each thing that is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from integrator.domain.suggest.numbers import Number
from integrator.domain.suggest.play import Play
from integrator.domain.values.datatype import DataType

_BYTE: Final = DataType.parse("|u1")
_FIELDS: Final = ((0x03, 0), (0x07, 0), (0x0F, 0), (0xF0, 4), (0xE0, 5), (0xC0, 6))
"""Masks of few bits at an end of the byte, with the place of the lowest."""
_MOST_CHANGES: Final = 40
_FEWEST_FALLS: Final = 2


def bit_fields(play: Play) -> Iterator[Number]:
    """Bits that only fall by one, as lives do, beside bits that also change without them."""
    flips = play.ram[1:] ^ play.ram[:-1]
    for mask, shift in _FIELDS:
        changes = np.count_nonzero(flips & mask, axis=0)
        fits = (changes >= _FEWEST_FALLS) & (changes <= _MOST_CHANGES) & (changes < play.changes)
        for index in np.flatnonzero(fits).tolist():
            values = ((play.ram[:, index] & mask) >> shift).astype(np.int64)
            number = Number(int(play.places[index]), _BYTE, values, play.steady, mask=mask)
            if _only_falls(number):
                yield number


def lit_bits(play: Play) -> Iterator[Number]:
    """Bytes whose bits go out one by one from one end, as games keep a row of icons."""
    fits = (play.changes >= _FEWEST_FALLS) & (play.changes <= _MOST_CHANGES)
    chosen = np.flatnonzero(fits)
    old, new = play.ram[:-1, chosen], play.ram[1:, chosen]
    lit = ((new & ~old) != 0) & (new != play.ram[0, chosen]) & play.steady[1:, np.newaxis]
    for index in chosen[~lit.any(axis=0)].tolist():
        column, place = play.ram[:, index].astype(np.int64), int(play.places[index])
        rows = np.flatnonzero(play.steps[:, index]) + 1
        rows = rows[column[rows] != column[0]]
        before, after = column[rows - 1], column[rows]
        out = before & ~after
        lowest, highest = (before & -before), 1 << (np.frexp(before)[1].astype(np.int64) - 1)
        in_order = any((out == end).all() for end in (lowest, highest))
        counts = np.bitwise_count(column).astype(np.int64)
        number = Number(place, _BYTE, counts, play.steady, counts_bits=True)
        if in_order and _only_falls(number):
            yield number


def _only_falls(number: Number) -> bool:
    """True when the number falls by ones from its highest value, to which restarts return."""
    restarts = (number.steps > 1) & (number.values[number.rows] == number.values[0])
    falls = number.steps == -1
    only = number.values[0] == number.values.max() and bool((falls | restarts).all())
    return only and int(falls.sum()) >= _FEWEST_FALLS
