"""Tools of the Memory panel: texts, moments compared, ranges written, pointers, causes."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QDialog, QListWidget, QPushButton, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.letters import (
    ASCII,
    DUMPS,
    LetterTable,
    find_bytes,
    find_letters,
    read_table,
    table_from,
    write_dump,
)
from integrator.domain.query.causes import Causes, Companion, NumberChange
from integrator.domain.query.pointers import PointerChain
from integrator.domain.values.datatype import DataType
from integrator.session.edits.commands import write_accessor
from integrator.session.hidden.cause_trials import CauseTrial, CauseTrials
from integrator.session.library.watch_list import (
    NOW,
    MemoryDifference,
    bytes_between,
    compare_memory,
    find_in_memory,
)
from integrator.session.session import Session
from integrator.ui.bridge.background import Background
from integrator.ui.desk import PanelController
from integrator.ui.memory.memory_view import LETTERS, TEXT, MemoryView
from integrator.ui.widgets.fields import address_text, parse_name, parse_number
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import (
    combo_box,
    hbox,
    line_edit,
    push_button,
    role_label,
    vbox,
)
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import Theme


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
        kinds = self.tr("Tables of letters (*.tbl)")
        path = self._ask_open("letters", self.tr("Table of letters"), kinds)
        if path is None:
            return

        def done(table: LetterTable) -> None:
            self.table = table
            known = len(table.codes)
            text = counted(self.tr("{0}: {1} letter[ is|s are] known", None, known), known)
            text = ". ".join(
                filter(None, (text.format(path.name, known), "; ".join(table.problems)))
            )
            self._announce(text, NoticeKind.WARNING if table.problems else NoticeKind.GOOD)

        self._bridge.beside(lambda: read_table(path), done, self._warn)

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
        path = self._ask_save("dump", title, name, filters)
        if path is None:
            return

        def write(data: bytes) -> None:
            told = counted(self.tr("{0} byte[|s] written to {1}", None, len(data)), len(data))
            text = told.format(f"{len(data):,}", path)
            self._bridge.beside(
                lambda: write_dump(path, start, data), lambda _: self._announce(text), self._warn
            )

        self._bridge.ask(lambda session: bytes_between(session, start, stop), write, self._warn)


_TYPES = ("|u1", ">u2", "<u2", ">u4", "<u4", "|i1", ">i2", "<i2", ">i4", "<i4")
_LISTED = 200


class PointersView(QDialog):
    """Lists chains; its buttons belong to the controller."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Pointers to a number that moves"))
        self._chains: tuple[PointerChain, ...] = ()
        self.facts = role_label("", "secondary", wraps=True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Chains of pointers"))
        self.type = combo_box(
            self.tr("Type of the number"), entries=[(spec, spec) for spec in _TYPES]
        )
        self.name = line_edit(self.tr("Name of the functions"), self.tr("name, such as health"))
        self.write = QPushButton(self.tr("Write script"), default=True)
        self.write.setToolTip(self.tr("Add Lua functions that follow the chain to the number"))
        self.watch = QPushButton(self.tr("Watch"))
        self.watch.setToolTip(self.tr("Watch the number where it is now, with the chain as a note"))
        self.forget = QPushButton(self.tr("Another number"))
        self.forget.setToolTip(self.tr("Forget the addresses, and begin with the next one"))
        row = hbox(self.forget, self.type, self.watch, (self.name, 1), self.write)
        vbox(self.facts, (self.list, 1), row, on=self)
        self.resize(620, 420)

    def chosen(self) -> tuple[PointerChain, DataType]:
        return self._chains[self.list.currentRow()], DataType.parse(self.type.currentText())

    def show_chains(self, seen: Mapping[int, int], chains: Sequence[PointerChain]) -> None:
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


class PointersController(PanelController[MemoryView]):
    """``seen`` are frames of the shown line, with the number's address at each."""

    def _set_up(self) -> None:
        self.seen: dict[int, int] = {}
        self.view = PointersView(self._window)
        self.view.write.clicked.connect(self._write)
        self.view.watch.clicked.connect(self._watch)
        self.view.forget.clicked.connect(self._forget)
        self._bridge.opened.connect(self._forget)
        self._bridge.closed.connect(self._forget)
        self._view.pointers_requested.connect(self.find)

    def _forget(self) -> None:
        self.seen.clear()
        self.view.hide()

    def find(self, address: int) -> None:

        def look(session: Session) -> tuple[dict[int, int], list[PointerChain]]:
            travel = session.timeline
            seen = {**self.seen, travel.position: address}
            return seen, travel.pointers(seen)

        def show(answer: tuple[dict[int, int], list[PointerChain]]) -> None:
            self.seen = answer[0]
            self.view.show_chains(*answer)
            self.view.show()
            self.view.raise_()

        self._bridge.ask(look, show, self._warn)

    def _write(self) -> None:
        try:
            name = parse_name(self.view.name.text(), ())
        except DomainError as error:
            self._warn(error)
            return
        self._controller.edit(write_accessor(name, *self.view.chosen()), then=self.view.hide)

    def _watch(self) -> None:
        chain, kind = self.view.chosen()

        def show(address: int | None) -> None:
            if address is None:
                self._warn(self.tr("{0} leads nowhere at this frame").format(chain))
            else:
                self._view.watch_requested.emit(Watch(address, kind, note=str(chain)))

        self._bridge.ask(
            lambda session: chain.address(session.memory.space, session.memory.ram),
            show,
            self._warn,
        )


class ChangesModel(RowsModel[NumberChange]):
    """A row a change, the newest first."""

    def table(self) -> Sequence[Column[NumberChange]]:
        return (
            Column(self.tr("frame"), lambda row: str(row.frame)),
            Column(self.tr("from"), lambda row: str(row.before)),
            Column(self.tr("to"), lambda row: str(row.after)),
            Column(self.tr("held"), lambda row: " ".join(row.held)),
        )

    def font(self, _row: NumberChange) -> QFont:
        return self._mono


class CausesView(QDialog):
    """All changes of one number, and in words what goes with them."""

    trials_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("What changed this?"))
        self.facts = role_label("", "secondary", wraps=True)
        self.model = ChangesModel(theme, self)
        self.table = DataTable(self.tr("Changes"), self.model)
        self.table.set_widths((72, 84, 84, 160), stretch=3, whole=(0,))
        hint = self.tr("Enter or a double click goes to the frame")
        self.trials = role_label("", "secondary", wraps=True)
        self.try_causes = push_button(
            self.tr("Try causes"),
            self.trials_requested.emit,
            self.tr("Repeat the newest changes in a hidden core, without each button and byte"),
        )
        below = hbox(role_label(hint, "faint"), None, self.try_causes)
        vbox(self.facts, self.trials, (self.table, 1), below, on=self)
        self.resize(460, 460)

    def show_causes(self, causes: Causes) -> None:
        self.model.show(causes.changes[::-1])
        count, (step, times) = len(causes.changes), causes.usual_step
        text = self.tr("{0} {1} changed on {2} recorded frame[|s]", None, count)
        place = address_text(causes.address)
        text = counted(text, count).format(place, causes.type.spec, f"{count:,}")
        if times > 1:
            moves = self.tr("; by {0} on {1} of them") if step else ""
            text += moves.format(f"{step:+}", f"{times:,}")
        sentences = [text]
        of_buttons = (
            (causes.buttons, self.tr("{0} is held at nearly all of them")),
            (causes.rises_with, self.tr("It rises with {0}")),
            (causes.falls_with, self.tr("It falls with {0}")),
        )
        said = [words.format(", ".join(names)) for names, words in of_buttons if names]
        sentences += said or [self.tr("No button goes with it")]
        if causes.companions:
            others = ", ".join(map(self._companion, causes.companions))
            sentences.append(self.tr("On the same frames change {0}").format(others))
        self.facts.setText(". ".join(sentences) + ".")
        self.trials.clear()
        self.try_causes.setEnabled(bool(causes.changes))
        self.show()
        self.raise_()

    def show_trials(self, trials: Sequence[CauseTrial] | None) -> None:
        """Say what the number needs."""
        self.try_causes.setEnabled(True)
        if trials is None:
            self.trials.setText(self.tr("These changes do not repeat in a hidden core."))
            return
        buttons = [each.button for each in trials if each.button and each.is_cause]
        others = [each.address for each in trials if each.is_cause]
        bytes_ = [address_text(address) for address in others if address is not None]
        said = [self.tr("Without {0} held before, it does not change").format(", ".join(buttons))]
        said = said if buttons else [self.tr("No button is needed for it")]
        if bytes_:
            words = self.tr("With another value in {0} just before, it does not change")
            said.append(words.format(", ".join(bytes_)))
        self.trials.setText(self.tr("Tried: {0}.").format(". ".join(said)))

    def _companion(self, other: Companion) -> str:
        place = address_text(other.address)
        reaches = self.tr("{0}, which becomes {1}")
        return place if other.reaches is None else reaches.format(place, other.reaches)


