"""Each term's summands over the recorded line by the present rules, kept up to date as it grows."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError
from integrator.session.scoring.recorded import SLICE_S
from integrator.session.scoring.rescorer import Rescorer, episode_starts
from integrator.session.scoring.rules import Rules
from integrator.session.session import Session

TermKey = tuple[int, str]
"""Player from 0, and the variable's name or ``TIME_TERM``."""


class TermCurves:
    """Scores only frames that it has not seen; in slices, on the session's thread."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._revision = -1
        self._rescorer: Rescorer | None = None

    def update(self, session: Session) -> bool:
        """Go on for a slice of time; False while there is more to do.

        With scripts there are no terms, and with rules that can not be used neither.
        """
        log, rules = (
            session.timeline.log,
            session.recorded.rules,
        )
        known = self._rescorer
        if known is None or rules != self._rules or log.revision != self._revision:
            self._rules, self._revision = rules, log.revision
            self._rescorer = known = _rescorer(session, rules)
        if known is None:
            return True
        known.extend()
        due = time.perf_counter() + SLICE_S
        while not known.finished and time.perf_counter() < due:
            try:
                known.step(due)
            except ScenarioError:
                known.give_up("a variable is missing")
        return known.finished

    def summed(self, key: TermKey, first: int) -> NDArray[np.float64] | None:
        """A term's sum from frame ``first`` on, float64 (frames,); None without such a term."""
        column = None if self._rescorer is None else self._rescorer.terms.get(key)
        return None if column is None else np.cumsum(column[first - 1 :], dtype=np.float64)


def episode_sums(session: Session, points: int) -> dict[TermKey, tuple[float, ...]]:
    """Each term's sum since the episode began, up to the frame where the core stands.

    At most ``points`` frames of it; empty with scripts, and with unusable rules.
    """
    log, position = session.timeline.log, session.timeline.position
    first = max(episode_starts(log, max(1, position)))
    scorer = _rescorer(session, session.recorded.rules, first)
    if scorer is None or position < first:
        return {}
    try:
        while not scorer.finished:
            scorer.step(0.0)
    except ScenarioError:
        return {}
    frames = position + 1 - first
    picked = np.unique(np.linspace(0, frames - 1, min(frames, points)).astype(np.int64))
    return {
        key: tuple(np.cumsum(given[:frames], dtype=np.float64)[picked].tolist())
        for key, given in scorer.terms.items()
    }


def _rescorer(session: Session, rules: Rules, first: int = 1) -> Rescorer | None:
    log, space, players = session.timeline.log, session.memory.space, session.game.players
    try:
        made = Rescorer(log, space, rules, players, first=first, keep_terms=True)
    except (ScenarioError, ScriptError):
        return None
    return None if made.scripted else made
