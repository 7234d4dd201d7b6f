"""One tile of memory while a comparison sweeps it: answers for every start address, packed.

Most comparisons need no values at all. A number of any type is a row of digits, one a byte (base
256, 100 or 10), so two values are equal when all digits are, and one is greater when the first
digit that differs is. Those answers are arrays of one byte an address, and types share them. Only
comparisons with a threshold, remainders and bits decode values; differences decode the few
addresses whose lowest digit differs as it should.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from integrator.domain.datatype import MAX_WIDTH, DataType
from integrator.domain.search_gather import Memory, holds_at
from integrator.domain.search_ops import Predicate
from integrator.domain.search_planes import BASE, Planes, digit_table, split_order
from integrator.domain.search_sets import Bits, Mask

_FEW: Final = 16
"""Fewer changed bytes than one in so many are compared one by one, not by sweeping."""

Order = tuple[int, ...]


class Tile:
    """Start addresses ``start`` to ``start + length - 1`` of ``memory``."""

    def __init__(self, memory: Memory, start: int, length: int) -> None:
        self.length = length
        stop = start + length + MAX_WIDTH - 1
        current = padded(memory.current, start, stop)
        reference = None if memory.reference is None else padded(memory.reference, start, stop)
        counts = None if memory.counts is None else padded(memory.counts, start, stop)
        self._memory = Memory(current, reference, counts)
        self._planes = Planes(current)
        self._pair = None if reference is None else _Pair(current, reference)
        self._patterns: dict[tuple[str, bytes], Mask] = {}
        self._answers: dict[tuple[Any, ...], Bits] = {}

    def bits(self, data_type: DataType, predicate: Predicate) -> Bits:
        """Packed answers for every start address; what lies past a region's end is arbitrary."""
        key = (*_alike(data_type, predicate), predicate)
        if key not in self._answers:
            mask = self._mask(data_type, predicate)[: self.length]
            self._answers[key] = np.packbits(mask, bitorder="little")
        return self._answers[key]

    def _mask(self, data_type: DataType, predicate: Predicate) -> Mask:
        if predicate.subject == "count":
            return predicate.holds(self._busiest(data_type.width), None)
        if self._pair is not None:
            return self._against_memory(self._pair, data_type, predicate)
        if predicate.op in {"equal", "not-equal"}:
            equal = self._equal(data_type, predicate.low)
            return equal if predicate.op == "equal" else ~equal
        return predicate.holds(self._planes.of(data_type), None)

    def _against_memory(self, pair: _Pair, data_type: DataType, predicate: Predicate) -> Mask:
        if pair.is_still:
            return np.full(self.length, predicate.on_same)
        if predicate.subject == "step" and predicate.low:
            return self._stepped(pair, data_type, predicate)
        return pair.compare(data_type, "equal" if predicate.subject == "step" else predicate.op)

    def _stepped(self, pair: _Pair, data_type: DataType, predicate: Predicate) -> Mask:
        """Differences: exact where the lowest digit says that it may be."""
        answer = np.zeros(self.length, dtype=np.bool_)
        maybe = pair.changed(_digits_of(data_type), data_type.width)[: self.length]
        if np.count_nonzero(maybe) * _FEW > self.length:
            lowest = pair.residue(_digits_of(data_type), predicate.low)
            if predicate.op == "different-by":
                lowest = lowest | pair.residue(_digits_of(data_type), -predicate.low)
            at = data_type.order[-1]
            maybe = maybe & lowest[at : at + self.length]
        positions = np.flatnonzero(maybe)
        answer[positions] = holds_at(data_type, predicate, positions, self._memory)
        return answer

    def _equal(self, data_type: DataType, value: int) -> Mask:
        if not data_type.minimum <= value <= data_type.maximum:
            return np.zeros(self.length, dtype=np.bool_)
        return self._pattern(_digits_of(data_type), data_type.encode(value))

    def _pattern(self, kind: str, raw: bytes) -> Mask:
        """Where bytes count what those of ``raw`` count."""
        key = (kind, raw)
        found = self._patterns.get(key)
        if found is None:
            if len(raw) == 1:
                found = self._planes.digits(kind) == digit_table(kind)[raw[0]]
            else:
                half = len(raw) // 2
                found = _meet(
                    self._pattern(kind, raw[:half]), self._pattern(kind, raw[half:]), half
                )
            self._patterns[key] = found
        return found

    def _busiest(self, width: int) -> NDArray[np.uint32]:
        """How often the busiest of ``width`` bytes changed, for each start address."""
        counts = self._memory.counts
        if counts is None:
            raise AssertionError("change counts were not passed")
        found = counts[: self.length].copy()
        for offset in range(1, width):
            np.maximum(found, counts[offset : offset + self.length], out=found)
        return found


