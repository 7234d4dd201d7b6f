"""The base of panels of found numbers: a source's controls above a list that all sources share."""

from collections.abc import Mapping
from functools import partial
from typing import Final, Generic, TypeVar

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from integrator.domain.query.rank import Reading
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.snapshot import GameSnapshot
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.bridge.background import PanelTask
from integrator.ui.bridge.bridge import Show
from integrator.ui.bridge.sight import LiveReader, Look, Sight
from integrator.ui.find.results_model import Item, ResultsModel
from integrator.ui.window_context import PanelView

MOST_PROVED: Final = 64  # most rows to prove at once, as a proof takes about a second
T = TypeVar("T")


class ResultsTable(ui.DataTable, Generic[Item]):
    """The list. ``details_requested`` gives a Reading whose verdict the user wants to see."""

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
        columns = dict(enumerate(self._results.shown))
        spare = [at for at in columns if columns[at].spare]
        self.set_widths(
            [column.width for column in columns.values()],
            stretch=next(at for at in columns if columns[at].stretch),
            whole=[at for at in columns if columns[at].whole],
            spare=sorted(spare, key=lambda at: columns[at].spare),
        )

    def add_fold_keys(self, panel: str) -> tuple[QAction, QAction]:
        return (
            panel_action(f"{panel}.unfold", self, lambda: self.unfold(unfolded=True)),
            panel_action(f"{panel}.fold", self, lambda: self.unfold(unfolded=False)),
        )

    def reading(self) -> Reading | None:
        row = self.currentIndex().row()
        return self._results.reading(self._results.item(row)) if row >= 0 else None

    def selection(self) -> list[Reading]:
        """Return the readings of selected rows from the top, at most ``MOST_PROVED``."""
        rows: list[int] = []
        for part in self.selectionModel().selection().toList():
            rows += range(part.top(), min(part.bottom() + 1, part.top() + MOST_PROVED))
        results = self._results
        return [results.reading(results.item(row)) for row in sorted(rows)[:MOST_PROVED]]

    def in_sight(self) -> tuple[int, list[Item]]:
        if not (rows := self._results.rowCount()):
            return 0, []
        first, last = max(0, self.rowAt(0)), self.rowAt(self.viewport().height() - 1)
        stop = rows if last < 0 else last + 1
        return first, [self._results.item(row) for row in range(first, stop)]

    def unfold(self, *, unfolded: bool) -> None:
        if (row := self.currentIndex().row()) >= 0:
            lead = self._results.lead_of(row)
            if lead != row and not unfolded:
                self.selectRow(lead)
            self._results.unfold(lead, unfolded=unfolded)

    def _clicked(self, index: QModelIndex) -> None:
        column, results = self._results.shown[index.column()], self._results
        if column.name == "proof":
            self.details_requested.emit(self.reading())
        elif column.unfolds:
            self.unfold(unfolded=not results.rows[results.lead_of(index.row())].unfolded)