class CausesController(PanelController[MemoryView]):
    """Looks for causes on a copy of the recording, next to the game."""

    def _set_up(self) -> None:
        self.view = CausesView(self._view.theme, self._window)
        self.view.table.activated.connect(
            lambda index: self._bridge.seek(self.view.model.at(index.row()).frame)
        )
        self._background = Background(self._bridge, "causes", self)
        self._bridge.closed.connect(self.view.hide)
        self._view.causes_requested.connect(self.find)
        self.view.trials_requested.connect(self.try_causes)
        self._causes: Causes | None = None

    def _show(self, causes: Causes) -> None:
        self._causes = causes
        self.view.show_causes(causes)

    def try_causes(self) -> None:
        """Repeat the newest changes in a hidden core, each without one of their causes."""
        causes = self._causes
        if causes is None:
            return
        self.view.try_causes.setEnabled(False)
        self._bridge.ask(
            lambda session: CauseTrials.take(session, causes),
            lambda trials: self._background.start(
                lambda job: trials.run(job.stopped), self.view.show_trials, self._warn
            ),
            self._warn,
        )

    def find(self, address: int, size: int) -> None:
        documents = self._controller.documents
        specs = documents.variables.values() if documents else ()
        known = (spec.type for spec in specs if spec.address == address)
        kind = next(known, DataType.parse("|u1" if size == 1 else f">u{min(size, 8)}"))
        self._bridge.ask(
            lambda session: session.causes_run(),
            lambda run: self._background.start(
                lambda _: run.run(address, kind), self._show, self._warn
            ),
            self._warn,
        )
