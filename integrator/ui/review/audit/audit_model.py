"""The table of traps that an audit found."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor

from integrator.domain.audit.play import Trap
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.theme import Theme


class AuditColumn(IntEnum):
    """Columns from left to right."""

    KIND = 0
    WEIGHT = 1
    TERM = 2
    PLAYS = 3
    FRAMES = 4
    SOURCE = 5


class AuditModel(TableModel):
    """A row a trap, in the audit's own order: the one that spoils training most comes first."""

    columns = AuditColumn

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._traps: tuple[Trap, ...] = ()

    def set_traps(self, traps: Sequence[Trap]) -> None:
        """Show the traps of another audit."""
        self.beginResetModel()
        self._traps = tuple(traps)
        self.endResetModel()

    def trap_at(self, row: int) -> Trap:
        """The trap of a row."""
        return self._traps[row]

    def length(self) -> int:
        """One row a trap."""
        return len(self._traps)

    def titles(self) -> Sequence[str]:
        """See :class:`AuditColumn`."""
        return (
            self.tr("trap"),
            self.tr("share"),
            self.tr("term"),
            self.tr("plays"),
            self.tr("frames"),
            self.tr("seen in"),
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text and colour of a cell."""
        trap, column = self._traps[index.row()], AuditColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(trap, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            colors = self._theme.colors
            is_kind = column is AuditColumn.KIND
            serious = colors.bad if is_kind else colors.text
            return QColor(serious if trap.is_serious else colors.secondary)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{trap.evidence}\n{trap.source}"
        return None

    def _text(self, trap: Trap, column: AuditColumn) -> str:
        first, last = trap.frames
        texts = {
            AuditColumn.KIND: trap.kind.replace("-", " "),
            AuditColumn.WEIGHT: f"{trap.weight:.0%}" if trap.weight else "",
            AuditColumn.TERM: trap.term,
            AuditColumn.PLAYS: str(trap.plays),
            AuditColumn.FRAMES: self.tr("{0} to {1}").format(f"{first:,}", f"{last:,}"),
            AuditColumn.SOURCE: Path(trap.source).name,
        }
        return texts[column]
