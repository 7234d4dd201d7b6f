"""Feeds the Plots panel from the timeline, a few times a second while it can be seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from integrator.domain.errors import DomainError, TimelineError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.what_if.terms import TermCurves, TermKey
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.gaps import Refresh
from integrator.ui.review.plots.plots_series import REWARD
from integrator.ui.review.plots.plots_view import PlotsView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.docks import is_in_sight

_REFRESH_MS = 300
MOST_FRAMES = 216_000
"""An hour: earlier frames are not drawn."""

Series = dict[str, NDArray[np.float64]]


class PlotsController(QObject):
    """Asks for whole columns only when frames were added; the cursor follows every frame."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: PlotsView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._view = view
        self._asked = False
        self._stale = True
        self._terms: dict[str, TermKey] = {}
        self._sums: dict[str, int] = {REWARD: 0}
        self._curves = TermCurves()
        self._timer = Refresh(bridge.gaps, _REFRESH_MS, self._refresh, self)
        view.chosen_changed.connect(self._touch)
        view.seek_requested.connect(self.seek)
        controller.follow(self._show_names, "variables", "scenario", "scripts")
        controller.scored.connect(lambda _: self._touch())
        bridge.opened.connect(lambda _: self._timer.start())
        bridge.closed.connect(self._closed)
        bridge.ending.connect(view.dispose)
        bridge.readout_ready.connect(self._show_frame)

    def _closed(self) -> None:
        self._timer.stop()
        self._asked = False
        self._curves = TermCurves()
        self._view.clear()

    def _touch(self) -> None:
        self._stale = True

    def _show_names(self, documents: Documents) -> None:
        game = self._controller.game
        players = game.players if game is not None else 1
        try:
            rewards = ScenarioSpec.parse(dict(documents.scenario)).rewards[:players]
        except DomainError:
            rewards = ()
        self._sums = {_of_player(REWARD, player): player for player in range(players)}
        self._terms = {
            _of_player(f"{name} → reward", player): (player, name)
            for player, reward in enumerate(rewards)
            for name in reward.parts
        }
        rewarded = [name for player, name in self._terms.values() if player == 0]
        names = list(documents.variables)
        self._view.set_names(names, rewarded, (*self._sums, *self._terms))
        self._touch()

    def _show_frame(self, result: FrameResult) -> None:
        self._stale = True
        self._view.show_cursor(result.number)

    def _refresh(self) -> None:
        if not is_in_sight(self._view) or self._asked or not self._stale:
            return
        chosen = tuple(self._view.chosen)
        self._asked, self._stale = True, False
        sums, terms, curves = self._sums, self._terms, self._curves

        def work(session: Session) -> tuple[int, Series, bool]:
            timeline = session.timeline
            first = max(1, timeline.length - MOST_FRAMES + 1)
            series: Series = {}
            complete = not any(name in terms for name in chosen) or curves.update(session)
            for name in chosen:
                try:
                    if name in terms:
                        term = curves.summed(terms[name], first)
                        if term is not None:
                            series[name] = term
                    elif name in sums:
                        series[name] = _summed(timeline.log.rewards(first), sums[name])
                    else:
                        series[name] = timeline.column(name, first).astype(np.float64)
                except TimelineError:
                    continue  # renamed since it was chosen; the next documents say so
            return first, series, complete

        def done(answer: tuple[int, Series, bool]) -> None:
            self._asked = False
            first, series, complete = answer
            self._stale = self._stale or not complete
            self._view.show_series(first, series)

        def failed(error: Exception) -> None:
            self._asked = False
            self._controller.said.emit(NoticeKind.ERROR, str(error))

        self._bridge.ask(work, done, failed)

    def seek(self, frame: int) -> None:
        """Go to a frame and stay there."""
        self._bridge.pause()

        def work(session: Session) -> FrameResult:
            return session.timeline.seek(min(frame, session.timeline.length))

        self._bridge.ask(work, self._bridge.show)


def _summed(rewards: NDArray[np.float32], player: int) -> NDArray[np.float64]:
    """A player's reward, summed over the frames."""
    return np.cumsum(rewards[:, player], dtype=np.float64)


def _of_player(text: str, player: int) -> str:
    return text if player == 0 else f"{text} (P{player + 1})"
