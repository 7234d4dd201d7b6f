"""Numbers that change now and then: bytes, bits of bytes, decimal numbers over several bytes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.carries import is_code, is_text, spans_of
from integrator.domain.suggest.play import BYTE, SLOW_SHARE, Play
from integrator.domain.values.datatype import DataType

_HIGHEST_BELOW: Final = 252
"""Bytes above it are small negative numbers, where the byte is else a small number."""


@dataclass(frozen=True, eq=False)
class Number:
    """A number over the frames of some play.

    ``place`` is the logical index of its first byte, ``values`` int64 (frames,).
    ``mask`` is that of bits beside others, of which the lowest counts one. ``counts_bits``: the
    values are counts of the bits that are set.
    """

    place: int
    type: DataType
    values: NDArray[np.int64]
    steady: NDArray[np.bool_]
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


def slow_numbers(play: Play, slow_share: float = SLOW_SHARE) -> Iterator[Number]:
    """Each byte that changes now and then, and numbers of several bytes.

    Bytes that change on more than ``slow_share`` of the frames are left out, and bytes of numbers
    that carries prove, because alone they have other values.
    """
    often = play.changes >= slow_share * len(play.ram)
    slow = np.flatnonzero((play.changes > 0) & ~often)
    wide = spans_of(play, play.places[slow])
    proven = {place for span in wide if span.proofs for place in span.places}
    for span in wide:
        yield Number(span.place, span.type, decoded(play, span.place, span.type), play.steady)
    for index in slow.tolist():
        place = int(play.places[index])
        if place not in proven:
            for letter in _letters(play.ram[:, index]):
                data_type = DataType.parse(f"|{letter}1")
                yield Number(place, data_type, decoded(play, place, data_type), play.steady)


def _letters(column: NDArray[np.uint8]) -> str:
    """The kinds of number that one byte may be."""
    # Games count lives down to -1.
    below = (column > _HIGHEST_BELOW).any() and ((column > _HIGHEST_BELOW) | (column < 10)).all()
    if is_text(column):
        return "un"
    # Below ten, plain and packed bytes are the same numbers, and plain ones are simpler.
    return ("i" if below else "u") + ("d" if column.max() > 9 and is_code(column, "d") else "")


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


_FIELDS: Final = ((0x03, 0), (0x07, 0), (0x0F, 0), (0xF0, 4), (0xE0, 5), (0xC0, 6))
"""Masks of few bits at an end of the byte, with the place of the lowest."""
MOST_CHANGES: Final = 40
_FEWEST_FALLS: Final = 2


def bit_fields(play: Play) -> Iterator[Number]:
    """Bits that only fall by one, as lives do, beside bits that also change without them."""
    flips = play.ram[1:] ^ play.ram[:-1]
    for mask, shift in _FIELDS:
        changes = np.count_nonzero(flips & mask, axis=0)
        fits = (changes >= _FEWEST_FALLS) & (changes <= MOST_CHANGES) & (changes < play.changes)
        for index in np.flatnonzero(fits).tolist():
            values = ((play.ram[:, index] & mask) >> shift).astype(np.int64)
            number = Number(int(play.places[index]), BYTE, values, play.steady, mask=mask)
            if _only_falls(number):
                yield number


def lit_bits(play: Play) -> Iterator[Number]:
    """Bytes whose bits go out one by one from one end, as games keep a row of icons."""
    fits = (play.changes >= _FEWEST_FALLS) & (play.changes <= MOST_CHANGES)
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
        number = Number(place, BYTE, counts, play.steady, counts_bits=True)
        if in_order and _only_falls(number):
            yield number


def _only_falls(number: Number) -> bool:
    """True when the number falls by ones from its highest value, to which restarts return."""
    restarts = (number.steps > 1) & (number.values[number.rows] == number.values[0])
    falls = number.steps == -1
    only = number.values[0] == number.values.max() and bool((falls | restarts).all())
    return only and int(falls.sum()) >= _FEWEST_FALLS
