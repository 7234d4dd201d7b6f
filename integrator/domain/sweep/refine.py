"""Hands each question to the kernel once, and shares the answer among types and scales."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep import _kernel  # type: ignore[attr-defined]  # compiled C
from integrator.domain.sweep.questions import Predicate, Question, question_of
from integrator.domain.sweep.readings import PLAIN, Scale, SearchType, scales_of
from integrator.domain.sweep.sets import (
    CandidateSet,
    Positions,
    empty,
    is_few,
    packed_length,
    starts,
)
from integrator.domain.values.memory import AddressSpace, DataType


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory at the time of a comparison: arrays of shape (bytes,), uint8 or (counts) uint32.
    ``current`` and ``reference`` are in console byte order. ``reference`` is the earlier memory if
    the comparison needs it; ``counts`` has the number of changes of each byte."""

    current: NDArray[np.uint8]
    reference: NDArray[np.uint8] | None
    counts: NDArray[np.uint32] | None


def values_at(
    logical: NDArray[np.uint8], positions: Positions, data_type: SearchType
) -> NDArray[Any]:
    """Return values, int64 or float64, at ``positions`` of memory in console byte order."""
    # Gather one column at a time, which is faster.
    columns = np.empty((data_type.width, len(positions)), np.uint8)
    for offset, column in enumerate(columns):
        # Positions were checked when candidates were made; "clip" only saves numpy a buffer.
        np.take(logical, positions + offset, out=column, mode="clip")
    return data_type.decode_array(columns.T)


ffi, lib = _kernel.ffi, _kernel.lib

Asked = tuple[Question, CandidateSet]  # a question and the candidates to test
_Row = NDArray[np.uint64]

_QUESTIONS_AT_ONCE: Final = 32