class _Pair:
    """Current against reference bytes of a tile, digit by digit."""

    def __init__(self, current: NDArray[np.uint8], reference: NDArray[np.uint8]) -> None:
        self._current = current
        self._reference = reference
        differs = current != reference
        self._touched = np.flatnonzero(differs)
        self.is_still = not len(self._touched)
        self.few = len(self._touched) * _FEW < len(current)
        self._changed: dict[tuple[str, int], Mask] = {("u", 1): differs}
        self._above: dict[tuple[str, Order, bool], Mask] = {}
        self._residues: dict[tuple[str, int], Mask] = {}

    def compare(self, data_type: DataType, op: str) -> Mask:
        """Where ``current op reference`` holds, read as ``data_type``."""
        changed = self.changed(_digits_of(data_type), data_type.width)
        if op in {"equal", "not-equal"}:
            return changed if op == "not-equal" else ~changed
        # Upstream keeps values in signed 64 bits, so the widest unsigned type is signed as well.
        signed = data_type.minimum < 0
        above = self._greater(_digits_of(data_type), data_type.order, signed=signed)
        if op in {"greater-than", "less-or-equal"}:
            return above if op == "greater-than" else ~above
        below = changed > above
        return below if op == "less-than" else ~below

    def changed(self, kind: str, width: int) -> Mask:
        """Where any of ``width`` digits differs."""
        found = self._changed.get((kind, width))
        if found is None:
            if width == 1:
                found = self._digitwise(kind, np.not_equal)
            else:
                half = 1 << (width - 1).bit_length() - 1
                first, second = self.changed(kind, half), self.changed(kind, width - half)
                length = min(len(first), len(second) - half)
                found = first[:length] | second[half : half + length]
            self._changed[kind, width] = found
        return found

    def _greater(self, kind: str, order: Order, *, signed: bool) -> Mask:
        """Where the current value of bytes ``order`` is above the reference value."""
        key = (kind, order, signed)
        found = self._above.get(key)
        if found is None:
            found = self._greater_of(kind, order, signed=signed)
            self._above[key] = found
        return found

    def _greater_of(self, kind: str, order: Order, *, signed: bool) -> Mask:
        if len(order) == 1:
            if signed:
                return self._current.view(np.int8) > self._reference.view(np.int8)
            return self._digitwise(kind, np.greater)
        high, low = split_order(order)
        high_at, low_at = min(high), min(low)
        length = len(self._current) - len(order) + 1
        above = self._greater(kind, _from_zero(high), signed=signed)[high_at : high_at + length]
        rest = self._greater(kind, _from_zero(low), signed=False)[low_at : low_at + length]
        decided = self.changed(kind, len(high))[high_at : high_at + length]
        # Of booleans, a > b is "a and not b".
        return above | (rest > decided)

    def _digitwise(self, kind: str, compare: np.ufunc) -> Mask:
        """A comparison of what each byte counts; false where the byte did not change."""
        if kind == "u":
            return cast("Mask", compare(self._current, self._reference))
        table = digit_table(kind)
        if not self.few:
            return cast("Mask", compare(table.take(self._current), table.take(self._reference)))
        found = np.zeros(len(self._current), dtype=np.bool_)
        found[self._touched] = compare(
            table[self._current[self._touched]], table[self._reference[self._touched]]
        )
        return found

    def residue(self, kind: str, step: int) -> Mask:
        """Where a digit differs as the lowest digit would when the value differs by ``step``."""
        base = BASE[kind]
        key = (kind, step % base)
        found = self._residues.get(key)
        if found is None:
            table = digit_table(kind)
            distance = table.take(self._current) - table.take(self._reference)
            # The difference of two bytes wraps at 256, also where the digit wraps earlier.
            found = (distance == step % base) | (distance == (step % base - base) % 256)
            self._residues[key] = found
        return found


def _digits_of(data_type: DataType) -> str:
    """Kind of the type's digits: signed types have those of unsigned ones."""
    return "u" if data_type.kind == "i" else data_type.kind


def _alike(data_type: DataType, predicate: Predicate) -> tuple[object, ...]:
    """Equal for types whose answers to the predicate are the same."""
    if predicate.subject == "count":
        return (data_type.width,)
    if predicate.is_identity:
        return _digits_of(data_type), data_type.width
    return data_type.kind, data_type.order


def _from_zero(order: Order) -> Order:
    first = min(order)
    return tuple(index - first for index in order)


def _meet(first: Mask, second: Mask, at: int) -> Mask:
    """Where ``first`` holds, and ``second`` holds ``at`` addresses further on."""
    length = min(len(first), len(second) - at)
    return first[:length] & second[at : at + length]


def padded(memory: NDArray[Any], start: int, stop: int) -> NDArray[Any]:
    """The slice, with zeros where it reaches past the end: no candidate starts there."""
    if stop <= len(memory):
        return memory[start:stop]
    part = np.zeros(stop - start, dtype=memory.dtype)
    part[: len(memory) - start] = memory[start:]
    return part
