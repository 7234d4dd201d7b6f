"""Applies one comparison to every candidate of every type, a tile of memory at a time.

A tile is small enough that the values of all types at all its addresses stay in the processor's
cache. Three shortcuts carry most searches: bytes that did not change need no decoding when memory
is compared with earlier memory; a type with few candidates left is gathered instead of swept; and
types or scales that ask the same question of the same set share the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.datatype import MAX_WIDTH, DataType
from integrator.domain.search_ops import Predicate
from integrator.domain.search_planes import Plane, Planes
from integrator.domain.search_scale import Scale
from integrator.domain.search_sets import Bits, CandidateSet, Mask, Positions, packed_length

TILE_BYTES: Final = 1 << 15
"""Start addresses of a tile: 8-byte values of all of them fit a second-level cache."""

_GATHER_SHARE: Final = 16
"""Fewer changed addresses than one in so many are decoded one by one."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One hypothesis: bytes are of this type, and the screen shows them at this scale."""

    data_type: DataType
    scale: Scale


Layers = Mapping[Layer, CandidateSet]


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory at the time of a comparison, each uint8 or uint32 (counts) of shape (bytes,).

    ``current`` and ``reference`` are in logical byte order; ``reference`` is earlier memory, when
    the comparison needs it; ``counts`` says how often each byte changed.
    """

    current: NDArray[np.uint8]
    reference: NDArray[np.uint8] | None
    counts: NDArray[np.uint32] | None


@dataclass(frozen=True, slots=True)
class _Job:
    """One question: which of ``candidates`` satisfy ``predicate`` as ``data_type``."""

    data_type: DataType
    predicate: Predicate
    candidates: CandidateSet


def refine(layers: Layers, predicates: Mapping[Layer, Predicate], memory: Memory) -> Layers:
    """The layers with only those candidates left for which their predicate holds."""
    jobs: dict[tuple[DataType, Predicate, int], _Job] = {}
    keys = {}
    for layer, candidates in layers.items():
        predicate = predicates[layer]
        keys[layer] = (layer.data_type, predicate, id(candidates))
        jobs[keys[layer]] = _Job(layer.data_type, predicate, candidates)
    answers = {}
    swept = []
    for key, job in jobs.items():
        if job.predicate.subject == "always" or not job.candidates.count:
            answers[key] = job.candidates
        elif job.predicate.subject == "never":
            answers[key] = CandidateSet.of_positions(
                np.empty(0, dtype=np.uint32), job.candidates.size
            )
        elif job.candidates.is_sparse:
            answers[key] = _gathered(job, memory)
        else:
            swept.append(key)
    answers.update(zip(swept, _sweep([jobs[key] for key in swept], memory), strict=True))
    return {layer: _same_if_equal(layers[layer], answers[keys[layer]]) for layer in layers}


def _same_if_equal(before: CandidateSet, after: CandidateSet) -> CandidateSet:
    """The old object when nothing went, so that a history holds it once."""
    return before if before.count == after.count else after


def _gathered(job: _Job, memory: Memory) -> CandidateSet:
    positions = job.candidates.positions
    keep = holds_at(job.data_type, job.predicate, positions, memory)
    return CandidateSet.of_positions(positions[keep], job.candidates.size)


def holds_at(
    data_type: DataType, predicate: Predicate, positions: Positions, memory: Memory
) -> Mask:
    """Whether the predicate holds at each of ``positions``, bool of the same shape."""
    if predicate.subject == "count":
        if memory.counts is None:
            raise AssertionError("change counts were not passed")
        return predicate.holds(busiest(memory.counts, positions, data_type.width), None)
    current = values_at(memory.current, positions, data_type)
    if memory.reference is None:
        return predicate.holds(current, None)
    return predicate.holds(current, values_at(memory.reference, positions, data_type))


def values_at(
    logical: NDArray[np.uint8], positions: Positions, data_type: DataType
) -> NDArray[np.int64]:
    """Values of ``data_type`` at ``positions`` of memory in logical order."""
    return data_type.decode_array(_spans(logical, positions, data_type.width))


def busiest(counts: NDArray[np.uint32], positions: Positions, width: int) -> NDArray[np.uint32]:
    """How often the busiest of ``width`` bytes at each position changed."""
    most: NDArray[np.uint32] = _spans(counts, positions, width).max(axis=1)
    return most


def _spans(logical: NDArray[Any], positions: Positions, width: int) -> NDArray[Any]:
    spans: NDArray[Any] = logical[positions[:, np.newaxis] + np.arange(width)]
    return spans


def _sweep(jobs: Sequence[_Job], memory: Memory) -> list[CandidateSet]:
    """Answers to jobs with many candidates each."""
    if not jobs:
        return []
    size = jobs[0].candidates.size
    results = [np.zeros(packed_length(size), dtype=np.uint8) for _ in jobs]
    old = [job.candidates.bits for job in jobs]
    for start in range(0, size, TILE_BYTES):
        tile = _Tile(memory, start, min(TILE_BYTES, size - start))
        first, last = start // 8, (start + tile.length + 7) // 8
        for job, before, after in zip(jobs, old, results, strict=True):
            np.bitwise_and(
                before[first:last], tile.bits(job.data_type, job.predicate), out=after[first:last]
            )
    return [CandidateSet.of_bits(bits, size) for bits in results]


class _Tile:
    """One tile's planes, and which of its values changed at all."""

    def __init__(self, memory: Memory, start: int, length: int) -> None:
        self.length = length
        stop = start + length + MAX_WIDTH - 1
        self._current = _padded(memory.current, start, stop)
        self._planes = Planes(self._current)
        self._counts = None if memory.counts is None else _padded(memory.counts, start, stop)
        self._widest: dict[int, NDArray[np.uint32]] = {}
        self._changed: dict[int, tuple[Mask, Bits, int]] = {}
        self._reference: NDArray[np.uint8] | None = None
        if memory.reference is not None:
            self._reference = _padded(memory.reference, start, stop)
            self._reference_planes = Planes(self._reference)
            self._differs = self._current != self._reference
            self._is_still = not self._differs.any()

    def bits(self, data_type: DataType, predicate: Predicate) -> Bits:
        """Packed answers of the predicate for every start address of the tile."""
        if predicate.subject == "count":
            return _packed(predicate.holds(self._most_changed(data_type.width), None))
        if self._reference is None:
            return _packed(predicate.holds(self._cut(self._planes.of(data_type)), None))
        return self._against_reference(self._reference, data_type, predicate)

    def _against_reference(
        self, reference: NDArray[np.uint8], data_type: DataType, predicate: Predicate
    ) -> Bits:
        if self._is_still:
            fill = 0xFF if predicate.on_same else 0
            return np.full((self.length + 7) // 8, fill, dtype=np.uint8)
        changed, packed, count = self._changes(data_type.width)
        if predicate.is_identity and data_type.kind in "ui":
            return ~packed if predicate.on_same else packed
        if count * _GATHER_SHARE > self.length:
            current = self._cut(self._planes.of(data_type))
            before = self._cut(self._reference_planes.of(data_type))
            return _packed(predicate.holds(current, before))
        positions = np.flatnonzero(changed)
        memory = Memory(self._current, reference, None)
        answer = np.full(self.length, predicate.on_same)
        answer[positions] = holds_at(data_type, predicate, positions, memory)
        return _packed(answer)

    def _changes(self, width: int) -> tuple[Mask, Bits, int]:
        """Where any of ``width`` bytes differs: as mask, packed, and how many."""
        found = self._changed.get(width)
        if found is None:
            mask = self._differs[: self.length].copy()
            for offset in range(1, width):
                mask |= self._differs[offset : offset + self.length]
            found = mask, _packed(mask), int(np.count_nonzero(mask))
            self._changed[width] = found
        return found

    def _most_changed(self, width: int) -> NDArray[np.uint32]:
        """How often the busiest of ``width`` bytes changed, for each start address."""
        found = self._widest.get(width)
        if found is None:
            if self._counts is None:
                raise AssertionError("change counts were not passed")
            found = self._counts[: self.length].copy()
            for offset in range(1, width):
                np.maximum(found, self._counts[offset : offset + self.length], out=found)
            self._widest[width] = found
        return found

    def _cut(self, plane: Plane) -> Plane:
        return plane[: self.length]


def _packed(mask: Mask) -> Bits:
    return np.packbits(mask, bitorder="little")


def _padded(memory: NDArray[Any], start: int, stop: int) -> NDArray[Any]:
    """The slice, with zeros where it reaches past the end: no candidate starts there."""
    if stop <= len(memory):
        return memory[start:stop]
    part = np.zeros(stop - start, dtype=memory.dtype)
    part[: len(memory) - start] = memory[start:]
    return part
