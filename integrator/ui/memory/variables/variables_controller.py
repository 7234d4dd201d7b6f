"""Lets the Variables panel follow the game, and turns its requests into commands."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.sight import Sight
from integrator.ui.memory.variables.variables_view import VariablesView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.docks import dock_of


class VariablesController(QObject):
    """Shows the variables of the documents with the values of the newest frame."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: VariablesView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._view = view
        model = view.model
        controller.begun.connect(lambda _: model.clear())
        bridge.closed.connect(model.clear)
        sight = Sight(bridge, view)
        sight.follow(bridge.readout_ready, view.show_frame)
        controller.follow(self._show, "variables")
        sight.follow(controller.values_changed, model.set_values)
        controller.frozen_changed.connect(model.set_frozen)
        model.poke_requested.connect(controller.poke)
        model.change_requested.connect(self._change)
        view.remove_requested.connect(lambda name: controller.edit(edits.remove_variable(name)))
        view.freeze_requested.connect(controller.freeze)
        view.rejected.connect(lambda text: controller.said.emit(NoticeKind.WARNING, text))
        note = dock_of(view).header.note
        view.count_changed.connect(lambda count: note.setText(str(count) if count else ""))

    def _show(self, documents: Documents) -> None:
        self._view.model.set_specs(documents.variables, documents.skipped)
        self._view.model.set_values(documents.values, None)

    def _change(self, old_name: str, spec: VariableSpec) -> None:
        self._controller.edit(edits.put_variable(old_name, spec))
