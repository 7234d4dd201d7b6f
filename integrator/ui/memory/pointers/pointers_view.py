"""The dialog with the chains of pointers to a number that moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.domain.query.pointers.pointers import PointerChain
from integrator.ui.widgets.fields import address_text, parse_name
from integrator.ui.widgets.panels.parts import hbox, role_label, vbox
from integrator.ui.widgets.translation import counted

_TYPES = ("|u1", ">u2", "<u2", ">u4", "<u4", "|i1", ">i2", "<i2", ">i4", "<i4")
_LISTED = 200


class PointersView(QDialog):
    """``written``: (name, chain, type) for a script; ``watched``: (chain, type) for the watch list.

    ``forgotten``: the addresses so far say nothing of the next number; ``refused``: a bad name.
    """

    written = Signal(str, object, str)
    watched = Signal(object, str)
    forgotten = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Pointers to a number that moves"))
        self._chains: tuple[PointerChain, ...] = ()
        self.facts = role_label("", "secondary", wraps=True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Chains of pointers"))
        self.type = QComboBox()
        self.type.setAccessibleName(self.tr("Type of the number"))
        self.type.addItems(_TYPES)
        self.name = QLineEdit(placeholderText=self.tr("name, such as health"))
        self.name.setAccessibleName(self.tr("Name of the functions"))
        self.write = QPushButton(self.tr("Write script"), default=True)
        self.write.setToolTip(self.tr("Add Lua functions that follow the chain to the number"))
        self.write.clicked.connect(self._write)
        self.watch = QPushButton(self.tr("Watch"))
        self.watch.setToolTip(self.tr("Watch the number where it is now, with the chain as a note"))
        self.watch.clicked.connect(self._watch)
        self.forget = QPushButton(self.tr("Another number"))
        self.forget.setToolTip(self.tr("Forget the addresses, and begin with the next one"))
        self.forget.clicked.connect(self.forgotten)
        row = hbox(self.forget, self.type, self.watch, (self.name, 1), self.write)
        vbox(self.facts, (self.list, 1), row, on=self)
        self.resize(620, 420)

    def show_chains(self, seen: Mapping[int, int], chains: Sequence[PointerChain]) -> None:
        """Show the chains that lead to the number at each frame, and the next step in words."""
        self._chains = tuple(chains[:_LISTED])
        self.list.clear()
        self.list.addItems([str(each) for each in self._chains])
        self.list.setCurrentRow(0)
        place = self.tr("{0} (frame {1})")
        places = ", ".join(place.format(address_text(at), frame) for frame, at in seen.items())
        text = self.tr("{0} chain[|s] lead[s|] to the number at {1}.", None, len(chains))
        text = counted(text, len(chains)).format(f"{len(chains):,}", places)
        more = self.tr(
            "Let the number move: enter another level, or load a state. Find it again, and choose "
            "“Find what points here” there: fewer chains are left."
        )
        self.facts.setText(f"{text} {more}")
        for button in (self.write, self.watch):
            button.setEnabled(bool(chains))

    def _write(self) -> None:
        try:
            name = parse_name(self.name.text(), ())
        except DomainError as error:
            self.refused.emit(str(error))
            return
        chain = self._chains[self.list.currentRow()]
        self.written.emit(name, chain, self.type.currentText())

    def _watch(self) -> None:
        self.watched.emit(self._chains[self.list.currentRow()], self.type.currentText())
