"""Feeds the Plots panel from the timeline, a few times a second while it can be seen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from integrator.domain.errors import DomainError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.session.edits.snapshot import Documents
from integrator.session.session import Session
from integrator.session.what_if.series import Series, SeriesNames
from integrator.session.what_if.terms import TermCurves
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.review.plots.plots_series import REWARD
from integrator.ui.review.plots.plots_view import PlotsView
from integrator.ui.widgets.notices import NoticeKind

_REFRESH_MS = 300


class PlotsController(PanelController[PlotsView]):
    """Asks for whole columns only when frames were added; the cursor follows every frame."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: PlotsView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._names = SeriesNames({REWARD: 0})
        self._curves = TermCurves()
        sight = Sight(bridge, view)
        self._live = LiveReader(bridge, sight, _REFRESH_MS, self._look, self._show, self._failed)
        view.chosen_changed.connect(self._live.touch)
        view.seek_requested.connect(self.seek)
        controller.follow(self._show_names, "variables", "scenario", "scripts")
        controller.scored.connect(self._live.touch)
        bridge.closed.connect(self._closed)
        bridge.ending.connect(view.dispose)
        bridge.readout_ready.connect(self._live.touch)
        sight.follow(bridge.readout_ready, lambda result: view.show_cursor(result.number))

    def _closed(self) -> None:
        self._curves = TermCurves()
        self._view.clear()

    def _show_names(self, documents: Documents) -> None:
        game = self._controller.game
        players = game.players if game is not None else 1
        try:
            rewards = ScenarioSpec.parse(dict(documents.scenario)).rewards[:players]
        except DomainError:
            rewards = ()
        sums = {_of_player(REWARD, player): player for player in range(players)}
        terms = {
            _of_player(f"{name} → reward", player): (player, name)
            for player, reward in enumerate(rewards)
            for name in reward.parts
        }
        self._names = SeriesNames(sums, terms)
        rewarded = [name for player, name in terms.values() if player == 0]
        self._view.set_names(list(documents.variables), rewarded, (*sums, *terms))
        self._live.touch()

    def _look(self) -> Callable[[Session], Series]:
        names, chosen, curves = self._names, tuple(self._view.chosen), self._curves
        return lambda session: names.read(session, chosen, curves)

    def _show(self, series: Series) -> None:
        self._view.show_series(series.first, series.by_name)
        if not series.complete:
            self._live.touch()

    def _failed(self, error: Exception) -> None:
        self._controller.said.emit(NoticeKind.ERROR, str(error))

    def seek(self, frame: int) -> None:
        """Go to a frame and stay there."""
        self._bridge.pause()
        self._bridge.ask(
            lambda session: session.timeline.seek(min(frame, session.timeline.length)),
            self._bridge.show,
        )


def _of_player(text: str, player: int) -> str:
    return text if player == 0 else f"{text} (P{player + 1})"
