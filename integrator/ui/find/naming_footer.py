"""The foot of a panel with findings: prove the selected rows, or name the current one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton

from integrator.domain.errors import DomainError
from integrator.ui.widgets.fields import parse_name
from integrator.ui.widgets.panels.parts import hbox, line_edit, push_button, set_trait
from integrator.ui.widgets.theme import SIZES, Theme

_NAME: Final = 260
"""The widest field for a name, in pixels; names have hardly more than 30 letters."""


class NamingFooter(QFrame):
    """``prove_requested``: prove the selected rows; ``accepted``: a name for the current row.

    ``rejected``: the reason why the name cannot be taken.
    """

    prove_requested = Signal()
    accepted = Signal(str)
    rejected = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("PanelFooter")
        self._taken: frozenset[str] = frozenset()
        self._present = False
        self.prove = push_button(
            self.tr("Prove"),
            self.prove_requested.emit,
            self.tr(
                "Poke the selected rows in a hidden copy of the game: original or copy, how wide, "
                "which pixels. The game that you play is not touched."
            ),
            icon=theme.icons.icon("proof"),
        )
        self.name = line_edit(
            self.tr("Name of the new variable"), self.tr("variable name"), self.accept
        )
        self.name.textChanged.connect(self._check)
        self.make = push_button(self.tr("Make variable"), self.accept, role="primary")
        self._row = row = hbox(
            self.prove, None, on=self, margins=(SIZES.pad, 9, SIZES.pad, 9), gap=7
        )
        # The stretch before the name takes room only when the field has all it can use.
        self.name.setMaximumWidth(_NAME)
        row.addWidget(self.name, 100)
        row.addWidget(self.make)
        self._check()

    def add(self, *buttons: QPushButton, at: int = -1) -> None:
        """Insert buttons at a place of the row; -1 is its right end."""
        for place, button in enumerate(buttons, at):
            self._row.insertWidget(place if at >= 0 else -1, button)

    def set_taken_names(self, names: Sequence[str]) -> None:
        """Names that variables have already."""
        self._taken = frozenset(names)
        self._check()

    def set_present(self, *, present: bool) -> None:
        """Let a row be taken, or none while none is the current one."""
        self._present = present
        self._check()

    def _check(self) -> None:
        """Mark a name that cannot be taken."""
        reason = self.problem() if self.name.text().strip() else ""
        set_trait(self.name, "invalid", bool(reason))
        self.name.setToolTip(reason)
        self.make.setEnabled(self._present and not reason)
        self.prove.setEnabled(self._present)

    def is_taken(self, name: str) -> bool:
        """True when a variable has this name."""
        return name in self._taken

    def problem(self) -> str:
        """The reason why no variable can have the name in the field; empty without one."""
        try:
            parse_name(self.name.text(), self._taken)
        except DomainError as error:
            return str(error)
        return ""

    def accept(self) -> None:
        """Take the name in the field, or reject it and let another be typed."""
        problem = self.problem()
        if problem:
            self.name.setFocus()
            self.name.selectAll()
            self.rejected.emit(problem)
        else:
            self.accepted.emit(self.name.text().strip())
