"""What a search has left, as rows: made when looked at, because there may be a million of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from integrator.domain.datatype import DataType
from integrator.domain.memory import AddressSpace
from integrator.domain.search_activity import Changes
from integrator.domain.search_gather import values_at
from integrator.domain.search_layout import addresses_of
from integrator.domain.search_refine import Layers
from integrator.domain.search_scale import Scale
from integrator.domain.search_sets import CandidateSet, Positions, union
from integrator.domain.search_types import BitField, FloatType, SearchType

_BLOCK: Final = 4096
"""Positions counted together to find the n-th row without going through all of them."""
_PAGE: Final = 1024
"""Rows made at a time when all are asked for."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One address read as one type that the search still considers.

    ``value``, ``previous`` and ``first`` are stored numbers: now, at the last refinement, and when
    the search began. ``scale`` is the simplest hypothesis left of how the screen shows them and
    ``scales`` all of them. ``changes`` says how often the busiest byte was seen to change, ``age``
    how many frames ago one last did: 0 on the newest frame, NEVER_CHANGED when none did. ``mask``
    is that of a bit field: as stable-retro does not shift what it masks, stored numbers are not
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


class _Blocks:
    """Rows counted by blocks of positions; parts of a list share it."""

    def __init__(self, sets: Sequence[CandidateSet]) -> None:
        self._sets = sets

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """How many rows come before each block of positions, and before the end."""
        # Types share sets, above all where nothing was asked yet.
        times: dict[int, tuple[CandidateSet, int]] = {}
        for each in self._sets:
            if each.count:
                times[id(each)] = (each, times.get(id(each), (each, 0))[1] + 1)
        counts = [each.counts(_BLOCK) * times_held for each, times_held in times.values()]
        return np.concatenate(([0], np.cumsum(np.sum(counts, axis=0))))


class CandidateList(Sequence[Candidate]):
    """Candidates by address, then in the order of the types; immutable, rows made on demand."""

    def __init__(
        self,
        space: AddressSpace,
        sets: Mapping[SearchType, CandidateSet],
        layers: Layers,
        moments: Moments,
        window: range | None = None,
        blocks: _Blocks | None = None,
    ) -> None:
        self._space = space
        self._sets = sets
        self._layers = layers
        self._moments = moments
        total = sum(each.count for each in sets.values())
        self._window = range(total) if window is None else window
        self._blocks = _Blocks(tuple(sets.values())) if blocks is None else blocks

    def __len__(self) -> int:
        return len(self._window)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> CandidateList: ...
    def __getitem__(self, index: int | slice) -> Candidate | CandidateList:
        if isinstance(index, slice):
            window = self._window[index]
            return CandidateList(
                self._space, self._sets, self._layers, self._moments, window, self._blocks
            )
        row = self._window[index]
        return self._rows(row, row + 1)[0]

    def __iter__(self) -> Iterator[Candidate]:
        window = self._window
        if window.step != 1:
            yield from (self._rows(row, row + 1)[0] for row in window)
            return
        for low in range(window.start, window.stop, _PAGE):
            yield from self._rows(low, min(low + _PAGE, window.stop))

    def addresses(self) -> NDArray[np.int64]:
        """Distinct addresses of all rows of the search, ascending, whatever the window."""
        left = [each for each in self._sets.values() if each.count]
        if not left:
            return np.empty(0, dtype=np.int64)
        return addresses_of(self._space, union(left).positions)

    def _rows(self, low: int, high: int) -> list[Candidate]:
        """Rows ``low`` to ``high - 1`` of the whole search."""
        before = self._blocks.before
        first = int(np.searchsorted(before, low, side="right")) - 1
        last = int(np.searchsorted(before, high, side="left"))
        found = []
        for index, candidates in enumerate(self._sets.values()):
            stop = min(last * _BLOCK, candidates.size)
            positions = candidates.within(first * _BLOCK, stop)
            found.append(np.stack((positions, np.full_like(positions, index))))
        position, kind = np.concatenate(found, axis=1)
        order = np.lexsort((kind, position))[low - before[first] : high - before[first]]
        return self._materialise(position[order], kind[order])

    def _materialise(self, positions: Positions, kinds: NDArray[np.intp]) -> list[Candidate]:
        rows: list[Candidate | None] = [None] * len(positions)
        addresses = addresses_of(self._space, positions)
        for index, data_type in enumerate(self._sets):
            at = np.flatnonzero(kinds == index)
            columns = self._columns(data_type, positions[at])
            for row, address, column in zip(
                at.tolist(), addresses[at].tolist(), columns, strict=True
            ):
                rows[row] = _candidate(address, data_type, column)
        return [row for row in rows if row is not None]

    def _columns(self, data_type: SearchType, positions: Positions) -> Iterator[_Column]:
        """Value, previous, first, changes, age, scale and scales of each position."""
        moments = self._moments
        values = [
            values_at(memory, positions, data_type).tolist()
            for memory in (moments.now, moments.previous, moments.first)
        ]
        changes = moments.changes.counts_at(positions, data_type.width).tolist()
        ages = moments.changes.ages_at(positions, data_type.width).tolist()
        fits = [
            (layer.scale, candidates.contains(positions))
            for layer, candidates in self._layers.items()
            if layer.data_type == data_type
        ]
        for row, numbers in enumerate(zip(*values, changes, ages, strict=True)):
            scales = tuple(scale for scale, holds in fits if holds[row])
            yield *numbers, scales[0], scales
