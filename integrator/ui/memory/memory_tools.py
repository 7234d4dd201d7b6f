"""Tools of the Memory panel: texts by a table of letters, moments compared, ranges written."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QWidget

from integrator.domain.notes.dump import DUMPS, write_dump
from integrator.domain.notes.letters import (
    ASCII,
    LetterTable,
    find_bytes,
    find_letters,
    read_table,
    table_from,
)
from integrator.domain.values.datatype import DataType
from integrator.session.library.watch_list import (
    NOW,
    MemoryDifference,
    bytes_between,
    compare_memory,
    find_in_memory,
)
from integrator.ui.desk import PanelController
from integrator.ui.memory.memory_view import LETTERS, TEXT, MemoryView
from integrator.ui.widgets.fields import address_text, parse_number
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.parts import hbox, push_button, role_label, vbox
from integrator.ui.widgets.panels.table import DataTable
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted


class DifferenceModel(RowsModel[int]):
    """Rows of a MemoryDifference: address, and the byte at each of the two moments."""

    difference: MemoryDifference
    _names = ("", "")

    def show_difference(self, difference: MemoryDifference, names: tuple[str, str]) -> None:
        self.difference, self._names = difference, names
        self.forget_columns()
        self.show(range(len(difference.addresses)))

    def table(self) -> Sequence[Column[int]]:
        one, other = self._names
        return (
            Column(
                self.tr("address"), lambda row: address_text(int(self.difference.addresses[row]))
            ),
            Column(one, lambda row: "{0:02X}  {0}".format(self.difference.before[row])),
            Column(other, lambda row: "{0:02X}  {0}".format(self.difference.after[row])),
        )

    def font(self, _row: int) -> QFont:
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
        self.compare = push_button(self.tr("Compare"), self._ask)
        self.compare.setDefault(True)
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


class MemoryToolsController(PanelController[MemoryView]):
    """``table`` is the table of letters in use: ASCII until one is loaded or found by a search."""

    def _set_up(self) -> None:
        bridge, view = self._bridge, self._view
        self.table = ASCII
        self.compare = CompareView(view.theme, self._window)
        self.compare.compare_requested.connect(self._compare)
        self.compare.show_requested.connect(view.grid.go_to)
        bridge.opened.connect(self._begin)
        bridge.closed.connect(self.compare.hide)
        view.find_requested.connect(self.find)
        view.table_requested.connect(self._choose_table)
        view.compare_requested.connect(self._open_compare)
        view.dump_requested.connect(self._choose_dump)

    def _begin(self) -> None:
        self.table = ASCII

    def find(self, kind: str, text: str, after: int) -> None:
        """Go to the next place behind ``after`` with a number of a type, a text, or letters."""
        table = self.table

        def find(data: NDArray[np.uint8], at: int) -> int | None:
            if kind == LETTERS:
                return find_letters(data, text, at)
            coded = table.encode(text) if kind == TEXT else DataType.parse(kind).encode(number)
            return find_bytes(data, coded, at)

        def show(found: tuple[int, int] | None) -> None:
            missing = self.tr("{0} is nowhere").format(named)
            self._view.show_problem("" if found else missing)
            if found is not None:
                self._view.grid.go_to(found[0])
                if kind == LETTERS:
                    self._use_letters(table_from(text, found[1]))

        number = 0 if kind in (TEXT, LETTERS) else parse_number(text)
        named = f"“{text}”" if kind in (TEXT, LETTERS) else str(number)
        self._bridge.ask(lambda session: find_in_memory(session, find, after), show, self._warn)

    def _use_letters(self, table: LetterTable) -> None:
        self.table = table
        told = self.tr("Letters as here: A is {0}; “text” finds by this table now")
        self._announce(told.format(table.codes["A"].hex().upper()))

    def _choose_table(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self._view.window(),
            self.tr("Table of letters"),
            "",
            self.tr("Tables of letters (*.tbl)"),
        )
        path = Path(chosen)

        def done(table: LetterTable) -> None:
            self.table = table
            known = len(table.codes)
            text = counted(self.tr("{0}: {1} letter[ is|s are] known", None, known), known)
            text = ". ".join(
                filter(None, (text.format(path.name, known), "; ".join(table.problems)))
            )
            self._announce(text, NoticeKind.WARNING if table.problems else NoticeKind.GOOD)

        if chosen:
            self._bridge.beside(lambda: read_table(path), done, self._warn)

    # -- moments and ranges ---------------------------------------------------------------------

    def _open_compare(self) -> None:
        last, documents = self._controller.last, self._controller.documents
        if last is not None and documents is not None:
            self.compare.set_moments(last.number, documents.states)
            self.compare.show()
            self.compare.raise_()

    def _compare(self, one: str, other: str) -> None:
        self._bridge.ask(
            lambda session: compare_memory(session, one, other),
            self.compare.show_difference,
            self._warn,
        )

    def _choose_dump(self, start: int, stop: int) -> None:
        filters = ";;".join(f"*{suffix}" for suffix in DUMPS)
        title, name = self.tr("Write memory to a file"), f"memory-{start:06X}.bin"
        chosen, _ = QFileDialog.getSaveFileName(self._view.window(), title, name, filters)
        path = Path(chosen)

        def write(data: bytes) -> None:
            told = counted(self.tr("{0} byte[|s] written to {1}", None, len(data)), len(data))
            text = told.format(f"{len(data):,}", path)
            self._bridge.beside(
                lambda: write_dump(path, start, data), lambda _: self._announce(text), self._warn
            )

        if chosen:
            self._bridge.ask(lambda session: bytes_between(session, start, stop), write, self._warn)
