"""The table of matches: columns for each fact, groups that unfold by click and by key."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QRect

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.query.matches.rank import Match
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.find.facts.matches_model import MatchColumn, MatchesModel
from integrator.ui.widgets.panels.table import DataTable

_WIDTHS = (84, 52, 46, 52, 58, 52, 50, 110, 76)
"""Of each kind of column, in pixels."""
_WHOLE = (
    MatchColumn.ADDRESS,
    MatchColumn.TYPE,
    MatchColumn.SCALE,
    MatchColumn.NOW,
    MatchColumn.FACT,
    MatchColumn.AGREE,
    MatchColumn.EVIDENCE,
    MatchColumn.PROOF,
)


class MatchesTable(DataTable):
    """A click on the count of agreeing readings lists them below their match, as Right does."""

    def __init__(self, name: str, model: MatchesModel) -> None:
        super().__init__(name)
        self._matches = model
        self.setModel(model)
        self.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        model.modelReset.connect(self._fit_columns)
        for moved in (model.first_proof, model.grew):
            moved.connect(self._fit_columns)
        self.clicked.connect(self._clicked)
        panel_action("facts.unfold", self, lambda: self._unfold_current(unfolded=True))
        panel_action("facts.fold", self, lambda: self._unfold_current(unfolded=False))
        self._fit_columns()

    def _fit_columns(self) -> None:
        model = self._matches
        kinds = [model.kind_of(column) for column in range(model.columnCount())]
        whole = [c for c, kind in enumerate(kinds) if kind in _WHOLE]
        evidence = model.column_of(MatchColumn.EVIDENCE)
        spare = [MatchColumn.BEFORE]
        if not model.has_proofs:
            spare.append(MatchColumn.PROOF)
        if not model.is_scaled:
            spare.append(MatchColumn.SCALE)
        widths = [_WIDTHS[kind] for kind in kinds]
        left_out = [model.column_of(kind) for kind in spare]
        self.set_widths(widths, stretch=evidence, whole=whole, spare=left_out)

    def selected(self) -> Match | None:
        """The match of the current row."""
        index = self.currentIndex()
        return self._matches.match_at(index.row()) if index.isValid() else None

    def selection(self) -> list[Match]:
        """The matches of all selected rows."""
        rows = {index.row() for index in self.selectionModel().selectedRows()}
        return [self._matches.match_at(row) for row in sorted(rows)]

    def current_place(self) -> QRect:
        """The cell of the current match's proof, in the screen's coordinates."""
        proof = self._matches.column_of(MatchColumn.PROOF)
        rect = self.visualRect(self._matches.index(self.currentIndex().row(), proof))
        return QRect(self.viewport().mapToGlobal(rect.topLeft()), rect.size())

    def readings_in_sight(self) -> list[Reading]:
        """The readings of the rows that can be seen."""
        rows = self._matches.rowCount()
        if not rows or not self.isVisible():
            return []
        last = self.rowAt(self.viewport().height() - 1)
        stop = rows if last < 0 else last + 1
        return [self._matches.reading_at(row) for row in range(max(0, self.rowAt(0)), stop)]

    def unfold(self, row: int, *, unfolded: bool) -> None:
        """List the readings that agree with a row's match, or hide them and go to the match."""
        lead = self._matches.lead_of(row)
        if not unfolded and lead != row:
            self.selectRow(lead)
        self._matches.unfold(lead, unfolded=unfolded)

    def _unfold_current(self, *, unfolded: bool) -> None:
        if self.currentIndex().isValid():
            self.unfold(self.currentIndex().row(), unfolded=unfolded)

    def _clicked(self, index: QModelIndex) -> None:
        if self._matches.kind_of(index.column()) is MatchColumn.AGREE:
            row = index.row()
            self.unfold(row, unfolded=not self._matches.is_unfolded(self._matches.lead_of(row)))
