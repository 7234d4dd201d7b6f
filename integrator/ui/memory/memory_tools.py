"""Tools of the Memory panel: texts by a table of letters, moments compared, ranges written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QPushButton, QWidget

from integrator.domain.notes.dump import DUMPS, write_dump
from integrator.domain.notes.letters import (
    ASCII,
    LetterTable,
    find_bytes,
    find_letters,
    read_table,
    table_from,
)
from integrator.session.library.memory_images import (
    NOW,
    MemoryDifference,
    compare_memory,
    memory_image,
)
from integrator.session.session import Session
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.notices import NoticeKind
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


@dataclass(frozen=True, slots=True)
class _Found:
    """A place that holds a text, and the byte there."""

    address: int
    first: int


class MemoryToolsController(PanelController[MemoryView]):
    """``table`` is the table of letters in use: ASCII until one is loaded or told by a search."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: MemoryView, parent: QWidget
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._window = parent
        self.table = ASCII
        self.compare = CompareView(view.theme, parent)
        self.compare.compare_requested.connect(self._compare)
        self.compare.show_requested.connect(view.grid.go_to)
        bridge.opened.connect(lambda _: self._begin())
        bridge.closed.connect(self.compare.hide)
        view.text_requested.connect(self.find_text)
        view.letters_requested.connect(self.find_letters)
        view.table_requested.connect(self.choose_table)
        view.compare_requested.connect(self.open_compare)
        view.dump_requested.connect(self.choose_dump)

    def _begin(self) -> None:
        self.table = ASCII

    # -- texts --------------------------------------------------------------------------------

    def find_text(self, text: str, after: int) -> None:
        """Go to the next place behind ``after`` that holds a text, by the table of letters."""
        table = self.table

        def work(session: Session) -> _Found | None:
            data, space = memory_image(session, NOW), session.memory.space
            at = find_bytes(data, table.encode(text), space.index_of(after))
            return None if at is None else _Found(space.address_of(at), int(data[at]))

        self._bridge.ask(work, lambda found: self._show(text, found), self._refused)

    def find_letters(self, text: str, after: int) -> None:
        """Go to the next place with the distances of a text's letters, which tells a table."""

        def work(session: Session) -> _Found | None:
            data, space = memory_image(session, NOW), session.memory.space
            at = find_letters(data, text, space.index_of(after))
            return None if at is None else _Found(space.address_of(at), int(data[at]))

        def done(found: _Found | None) -> None:
            self._show(text, found)
            if found is not None:
                self.table = table_from(text, found.first)
                told = self.tr("Letters as here: A is {0}; “text” finds by this table now")
                self._view.show_problem("")
                code = self.table.codes["A"].hex().upper()
                self._controller.said.emit(NoticeKind.GOOD, told.format(code))

        self._bridge.ask(work, done, self._refused)

    def _show(self, text: str, found: _Found | None) -> None:
        if found is None:
            self._view.show_problem(self.tr("“{0}” is nowhere").format(text))
        else:
            self._view.show_problem("")
            self._view.grid.go_to(found.address)

    def choose_table(self) -> None:
        """Ask for a table of letters, and use it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Table of letters"), "", self.tr("Tables of letters (*.tbl)")
        )
        if chosen:
            self.load_table(Path(chosen))

    def load_table(self, path: Path) -> None:
        """Find texts by the table of a ``.tbl`` file from now on."""

        def done(table: LetterTable) -> None:
            self.table = table
            known = len(table.codes)
            text = counted(self.tr("{0}: {1} letter[ is|s are] known", None, known), known)
            text = text.format(path.name, known)
            problems = "; ".join(table.problems)
            kind = NoticeKind.WARNING if problems else NoticeKind.GOOD
            self._controller.said.emit(kind, f"{text}. {problems}" if problems else text)

        self._bridge.beside(lambda: read_table(path), done, self._refused)

    # -- moments and ranges ---------------------------------------------------------------------

    def open_compare(self) -> None:
        """Show the dialog with the moments that there are."""
        last, documents = self._controller.last, self._controller.documents
        if last is not None and documents is not None:
            self.compare.set_moments(last.number, documents.states)
            self.compare.show()
            self.compare.raise_()

    def _compare(self, one: str, other: str) -> None:
        self._bridge.ask(
            lambda session: compare_memory(session, one, other),
            self.compare.show_difference,
            self._refused,
        )

    def choose_dump(self, start: int, stop: int) -> None:
        """Ask for a file, and write a range of memory into it."""
        filters = ";;".join(f"*{suffix}" for suffix in DUMPS)
        name = f"memory-{start:06X}.bin"
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Write memory to a file"), name, filters
        )
        if chosen:
            self.dump(Path(chosen), start, stop)

    def dump(self, path: Path, start: int, stop: int) -> None:
        """Write the bytes from ``start`` to before ``stop``, as they are now."""

        def read(session: Session) -> bytes:
            space = session.memory.space
            first = space.index_of(start)
            return memory_image(session, NOW)[first : first + stop - start].tobytes()

        def write(data: bytes) -> None:
            told = counted(self.tr("{0} byte[|s] written to {1}", None, len(data)), len(data))
            text = told.format(f"{len(data):,}", path)
            self._bridge.beside(
                lambda: write_dump(path, start, data),
                lambda _: self._controller.said.emit(NoticeKind.GOOD, text),
                self._refused,
            )

        self._bridge.ask(read, write, self._refused)

    def _refused(self, error: Exception) -> None:
        self._controller.said.emit(NoticeKind.WARNING, str(error))
