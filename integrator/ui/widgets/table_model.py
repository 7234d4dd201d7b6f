"""A table of rows under fixed columns: the part that is the same for every such model."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, ClassVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex
NO_PARENT = QModelIndex()


class TableModel(QAbstractTableModel):
    """A subclass names its columns, gives their titles and counts its rows."""

    columns: ClassVar[type[IntEnum]]

    def titles(self) -> Sequence[str]:
        """The columns' titles from left to right, in the user's language."""
        raise NotImplementedError

    def tips(self) -> Sequence[str]:
        """An explanation of each title; none where the titles say all."""
        return ()

    def length(self) -> int:
        """The number of rows."""
        raise NotImplementedError

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """Rows; none below another row."""
        return 0 if parent.isValid() else self.length()

    def columnCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """Columns; none below a row."""
        return 0 if parent.isValid() else len(self.columns)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The title of a column and its explanation; rows have none."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            tips = self.tips()
            return tips[section] if tips else None
        return self.titles()[section] if role == Qt.ItemDataRole.DisplayRole else None
