"""The table of traps that an audit found."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QObject

from integrator.domain.audit.play import Trap
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.theme import Theme


class AuditColumn(IntEnum):
    """Columns from left to right."""

    KIND = 0
    WEIGHT = 1
    TERM = 2
    PLAYS = 3
    FRAMES = 4
    SOURCE = 5


class AuditModel(RowsModel[Trap]):
    """A row a trap, in the audit's own order: the one that spoils training most comes first."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def table(self) -> Sequence[Column[Trap]]:
        """See :class:`AuditColumn`."""
        return (
            Column(self.tr("trap"), lambda trap: trap.kind.replace("-", " "), color=self._serious),
            Column(self.tr("share"), lambda trap: f"{trap.weight:.0%}" if trap.weight else ""),
            Column(self.tr("term"), lambda trap: trap.term),
            Column(self.tr("plays"), lambda trap: str(trap.plays)),
            Column(self.tr("frames"), self._frames),
            Column(self.tr("seen in"), lambda trap: Path(trap.source).name),
        )

    def _frames(self, trap: Trap) -> str:
        first, last = trap.frames
        return self.tr("{0} to {1}").format(f"{first:,}", f"{last:,}")

    def _serious(self, trap: Trap) -> str:
        return self._theme.colors.bad if trap.is_serious else self._theme.colors.secondary

    def color(self, trap: Trap) -> str:
        """Gray where a trap is not serious."""
        return self._theme.colors.text if trap.is_serious else self._theme.colors.secondary

    def tip(self, trap: Trap) -> str:
        """The evidence and its file."""
        return f"{trap.evidence}\n{trap.source}"
