"""Finds what points to a number that moves, from its addresses at several frames."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.domain.integration.watches import Watch
from integrator.domain.query.pointers.pointers import PointerChain
from integrator.domain.values.datatype import DataType
from integrator.session.edits.commands import write_accessor
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.pointers.pointers_view import PointersView
from integrator.ui.widgets.notices import NoticeKind


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
