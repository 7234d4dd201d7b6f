"""The Cheats panel: values that are held, kept with the integration or only in passing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.domain.integration.cheats import CheatSpec
from integrator.session.cheats import HeldValue
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.widgets.fields import address_text, parse_address, parse_number
from integrator.ui.widgets.panels.empty import EmptyOr, EmptyState
from integrator.ui.widgets.panels.labels import role_label
from integrator.ui.widgets.panels.table import DataTable, show_row_menus
from integrator.ui.widgets.room.boxes import hbox, vbox
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.theme import Theme, mono_font


class CheatColumn(IntEnum):
    """Columns from left to right."""

    NAME = 0
    PLACE = 1
    VALUE = 2
    STATE = 3


@dataclass(frozen=True, slots=True)
class CheatChange:
    """``cheat`` is to stand at ``index`` of the document; None adds it."""

    index: int | None
    cheat: CheatSpec


def as_cheat(row: HeldValue) -> CheatSpec:
    """The cheat that a row is, or would be if it were kept."""
    by_name = bool(row.variable)
    return CheatSpec(
        row.name,
        row.value,
        row.enabled,
        row.variable,
        None if by_name else row.address,
        "" if by_name else row.type,
    )


class CheatsModel(TableModel):
    """A row a held value. ``change_requested`` gives a CheatChange."""

    columns = CheatColumn

    change_requested = Signal(object)
    rejected = Signal(str)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[HeldValue, ...] = ()
        self._mono = mono_font()

    def set_rows(self, rows: Sequence[HeldValue]) -> None:
        """Show other rows."""
        if tuple(rows) == self._rows:
            return
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row_at(self, row: int) -> HeldValue:
        """The held value of a row."""
        return self._rows[row]

    def length(self) -> int:
        """One row a held value."""
        return len(self._rows)

    def titles(self) -> Sequence[str]:
        """See :class:`CheatColumn`."""
        return (self.tr("name"), self.tr("holds"), self.tr("value"), "")

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Kept cheats are ticked and edited; values held in passing are not."""
        flags = super().flags(index)
        kept = self._rows[index.row()].index is not None
        if kept and index.column() == CheatColumn.NAME:
            flags |= Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable
        if kept and index.column() == CheatColumn.VALUE:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, tick, colour and font of a cell."""
        row, column = self._rows[index.row()], CheatColumn(index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._text(row, column)
        if (
            role == Qt.ItemDataRole.CheckStateRole
            and column is CheatColumn.NAME
            and row.index is not None
        ):
            return Qt.CheckState.Checked if row.enabled else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(row, column))
        if role == Qt.ItemDataRole.FontRole:
            return self._font(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.problem or None
        return None

    def setData(  # noqa: N802 - Qt's name
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Ask for a change; the row follows when it was made."""
        row = self._rows[index.row()]
        cheat = as_cheat(row)
        name, number, enabled = cheat.name, cheat.value, cheat.enabled
        if role == Qt.ItemDataRole.CheckStateRole:
            enabled = Qt.CheckState(value) is Qt.CheckState.Checked
        elif index.column() == CheatColumn.NAME:
            name = str(value).strip() or name
        else:
            try:
                number = parse_number(str(value))
            except DomainError as error:
                self.rejected.emit(str(error))
                return False
        changed = CheatSpec(name, number, enabled, cheat.variable, cheat.address, cheat.type)
        self.change_requested.emit(CheatChange(row.index, changed))
        return True

    def _text(self, row: HeldValue, column: CheatColumn) -> str:
        if column is CheatColumn.NAME:
            return row.name
        if column is CheatColumn.PLACE:
            where = address_text(row.address) if row.address is not None else ""
            return row.variable or f"{where} {row.type}"
        if column is CheatColumn.VALUE:
            return str(row.value)
        if row.problem:
            return self.tr("can not be held")
        if row.index is None:
            return self.tr("held, not kept")
        return self.tr("held") if row.held else ""

    def _color(self, row: HeldValue, column: CheatColumn) -> str:
        colors = self._theme.colors
        if column is CheatColumn.STATE:
            return (
                colors.bad if row.problem else colors.good if row.index is not None else colors.warn
            )
        if column is CheatColumn.PLACE:
            return colors.link
        return colors.text if row.enabled else colors.faint

    def _font(self, row: HeldValue, column: CheatColumn) -> QFont | None:
        if column in (CheatColumn.PLACE, CheatColumn.VALUE):
            return self._mono
        if row.index is None:
            font = QFont()
            font.setItalic(True)
            return font
        return None


