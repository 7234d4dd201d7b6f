"""The Watch panel: addresses to keep an eye on, with their course, and notes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.integration.watches import Watch
from integrator.session.library.watch_list import WatchReading
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.widgets.fields import (
    address_text,
    address_tip,
    parse_address,
    parse_number,
    parse_type,
)
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
    EditedRowsModel,
    TrendDelegate,
)
from integrator.ui.widgets.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.theme import SIZES, Theme

_UNREAD: Final = WatchReading(None, (), frozen=False)


WatchColumn = IntEnum("WatchColumn", "NAME VALUE TYPE ADDRESS TREND NOTE", start=0)


@dataclass(slots=True)
class WatchRow:
    """A watch, how it was read last, and ``pauses`` where its change pauses the game."""

    watch: Watch
    reading: WatchReading = _UNREAD
    pauses: bool = False


class WatchesModel(EditedRowsModel[WatchRow]):
    """A row a watch. ``edited``: the list is another; ``poke_requested``: (watch, value).
    ``pauses_changed``: other watches pause the game."""

    edited = Signal()
    pauses_changed = Signal()
    poke_requested = Signal(object, object)

    @property
    def watches(self) -> tuple[Watch, ...]:
        return tuple(row.watch for row in self.rows)

    @property
    def pausing(self) -> tuple[Watch, ...]:
        """The watches that pause the game when they change."""
        return tuple(row.watch for row in self.rows if row.pauses)

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

    def set_pauses(self, row: int, *, on: bool) -> None:
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
        return (
            Column(
                self.tr("name"),
                lambda row: row.watch.name,
                icon=lambda row: self._icon("pause", shown=row.pauses),
                edit=lambda row, text: replace(row.watch, name=text.strip()),
            ),
            Column(
                self.tr("value"),
                self._value,
                color=self._value_color,
                icon=lambda row: self._icon("state", shown=row.reading.frozen),
                font=self._mono,
                edit=_number,
            ),
            Column(
                self.tr("type"),
                lambda row: row.watch.type.spec,
                color=self.tint("faint"),
                font=self._mono,
                edit=lambda row, text: replace(row.watch, type=parse_type(text)),
            ),
            Column(
                self.tr("address"),
                lambda row: address_text(row.watch.address),
                color=self.tint("link"),
                font=self._mono,
            ),
            Column(self.tr("trend"), lambda _row: "", font=self._mono),
            Column(
                self.tr("note"),
                lambda row: row.watch.note,
                color=self.tint("secondary"),
                tip=self._note_tip,
                edit=lambda row, text: replace(row.watch, note=text.strip()),
            ),
        )

    def trend(self, row: WatchRow) -> Sequence[float]:
        return row.reading.trend

    def color(self, _row: WatchRow) -> str:
        return self._theme.colors.text

    def take(self, row: int, value: int | Watch) -> None:
        shown = self.rows[row]
        if not isinstance(value, Watch):
            self.poke_requested.emit(shown.watch, value)
        elif value != shown.watch:
            shown.watch = value
            self.cells_changed(row)
            self.edited.emit()

    def _icon(self, name: str, *, shown: bool) -> QIcon | None:
        return self._theme.icons.icon(name, "accent") if shown else None

    def _value(self, row: WatchRow) -> str:
        value = row.reading.value
        return self.tr("unmapped") if value is None else str(value)

    def _value_color(self, row: WatchRow) -> str:
        colors = self._theme.colors
        return colors.warn if row.reading.value is None else colors.text

    def _note_tip(self, row: WatchRow) -> str:
        return row.watch.note or self.tr("Double-click to write a note; it is kept with the game")


def _number(row: WatchRow, text: str) -> int:
    value = parse_number(text)
    row.watch.type.encode(value)
    return value


class WatchesView(QWidget):
    """``freeze_requested``: (watch, held); ``show_requested``: an address. ``variable_requested``:
    a watch that is to become one."""

    freeze_requested = Signal(object, bool)
    variable_requested = Signal(object)
    show_requested = Signal(int)
    rejected = Signal(str)
    import_requested = Signal()
    export_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.address_of: Callable[[str], int] = parse_address
        self.model = WatchesModel(theme, self)
        self.table = DataTable(self.tr("Watch list"), self.model)
        checked = CheckedTextDelegate(self.table)
        checked.rejected.connect(self.rejected)
        self.table.setItemDelegate(checked)
        trend = TrendDelegate(theme, "accent", self.table)
        self.table.setItemDelegateForColumn(WatchColumn.TREND, trend)
        self.table.set_widths(
            (116, 76, 56, 92, 120, 140), stretch=WatchColumn.NOTE, whole=(WatchColumn.ADDRESS,)
        )
        show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        panel_action(
            "watches.remove", self.table, lambda: self._remove(self.table.currentIndex().row())
        )
        empty = EmptyState(
            theme,
            "pin",
            self.tr("Nothing is watched yet"),
            self.tr(
                "Right-click a candidate in Find or a byte in Memory, or type an address below. "
                "Notes are kept with the integration."
            ),
        )
        self.pages = EmptyOr(empty, self.table)
        self._footer = self._build_footer()
        stack(self, self.pages, self._footer, grows=self.pages)
        for signal in (self.model.modelReset, self.model.rowsInserted, self.model.rowsRemoved):
            signal.connect(lambda *_: self.pages.show_content(self.model.rowCount() > 0))
        self.set_open(opened=False)

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
        hbox(
            self.address,
            self.type,
            (self.name, 1),
            self.add,
            self.files,
            on=footer,
            margins=(SIZES.pad, 9, SIZES.pad, 9),
            gap=7,
        )
        return footer

    def set_open(self, *, opened: bool) -> None:
        self._footer.setVisible(opened)
        if not opened:
            self.model.set_watches(())
            for field in (self.address, self.type, self.name):
                field.clear()
        self.pages.show_content(self.model.rowCount() > 0)

    def watch(self, watch: Watch) -> None:
        self.table.selectRow(self.model.put(watch))

    def _add(self) -> None:
        try:
            address = self.address_of(self.address.text())
            data_type = parse_type(self.type.text() or "|u1")
        except DomainError as error:
            self.rejected.emit(str(error))
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
        menu.add_switch(
            self.tr("Freeze value"),
            lambda on: self.freeze_requested.emit(watch, on),
            on=shown.reading.frozen,
        )
        menu.add_switch(
            self.tr("Pause when it changes"),
            lambda on: self.model.set_pauses(row, on=on),
            on=shown.pauses,
        )
        menu.add(self.tr("Write a note…"), edit(WatchColumn.NOTE), "edit")
        menu.addSeparator()
        make, show = self.tr("Make variable"), self.tr("Show in memory")
        menu.add(make, lambda: self.variable_requested.emit(watch), "variable")
        menu.add(show, lambda: self.show_requested.emit(watch.address), "memory")
        menu.add_copy(address_text(watch.address))
        menu.addSeparator()
        menu.add(self.tr("Remove from the list"), lambda: self._remove(row), "trash")
        return menu
