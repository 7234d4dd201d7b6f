"""The DISCRETE actions of a game as a table: row i shows the buttons of action i."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor

from integrator.domain.scenario.actions import ActionSet
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.theme import Theme, mono_font

MAX_ROWS = 1_000_000

_GLYPHS = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→"}


def combination_text(buttons: tuple[str, ...] | list[str]) -> str:
    """``↑ B``; a dash for no button."""
    return " + ".join(_GLYPHS.get(name, name) for name in buttons) or "—"


class DiscreteColumn(IntEnum):
    """Columns from left to right."""

    ACTION = 0
    BUTTONS = 1
    MASK = 2


class DiscreteModel(TableModel):
    """Rows are made when they are looked at."""

    columns = DiscreteColumn

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()
        self._actions = ActionSet((), ())

    def set_actions(self, actions: ActionSet) -> None:
        """Show the table of these groups."""
        self.beginResetModel()
        self._actions = actions
        self.endResetModel()

    def length(self) -> int:
        """At most MAX_ROWS."""
        return min(self._actions.discrete_size, MAX_ROWS) if self._actions.groups else 0

    def titles(self) -> Sequence[str]:
        """See :class:`DiscreteColumn`."""
        return (self.tr("action"), self.tr("buttons"), self.tr("mask"))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        column = DiscreteColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            mask = self._actions.discrete_masks(index.row())[0]
            if column is DiscreteColumn.BUTTONS:
                return combination_text(self._actions.names(mask))
            return str(index.row()) if column is DiscreteColumn.ACTION else f"0x{mask:03X}"
        if role == Qt.ItemDataRole.FontRole and column is not DiscreteColumn.BUTTONS:
            return self._mono
        if role == Qt.ItemDataRole.ForegroundRole:
            colors = self._theme.colors
            return QColor(colors.text if column is DiscreteColumn.BUTTONS else colors.faint)
        return None
