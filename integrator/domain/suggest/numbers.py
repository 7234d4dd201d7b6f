"""Numbers that change now and then: plain bytes, and decimal numbers over several bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import Kind
from integrator.domain.values.datatype import DataType

_SLOW_SHARE: Final = 0.12
"""A number that people read changes on fewer frames than this share."""
_HIGHEST_BELOW: Final = 252
"""Bytes above it are small negative numbers, where the byte is else a small number."""
_BLANK: Final = 0xAA
"""Games write it for two digits that are not drawn."""
_CARRY_SHARE: Final = 0.7
_USUAL_BYTES: Final = 3
"""Most scores have six digits, so zeros in front are counted in up to here."""
_MOST_BYTES: Final = 4


@dataclass(frozen=True, eq=False)
class Number:
    """A number over the frames of some play.

    ``place`` is the logical index of its first byte, ``values`` int64 (frames,). ``carries`` counts
    how often a higher digit moved as a lower one overflowed.
    ``mask`` is that of bits beside others, of which the lowest counts one. ``counts_bits``: the
    values are counts of the bits that are set.
    """

    place: int
    type: DataType
    values: NDArray[np.int64]
    steady: NDArray[np.bool_]
    carries: int = 0
    mask: int | None = None
    counts_bits: bool = False

    @property
    def is_part(self) -> bool:
        """True for a number that is not its bytes' own."""
        return self.mask is not None or self.counts_bits

    @property
    def places(self) -> frozenset[int]:
        """The logical indexes of all bytes."""
        return frozenset(range(self.place, self.place + self.type.width))

    def may_be(self, kind: Kind) -> bool:
        """False where bits of a byte say too little of a kind."""
        return kind == "lives" or not self.is_part

    @cached_property
    def events(self) -> NDArray[np.bool_]:
        """True for rows 1, 2, ... that have another value than the row before."""
        differs: NDArray[np.bool_] = np.diff(self.values) != 0
        return differs & self.steady[1:]

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Rows, counted from 0, that have another value than the row before."""
        return np.flatnonzero(self.events) + 1

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """The differences at :attr:`rows`."""
        return self.values[self.rows] - self.values[self.rows - 1]


def slow_numbers(play: Play, slow_share: float = _SLOW_SHARE) -> Iterator[Number]:
    """Each byte that changes now and then, and decimal numbers that such bytes are part of.

    Bytes that change on more than ``slow_share`` of the frames are left out.
    """
    slow = np.flatnonzero((play.changes > 0) & (play.changes < slow_share * len(play.ram)))
    plain, signed = DataType.parse("|u1"), DataType.parse("|i1")
    decimal = _decimal(play.ram)
    for index in slow.tolist():
        place = int(play.places[index])
        column = play.ram[:, index]
        # Games count lives down to -1.
        below = (column > _HIGHEST_BELOW).any() and (
            (column > _HIGHEST_BELOW) | (column < 10)
        ).all()
        data_type = signed if below else plain
        yield Number(place, data_type, data_type.decode_array(column[:, None]), play.steady)
        if decimal[index]:
            yield from _decimals(play, place, "d")
        if _is_digit(column):
            yield from _decimals(play, place, "n")


def decoded(
    play: Play, place: int, data_type: DataType, rows: NDArray[np.intp] | slice = slice(None)
) -> NDArray[np.int64]:
    """The values of a number in rows of the play, int64 (rows,)."""
    raw = [play.column(place + offset)[rows] for offset in range(data_type.width)]
    return data_type.decode_array(np.stack(raw, axis=-1))


def words_of(play: Play) -> Iterator[tuple[int, DataType]]:
    """The place and type of each two bytes beside each other that change."""
    for index in np.flatnonzero(np.diff(play.places) == 1).tolist():
        # A low byte changes more often than the high one that it carries into.
        big = play.changes[index] < play.changes[index + 1]
        yield int(play.places[index]), DataType.parse(">u2" if big else "<u2")


def _is_digit(column: NDArray[np.uint8]) -> bool:
    """True when the low half is a decimal digit, or 10 for none, below a constant high half."""
    low = column & 15
    return bool((low <= 10).all() and (column >> 4 == column[0] >> 4).all())


def _decimal(ram: NDArray[np.uint8]) -> NDArray[np.bool_]:
    good = ((ram & 15) < 10) & (ram < 0xA0) | (ram == _BLANK)
    valid: NDArray[np.bool_] = good.all(axis=0)
    return valid


def _decimals(play: Play, place: int, kind: str) -> Iterator[Number]:
    """Decimal numbers whose lowest byte is at ``place``: both byte orders where they differ.

    With and without the zeros in front, of which nobody knows how many belong to the number.
    """
    spans = {step: _span(play, place, step, kind) for step in (-1, 1)}
    for step, span in spans.items():
        if span.carries < spans[-step].carries or (step == 1 and not span.carries):
            continue
        for width in sorted({span.bare, span.width}):
            if width == 1 and kind == "n":
                continue
            first = place - width + 1 if step < 0 else place
            sign = "|" if width == 1 else ">" if step < 0 else "<"
            data_type = DataType.parse(f"{sign}{kind}{width}")
            raw = np.stack([play.column(first + i) for i in range(width)], axis=-1)
            values = data_type.decode_array(raw)
            yield Number(first, data_type, values, play.steady, span.carries)


@dataclass(frozen=True, slots=True)
class _Span:
    """Bytes of a decimal number, without zeros in front and with, and the carries seen in it."""

    bare: int
    width: int
    carries: int


def _span(play: Play, place: int, step: int, kind: str) -> _Span:
    """The number that grows from its lowest byte at ``place`` in steps of ``step``."""
    bare, width, lower = 1, 1, play.column(place)
    carries = 0
    digits_wide = 2 if kind == "n" else 1
    while width < _MOST_BYTES * digits_wide and 0 <= place + step * width < len(play.rest):
        byte = play.column(place + step * width)
        if not (np.diff(byte.astype(np.int16)) * play.steady[1:]).any():
            if byte[0] != 0 or width >= _USUAL_BYTES * digits_wide:
                break
            width += 1
            continue
        fits = _is_digit(byte) if kind == "n" else bool(_decimal(byte[:, None])[0])
        if not fits or width > bare:
            break
        seen = _carries(lower, byte, play.steady)
        if seen is None:
            break
        carries += seen
        width += 1
        lower, bare = byte, width
    return _Span(bare, width, carries)


def _carries(
    lower: NDArray[np.uint8], higher: NDArray[np.uint8], steady: NDArray[np.bool_]
) -> int | None:
    """The carries from the lower byte into the higher; None when they are not one number."""
    low, high = (np.diff(byte.astype(np.int16)) * steady[1:] for byte in (lower, higher))
    if np.count_nonzero(high) > np.count_nonzero(low):
        return None
    # Both fall at a restart.
    fell, rose = (low < 0) & (high >= 0), high > 0
    if rose.sum() < _CARRY_SHARE * np.count_nonzero(high * (low >= 0)):
        return None
    carried = int((fell & rose).sum())
    return carried if carried >= _CARRY_SHARE * fell.sum() else None
