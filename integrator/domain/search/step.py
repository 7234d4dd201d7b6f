"""A search at one step, and a comparison that is about to make the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from integrator.domain.search.operators import Comparison
from integrator.domain.search.saved import SearchStep
from integrator.domain.sweep.gather import Memory
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.refine import Layers, refine
from integrator.domain.sweep.sets import CandidateSet, union


@dataclass(frozen=True)
class State:
    """The search after a step."""

    step: SearchStep | None
    layers: Layers = field(repr=False)

    @cached_property
    def sets(self) -> Mapping[SearchType, CandidateSet]:
        """Candidates of each type under any scale."""
        # There are hundreds of layers, and types are slow to hash: told by identity first.
        by_identity: dict[int, tuple[SearchType, list[CandidateSet]]] = {}
        for layer, candidates in self.layers.items():
            data_type = layer.data_type
            known = by_identity.get(id(data_type))
            if known is None:
                known = by_identity[id(data_type)] = (data_type, [])
            known[1].append(candidates)
        by_type: dict[SearchType, list[CandidateSet]] = {}
        for data_type, sets in by_identity.values():
            by_type.setdefault(data_type, []).extend(sets)
        return {data_type: union(sets) for data_type, sets in by_type.items()}

    @property
    def count(self) -> int:
        """Addresses times types left."""
        return sum(each.count for each in self.sets.values())


@dataclass(frozen=True)
class Refinement:
    """A planned comparison of one search; see :meth:`Search.plan`.

    Its data are immutable, so that any one thread can ask for :attr:`count` or :attr:`layers` while
    the game runs; the work is done then, once.
    """

    state: State
    asked: Comparison
    memory: Memory

    @cached_property
    def layers(self) -> Layers:
        """The candidates that the comparison leaves."""
        return refine(self.state.layers, self.asked.predicate, self.memory)

    @cached_property
    def count(self) -> int:
        """The number of candidates that the comparison leaves."""
        return State(None, self.layers).count
