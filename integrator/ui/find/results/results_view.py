"""A panel of found numbers: a source's own controls above one list, which all sources share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.values.variables import VariableSpec
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.find.naming_footer import NamingFooter
from integrator.ui.find.results.results_model import ResultsModel
from integrator.ui.find.results.results_table import ResultsTable
from integrator.ui.find.results.rows import Item
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, stack
from integrator.ui.widgets.panels.table import RowMenu, show_row_menus
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.theme import Theme


class ResultsView(QWidget, Generic[Item]):
    """List, proof, names and menus of one source, which subclasses :class:`ResultsView`.

    ``variable_requested``: (name, Reading); ``prove_requested``: a list of Readings;
    ``watch_requested``, ``freeze_requested``: a Reading; ``show_requested``: an address to look at;
    ``rejected``: the reason why a name or number is refused. ``bar`` shows the progress of the
    source's own work, ``proof`` that of proofs. ``keys`` is the first part of its keys' names.
    """

    variable_requested = Signal(str, object)
    prove_requested = Signal(object)
    watch_requested = Signal(object)
    freeze_requested = Signal(object)
    show_requested = Signal(int)
    rejected = Signal(str)
    asks_for_form = True
    """True where a proof's other width or code is offered before a variable is made."""

    def __init__(self, theme: Theme, keys: str, model: ResultsModel[Item]) -> None:
        super().__init__()
        self._theme = theme
        self.model = model
        model.setParent(self)
        self.bar = ProofBar(theme)
        self.proof = ProofBar(theme)
        self.table: ResultsTable[Item] = ResultsTable(model)
        self.table.current_changed.connect(self._show_current)
        self.foot = NamingFooter(theme)
        self.foot.prove_requested.connect(lambda: self.prove_requested.emit(self.table.selection()))
        self.foot.accepted.connect(self._make)
        self.foot.rejected.connect(self.rejected)
        self.table.doubleClicked.connect(lambda _: self.foot.name.setFocus())
        panel_action(f"{keys}.accept", self.table, self.accept)
        show_row_menus(self.table, lambda _: self.row_menu())

    def build(self, name: str, head: QWidget, idle: EmptyState, *below: QWidget) -> None:
        """Put the source's controls above the list, ``idle`` in its place while it is empty."""
        self.table.setAccessibleName(name)
        self.pages = EmptyOr(idle, self._content())
        parts = (head, self.pages, *below, self.bar, self.proof, self.foot)
        stack(self, *parts, grows=self.pages)

    def _content(self) -> QWidget:
        """The list, with more around it if need be."""
        return self.table

    # -- shown state ------------------------------------------------------------------------

    def forget(self) -> None:
        """Drop names and proofs of the last game."""
        self.foot.name.clear()
        self.model.forget_proofs()

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        """The variables that there are already."""
        self.foot.set_taken_names(list(variables))

    def show_idle(self) -> None:
        """Show that the source's work or a proof began, or ended."""

    def _show_current(self) -> None:
        self.foot.set_present(present=self.table.currentIndex().isValid())

    # -- user input -------------------------------------------------------------------------

    def accept(self) -> None:
        """Take the current row."""
        self.foot.accept()

    def _make(self, name: str) -> None:
        found = self.table.reading()
        if found is None:
            text = self.tr("Select the candidate that becomes “{0}” first")
            self.rejected.emit(text.format(name))
        else:
            self.variable_requested.emit(name, found)
            self.foot.name.clear()

    def row_menu(self) -> QMenu:
        """A menu of actions for the selected rows."""
        menu, found = RowMenu(self._theme, self), self.table.reading()
        if found is None:
            return menu
        menu.add(self.tr("Make variable…"), self.foot.name.setFocus, "variable")
        chosen = self.table.selection() or [found]
        label = self.tr("Prove") if len(chosen) == 1 else self.tr("Prove {0}").format(len(chosen))
        menu.add(label, lambda: self.prove_requested.emit(chosen), "proof")
        if self.model.proof(found) is not None:
            verdict = self.tr("Show the verdict")
            menu.add(verdict, lambda: self.table.details_requested.emit(found))
        menu.addSeparator()
        menu.add(self.tr("Watch"), lambda: self.watch_requested.emit(found), "pin")
        menu.add(self.tr("Freeze its value"), lambda: self.freeze_requested.emit(found), "cheat")
        show = self.tr("Show in memory")
        menu.add(show, lambda: self.show_requested.emit(found.address), "memory")
        self._add_unfolding(menu)
        menu.addSeparator()
        self._add_to_menu(menu, found)
        menu.add_copy(address_text(found.address))
        return menu

    def _add_unfolding(self, menu: RowMenu) -> None:
        rows = self.model.rows
        lead = rows[rows.lead_of(self.table.currentIndex().row())]
        if lead.others:
            hide, list_them = self.tr("Hide those that agree"), self.tr("List those that agree")
            text = hide if lead.unfolded else list_them
            menu.add(text, lambda: self.table.unfold(unfolded=not lead.unfolded))

    def _add_to_menu(self, menu: RowMenu, found: Reading) -> None:
        """Add the source's own actions for a number."""
