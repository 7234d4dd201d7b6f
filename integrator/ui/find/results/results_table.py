"""The table of found numbers: widths, groups that unfold by click and by key, and selected rows."""

from __future__ import annotations

from typing import Final, Generic

from PySide6.QtCore import QModelIndex, QRect, Signal
from PySide6.QtGui import QAction

from integrator.domain.query.matches.behaviour import Reading
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.find.results.results_model import ResultsModel
from integrator.ui.find.results.rows import Item
from integrator.ui.widgets.panels.table import DataTable

MOST_PROVED: Final = 64
"""Rows proved at once, from the first on, because each takes a second or so."""


class ResultsTable(DataTable, Generic[Item]):
    """``details_requested``: a Reading whose verdict is wanted; ``current_changed``: the row."""

    details_requested = Signal(object)
    current_changed = Signal()

    def __init__(self, model: ResultsModel[Item]) -> None:
        super().__init__("", model)
        self._results = model
        self.selectionModel().currentChanged.connect(lambda *_: self.current_changed.emit())
        model.modelReset.connect(self.current_changed)
        model.columns_changed.connect(self.fit_columns)
        self.clicked.connect(self._clicked)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Give the columns their widths."""
        columns = list(enumerate(self._results.shown))
        spare = sorted((column.spare, at) for at, column in columns if column.spare)
        self.set_widths(
            [column.width for _, column in columns],
            stretch=next(at for at, column in columns if column.stretch),
            whole=[at for at, column in columns if column.whole],
            spare=[at for _, at in spare],
        )

    def add_fold_keys(self, panel: str) -> tuple[QAction, QAction]:
        """Let keys list the group of the current row, or hide it."""
        return (
            panel_action(f"{panel}.unfold", self, lambda: self.unfold(unfolded=True)),
            panel_action(f"{panel}.fold", self, lambda: self.unfold(unfolded=False)),
        )

    # -- rows -------------------------------------------------------------------------------

    def selected(self) -> Item | None:
        """The number of the current row."""
        index = self.currentIndex()
        return self._results.item(index.row()) if index.isValid() else None

    def reading(self) -> Reading | None:
        """The reading of the current row."""
        item = self.selected()
        return None if item is None else self._results.reading(item)

    def selection(self) -> list[Reading]:
        """The readings of all selected rows, from the top; at most as many as can be proved."""
        rows: list[int] = []
        chosen = self.selectionModel().selection()
        for part in (chosen.at(n) for n in range(chosen.count())):
            rows += range(part.top(), min(part.bottom() + 1, part.top() + MOST_PROVED))
        items = (self._results.item(row) for row in sorted(rows)[:MOST_PROVED])
        return [self._results.reading(item) for item in items]

    def current_place(self) -> QRect:
        """The cell of the current number's proof, in the screen's coordinates."""
        proof = self._results.place("proof")
        rect = self.visualRect(self._results.index(self.currentIndex().row(), proof))
        return QRect(self.viewport().mapToGlobal(rect.topLeft()), rect.size())

    def in_sight(self) -> tuple[int, list[Item]]:
        """The first row in sight, and the numbers from there on."""
        rows = self._results.rowCount()
        if not rows or not self.isVisible():
            return 0, []
        first = max(0, self.rowAt(0))
        last = self.rowAt(self.viewport().height() - 1)
        stop = rows if last < 0 else last + 1
        return first, [self._results.item(row) for row in range(first, stop)]

    # -- groups -----------------------------------------------------------------------------

    def unfold(self, *, unfolded: bool) -> None:
        """List the group of the current row, or hide it and go to the row that leads it."""
        if not self.currentIndex().isValid():
            return
        row = self.currentIndex().row()
        lead = self._results.rows.lead_of(row)
        if lead != row and not unfolded:
            self.selectRow(lead)
        self._results.unfold(lead, unfolded=unfolded)

    def _clicked(self, index: QModelIndex) -> None:
        column, rows = self._results.shown[index.column()], self._results.rows
        if column.name == "proof":
            self.details_requested.emit(self.reading())
        elif column.unfolds:
            self.unfold(unfolded=not rows[rows.lead_of(index.row())].unfolded)
