"""The candidates of a search at one moment: their values and activity, in sorted rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.readings import BitField, FloatType, Scale, SearchType, scales_of
from integrator.domain.sweep.refine import Layers, values_at
from integrator.domain.sweep.sets import (
    CandidateSet,
    Positions,
    addresses_of,
    console_positions,
    union,
)
from integrator.domain.values.memory import AddressSpace, DataType

NEVER_CHANGED: Final = -1  # the age of a byte that never changed


class Activity:
    """Counts the changes of each byte, frame by frame; cheap enough for every memory."""

    def __init__(self, space: AddressSpace) -> None:
        self.counts: NDArray[np.uint32] = np.zeros(space.size_bytes, np.uint32)
        self.last: NDArray[np.uint32] = np.zeros(space.size_bytes, np.uint32)
        self.frames = 0
        self._places = console_positions(space)

    def note(self, offsets: NDArray[np.integer]) -> None:
        """Count a frame in which the bytes at these distinct offsets in flat RAM changed."""
        positions = offsets if self._places is None else self._places[offsets]
        self.frames += 1
        self.counts[positions] += np.uint32(1)
        self.last[positions] = self.frames


class ChangeCounter:
    """The change counts of one search since its counting began."""

    def __init__(self, activity: Activity, counted: NDArray[np.uint32] | None = None) -> None:
        self._activity = activity
        self._base = activity.counts.copy()
        if counted is not None:
            # Moves the base back by the saved counts; the unsigned differences may wrap.
            self._base -= counted

    def clear(self) -> None:
        self._base = self._activity.counts.copy()

    def counts(self) -> NDArray[np.uint32]:
        """Return each byte's number of changes since counting began, in a new array."""
        counted: NDArray[np.uint32] = self._activity.counts - self._base
        return counted

    def counts_at(self, positions: Positions, width: int) -> NDArray[np.uint32]:
        """Return the change count of the busiest of ``width`` bytes at each position."""
        columns = positions + np.arange(width)[:, np.newaxis]
        counted = self._activity.counts[columns] - self._base[columns]
        most: NDArray[np.uint32] = counted.max(axis=0)
        return most

    def ages_at(self, positions: Positions, width: int) -> NDArray[np.int64]:
        """Return the frames since any of ``width`` bytes changed, or NEVER_CHANGED, by position."""
        columns = positions + np.arange(width)[:, np.newaxis]
        last = self._activity.last[columns].max(axis=0).astype(np.int64)
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


@dataclass(frozen=True, slots=True)
class Candidate:
    """One address read as one type that the search still considers.

    ``value``, ``previous`` and ``first`` are stored numbers. ``scales`` are all ways in which the
    screen may show them, ``scale`` is the simplest one. ``changes`` is the change count of the
    busiest byte, ``age`` the frames since the last change (or NEVER_CHANGED). ``mask`` is the mask
    of a bit field, whose numbers are not shifted, as in stable-retro. If ``real`` is given, the
    bytes are a float, and ``type`` is the whole number of the same bytes."""

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
            return str(self.real)
        return str(self.type if self.mask is None else BitField(self.mask))

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


@dataclass(frozen=True)
class Remains:
    """The candidates that are left. A row is a position and the index of a type in ``sets``.
    ``now``, ``previous`` and ``first`` are memory in console byte order, at the times shown."""

    space: AddressSpace
    sets: Mapping[SearchType, CandidateSet]
    layers: Layers
    now: NDArray[np.uint8]
    previous: NDArray[np.uint8]
    first: NDArray[np.uint8]
    changes: ChangeCounter

    @cached_property
    def count(self) -> int:
        return sum(each.count for each in self.sets.values())

    def rows(self, positions: Positions, kinds: NDArray[np.intp]) -> list[Candidate]:
        """Return the rows at ``positions``, whose types have the indices ``kinds``."""
        rows: dict[int, Candidate] = {}
        for index, data_type in enumerate(self.sets):
            at = np.flatnonzero(kinds == index)
            rows |= zip(at.tolist(), self._rows_of(data_type, positions[at]), strict=True)
        return [rows[row] for row in range(len(positions))]

    def _rows_of(self, kind: SearchType, positions: Positions) -> Iterator[Candidate]:
        memories = self.now, self.previous, self.first
        columns = (
            addresses_of(self.space, positions),
            *(self.numbers(kind, positions, each) for each in memories),
            self.changes.counts_at(positions, kind.width),
            self.changes.ages_at(positions, kind.width),
        )
        fits = [
            (layer.scale, candidates.contains(positions))
            for layer, candidates in self.layers.items()
            if layer.data_type == kind
        ]
        mask = None
        if isinstance(kind, BitField):
            mask = kind.mask
            fits = [(scale.shifted(kind.shift), holds) for scale, holds in fits]
        read = kind if isinstance(kind, DataType) else kind.data_type
        real = kind if isinstance(kind, FloatType) else None
        rows = zip(*(each.tolist() for each in columns), strict=True)
        for row, (address, now, previous, first, changes, age) in enumerate(rows):
            scales = tuple(scale for scale, holds in fits if holds[row])
            yield Candidate(
                address, read, now, previous, first, changes, age, scales[0], scales, mask, real
            )

    def numbers(
        self, kind: SearchType, positions: Positions, memory: NDArray[np.uint8]
    ) -> NDArray[np.number]:
        """Return numbers as rows show them: a bit field's number is not shifted down."""
        numbers = values_at(memory, positions, kind)
        return np.left_shift(numbers, kind.shift) if isinstance(kind, BitField) else numbers


