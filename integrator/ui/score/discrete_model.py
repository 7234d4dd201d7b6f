"""The DISCRETE actions of a game as a table: row i shows the buttons of action i."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QObject

from integrator.domain.scenario.actions import ActionSet
from integrator.ui.widgets.rows_model import Column, RowsModel
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


class DiscreteModel(RowsModel[int]):
    """The numbers of actions; an action's buttons are worked out when its row is painted."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._actions = ActionSet((), ())

    def set_actions(self, actions: ActionSet) -> None:
        """Show the table of these groups, at most MAX_ROWS rows."""
        self._actions = actions
        self.show(range(min(actions.discrete_size, MAX_ROWS) if actions.groups else 0))

    def table(self) -> Sequence[Column[int]]:
        """See :class:`DiscreteColumn`."""
        mono = mono_font()
        return (
            Column(self.tr("action"), str, font=mono),
            Column(self.tr("buttons"), self._buttons, color=lambda _row: self._theme.colors.text),
            Column(self.tr("mask"), lambda row: f"0x{self._mask(row):03X}", font=mono),
        )

    def color(self, _row: int) -> str:
        """Faint, because the buttons are the point of a row."""
        return self._theme.colors.faint

    def _mask(self, row: int) -> int:
        return self._actions.discrete_masks(row)[0]

    def _buttons(self, row: int) -> str:
        return combination_text(self._actions.names(self._mask(row)))
