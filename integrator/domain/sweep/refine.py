"""Applies one comparison to every candidate of every type and scale.

Types or scales that ask the same question of the same set share the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep import layout as search_layout
from integrator.domain.sweep.gather import Memory
from integrator.domain.sweep.kernel import Kernel
from integrator.domain.sweep.ops import Predicate
from integrator.domain.sweep.questions import Question, question_of
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.scale import PLAIN, Scale, scales_of
from integrator.domain.sweep.sets import CandidateSet
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

T = TypeVar("T", bound=SearchType)


@dataclass(frozen=True, slots=True, eq=False)
class Layer(Generic[T]):
    """One hypothesis: bytes are of this type, and the screen shows them at this scale.

    Compared by identity, because there are hundreds and every step looks each of them up.
    """

    data_type: T
    scale: Scale


LayersOf = Mapping[Layer[T], CandidateSet]
Layers = LayersOf[SearchType]
"""The candidates of a search, by type and scale."""
NumberLayers = LayersOf[DataType]
"""The same of data types alone."""


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


def refine(
    layers: LayersOf[T], predicate_of: Callable[[Scale], Predicate], memory: Memory
) -> LayersOf[T]:
    """The layers with only those candidates left for which the comparison holds."""
    # There are hundreds of layers: scales and types are told by identity, which is quick.
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
    kernel = Kernel(_counted(memory, predicates.values()), memory.reference)
    found = kernel.answers([(question, each) for (question, _), each in asked.items()])
    answers = dict(zip(asked, found, strict=True))
    return {
        # The old object where no candidate went, so that a history holds it once.
        layer: candidates if candidates.count == answers[key].count else answers[key]
        for key, (layer, candidates) in zip(keys, layers.items(), strict=True)
    }


def _counted(memory: Memory, predicates: Iterable[Predicate]) -> NDArray[np.uint8]:
    """The bytes that a comparison looks at.

    For change counts these are 0 for a byte that changed too seldom, 1 in the range asked for, and
    2 above. Scales make no difference to them.
    """
    if memory.counts is None:
        return memory.current
    [predicate] = set(predicates)
    high = predicate.low if predicate.op == "equal" else predicate.high
    return (memory.counts >= predicate.low).view(np.uint8) + (memory.counts > high)
