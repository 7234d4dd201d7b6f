"""Rows of found numbers: groups that unfold, or pages that are made when they are looked at."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

MAX_ROWS: Final = 1_000_000
"""Rows offered to a view: Qt's header keeps some bytes for each."""
_PAGE: Final = 64
_MAX_PAGES: Final = 32


Item = TypeVar("Item")


class ResultLine(NamedTuple, Generic[Item]):
    """A row: its number, the one that leads its group, and the number of others in the group."""

    item: Item
    lead: Item
    others: int = 0
    unfolded: bool = False

    @property
    def is_member(self) -> bool:
        return self.item is not self.lead


class Rows(Sequence[ResultLine[Item]], ABC):
    """The rows of a list."""

    @abstractmethod
    def line(self, row: int) -> ResultLine[Item]: ...

    def put(self, row: int, item: Item) -> None:
        items, place = self._place(row)
        items[place] = item

    @abstractmethod
    def _place(self, row: int) -> tuple[list[Item], int]: ...

    def lead_of(self, row: int) -> int:
        return row

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, int):
            return self.line(row)
        return [self.line(each) for each in range(len(self))[row]]


class Pages(Rows[Item]):
    """A row for each item of an immutable sequence, which makes its items at each access."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._length = min(len(items), MAX_ROWS)
        self._pages: dict[int, list[Item]] = {}

    def __len__(self) -> int:
        return self._length

    def line(self, row: int) -> ResultLine[Item]:
        items, place = self._place(row)
        return ResultLine(items[place], items[place])

    def _place(self, row: int) -> tuple[list[Item], int]:
        page = row // _PAGE
        if page not in self._pages:
            if len(self._pages) >= _MAX_PAGES:
                self._pages.pop(next(iter(self._pages)))
            self._pages[page] = list(self._items[page * _PAGE : (page + 1) * _PAGE])
        return self._pages[page], row % _PAGE


class Folds(Rows[Item]):
    """Groups that unfold: a row for the first item of each, and one for each listed member."""

    def __init__(self, groups: Iterable[Iterable[Item]]) -> None:
        self._groups = [list(group) for group in groups]
        # Of each row the number of its group, and the place of its item in it: 0 leads.
        self._rows = [(number, 0) for number in range(len(self._groups))]

    def __len__(self) -> int:
        return len(self._rows)

    def line(self, row: int) -> ResultLine[Item]:
        group, place = self._place(row)
        unfolded = self._rows[row + 1 : row + 2] == [(self._rows[row][0], 1)]
        return ResultLine(group[place], group[0], 0 if place else len(group) - 1, unfolded)

    def _place(self, row: int) -> tuple[list[Item], int]:
        number, place = self._rows[row]
        return self._groups[number], place

    def lead_of(self, row: int) -> int:
        return row - self._rows[row][1]

    def fold(self, row: int, *, unfolded: bool) -> None:
        number, members = self._rows[row][0], len(self._groups[self._rows[row][0]])
        self._rows[row + 1 : row + 1 if unfolded else row + members] = (
            [(number, place) for place in range(1, members)] if unfolded else []
        )
