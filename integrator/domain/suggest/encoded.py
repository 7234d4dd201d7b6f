"""Numbers that are not all of a byte: bits beside others, and digits as pointers to glyphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.numbers import Number
from integrator.domain.suggest.play import Play
from integrator.domain.values.datatype import DataType

_BYTE: Final = DataType.parse("|u1")
_FIELDS: Final = ((0x03, 0), (0x07, 0), (0x0F, 0), (0xF0, 4), (0xE0, 5), (0xC0, 6))
"""Masks of few bits at an end of the byte, with the place of the lowest."""
_MOST_CHANGES: Final = 40
_FEWEST_FALLS: Final = 2
_SELDOM_SHARE: Final = 0.12
_GLYPH_LINES: Final = 8
_BLANKS: Final = (10, 11)
"""Glyphs behind those of the ten digits, of which games draw one for no digit."""
_GLYPHS_SHARE: Final = 0.9


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


def _only_falls(number: Number) -> bool:
    """True when the number falls by ones from its highest value, to which restarts return."""
    restarts = (number.steps > 1) & (number.values[number.rows] == number.values[0])
    falls = number.steps == -1
    only = number.values[0] == number.values.max() and bool((falls | restarts).all())
    return only and int(falls.sum()) >= _FEWEST_FALLS


def pointed_digits(play: Play) -> Iterator[Number]:
    """Digits that only fall, kept as offsets of glyphs of eight lines."""
    seldom = (play.changes > 0) & (play.changes <= _SELDOM_SHARE * len(play.ram))
    pointing = ((play.ram % _GLYPH_LINES) == 0).mean(axis=0) >= _GLYPHS_SHARE
    for index in np.flatnonzero(seldom & pointing).tolist():
        digits = _digit(play.ram[:, index])
        if digits is not None:
            place = int(play.places[index])
            number = Number(place, _BYTE, digits, play.steady, unit=_GLYPH_LINES)
            if _only_falls(number):
                yield number


def _digit(column: NDArray[np.uint8]) -> NDArray[np.int64] | None:
    """The digit of each frame, 0 for a blank; None for a byte that is no pointer to glyphs."""
    glyph, rest = np.divmod(column, _GLYPH_LINES)
    good = (rest == 0) & (glyph <= _BLANKS[-1])
    if good.mean() < _GLYPHS_SHARE or not good[0]:
        return None
    # Elsewhere the byte has another use for a while, in which the digit before counts.
    last = np.maximum.accumulate(np.where(good, np.arange(len(column)), 0))
    shown: NDArray[np.int64] = np.where(glyph < _BLANKS[0], glyph, 0)[last].astype(np.int64)
    return shown
