"""The candidates of a search as rows, made when looked at: there may be a million of them."""

from collections.abc import Iterator, Sequence
from typing import Final, overload

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.order import (
    BY_ADDRESS,
    MOST_SORTED,
    AddressOrder,
    RowOrder,
    SortedOrder,
)
from integrator.domain.search.results import Candidate, Remains

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
