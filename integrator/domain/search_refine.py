"""Applies one comparison to every candidate of every type and scale.

Memory is swept a tile at a time, so that what is found out about it stays in the processor's cache
while every type asks for it. A type with few candidates left is looked at address by address, and
types or scales that ask the same question of the same set share the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from integrator.domain import search_layout
from integrator.domain.datatype import DataType
from integrator.domain.memory import AddressSpace
from integrator.domain.search_gather import Memory, holds_at
from integrator.domain.search_ops import Comparison, Predicate, predicate_for
from integrator.domain.search_scale import PLAIN, Scale, scales_of
from integrator.domain.search_sets import Bits, CandidateSet, empty
from integrator.domain.search_tile import Tile

TILE_BYTES: Final = 1 << 19
"""Start addresses of a tile; packed answers about all of them fit a second-level cache."""
VALUE_TILE_BYTES: Final = 1 << 16
"""The same where a comparison needs values, which are up to eight bytes each."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One hypothesis: bytes are of this type, and the screen shows them at this scale.

    Compared by identity, because there are hundreds and every step looks each of them up.
    """

    data_type: DataType
    scale: Scale


Layers = Mapping[Layer, CandidateSet]


_Key = tuple[int, int, int]
"""Identities of type, predicate and candidates."""


def full_layers(
    space: AddressSpace, types: Sequence[DataType], *, scales: bool, alignment: int = 1
) -> Layers:
    """Every address under every type, and scale if asked; types of one width share a set."""
    by_width: dict[int, CandidateSet] = {}
    layers = {}
    aligned = search_layout.aligned(space, alignment)
    for data_type in types:
        width = data_type.width
        if width not in by_width:
            by_width[width] = CandidateSet.of_mask(search_layout.starts(space, width) & aligned)
        for scale in scales_of(data_type) if scales else (PLAIN,):
            layers[Layer(data_type, scale)] = by_width[width]
    return layers


@dataclass(frozen=True, slots=True)
class _Job:
    """One question: which of ``candidates`` satisfy ``predicate`` as ``data_type``."""

    data_type: DataType
    predicate: Predicate
    candidates: CandidateSet


def refine(layers: Layers, asked: Comparison, memory: Memory) -> Layers:
    """The layers with only those candidates left for which the comparison holds."""
    predicates = _predicates(layers, asked)
    nothing = empty(len(memory.current))
    answers: dict[_Key, CandidateSet] = {}
    swept: dict[_Key, _Job] = {}
    decoded: dict[_Key, _Job] = {}
    keys = []
    for layer, candidates in layers.items():
        predicate = predicates[layer.scale]
        key = (id(layer.data_type), id(predicate), id(candidates))
        keys.append(key)
        if key in answers or key in swept or key in decoded:
            continue
        job = _Job(layer.data_type, predicate, candidates)
        if predicate.subject == "always" or not candidates.count:
            answers[key] = candidates
        elif predicate.subject == "never":
            answers[key] = nothing
        elif candidates.is_sparse:
            answers[key] = _gathered(job, memory)
        elif predicate.needs_values(layer.data_type.kind):
            decoded[key] = job
        else:
            swept[key] = job
    for jobs, tile_bytes in ((swept, TILE_BYTES), (decoded, VALUE_TILE_BYTES)):
        answers.update(zip(jobs, _sweep(list(jobs.values()), memory, tile_bytes), strict=True))
    return {
        layer: _same_if_equal(candidates, answers[key])
        for key, (layer, candidates) in zip(keys, layers.items(), strict=True)
    }


def _predicates(layers: Layers, asked: Comparison) -> dict[Scale, Predicate]:
    """The predicate of each scale; equal ones are one object, so that they can be told by id."""
    known: dict[Predicate, Predicate] = {}
    found = {}
    for scale in {layer.scale for layer in layers}:
        predicate = predicate_for(asked, scale)
        found[scale] = known.setdefault(predicate, predicate)
    return found


def _same_if_equal(before: CandidateSet, after: CandidateSet) -> CandidateSet:
    """The old object when nothing went, so that a history holds it once."""
    return before if before.count == after.count else after


def _gathered(job: _Job, memory: Memory) -> CandidateSet:
    positions = job.candidates.positions
    keep = holds_at(job.data_type, job.predicate, positions, memory)
    return CandidateSet.of_positions(positions[keep], job.candidates.size)


def _sweep(jobs: Sequence[_Job], memory: Memory, tile_bytes: int) -> list[CandidateSet]:
    """Answers to jobs with many candidates each."""
    size = len(memory.current)
    sets = {id(job.candidates): job.candidates for job in jobs}
    counts = {key: each.counts(tile_bytes) for key, each in sets.items()}
    parts: list[dict[int, Bits]] = [{} for _ in jobs]
    for number, start in enumerate(range(0, size, tile_bytes) if jobs else ()):
        tile = Tile(memory, start, min(tile_bytes, size - start))
        for job, found in zip(jobs, parts, strict=True):
            if counts[id(job.candidates)][number]:
                answer = tile.bits(job.data_type, job.predicate)
                before = job.candidates.bits[start // 8 : start // 8 + len(answer)]
                left = before & answer
                if np.bitwise_or.reduce(left.view(np.uint64)):
                    found[start] = left
    return [CandidateSet.of_parts(found, size) for found in parts]
