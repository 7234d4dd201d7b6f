"""Each term's summands over the recorded line by the present rules, kept up to date as it grows."""

from __future__ import annotations

import time
from copy import deepcopy

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError
from integrator.session.session import Session
from integrator.session.what_if.comparison import SLICE_S, Rules
from integrator.session.what_if.scoring import Rescorer

TermKey = tuple[int, str]
"""Player from 0, and the variable's name or ``time``."""


class TermCurves:
    """Scores only frames that it has not seen; in slices, on the session's thread."""

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._line: tuple[str, int] = ("", 0)
        self._rescorer: Rescorer | None = None

    def update(self, session: Session) -> bool:
        """Go on for a slice of time; False while there is more to do.

        With scripts there are no terms, and with rules that can not be used neither.
        """
        log, rules = session.timeline.log, Rules.present(session)
        line = (log.current, len(log.branches))
        known = self._rescorer
        if known is None or rules != self._rules or line != self._line or known.frames > log.length:
            self._rules, self._line = _frozen(rules), line
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
        column = None if self._rescorer is None else self._rescorer.term(*key)
        return None if column is None else np.cumsum(column[first - 1 :], dtype=np.float64)


def _frozen(rules: Rules) -> Rules:
    """A copy: the scenario's value is live."""
    return Rules(deepcopy(dict(rules.scenario)), rules.variables, rules.scripts)


def _rescorer(session: Session, rules: Rules) -> Rescorer | None:
    log, space, players = session.timeline.log, session.memory.space, session.game.players
    try:
        made = Rescorer(
            log, space, rules.scenario, rules.variables, rules.scripts, players, keep_terms=True
        )
    except (ScenarioError, ScriptError):
        return None
    return None if made.scripted else made
