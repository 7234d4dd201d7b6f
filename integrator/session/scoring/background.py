"""Scoring recorded frames again in the time that a runner can spare."""

from __future__ import annotations

import time

from integrator.session.frame.result import Event, RecordedScoring
from integrator.session.scoring.recorded import Recorded

_TELL_S = 0.1


class BackgroundScoring:
    """Works in slices; tells of work that lasts."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded
        recorded.in_background = True
        self._told_s = 0.0
        self._fresh = True

    def work(self, spare_s: float) -> tuple[Event, ...]:
        """Score for a while; returns an event about the progress, if there is one to send."""
        now = time.perf_counter()
        if self._fresh:
            self._told_s, self._fresh = now, False
        self._recorded.step(now + spare_s)
        if not self._recorded.pending:
            self._fresh = True
            return ()
        if now - self._told_s < _TELL_S:
            return ()
        self._told_s = now
        progress = self._recorded.progress
        return (RecordedScoring("", progress.share, progress.frames, progress.scripted),)
