"""The order of the candidates of a search, and its rows, made when they are looked at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.results import NEVER_CHANGED, Candidate, Remains
from integrator.domain.sweep.readings import BitField, SearchType, scales_of
from integrator.domain.sweep.refine import values_at
from integrator.domain.sweep.sets import CandidateSet, Positions

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