class ResultsView(PanelView, Generic[Item]):
    """Base of the panels of found numbers: list, proof, names and menus. ``variable_requested``
    gives (name, Reading); ``prove_requested`` a list of Readings. ``bar`` shows the progress of the
    source's own work, and ``proof`` that of proofs. ``keys`` is the panel's name in PANEL_KEYS.
    ``taken`` holds the names of variables, and ``content`` has the list."""

    variable_requested = Signal(str, object)
    prove_requested = Signal(object)
    asks_for_form = True  # for the width and code that a proof found, before a variable is made

    def _make_list(self, keys: str, model: ResultsModel[Item]) -> None:
        self.model = model
        model.setParent(self)
        self.taken: frozenset[str] = frozenset()
        self.bar, self.proof = ui.ProofBar(), ui.ProofBar()
        self.table: ResultsTable[Item] = ResultsTable(model)
        self.content: QWidget = self.table
        self.table.current_changed.connect(self._show_current)
        self.prove = ui.push_button(
            self.tr("Prove"),
            lambda: self.prove_requested.emit(self.table.selection()),
            self.tr(
                "Poke the selected rows in a hidden copy of the game: original or copy, how wide, "
                "which pixels. The game that you play is not touched."
            ),
            icon="proof",
        )
        name, hint = self.tr("Name of the new variable"), self.tr("variable name")
        # Names rarely have more than 30 letters; the stretch before the field takes the rest.
        self.name = ui.line_edit(name, hint, self.name_row, maximumWidth=260)
        self.name.textChanged.connect(self._check)
        self.make = ui.push_button(self.tr("Make variable"), self.name_row, role="primary")
        self.foot = ui.styled(QFrame(), "PanelFooter")
        parts, margins = (None, (self.name, 100), self.make), (ui.SIZES.pad, 9, ui.SIZES.pad, 9)
        self._foot_row = ui.hbox(self.prove, *parts, on=self.foot, margins=margins, gap=7)
        self._check()
        self.table.doubleClicked.connect(lambda _: self.name.setFocus())
        panel_action(f"{keys}.accept", self.table, self.accept)
        ui.show_row_menus(self.table, lambda _: self.row_menu())

    def build(self, head: QWidget, name: str, icon: str, hint: str, *below: QWidget) -> None:
        """Put the source's controls above the list, and show a hint while the list is empty."""
        self.table.setAccessibleName(name)
        self._head, below = head, (*below, self.bar, self.proof, self.foot)
        self._fill(self.content, icon, hint, above=[head], below=below)
        self.set_open(opened=False)
        self._controller.follow(lambda shown: self.set_variables(shown.variables), "variables")

    def _own_task(self, name: str) -> PanelTask:
        task = PanelTask(self._bridge, self._controller, name, [self.bar], self)
        task.works.connect(lambda _: self.show_idle())
        return task

    def _opened(self, game: GameSnapshot) -> None:  # noqa: ARG002 - sources look at it
        self.set_open(opened=True)

    def _closed(self) -> None:
        self.set_open(opened=False)

    def set_open(self, *, opened: bool) -> None:
        self._head.setVisible(opened)
        self.name.clear()
        self.model.forget_proofs()

    def show_found(self, *, found: bool) -> None:
        self.pages.show_content(found)
        self.foot.setVisible(found)

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        self.model.set_variables(variables)
        self.taken = frozenset(variables)
        self._show_current()

    def show_idle(self) -> None: ...

    def _show_current(self) -> None:
        self._check()

    def _check(self) -> None:
        """Mark an invalid name, and enable the buttons that the current row and name allow."""
        reason = self._problem() if self.name.text().strip() else ""
        ui.mark_invalid(self.name, reason)
        present = self.table.currentIndex().isValid()
        self.make.setEnabled(present and not reason)
        self.prove.setEnabled(present)

    def _problem(self) -> str:
        return ui.problem_of(ui.parse_name, self.name.text(), self.taken)

    def name_row(self) -> None:
        """Ask for a variable of the current row with the typed name."""
        name, problem, found = self.name.text().strip(), self._problem(), self.table.reading()
        if problem:
            self.name.setFocus()
            self.name.selectAll()
            self._warn(problem)
        elif found is None:
            self._warn(self.tr("Select the candidate that becomes “{0}” first").format(name))
        else:
            self.variable_requested.emit(name, found)
            self.name.clear()

    def accept(self) -> None:
        self.name_row()

    def row_menu(self) -> QMenu:
        menu, found = ui.RowMenu(self), self.table.reading()
        if found is None:
            return menu
        menu.add(self.tr("Make variable…"), self.name.setFocus, "variable")
        chosen = self.table.selection() or [found]
        label = self.tr("Prove") if len(chosen) == 1 else self.tr("Prove {0}").format(len(chosen))
        menu.add(label, lambda: self.prove_requested.emit(chosen), "proof")
        if self.model.proof(found) is not None:
            details = self.table.details_requested
            menu.add(self.tr("Show the verdict"), lambda: details.emit(found))
        menu.addSeparator()
        asks, place = self._requests, [(found.address, found.type)]
        menu.add(self.tr("Watch"), lambda: asks.watch.emit(found), "pin")
        hold = partial(asks.hold.emit, place, True, found.mask)  # noqa: FBT003 - a signal's argument
        menu.add(self.tr("Freeze its value"), hold, "cheat")
        show = partial(asks.show_address.emit, found.address)
        menu.add(self.tr("Show in memory"), show, "memory")
        lead = self.model.rows[self.model.lead_of(self.table.currentIndex().row())]
        if lead.members:
            shown, hidden = self.tr("Hide those that agree"), self.tr("List those that agree")
            text = shown if lead.unfolded else hidden
            menu.add(text, lambda: self.table.unfold(unfolded=not lead.unfolded))
        menu.addSeparator()
        self._add_to_menu(menu, found)
        menu.add_copy(ui.address_text(found.address))
        return menu

    def _add_to_menu(self, menu: ui.RowMenu, found: Reading) -> None: ...

    def _read_rows(self, look: Look[T], show: Show[T]) -> LiveReader[T]:
        """Read the visible rows again whenever memory or the rows may have changed."""
        # A core that is being replaced has no memory for a moment; the next frame reads again.
        sight = Sight(self._bridge, self.table)
        live = LiveReader(sight, look, show, 150, lambda _: None)
        for signal in (
            self._bridge.readout_ready,
            self._controller.memory_written,
            self.model.modelReset,
            self.table.verticalScrollBar().valueChanged,
        ):
            signal.connect(live.touch)
        return live