class Kernel:
    """Answers questions about memory (uint8 of shape (bytes,)), which must stay unchanged."""

    def __init__(self, now: NDArray[np.uint8], before: NDArray[np.uint8] | None) -> None:
        self._size = len(now)
        self._free: list[_Row] = []
        # The structure holds bare pointers, so these attributes keep the arrays alive.
        self._now = ffi.from_buffer("uint8_t[]", np.ascontiguousarray(now))
        self._before = (
            ffi.NULL
            if before is None
            else ffi.from_buffer("uint8_t[]", np.ascontiguousarray(before))
        )
        self._memory = ffi.new("memory *", (self._now, self._before, self._size))

    def answers(self, asked: Iterable[Asked]) -> list[CandidateSet]:
        nothing = empty(self._size)
        found: list[CandidateSet] = []
        many: list[tuple[int, bytes, CandidateSet]] = []
        for question, candidates in asked:
            if isinstance(question, bool) or not candidates.count:
                found.append(candidates if question else nothing)
            elif candidates.few is not None:
                found.append(self._pick(question, candidates.few))
            else:
                many.append((len(found), question, candidates))
                found.append(nothing)
        for first in range(0, len(many), _QUESTIONS_AT_ONCE):
            group = many[first : first + _QUESTIONS_AT_ONCE]
            for (number, _, _), left in zip(group, self._sweep(group), strict=True):
                found[number] = left
        self._free.clear()
        return found

    def _pick(self, question: bytes, positions: NDArray[np.uint32]) -> CandidateSet:
        left = np.empty(len(positions), np.uint32)
        count = lib.pick(
            self._memory,
            ffi.from_buffer("question[]", question),
            ffi.from_buffer("uint32_t[]", positions),
            len(positions),
            ffi.from_buffer("uint32_t[]", left),
        )
        return CandidateSet.of_positions(left[:count].copy(), self._size)

    def _sweep(self, group: Sequence[tuple[int, bytes, CandidateSet]]) -> list[CandidateSet]:
        candidates = [ffi.from_buffer("uint64_t[]", each.bits) for _, _, each in group]
        left = [self._take() for _ in group]
        pointers = [ffi.from_buffer("uint64_t[]", row) for row in left]
        counts = ffi.new("uint64_t[]", len(group))
        lib.sweep(
            self._memory,
            ffi.from_buffer("question[]", b"".join(question for _, question, _ in group)),
            len(group),
            ffi.new("uint64_t *[]", candidates),
            ffi.new("uint64_t *[]", pointers),
            counts,
        )
        return [self._as_set(row, count) for row, count in zip(left, counts, strict=True)]

    def _take(self) -> _Row:
        """Return an empty bitmap out of a block, since single ones cost a quarter of the time."""
        if not self._free:
            self._free = list(np.zeros((8, packed_length(self._size) // 8), np.uint64))
        return self._free.pop()

    def _as_set(self, row: _Row, count: int) -> CandidateSet:
        """Return the set of a bitmap, which the set owns; a small set frees it for reuse."""
        if not is_few(count, self._size):
            return CandidateSet(self._size, count, row.view(np.uint8), None)
        positions = np.empty(count, np.uint32)
        if count:
            lib.take_positions(
                ffi.from_buffer("uint64_t[]", row),
                len(row),
                ffi.from_buffer("uint32_t[]", positions),
            )
        self._free.append(row)
        return CandidateSet.of_positions(positions, self._size)


T = TypeVar("T", bound=SearchType)


@dataclass(frozen=True, slots=True, eq=False)
class Layer(Generic[T]):
    """A hypothesis: a type at a scale. Compared by identity, because there are hundreds."""

    data_type: T
    scale: Scale


LayersOf = Mapping[Layer[T], CandidateSet]
Layers = LayersOf[SearchType]  # the candidates of a search, by type and scale
NumberLayers = LayersOf[DataType]  # layers of data types only


def full_layers(
    space: AddressSpace, types: Sequence[T], *, scales: bool, alignment: int = 1
) -> LayersOf[T]:
    """Return layers with all addresses for every type (and scale); one set for each width."""
    by_width: dict[int, CandidateSet] = {}
    layers = {}
    for data_type in types:
        width = data_type.width
        if width not in by_width:
            by_width[width] = starts(space, width, alignment)
        for scale in scales_of(data_type) if scales else (PLAIN,):
            layers[Layer(data_type, scale)] = by_width[width]
    return layers


def refine(
    layers: LayersOf[T], predicate_of: Callable[[Scale], Predicate], memory: Memory
) -> LayersOf[T]:
    """Return the layers with only the candidates for which the comparison holds."""
    # Scales and types are compared by identity, which is fast for hundreds of layers.
    scales = {id(layer.scale): layer.scale for layer in layers}
    predicates = {key: predicate_of(scale) for key, scale in scales.items()}
    questions: dict[tuple[int, Predicate], Question] = {}
    asked: dict[tuple[Question, int], CandidateSet] = {}
    keys = []
    for layer, candidates in layers.items():
        predicate = predicates[id(layer.scale)]
        of_type = (id(layer.data_type), predicate)
        if of_type not in questions:
            questions[of_type] = question_of(layer.data_type, predicate)
        key = (questions[of_type], id(candidates))
        keys.append(key)
        asked[key] = candidates
    now = memory.current
    if memory.counts is not None:
        # The kernel tests these instead of bytes: 0 too few changes, 1 in the range, 2 too many.
        [times] = set(predicates.values())
        high = times.low if times.op == "equal" else times.high
        now = (memory.counts >= times.low).view(np.uint8) + (memory.counts > high)
    kernel = Kernel(now, memory.reference)
    found = kernel.answers([(question, each) for (question, _), each in asked.items()])
    answers = dict(zip(asked, found, strict=True))
    return {
        # Keep the old object if no candidate was dropped, so that a history shares it.
        layer: candidates if candidates.count == answers[key].count else answers[key]
        for key, (layer, candidates) in zip(keys, layers.items(), strict=True)
    }
