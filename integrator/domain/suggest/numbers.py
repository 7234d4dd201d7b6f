"""Numbers that change now and then, and carries, which prove that several bytes are one number."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.domain.suggest.play import SLOW_SHARE, Play
from integrator.domain.values.memory import BYTE, AddressSpace, DataType

ZEROS: Final = {"u": 1, "i": 1, "d": 3, "n": 6}
"""The usual width of each kind of number in bytes. Leading zeros belong to it up to this width."""
WIDEST: Final = {"u": 4, "i": 4, "d": 4, "n": 8}
MOST_CHANGES: Final = 40


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """Bytes that may be one number. ``proofs`` counts carries that no other reading explains.
    ``bare`` is the width without leading zeros; ``places`` are the logical indexes of all bytes."""

    place: int
    type: DataType
    bare: int
    proofs: int

    @property
    def places(self) -> range:
        return range(self.place, self.place + self.type.width)


def is_code(column: NDArray[np.uint8], letter: str) -> bool:
    """Return True if all values of a byte are digits of the kind of number ``letter``."""
    low = column & 15
    if letter == "d":  # games write 0xAA, or 10, for digits that are not drawn
        return bool((((low < 10) & (column < 0xA0)) | (column == 0xAA)).all())
    if letter != "n":
        return True
    # Bytes of a row of text are 0, or a space, until it is drawn.
    row = (column >> 4 == column.max() >> 4) | (column == 0) | (column == ord(" "))
    return bool((low <= 10).all() and row.all())


def is_text(column: NDArray[np.uint8]) -> bool:
    """Return True for a byte of digits that are coded as characters or tiles, as 0x30 to 0x39."""
    high = int(column.max()) & 0xF0
    return high > 0 and is_code(column, "n") and bool(np.ptp(column[column >= high]))


def span_from(play: Play, place: int, letter: str, step: int) -> ByteSpan:
    """Return the number whose lowest byte is at ``place`` and whose next byte is ``step`` further.

    It ends before another region, and before a digit that changes without a carry. A number of one
    byte has no proofs."""
    one = DataType.parse(f"|{letter}1")
    lowest = play.column(place)
    text = letter == "n" and is_text(lowest)
    value, size = one.decode_array(lowest[:, None]), one.form.base
    width = bare = 1
    proofs = 0
    while width < WIDEST[letter] and play.reaches(further := place + step * width, step):
        if letter == "u" and further not in play.columns:
            break
        byte = play.column(further)
        if not is_code(byte, letter) or (text and byte.max() >> 4 != lowest.max() >> 4):
            break
        digit = one.decode_array(byte[:, None])
        if not ((np.diff(digit) != 0) & play.steady[1:]).any():
            if digit[0] or (width >= ZEROS[letter] and not text):
                break
        else:
            # A constant digit proves no carry, so the number ends there, except in a row of text.
            if bare < width and not text:
                break
            seen = carried(value, digit, (size, one.form.base), play.steady)
            if seen is None or not (seen or letter != "u"):
                break
            proofs, bare = proofs + seen, width + 1
        value = value + digit * size
        size *= one.form.base
        width += 1
    if letter == "u":
        width = bare
    first = place - width + 1 if step < 0 else place
    sign = "|" if width == 1 else ">" if step < 0 else "<"
    return ByteSpan(first, DataType.parse(f"{sign}{letter}{width}"), bare, proofs)


def whole_number(play: Play, place: int) -> ByteSpan:
    """Return the binary number with lowest byte ``place``; carries prove its width and order."""
    spans = (span_from(play, place, "u", step) for step in (1, -1))
    return max(spans, key=lambda each: each.proofs)


def carried(
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    sizes: tuple[int, int],
    steady: NDArray[np.bool_],
) -> int | None:
    """Return the number of carries from ``low`` into ``high`` that prove one number, or None.

    ``sizes`` are the numbers of values of both. Of equal steps of the low digits, those that pass
    the end must move the high digit by one more. Equal steps with and without a carry are proof,
    because they only fit the right base. None says that the two do not fit together."""
    moves = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    rows = np.flatnonzero(moves & steady[1:]) + 1
    rows = rows[(low[rows] != low[0]) | (high[rows] != high[0])]
    before = low[rows - 1]
    step = (low[rows] - before) % sizes[0]
    # Steps of the high digit alone say nothing: there may be a prize of 100 among prizes of 10.
    stepped = step != 0
    rows, before, step = rows[stepped], before[stepped], step[stepped]
    if not len(rows):
        return 0
    passed = before + step >= sizes[0]
    moved = (high[rows] - high[rows - 1]) % sizes[1]
    fits = _alike(step, (moved - passed) % sizes[1])
    proofs, missed = fits - _alike(step, moved), len(rows) - fits
    # Games also set numbers, so a few steps of the high digit may be without a carry.
    if missed > max(0.1 * len(rows), proofs - 1):
        return None
    # Without a proof, low digits that pass the end only by large steps really fall.
    if proofs <= 0 and passed.any() and (step[passed] > sizes[0] / 2).all():
        return None
    return max(0, proofs)


def _alike(kinds: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    """Return the number of rows that have the most common value of their kind."""
    most: dict[int, int] = {}
    for pair, rows in Counter((kinds << 8 | values).tolist()).items():
        most[pair >> 8] = max(most.get(pair >> 8, 0), rows)
    return sum(most.values())


def spans_of(play: Play, places: NDArray[np.intp]) -> list[ByteSpan]:
    """Return numbers of several bytes whose lowest changing byte is one of ``places``.

    The best proven numbers come first, and no byte of a proven number belongs to another one."""
    found = []
    for place in places.tolist():
        column = play.column(place)
        text = is_text(column)
        for letter in "nud":
            if not is_code(column, letter) or (letter == "d" and text):
                continue
            spans = [span_from(play, place, letter, step) for step in (-1, 1)]
            # Most packed scores are big-endian, with leading zeros.
            padded = letter == "d" and spans[0].type.width > 1
            found += [span for span in spans if span.bare > 1 or (padded and span is spans[0])]
    found.sort(key=lambda span: (span.proofs == 0, -span.proofs, -span.bare, span.type.endian))
    taken: set[int] = set()
    apart = []
    for span in found:
        if span.proofs and taken.isdisjoint(span.places):
            taken.update(span.places)
            apart.append(span)
    return apart + [span for span in found if not span.proofs and taken.isdisjoint(span.places)]


@dataclass(frozen=True, slots=True)
class DigitRow:
    """Bytes that are not adjacent, each with a digit of a number, at logical indexes ``places``.
    The lowest digit comes first. A byte that is no digit counts as 0."""

    coding: Coding
    places: tuple[int, ...]

    def values(self, play: Play) -> NDArray[np.int64]:
        """Return the number on each frame; if it is written digit by digit, the whole one."""
        raw = np.stack([play.column(each) for each in self.places], axis=-1)
        weights = 10 ** np.arange(len(self.places))
        values: NDArray[np.int64] = np.maximum(self.coding.digits(raw), 0) @ weights
        moved = np.flatnonzero(np.diff(values)) + 1
        for run in np.split(moved, np.flatnonzero(np.diff(moved) > 1) + 1):
            if 1 < len(run) <= len(self.places):
                values[run[0] : run[-1]] = values[run[-1]]
        return values

    def pieces(self, space: AddressSpace) -> Pieces:
        weighed = ((space.address_of(each), 10**at) for at, each in enumerate(self.places))
        return Pieces(self.coding, tuple(Piece(*each) for each in weighed))


@dataclass(frozen=True, eq=False)
class Number:
    """A number over the frames of some play. ``place`` is the logical index of its first byte,
    ``values`` int64 (frames,). ``mask`` selects some bits of a byte, of which the lowest counts
    one. ``counts_bits`` is true if the values count the bits that are set. ``is_part`` is true in
    both cases. ``row`` has the digits of a number whose bytes are not adjacent; ``place`` and
    ``type`` are its lowest digit's."""

    place: int
    type: DataType
    values: NDArray[np.int64]
    steady: NDArray[np.bool_]
    mask: int | None = None
    counts_bits: bool = False
    row: DigitRow | None = None

    @property
    def is_part(self) -> bool:
        return self.mask is not None or self.counts_bits

    @property
    def is_digits(self) -> bool:
        """True if each byte has one decimal digit."""
        return self.row is not None or self.type.kind == "n"

    @property
    def places(self) -> frozenset[int]:
        if self.row is not None:
            return frozenset(self.row.places)
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
        return self.values[self.rows] - self.values[self.rows - 1]

    @property
    def course(self) -> bytes:
        """The values as bytes, which are equal for readings that agree on all frames."""
        return self.values.tobytes()

    @property
    def carries(self) -> int:
        """The count of rises in which the lowest changing decimal digit falls, as from 9 to 10."""
        if self.type.form.is_binary and not self.is_digits:
            return 0
        unit = 1
        while len(self.rows) and not (self.steps % (10 * unit)).any():
            unit *= 10
        low = self.values // unit % 10
        rises = (self.steps > 0) & (self.steps < 10 * unit)
        return int(np.count_nonzero(rises & (low[self.rows] < low[self.rows - 1])))


