"""The Variables panel: the table of values, its row menu, and the rules that pause the game."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from integrator.domain.errors import DomainError
from integrator.domain.query.conditions import parse_conditions, to_string
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import Event, FrameResult, MemoryStop, PlayStopped, StopRule
from integrator.session.library.watch_list import MetConditions
from integrator.session.session import Session
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.bridge.bridge import READ_INTERVAL_MS
from integrator.ui.terms import type_tip
from integrator.ui.window_context import PanelView

VariableColumn = IntEnum("VariableColumn", "NAME VALUE DELTA TYPE ADDRESS TREND", start=0)


@dataclass(slots=True)
class VariableRow:
    """A variable at the newest frame. ``spec`` is None if a script made the variable."""

    name: str
    spec: VariableSpec | None = None
    problem: str = ""
    value: float | None = None
    delta: float = 0
    frozen: bool = False
    history: tuple[float, ...] = ()


class VariablesModel(ui.RowsModel[VariableRow]):
    """One row for each variable. ``poke`` gets a name and a value, ``change`` a name and a spec."""

    poke: Callable[[str, int], object]
    change: Callable[[str, VariableSpec], object]

    def set_specs(self, specs: Mapping[str, VariableSpec], skipped: Mapping[str, str]) -> None:
        """Show the variables of the documents. The model is reset only if names changed."""
        same = list(specs) == [row.name for row in self.rows if row.spec is not None]
        known = {row.name: row for row in self.rows}
        fresh = [known.get(name) or VariableRow(name) for name in specs]
        for row in fresh:
            row.spec, row.problem = specs[row.name], skipped.get(row.name, "")
        if same:
            self.all_changed()
        else:
            self.show(fresh)

    def set_values(
        self,
        values: Mapping[str, float],
        previous: Mapping[str, float] | None,
        custom: Iterable[str] = (),
    ) -> None:
        """Show the values of the newest frame. Scripts made the variables in ``custom``, which get
        rows. Other names without a row are variables that were removed after the frame was read."""
        known = {*self.names}
        self.add([VariableRow(name) for name in custom if name not in known])
        before = (previous or {}).items()
        deltas = {name: values[name] - old for name, old in before if name in values}
        self._update("value", VariableColumn.VALUE, values, default=None)
        self._update("delta", VariableColumn.DELTA, deltas, default=0)

    def show_trends(self, facts: TimelineFacts) -> None:
        self._update("history", VariableColumn.TREND, facts.trends, default=())

    def set_frozen(self, names: Iterable[str]) -> None:
        self._update("frozen", VariableColumn.VALUE, dict.fromkeys(names, True), default=False)

    def _update(
        self, field: str, column: int, values: Mapping[str, object], *, default: object
    ) -> None:
        """Set a field of each row. A signal reports a run of rows that changed: a signal for each
        of a thousand rows would take time at each frame, and rows in between need no painting."""
        changed: list[tuple[int, int]] = []
        for at, row in enumerate(self.rows):
            if (value := values.get(row.name, default)) != getattr(row, field):
                setattr(row, field, value)
                joins = bool(changed) and changed[-1][1] == at - 1
                changed.append((changed.pop()[0] if joins else at, at))
        for first, last in changed:
            self.dataChanged.emit(self.createIndex(first, column), self.createIndex(last, column))

    def row_of(self, name: str) -> int | None:
        return next((at for at, row in enumerate(self.rows) if row.name == name), None)

    @property
    def names(self) -> list[str]:
        return [row.name for row in self.rows]

    def table(self) -> Sequence[ui.Column[VariableRow]]:
        mono, unmapped = self._mono, self.tr("unmapped")

        def in_file(row: VariableRow) -> bool:
            return row.spec is not None

        return (
            ui.Column(self.tr("name"), lambda row: row.name, edit=self._renamed, editable=in_file),
            ui.Column(
                self.tr("value"),
                lambda row: unmapped if row.problem else _number_text(row.value),
                color=lambda row: "warn" if row.problem else None,
                tip=self._value_tip,
                icon=lambda row: "state accent" if row.frozen else None,
                font=mono,
                edit=lambda row, text: number_of(self._spec(row).type, text),
                editable=lambda row: in_file(row) and not row.problem,
                edit_text=lambda row: _number_text(row.value),
            ),
            ui.Column(
                self.tr("Δ"),
                lambda row: ui.signed(row.delta) if row.delta else "·",
                color=lambda row: "good" if row.delta > 0 else "bad" if row.delta else "faint",
                font=mono,
            ),
            ui.Column(
                self.tr("type"),
                lambda row: row.spec.type.spec if row.spec else "lua",
                color="faint",
                tip=lambda row: self.tip(row) or type_tip(self._spec(row).type),
                font=mono,
                edit=lambda row, text: replace(self._spec(row), type=DataType.parse(text.strip())),
                editable=in_file,
            ),
            ui.Column(
                self.tr("address"),
                lambda row: ui.address_text(row.spec.address) if row.spec else "—",
                color="link",
                font=mono,
                edit=lambda row, text: replace(self._spec(row), address=ui.parse_address(text)),
                editable=in_file,
            ),
            ui.Column(self.tr("trend"), lambda _: "", trend=lambda row: row.history),
        )

    def tip(self, row: VariableRow) -> str | None:
        if row.problem:
            return row.problem
        if row.spec is None:
            return self.tr("Made by a script on the fly; it shows in info.")
        return None

    def _value_tip(self, row: VariableRow) -> str:
        text = self.tr("Type a number from {0} to {1} to poke it into the game")
        tip = self.tip(row)
        return tip or text.format(self._spec(row).type.minimum, self._spec(row).type.maximum)

    def take(self, row: int, value: int | VariableSpec) -> None:
        shown = self.rows[row]
        if not isinstance(value, VariableSpec):
            self.poke(shown.name, value)
        elif value != shown.spec:
            self.change(shown.name, value)

    def _spec(self, row: VariableRow) -> VariableSpec:
        if row.spec is None:
            raise DomainError(self.tr("a script's variable cannot be edited here"))
        return row.spec

    def _renamed(self, row: VariableRow, text: str) -> VariableSpec:
        others = {other.name for other in self.rows if other is not row}
        return replace(self._spec(row), name=ui.parse_name(text, others))


def number_of(data_type: DataType, text: str) -> int:
    """Read a number that the type can hold. Raises DomainError."""
    value = ui.parse_number(text)
    data_type.encode(value)
    return value


def _number_text(value: float | None) -> str:
    """Return a value as text; whole numbers in full, however large."""
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() else f"{value:g}"


class VariablesView(PanelView):
    """Shows the variables with their values at the newest frame. ``paused_on`` are the variables
    whose change pauses the game; the runner tests them at every frame, even in fast-forward."""

    def _set_up(self) -> None:
        self.paused_on: set[str] = set()
        self._stops: dict[str, MemoryStop] = {}
        self._condition = ""
        self.model = VariablesModel(self)
        self.model.poke = self._controller.poke
        self.model.change = lambda name, spec: self._controller.edit(edits.put_variable(name, spec))
        self.table = ui.DataTable(self.tr("Variables"), self.model)
        ui.CheckedTextDelegate(self.table, self._warn)
        ui.TrendDelegate("good", self.table, VariableColumn.TREND)
        at, widths = VariableColumn, (168, 74, 46, 62, 104, 64)
        self.table.set_widths(widths, stretch=at.TREND, whole=(at.ADDRESS,), spare=(at.TYPE,))
        ui.show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        ways = [self._actions["suggest"], self._actions["add_variable"]]
        self._fill(self.table, "variable", "variables", ways)
        self._remove = panel_action("variables.remove", self, self._remove_selected)
        self._remove.setIcon(ui.icon("trash"))
        self.model.modelReset.connect(self._count)
        self.model.rowsInserted.connect(self._count)
        self._values: Mapping[str, int] = {}
        self._count()
        model = self.model

        def show(frame: FrameResult) -> None:
            model.set_values(frame.values, frame.previous, frame.outcome.custom)

        self._sight.follow(self._bridge.readout_ready, show)
        self._sight.follow(self._controller.timeline_moved, model.show_trends)
        # The answer comes after all frames from before the memory was written.
        self._live = self._reader(self._look, self._show_written, READ_INTERVAL_MS)
        self._controller.memory_written.connect(self._live.touch)
        self._controller.follow(self._show, "variables")
        self._actions.on(pause_when=self._ask_condition)
        self._on_done = self._actions["pause_on_done"]
        for changed in (self._on_done.toggled, self._bridge.opened):
            changed.connect(lambda _: self._send_stops())
        self._bridge.event_received.connect(self._show_event)

    def _look(self) -> Callable[[Session], Mapping[str, int]] | None:
        return lambda session: session.timeline.values_of(session.memory.ram)

    def _show_written(self, values: Mapping[str, int]) -> None:
        if (last := self._controller.last) is not None:
            self.model.set_values({**last.values, **values}, last.previous)

    def _closed(self) -> None:
        self.model.show([])
        self.paused_on.clear()
        self._stops.clear()
        self._condition = ""

    def _show(self, documents: Documents) -> None:
        self.model.set_specs(documents.variables, documents.skipped)
        if documents.values is not self._values:
            # They were read with the newest change of a variable: at a later one, they are old.
            self._values = documents.values
            self.model.set_values(documents.values, None)

    def edit_cell(self, name: str, column: VariableColumn) -> None:
        if self.select(name, column):
            self.table.edit(self.table.currentIndex())

    def select(self, name: str, column: VariableColumn) -> bool:
        if (row := self.model.row_of(name)) is not None:
            self.table.setCurrentIndex(self.model.index(row, column))
        return row is not None

    def row_menu(self, row: int) -> QMenu:
        menu, shown = ui.RowMenu(self), self.model.at(row)
        name, spec = shown.name, shown.spec
        edit = self.edit_cell
        if spec is not None:
            hold, place = self._requests.hold.emit, [(spec.address, spec.type)]
            pause = partial(self._stop_at, name)
            menu.add(self.tr("Poke value…"), lambda: edit(name, VariableColumn.VALUE), "poke")
            menu.add_switch(
                self.tr("Freeze value"), lambda on: hold(place, on, None), on=shown.frozen
            )
            menu.add_switch(self.tr("Pause when it changes"), pause, on=name in self.paused_on)
            menu.add(self.tr("Rename…"), lambda: edit(name, VariableColumn.NAME), "edit")
            menu.addSeparator()
        reward, done = self._requests.reward_term.emit, self._requests.done_condition.emit
        menu.add(self.tr("Reward its change"), lambda: reward(name), "reward")
        menu.add(self.tr("Use as done condition"), lambda: done(name), "done")
        if spec is not None:
            menu.addSeparator()
            menu.add_copy(ui.address_text(spec.address))
            menu.addAction(self._remove)
        return menu

    def _remove_selected(self) -> None:
        row = self.table.currentIndex().row()
        if row >= 0 and self.model.at(row).spec is not None:
            self.remove(self.model.at(row).name)

    def remove(self, name: str) -> None:
        self._controller.edit(lambda game: game.integration.variables.remove(name))

    def _count(self) -> None:
        count = self.model.rowCount()
        self.pages.show_content(count > 0)
        self._dock.header.note.setText(str(count) if count else "")

    def _stop_at(self, name: str, on: bool) -> None:
        (self.paused_on.add if on else self.paused_on.discard)(name)
        self._send_stops()

    def set_stop(self, name: str, stop: MemoryStop | None) -> None:
        """Pause also when ``stop`` reports a change; it replaces the earlier stop of that name."""
        self._stops.pop(name, None)
        if stop is not None:
            self._stops[name] = stop
        self._send_stops()

    def _ask_condition(self) -> None:
        title = self.tr("Pause when")
        label = self.tr(
            "Pause when this turns true: score >= 100 and lives < previous lives x3\n"
            "(on three frames), or a condition of RetroAchievements; empty: never"
        )
        if (text := self._ask_text(title, label, self._condition)) is not None:
            self.pause_when(text)

    def pause_when(self, text: str) -> None:
        """Pause at the frame at which the conditions turn true; never for an empty text."""
        places = self._controller.places()
        self._condition = text
        use = partial(self.set_stop, "condition")
        use(None)
        if not text or places is None:
            return
        try:
            groups = parse_conditions(text, places)
        except DomainError as error:
            self._warn(error)
            return
        # The runner tests the conditions itself, at each frame.
        self._bridge.ask(lambda session: MetConditions(session.memory, groups, text), use)
        try:
            string = to_string(groups, places)
        except DomainError as error:
            self._inform(self.tr("Pauses when {0} ({1})").format(text, error))
            return
        copy = self.tr("Copy for RetroAchievements")
        remedy = copy, lambda: QGuiApplication.clipboard().setText(string)
        self._inform(self.tr("Pauses when {0}").format(text), remedy)

    def _send_stops(self) -> None:
        stops = tuple(self._stops.values())

        def first(number: int) -> str | None:
            found = [stop(number) for stop in stops]  # Every stop must see every frame.
            return next(filter(None, found), None)

        paused_on, on_done = frozenset(self.paused_on), self._on_done.isChecked()
        self._bridge.set_stops(StopRule(paused_on, on_done, first if stops else None))

    def _show_event(self, event: Event) -> None:
        if isinstance(event, PlayStopped):
            # The runner has ended fast-forward, so the button must show that.
            self._actions["fast_forward"].setChecked(False)
