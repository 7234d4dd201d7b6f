"""Recorded episodes as a table: worth and end of each, before and after an edit."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QObject

from integrator.session.what_if.comparison import EpisodeChange
from integrator.ui.widgets.rows_model import Column, Index, RowsModel
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import Theme

EpisodeColumn = IntEnum("EpisodeColumn", "NUMBER BEFORE AFTER DONE_BEFORE DONE_AFTER", start=0)


class EpisodesModel(RowsModel[EpisodeChange]):
    """A row an episode; differences by the edit stand out."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._player = 0

    def set_episodes(self, episodes: Sequence[EpisodeChange], player: int) -> None:
        """Show other episodes, with the return of one player."""
        self._player = player
        self.show(tuple(episodes))

    def frame_at(self, index: Index) -> int | None:
        """The frame that a click on a cell means; None for a done that never came."""
        episode = self.rows[index.row()]
        by_column = {
            EpisodeColumn.DONE_BEFORE: episode.before_done,
            EpisodeColumn.DONE_AFTER: episode.after_done,
        }
        return by_column.get(EpisodeColumn(index.column()), episode.start)

    def table(self) -> Sequence[Column[EpisodeChange]]:
        """See :class:`EpisodeColumn`."""
        return (
            Column(
                "#",
                lambda each: str(each.number),
                color=lambda _each: self._theme.colors.faint,
                font=self._mono,
                title_tip=self.tr("Recorded episode, counted from the first"),
            ),
            Column(
                self.tr("before"),
                lambda each: plain_number(round(each.before_return[self._player], 2)),
                font=self._mono,
                title_tip=self.tr("Reward up to the first done frame, by the rules before"),
            ),
            Column(
                self.tr("now"),
                lambda each: plain_number(round(each.after_return[self._player], 2)),
                color=self._return_color,
                font=self._mono,
                title_tip=self.tr("Reward up to the first done frame, by the rules now"),
            ),
            Column(
                self.tr("done before"),
                lambda each: _done_text(each.before_done),
                font=self._mono,
                title_tip=self.tr(
                    "First done frame of the episode, by the rules before; — it never ends"
                ),
            ),
            Column(
                self.tr("done now"),
                lambda each: _done_text(each.after_done),
                color=self._done_color,
                font=self._mono,
                title_tip=self.tr(
                    "First done frame of the episode, by the rules now; — it never ends"
                ),
            ),
        )

    def _return_color(self, each: EpisodeChange) -> str:
        colors = self._theme.colors
        gain = each.after_return[self._player] - each.before_return[self._player]
        return colors.text if not gain else colors.good if gain > 0 else colors.bad

    def _done_color(self, each: EpisodeChange) -> str:
        colors = self._theme.colors
        return colors.text if each.before_done == each.after_done else colors.warn

    def color(self, _row: EpisodeChange) -> str:
        """Gray, because the values by the rules now stand out."""
        return self._theme.colors.secondary

    def tip(self, row: EpisodeChange) -> str:
        """The episode's frames."""
        return self.tr("Frames {0} to {1}").format(row.start, row.stop - 1)


def _done_text(frame: int | None) -> str:
    return "—" if frame is None else f"{frame:,}"
