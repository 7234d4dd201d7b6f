"""The table of episodes that agents played."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor

from integrator.agents.result import ERROR, EpisodeResult
from integrator.ui.widgets.table_model import NO_PARENT, Index, TableModel
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import Theme

SORT_ROLE = Qt.ItemDataRole.UserRole
"""The number or text by which a column is sorted."""


class EpisodeRow(IntEnum):
    """Columns from left to right."""

    AGENT = 0
    STATE = 1
    SEED = 2
    EPISODE = 3
    REWARD = 4
    FRAMES = 5
    ENDED = 6
    MINUTE = 7
    TERMS = 8


class AgentEpisodesModel(TableModel):
    """A row an episode, in the order in which they ended."""

    columns = EpisodeRow

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.results: list[EpisodeResult] = []

    def clear(self) -> None:
        """Forget all episodes."""
        self.beginResetModel()
        self.results = []
        self.endResetModel()

    def add(self, results: Sequence[EpisodeResult]) -> None:
        """Append episodes."""
        if results:
            first = len(self.results)
            self.beginInsertRows(NO_PARENT, first, first + len(results) - 1)
            self.results += results
            self.endInsertRows()

    def length(self) -> int:
        """One row an episode."""
        return len(self.results)

    def titles(self) -> Sequence[str]:
        """See :class:`EpisodeRow`."""
        return (
            self.tr("agent"),
            self.tr("state"),
            self.tr("seed"),
            self.tr("episode"),
            self.tr("return"),
            self.tr("frames"),
            self.tr("ended by"),
            self.tr("a minute"),
            self.tr("terms"),
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, number to sort by, and colour of a cell."""
        result, column = self.results[index.row()], EpisodeRow(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(result, column)
        if role == SORT_ROLE:
            return self._value(result, column)
        if role == Qt.ItemDataRole.ForegroundRole and column is EpisodeRow.ENDED:
            colors = self._theme.colors
            return QColor(colors.bad if result.error else colors.text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return result.error or result.movie
        return None

    def _text(self, result: EpisodeResult, column: EpisodeRow) -> str:
        if column is EpisodeRow.ENDED:
            ends = {ERROR: self.tr("error"), "done": self.tr("done"), "frames": self.tr("time")}
            return ends.get(result.ended, result.ended)
        value = self._value(result, column)
        if isinstance(value, str):
            return value
        if column is EpisodeRow.MINUTE:
            return f"{value:,.1f}"
        return f"{value:,}" if column is EpisodeRow.FRAMES else plain_number(value)

    @staticmethod
    def _value(result: EpisodeResult, column: EpisodeRow) -> str | float:
        terms = (f"{name} {plain_number(total)}" for name, total in result.terms.items())
        values: dict[EpisodeRow, str | float] = {
            EpisodeRow.AGENT: result.agent,
            EpisodeRow.STATE: result.state,
            EpisodeRow.SEED: result.seed,
            EpisodeRow.EPISODE: result.episode,
            EpisodeRow.REWARD: result.reward,
            EpisodeRow.FRAMES: result.frames,
            EpisodeRow.ENDED: result.ended,
            EpisodeRow.MINUTE: result.reward_a_minute,
            EpisodeRow.TERMS: ", ".join(terms),
        }
        return values[column]
