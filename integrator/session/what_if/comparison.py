"""What-if: recorded play scored by other rules, beside its scores of today.

Nothing is played for it: the timeline holds every frame's RAM, so the variables are read from it
anew and scored as they would have been. A job works in slices that fit between two frames, because
only the session's own thread reads its timeline.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError, SessionError
from integrator.session.scoring.recorded import SLICE_S
from integrator.session.scoring.rescorer import Rescorer, Scored, episode_starts, recorded_scores
from integrator.session.scoring.rules import Rules
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class EpisodeChange:
    """One recorded episode, frames ``start`` to ``stop - 1``, under both rules.

    ``*_return`` is each player's reward summed up to the first done frame, where training would
    have ended it, or to its last recorded frame. ``*_done`` is that frame, None when it never ends.
    """

    number: int
    start: int
    stop: int
    before_return: tuple[float, ...]
    after_return: tuple[float, ...]
    before_done: int | None
    after_done: int | None

    @property
    def changed(self) -> bool:
        """True when the edit makes a difference to this episode."""
        return (self.before_return, self.before_done) != (self.after_return, self.after_done)


@dataclass(frozen=True, slots=True)
class DoneMove:
    """Frames ``start`` to ``stop - 1`` on which done is ``done`` now and was not so before."""

    start: int
    stop: int
    done: bool


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """Both scorings of frames 1 to n. ``same`` when no frame's reward or done differs.

    ``elapsed_s`` is the time of scoring, without the frames played in between. ``warnings`` name
    writes of scripts that recorded play cannot follow.
    """

    before: Scored
    after: Scored
    episodes: tuple[EpisodeChange, ...]
    moves: tuple[DoneMove, ...]
    same: bool
    elapsed_s: float
    warnings: tuple[str, ...] = ()

    @property
    def frames(self) -> int:
        """Number of scored frames."""
        return len(self.after.done)


class WhatIfJob:
    """Scores the line that is current at the first slice; raises SessionError if it is left.

    ``start`` and :meth:`step` run on the session's thread. ``before`` makes the rules to compare
    with, None for those saved. The other side are the timeline's own scores, once today's documents
    have made them.
    """

    def __init__(self, before: Rules | None = None) -> None:
        self._before = before
        self._rescorer: Rescorer | None = None
        self._revision = -1
        self._length = 0
        self._elapsed_s = 0.0

    @property
    def progress(self) -> float:
        """The share of the work that is done, 0 to 1."""
        scorer = self._rescorer
        return scorer.frames / scorer.all_frames if scorer and scorer.all_frames else 1.0

    @property
    def scripted(self) -> bool:
        """True when scripts force one frame after the other."""
        return self._rescorer is not None and self._rescorer.scripted

    def start(self, session: Session) -> Self:
        """Read the rules. Raises SessionError when recorded frames are not scored by today's."""
        began = time.perf_counter()
        log, problem = session.timeline.log, session.recorded.problem
        if problem:
            raise SessionError(problem)
        self._revision, self._length = log.revision, log.length
        present = session.recorded.rules
        before = self._before or Rules.saved(session.integration, session.game.scenario_name)
        if before != present:
            self._rescorer = _rescorer(session, before)
        self._elapsed_s += time.perf_counter() - began
        return self

    def step(self, session: Session) -> WhatIfResult | None:
        """Go on for a slice of time; the result once everything is scored."""
        began = time.perf_counter()
        if session.timeline.log.revision != self._revision:
            raise SessionError("another branch was chosen; compare again")
        rescorer, due = self._rescorer, began + SLICE_S
        while rescorer is not None and not rescorer.finished:
            if time.perf_counter() >= due:
                self._elapsed_s += time.perf_counter() - began
                return None
            try:
                rescorer.step(due)
            except ScenarioError as error:
                rescorer.give_up(f"before: {error}")
        self._elapsed_s += time.perf_counter() - began
        return self._result(session)

    def _result(self, session: Session) -> WhatIfResult:
        began = time.perf_counter()
        after = recorded_scores(session.timeline.log, self._length)
        rescorer = self._rescorer
        before = after if rescorer is None else rescorer.scored()
        moves = done_moves(before.done, after.done)
        episodes = _episodes(before, after, episode_starts(session.timeline.log, self._length))
        same = not moves and np.array_equal(before.rewards, after.rewards)
        warnings = (*session.recorded.warnings, *(rescorer.warnings if rescorer else ()))
        elapsed_s = self._elapsed_s + time.perf_counter() - began
        return WhatIfResult(
            before, after, episodes, moves, same, elapsed_s, tuple(dict.fromkeys(warnings))
        )


def what_if(
    session: Session, before: Rules | None = None, progress: Callable[[float], bool] | None = None
) -> WhatIfResult | None:
    """Score the whole line at once: for scripts and tests. None when ``progress`` returns False."""
    job = WhatIfJob(before).start(session)
    while (result := job.step(session)) is None:
        if progress is not None and not progress(job.progress):
            return None
    return result


def _rescorer(session: Session, rules: Rules) -> Rescorer:
    """The rules before the edit may be broken; the present scores are shown all the same."""
    log, space, players = session.timeline.log, session.memory.space, session.game.players
    try:
        return Rescorer(log, space, rules, players)
    except (ScenarioError, ScriptError) as error:
        nothing = Rescorer(log, space, Rules({}, {}, {}), players)
        nothing.give_up(f"before: {error}")
        return nothing


def done_moves(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> tuple[DoneMove, ...]:
    """Runs of frames (row 0 is frame 1) on which done differs, bool (frames,) each."""
    change = after.astype(np.int8) - before.astype(np.int8)
    edges = (np.flatnonzero(np.diff(change, prepend=0, append=0)) + 1).tolist()
    return tuple(
        DoneMove(start, stop, bool(change[start - 1] > 0))
        for start, stop in pairwise(edges)
        if change[start - 1]
    )


def _episodes(before: Scored, after: Scored, starts: tuple[int, ...]) -> tuple[EpisodeChange, ...]:
    found = []
    stops = [*starts[1:], len(after.done) + 1]
    for number, (start, stop) in enumerate(zip(starts, stops, strict=True), start=1):
        if stop > start:
            old, new = before.episode(start, stop), after.episode(start, stop)
            found.append(EpisodeChange(number, start, stop, old[0], new[0], old[1], new[1]))
    return tuple(found)
