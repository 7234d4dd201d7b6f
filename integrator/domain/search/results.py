"""The candidates of a search at one moment: numbers, activity, and rows of them in an order."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.readings import BitField, FloatType, Scale, SearchType, scales_of
from integrator.domain.sweep.refine import Layers, busiest, values_at
from integrator.domain.sweep.sets import (
    CandidateSet,
    Positions,
    addresses_of,
    console_positions,
    differing,
    positions_of,
    union,
)
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

NEVER_CHANGED: Final = -1
"""The age of a byte that was not seen to change."""


class Activity:
    """Counts the changes of one memory, frame by frame; cheap enough for every memory."""

    def __init__(self, space: AddressSpace) -> None:
        self.counts: NDArray[np.uint32] = np.zeros(space.size_bytes, np.uint32)
        self.last: NDArray[np.uint32] = np.zeros(space.size_bytes, np.uint32)
        self.frames = 0
        self._places = console_positions(space)

    def note(self, offsets: NDArray[np.integer]) -> None:
        """One more frame, on which the bytes at distinct ``offsets`` in flat RAM changed."""
        self.note_positions(offsets if self._places is None else self._places[offsets])

    def note_positions(self, positions: NDArray[np.integer]) -> None:
        self.frames += 1
        self.counts[positions] += np.uint32(1)
        self.last[positions] = self.frames


class ChangeCounter:
    """The change counts of one search, from ``activity`` or RAM that is shown."""

    def __init__(
        self,
        space: AddressSpace,
        ram: NDArray[np.uint8],
        activity: Activity | None,
        counted: NDArray[np.uint32] | None = None,
    ) -> None:
        self._activity = Activity(space) if activity is None else activity
        self._compares = activity is None
        self._seen = ram
        self._base = self._activity.counts.copy()
        if counted is not None:
            # As if that many had come since; differences of unsigned numbers wrap.
            self._base -= counted

    def clear(self) -> None:
        self._base = self._activity.counts.copy()

    def see(self, ram: NDArray[np.uint8]) -> None:
        if self._compares:
            self._activity.note_positions(positions_of(differing(ram, self._seen)))
            self._seen = ram

    def counts(self) -> NDArray[np.uint32]:
        """The number of changes of each byte since counting began; a new array."""
        counted: NDArray[np.uint32] = self._activity.counts - self._base
        return counted

    def counts_with(self, ram: NDArray[np.uint8]) -> NDArray[np.uint32]:
        """Counts as they will be when ``ram`` has been seen."""
        return self.counts() + (ram != self._seen) if self._compares else self.counts()

    def counts_at(self, positions: Positions, width: int) -> NDArray[np.uint32]:
        """The number of frames on which the busiest of ``width`` bytes at each position changed."""
        columns = positions + np.arange(width)[:, np.newaxis]
        counted = self._activity.counts[columns] - self._base[columns]
        most: NDArray[np.uint32] = counted.max(axis=0)
        return most

    def ages_at(self, positions: Positions, width: int) -> NDArray[np.int64]:
        """Frames since any of ``width`` bytes at each position changed, or NEVER_CHANGED."""
        last = busiest(self._activity.last, positions, width).astype(np.int64)
        return np.where(last > 0, self._activity.frames - last, NEVER_CHANGED)

    def at(self, places: Sequence[tuple[int, int]]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        counts = np.zeros(len(places), np.uint32)
        ages = np.zeros(len(places), np.int64)
        for row, (position, width) in enumerate(places):
            span = slice(position, position + width)
            counts[row] = (self._activity.counts[span] - self._base[span]).max()
            last = int(self._activity.last[span].max())
            ages[row] = self._activity.frames - last if last else NEVER_CHANGED
        return counts, ages

    def since_then(self) -> "ChangeCounter":
        """Counts and ages by place, looked up at the time of asking; clearing changes nothing."""
        return copy(self)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One address read as one type that the search still considers.

    ``value``, ``previous`` and ``first`` are stored numbers, ``scale`` the simplest way in which
    the screen may show them, ``scales`` all. ``changes`` counts those of the busiest byte, ``age``
    frames since (or NEVER_CHANGED). ``mask`` is a bit field's, whose numbers are not shifted, as in
    stable-retro. ``real``: the bytes are a float, and ``type`` is the whole number that they make.
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
        if self.real is not None:
            return self.real.spec
        return str(self.type) if self.mask is None else BitField(self.mask).spec

    def number_in(self, value: int) -> int | float:
        if self.real is not None:
            return float(self.real.of_bits(np.array([value], np.uint32))[0])
        return value if self.mask is None else value & self.mask

    @property
    def shown(self) -> int | float:
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
    changes: ChangeCounter


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
    """The candidates of each type and their scales. A row is a position and a type's number."""

    space: AddressSpace
    sets: Mapping[SearchType, CandidateSet]
    layers: Layers
    moments: Moments

    @cached_property
    def count(self) -> int:
        return sum(each.count for each in self.sets.values())

    def addresses(self) -> NDArray[np.int64]:
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


MOST_SORTED: Final = 50_000
"""Rows that are sorted within some milliseconds; nobody reads more than that."""

_BLOCK: Final = 4096
"""Positions counted together to find the n-th row without going through all of them."""

Places = tuple[Positions, NDArray[np.intp]]
"""Positions of rows, and the numbers of their types."""


class SortBy(StrEnum):
    """Sort keys of rows; types and scales come in the order in which they are tried."""

    ADDRESS = "address"
    TYPE = "type"
    SCALE = "scale"
    VALUE = "value"
    PREVIOUS = "previous"
    CHANGES = "changes"
    AGE = "age"


