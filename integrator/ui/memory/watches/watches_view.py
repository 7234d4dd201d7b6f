"""The Watch panel: addresses to keep an eye on, with their course, and notes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QMenu, QPushButton

from integrator.domain.errors import AddressError, DomainError
from integrator.domain.integration.naming import free_name, is_integration
from integrator.domain.integration.watches import Watch
from integrator.domain.query.rank import Reading
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.watch_list import (
    ChangedMemory,
    WatchReading,
    read_watch_file,
    read_watches,
    write_watch_file,
)
from integrator.session.session import Session
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.bridge.sight import LiveReader
from integrator.ui.desk import Desk, DeskView
from integrator.ui.memory.variables import VariablesView
from integrator.ui.widgets.fields import address_text, address_tip, parse_number, parse_type
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    hbox,
    line_edit,
    push_button,
    stack,
)
from integrator.ui.widgets.rows_model import (
    NO_PARENT,
    CheckedTextDelegate,
    Column,
    RowsModel,
    TrendDelegate,
)
from integrator.ui.widgets.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.texts import bits_text
from integrator.ui.widgets.theme import SIZES

_REFRESH_MS = 120
_NO_NAME = re.compile(r"[^A-Za-z0-9_]+")
Readings = tuple[tuple[Watch, ...], tuple[WatchReading, ...]]
_UNREAD: Final = WatchReading(None, (), frozen=False)


WatchColumn = IntEnum("WatchColumn", "NAME VALUE TYPE ADDRESS TREND NOTE", start=0)


@dataclass(slots=True)
class WatchRow:
    """A watch, how it was read last, and ``pauses`` where its change pauses the game."""

    watch: Watch
    reading: WatchReading = _UNREAD
    pauses: bool = False


class WatchesModel(RowsModel[WatchRow]):
    """A row a watch. ``edited``: the list is another; ``pauses_changed``: other watches pause the
    game. ``poke`` gets a watch and a value."""

    edited = Signal()
    pauses_changed = Signal()
    poke: Callable[[Watch, int], object]

    @property
    def watches(self) -> tuple[Watch, ...]:
        return tuple(row.watch for row in self.rows)

    def set_watches(self, watches: Sequence[Watch]) -> None:
        self.show([WatchRow(watch) for watch in watches])

    def put(self, watch: Watch) -> int:
        """Add a watch; returns its row, also when it was in the list already."""
        self.add_all([watch])
        return [each.key for each in self.watches].index(watch.key)

    def add_all(self, watches: Sequence[Watch]) -> int:
        """Add those of many watches that are not in the list; returns their number."""
        known = {each.key for each in self.watches}
        new = {each.key: each for each in reversed(watches) if each.key not in known}
        if new:
            self.add([WatchRow(watch) for watch in reversed(new.values())])
            self.edited.emit()
        return len(new)

    def remove(self, row: int) -> None:
        paused = self.rows[row].pauses
        self.beginRemoveRows(NO_PARENT, row, row)
        self.rows = [each for at, each in enumerate(self.rows) if at != row]
        self.endRemoveRows()
        self.edited.emit()
        if paused:
            self.pauses_changed.emit()

    def set_pauses(self, row: int, on: bool) -> None:
        """Let the game pause when it changes, or not."""
        self.rows[row].pauses = on
        self.cells_changed(row, WatchColumn.NAME, WatchColumn.NAME)
        self.pauses_changed.emit()

    def set_readings(self, watches: Sequence[Watch], readings: Sequence[WatchReading]) -> None:
        """Update the shown values, unless the list has changed."""
        if [each.key for each in watches] != [each.key for each in self.watches]:
            return
        for at, (row, reading) in enumerate(zip(self.rows, readings, strict=True)):
            if reading != row.reading:
                row.reading = reading
                self.cells_changed(at, WatchColumn.VALUE, WatchColumn.TREND)

    def table(self) -> Sequence[Column[WatchRow]]:
        mono, faint, link = self._mono, self.tint("faint"), self.tint("link")
        hint = self.tr("Double-click to write a note; it is kept with the game")

        def icon(name: str, *, shown: bool) -> QIcon | None:
            return self._theme.icons.icon(name, "accent") if shown else None

        def number(row: WatchRow, text: str) -> int:
            value = parse_number(text)
            row.watch.type.encode(value)
            return value

        def value_text(row: WatchRow) -> str:
            value = row.reading.value
            return self.tr("unmapped") if value is None else str(value)

        def address(row: WatchRow) -> str:
            return address_text(row.watch.address)

        return (
            Column(
                self.tr("name"),
                lambda row: row.watch.name,
                icon=lambda row: icon("pause", shown=row.pauses),
                edit=lambda row, text: replace(row.watch, name=text.strip()),
            ),
            Column(
                self.tr("value"),
                value_text,
                color=lambda row: "warn" if row.reading.value is None else "text",
                icon=lambda row: icon("state", shown=row.reading.frozen),
                font=mono,
                edit=number,
            ),
            Column(
                self.tr("type"),
                lambda row: row.watch.type.spec,
                color=faint,
                font=mono,
                edit=lambda row, text: replace(row.watch, type=parse_type(text)),
            ),
            Column(self.tr("address"), address, color=link, font=mono),
            Column(self.tr("trend"), lambda _row: "", font=mono),
            Column(
                self.tr("note"),
                lambda row: row.watch.note,
                color=self.tint("secondary"),
                tip=lambda row: row.watch.note or hint,
                edit=lambda row, text: replace(row.watch, note=text.strip()),
            ),
        )

    def trend(self, row: WatchRow) -> Sequence[float]:
        return row.reading.trend

    def color(self, _row: WatchRow) -> str:
        return "text"

    def take(self, row: int, value: int | Watch) -> None:
        shown = self.rows[row]
        if not isinstance(value, Watch):
            self.poke(shown.watch, value)
        elif value != shown.watch:
            shown.watch = value
            self.cells_changed(row)
            self.edited.emit()


class WatchesView(DeskView):
    """Keeps the watch list, and reads it while it can be seen. ``freeze_requested``: (watch, held);
    ``show_requested``: an address."""

    freeze_requested = Signal(object, bool)
    show_requested = Signal(int)
    import_requested = Signal()
    export_requested = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        theme = desk.theme
        self.model = WatchesModel(theme, self)
        self.model.poke = lambda watch, value: self._controller.write(
            watch.address, watch.type, value
        )
        self.table = DataTable(self.tr("Watch list"), self.model)
        checked = CheckedTextDelegate(self.table)
        checked.rejected.connect(self._warn)
        self.table.setItemDelegate(checked)
        trend = TrendDelegate(theme, "link", self.table)
        self.table.setItemDelegateForColumn(WatchColumn.TREND, trend)
        self.table.set_widths(
            (116, 76, 56, 92, 120, 140), stretch=WatchColumn.NOTE, whole=(WatchColumn.ADDRESS,)
        )
        show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        panel_action(
            "watches.remove", self.table, lambda: self._remove(self.table.currentIndex().row())
        )
        text = self.tr(
            "Right-click a candidate in Find or a byte in Memory, or type an address below. "
            "Notes are kept with the integration."
        )
        empty = EmptyState(theme, "pin", self.tr("Nothing is watched yet"), text)
        self.pages = EmptyOr(empty, self.table)
        self._footer = self._build_footer()
        stack(self, self.pages, self._footer, grows=self.pages)
        for signal in (self.model.modelReset, self.model.rowsInserted, self.model.rowsRemoved):
            signal.connect(lambda *_: self.pages.show_content(self.model.rowCount() > 0))
        self._footer.hide()

    def _build_footer(self) -> QFrame:
        footer = QFrame()
        footer.setObjectName("PanelFooter")
        what, kind = self.tr("Address to watch"), self.tr("Type of the watched number")
        self.address = line_edit(what, self.tr("address"), self._add, address_tip(), 104)
        tip = self.tr("How its bytes make a number, such as >u2; else |u1")
        self.type = line_edit(kind, self.tr("type"), self._add, tip, 76)
        name = self.tr("Name in the watch list")
        self.name = line_edit(name, self.tr("what it may be"), self._add)
        icons = self._theme.icons
        self.add = push_button(self.tr("Watch"), self._add, icon=icons.icon("plus"))
        self.files = QPushButton(icons.icon("dots"), "")
        self.files.setProperty("role", "flat")
        self.files.setAccessibleName(self.tr("Notes of other programs"))
        self.files.setToolTip(
            self.tr(
                "Notes of BizHawk, RetroAchievements, FCEUX, Mesen, RetroArch, and symbol files"
            )
        )
        menu = RowMenu(self._theme, self)
        menu.add(self.tr("Import notes…"), self.import_requested.emit, "import")
        menu.add(self.tr("Export the list…"), self.export_requested.emit, "save")
        self.files.setMenu(menu)
        parts, margins = (self.address, self.type, (self.name, 1)), (SIZES.pad, 9, SIZES.pad, 9)
        hbox(*parts, self.add, self.files, on=footer, margins=margins, gap=7)
        return footer

    def _set_up(self) -> None:
        bridge, controller, model = self._bridge, self._controller, self.model
        self._live = LiveReader(
            bridge,
            self._sight,
            _REFRESH_MS,
            self._look,
            lambda read: model.set_readings(*read),
            lambda _: None,  # a core that is being replaced has no memory for a moment
        )
        bridge.readout_ready.connect(self._live.touch)
        controller.memory_written.connect(self._live.touch)
        controller.game_kept.connect(lambda _: self._save())
        model.edited.connect(self._save)
        model.edited.connect(self._live.touch)
        model.pauses_changed.connect(self._tell_stops)

    def _opened(self, game: GameSnapshot) -> None:
        self._footer.show()
        try:
            watches = read_watch_file(game.directory)
        except DomainError as error:
            self._warn(error)
            watches = ()
        self.model.set_watches(watches)
        self._live.touch()

    def _closed(self) -> None:
        self._footer.hide()
        self.model.set_watches(())
        for field in (self.address, self.type, self.name):
            field.clear()

    def _save(self) -> None:
        game = self._controller.game
        if game is None or not is_integration(game.directory):
            return  # kept when the ROM becomes an integration
        try:
            write_watch_file(game.directory, self.model.watches)
        except DomainError as error:
            self._report(error)

    def _look(self) -> Callable[[Session], Readings] | None:
        watches = self.model.watches
        return (lambda session: (watches, read_watches(session, watches))) if watches else None

    def _tell_stops(self) -> None:
        places = [row.watch.key for row in self.model.rows if row.pauses]
        stops = self._desk.parts[VariablesView]
        if not places:
            stops.watch_memory(None)
            return
        self._bridge.ask(
            lambda session: ChangedMemory(session.memory, places, session.timeline.position),
            stops.watch_memory,
            lambda error: (self._warn if isinstance(error, AddressError) else self._report)(error),
        )

    def watch_candidate(self, candidate: Reading) -> None:
        """Keep an eye on a candidate, noting how the screen would show it."""
        scale = str(candidate.scale)
        note = self.tr("the screen shows {0}").format(scale) if scale else ""
        if candidate.mask is not None:
            note = self.tr("{0} of it").format(bits_text(candidate.mask))
        if candidate.real is not None:
            note = self.tr("the bytes of a float, {0}").format(candidate.real)
        self.watch(Watch(candidate.address, candidate.type, "", note))
        self._dock.come_forward()

    def watch(self, watch: Watch) -> None:
        self.table.selectRow(self.model.put(watch))

    def _add(self) -> None:
        try:
            address = self._controller.address(self.address.text())
            data_type = parse_type(self.type.text() or "|u1")
        except DomainError as error:
            self._warn(error)
            return
        self.watch(Watch(address, data_type, self.name.text().strip()))
        for field in (self.address, self.name):
            field.clear()

    def _remove(self, row: int) -> None:
        if row >= 0:
            self.model.remove(row)

    def row_menu(self, row: int) -> QMenu:
        menu, shown = RowMenu(self._theme, self), self.model.at(row)
        watch = shown.watch

        def edit(column: WatchColumn) -> Callable[[], None]:
            return lambda: self.table.edit(self.model.index(row, column))

        menu.add(self.tr("Poke value…"), edit(WatchColumn.VALUE), "poke")
        freeze = partial(self.freeze_requested.emit, watch)
        menu.add_switch(self.tr("Freeze value"), freeze, on=shown.reading.frozen)
        pause = partial(self.model.set_pauses, row)
        menu.add_switch(self.tr("Pause when it changes"), pause, on=shown.pauses)
        menu.add(self.tr("Write a note…"), edit(WatchColumn.NOTE), "edit")
        menu.addSeparator()
        make, show = self.tr("Make variable"), self.tr("Show in memory")
        menu.add(make, lambda: self._make_variable(watch), "variable")
        menu.add(show, lambda: self.show_requested.emit(watch.address), "memory")
        menu.add_copy(address_text(watch.address))
        menu.addSeparator()
        menu.add(self.tr("Remove from the list"), lambda: self._remove(row), "trash")
        return menu

    def _make_variable(self, watch: Watch) -> None:
        documents = self._controller.documents
        taken = documents.variables if documents else {}
        name = _NO_NAME.sub("_", watch.name).strip("_")
        if not name or name[0].isdigit():
            name = f"at_{address_text(watch.address)[2:]}"
        spec = VariableSpec(free_name(name, taken), watch.address, watch.type)
        text = self.tr("“{0}” is a variable now").format(spec.name)
        self._controller.put_variable(spec, lambda: self._announce(text))
