"""The Variables panel: the live table and its row menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from integrator.session.frame.result import FrameResult
from integrator.ui.actions.actions import Actions
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.memory.variables.variables_model import VariableColumn, VariablesModel
from integrator.ui.widgets.delegates import CheckedTextDelegate, TrendDelegate
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, stack
from integrator.ui.widgets.panels.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.theme import Theme


class VariablesView(QWidget):
    """Shows variables of the newest frame. Edits leave as signals of the model and of this view."""

    remove_requested = Signal(str)
    reward_requested = Signal(str)
    condition_requested = Signal(str)
    freeze_requested = Signal(str, bool)
    pause_requested = Signal(str, bool)
    rejected = Signal(str)
    count_changed = Signal(int)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self.paused_on: set[str] = set()
        self.model = VariablesModel(theme, self)
        self.table = DataTable(self.tr("Variables"), self.model)
        self._text = CheckedTextDelegate(self.table)
        self._text.rejected.connect(self.rejected)
        self.table.setItemDelegate(self._text)
        self.table.setItemDelegateForColumn(
            VariableColumn.TREND, TrendDelegate(theme, "good", self.table)
        )
        self.table.set_widths(
            (168, 74, 46, 62, 104, 64),
            stretch=VariableColumn.TREND,
            whole=(VariableColumn.ADDRESS,),
            spare=(VariableColumn.TYPE,),
        )
        show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        empty = EmptyState(
            theme,
            "variable",
            self.tr("No variables yet"),
            self.tr("Search memory for the score or the lives, or name an address that you know."),
            [actions["add_variable"]],
        )
        self.pages = EmptyOr(empty, self.table)
        stack(self, self.pages)
        self._build_row_actions()
        self.model.modelReset.connect(self._count)
        self.model.rowsInserted.connect(self._count)
        self._count()

    def show_frame(self, result: FrameResult) -> None:
        """Take the newest frame's values."""
        self.model.set_values(result.values, result.previous)

    def edit_cell(self, name: str, column: VariableColumn) -> None:
        """Open the field of one cell."""
        row = self.model.row_of(name)
        if row is not None:
            index = self.model.index(row, column)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)
            self.table.edit(index)

    def select(self, name: str, column: VariableColumn) -> None:
        """Make a variable's row the current one and show it."""
        row = self.model.row_of(name)
        if row is not None:
            self.table.setCurrentIndex(self.model.index(row, column))

    def selected_name(self) -> str | None:
        """The variable whose row is current."""
        index = self.table.currentIndex()
        return self.model.at(index.row()).name if index.isValid() else None

    def _build_row_actions(self) -> None:
        self._remove = panel_action("variables.remove", self, self._remove_selected)
        self._remove.setIcon(self._theme.icons.icon("trash"))

    def row_menu(self, row: int) -> QMenu:
        """The menu of one row."""
        menu, shown = RowMenu(self._theme, self), self.model.at(row)
        name, spec = shown.name, shown.spec

        def edit(column: VariableColumn) -> Callable[[], None]:
            return lambda: self.edit_cell(name, column)

        if spec is not None:
            menu.add(self.tr("Poke value…"), edit(VariableColumn.VALUE), "poke")
            menu.add_switch(
                self.tr("Freeze value"),
                lambda on: self.freeze_requested.emit(name, on),
                on=shown.frozen,
            )
            menu.add_switch(
                self.tr("Pause when it changes"),
                lambda on: self.pause_requested.emit(name, on),
                on=name in self.paused_on,
            )
            menu.add(self.tr("Rename…"), edit(VariableColumn.NAME), "edit")
            menu.addSeparator()
        reward, done = self.tr("Reward its change"), self.tr("Use as done condition")
        menu.add(reward, lambda: self.reward_requested.emit(name), "reward")
        menu.add(done, lambda: self.condition_requested.emit(name), "done")
        if spec is not None:
            menu.addSeparator()
            menu.add_copy(address_text(spec.address))
            menu.addAction(self._remove)
        return menu

    def _remove_selected(self) -> None:
        index = self.table.currentIndex()
        if index.isValid() and self.model.at(index.row()).spec is not None:
            self.remove_requested.emit(self.model.at(index.row()).name)

    def _count(self) -> None:
        count = self.model.rowCount()
        self.pages.show_content(count > 0)
        self.count_changed.emit(count)