@dataclass(frozen=True, slots=True)
class RowOrder:
    """Equal rows stay by address, then type. A byte that never changed is the oldest."""

    by: SortBy = SortBy.ADDRESS
    descending: bool = False


BY_ADDRESS: Final = RowOrder()


class AddressOrder:
    """Rows by address, then type; counted by blocks of positions, once and when needed."""

    def __init__(self, sets: Sequence[CandidateSet]) -> None:
        self._sets = sets

    @cached_property
    def _before(self) -> NDArray[np.int64]:
        # Types share sets, above all before the first comparison.
        times: dict[int, tuple[CandidateSet, int]] = {}
        for each in self._sets:
            if each.count:
                times[id(each)] = (each, times.get(id(each), (each, 0))[1] + 1)
        counts = [each.counts(_BLOCK) * times_held for each, times_held in times.values()]
        return np.concatenate(([0], np.cumsum(np.sum(counts, axis=0))))

    def places(self, low: int, high: int) -> Places:
        """Positions and types of rows ``low`` to ``high - 1``."""
        before = self._before
        first = int(np.searchsorted(before, low, side="right")) - 1
        last = int(np.searchsorted(before, high, side="left"))
        found = []
        for index, candidates in enumerate(self._sets):
            stop = min(last * _BLOCK, candidates.size)
            positions = candidates.within(first * _BLOCK, stop)
            found.append(np.stack((positions, np.full_like(positions, index))))
        position, kind = np.concatenate(found, axis=1)
        order = np.lexsort((kind, position))[low - before[first] : high - before[first]]
        return position[order], kind[order]


class SortedOrder:
    """Rows sorted by their numbers at the time when this is made."""

    def __init__(self, remains: Remains, order: RowOrder) -> None:
        positions = [each.positions for each in remains.sets.values()]
        keys = np.concatenate(
            [
                _keys(remains, order.by, number, kind, at).astype(np.float64)
                for number, (kind, at) in enumerate(zip(remains.sets, positions, strict=True))
            ]
        )
        kinds = np.repeat(np.arange(len(positions)), [len(at) for at in positions])
        position = np.concatenate(positions)
        rows = np.lexsort((kinds, position, -keys if order.descending else keys))
        self._places = position[rows], kinds[rows]

    def places(self, low: int, high: int) -> Places:
        """Positions and types of rows ``low`` to ``high - 1``."""
        positions, kinds = self._places
        return positions[low:high], kinds[low:high]


def _keys(
    remains: Remains, by: SortBy, number: int, kind: SearchType, positions: Positions
) -> NDArray[np.number]:
    moments = remains.moments
    match by:
        case SortBy.ADDRESS:
            return positions
        case SortBy.TYPE:
            return np.full(len(positions), number)
        case SortBy.SCALE:
            return _simplest_scales(remains, kind, positions)
        case SortBy.VALUE:
            return _numbers(moments.now, positions, kind)
        case SortBy.PREVIOUS:
            return _numbers(moments.previous, positions, kind)
        case SortBy.CHANGES:
            return moments.changes.counts_at(positions, kind.width)
        case SortBy.AGE:
            ages = moments.changes.ages_at(positions, kind.width)
            return np.where(ages == NEVER_CHANGED, np.inf, ages)


def _numbers(
    memory: NDArray[np.uint8], positions: Positions, kind: SearchType
) -> NDArray[np.number]:
    numbers = values_at(memory, positions, kind)
    # A bit field's row shows its bits where they stand in the byte.
    return np.left_shift(numbers, kind.shift) if isinstance(kind, BitField) else numbers


def _simplest_scales(remains: Remains, kind: SearchType, positions: Positions) -> NDArray[np.intp]:
    """For each position the index of its first scale among those that are tried."""
    tried = scales_of(kind)
    simplest = np.full(len(positions), len(tried))
    for layer, candidates in remains.layers.items():
        if layer.data_type == kind:
            fits = candidates.contains(positions)
            simplest[fits] = np.minimum(simplest[fits], tried.index(layer.scale))
    return simplest


_PAGE: Final = 1024
"""Rows made at a time when all are asked for."""


class CandidateList(Sequence[Candidate]):
    """Candidates by address, then in the order of the types; immutable, rows made on demand."""

    def __init__(
        self,
        remains: Remains,
        order: AddressOrder | SortedOrder | None = None,
        window: range | None = None,
    ) -> None:
        self._remains = remains
        self._order = order or AddressOrder(tuple(remains.sets.values()))
        self._window = range(remains.count) if window is None else window

    def __len__(self) -> int:
        return len(self._window)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> "CandidateList": ...
    def __getitem__(self, index: int | slice) -> "Candidate | CandidateList":
        if isinstance(index, slice):
            return CandidateList(self._remains, self._order, self._window[index])
        row = self._window[index]
        return self._rows(row, row + 1)[0]

    def __iter__(self) -> Iterator[Candidate]:
        window = self._window
        if window.step != 1:
            yield from (self._rows(row, row + 1)[0] for row in window)
            return
        for low in range(window.start, window.stop, _PAGE):
            yield from self._rows(low, min(low + _PAGE, window.stop))

    def sorted(self, order: RowOrder) -> "CandidateList":
        """All rows of the search in another order; unsorted when there are over MOST_SORTED."""
        if order == BY_ADDRESS or not 0 < self._remains.count <= MOST_SORTED:
            return self
        return CandidateList(self._remains, SortedOrder(self._remains, order))

    def addresses(self) -> NDArray[np.int64]:
        """Distinct addresses of all rows of the search, ascending, whatever the window."""
        return self._remains.addresses()

    def _rows(self, low: int, high: int) -> list[Candidate]:
        return self._remains.rows(*self._order.places(low, high))
