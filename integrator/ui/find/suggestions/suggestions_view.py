"""The Suggestions panel: likely variables with reasons, each accepted by one key."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from integrator.domain.suggest.suggestion import KINDS
from integrator.domain.values.variables import VariableSpec
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.find.naming_footer import NamingFooter
from integrator.ui.find.suggestions.curve_delegate import CurveDelegate
from integrator.ui.find.suggestions.suggestions_model import (
    Suggested,
    SuggestionColumn,
    SuggestionsModel,
)
from integrator.ui.widgets.panels.empty import EmptyOr, EmptyState
from integrator.ui.widgets.panels.labels import role_label
from integrator.ui.widgets.panels.table import DataTable
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.room.boxes import hbox, stack
from integrator.ui.widgets.theme import SIZES, Theme

_WHOLE = (
    SuggestionColumn.KIND,
    SuggestionColumn.CONFIDENCE,
    SuggestionColumn.ADDRESS,
    SuggestionColumn.TYPE,
)
_WIDTHS = (76, 44, 84, 46, 110, 200, 108)


class SuggestionsView(QWidget):
    """``suggest_requested``: look at what was played; ``variable_requested``: (name, Suggested).

    ``point_requested``: the user wants to draw a box round a number on the screen.

    ``prove_requested``: a list of Suggested; ``show_requested``: an address to look at.
    """

    suggest_requested = Signal()
    point_requested = Signal()
    variable_requested = Signal(str, object)
    prove_requested = Signal(object)
    show_requested = Signal(int)
    rejected = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.model = SuggestionsModel(theme, self)
        self.proof = ProofBar(theme)
        self._proposed = 0
        self._build_table()
        self._build_fields()
        self._build_ui()
        self.set_open(opened=False)

    def _build_table(self) -> None:
        self.table = DataTable(self.tr("Suggestions"))
        self.table.setModel(self.model)
        self.table.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        self.table.setItemDelegateForColumn(
            SuggestionColumn.CURVE, CurveDelegate(self._theme, self.table)
        )
        self.table.set_widths(
            _WIDTHS,
            stretch=SuggestionColumn.REASON,
            whole=_WHOLE,
            spare=(SuggestionColumn.TYPE, SuggestionColumn.CURVE),
        )
        self.table.wrap_rows()
        self.table.doubleClicked.connect(
            lambda index: self.show_requested.emit(self.model.at(index.row()).address)
        )
        self.table.selectionModel().currentChanged.connect(lambda *_: self._show_current())
        panel_action("suggestions.accept", self.table, lambda: self.foot.accept())

    def _build_fields(self) -> None:
        self.suggest = QPushButton(self._theme.icons.icon("search"), self.tr("Suggest"))
        self.suggest.setToolTip(
            self.tr("Look for score, lives, timer and position in the newest two minutes of play")
        )
        self.suggest.clicked.connect(self.suggest_requested)
        self.point = QPushButton(self._theme.icons.icon("marquee"), self.tr("Number here"))
        self.point.setToolTip(
            self.tr("Draw a box round a number on the screen: which variable is it?")
        )
        self.point.clicked.connect(self.point_requested)
        self.hint = role_label(self.tr("Enter makes the row a variable"), "secondary", wraps=True)
        tip = self.tr("Poke the selected rows in a hidden copy of the game: original or copy?")
        self.foot = NamingFooter(self._theme, tip)
        self.foot.prove_requested.connect(lambda: self.prove_requested.emit(self.selection()))
        self.foot.accepted.connect(self._make)
        self.foot.rejected.connect(self.rejected)

    def _build_ui(self) -> None:
        self._head = QFrame()
        hbox(
            self.suggest,
            self.point,
            (self.hint, 1),
            None,
            on=self._head,
            margins=(SIZES.pad, 9, SIZES.pad, 6),
        )
        self._idle = EmptyState(
            self._theme,
            "search",
            self.tr("Nothing typed, something found"),
            self.tr(
                "Play for a minute: move in all directions, score, lose a life. Then press "
                "Suggest, and see what the game's memory says by itself."
            ),
        )
        self.pages = EmptyOr(self._idle, self.table)
        stack(self, self._head, self.pages, self.proof, self.foot, grows=self.pages)

    # -- shown state --------------------------------------------------------------------------

    def set_open(self, *, opened: bool) -> None:
        """Show that a game is open, or none."""
        self._head.setVisible(opened)
        self.foot.name.clear()
        self.show_rows(())

    def show_rows(self, rows: Sequence[Suggested]) -> None:
        """Show suggestions; the one that the user has selected stays so, else the first new one."""
        is_chosen = self.table.currentIndex().row() != self._proposed
        chosen = self.selected() if is_chosen else None
        self.model.set_rows(rows)
        found = bool(rows)
        self.hint.setVisible(found)
        self.foot.setVisible(found)
        self.pages.show_content(found)
        if found:
            new = (row for row in range(len(rows)) if self.model.is_new(row))
            self._proposed = next(new, 0)
            self.table.selectRow(self._proposed if chosen is None else self.model.row_of(chosen))

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        """The variables that there are already."""
        self.model.set_variables(variables.values())
        self.foot.set_taken_names(list(variables))
        self._show_current()

    def selected(self) -> Suggested | None:
        """The suggestion of the current row."""
        index = self.table.currentIndex()
        return self.model.at(index.row()) if index.isValid() else None

    def selection(self) -> list[Suggested]:
        """The suggestions of all selected rows."""
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        return [self.model.at(row) for row in sorted(rows)]

    def _show_current(self) -> None:
        """Show a free name for the current row in the field, or the name that it has."""
        each = self.selected()
        if each is None:
            return
        known = self.model.known_as(self.table.currentIndex().row())
        if known:
            self.foot.name.setText(known)
            return
        base = KINDS[each.suggestion.kind].variable
        numbered = (f"{base}{number}" for number in itertools.count(2))
        free = (name for name in itertools.chain([base], numbered) if not self.foot.is_taken(name))
        self.foot.name.setText(next(free))

    def _make(self, name: str) -> None:
        each = self.selected()
        if each is not None:
            self.variable_requested.emit(name, each)
