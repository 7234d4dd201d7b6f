"""Feeds the Reward terms panel from the timeline, a few times a second while it can be seen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from integrator.session.attribution.attribution import Origins
from integrator.session.attribution.explained import RangeExplained, explain
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.review.attribution_view import AttributionView
from integrator.ui.time_slider.timeline_view import TimelineView

_REFRESH_MS = 300

Answer = tuple[RangeExplained | None, bool]


class AttributionController(PanelController[AttributionView]):
    """Explains the range of the time slider, or else the frame on the screen."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: AttributionView,
        timeline: TimelineView,
        parent: QObject,
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._timeline = timeline
        self._origins = Origins()
        sight = Sight(bridge, view)
        self._live = LiveReader(bridge, sight, _REFRESH_MS, self._look, self._show, self._failed)
        controller.follow(self._live.touch, "variables", "scenario", "scripts")
        for signal in (controller.scored, timeline.selected, bridge.readout_ready):
            signal.connect(self._live.touch)
        bridge.closed.connect(self._closed)
        sight.follow(bridge.readout_ready, self._show_frame)

    def _closed(self) -> None:
        self._origins = Origins()
        self._view.show_nothing()

    def _show_frame(self, result: FrameResult) -> None:
        self._view.stack.show_place(result.number, self._timeline.range)

    def _look(self) -> Callable[[Session], Answer]:
        origins, chosen = self._origins, self._timeline.range
        return lambda session: explain(session, origins, chosen)

    def _show(self, answer: Answer) -> None:
        shown, complete = answer
        if not complete:
            self._live.touch()
        if shown is not None:
            self._view.show_shares(shown.first, shown.last, shown.reward, shown.shares)
            self._view.stack.show_sums(shown.frames, shown.sums)
            self._view.stack.show_place(shown.last, self._timeline.range)

    def _failed(self, error: Exception) -> None:
        self._origins = Origins()
        self._view.show_nothing(str(error))
