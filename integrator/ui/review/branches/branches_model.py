"""The table of branches: the present line first, then the kept ones, each with its last picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont, QPixmap

from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.texts import clock_text, plain_number
from integrator.ui.widgets.theme import Theme, mono_font
from integrator.ui.widgets.translation import counted


class BranchColumn(IntEnum):
    """Columns from left to right."""

    NAME = 0
    LENGTH = 1
    PARTS = 2
    REWARD = 3


@dataclass(frozen=True, slots=True)
class BranchRow:
    """One line of play. ``shared_frames`` is None for the present one."""

    name: str
    length: int
    shared_frames: int | None
    rewards: tuple[float, ...]


class BranchesModel(TableModel):
    """A row a line of play. Pictures come later than the rows, and stay with the name."""

    columns = BranchColumn

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: tuple[BranchRow, ...] = ()
        self._pictures: dict[str, QPixmap] = {}
        self._fps = 60.0
        self._mono = mono_font()

    def set_rows(self, rows: Sequence[BranchRow], fps: float) -> None:
        """Show other lines; only values change while the names are the same."""
        fresh = tuple(rows)
        if fresh == self._rows and fps == self._fps:
            return
        same = [row.name for row in fresh] == [row.name for row in self._rows]
        if not same:
            self.beginResetModel()
        self._rows, self._fps = fresh, fps
        if same:
            last = self.index(len(fresh) - 1, BranchColumn.REWARD)
            self.dataChanged.emit(self.index(0, 0), last)
        else:
            names = {row.name for row in fresh}
            self._pictures = {n: p for n, p in self._pictures.items() if n in names}
            self.endResetModel()

    def set_pictures(self, pictures: Mapping[str, QPixmap]) -> None:
        """Show pictures by the lines' names, in place of those shown so far."""
        self._pictures.update(pictures)
        for row, line in enumerate(self._rows):
            if line.name in pictures:
                index = self.index(row, BranchColumn.NAME)
                self.dataChanged.emit(index, index)

    def picture(self, name: str) -> QPixmap | None:
        """The picture shown for a line."""
        return self._pictures.get(name)

    def row_at(self, row: int) -> BranchRow:
        """The line of a row."""
        return self._rows[row]

    def row_of(self, name: str) -> int | None:
        """The row of a line."""
        return next((row for row, line in enumerate(self._rows) if line.name == name), None)

    def length(self) -> int:
        """One row a line."""
        return len(self._rows)

    def titles(self) -> Sequence[str]:
        """See :class:`BranchColumn`."""
        return (self.tr("line"), self.tr("length"), self.tr("parts at"), self.tr("reward"))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text, colour or picture of a cell."""
        line, column = self._rows[index.row()], BranchColumn(index.column())
        present = line.shared_frames is None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(line, column)
        if role == Qt.ItemDataRole.DecorationRole and column is BranchColumn.NAME:
            return self._pictures.get(line.name)
        if role == Qt.ItemDataRole.FontRole:
            return self._font(column, bold=present)
        if role == Qt.ItemDataRole.ForegroundRole and column is BranchColumn.PARTS:
            colors = self._theme.colors
            return QColor(colors.good if present else colors.secondary)
        if role == Qt.ItemDataRole.ToolTipRole:
            text = counted(self.tr("{0}: {1} frame[|s]", None, line.length), line.length)
            return text.format(line.name, f"{line.length:,}")
        return None

    def _font(self, column: BranchColumn, *, bold: bool) -> QFont | None:
        if column is not BranchColumn.NAME:
            return self._mono
        font = QFont()
        font.setBold(bold)
        return font if bold else None

    def _text(self, line: BranchRow, column: BranchColumn) -> str:
        if column is BranchColumn.NAME:
            return line.name
        if column is BranchColumn.LENGTH:
            return clock_text(line.length, self._fps)
        if column is BranchColumn.PARTS:
            return self.tr("now") if line.shared_frames is None else f"{line.shared_frames:,}"
        return " / ".join(plain_number(total) for total in line.rewards)
