"""Feeds the Reward terms panel from the timeline, a few times a second while it can be seen."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from integrator.session.attribution.attribution import Attribution, Origins, Share
from integrator.session.frame.result import FrameResult
from integrator.session.scoring.recorded import SLICE_S
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.gaps import Refresh
from integrator.ui.review.attribution_view import STACK_POINTS, AttributionView
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.panels.docks import is_in_sight

_REFRESH_MS = 300


@dataclass(frozen=True, slots=True)
class _Shown:
    """The parts of a frame or range, and each term's sum (terms, k) up to ``frames`` (k,)."""

    first: int
    last: int
    reward: float
    shares: tuple[Share, ...]
    frames: NDArray[np.int64]
    sums: NDArray[np.float64]

    @classmethod
    def of(cls, found: Attribution, first: int, last: int) -> _Shown | None:
        """None for frames that are not there yet."""
        if not found.first <= first <= last <= found.last:
            return None
        count = len(found.rewards)
        picked = np.unique(np.linspace(0, count - 1, min(count, STACK_POINTS)).astype(np.int64))
        sums = [np.cumsum(each.parts, dtype=np.float64)[picked] for each in found.columns]
        return cls(
            first,
            last,
            found.reward(first, last),
            found.shares(first, last),
            picked + found.first,
            np.array(sums).reshape(len(sums), len(picked)),
        )


class AttributionController(QObject):
    """Explains the range of the time slider, or else the frame on the screen."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: AttributionView,
        timeline: TimelineView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._view = view
        self._timeline = timeline
        self._origins = Origins()
        self._asked = False
        self._stale = True
        self._timer = Refresh(bridge.gaps, _REFRESH_MS, self._refresh, self)
        controller.follow(lambda _: self._touch(), "variables", "scenario", "scripts")
        controller.scored.connect(lambda _: self._touch())
        timeline.selected.connect(self._touch)
        bridge.opened.connect(lambda _: self._timer.start())
        bridge.closed.connect(self._closed)
        bridge.readout_ready.connect(self._show_frame)

    def _closed(self) -> None:
        self._timer.stop()
        self._asked = False
        self._origins = Origins()
        self._view.show_nothing()

    def _touch(self) -> None:
        self._stale = True

    def _show_frame(self, result: FrameResult) -> None:
        self._stale = True
        self._view.stack.show_place(result.number, self._timeline.range)

    def _refresh(self) -> None:
        if not is_in_sight(self._view) or self._asked or not self._stale:
            return
        self._asked, self._stale = True, False
        origins, chosen = self._origins, self._timeline.range

        def work(session: Session) -> tuple[_Shown | None, bool]:
            complete = origins.update(session, time.perf_counter() + SLICE_S)
            position = session.timeline.position
            first, last = chosen or (position, position)
            return _Shown.of(origins.found(), first, last), complete

        self._bridge.ask(work, lambda answer: self._show(*answer), self._failed)

    def _show(self, shown: _Shown | None, complete: bool) -> None:
        self._asked = False
        self._stale = self._stale or not complete
        if shown is None:
            return
        self._view.show_shares(shown.first, shown.last, shown.reward, shown.shares)
        self._view.stack.show_sums(shown.frames, shown.sums)
        self._view.stack.show_place(shown.last, self._timeline.range)

    def _failed(self, error: Exception) -> None:
        self._asked = False
        self._origins = Origins()
        self._view.show_nothing(str(error))
