"""The table of episodes that agents played."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QObject

from integrator.agents.result import ERROR, EpisodeResult
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.texts import plain_number
from integrator.ui.widgets.theme import Theme


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


class AgentEpisodesModel(RowsModel[EpisodeResult]):
    """A row an episode, in the order in which they ended."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    @property
    def results(self) -> Sequence[EpisodeResult]:
        """The episodes so far."""
        return self.rows

    def table(self) -> Sequence[Column[EpisodeResult]]:
        """See :class:`EpisodeRow`."""
        return (
            Column(self.tr("agent"), lambda each: each.agent),
            Column(self.tr("state"), lambda each: each.state),
            Column(self.tr("seed"), lambda each: plain_number(each.seed), lambda each: each.seed),
            Column(
                self.tr("episode"),
                lambda each: plain_number(each.episode),
                lambda each: each.episode,
            ),
            Column(
                self.tr("return"), lambda each: plain_number(each.reward), lambda each: each.reward
            ),
            Column(self.tr("frames"), lambda each: f"{each.frames:,}", lambda each: each.frames),
            Column(self.tr("ended by"), self._end, lambda each: each.ended, color=self._end_color),
            Column(
                self.tr("a minute"),
                lambda each: f"{each.reward_a_minute:,.1f}",
                lambda each: each.reward_a_minute,
            ),
            Column(self.tr("terms"), _terms),
        )

    def _end(self, result: EpisodeResult) -> str:
        ends = {ERROR: self.tr("error"), "done": self.tr("done"), "frames": self.tr("time")}
        return ends.get(result.ended, result.ended)

    def _end_color(self, result: EpisodeResult) -> str:
        return self._theme.colors.bad if result.error else self._theme.colors.text

    def tip(self, result: EpisodeResult) -> str | None:
        """The error, or the movie's file."""
        return result.error or result.movie


def _terms(result: EpisodeResult) -> str:
    return ", ".join(f"{name} {plain_number(total)}" for name, total in result.terms.items())