class CheatsView(QWidget):
    """``switch_requested``: cheats on or off. ``change_requested``: a CheatChange.

    ``remove_requested``: the index of a kept cheat; ``release_requested``: a HeldValue to let go.
    """

    switch_requested = Signal(bool)
    change_requested = Signal(object)
    remove_requested = Signal(int)
    release_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.model = CheatsModel(theme, self)
        self.table = DataTable(self.tr("Cheats"))
        self.table.setModel(self.model)
        self.table.set_widths(
            (120, 112, 58, 104), stretch=CheatColumn.NAME, whole=(CheatColumn.PLACE,)
        )
        show_row_menus(self.table, lambda index: self.row_menu(self.model.row_at(index.row())))
        self.switch = QCheckBox(self.tr("Cheats on"))
        self.switch.setToolTip(
            self.tr("Hold the ticked values after every frame. Off when a game is opened.")
        )
        self.switch.clicked.connect(self.switch_requested)
        self.place = QComboBox()
        self.type = QComboBox()
        self.value = QLineEdit()
        self.add = QPushButton(self.tr("Add"))
        self.problem = role_label("", "bad")
        self.model.change_requested.connect(self.change_requested)
        self.model.rejected.connect(self.problem.setText)
        self._build_ui()
        panel_action("cheats.remove", self.table, self._remove_current)
        self.show_game((), None)

    def _build_ui(self) -> None:
        empty = EmptyState(
            self._theme,
            "cheat",
            self.tr("No cheats yet"),
            self.tr("Freeze a variable or a byte, or add a value to hold while you play."),
        )
        self.pages = EmptyOr(empty, self.table)
        self.place.setEditable(True)
        self.place.setAccessibleName(self.tr("Variable or address"))
        self.place.setToolTip(self.tr("A variable, or an address such as 0x302"))
        self.place.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = self.place.lineEdit()
        if line is not None:
            line.setPlaceholderText(self.tr("variable"))
        self.place.editTextChanged.connect(lambda _: self._place_changed())
        self.type.setAccessibleName(self.tr("Type"))
        self.value.setAccessibleName(self.tr("Value"))
        self.value.setPlaceholderText(self.tr("value"))
        self.value.setFixedWidth(72)
        self.value.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        row = hbox((self.place, 1), self.type, self.value, self.add, margins=(10, 6, 10, 8), gap=6)
        top = hbox(self.switch, None, self.problem, margins=(12, 7, 12, 5))
        vbox(top, (self.pages, 1), row, on=self, margins=0, gap=0)

    def show_game(self, types: Sequence[str], first: int | None) -> None:
        """Show another game, whose memory begins at ``first``; None for no game."""
        self.type.clear()
        self.type.addItems(list(types))
        self.value.clear()
        for part in (self.switch, self.place, self.type, self.value, self.add):
            part.setEnabled(first is not None)
        if first is None:
            self.show_rows((), on=False)
            self.show_variables(())
        self.place.setEditText("")

    def show_variables(self, names: Sequence[str]) -> None:
        """Offer these names as places."""
        text = self.place.currentText()
        self.place.blockSignals(True)  # noqa: FBT003 - Qt's signature
        self.place.clear()
        self.place.addItems(list(names))
        self.place.setEditText(text)
        self.place.blockSignals(False)  # noqa: FBT003 - Qt's signature

    def show_rows(self, rows: Sequence[HeldValue], *, on: bool) -> None:
        """List the held values and the cheats that may be."""
        self.model.set_rows(rows)
        self.switch.setChecked(on)
        self.pages.show_content(bool(rows))
        self.problem.clear()

    def _place_changed(self) -> None:
        self.problem.clear()
        names = [self.place.itemText(row) for row in range(self.place.count())]
        self.type.setEnabled(self.place.isEnabled() and self.place.currentText() not in names)

    def _add(self) -> None:
        text = self.place.currentText().strip()
        names = [self.place.itemText(row) for row in range(self.place.count())]
        try:
            value = parse_number(self.value.text())
            if text in names:
                cheat = CheatSpec(text, value, variable=text)
            else:
                address = parse_address(text)
                name = address_text(address)
                cheat = CheatSpec(name, value, address=address, type=self.type.currentText())
        except DomainError as error:
            self.problem.setText(str(error))
            return
        self.value.clear()
        self.change_requested.emit(CheatChange(None, cheat))

    def row_menu(self, row: HeldValue) -> QMenu:
        """A menu of actions for one row."""
        menu = QMenu(self)
        icons = self._theme.icons
        if row.index is None:
            keep = menu.addAction(icons.icon("pin"), self.tr("Keep as a cheat"))
            keep.triggered.connect(
                lambda: self.change_requested.emit(CheatChange(None, as_cheat(row)))
            )
            release = menu.addAction(self.tr("Let go"))
            release.triggered.connect(lambda: self.release_requested.emit(row))
        else:
            remove = menu.addAction(icons.icon("trash"), self.tr("Remove"))
            remove.triggered.connect(lambda: self.remove_requested.emit(row.index))
        return menu

    def _remove_current(self) -> None:
        index = self.table.currentIndex()
        if not index.isValid():
            return
        row = self.model.row_at(index.row())
        if row.index is None:
            self.release_requested.emit(row)
        else:
            self.remove_requested.emit(row.index)
