"""A table whose columns say how they show a row, and how a typed text changes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPixmap

from integrator.domain.errors import DomainError
from integrator.ui.widgets.table_model import NO_PARENT, Index, TableModel
from integrator.ui.widgets.theme import Theme, mono_font

Row = TypeVar("Row")

SORT_ROLE = Qt.ItemDataRole.UserRole
"""The number or text by which a column is sorted."""


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column: its title, and functions of a row that give its cell.

    ``key`` is the value to sort by, where it is not the text. ``color``, ``tip`` and ``font``
    replace those of the row. In an :class:`EditedRowsModel`, ``ticked`` is the box of a row, None
    for a row without one. ``edit`` reads a typed text, and raises DomainError for one that cannot
    stand there; ``editable`` limits it to some rows, and ``edit_text`` is the text to begin with.
    """

    title: str
    text: Callable[[Row], str]
    key: Callable[[Row], str | float] | None = None
    color: Callable[[Row], str | None] | None = None
    tip: Callable[[Row], str | None] | None = None
    icon: Callable[[Row], QIcon | QPixmap | None] | None = None
    font: QFont | None = None
    title_tip: str = ""
    ticked: Callable[[Row], bool | None] | None = None
    edit: Callable[[Row, str], object] | None = None
    editable: Callable[[Row], bool] = lambda _row: True
    edit_text: Callable[[Row], str] | None = None


class RowsModel(TableModel, Generic[Row]):
    """``rows`` under the columns of :meth:`table`, which a subclass gives."""

    rows: Sequence[Row] = ()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()

    def table(self) -> Sequence[Column[Row]]:
        """The columns from left to right, in the user's language."""
        raise NotImplementedError

    def color(self, _row: Row) -> str | None:
        """The color of a row's text; None: the table's own."""
        return None

    def tip(self, _row: Row) -> str | None:
        """The tooltip of a row."""
        return None

    def font(self, _row: Row) -> QFont | None:
        """The font of a row; None: the table's own."""
        return None

    @cached_property
    def _table(self) -> tuple[Column[Row], ...]:
        return tuple(self.table())

    def show(self, rows: Sequence[Row]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def show_changed(self, rows: Sequence[Row]) -> None:
        """Replace all rows unless they are equal, so that the selection stays."""
        if tuple(rows) != tuple(self.rows):
            self.show(tuple(rows))

    def renew(self, rows: Sequence[Row], key: Callable[[Row], object]) -> None:
        """Replace all rows; while their keys are the same, the selection stays."""
        if list(map(key, rows)) == list(map(key, self.rows)):
            self.rows = rows
            self.all_changed()
        else:
            self.show(rows)

    def all_changed(self) -> None:
        """Draw all rows again."""
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self._table) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def cells_changed(self, row: int, first: int = 0, last: int | None = None) -> None:
        """Draw a row's cells from the first to the last column again."""
        last = len(self._table) - 1 if last is None else last
        self.dataChanged.emit(self.index(row, first), self.index(row, last))

    def at(self, row: int) -> Row:
        """The row of a number."""
        return self.rows[row]

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows."""
        if rows:
            first = len(self.rows)
            self.beginInsertRows(NO_PARENT, first, first + len(rows) - 1)
            self.rows = [*self.rows, *rows]
            self.endInsertRows()

    def length(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def columnCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """Columns; none below a row."""
        return 0 if parent.isValid() else len(self._table)

    def titles(self) -> Sequence[str]:
        """The columns' titles."""
        return [column.title for column in self._table]

    def tips(self) -> Sequence[str]:
        """The columns' explanations."""
        return [column.title_tip for column in self._table]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, sort key, color, tooltip, icon or font of a cell."""
        row, column = self.rows[index.row()], self._table[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == SORT_ROLE:
            return (column.key or column.text)(row)
        if role == Qt.ItemDataRole.ForegroundRole:
            color = (column.color or self.color)(row)
            return QColor(color) if color else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return (column.tip or self.tip)(row)
        if role == Qt.ItemDataRole.DecorationRole and column.icon:
            return column.icon(row)
        return column.font or self.font(row) if role == Qt.ItemDataRole.FontRole else None


class EditedRowsModel(RowsModel[Row]):
    """Rows that the user ticks and edits; ``rejected`` gives the reason against a text."""

    rejected = Signal(str)

    def take(self, row: int, value: Any) -> None:
        """Make the change that an edit of a row asks for."""
        raise NotImplementedError

    def tick(self, row: int, *, on: bool) -> None:
        """Make the change that the box of a row asks for."""
        raise NotImplementedError

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Boxes and texts that the user may change."""
        flags = super().flags(index)
        if index.isValid():
            row, column = self.rows[index.row()], self._table[index.column()]
            if column.ticked and column.ticked(row) is not None:
                flags |= Qt.ItemFlag.ItemIsUserCheckable
            if column.edit and column.editable(row):
                flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """As in :class:`RowsModel`, with the box and the text to edit."""
        row, column = self.rows[index.row()], self._table[index.column()]
        if role == Qt.ItemDataRole.EditRole:
            return (column.edit_text or column.text)(row)
        if role == Qt.ItemDataRole.CheckStateRole:
            ticked = column.ticked(row) if column.ticked else None
            states = {True: Qt.CheckState.Checked, False: Qt.CheckState.Unchecked}
            return None if ticked is None else states[ticked]
        return super().data(index, role)

    def check(self, index: Index, text: str) -> str | None:
        """The reason why ``text`` cannot stand in a cell; None when it can."""
        edit = self._table[index.column()].edit
        try:
            if edit:
                edit(self.rows[index.row()], text)
        except DomainError as error:
            return str(error)
        return None

    def setData(  # noqa: N802 - Qt's name
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Take a tick or a valid text."""
        row, column = self.rows[index.row()], self._table[index.column()]
        if role == Qt.ItemDataRole.CheckStateRole and column.ticked:
            self.tick(index.row(), on=Qt.CheckState(value) is Qt.CheckState.Checked)
            return True
        if role != Qt.ItemDataRole.EditRole or not column.edit or not column.editable(row):
            return False
        try:
            read = column.edit(row, str(value))
        except DomainError as error:
            self.rejected.emit(str(error))
            return False
        self.take(index.row(), read)
        return True
