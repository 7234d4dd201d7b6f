"""The steps of a search with the RAM of each, so that undo can compare with it again.

Only the present step's RAM is held whole. Each other step keeps the bytes that differ from its
neighbour towards the present, which are few: a search that refines on every frame stays small.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.operators import Comparison
from integrator.domain.search.saved import SearchStep
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.refine import Layers, Memory, refine
from integrator.domain.sweep.sets import CandidateSet, count_bits, differing, positions_of, union


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


_WHOLE_SHARE: Final = 8
"""With more bytes changed than one in so many, offsets would take more room than the RAM."""


@dataclass(frozen=True, slots=True)
class _Patch:
    """Bytes to write at offsets; the whole RAM when ``offsets`` is None."""

    offsets: NDArray[np.uint32] | None
    values: NDArray[np.uint8]

    @staticmethod
    def between(source: NDArray[np.uint8], target: NDArray[np.uint8]) -> "_Patch":
        """The bytes that make ``target`` out of ``source``."""
        if source is target:
            return _Patch(np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint8))
        changed = differing(source, target)
        if count_bits(changed) * _WHOLE_SHARE > len(target):
            return _Patch(None, target)
        offsets = positions_of(changed)
        return _Patch(offsets, target[offsets])

    def applied(self, ram: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The patched RAM; the same object when no byte changes."""
        if self.offsets is None:
            return self.values
        if not len(self.offsets):
            return ram
        patched = ram.copy()
        patched[self.offsets] = self.values
        return patched


class RamTrail:
    """RAMs of steps 0, 1, ...; arrays are taken over and must not be written to any more."""

    def __init__(self, ram: NDArray[np.uint8]) -> None:
        self.present = ram
        self._back: list[_Patch] = []
        self._forward: list[_Patch] = []

    def push(self, ram: NDArray[np.uint8]) -> None:
        """A new step after the present one; steps that were undone are forgotten."""
        self._back.append(_Patch.between(ram, self.present))
        self._forward.clear()
        self.present = ram

    def undo(self) -> None:
        """Go to the step before; there has to be one."""
        before = self._back.pop().applied(self.present)
        self._forward.append(_Patch.between(before, self.present))
        self.present = before

    def redo(self) -> None:
        """Go to the step that was undone last; there has to be one."""
        after = self._forward.pop().applied(self.present)
        self._back.append(_Patch.between(after, self.present))
        self.present = after

    @property
    def bytes_held(self) -> int:
        """Memory of all patches and the present RAM, in bytes."""
        patches = (*self._back, *self._forward)
        offsets = sum(patch.offsets.nbytes for patch in patches if patch.offsets is not None)
        return int(self.present.nbytes + offsets + sum(patch.values.nbytes for patch in patches))
