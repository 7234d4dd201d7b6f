"""The dialog that compares memory at two moments: addresses that differ, and both values."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QDialog, QPushButton, QWidget

from integrator.session.library.memory_images import NOW, MemoryDifference
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.parts import hbox, role_label, vbox
from integrator.ui.widgets.panels.table import DataTable
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted


class DifferenceModel(RowsModel[int]):
    """Rows of a MemoryDifference: address, and the byte at each of the two moments."""

    difference: MemoryDifference
    _names = ("", "")

    def show_difference(self, difference: MemoryDifference, names: tuple[str, str]) -> None:
        """Show another difference, of moments of these names."""
        self.difference, self._names = difference, names
        self.forget_columns()
        self.show(range(len(difference.addresses)))

    def table(self) -> Sequence[Column[int]]:
        """The address, and values as hexadecimal and decimal numbers."""
        one, other = self._names
        return (
            Column(
                self.tr("address"), lambda row: address_text(int(self.difference.addresses[row]))
            ),
            Column(one, lambda row: "{0:02X}  {0}".format(self.difference.before[row])),
            Column(other, lambda row: "{0:02X}  {0}".format(self.difference.after[row])),
        )

    def font(self, _row: int) -> QFont:
        """Numbers stand below each other."""
        return self._mono


class CompareView(QDialog):
    """``compare_requested`` gives two moments; ``show_requested`` an address."""

    compare_requested = Signal(str, str)
    show_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare memory"))
        self.one = self._moment(self.tr("First moment"))
        self.other = self._moment(self.tr("Second moment"))
        self.compare = QPushButton(self.tr("Compare"), default=True)
        self.compare.clicked.connect(self._ask)
        self.model = DifferenceModel(theme, self)
        self.table = DataTable(self.tr("Bytes that differ"), self.model)
        self.table.activated.connect(self._show_place)
        self.facts = role_label("", "faint", wraps=True)
        row = hbox((self.one, 1), (self.other, 1), self.compare)
        vbox(row, (self.table, 1), self.facts, on=self)
        self.resize(420, 460)

    def _moment(self, name: str) -> QComboBox:
        field = QComboBox(editable=True)
        field.setAccessibleName(name)
        field.setToolTip(self.tr("now, the number of a frame, or the name of a start state"))
        return field

    def set_moments(self, frame: int, states: Sequence[str]) -> None:
        """Offer the present, the frame on the screen, and start states."""
        now = self.tr("now")
        if not self.facts.text():
            self.facts.setText(
                self.tr("Choose two moments: “now”, the number of a frame, or a start state.")
            )
        for field, shown in ((self.one, next(iter(states), "1")), (self.other, now)):
            typed = field.currentText()
            field.clear()
            field.addItems([now, str(frame), *states])
            field.setCurrentText(typed or shown)

    def show_difference(self, difference: MemoryDifference) -> None:
        """Show the answer."""
        names = self.one.currentText(), self.other.currentText()
        self.model.show_difference(difference, names)
        count = len(difference.addresses)
        text = self.tr("{0} byte[|s] differ[s|]; Enter on a row shows the place", None, count)
        self.facts.setText(counted(text, count).format(f"{count:,}"))

    def _ask(self) -> None:
        typed = (field.currentText().strip() for field in (self.one, self.other))
        one, other = (NOW if text == self.tr("now") else text for text in typed)
        self.compare_requested.emit(one, other)

    def _show_place(self, index: QModelIndex) -> None:
        self.show_requested.emit(int(self.model.difference.addresses[index.row()]))
