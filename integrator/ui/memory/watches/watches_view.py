"""The Watch panel: addresses to keep an eye on, with their course, and notes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QPushButton,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.domain.integration.watches import Watch
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.memory.watches.watches_model import WatchColumn, WatchesModel
from integrator.ui.widgets.delegates import CheckedTextDelegate, TrendDelegate
from integrator.ui.widgets.fields import address_text, address_tip, parse_address, parse_type
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, hbox, line_edit, stack
from integrator.ui.widgets.panels.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.theme import SIZES, Theme


class WatchesView(QWidget):
    """``freeze_requested``: (watch, held); ``pauses_changed``: other watches pause the game.

    ``variable_requested``: a watch that is to become one; ``show_requested``: an address.
    """

    freeze_requested = Signal(object, bool)
    pauses_changed = Signal()
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
        panel_action("watches.remove", self.table, self._remove_current)
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
        self.add = QPushButton(self._theme.icons.icon("plus"), self.tr("Watch"))
        self.add.clicked.connect(self._add)
        self.files = QPushButton(self._theme.icons.icon("dots"), "")
        self.files.setProperty("role", "flat")
        self.files.setAccessibleName(self.tr("Notes of other programs"))
        self.files.setToolTip(
            self.tr("Notes of BizHawk, RetroAchievements, FCEUX, RetroArch, and symbol files")
        )
        self.files.setMenu(self._files_menu())
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

    def _files_menu(self) -> QMenu:
        menu = RowMenu(self._theme, self)
        menu.add(self.tr("Import notes…"), self.import_requested.emit, "import")
        menu.add(self.tr("Export the list…"), self.export_requested.emit, "save")
        return menu

    def set_open(self, *, opened: bool) -> None:
        """Show that a game is open, or none."""
        self._footer.setVisible(opened)
        if not opened:
            self.model.set_watches(())
            for field in (self.address, self.type, self.name):
                field.clear()
        self.pages.show_content(self.model.rowCount() > 0)

    def watch(self, watch: Watch) -> None:
        """Add a watch and show it."""
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

    def _remove_current(self) -> None:
        index = self.table.currentIndex()
        if index.isValid():
            self._remove(index.row())

    def _remove(self, row: int) -> None:
        paused = self.model.at(row).pauses
        self.model.remove(row)
        if paused:
            self.pauses_changed.emit()

    def _pause(self, row: int, on: bool) -> None:
        self.model.set_pauses(row, on=on)
        self.pauses_changed.emit()

    def row_menu(self, row: int) -> QMenu:
        """A menu of actions for a watch."""
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
            self.tr("Pause when it changes"), lambda on: self._pause(row, on), on=shown.pauses
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
