"""A million candidates: only the rows in sight are made, wherever the table is scrolled to."""

from collections.abc import Sequence
from typing import overload

import numpy as np

from integrator.domain.search.results import Candidate
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.session.searches import SearchStatus, warm
from integrator.ui.find.candidates import CandidateColumn
from integrator.ui.find.find_view import FindView
from integrator.ui.find.results_model import MAX_ROWS
from integrator.ui.shell.main_window import MainWindow

BYTE = DataType.parse("|u1")


class Counted(Sequence[Candidate]):
    """A million rows that count how many were made."""

    def __init__(self, window: range, made: list[int]) -> None:
        self._window = window
        self.made = made

    def __len__(self) -> int:
        return len(self._window)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | Sequence[Candidate]:
        if isinstance(index, slice):
            return Counted(self._window[index], self.made)
        row = self._window[index]
        self.made.append(row)
        return Candidate(row, BYTE, row % 256, 0, 0, 1, 1, PLAIN, (PLAIN,))


def test_scrolling_makes_only_what_is_in_sight(window: MainWindow) -> None:
    window.use_workspace("find")
    view = window.parts[FindView]
    made: list[int] = []
    rows = Counted(range(1_000_000), made)
    view.show_status(
        SearchStatus(len(rows), (SearchStep("equal", 0, "value", len(rows)),), 1, len(rows), rows)
    )
    assert view.model.rowCount() == 1_000_000
    bar = view.table.verticalScrollBar()
    stops = np.linspace(0, bar.maximum(), 60).astype(int).tolist()
    for stop in stops:
        bar.setValue(stop)
        view.table.viewport().grab()
        first, seen = view.table.in_sight()
        assert [each.address for each in seen] == list(range(first, first + len(seen)))
    assert bar.value() == bar.maximum()
    assert max(made) == 999_999
    in_sight = view.table.viewport().height() // view.table.rowHeight(0) + 2
    # A page of rows is made at a time, and two where the sight spans them.
    assert len(made) <= len(stops) * (in_sight + 2 * 64)


def test_whole_memories_are_shown_from_end_to_end(window: MainWindow) -> None:
    size = MAX_ROWS // 2 + 10
    types = [DataType.parse(spec) for spec in ("|u1", "<u2")]
    ram = np.zeros(size, np.uint8)
    search = Search(AddressSpace([Region(0, size)], None), types, lambda: ram)
    search.refine("equal", 0)
    window.use_workspace("find")
    view = window.parts[FindView]
    status = warm(search)
    view.show_status(status)
    assert status.count > MAX_ROWS == view.model.rowCount()
    view.table.scrollToBottom()
    view.table.viewport().grab()
    last = view.model.index(MAX_ROWS - 1, CandidateColumn.ADDRESS).data()
    assert last == f"0x0{(MAX_ROWS - 1) // 2:X}"
