"""Feeds the Plots panel from the timeline, a few times a second while it can be seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer

from integrator.domain.errors import TimelineError
from integrator.session.result import FrameResult
from integrator.session.session import Session
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.docks import Docks
from integrator.ui.models.reward_model import as_object
from integrator.ui.notices import NoticeKind
from integrator.ui.panels import is_in_sight
from integrator.ui.plots_view import REWARD
from integrator.ui.snapshot import Documents

_REFRESH_MS = 300
MOST_FRAMES = 216_000
"""An hour: what came before is not drawn."""

Series = dict[str, NDArray[np.float64]]


class PlotsController(QObject):
    """Asks for whole columns only when frames were added; the cursor follows every frame."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, docks: Docks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._view = docks.plots
        self._asked = False
        self._stale = True
        self._timer = QTimer(self)
        self._timer.setInterval(_REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        view = self._view
        view.chosen_changed.connect(self._touch)
        view.seek_requested.connect(self.seek)
        controller.documents_changed.connect(self._show_names)
        bridge.opened.connect(lambda _: self._timer.start())
        bridge.closed.connect(self._closed)
        bridge.readout_ready.connect(self._show_frame)

    def _closed(self) -> None:
        self._timer.stop()
        self._asked = False
        self._view.clear()

    def _touch(self) -> None:
        self._stale = True

    def _show_names(self, documents: Documents) -> None:
        reward = as_object(documents.scenario.get("reward"))
        self._view.set_names(list(documents.variables), list(as_object(reward.get("variables"))))
        self._touch()

    def _show_frame(self, result: FrameResult) -> None:
        self._stale = True
        self._view.show_cursor(result.number)

    def _refresh(self) -> None:
        if not is_in_sight(self._view) or self._asked or not self._stale:
            return
        chosen = tuple(self._view.chosen)
        self._asked, self._stale = True, False

        def work(session: Session) -> tuple[int, Series]:
            timeline = session.timeline
            first = max(1, timeline.length - MOST_FRAMES + 1)
            series: Series = {}
            for name in chosen:
                try:
                    series[name] = (
                        _summed(timeline.log.rewards(first))
                        if name == REWARD
                        else timeline.column(name, first).astype(np.float64)
                    )
                except TimelineError:
                    continue  # renamed since it was chosen; the next documents say so
            return first, series

        def done(answer: tuple[int, Series]) -> None:
            self._asked = False
            self._view.show_series(*answer)

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


def _summed(rewards: NDArray[np.float32]) -> NDArray[np.float64]:
    """The first player's reward, summed over the frames."""
    return np.cumsum(rewards[:, 0], dtype=np.float64)
