"""Bytes of a tile against numbers: where an equal or a greater one stands."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.masks import Masks, Words, digits_kind, pack
from integrator.domain.sweep.ops import Predicate
from integrator.domain.sweep.planes import base_of, is_run, number_digits, split_order
from integrator.domain.sweep.readings import SearchType

_BYTE_BITS: Final = 8
_TOP_BIT: Final = 7


class Numbers:
    """Answers about ``raw``, the bytes of a tile, for every start address, packed.

    ``nowhere`` is the one object that says "at no address", so that it can be told by identity.
    """

    def __init__(self, raw: NDArray[np.uint8], nowhere: Words) -> None:
        self.raw = raw
        self._nowhere = nowhere
        self._masks = Masks()

    def answer(self, data_type: SearchType, predicate: Predicate) -> Words:
        """Where the number satisfies a relation, lies in a range, or has a bit."""
        low = predicate.low
        match predicate.op:
            case "equal":
                return self._equal(data_type, low)
            case "not-equal":
                return ~self._equal(data_type, low)
            case "greater-than":
                return self._above(data_type, low)
            case "less-or-equal":
                return ~self._above(data_type, low)
            case "greater-or-equal":
                return self._above(data_type, low - 1)
            case "less-than":
                return ~self._above(data_type, low - 1)
            case "in-range":
                return self._above(data_type, low - 1) & ~self._above(data_type, predicate.high)
        bit = self._bit(data_type, low)
        return bit if predicate.op == "bit-set" else ~bit

    # -- equal ------------------------------------------------------------------------------

    def _equal(self, data_type: SearchType, value: int) -> Words:
        """Where a number is that the type can hold."""
        kind = digits_kind(data_type)
        row, said = _row_of(kind, data_type.order, value)
        if said is not row and self._pattern(kind, said, 0) is self._nowhere:
            # Without the zeros around it, it is what numbers of every width have in common.
            return self._nowhere
        return self._pattern(kind, row, 0)

    def _pattern(self, kind: str, row: bytes, index: int) -> Words:
        """Where the digits that begin ``index`` bytes further on are those of ``row``."""
        if len(row) == 1:
            return self._same(kind, row[0], index)
        key = (kind, row)
        found = self._masks.found(key, 0)
        if found is None:
            found = self._both(kind, row)
            self._masks.keep(key, found)
        return self._at(found, key, index)

    def _both(self, kind: str, row: bytes) -> Words:
        """A row is where both of its halves are; the half that says more is asked first."""
        short = len(row) - (1 << (len(row) - 1).bit_length() - 1)
        # Rows of narrow numbers are the ends of those of wide ones: cut so that they are shared.
        cut = len(row) - short if row[-1] == 0 else short
        first, first_at, second, second_at = row[cut:], cut, row[:cut], 0
        if not any(first):
            first, first_at, second, second_at = second, second_at, first, first_at
        found = self._pattern(kind, first, first_at)
        if found is self._nowhere:
            return found
        rest = self._pattern(kind, second, second_at)
        if rest is self._nowhere:
            return rest
        found = found & rest
        # Most rows of digits stand nowhere: from then on there is nothing to do for them.
        return found if np.bitwise_or.reduce(found) else self._nowhere

    def _same(self, kind: str, digit: int, index: int) -> Words:
        key = ("same", kind, digit)
        found = self._masks.found(key, 0)
        if found is None:
            mask = self._row(kind) == digit
            found = pack(mask) if mask.any() else self._nowhere
            self._masks.keep(key, found)
        return self._at(found, key, index)

    def _at(self, found: Words, key: tuple[object, ...], index: int) -> Words:
        """What ``found`` says of each byte, said of the byte ``index`` further on."""
        if found is self._nowhere or not index:
            return found
        return self._masks.at_words(key, index, lambda: found)

    # -- greater ----------------------------------------------------------------------------

    def _above(self, data_type: SearchType, value: int) -> Words:
        if value >= data_type.maximum:
            return self._nowhere
        if value < data_type.minimum:
            return ~self._nowhere
        kind, order = digits_kind(data_type), data_type.order
        if data_type.minimum >= 0:
            return self._above_digits(kind, order, value)
        # Of one sign, two's complement numbers are in the order of their bytes.
        negative = self._sign(order[0])
        above = self._above_digits(kind, order, value % base_of(kind) ** len(order))
        return above & ~negative if value >= 0 else above | ~negative

    def _above_digits(self, kind: str, order: tuple[int, ...], value: int) -> Words:
        """Where the digits, all without a sign, make more than ``value``."""
        digits = number_digits(kind, len(order), value)
        key = ("above", kind, order, value)
        found = self._masks.found(key, 0)
        if found is not None:
            return found
        said = len(bytes(digits).rstrip(b"\0"))
        indices = order[::-1]
        for index, digit in zip(indices[:said], digits, strict=False):
            greater = self._greater(kind, digit, index)
            if found is None:
                found = greater
            elif digit:
                found = greater | (self._same(kind, digit, index) & found)
            else:
                # What is not above nothing is nothing: no need to ask.
                found = greater | found
        if said < len(order):
            # Digits over those of the number: more than nothing in any of them is enough.
            filled = self._filled(kind, order[: len(order) - said])
            found = filled if found is None else filled | found
        if found is None:
            raise AssertionError("a type has at least one byte")
        self._masks.keep(key, found)
        return found

    def _filled(self, kind: str, order: tuple[int, ...]) -> Words:
        """Where any of these digits is more than nothing."""
        if len(order) == 1:
            return self._greater(kind, 0, order[0])
        start = min(order)
        if not is_run(order):
            high, low = split_order(order)
            return self._filled(kind, high) | self._filled(kind, low)
        half = len(order) // 2
        return self._masks.at_words(
            ("filled", kind, len(order)),
            start,
            lambda: (
                self._filled(kind, tuple(range(half)))
                | self._filled(kind, tuple(range(half, len(order))))
            ),
        )

    def _greater(self, kind: str, digit: int, index: int) -> Words:
        return self._masks.at(("greater", kind, digit), index, lambda: self._row(kind) > digit)

    def _sign(self, index: int) -> Words:
        return self._masks.at(("bit", _TOP_BIT), index, lambda: self.raw.view(np.int8) < 0)

    # -- bits -------------------------------------------------------------------------------

    def _bit(self, data_type: SearchType, number: int) -> Words:
        at, bit = divmod(number, _BYTE_BITS)
        if at >= data_type.width:
            if data_type.minimum >= 0:
                return self._nowhere
            at, bit = data_type.width - 1, _TOP_BIT
        flag = np.uint8(1 << bit)
        index = data_type.order[-1 - at]
        return self._masks.at(("bit", bit), index, lambda: (self.raw & flag) != 0)

    def _row(self, kind: str) -> NDArray[np.uint8]:
        return self._masks.digits(kind, self.raw)


@lru_cache(maxsize=4096)
def _row_of(kind: str, order: tuple[int, ...], value: int) -> tuple[bytes, bytes]:
    """Digits of a number as its bytes stand in memory, and those without zeros at their ends.

    Both are one object where there is nothing to leave out.
    """
    row = bytearray(len(order))
    for index, digit in zip(order[::-1], number_digits(kind, len(order), value), strict=True):
        row[index] = digit
    whole = bytes(row)
    said = whole.strip(b"\0")
    return whole, whole if len(said) in {0, len(whole)} else said