MOST_SORTED: Final = 50_000  # most sorted rows: it takes milliseconds, and nobody reads more

_BLOCK: Final = 4096  # positions counted together, so that the n-th row is found quickly

Places = tuple[Positions, NDArray[np.intp]]  # positions of rows, and the indices of their types


class SortBy(StrEnum):
    """Sort keys of rows; types and scales are sorted in the order in which they are tried."""

    ADDRESS = "address"
    TYPE = "type"
    SCALE = "scale"
    VALUE = "value"
    PREVIOUS = "previous"
    CHANGES = "changes"
    AGE = "age"


@dataclass(frozen=True, slots=True)
class RowOrder:
    """An order of rows; ties are by address, then type. A byte that never changed is oldest."""

    by: SortBy = SortBy.ADDRESS
    descending: bool = False


BY_ADDRESS: Final = RowOrder()


class AddressOrder:
    """Finds rows by address, then type; counts the rows of blocks of positions once, lazily."""

    def __init__(self, sets: Sequence[CandidateSet]) -> None:
        self._sets = sets

    @cached_property
    def _before(self) -> NDArray[np.int64]:
        # Types share sets, especially before the first comparison, so each set is counted once.
        times: dict[int, tuple[CandidateSet, int]] = {}
        for each in self._sets:
            if each.count:
                times[id(each)] = (each, times.get(id(each), (each, 0))[1] + 1)
        counts = [each.counts(_BLOCK) * times_held for each, times_held in times.values()]
        return np.concatenate(([0], np.cumsum(np.sum(counts, axis=0))))

    def places(self, low: int, high: int) -> Places:
        """Return positions and types of rows ``low`` to ``high - 1``."""
        before = self._before
        first = int(np.searchsorted(before, low, side="right")) - 1
        last = int(np.searchsorted(before, high, side="left"))
        found = []
        for index, candidates in enumerate(self._sets):
            positions = candidates.within(first * _BLOCK, min(last * _BLOCK, candidates.size))
            found.append(np.stack((positions, np.full_like(positions, index))))
        position, kind = np.concatenate(found, axis=1)
        order = np.lexsort((kind, position))[low - before[first] : high - before[first]]
        return position[order], kind[order]


def _sorted(remains: Remains, order: RowOrder) -> Places:
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
    return position[rows], kinds[rows]


def _keys(
    remains: Remains, by: SortBy, number: int, kind: SearchType, positions: Positions
) -> NDArray[np.number]:
    match by:
        case SortBy.ADDRESS:
            return positions
        case SortBy.TYPE:
            return np.full(len(positions), number)
        case SortBy.SCALE:
            return _simplest_scales(remains, kind, positions)
        case SortBy.VALUE:
            return remains.numbers(kind, positions, remains.now)
        case SortBy.PREVIOUS:
            return remains.numbers(kind, positions, remains.previous)
        case SortBy.CHANGES:
            return remains.changes.counts_at(positions, kind.width)
        case SortBy.AGE:
            ages = remains.changes.ages_at(positions, kind.width)
            return np.where(ages == NEVER_CHANGED, np.inf, ages)


def _simplest_scales(remains: Remains, kind: SearchType, positions: Positions) -> NDArray[np.intp]:
    """Return, for each position, the index of its first scale among those that are tried."""
    tried = scales_of(kind)
    simplest = np.full(len(positions), len(tried))
    for layer, candidates in remains.layers.items():
        if layer.data_type == kind:
            fits = candidates.contains(positions)
            simplest[fits] = np.minimum(simplest[fits], tried.index(layer.scale))
    return simplest


_PAGE: Final = 1024  # rows that an iteration makes at a time


class CandidateList(Sequence[Candidate]):
    """Candidates by address, then in the order of types; immutable, with rows made lazily."""

    def __init__(
        self,
        remains: Remains,
        order: AddressOrder | Places | None = None,
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
        """Return all rows in another order, or this list if there are more than MOST_SORTED."""
        if order == BY_ADDRESS or not 0 < self._remains.count <= MOST_SORTED:
            return self
        return CandidateList(self._remains, _sorted(self._remains, order))

    def addresses(self) -> NDArray[np.int64]:
        """Return the distinct addresses of all rows, also outside of this window, ascending."""
        left = [each for each in self._remains.sets.values() if each.count]
        positions = union(left).positions if left else np.empty(0, np.intp)
        return addresses_of(self._remains.space, positions)

    def _rows(self, low: int, high: int) -> list[Candidate]:
        if isinstance(self._order, AddressOrder):
            return self._remains.rows(*self._order.places(low, high))
        positions, kinds = self._order
        return self._remains.rows(positions[low:high], kinds[low:high])
