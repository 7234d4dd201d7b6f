"""The Find panel: compare numbers on the screen, look at the candidates, name one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from integrator.domain.errors import IntegratorError
from integrator.domain.search.results import Candidate
from integrator.domain.search.search import Search
from integrator.ui.find.search.find_form import FindForm
from integrator.ui.find.search.find_status import SearchCommand, SearchStatus
from integrator.ui.find.search.find_table import FindTable
from integrator.ui.widgets.fields import parse_name
from integrator.ui.widgets.panels import set_role
from integrator.ui.widgets.proof_bar import ProofBar
from integrator.ui.widgets.theme import SIZES, Theme

__all__ = ["FindView", "SearchCommand", "SearchStatus"]


class FindView(QWidget):
    """Form, candidates, and actions on them. ``command_requested``: a command to run on the search.

    ``variable_requested``: (name, candidate); ``status_changed``: a SearchStatus that is shown.
    """

    command_requested = Signal(object)
    variable_requested = Signal(str, object)
    rejected = Signal(str)
    status_changed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._taken: frozenset[str] = frozenset()
        self.status: SearchStatus | None = None
        self.form = FindForm(theme)
        self.results = FindTable(theme)
        self.proof = ProofBar(theme)
        self.form.command_requested.connect(self.command_requested)
        self.results.command_requested.connect(self.command_requested)
        self.form.options.grouped.toggled.connect(self.results.set_grouped)
        self.results.current_changed.connect(self._check_make)
        self.results.name_requested.connect(lambda: self.name.setFocus())
        self._footer = self._build_footer()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.form, self.results, self.proof, self._footer):
            layout.addWidget(part)
        layout.setStretch(1, 1)
        self.set_open(opened=False)

    def _build_footer(self) -> QFrame:
        footer = QFrame()
        footer.setObjectName("PanelFooter")
        icons = self._theme.icons
        self.undo = self._button("undo", self.tr("Undo"), Search.undo)
        self.redo = self._button("redo", self.tr("Redo"), Search.redo)
        self.fresh = QPushButton(self.tr("New"))
        self.fresh.setToolTip(self.tr("Begin the search anew"))
        self.fresh.clicked.connect(lambda: self.command_requested.emit(Search.reset))
        self.prove = QPushButton(icons.icon("proof"), self.tr("Prove"))
        self.prove.setToolTip(
            self.tr(
                "Poke the selected candidates in a hidden copy of the game: original or copy, "
                "how wide, which pixels. The game that you play is not touched."
            )
        )
        self.prove.clicked.connect(
            lambda: self.results.prove_requested.emit(self.results.selection())
        )
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("name, such as score"))
        self.name.setAccessibleName(self.tr("Name of the new variable"))
        self.name.setMaximumWidth(170)
        self.name.textChanged.connect(self._check_make)
        self.name.returnPressed.connect(self._make_variable)
        self.make = QPushButton(self.tr("Make variable"))
        set_role(self.make, "primary")
        self.make.clicked.connect(self._make_variable)
        row = QHBoxLayout(footer)
        row.setContentsMargins(SIZES.pad, 9, SIZES.pad, 9)
        row.setSpacing(7)
        for widget in (self.undo, self.redo, self.fresh, self.prove):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.name, 2)
        row.addWidget(self.make)
        return footer

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
        self._footer.setVisible(opened)
        if not opened:
            self.status = None
            self.results.model.forget_proofs()
            self.form.begin_anew()
            self.name.clear()
            for button in (self.undo, self.redo):
                button.setEnabled(False)
        self.results.show_status(self.status)

    def set_taken_names(self, names: Sequence[str]) -> None:
        """Names that variables have already."""
        self._taken = frozenset(names)
        self._check_make()

    def show_status(self, status: SearchStatus) -> None:
        """Show a search after something was done to it."""
        self.status = status
        self.results.show_status(status)
        self.form.chips.show_steps(status.steps)
        self.form.show_searched(searched=bool(status.steps))
        self.undo.setEnabled(bool(status.steps))
        self._check_make()
        self.status_changed.emit(status)

    def count_note(self, status: SearchStatus) -> str:
        """Rich text for the panel's header: how much was searched, and how much is left."""
        return self.tr("{0} addresses × {1} types → <b style='color:{2}'>{3}</b>").format(
            f"{status.ram_bytes:,}", status.types, self._theme.colors.good, f"{status.count:,}"
        )

    def set_redo(self, *, possible: bool) -> None:
        """Enable redo when a step was undone."""
        self.redo.setEnabled(possible)

    def show_problem(self, text: str) -> None:
        """A comparison was refused: say so beside the field."""
        self.form.show_problem(text)

    # -- user input -------------------------------------------------------------------------

    def _check_make(self) -> None:
        name = self.name.text().strip()
        reason = self._name_problem(name) if name else None
        self.name.setProperty("invalid", reason is not None)
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)
        self.name.setToolTip(reason or "")
        text = self.tr("Make variable “{0}”").format(name) if name else self.tr("Make variable")
        self.make.setText(text)
        present: Candidate | None = self.results.selected()
        self.make.setEnabled(bool(name) and reason is None and present is not None)
        self.prove.setEnabled(present is not None)

    def _name_problem(self, name: str) -> str | None:
        try:
            parse_name(name, self._taken)
        except IntegratorError as error:
            return str(error)
        return None

    def _make_variable(self) -> None:
        candidate = self.results.selected()
        name = self.name.text().strip()
        problem = self._name_problem(name)
        if problem is not None:
            self.rejected.emit(problem)
        elif candidate is None:
            self.rejected.emit(
                self.tr("Select the candidate that becomes “{0}” first").format(name)
            )
        else:
            self.variable_requested.emit(name, candidate)
            self.name.clear()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough for the candidate table."""
        return QSize(560, 420)
