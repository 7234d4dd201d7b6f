"""Numbers that are not all of a byte: bits beside others, and digits as pointers to glyphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
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
_MOST_DIGITS: Final = 6
_FEWEST_CHANGING: Final = 2
_STRIDES: Final = (-2, 2, -1, 1)
"""Bytes from a digit to the next higher one; a pointer has two bytes."""


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
    """Digits kept as offsets of glyphs of eight lines: single ones that only fall, and rows."""
    digits: dict[int, NDArray[np.int64]] = {}
    seldom = (play.changes > 0) & (play.changes <= _SELDOM_SHARE * len(play.ram))
    pointing = ((play.ram % _GLYPH_LINES) == 0).mean(axis=0) >= _GLYPHS_SHARE
    for index in np.flatnonzero(seldom & pointing).tolist():
        found = _digit(play.ram[:, index])
        if found is not None:
            digits[int(play.places[index])] = found
    for place, lowest in digits.items():
        single = Number(place, _BYTE, lowest, play.steady, unit=_GLYPH_LINES)
        if _only_falls(single):
            yield single
        for stride in _STRIDES:
            row = _row(play, digits, place, stride)
            changing = sum(place + stride * n in digits for n in range(len(row)))
            if changing >= _FEWEST_CHANGING:
                values = np.sum([digit * 10**n for n, digit in enumerate(row)], axis=0)
                higher = tuple(place + stride * n for n in range(1, len(row)))
                number = Number(place, _BYTE, values, play.steady, changing - 1)
                yield replace(number, unit=_GLYPH_LINES, higher=higher)


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


def _row(
    play: Play, digits: dict[int, NDArray[np.int64]], place: int, stride: int
) -> list[NDArray[np.int64]]:
    """The digits of the number whose lowest one that changes is at ``place``."""
    row = [digits[place]]
    while len(row) < _MOST_DIGITS and 0 <= place + stride * len(row) < len(play.rest):
        higher = place + stride * len(row)
        found = digits[higher] if higher in digits else _digit(play.column(higher))
        if found is None:
            break
        row.append(found)
    return row
