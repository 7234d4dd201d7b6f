"""The Find panel: compare numbers on the screen, look at the candidates, name one."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from integrator.domain.search.results import Candidate
from integrator.domain.search.search import Search
from integrator.ui.find.naming_footer import NamingFooter
from integrator.ui.find.search.find_form import FindForm
from integrator.ui.find.search.find_status import SearchCommand, SearchStatus
from integrator.ui.find.search.find_table import FindTable
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.room.boxes import stack
from integrator.ui.widgets.theme import Theme

__all__ = ["FindView", "SearchCommand", "SearchStatus"]


class FindView(QWidget):
    """Form, candidates, and actions on them. ``command_requested``: a command to run on the search.

    ``variable_requested``: (name, candidate); ``status_changed``: a SearchStatus that is shown;
    ``note_changed``: rich text for the panel's header.
    """

    command_requested = Signal(object)
    variable_requested = Signal(str, object)
    rejected = Signal(str)
    status_changed = Signal(object)
    note_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.status: SearchStatus | None = None
        self.form = FindForm(theme)
        self.results = FindTable(theme)
        self.proof = ProofBar(theme)
        self.form.command_requested.connect(self.command_requested)
        self.form.forecast_changed.connect(self._tell_count)
        self.results.command_requested.connect(self.command_requested)
        self.foot = self._build_footer()
        self.form.options.grouped.toggled.connect(self.results.set_grouped)
        self.results.current_changed.connect(self._check_make)
        self.results.name_requested.connect(self.foot.name.setFocus)
        theme.changed.connect(self._tell_count)
        layout = stack(self, self.form, self.results, self.proof, self.foot)
        layout.setStretch(1, 1)
        self.set_open(opened=False)

    def _build_footer(self) -> NamingFooter:
        self.undo = self._button("undo", self.tr("Undo"), Search.undo)
        self.redo = self._button("redo", self.tr("Redo"), Search.redo)
        self.fresh = QPushButton(self.tr("New"))
        self.fresh.setToolTip(self.tr("Begin the search anew"))
        self.fresh.clicked.connect(lambda: self.command_requested.emit(Search.reset))
        tip = self.tr(
            "Poke the selected candidates in a hidden copy of the game: original or copy, "
            "how wide, which pixels. The game that you play is not touched."
        )
        foot = NamingFooter(self._theme, tip, (self.undo, self.redo, self.fresh))
        foot.prove_requested.connect(
            lambda: self.results.prove_requested.emit(self.results.selection())
        )
        foot.name.setMaximumWidth(170)
        foot.name.textChanged.connect(self._check_make)
        foot.accepted.connect(self._make_variable)
        foot.rejected.connect(self.rejected)
        return foot

    def _button(self, icon: str, name: str, command: SearchCommand) -> QPushButton:
        button = QPushButton(self._theme.icons.icon(icon), "")
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setEnabled(False)
        button.clicked.connect(lambda: self.command_requested.emit(command))
        return button

    # -- shown state ------------------------------------------------------------------------

    def set_open(self, *, opened: bool) -> None:
        """Show that a game is open, and so memory to search, or none."""
        self.form.setVisible(opened)
        self.foot.setVisible(opened)
        if not opened:
            self.status = None
            self.results.model.forget_proofs()
            self.form.begin_anew()
            self.foot.name.clear()
            for button in (self.undo, self.redo):
                button.setEnabled(False)
        self.results.show_status(self.status)

    def set_taken_names(self, names: Sequence[str]) -> None:
        """Names that variables have already."""
        self.foot.set_taken_names(names)
        self._check_make()

    def show_status(self, status: SearchStatus) -> None:
        """Show a search after something was done to it."""
        self.status = status
        self.results.show_status(status)
        self.form.chips.show_steps(status.steps)
        self.form.show_searched(searched=bool(status.steps))
        self.undo.setEnabled(bool(status.steps))
        self._check_make()
        self._tell_count()
        self.status_changed.emit(status)

    def _tell_count(self) -> None:
        """Tell the header how much was searched, and how much is left or would be."""
        if self.form.forecast or self.status is None:
            self.note_changed.emit(html.escape(self.form.forecast))
            return
        size, types, left = self.status.ram_bytes, self.status.types, self.status.count
        text = self.tr("{0} addresses × {1} types → <b style='color:{2}'>{3}</b>")
        self.note_changed.emit(
            text.format(f"{size:,}", types, self._theme.colors.good, f"{left:,}")
        )

    def set_redo(self, *, possible: bool) -> None:
        """Enable redo when a step was undone."""
        self.redo.setEnabled(possible)

    def show_problem(self, text: str) -> None:
        """A comparison was refused: say so beside the field."""
        self.form.show_problem(text)

    # -- user input -------------------------------------------------------------------------

    def _check_make(self) -> None:
        field, name = self.foot.name, self.foot.name.text().strip()
        reason = self.foot.problem() if name else ""
        field.setProperty("invalid", bool(reason))
        field.style().unpolish(field)
        field.style().polish(field)
        field.setToolTip(reason)
        text = self.tr("Make variable “{0}”").format(name) if name else self.tr("Make variable")
        self.foot.make.setText(text)
        present: Candidate | None = self.results.selected()
        self.foot.make.setEnabled(bool(name) and not reason and present is not None)
        self.foot.prove.setEnabled(present is not None)

    def _make_variable(self, name: str) -> None:
        candidate = self.results.selected()
        if candidate is None:
            self.rejected.emit(
                self.tr("Select the candidate that becomes “{0}” first").format(name)
            )
        else:
            self.variable_requested.emit(name, candidate)
            self.foot.name.clear()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough for the candidate table."""
        return QSize(560, 420)
