"""One tile of memory while a comparison sweeps it: answers for every start address, packed.

A number of any type is a row of digits, one a byte (base 256, 100 or 10). So a number equals
another when all digits do, is above it when the first digit that differs is, and differs from it by
a step when every digit does, carries included. What single bytes do is found out once for a tile, a
bit an address, and types put their answers together out of that by and, or and shift. Only
remainders, and bits of decimal numbers, need the values themselves.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.against_earlier import Pair
from integrator.domain.sweep.against_numbers import Numbers
from integrator.domain.sweep.gather import Memory
from integrator.domain.sweep.masks import WORD_BITS, Words, digits_kind, pack
from integrator.domain.sweep.ops import Predicate
from integrator.domain.sweep.planes import LARGEST_DIVISOR, Planes
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.sets import Bits, packed_length

_BYTE_BITS: Final = 8


class Tile:
    """Start addresses ``start`` to ``start + length - 1`` of ``memory``."""

    def __init__(self, memory: Memory, start: int, length: int) -> None:
        self.length = length
        self._packed_bytes = packed_length(length)
        # A word more than needed, because values reach past the last start address.
        stop = start + self._packed_bytes * _BYTE_BITS + WORD_BITS
        current = padded(memory.current, start, stop)
        self._nowhere: Words = np.zeros(len(current) // WORD_BITS, np.uint64)
        self._numbers = Numbers(current, self._nowhere)
        self._planes = Planes(current)
        self._earlier: Planes | None = None
        self._counts = None if memory.counts is None else padded(memory.counts, start, stop)
        self._pair: Pair | None = None
        if memory.reference is not None:
            reference = padded(memory.reference, start, stop)
            self._pair = Pair(current, reference, self._nowhere)
            self._earlier = Planes(reference)
        self._answers: dict[tuple[Any, ...], Words] = {}

    def bits(self, data_type: SearchType, predicate: Predicate) -> Bits | None:
        """Packed answers for every start address, as many bytes as ``packed_length(length)``.

        None where it holds nowhere. What lies past a region's or the tile's end is arbitrary.
        """
        # Equal predicates of one comparison are one object; telling them by id is quicker.
        key = (*_alike(data_type, predicate), id(predicate))
        words = self._answers.get(key)
        if words is None:
            words = self._answers[key] = self._answer(data_type, predicate)
        return None if words is self._nowhere else words.view(np.uint8)[: self._packed_bytes]

    def _answer(self, data_type: SearchType, predicate: Predicate) -> Words:
        if predicate.subject == "count":
            return pack(predicate.holds(self._busiest(data_type.width), None))
        if data_type.kind == "f":
            return self._real(data_type, predicate)
        if self._pair is not None:
            return self._pair.answer(data_type, predicate)
        if predicate.needs_values(data_type.kind):
            return self._decoded(data_type, predicate)
        return self._numbers.answer(data_type, predicate)

    def _decoded(self, data_type: SearchType, predicate: Predicate) -> Words:
        mask = np.zeros(len(self._numbers.raw), np.bool_)
        starts = mask[: len(mask) - data_type.width + 1]
        flag = 1 << predicate.low if predicate.is_bit else 0
        if predicate.op == "modulo" and predicate.low <= LARGEST_DIVISOR:
            starts[:] = self._planes.remainders(data_type, predicate.low) == predicate.high
        elif 0 < flag < LARGEST_DIVISOR:
            # The bits up to that one are a remainder, which is quicker than the whole number.
            low = self._planes.remainders(data_type, flag << 1)
            starts[:] = low >= flag if predicate.op == "bit-set" else low < flag
        else:
            starts[:] = predicate.holds(self._planes.of(data_type), None)
        return pack(mask)

    def _real(self, data_type: SearchType, predicate: Predicate) -> Words:
        mask = np.zeros(len(self._numbers.raw), np.bool_)
        earlier = None if self._earlier is None else self._earlier.of(data_type)
        mask[: len(mask) - data_type.width + 1] = predicate.holds(
            self._planes.of(data_type), earlier
        )
        return pack(mask)

    def _busiest(self, width: int) -> NDArray[np.uint32]:
        """How often the busiest of ``width`` bytes changed, for each start address."""
        if self._counts is None:
            raise AssertionError("change counts were not passed")
        found = self._counts.copy()
        for offset in range(1, width):
            np.maximum(found[:-offset], self._counts[offset:], out=found[:-offset])
        return found


def _alike(data_type: SearchType, predicate: Predicate) -> tuple[object, ...]:
    """Equal for types whose answers to the predicate are the same."""
    if predicate.subject == "count":
        return (data_type.width,)
    if predicate.is_identity and data_type.kind != "f":
        return digits_kind(data_type), data_type.width
    return data_type.kind, data_type.order


def padded(memory: NDArray[Any], start: int, stop: int) -> NDArray[Any]:
    """The slice, with zeros where it reaches past the end: no candidate starts there."""
    if stop <= len(memory):
        return memory[start:stop]
    part = np.zeros(stop - start, dtype=memory.dtype)
    part[: len(memory) - start] = memory[start:]
    return part
