"""The Variables panel follows the game, which pauses when a chosen number changes."""

from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import Event, PlayStopped
from integrator.session.frame.stops import MemoryStop, StopRule
from integrator.ui.bridge.sight import Sight
from integrator.ui.desk import PanelController
from integrator.ui.memory.variables.variables_view import VariablesView


class VariablesController(PanelController[VariablesView]):
    """Shows the variables of the documents with the values of the newest frame."""

    def _set_up(self) -> None:
        bridge, controller, view, model = (
            self._bridge,
            self._controller,
            self._view,
            self._view.model,
        )
        sight = Sight(bridge, view)
        controller.begun.connect(lambda _: model.show([]))
        bridge.closed.connect(lambda: model.show([]))
        sight.follow(
            bridge.readout_ready,
            lambda frame: model.set_values(frame.values, frame.previous, frame.outcome.custom),
        )
        sight.follow(controller.values_changed, model.set_values)
        controller.follow(self._show, "variables")
        model.poke_requested.connect(controller.poke)
        model.change_requested.connect(
            lambda name, spec: controller.edit(edits.put_variable(name, spec))
        )
        view.remove_requested.connect(lambda name: controller.edit(edits.remove_variable(name)))
        view.rejected.connect(self._warn)
        note = self._dock.header.note
        view.count_changed.connect(lambda count: note.setText(str(count) if count else ""))

    def _show(self, documents: Documents) -> None:
        self._view.model.set_specs(documents.variables, documents.skipped)
        self._view.model.set_values(documents.values, None)


class StopsController(PanelController[VariablesView]):
    """Tells the runner which changes stop play; it looks at every frame, also in fast-forward."""

    def _set_up(self) -> None:
        bridge, view = self._bridge, self._view
        self._watched = view.paused_on
        self._memory: MemoryStop | None = None
        self._on_done = self._desk.actions["pause_on_done"]
        self._fast = self._desk.actions["fast_forward"]
        view.pause_requested.connect(self._stop_at)
        self._on_done.toggled.connect(lambda _: self._tell())
        bridge.event_received.connect(self._show_event)
        bridge.opened.connect(lambda _: self._tell())
        bridge.closed.connect(self._closed)

    def _stop_at(self, name: str, on: bool) -> None:
        (self._watched.add if on else self._watched.discard)(name)
        self._tell()

    def watch_memory(self, memory: MemoryStop | None) -> None:
        """Pause also when ``memory`` reports a change; None: no longer."""
        self._memory = memory
        self._tell()

    @property
    def watches_memory(self) -> bool:
        return self._memory is not None

    def _closed(self) -> None:
        self._watched.clear()
        self._memory = None

    def _tell(self) -> None:
        rule = StopRule(frozenset(self._watched), self._on_done.isChecked(), self._memory)
        self._bridge.set_stops(rule)

    def _show_event(self, event: Event) -> None:
        if isinstance(event, PlayStopped):
            # The runner let go of it; without this the button would have to be pressed twice.
            self._fast.setChecked(False)
