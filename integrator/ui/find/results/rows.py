"""Rows of found numbers: groups that unfold, or pages that are made when they are looked at."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, Generic, NamedTuple, Protocol, TypeVar, overload

from integrator.domain.sweep.readings import PLAIN, FloatType, Scale
from integrator.domain.values.datatype import DataType

MAX_ROWS: Final = 1_000_000
"""Rows offered to a view: Qt's header keeps some bytes for each."""
_PAGE: Final = 64
_MAX_PAGES: Final = 32


class Found(Protocol):
    """A number in memory that a panel found."""

    @property
    def address(self) -> int:
        """The first byte's address."""
        ...

    @property
    def type(self) -> DataType:
        """The data type of its bytes."""
        ...

    @property
    def scale(self) -> Scale:
        """The scale between memory and screen."""
        ...

    @property
    def mask(self) -> int | None:
        """The mask of a bit field."""
        ...

    @property
    def real(self) -> FloatType | None:
        """The floating-point type that the bytes are."""
        ...


class Plain:
    """A number that the screen shows as memory holds it."""

    __slots__ = ()

    @property
    def scale(self) -> Scale:
        """None."""
        return PLAIN

    @property
    def real(self) -> None:
        """A whole number."""
        return


Item = TypeVar("Item", bound=Found)


class ResultLine(NamedTuple, Generic[Item]):
    """A row: its number, the one that leads its group, and the number of others in the group."""

    item: Item
    lead: Item
    others: int = 0
    unfolded: bool = False

    @property
    def is_member(self) -> bool:
        """True for a row below an unfolded one."""
        return self.item is not self.lead


class Rows(Sequence[ResultLine[Item]], ABC):
    """The rows of a list."""

    @abstractmethod
    def line(self, row: int) -> ResultLine[Item]:
        """The line of a row."""

    @abstractmethod
    def put(self, row: int, item: Item) -> None:
        """Replace a row's number by a newer copy of it."""

    def lead_of(self, row: int) -> int:
        """The row that leads the group of a row."""
        return row

    @overload
    def __getitem__(self, row: int) -> ResultLine[Item]: ...
    @overload
    def __getitem__(self, row: slice) -> list[ResultLine[Item]]: ...
    def __getitem__(self, row: int | slice) -> ResultLine[Item] | list[ResultLine[Item]]:
        if isinstance(row, slice):
            return [self.line(each) for each in range(len(self))[row]]
        return self.line(row)


class Pages(Rows[Item]):
    """A row for each item of an immutable sequence, which makes its items anew at each access."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._length = min(len(items), MAX_ROWS)
        self._pages: dict[int, list[Item]] = {}

    def __len__(self) -> int:
        return self._length

    def line(self, row: int) -> ResultLine[Item]:
        """As in :class:`Rows`."""
        item = self._page(row)[row % _PAGE]
        return ResultLine(item, item)

    def put(self, row: int, item: Item) -> None:
        """As in :class:`Rows`."""
        self._page(row)[row % _PAGE] = item

    def _page(self, row: int) -> list[Item]:
        page = row // _PAGE
        if page not in self._pages:
            if len(self._pages) >= _MAX_PAGES:
                self._pages.pop(next(iter(self._pages)))
            self._pages[page] = list(self._items[page * _PAGE : (page + 1) * _PAGE])
        return self._pages[page]


class Folds(Rows[Item]):
    """Groups that unfold: a row for the first item of each, and one for each listed member."""

    def __init__(self, groups: Iterable[Iterable[Item]]) -> None:
        self._groups = [list(group) for group in groups]
        # Of each row the number of its group, and the place of its item in it: 0 leads.
        self._rows = [(number, 0) for number in range(len(self._groups))]

    def __len__(self) -> int:
        return len(self._rows)

    def line(self, row: int) -> ResultLine[Item]:
        """As in :class:`Rows`."""
        number, place = self._rows[row]
        group = self._groups[number]
        unfolded = self._rows[row + 1 : row + 2] == [(number, 1)]
        return ResultLine(group[place], group[0], 0 if place else len(group) - 1, unfolded)

    def put(self, row: int, item: Item) -> None:
        """As in :class:`Rows`."""
        number, place = self._rows[row]
        self._groups[number][place] = item

    def lead_of(self, row: int) -> int:
        """As in :class:`Rows`."""
        return row - self._rows[row][1]

    def fold(self, row: int, *, unfolded: bool) -> None:
        """List the members of a group below the row that leads it, or hide them."""
        number, members = self._rows[row][0], len(self._groups[self._rows[row][0]])
        self._rows[row + 1 : row + 1 if unfolded else row + members] = (
            [(number, place) for place in range(1, members)] if unfolded else []
        )
