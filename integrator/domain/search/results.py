"""The candidates of a search at one moment, and the numbers in a row of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.activity import Changes
from integrator.domain.sweep.gather import values_at
from integrator.domain.sweep.layout import addresses_of
from integrator.domain.sweep.readings import BitField, FloatType, SearchType
from integrator.domain.sweep.refine import Layers
from integrator.domain.sweep.scale import Scale
from integrator.domain.sweep.sets import CandidateSet, Positions, union
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace


@dataclass(frozen=True, slots=True)
class Candidate:
    """One address read as one type that the search still considers.

    ``value``, ``previous`` and ``first`` are stored numbers: now, at the last refinement, and when
    the search began. ``scale`` is the simplest remaining hypothesis of how the screen shows them
    and ``scales`` all of them. ``changes`` counts the changes of the busiest byte, ``age`` the
    frames since the last one: 0 on the newest frame, NEVER_CHANGED when there was none. ``mask`` is
    that of a bit field: as stable-retro does not shift masked numbers, stored numbers are not
    shifted either, and the scale says so. ``real`` says that the bytes are a floating-point number;
    ``type`` is then the whole number that they make, the only one that a variable can have.
    """

    address: int
    type: DataType
    value: int | float
    previous: int | float
    first: int | float
    changes: int
    age: int
    scale: Scale
    scales: tuple[Scale, ...]
    mask: int | None = None
    real: FloatType | None = None

    @property
    def type_text(self) -> str:
        """The type, with the mask if it has one: ``|u1&0x08``."""
        if self.real is not None:
            return self.real.spec
        return str(self.type) if self.mask is None else BitField(self.mask).spec

    def number_in(self, value: int) -> int | float:
        """The candidate's number when its :attr:`type` reads ``value``."""
        if self.real is not None:
            return float(self.real.of_bits(np.array([value], np.uint32))[0])
        return value if self.mask is None else value & self.mask

    @property
    def shown(self) -> int | float:
        """The value as the screen would show it under :attr:`scale`."""
        if isinstance(self.value, float):
            return self.value
        shown = self.scale.shown(self.value)
        return int(shown) if shown.denominator == 1 else float(shown)


@dataclass(frozen=True, slots=True)
class Moments:
    """Memory in logical order at the times that a row shows, and each byte's changes."""

    now: NDArray[np.uint8]
    previous: NDArray[np.uint8]
    first: NDArray[np.uint8]
    changes: Changes


_Column = tuple[int, int, int, int, int, Scale, tuple[Scale, ...]]
"""Value, previous, first, changes, age, scale and scales."""


def _candidate(address: int, data_type: SearchType, column: _Column) -> Candidate:
    if isinstance(data_type, FloatType):
        return Candidate(address, data_type.data_type, *column, real=data_type)
    if isinstance(data_type, DataType):
        return Candidate(address, data_type, *column)
    value, previous, first, changes, age, scale, scales = column
    shift = data_type.shift
    return Candidate(
        address,
        data_type.data_type,
        value << shift,
        previous << shift,
        first << shift,
        changes,
        age,
        scale.shifted(shift),
        tuple(each.shifted(shift) for each in scales),
        data_type.mask,
    )


@dataclass(frozen=True)
class Remains:
    """The candidates of each type, and which scales each still has; immutable.

    A row is a position in console order and the number of a type in ``sets``.
    """

    space: AddressSpace
    sets: Mapping[SearchType, CandidateSet]
    layers: Layers
    moments: Moments

    @cached_property
    def count(self) -> int:
        """The number of rows."""
        return sum(each.count for each in self.sets.values())

    def addresses(self) -> NDArray[np.int64]:
        """Distinct addresses of all rows, ascending."""
        left = [each for each in self.sets.values() if each.count]
        if not left:
            return np.empty(0, dtype=np.int64)
        return addresses_of(self.space, union(left).positions)

    def rows(self, positions: Positions, kinds: NDArray[np.intp]) -> list[Candidate]:
        """The rows at ``positions`` of the types with the numbers ``kinds``."""
        rows: list[Candidate | None] = [None] * len(positions)
        addresses = addresses_of(self.space, positions)
        for index, data_type in enumerate(self.sets):
            at = np.flatnonzero(kinds == index)
            columns = self._columns(data_type, positions[at])
            for row, address, column in zip(
                at.tolist(), addresses[at].tolist(), columns, strict=True
            ):
                rows[row] = _candidate(address, data_type, column)
        return [row for row in rows if row is not None]

    def _columns(self, data_type: SearchType, positions: Positions) -> Iterator[_Column]:
        """Value, previous, first, changes, age, scale and scales of each position."""
        moments = self.moments
        values = [
            values_at(memory, positions, data_type).tolist()
            for memory in (moments.now, moments.previous, moments.first)
        ]
        changes = moments.changes.counts_at(positions, data_type.width).tolist()
        ages = moments.changes.ages_at(positions, data_type.width).tolist()
        fits = [
            (layer.scale, candidates.contains(positions))
            for layer, candidates in self.layers.items()
            if layer.data_type == data_type
        ]
        for row, numbers in enumerate(zip(*values, changes, ages, strict=True)):
            scales = tuple(scale for scale, holds in fits if holds[row])
            yield *numbers, scales[0], scales
