"""One tile of memory while a comparison sweeps it: answers for every start address, packed.

A number of any type is a row of digits, one a byte (base 256, 100 or 10). So a number equals
another when all digits do, is above it when the first digit that differs is, and differs from it by
a step when every digit does, carries included. What single bytes do is found out once for a tile, a
bit an address, and types put their answers together out of that by and, or and shift. Only
remainders, and bits of decimal numbers, need the values themselves.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from integrator.domain.datatype import DataType
from integrator.domain.search_gather import Memory
from integrator.domain.search_masks import (
    SIGNED,
    WORD_BITS,
    Masks,
    Words,
    digits_kind,
    pack,
    shifted,
    told_by_digits,
)
from integrator.domain.search_ops import Predicate
from integrator.domain.search_planes import BASE, LARGEST_DIVISOR, Planes
from integrator.domain.search_sets import Bits, Mask, packed_length

_BYTE_BITS: Final = 8
_TOP_BIT: Final = 7


class Tile:
    """Start addresses ``start`` to ``start + length - 1`` of ``memory``."""

    def __init__(self, memory: Memory, start: int, length: int) -> None:
        self.length = length
        self._packed_bytes = packed_length(length)
        # A word more than needed, because values reach past the last start address.
        stop = start + self._packed_bytes * _BYTE_BITS + WORD_BITS
        current = padded(memory.current, start, stop)
        self._numbers = _Numbers(current)
        self._planes = Planes(current)
        self._counts = None if memory.counts is None else padded(memory.counts, start, stop)
        reference = memory.reference
        self._pair = None if reference is None else _Pair(current, padded(reference, start, stop))
        self._answers: dict[tuple[Any, ...], Bits] = {}

    def bits(self, data_type: DataType, predicate: Predicate) -> Bits:
        """Packed answers for every start address, as many bytes as ``packed_length(length)``.

        What lies past a region's or the tile's end is arbitrary.
        """
        # Equal predicates of one comparison are one object; telling them by id is quicker.
        key = (*_alike(data_type, predicate), id(predicate))
        if key not in self._answers:
            words = self._answer(data_type, predicate)
            self._answers[key] = words.view(np.uint8)[: self._packed_bytes]
        return self._answers[key]

    def _answer(self, data_type: DataType, predicate: Predicate) -> Words:
        if predicate.subject == "count":
            return pack(predicate.holds(self._busiest(data_type.width), None))
        if self._pair is not None:
            return self._pair.answer(data_type, predicate)
        if predicate.needs_values(data_type.kind):
            return self._decoded(data_type, predicate)
        return self._numbers.answer(data_type, predicate)

    def _decoded(self, data_type: DataType, predicate: Predicate) -> Words:
        mask = np.zeros(len(self._numbers.raw), np.bool_)
        starts = mask[: len(mask) - data_type.width + 1]
        if predicate.op == "modulo" and predicate.low <= LARGEST_DIVISOR:
            starts[:] = self._planes.remainders(data_type, predicate.low) == predicate.high
        else:
            starts[:] = predicate.holds(self._planes.of(data_type), None)
        return pack(mask)

    def _busiest(self, width: int) -> NDArray[np.uint32]:
        """How often the busiest of ``width`` bytes changed, for each start address."""
        if self._counts is None:
            raise AssertionError("change counts were not passed")
        found = self._counts.copy()
        for offset in range(1, width):
            np.maximum(found[:-offset], self._counts[offset:], out=found[:-offset])
        return found


class _Numbers:
    """Bytes of a tile against numbers."""

    def __init__(self, raw: NDArray[np.uint8]) -> None:
        self.raw = raw
        self._masks = Masks()
        self._nowhere: Words = np.zeros(len(raw) // WORD_BITS, np.uint64)

    def answer(self, data_type: DataType, predicate: Predicate) -> Words:
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

    def _equal(self, data_type: DataType, value: int) -> Words:
        if not data_type.minimum <= value <= data_type.maximum:
            return self._nowhere
        raw = bytearray(data_type.width)
        for index, digit in zip(
            reversed(data_type.order), _number_digits(data_type, value), strict=True
        ):
            raw[index] = digit
        return self._pattern(digits_kind(data_type), bytes(raw), 0)

    def _pattern(self, kind: str, row: bytes, index: int) -> Words:
        """Where the digits that begin ``index`` bytes further on are those of ``row``."""
        if len(row) == 1:
            return self._same(kind, row[0], index)
        half = len(row) // 2

        def both() -> Words:
            first = self._pattern(kind, row[:half], 0)
            if first is self._nowhere:
                return first
            second = self._pattern(kind, row[half:], half)
            found = first & second
            # Most rows of digits stand nowhere: from then on there is nothing to do for them.
            return found if np.bitwise_or.reduce(found) else self._nowhere

        found = self._masks.at_words((kind, row), 0, both)
        return found if found is self._nowhere else self._masks.at_words((kind, row), index, both)

    def _above(self, data_type: DataType, value: int) -> Words:
        if value >= data_type.maximum:
            return self._nowhere
        if value < data_type.minimum:
            return ~self._nowhere
        kind, found = digits_kind(data_type), None
        row = zip(reversed(data_type.order), _number_digits(data_type, value), strict=True)
        for index, digit in row:
            if data_type.minimum < 0 and index == data_type.order[0]:
                greater = self._greater_signed(digit, index)
            else:
                greater = self._greater(kind, digit, index)
                if not digit:
                    # What is not above nothing is nothing: no need to ask.
                    found = greater if found is None else greater | found
                    continue
            same = self._same(kind, digit, index)
            found = greater if found is None else greater | (same & found)
        return cast("Words", found)

    def _bit(self, data_type: DataType, number: int) -> Words:
        at, bit = divmod(number, _BYTE_BITS)
        if at >= data_type.width:
            if data_type.minimum >= 0:
                return self._nowhere
            at, bit = data_type.width - 1, _TOP_BIT
        flag = np.uint8(1 << bit)
        index = data_type.order[-1 - at]
        return self._masks.at(("bit", bit), index, lambda: (self.raw & flag) != 0)

    def _same(self, kind: str, digit: int, index: int) -> Words:
        return self._masks.at(("same", kind, digit), index, lambda: self._row(kind) == digit)

    def _greater(self, kind: str, digit: int, index: int) -> Words:
        return self._masks.at(("greater", kind, digit), index, lambda: self._row(kind) > digit)

    def _greater_signed(self, digit: int, index: int) -> Words:
        signed = digit - 256 if digit >> _TOP_BIT else digit
        return self._masks.at((SIGNED, signed), index, lambda: self.raw.view(np.int8) > signed)

    def _row(self, kind: str) -> NDArray[np.uint8]:
        return self._masks.digits(kind, self.raw)


class _Pair:
    """Bytes of a tile against those of earlier memory."""

    def __init__(self, current: NDArray[np.uint8], reference: NDArray[np.uint8]) -> None:
        self._current = current
        self._reference = reference
        differs = current != reference
        self._is_still = not differs.any()
        self._now, self._before = Masks(), Masks()
        self._unions: dict[tuple[str, int], Words] = {}
        self._orders: dict[tuple[str, tuple[int, ...]], Words] = {}
        self._now.put(("differs", "u"), differs)

    def answer(self, data_type: DataType, predicate: Predicate) -> Words:
        """Where the number now satisfies a relation to, or is a step from, the earlier one."""
        if self._is_still:
            nothing = np.zeros(len(self._current) // WORD_BITS, np.uint64)
            return ~nothing if predicate.on_same else nothing
        if predicate.subject == "step" and predicate.low:
            found = self._stepped(data_type, predicate.low)
            if predicate.op == "different-by":
                found = found | self._stepped(data_type, -predicate.low)
            return found
        return self._related(data_type, "equal" if predicate.subject == "step" else predicate.op)

    def _related(self, data_type: DataType, op: str) -> Words:
        changed = self._changed(digits_kind(data_type), data_type.width)
        match op:
            case "equal":
                return ~changed
            case "not-equal":
                return changed
            case "greater-than":
                return self._above(data_type)
            case "less-or-equal":
                return ~self._above(data_type)
            case "less-than":
                return changed & ~self._above(data_type)
        return ~changed | self._above(data_type)

    def _changed(self, kind: str, width: int) -> Words:
        """Where any of ``width`` digits differs."""
        if width == 1:
            return self._differs(kind, 0)
        if (kind, width) not in self._unions:
            half = width // 2
            rest = shifted(self._changed(kind, width - half), half)
            self._unions[kind, width] = self._changed(kind, half) | rest
        return self._unions[kind, width]

    def _above(self, data_type: DataType) -> Words:
        """Where the number grew."""
        key = (data_type.kind, data_type.order)
        if key not in self._orders:
            self._orders[key] = told_by_digits(data_type, self._grew, self._differs)
        return self._orders[key]

    def _stepped(self, data_type: DataType, step: int) -> Words:
        """Where the number now is the earlier one plus ``step``, which is not zero.

        Follows two cases from digit to digit, lowest first: no carry, or one, comes from below.
        """
        kind = digits_kind(data_type)
        base = BASE[kind]
        if abs(step) >= base**data_type.width:
            return np.zeros(len(self._current) // WORD_BITS, np.uint64)
        sign = 1 if step > 0 else -1
        plain: Words | None = None
        carried: Words | None = None
        for index, digit in zip(
            reversed(data_type.order), _number_digits(data_type, abs(step)), strict=True
        ):
            # The digit that came on, without or with a carry from below, and if it wrapped.
            now, wrapped = sign * digit, sign * (digit - base)
            if plain is None or carried is None:
                plain, carried = self._moved(kind, now, index), self._moved(kind, wrapped, index)
                continue
            plain, carried = (
                (plain & self._moved(kind, now, index))
                | (carried & self._moved(kind, now + sign, index)),
                (plain & self._moved(kind, wrapped, index))
                | (carried & self._moved(kind, wrapped + sign, index)),
            )
        if plain is None or carried is None:
            raise AssertionError("a type has at least one byte")
        if data_type.minimum >= 0:
            return plain
        # A carry out of the top only means that the sign changed; running over turns the order.
        grew = self._above(data_type)
        return (plain | carried) & (grew if step > 0 else ~grew)

    def _moved(self, kind: str, by: int, index: int) -> Words:
        """Where a digit is now higher by exactly ``by``."""
        if by == 0:
            return ~self._differs(kind, index)
        base = BASE[kind]
        if abs(by) >= base:
            return np.zeros(len(self._current) // WORD_BITS, np.uint64)

        def moved() -> Mask:
            now, before = self._rows(kind)
            found: Mask = now - before == by % 256
            found &= (now > before) if by > 0 else (now < before)
            return found

        return self._now.at(("moved", kind, by), index, moved)

    def _differs(self, kind: str, index: int) -> Words:
        return self._now.at(("differs", kind), index, lambda: np.not_equal(*self._rows(kind)))

    def _grew(self, kind: str, index: int) -> Words:
        return self._now.at(("grew", kind), index, lambda: np.greater(*self._rows(kind)))

    def _rows(self, kind: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Digits now and before."""
        if kind == SIGNED:
            return self._current.view(np.int8), self._reference.view(np.int8)
        return self._now.digits(kind, self._current), self._before.digits(kind, self._reference)


def _number_digits(data_type: DataType, value: int) -> list[int]:
    """Digits of a number as the type keeps it, lowest first."""
    base = BASE[digits_kind(data_type)]
    stored = value % base**data_type.width
    return [stored // base**place % base for place in range(data_type.width)]


def _alike(data_type: DataType, predicate: Predicate) -> tuple[object, ...]:
    """Equal for types whose answers to the predicate are the same."""
    if predicate.subject == "count":
        return (data_type.width,)
    if predicate.is_identity:
        return digits_kind(data_type), data_type.width
    return data_type.kind, data_type.order


def padded(memory: NDArray[Any], start: int, stop: int) -> NDArray[Any]:
    """The slice, with zeros where it reaches past the end: no candidate starts there."""
    if stop <= len(memory):
        return memory[start:stop]
    part = np.zeros(stop - start, dtype=memory.dtype)
    part[: len(memory) - start] = memory[start:]
    return part
