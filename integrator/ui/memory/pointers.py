"""The dialog that finds what points to a number that moves, from its addresses at some frames."""

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QDialog, QListWidget, QPushButton, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.integration.watches import Watch
from integrator.domain.query.pointers import PointerChain
from integrator.domain.values.datatype import DataType
from integrator.session.edits.commands import write_accessor
from integrator.session.session import Session
from integrator.ui.desk import PanelController
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.widgets.fields import address_text, parse_name
from integrator.ui.widgets.panels.parts import combo_box, hbox, line_edit, role_label, vbox
from integrator.ui.widgets.translation import counted

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
        self.view = PointersView(self._view.window())
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
