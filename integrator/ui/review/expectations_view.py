"""The Expectations panel: each number that a movie has to give, green or red."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from integrator.domain.integration.expectations import Expectation, ExpectedKind
from integrator.session.expect.compare import ExpectationResult
from integrator.ui.widgets.panels.empty import EmptyOr, EmptyState
from integrator.ui.widgets.panels.table import DataTable, show_row_menus
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.room.boxes import hbox, stack
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.theme import Theme


class ExpectationColumn(IntEnum):
    """Columns from left to right."""

    SUBJECT = 0
    FRAMES = 1
    MOVIE = 2
    RESULT = 3


class ExpectationsModel(TableModel):
    """A row an entry of expectations.json, in the file's order."""

    columns = ExpectationColumn

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: tuple[Expectation | None, ...] = ()
        self._verdicts: dict[int, ExpectationResult] = {}

    def set_entries(self, entries: Sequence[Expectation | None]) -> None:
        """Show these; verdicts of before are gone."""
        self.beginResetModel()
        self._entries, self._verdicts = tuple(entries), {}
        self.endResetModel()

    def set_verdict(self, verdict: ExpectationResult) -> None:
        """Colour the row of a verdict."""
        row = verdict.index
        if row < len(self._entries) and self._entries[row] == verdict.expected:
            self._verdicts[row] = verdict
            last = self.index(row, len(ExpectationColumn) - 1)
            self.dataChanged.emit(self.index(row, 0), last)

    @property
    def verdicts(self) -> Mapping[int, ExpectationResult]:
        """The verdicts so far, by row."""
        return self._verdicts

    def length(self) -> int:
        """One row an entry."""
        return len(self._entries)

    def titles(self) -> Sequence[str]:
        """See :class:`ExpectationColumn`."""
        return (self.tr("expected"), self.tr("frames"), self.tr("movie"), self.tr("result"))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, icon and colour of a cell."""
        row, column = index.row(), ExpectationColumn(index.column())
        verdict = self._verdicts.get(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._text(row, ExpectationColumn.RESULT)
        if role == Qt.ItemDataRole.DecorationRole and column is ExpectationColumn.SUBJECT:
            icon, tone = ("check", "good") if verdict and verdict.holds else ("error", "bad")
            known = verdict is not None or self._entries[row] is None
            return self._theme.icons.icon(icon, tone) if known else None
        if role == Qt.ItemDataRole.ForegroundRole and column is not ExpectationColumn.SUBJECT:
            colors = self._theme.colors
            red = column is ExpectationColumn.RESULT and verdict and not verdict.holds
            return QColor(colors.bad if red else colors.secondary)
        return None

    def _text(self, row: int, column: ExpectationColumn) -> str:
        entry, verdict = self._entries[row], self._verdicts.get(row)
        if entry is None:
            unread = column is ExpectationColumn.RESULT
            return self.tr("the entry is no expectation") if unread else ""
        if column is ExpectationColumn.SUBJECT:
            return self._subject(entry)
        if column is ExpectationColumn.FRAMES:
            same = entry.first == entry.last
            return f"{entry.last:,}" if same else f"{entry.first:,}-{entry.last:,}"
        if column is ExpectationColumn.MOVIE:
            return entry.movie
        if verdict is None:
            return ""
        return self.tr("as expected") if verdict.holds else verdict.message

    def _subject(self, entry: Expectation) -> str:
        texts = {
            ExpectedKind.REWARDS: self.tr("rewards"),
            ExpectedKind.DONE: self.tr("done: {0}").format(
                self.tr("no frame") if entry.value is None else entry.value
            ),
            ExpectedKind.VARIABLE: f"{entry.name} = {entry.value}",
            ExpectedKind.TOTAL: self.tr("total {0}").format(entry.value),
        }
        player = "" if entry.player == 1 else f" (P{entry.player})"
        return texts[entry.kind] + player


class ExpectationsView(QWidget):
    """``place_requested`` gives a verdict to go to; ``accept_requested`` and ``remove_requested``
    give rows, ``check_requested`` asks for a replay, ``menu_opens`` fills *Expect this*.
    """

    place_requested = Signal(object)
    accept_requested = Signal(object)
    remove_requested = Signal(object)
    check_requested = Signal()
    menu_opens = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.model = ExpectationsModel(theme, self)
        self.progress = ProofBar(theme)
        self._build_table()
        self._build_buttons()
        empty = EmptyState(
            theme,
            "check",
            self.tr("Nothing is expected yet"),
            self.tr(
                "Play a movie, or choose a range of the time slider; Expect this keeps its "
                "rewards, done and total, and each edit is checked against them."
            ),
        )
        self.pages = EmptyOr(empty, self.table)
        row = hbox(self.expect, None, self.check, self.accept, margins=(10, 6, 10, 4))
        stack(self, row, self.pages, self.progress, grows=self.pages)
        self.model.modelReset.connect(self.show_counts)

    def _build_table(self) -> None:
        self.table = DataTable(self.tr("Expectations"))
        self.table.setModel(self.model)
        self.table.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        self.table.set_widths((150, 92, 104, 240), stretch=ExpectationColumn.RESULT)
        self.table.wrap_rows()
        self.table.clicked.connect(self._go)
        self.table.activated.connect(self._go)
        show_row_menus(self.table, lambda index: self.row_menu(index.row()))

    def _build_buttons(self) -> None:
        icons = self._theme.icons
        self.expect = QPushButton(icons.icon("plus"), self.tr("Expect this"))
        self.expect.setToolTip(self.tr("Keep numbers of recorded frames; each edit is checked"))
        menu = QMenu(self.expect)
        menu.aboutToShow.connect(lambda: self._fill(menu))
        self.expect.setMenu(menu)
        self.check = QPushButton(icons.icon("play"), self.tr("Check"))
        self.check.setToolTip(self.tr("Replay the movies in a hidden core, and compare"))
        self.check.clicked.connect(self.check_requested)
        self.accept = QPushButton(self.tr("Accept all"))
        self.accept.setToolTip(self.tr("Expect the present values from now on; Undo goes back"))
        self.accept.clicked.connect(lambda: self.accept_requested.emit(self.differing()))

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        self.menu_opens.emit(menu)

    def show_entries(self, entries: Sequence[Expectation | None]) -> None:
        """Show the entries of the file."""
        self.model.set_entries(entries)
        self.pages.show_content(bool(entries))

    def show_verdict(self, verdict: ExpectationResult) -> None:
        """Show the result of one entry."""
        self.model.set_verdict(verdict)
        self.show_counts()

    def show_counts(self) -> None:
        """Offer only what can be done."""
        self.check.setEnabled(self.model.length() > 0)
        self.accept.setEnabled(bool(self.differing()))

    def differing(self) -> list[int]:
        """Rows whose present value is another one."""
        return [r for r, each in self.model.verdicts.items() if each.frame is not None]

    def row_menu(self, row: int) -> QMenu:
        """Actions for an entry."""
        menu = QMenu(self)
        verdict = self.model.verdicts.get(row)
        differs = verdict is not None and verdict.frame is not None
        go = menu.addAction(self.tr("Go to the first frame that differs"))
        go.triggered.connect(lambda: self.place_requested.emit(verdict))
        accept = menu.addAction(self.tr("Accept the present value"))
        accept.triggered.connect(lambda: self.accept_requested.emit([row]))
        for action in (go, accept):
            action.setEnabled(differs)
        remove = menu.addAction(self.tr("Remove"))
        remove.triggered.connect(lambda: self.remove_requested.emit([row]))
        return menu

    def _go(self, index: QModelIndex) -> None:
        verdict = self.model.verdicts.get(index.row())
        if verdict is not None:
            self.place_requested.emit(verdict)
