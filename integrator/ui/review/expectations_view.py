"""The Expectations panel: each number that a movie has to give, green or red."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from integrator.domain.integration.expectations import Expectation, ExpectedKind
from integrator.session.expect.compare import ExpectationResult
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, hbox, stack
from integrator.ui.widgets.panels.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.theme import Theme

ExpectationColumn = IntEnum("ExpectationColumn", "SUBJECT FRAMES MOVIE RESULT", start=0)


@dataclass(slots=True)
class _Entry:
    expected: Expectation | None
    verdict: ExpectationResult | None = None


class ExpectationsModel(RowsModel[_Entry]):
    """A row an entry of expectations.json, in the file's order."""

    def set_entries(self, entries: Sequence[Expectation | None]) -> None:
        """Show these; verdicts of before are gone."""
        self.show([_Entry(each) for each in entries])

    def set_verdict(self, verdict: ExpectationResult) -> None:
        """Colour the row of a verdict."""
        at = verdict.index
        if at < len(self.rows) and self.rows[at].expected == verdict.expected:
            self.rows[at].verdict = verdict
            self.cells_changed(at)

    @property
    def verdicts(self) -> Mapping[int, ExpectationResult]:
        """The verdicts so far, by row."""
        return {at: row.verdict for at, row in enumerate(self.rows) if row.verdict is not None}

    def table(self) -> Sequence[Column[_Entry]]:
        """See :class:`ExpectationColumn`."""
        return (
            Column(self.tr("expected"), self._subject, color=lambda _row: None, icon=self._icon),
            Column(self.tr("frames"), _frames),
            Column(self.tr("movie"), lambda row: row.expected.movie if row.expected else ""),
            Column(self.tr("result"), self.tip, color=self._result_color),
        )

    def color(self, _row: _Entry) -> str:
        """Quiet next to the subject."""
        return self._theme.colors.secondary

    def tip(self, row: _Entry) -> str:
        """The result."""
        if row.expected is None:
            return self.tr("the entry is no expectation")
        if row.verdict is None:
            return ""
        return self.tr("as expected") if row.verdict.holds else row.verdict.message

    def _result_color(self, row: _Entry) -> str:
        colors = self._theme.colors
        return colors.bad if row.verdict and not row.verdict.holds else colors.secondary

    def _icon(self, row: _Entry) -> QIcon | None:
        if row.verdict is None and row.expected is not None:
            return None
        good = row.verdict is not None and row.verdict.holds
        return self._theme.icons.icon(*(("check", "good") if good else ("error", "bad")))

    def _subject(self, row: _Entry) -> str:
        entry = row.expected
        if entry is None:
            return ""
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


def _frames(row: _Entry) -> str:
    entry = row.expected
    if entry is None:
        return ""
    return f"{entry.last:,}" if entry.first == entry.last else f"{entry.first:,}-{entry.last:,}"


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
        self.table = DataTable(self.tr("Expectations"), self.model)
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
        self.check.setEnabled(bool(self.model.rows))
        self.accept.setEnabled(bool(self.differing()))

    def differing(self) -> list[int]:
        """Rows whose present value is another one."""
        return [r for r, each in self.model.verdicts.items() if each.frame is not None]

    def row_menu(self, row: int) -> QMenu:
        """Actions for an entry."""
        menu, verdict = RowMenu(self._theme, self), self.model.at(row).verdict
        differs = verdict is not None and verdict.frame is not None
        go = self.tr("Go to the first frame that differs")
        menu.add(go, lambda: self.place_requested.emit(verdict), enabled=differs)
        accept = self.tr("Accept the present value")
        menu.add(accept, lambda: self.accept_requested.emit([row]), enabled=differs)
        menu.add(self.tr("Remove"), lambda: self.remove_requested.emit([row]))
        return menu

    def _go(self, index: QModelIndex) -> None:
        verdict = self.model.at(index.row()).verdict
        if verdict is not None:
            self.place_requested.emit(verdict)
