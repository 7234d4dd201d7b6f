"""Series of recorded frames to plot: variables, rewards and terms, by the names that users see."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError, TimelineError
from integrator.session.scoring.recorded import SLICE_S
from integrator.session.scoring.rescorer import Rescorer, episode_starts
from integrator.session.scoring.rules import Rules
from integrator.session.session import Session

MOST_FRAMES = 216_000
"""An hour: earlier frames are not read."""


@dataclass(frozen=True, slots=True)
class Series:
    """Float64 arrays of shape (frames,) that begin at frame ``first``.

    Not ``complete``: terms are scored in slices, and the next read goes on.
    """

    first: int
    by_name: Mapping[str, NDArray[np.float64]]
    complete: bool


@dataclass(frozen=True, slots=True)
class SeriesNames:
    """Names of sums of rewards, with the player of each, and of sums of terms.

    Every other name is a variable's.
    """

    sums: Mapping[str, int] = field(default_factory=dict)
    terms: "Mapping[str, TermKey]" = field(default_factory=dict)

    def read(self, session: Session, chosen: tuple[str, ...], curves: "TermCurves") -> Series:
        """Read the chosen series; names that nothing has are left out."""
        first = max(1, session.timeline.length - MOST_FRAMES + 1)
        complete = self.terms.keys().isdisjoint(chosen) or curves.update(session)
        found = {name: self._one(session, name, first, curves) for name in chosen}
        return Series(first, {n: each for n, each in found.items() if each is not None}, complete)

    def _one(
        self, session: Session, name: str, first: int, curves: "TermCurves"
    ) -> NDArray[np.float64] | None:
        if name in self.terms:
            return curves.summed(self.terms[name], first)
        try:
            if name in self.sums:
                rewards = session.timeline.log.rewards(first)[:, self.sums[name]]
                return np.cumsum(rewards, dtype=np.float64)
            return session.timeline.column(name, first).astype(np.float64)
        except TimelineError:
            return None  # renamed since it was chosen; the next documents say so


TermKey = tuple[int, str]
"""Player from 0, and the variable's name, ``TIME_TERM``, or a script's call."""
SumsSoFar = tuple[dict[TermKey, tuple[float, ...]], bool]
"""Each term's sums at some frames, and true when no frame is left to score."""


class TermCurves:
    """Scores only frames that it has not seen; in slices, on the session's thread.

    With ``episode`` it looks at the episode of the frame where the core stands, else at all frames.
    """

    def __init__(self, *, episode: bool = False) -> None:
        self._episode = episode
        self._made_for: tuple[Rules, str, int, int] | None = None
        self._rescorer: Rescorer | None = None

    def update(self, session: Session) -> bool:
        """Go on for a slice of time; False while there is more to do.

        There are no terms by rules that cannot be used, and none by scripts for which recorded
        frames were not scored either, as after *Stop*.
        """
        log, recorded = session.timeline.log, session.recorded
        position = max(1, session.timeline.position)
        first = max(episode_starts(log, position)) if self._episode else 1
        made_for = (recorded.rules, recorded.problem, log.revision, first)
        if made_for != self._made_for:
            self._made_for, self._rescorer = made_for, _rescorer(session, first)
        known = self._rescorer
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

    def newest(self, session: Session, points: int) -> SumsSoFar:
        """Go on for a slice of time, and give the sums up to the frame where the core stands."""
        complete = self.update(session)
        return self.sums(session.timeline.position, points), complete

    def summed(self, key: TermKey, first: int) -> NDArray[np.float64] | None:
        """A term's sum from frame ``first`` on, float64 (frames,); None without such a term."""
        known = self._rescorer
        column = None if known is None else known.terms.get(key)
        if known is None or column is None:
            return None
        return np.cumsum(column[first - known.first :], dtype=np.float64)

    def sums(self, frame: int, points: int) -> dict[TermKey, tuple[float, ...]]:
        """Each term's sums up to ``frame``, at most ``points`` of them, as far as it has come."""
        known = self._rescorer
        if known is None:
            return {}
        frames = min(frame + 1 - known.first, known.frames)
        if frames < 1:
            return {}
        picked = np.unique(np.linspace(0, frames - 1, min(frames, points)).astype(np.int64))
        return {
            key: tuple(np.cumsum(given[:frames], dtype=np.float64)[picked].tolist())
            for key, given in known.terms.items()
        }


def _rescorer(session: Session, first: int) -> Rescorer | None:
    log, space, players = session.timeline.log, session.memory.space, session.game.players
    recorded = session.recorded
    try:
        made = Rescorer(log, space, recorded.rules, players, first=first, keep_terms=True)
    except (ScenarioError, ScriptError):
        return None
    return None if made.scripted and recorded.problem else made
