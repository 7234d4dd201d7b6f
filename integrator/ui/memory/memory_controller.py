"""Feeds the Memory panel: copies only the bytes in sight, only while the panel can be seen."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from integrator.domain.integration.naming import free_name
from integrator.domain.values.datatype import BYTE, DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.session import Session
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.desk import PanelController
from integrator.ui.memory.memory_view import MemoryView, ShownBytes
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.texts import size_text


class MemoryController(PanelController[MemoryView]):
    """Follows the game with the Memory panel, and pokes and freezes for it."""

    def _set_up(self) -> None:
        bridge, controller, view = self._bridge, self._controller, self._view
        self._advanced = False
        self._live = LiveReader(
            bridge,
            Sight(bridge, view),
            0,
            self._look,
            lambda shown: view.show_bytes(*shown),
            lambda _: None,  # a core that is being replaced has no memory for a moment
        )
        bridge.opened.connect(self._opened)
        bridge.closed.connect(self._closed)
        bridge.readout_ready.connect(self._frame_read)
        controller.memory_written.connect(self._live.touch)
        controller.follow(self._mark_variables, "variables")
        view.grid.rows_changed.connect(self._live.touch)
        view.grid.poked.connect(lambda address, value: controller.write(address, BYTE, value))
        view.variable_requested.connect(self._make_variable)
        view.address_of = controller.address

    def _opened(self, game: GameSnapshot) -> None:
        self._view.set_space(game.space, game.types)
        words = self.tr(" · words swapped") if game.space.swaps_words else ""
        text = size_text(game.ram_bytes)
        if not game.sees_all_memory:
            whole = size_text(game.whole_ram_bytes)
            text = self.tr("{0} of {1}, as chosen").format(text, whole)
        self._dock.header.note.setText(f"{text}{words}")
        known = game.documents.variables.values()
        if known:
            self._view.grid.go_to(min(spec.address for spec in known))
        self._live.touch()

    def _closed(self) -> None:
        self._view.set_space(None, ())
        self._dock.header.note.clear()

    def _frame_read(self) -> None:
        self._advanced = True
        self._live.touch()

    def _look(self) -> Callable[[Session], ShownBytes] | None:
        layout = self._view.grid.layout_rows
        if layout is None:
            return None
        rows = self._view.grid.visible_rows()
        start, offsets = layout.indices(*rows)[0], layout.offsets(*rows)
        advanced, self._advanced = self._advanced, False

        def read(session: Session) -> ShownBytes:
            memory = session.memory
            return ShownBytes(start, memory.ram[offsets], memory.frozen_bytes, advanced)

        return read

    def _make_variable(self, address: int, spec: str) -> None:
        documents = self._controller.documents
        taken = documents.variables if documents else {}
        name = free_name(f"at_{address_text(address)[2:]}", taken)
        self._controller.put_variable(VariableSpec(name, address, DataType.parse(spec)))

    def _mark_variables(self, documents: Documents) -> None:
        self._view.grid.marks.set_variables(documents.variables)
        self._view.grid.viewport().update()

    def mark_candidates(self, addresses: NDArray[np.int64]) -> None:
        self._view.grid.marks.candidates = addresses
        self._view.grid.viewport().update()

    def show_address(self, address: int) -> None:
        self._dock.come_forward()
        self._view.grid.go_to(address)