def slow_numbers(play: Play, slow_share: float = SLOW_SHARE) -> Iterator[Number]:
    """Yield each byte that changes now and then, and numbers of several bytes.

    Bytes that change on more than ``slow_share`` of the frames are left out. Bytes of numbers that
    carries prove are no numbers by themselves."""
    slow = np.flatnonzero(play.alone & (play.changes < slow_share * len(play.ram)))
    wide = spans_of(play, play.places[slow])
    proven = {place for span in wide if span.proofs for place in span.places}
    for span in wide:
        yield number_at(play, span.place, span.type)
    for index in slow.tolist():
        place = int(play.places[index])
        if place not in proven:
            for letter in _letters(play.ram[:, index]):
                yield number_at(play, place, DataType.parse(f"|{letter}1"))


def _letters(column: NDArray[np.uint8]) -> str:
    # Games count lives down to -1: high bytes are small negative numbers among small numbers.
    below = (column > 252).any() and ((column > 252) | (column < 10)).all()
    if is_text(column):
        return "un"
    # Below ten, plain and packed bytes are the same numbers, and plain ones are simpler.
    return ("i" if below else "u") + ("d" if column.max() > 9 and is_code(column, "d") else "")


def number_at(play: Play, place: int, data_type: DataType, mask: int | None = None) -> Number:
    """Return a number, or bits of it, over the play."""
    raw = [play.column(place + offset) for offset in range(data_type.width)]
    values = data_type.decode_array(np.stack(raw, axis=-1))
    values = values if mask is None else (values & mask) // (mask & -mask)
    return Number(place, data_type, values, play.steady, mask)


