"""Numbers in pieces that agree with the facts, below the matches, and the way to write them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QListWidget

from integrator.domain.errors import DomainError
from integrator.domain.query.pieces.pieces import Pieces
from integrator.ui.widgets.fields import parse_name
from integrator.ui.widgets.panels.labels import line_edit, push_button, role_label
from integrator.ui.widgets.room.boxes import hbox, vbox
from integrator.ui.widgets.theme import SIZES, Theme
from integrator.ui.widgets.translation import counted

_ROWS_PX = 84


class PiecesBox(QFrame):
    """Hidden without numbers in pieces.

    ``accepted``: a name and the pieces to write under it; ``rejected``: the reason against a name.
    """

    accepted = Signal(str, object)
    rejected = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("PanelFooter")
        self._found: tuple[Pieces, ...] = ()
        self._taken: frozenset[str] = frozenset()
        self._build_fields(theme)
        self._build_ui()
        self.hide()

    def _build_fields(self, theme: Theme) -> None:
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Numbers in pieces"))
        self.list.setFixedHeight(_ROWS_PX)
        self.list.setWordWrap(True)
        self.name = line_edit(
            self.tr("Name of the number in pieces"), self.tr("name, such as score"), self._accept
        )
        self.write = push_button(
            self.tr("Write script"),
            self._accept,
            self.tr(
                "Make a variable of each piece, and a Lua script that adds them up; the scenario "
                "rewards its growth"
            ),
            "primary",
            theme.icons.icon("plus", "on_accent"),
        )

    def _build_ui(self) -> None:
        column = vbox(
            role_label(self.tr("Numbers in pieces that fit all facts"), "secondary"),
            self.list,
            on=self,
            margins=(SIZES.pad, 9, SIZES.pad, 9),
        )
        row = hbox(None, (self.name, 2), self.write)
        column.addLayout(row)

    def set_taken_names(self, names: Sequence[str]) -> None:
        """Names that variables have already."""
        self._taken = frozenset(names)

    def show_pieces(self, found: Sequence[Pieces]) -> None:
        """List numbers in pieces, the most plausible first."""
        self._found = tuple(found)
        if not found:
            self.name.clear()
        self.list.clear()
        for each in found:
            copies = self.tr("; {0} more place[|s] alike", None, each.copies)
            told = counted(copies, each.copies).format(each.copies) if each.copies else ""
            self.list.addItem(f"{each}{told}")
        self.list.setCurrentRow(0)
        self.setVisible(bool(found))

    def _accept(self) -> None:
        row = self.list.currentRow()
        try:
            name = parse_name(self.name.text(), self._taken)
        except DomainError as error:
            self.rejected.emit(str(error))
            return
        if row >= 0:
            self.accepted.emit(name, self._found[row])
            self.name.clear()
