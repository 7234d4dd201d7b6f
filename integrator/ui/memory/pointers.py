"""The dialog that finds what points to a number that moves, from its addresses at some frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.domain.integration.watches import Watch
from integrator.domain.query.pointers.pointers import PointerChain
from integrator.domain.values.datatype import DataType
from integrator.session.edits.commands import write_accessor
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.widgets.fields import address_text, parse_name
from integrator.ui.widgets.notices import NoticeKind
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


class PointersController(QObject):
    """``seen`` are frames of the shown line, with the number's address at each."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: MemoryView, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._memory = view
        self.seen: dict[int, int] = {}
        self.view = PointersView(parent)
        self.view.written.connect(self.write)
        self.view.watched.connect(self.watch)
        self.view.forgotten.connect(self._forget)
        self.view.refused.connect(lambda text: controller.said.emit(NoticeKind.WARNING, text))
        bridge.opened.connect(lambda _: self._forget())
        bridge.closed.connect(self._forget)
        view.pointers_requested.connect(self.find)

    def _forget(self) -> None:
        self.seen.clear()
        self.view.hide()

    def find(self, address: int) -> None:
        """Note the number's address at the frame shown, and list the chains that are left."""

        def look(session: Session) -> tuple[dict[int, int], list[PointerChain]]:
            travel = session.timeline
            seen = {**self.seen, travel.position: address}
            return seen, travel.pointers(seen)

        def show(answer: tuple[dict[int, int], list[PointerChain]]) -> None:
            self.seen = answer[0]
            self.view.show_chains(*answer)
            self.view.show()
            self.view.raise_()

        self._bridge.ask(look, show, self._say)

    def write(self, name: str, chain: PointerChain, spec: str) -> None:
        """Add functions that follow a chain to the scenario's scripts."""
        self._controller.edit(
            write_accessor(name, chain, DataType.parse(spec)), then=self.view.hide
        )

    def watch(self, chain: PointerChain, spec: str) -> None:
        """Put the number where it is now into the watch list, with the chain as its note."""

        def look(session: Session) -> int | None:
            return chain.address(session.memory.space, session.memory.ram)

        def show(address: int | None) -> None:
            if address is None:
                text = self.tr("{0} leads nowhere at this frame").format(chain)
                self._controller.said.emit(NoticeKind.WARNING, text)
            else:
                watch = Watch(address, DataType.parse(spec), note=str(chain))
                self._memory.watch_requested.emit(watch)

        self._bridge.ask(look, show, self._say)

    def _say(self, error: Exception) -> None:
        self._controller.said.emit(NoticeKind.WARNING, str(error))