def words_of(play: Play) -> Iterator[Number]:
    joined = (np.diff(play.places) == 1) & ~np.isin(play.places[1:], list(play.borders))
    for index in np.flatnonzero(joined).tolist():
        # A low byte changes more often than the high one that it carries into.
        big = play.changes[index] < play.changes[index + 1]
        yield number_at(play, int(play.places[index]), DataType.parse(">u2" if big else "<u2"))


def bit_fields(play: Play) -> Iterator[Number]:
    """Yield bits that only fall by ones, as lives do, of bytes in which other bits change too."""
    columns = np.flatnonzero(play.alone)
    flips, most = play.ram[1:, columns] ^ play.ram[:-1, columns], play.changes[columns]
    for mask in (0x03, 0x07, 0x0F, 0xF0, 0xE0, 0xC0):
        changes = np.count_nonzero(flips & mask, axis=0)
        own = columns[(changes >= 2) & (changes <= MOST_CHANGES) & (changes < most)]
        falls = _only_fall((play.ram[:, own] & mask) // (mask & -mask), play.steady)
        for index in own[falls].tolist():
            yield number_at(play, int(play.places[index]), BYTE, mask)


def lit_bits(play: Play) -> Iterator[Number]:
    """Yield bytes whose bits are cleared one by one from one end, as for a row of icons."""
    seldom = (play.changes >= 2) & (play.changes <= MOST_CHANGES)
    chosen = np.flatnonzero(play.alone & seldom)
    chosen = chosen[_only_fall(np.bitwise_count(play.ram[:, chosen]), play.steady)]
    old, new = play.ram[:-1, chosen], play.ram[1:, chosen]
    lit = ((new & ~old) != 0) & (new != play.ram[0, chosen]) & play.steady[1:, np.newaxis]
    for index in chosen[~lit.any(axis=0)].tolist():
        column = play.ram[:, index].astype(np.int64)
        rows = np.flatnonzero(play.steps[:, index]) + 1
        rows = rows[column[rows] != column[0]]
        before, after = column[rows - 1], column[rows]
        out = before & ~after
        ends = before & -before, 1 << (np.frexp(before)[1].astype(np.int64) - 1)
        if any((out == end).all() for end in ends):
            counts = np.bitwise_count(column).astype(np.int64)
            yield Number(int(play.places[index]), BYTE, counts, play.steady, counts_bits=True)


def _only_fall(values: NDArray[Any], steady: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of columns that only fall by ones from their first, highest value. They may
    return to that value, as at a restart, and must fall at least twice."""
    steps = np.diff(values.astype(np.int16), axis=0)
    steps[~steady[1:]] = 0
    falls = steps == -1
    restarts = (steps > 1) & (values[1:] == values[0])
    only: NDArray[np.bool_] = (falls | restarts | (steps == 0)).all(axis=0)
    only &= (values[0] == values.max(axis=0)) & (np.count_nonzero(falls, axis=0) >= 2)
    return only
