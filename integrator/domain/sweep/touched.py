"""Comparisons with earlier memory where little of it changed: only what changed is looked at.

A game changes a thousandth of its memory from frame to frame. A number whose bytes are what they
were did not grow, fall or make a step, so nobody has to sweep all others to learn that.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from integrator.domain.sweep.gather import Memory, values_at
from integrator.domain.sweep.masks import Words, shifted
from integrator.domain.sweep.ops import Predicate
from integrator.domain.sweep.planes import Plane
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.sets import (
    CandidateSet,
    Positions,
    count_bits,
    difference,
    differing,
    positions_of,
)
from integrator.domain.values.datatype import MAX_WIDTH

FEW: Final = 64
"""Not more than one address in so many is to be looked at."""
LITTLE_RAM_BYTES: Final = 1 << 18
"""In less memory a sweep is quicker than looking up single addresses."""


class Touched:
    """What changed between the two memories of a comparison."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._words: dict[int, Words] = {}
        self._positions: dict[tuple[int, int], Positions] = {}
        self._values: dict[tuple[int, int], tuple[Plane, Plane]] = {}

    def suits(self, predicate: Predicate, kind: str) -> bool:
        """Whether :meth:`answer` is quicker than a sweep."""
        if predicate.subject not in {"memory", "step"} or not predicate.sees_only_change(kind):
            return False
        if predicate.is_identity and kind != "f":
            # Told by packed masks alone.
            return False
        return self._is_little

    @cached_property
    def _is_little(self) -> bool:
        size = len(self._memory.current)
        if size < LITTLE_RAM_BYTES:
            return False
        count = count_bits(self._touched(1).view(np.uint8))
        return count * FEW <= size and (
            count_bits(self._touched(MAX_WIDTH).view(np.uint8)) * FEW <= size
        )

    def answer(
        self, data_type: SearchType, predicate: Predicate, candidates: CandidateSet
    ) -> CandidateSet:
        """Those of ``candidates`` for which the comparison holds."""
        positions = self._at(candidates, data_type.width)
        holds = predicate.holds(*self._both(data_type, candidates, positions))
        if not predicate.on_same:
            return CandidateSet.of_positions(positions[holds], candidates.size)
        return difference(candidates, CandidateSet.of_positions(positions[~holds], candidates.size))

    def _both(
        self, data_type: SearchType, candidates: CandidateSet, positions: Positions
    ) -> tuple[Plane, Plane]:
        """Values now and before; scales ask for the same ones."""
        key = (id(data_type), id(candidates))
        if key not in self._values:
            memory = self._memory
            if memory.reference is None:
                raise AssertionError("there is no memory to compare with")
            self._values[key] = (
                values_at(memory.current, positions, data_type),
                values_at(memory.reference, positions, data_type),
            )
        return self._values[key]

    def _at(self, candidates: CandidateSet, width: int) -> Positions:
        """Candidates any of whose bytes changed."""
        key = (id(candidates), width)
        if key not in self._positions:
            touched = candidates.bits & self._touched(width).view(np.uint8)
            self._positions[key] = positions_of(touched).astype(np.intp)
        return self._positions[key]

    def _touched(self, width: int) -> Words:
        """Start addresses where any of ``width`` bytes changed."""
        if width not in self._words:
            if width == 1:
                self._words[1] = self._differing()
            else:
                half = width // 2
                rest = shifted(self._touched(width - half), half)
                rest |= self._touched(half)
                self._words[width] = rest
        return self._words[width]

    def _differing(self) -> Words:
        now, before = self._memory.current, self._memory.reference
        if before is None:
            raise AssertionError("there is no memory to compare with")
        return differing(now, before).view(np.uint64)
