"""A table whose columns say how they show a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QIcon

from integrator.ui.widgets.table_model import NO_PARENT, Index, TableModel

Row = TypeVar("Row")

SORT_ROLE = Qt.ItemDataRole.UserRole
"""The number or text by which a column is sorted."""


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """A column: its title, and functions of a row that give its cell.

    ``key`` is the value to sort by, where it is not the text. ``color`` and ``tip`` replace those
    of the row.
    """

    title: str
    text: Callable[[Row], str]
    key: Callable[[Row], str | float] | None = None
    color: Callable[[Row], str | None] | None = None
    tip: Callable[[Row], str | None] | None = None
    icon: Callable[[Row], QIcon | None] | None = None
    font: QFont | None = None
    title_tip: str = ""


class RowsModel(TableModel, Generic[Row]):
    """``rows`` under the columns of :meth:`table`, which a subclass gives."""

    rows: Sequence[Row] = ()

    def table(self) -> Sequence[Column[Row]]:
        """The columns from left to right, in the user's language."""
        raise NotImplementedError

    def color(self, _row: Row) -> str | None:
        """The color of a row's text; None: the table's own."""
        return None

    def tip(self, _row: Row) -> str | None:
        """The tooltip of a row."""
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
        return column.font if role == Qt.ItemDataRole.FontRole else None
