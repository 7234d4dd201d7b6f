"""Recorded episodes as a table: worth and end of each, before and after an edit."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.what_if.comparison import EpisodeChange
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import Theme, mono_font


class EpisodeColumn(IntEnum):
    """Columns from left to right."""

    NUMBER = 0
    BEFORE = 1
    AFTER = 2
    DONE_BEFORE = 3
    DONE_AFTER = 4


class EpisodesModel(TableModel):
    """A row an episode; differences by the edit stand out."""

    columns = EpisodeColumn

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()
        self._episodes: tuple[EpisodeChange, ...] = ()
        self._player = 0

    def set_episodes(self, episodes: Sequence[EpisodeChange], player: int) -> None:
        """Show other episodes, with the return of one player."""
        self.beginResetModel()
        self._episodes, self._player = tuple(episodes), player
        self.endResetModel()

    def frame_at(self, index: Index) -> int | None:
        """The frame that a click on a cell means; None for a done that never came."""
        episode = self._episodes[index.row()]
        by_column = {
            EpisodeColumn.DONE_BEFORE: episode.before_done,
            EpisodeColumn.DONE_AFTER: episode.after_done,
        }
        return by_column.get(EpisodeColumn(index.column()), episode.start)

    def length(self) -> int:
        """One row an episode."""
        return len(self._episodes)

    def titles(self) -> Sequence[str]:
        """A number, and before and now of an episode's worth and end."""
        return (
            "#",
            self.tr("before"),
            self.tr("now"),
            self.tr("done before"),
            self.tr("done now"),
        )

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Column titles and their meaning."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.ToolTipRole:
            return self.tr(_TIPS[section])
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        episode, column = self._episodes[index.row()], EpisodeColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(episode, column)
        if role == Qt.ItemDataRole.FontRole:
            return self._mono
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tr("Frames {0} to {1}").format(episode.start, episode.stop - 1)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(episode, column))
        return None

    def _returns(self, episode: EpisodeChange) -> tuple[float, float]:
        return episode.before_return[self._player], episode.after_return[self._player]

    def _text(self, episode: EpisodeChange, column: EpisodeColumn) -> str:
        before, after = self._returns(episode)
        texts = (
            str(episode.number),
            plain_number(round(before, 2)),
            plain_number(round(after, 2)),
            "—" if episode.before_done is None else f"{episode.before_done:,}",
            "—" if episode.after_done is None else f"{episode.after_done:,}",
        )
        return texts[column]

    def _color(self, episode: EpisodeChange, column: EpisodeColumn) -> str:
        colors = self._theme.colors
        before, after = self._returns(episode)
        if column is EpisodeColumn.NUMBER:
            return colors.faint
        if column is EpisodeColumn.AFTER and before != after:
            return colors.good if after > before else colors.bad
        if column is EpisodeColumn.DONE_AFTER and episode.before_done != episode.after_done:
            return colors.warn
        return colors.text if column in _NOW else colors.secondary


_NOW = (EpisodeColumn.AFTER, EpisodeColumn.DONE_AFTER)
_TIPS = (
    QT_TRANSLATE_NOOP("EpisodesModel", "Recorded episode, counted from the first"),
    QT_TRANSLATE_NOOP("EpisodesModel", "Reward up to the first done frame, by the rules before"),
    QT_TRANSLATE_NOOP("EpisodesModel", "Reward up to the first done frame, by the rules now"),
    QT_TRANSLATE_NOOP(
        "EpisodesModel", "First done frame of the episode, by the rules before; — it never ends"
    ),
    QT_TRANSLATE_NOOP(
        "EpisodesModel", "First done frame of the episode, by the rules now; — it never ends"
    ),
)
