"""Applies one comparison to every candidate of every type and scale.

Memory is swept a tile at a time, so that what is found out about it stays in the processor's cache
while every type asks for it. A type with few candidates left is looked at address by address, and
types or scales that ask the same question of the same set share the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from integrator.domain.sweep import layout as search_layout
from integrator.domain.sweep.gather import Memory, holds_at
from integrator.domain.sweep.ops import Predicate
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.scale import PLAIN, Scale, scales_of
from integrator.domain.sweep.sets import BitRows, CandidateSet, SetBuilder, empty
from integrator.domain.sweep.tile import Tile
from integrator.domain.sweep.touched import Touched
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

T = TypeVar("T", bound=SearchType)

TILE_BYTES: Final = 1 << 19
"""Start addresses of a tile; packed answers about all of them fit a second-level cache."""
VALUE_TILE_BYTES: Final = 1 << 16
"""The same where a comparison needs values, which are up to eight bytes each."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer(Generic[T]):
    """One hypothesis: bytes are of this type, and the screen shows them at this scale.

    Compared by identity, because there are hundreds and every step looks each of them up.
    """

    data_type: T
    scale: Scale


LayersOf = Mapping[Layer[T], CandidateSet]
Layers = LayersOf[SearchType]
"""What a search has left."""
NumberLayers = LayersOf[DataType]
"""The same of data types alone."""


_Key = tuple[int, int, int]
"""Identities of type, predicate and candidates."""


def full_layers(
    space: AddressSpace, types: Sequence[T], *, scales: bool, alignment: int = 1
) -> LayersOf[T]:
    """Every address under every type, and scale if asked; types of one width share a set."""
    by_width: dict[int, CandidateSet] = {}
    layers = {}
    for data_type in types:
        width = data_type.width
        if width not in by_width:
            by_width[width] = search_layout.starts(space, width, alignment)
        for scale in scales_of(data_type) if scales else (PLAIN,):
            layers[Layer(data_type, scale)] = by_width[width]
    return layers


@dataclass(frozen=True, slots=True)
class _Job:
    """One question: which of ``candidates`` satisfy ``predicate`` as ``data_type``."""

    data_type: SearchType
    predicate: Predicate
    candidates: CandidateSet


class _Questions:
    """Answers what a comparison asks, every question once; what needs a sweep is put off."""

    def __init__(self, memory: Memory) -> None:
        self.answers: dict[_Key, CandidateSet] = {}
        self._memory = memory
        self._touched = Touched(memory) if memory.reference is not None else None
        self._nothing = empty(len(memory.current))
        self._limits: dict[int, tuple[int, int]] = {}
        # The first of questions that have the same answer.
        self._same: dict[tuple[Hashable, ...], _Key] = {}
        self._others: dict[_Key, _Key] = {}
        self._swept: dict[_Key, _Job] = {}
        self._decoded: dict[_Key, _Job] = {}

    def ask(
        self, key: _Key, data_type: SearchType, predicate: Predicate, candidates: CandidateSet
    ) -> None:
        """Take in a question that was not asked yet."""
        known = self._known(data_type, predicate)
        if known is not None or not candidates.count:
            self.answers[key] = candidates if known else self._nothing
            return
        kind = data_type.kind
        if kind == "i" and predicate.low >= 0 and predicate.is_equality:
            # The bytes of a number above zero are those of one without a sign.
            kind = "u"
        first = self._same.setdefault((kind, data_type.order, *key[1:]), key)
        if first is not key:
            self._others[key] = first
        elif candidates.is_sparse:
            self.answers[key] = _gathered(_Job(data_type, predicate, candidates), self._memory)
        elif self._touched is not None and self._touched.suits(predicate, kind):
            self.answers[key] = self._touched.answer(data_type, predicate, candidates)
        else:
            decoded = predicate.needs_values(kind)
            jobs = self._decoded if decoded else self._swept
            jobs[key] = _Job(data_type, predicate, candidates)

    def finish(self) -> None:
        """Answer what is left."""
        for jobs, tile_bytes in ((self._swept, TILE_BYTES), (self._decoded, VALUE_TILE_BYTES)):
            found = _sweep(list(jobs.values()), self._memory, tile_bytes)
            self.answers.update(zip(jobs, found, strict=True))
        for key, first in self._others.items():
            self.answers[key] = self.answers[first]

    def _known(self, data_type: SearchType, predicate: Predicate) -> bool | None:
        """What holds for all numbers of the type, whatever memory says."""
        if data_type.kind == "f":
            # Not even a number that nothing excludes is one for sure.
            return False if predicate.subject == "never" else None
        limits = self._limits.get(id(data_type))
        if limits is None:
            limits = self._limits[id(data_type)] = (data_type.minimum, data_type.maximum)
        return predicate.within(*limits)


def refine(
    layers: LayersOf[T], predicate_of: Callable[[Scale], Predicate], memory: Memory
) -> LayersOf[T]:
    """The layers with only those candidates left for which the comparison holds."""
    predicates = _predicates(layers, predicate_of)
    questions = _Questions(memory)
    asked_for: set[_Key] = set()
    keys = []
    for layer, candidates in layers.items():
        # There are hundreds of layers: everything here is told by identity, which is quick.
        predicate = predicates[id(layer.scale)]
        key = (id(layer.data_type), id(predicate), id(candidates))
        keys.append(key)
        if key not in asked_for:
            asked_for.add(key)
            questions.ask(key, layer.data_type, predicate, candidates)
    questions.finish()
    answers = questions.answers
    return {
        # The old object where nothing went, so that a history holds it once.
        layer: candidates if candidates.count == answers[key].count else answers[key]
        for key, (layer, candidates) in zip(keys, layers.items(), strict=True)
    }


def _predicates(
    layers: LayersOf[T], predicate_of: Callable[[Scale], Predicate]
) -> dict[int, Predicate]:
    """The predicate of each scale, by the scale's identity.

    Equal ones are one object, so that they can be told by id.
    """
    known: dict[Predicate, Predicate] = {}
    found = {}
    for key, scale in {id(layer.scale): layer.scale for layer in layers}.items():
        predicate = predicate_of(scale)
        found[key] = known.setdefault(predicate, predicate)
    return found


def _gathered(job: _Job, memory: Memory) -> CandidateSet:
    positions = job.candidates.positions
    keep = holds_at(job.data_type, job.predicate, positions, memory)
    return CandidateSet.of_positions(positions[keep], job.candidates.size)


def _sweep(jobs: Sequence[_Job], memory: Memory, tile_bytes: int) -> list[CandidateSet]:
    """Answers to jobs with many candidates each."""
    size = len(memory.current)
    sets = {id(job.candidates): job.candidates for job in jobs}
    counts = {key: each.counts(tile_bytes).tolist() for key, each in sets.items()}
    bits = {key: each.bits for key, each in sets.items()}
    builders: list[SetBuilder | None] = [None] * len(jobs)
    rows = BitRows(size)
    for number, start in enumerate(range(0, size, tile_bytes) if jobs else ()):
        tile = Tile(memory, start, min(tile_bytes, size - start))
        for at, job in enumerate(jobs):
            key = id(job.candidates)
            if counts[key][number]:
                answer = tile.bits(job.data_type, job.predicate)
                if answer is not None:
                    before = bits[key][start // 8 : start // 8 + len(answer)]
                    found = builders[at] = builders[at] or SetBuilder(size, rows)
                    found.add(start, before, answer)
    nothing = empty(size)
    return [nothing if found is None else found.build() for found in builders]
