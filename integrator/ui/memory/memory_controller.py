"""Feeds the Memory panel: copies only the bytes in sight, only while the panel can be seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from integrator.domain.integration.naming import free_name
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.session import Session
from integrator.ui.bridge.background import PanelController
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import Sight
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.docks import is_in_sight
from integrator.ui.widgets.texts import size_text

_BYTE = DataType.parse("|u1")


@dataclass(frozen=True, slots=True)
class _Shown:
    """Bytes from index ``start`` on, and all frozen addresses."""

    start: int
    data: NDArray[np.uint8]
    frozen: frozenset[int]


class MemoryController(PanelController[MemoryView]):
    """Follows the game with the Memory panel, and pokes and freezes for it."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: MemoryView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._rows: tuple[int, int] | None = None
        self._offsets: NDArray[np.intp] = np.empty(0, np.intp)
        self._start = 0
        self._asked = False
        self._again = False
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        Sight(bridge, view).follow(bridge.readout_ready, lambda _: self.refresh(advanced=True))
        controller.follow(self._mark_variables, "variables")
        view.rows_wanted.connect(self.refresh)
        view.poked.connect(lambda address, value: controller.write(address, _BYTE, value))
        controller.memory_written.connect(self.refresh)
        view.freeze_requested.connect(self.freeze)
        view.find_requested.connect(self.find)
        view.variable_requested.connect(self.make_variable)
        view.address_of = controller.address

    def _opened(self, game: GameSnapshot) -> None:
        self._view.set_space(game.space, game.types)
        swapped = game.space.logical(_probe(game.space.size_bytes))
        words = (
            self.tr(" · words swapped")
            if not np.array_equal(swapped, _probe(game.space.size_bytes))
            else ""
        )
        text = size_text(game.ram_bytes)
        if not game.sees_all_memory:
            whole = size_text(game.whole_ram_bytes)
            text = self.tr("{0} of {1}, as chosen").format(text, whole)
        self._dock.header.note.setText(f"{text}{words}")
        self._rows = None
        self._asked = False
        known = game.documents.variables.values()
        if known:
            self._view.grid.go_to(min(spec.address for spec in known))
        self.refresh()

    def _closed(self) -> None:
        self._view.set_space(None, ())
        self._dock.header.note.clear()
        self._rows, self._asked = None, False

    def refresh(self, *, advanced: bool = False) -> None:
        """Show the present bytes in sight."""
        layout = self._view.grid.layout_rows
        if layout is None or not is_in_sight(self._view.grid):
            return
        if self._asked:
            self._again = True
            return
        rows = self._view.grid.visible_rows()
        if rows != self._rows:
            self._rows = rows
            self._start, _ = layout.indices(*rows)
            self._offsets = layout.offsets(*rows)
        self._asked, self._again = True, False
        start, offsets = self._start, self._offsets

        def work(session: Session) -> _Shown:
            memory = session.memory
            frozen = frozenset(
                address + n for address, data_type in memory.frozen for n in range(data_type.width)
            )
            return _Shown(start, memory.ram[offsets], frozen)

        def done(shown: _Shown) -> None:
            if self._view.grid.layout_rows is not layout:
                return  # the game was closed meanwhile
            self._asked = False
            self._view.grid.marks.frozen = shown.frozen
            self._view.show_bytes(shown.start, shown.data, advanced=advanced)
            if self._again:
                self.refresh()

        def failed(_: Exception) -> None:
            # A core that is being replaced has no memory for a moment; the next frame asks again.
            self._asked = False

        self._bridge.ask(work, done, failed)

    def freeze(self, start: int, stop: int, held: bool) -> None:
        """Hold bytes at their values, or let them go."""

        def work(session: Session) -> None:
            memory = session.memory
            for address in range(start, stop):
                if held:
                    session.cheats.freeze(address, _BYTE, memory.read(address, _BYTE))
                else:
                    session.cheats.thaw(address, _BYTE)

        self._bridge.ask(work, lambda _: self.refresh())

    def find(self, spec: str, number: int, after: int) -> None:
        """Go to the next place behind ``after`` that holds ``number``; round at the end."""
        pattern = DataType.parse(spec).encode(number)

        def work(session: Session) -> int | None:
            space = session.memory.space
            data = space.logical(session.memory.ram).tobytes()
            at = data.find(pattern, space.index_of(after) + 1)
            at = data.find(pattern) if at < 0 else at
            return None if at < 0 else space.address_of(at)

        def done(address: int | None) -> None:
            if address is None:
                self._view.show_problem(self.tr("{0} is nowhere").format(number))
            else:
                self._view.show_problem("")
                self._view.grid.go_to(address)

        self._bridge.ask(work, done)

    def make_variable(self, address: int, spec: str) -> None:
        """Name an address; the name can be typed over in the Variables panel."""
        documents = self._controller.documents
        taken = documents.variables if documents else {}
        name = free_name(f"at_{address_text(address)[2:]}", taken)
        self._controller.put_variable(VariableSpec(name, address, DataType.parse(spec)))

    def _mark_variables(self, documents: Documents) -> None:
        self._view.grid.marks.set_variables(documents.variables)
        self._view.grid.viewport().update()

    def mark_candidates(self, addresses: NDArray[np.int64]) -> None:
        """Mark the bytes that a search has left."""
        self._view.grid.marks.candidates = addresses
        self._view.grid.viewport().update()

    def show_address(self, address: int) -> None:
        """Bring the panel to the front, with its cursor there."""
        self._dock.come_forward()
        self._view.grid.go_to(address)


def _probe(size: int) -> NDArray[np.uint8]:
    return (np.arange(size) % 251).astype(np.uint8)
