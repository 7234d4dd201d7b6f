"""The candidates of a search: the table, its menu, and a hint while there are none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from integrator.domain.search.order import RowOrder
from integrator.domain.search.results import Candidate
from integrator.domain.search.saved import SearchStep
from integrator.domain.values.variables import VariableSpec
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.find.search.candidates_model import COLUMNS, CandidateColumn, CandidatesModel
from integrator.ui.find.search.find_status import SearchStatus
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.empty import EmptyOr, EmptyState
from integrator.ui.widgets.panels.table import DataTable, show_row_menus
from integrator.ui.widgets.room.boxes import stack
from integrator.ui.widgets.theme import Theme

MOST_PROVED = 64
"""Rows proved at once, from the first on, because each takes a second or so."""

SORTS: Final = {key: column.sort for key, column in COLUMNS.items() if column.sort is not None}
"""The columns by which rows can be sorted."""


class FindTable(QWidget):
    """Shows candidates. ``current_changed``: another row is the current one.

    ``order_changed``: the rows are wanted in another ``order``.

    ``command_requested``: a command to run on the search; ``show_requested``: an address to look
    at; ``prove_requested``: a list of candidates; ``watch_requested``: a candidate;
    ``details_requested``: a candidate whose verdict is to be shown; ``name_requested``: it is to
    become a variable; ``freeze_requested``: a candidate to hold.
    """

    current_changed = Signal()
    order_changed = Signal()
    command_requested = Signal(object)
    show_requested = Signal(int)
    prove_requested = Signal(object)
    watch_requested = Signal(object)
    details_requested = Signal(object)
    name_requested = Signal()
    freeze_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.model = CandidatesModel(theme, self)
        self.table = DataTable(self.tr("Candidates"))
        self.table.setModel(self.model)
        self.table.setMinimumHeight(60)
        self.table.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        self.table.set_widths(
            [column.width for column in COLUMNS.values()],
            stretch=CandidateColumn.PROOF.value,
            whole=(CandidateColumn.ADDRESS, CandidateColumn.TYPE, CandidateColumn.VALUE),
            spare=(CandidateColumn.AGE, CandidateColumn.PREVIOUS, CandidateColumn.CHANGES),
        )
        # Plain numbers stand before those with hypotheses about their scale.
        self._sorted = (int(CandidateColumn.SCALE), Qt.SortOrder.AscendingOrder)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(*self._sorted)
        header.sortIndicatorChanged.connect(self._sort)
        self.table.selectionModel().currentChanged.connect(lambda *_: self.current_changed.emit())
        self.model.modelReset.connect(self.current_changed)
        self.table.doubleClicked.connect(lambda _: self.name_requested.emit())
        self.table.clicked.connect(self._clicked)
        self._folds = (
            panel_action("find.unfold", self.table, lambda: self.unfold(unfolded=True)),
            panel_action("find.fold", self.table, lambda: self.unfold(unfolded=False)),
        )
        self._offer_folds()
        show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        self._idle = EmptyState(theme, "search", "", "")
        self.pages = EmptyOr(self._idle, self.table)
        stack(self, self.pages)

    # -- shown state ------------------------------------------------------------------------

    def show_status(self, status: SearchStatus | None) -> None:
        """Show the candidates of a search; None when there is no game."""
        searched = status is not None and bool(status.steps)
        row = max(0, self.table.currentIndex().row())
        self.model.set_candidates(status.candidates if status and searched else ())
        nothing_left = status is not None and searched and status.count == 0
        self._show_page(status.steps[-1] if status is not None and nothing_left else None)
        if self.model.rowCount():
            self.table.selectRow(row if row < self.model.rowCount() else 0)

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        """Set the known variables, of which each row names the nearest."""
        self.model.set_variables(variables)

    def set_grouped(self, grouped: bool) -> None:
        """Put candidates that agree into one row each, or show every candidate."""
        self.model.set_grouped(grouped)
        self._offer_folds()
        if self.model.rowCount():
            self.table.selectRow(0)

    def _offer_folds(self) -> None:
        """Without groups, the keys move the cursor as in any table."""
        for action in self._folds:
            action.setEnabled(self.model.groups is not None)

    def visible_candidates(self) -> tuple[int, list[Candidate]]:
        """First row in sight and the candidates from there on."""
        if not self.model.rowCount() or not self.table.isVisible():
            return 0, []
        first = max(0, self.table.rowAt(0))
        last = self.table.rowAt(self.table.viewport().height() - 1)
        last = self.model.rowCount() - 1 if last < 0 else last
        return first, [self.model.candidate(row) for row in range(first, last + 1)]

    def selected(self) -> Candidate | None:
        """The candidate of the current row."""
        index = self.table.currentIndex()
        return self.model.candidate(index.row()) if index.isValid() else None

    def selection(self) -> list[Candidate]:
        """Candidates of all selected rows, from the top; at most as many as can be proved."""
        rows: list[int] = []
        chosen = self.table.selectionModel().selection()
        for part in (chosen.at(n) for n in range(chosen.count())):
            rows += range(part.top(), min(part.bottom() + 1, part.top() + MOST_PROVED))
        return [self.model.candidate(row) for row in sorted(rows)[:MOST_PROVED]]

    def current_place(self) -> QRect:
        """The cell of the current candidate's proof, in the screen's coordinates."""
        index = self.table.currentIndex()
        rect = self.table.visualRect(self.model.index(index.row(), CandidateColumn.PROOF))
        viewport = self.table.viewport()
        return QRect(viewport.mapToGlobal(rect.topLeft()), rect.size())

    def _show_page(self, failed: SearchStep | None) -> None:
        """Show the rows, or else why there are none; ``failed`` is a step that left nothing."""
        if failed is not None:
            self._idle.heading.setText(self.tr("Nothing fits any more"))
            self._idle.text.setText(
                self.tr(
                    "Undo the last step, play until the number has changed, and compare again: "
                    "this step compares with memory at the step before, or at the beginning."
                )
                if failed.against == "previous"
                else self.tr(
                    "Undo the last step: the game may keep the number in another form or moment."
                )
            )
        else:
            self._idle.heading.setText(self.tr("What does the screen say?"))
            self._idle.text.setText(
                self.tr(
                    "Type the score you see and press Search. Play until it changes, pause, "
                    "and search again: a few rounds leave one address."
                )
            )
        self.pages.show_content(self.model.rowCount() > 0)

    # -- user input -------------------------------------------------------------------------

    def _clicked(self) -> None:
        index = self.table.currentIndex()
        candidate = self.selected()
        if index.column() == CandidateColumn.PROOF and candidate is not None:
            self.details_requested.emit(candidate)
        groups = self.model.groups
        if index.column() == CandidateColumn.ADDRESS and groups is not None:
            self.unfold(unfolded=not groups.is_unfolded(groups.lead_of(index.row())))

    def unfold(self, *, unfolded: bool) -> None:
        """List the candidates that agree with the current one, or hide them."""
        index, groups = self.table.currentIndex(), self.model.groups
        if groups is None or not index.isValid():
            return
        lead = groups.lead_of(index.row())
        if lead != index.row() and not unfolded:
            self.table.selectRow(lead)
        self.model.unfold(lead, unfolded=unfolded)

    @property
    def order(self) -> RowOrder:
        """The order in which the rows are wanted."""
        column, direction = self._sorted
        descending = direction is Qt.SortOrder.DescendingOrder
        return RowOrder(SORTS[CandidateColumn(column)], descending=descending)

    def _sort(self, column: int, direction: Qt.SortOrder) -> None:
        if CandidateColumn(column) not in SORTS:
            self.table.horizontalHeader().setSortIndicator(*self._sorted)
        elif (column, direction) != self._sorted:
            self._sorted = (column, direction)
            self.order_changed.emit()

    def _sort_menu(self, menu: QMenu) -> None:
        """The header's sorting for the keyboard."""
        header, titles = self.table.horizontalHeader(), Qt.Orientation.Horizontal
        sort = menu.addMenu(self.tr("Sort by"))
        present, direction = self._sorted
        for column in SORTS:
            action = sort.addAction(self.model.headerData(column, titles))
            action.setCheckable(True)
            action.setChecked(column == present)
            # The present column's turns the order around, as a click on the header does.
            turned = column == present and direction is Qt.SortOrder.AscendingOrder
            order = Qt.SortOrder.DescendingOrder if turned else Qt.SortOrder.AscendingOrder
            action.triggered.connect(partial(header.setSortIndicator, int(column), order))

    def row_menu(self, row: int) -> QMenu:
        """A menu of actions for a candidate."""
        candidate = self.model.candidate(row)
        menu = QMenu(self)
        text = address_text(candidate.address)
        icons = self._theme.icons
        make = menu.addAction(icons.icon("variable"), self.tr("Make variable…"))
        make.triggered.connect(self.name_requested)
        chosen = self.selection() or [candidate]
        label = self.tr("Prove") if len(chosen) == 1 else self.tr("Prove {0}").format(len(chosen))
        prove = menu.addAction(icons.icon("proof"), label)
        prove.triggered.connect(lambda: self.prove_requested.emit(chosen))
        if self.model.proof(candidate) is not None:
            details = menu.addAction(self.tr("Show the verdict"))
            details.triggered.connect(lambda: self.details_requested.emit(candidate))
        menu.addSeparator()
        watch = menu.addAction(icons.icon("pin"), self.tr("Watch"))
        watch.triggered.connect(lambda: self.watch_requested.emit(candidate))
        freeze = menu.addAction(icons.icon("cheat"), self.tr("Freeze its value"))
        freeze.triggered.connect(lambda: self.freeze_requested.emit(candidate))
        show = menu.addAction(icons.icon("memory"), self.tr("Show in memory"))
        show.triggered.connect(lambda: self.show_requested.emit(candidate.address))
        menu.addSeparator()
        drop = menu.addAction(self.tr("Exclude {0}").format(text))
        width = candidate.type.width
        drop.triggered.connect(
            lambda: self.command_requested.emit(lambda s: s.exclude(candidate.address, width))
        )
        copy = menu.addAction(self.tr("Copy address {0}").format(text))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(text))
        self._sort_menu(menu)
        return menu
