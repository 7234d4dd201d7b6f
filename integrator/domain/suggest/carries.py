"""Proves from carries which bytes are one number, in which order and of which base."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.play import Play
from integrator.domain.values.datatype import DataType

_MISSED_SHARE: Final = 0.1
"""Steps at which a higher digit may move without a reason: games also set numbers."""
ZEROS: Final = {"u": 1, "i": 1, "d": 3, "n": 6}
"""The usual width, up to which zeros in front are counted in."""
WIDEST: Final = {"u": 4, "i": 4, "d": 4, "n": 8}
_BLANKS: Final = {"d": 0xAA, "n": 10}
"""Games write them for digits that are not drawn."""


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """Bytes that may be one number. ``proofs`` counts carries that no other reading explains.

    ``bare`` is the width without zeros in front.
    """

    place: int
    type: DataType
    bare: int
    proofs: int

    @property
    def places(self) -> range:
        """The logical indexes of all bytes."""
        return range(self.place, self.place + self.type.width)


def is_code(column: NDArray[np.uint8], letter: str) -> bool:
    """True when all values of a byte are digits of a kind of number."""
    blank = column == _BLANKS.get(letter, 0)
    low = column & 15
    if letter == "d":
        return bool((((low < 10) & (column < 0xA0)) | blank).all())
    if letter == "n":
        return bool((low <= 10).all() and (column >> 4 == column[0] >> 4).all())
    return True


def is_text(column: NDArray[np.uint8]) -> bool:
    """True for digits with a picture's or a letter's code, such as 0x30 to 0x39."""
    return bool(column[0] >> 4) and is_code(column, "n")


def span_from(play: Play, place: int, letter: str, step: int) -> ByteSpan:
    """The number whose lowest byte is at ``place`` and that goes on in steps of ``step``.

    It ends before digits that move without a reason. One byte has no proofs.
    """
    one = DataType.parse(f"|{letter}1")
    lowest = play.column(place)
    text = letter == "n" and is_text(lowest)
    value, size = one.decode_array(lowest[:, None]), one.form.base
    width = bare = 1
    proofs = 0
    while width < WIDEST[letter] and 0 <= place + step * width < len(play.rest):
        byte = play.column(place + step * width)
        if not is_code(byte, letter) or (text and byte[0] >> 4 != lowest[0] >> 4):
            break
        digit = one.decode_array(byte[:, None])
        if not ((np.diff(digit) != 0) & play.steady[1:]).any():
            if digit[0] or (width >= ZEROS[letter] and not text):
                break
        else:
            # A digit that rests carries nothing, unless a row of text continues behind it.
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
    """The binary number whose lowest byte is at ``place``: carries prove its width and order."""
    spans = (span_from(play, place, "u", step) for step in (1, -1))
    return max(spans, key=lambda each: each.proofs)


def carried(
    low: NDArray[np.int64],
    high: NDArray[np.int64],
    sizes: tuple[int, int],
    steady: NDArray[np.bool_],
) -> int | None:
    """The carries from ``low`` into ``high``, which have so many values; None without agreement.

    Of steps that are alike in the low digits, those that pass the end move the high one by one
    more. Only with the right base does the same step come with and without a carry.
    """
    rows = np.flatnonzero(((np.diff(low) != 0) | (np.diff(high) != 0)) & steady[1:]) + 1
    rows = rows[(low[rows] != low[0]) | (high[rows] != high[0])]
    before = low[rows - 1]
    step = (low[rows] - before) % sizes[0]
    # Without a step of the low digits, the high one is free: a prize of 100 among some of 10.
    told = step != 0
    rows, before, step = rows[told], before[told], step[told]
    if not len(rows):
        return 0
    passed = before + step >= sizes[0]
    moved = (high[rows] - high[rows - 1]) % sizes[1]
    fits = _alike(step, (moved - passed) % sizes[1])
    proofs, missed = fits - _alike(step, moved), len(rows) - fits
    if missed > max(_MISSED_SHARE * len(rows), proofs - 1):
        return None
    return max(0, proofs)


def _alike(kinds: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    """The number of rows that have the commonest value of their kind."""
    pairs, counts = np.unique(kinds << 8 | values, return_counts=True)
    starts = np.flatnonzero(np.diff(pairs >> 8, prepend=-1))
    return int(np.maximum.reduceat(counts, starts).sum())


def spans_of(play: Play, places: NDArray[np.intp]) -> list[ByteSpan]:
    """The numbers of several bytes whose lowest changing byte is one of ``places``.

    The best proven first; no byte belongs to two.
    """
    found = []
    for place in places.tolist():
        column = play.column(place)
        text = is_text(column)
        for letter in "nud":
            if not is_code(column, letter) or (letter == "d" and text):
                continue
            spans = [span_from(play, place, letter, step) for step in (-1, 1)]
            # Most packed scores are big-endian, with zeros in front.
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
