"""What-if: recorded play scored by other rules, next to today's; and its series to plot."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError, SessionError, TimelineError
from integrator.session.scoring.rescorer import (
    SLICE_S,
    Rescorer,
    Rules,
    Scored,
    episode_starts,
    recorded_scores,
)
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class EpisodeChange:
    """One episode under both rules: returns up to the first done frame, and that frame."""

    number: int
    start: int
    stop: int
    before_return: tuple[float, ...]
    after_return: tuple[float, ...]
    before_done: int | None
    after_done: int | None

    @property
    def changed(self) -> bool:
        return (self.before_return, self.before_done) != (self.after_return, self.after_done)


@dataclass(frozen=True, slots=True)
class DoneMove:
    """Frames ``start`` to ``stop - 1`` on which done is ``done`` now and was not so before."""

    start: int
    stop: int
    done: bool


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """Both scorings of frames 1 to n, and doubts; ``elapsed_s`` without play in between."""

    before: Scored
    after: Scored
    episodes: tuple[EpisodeChange, ...]
    moves: tuple[DoneMove, ...]
    same: bool
    elapsed_s: float
    warnings: tuple[str, ...] = ()

    @property
    def frames(self) -> int:
        return len(self.after.done)


class WhatIfJob:
    """Scores the current line by other rules, on the session's thread. Raises SessionError."""

    def __init__(self, before: Rules | None = None) -> None:
        self.before = before
        self._rescorer: Rescorer | None = None
        self._revision = self._length = 0
        self._elapsed_s = 0.0

    @property
    def progress(self) -> float:
        scorer = self._rescorer
        return scorer.frames / scorer.all_frames if scorer and scorer.all_frames else 1.0

    @property
    def scripted(self) -> bool:
        return self._rescorer is not None and self._rescorer.scripted

    def start(self, session: Session) -> Self:
        """Read the rules. Raises SessionError when recorded frames are not scored by today's."""
        began = time.perf_counter()
        log, problem = session.timeline.log, session.recorded.problem
        if problem:
            raise SessionError(problem)
        self._revision, self._length = log.revision, log.length
        if self.before is None:
            scenario = session.game.scenario_name
            self.before = Rules.present(session.integration, scenario, saved=True)
        if self.before != session.recorded.rules:
            space, players = session.memory.space, session.game.players
            try:
                self._rescorer = Rescorer(log, space, self.before, players)
            except (ScenarioError, ScriptError) as error:
                # The rules before the edit may be broken; present scores are shown all the same.
                self._rescorer = Rescorer(log, space, Rules({}, {}, {}), players)
                self._rescorer.give_up(f"before: {error}")
        self._elapsed_s += time.perf_counter() - began
        return self

    def step(self, session: Session) -> WhatIfResult | None:
        """Go on for a slice of time; the result once everything is scored."""
        began = time.perf_counter()
        if session.timeline.log.revision != self._revision:
            raise SessionError("another branch was chosen; compare again")
        rescorer = self._rescorer
        if rescorer is not None and not rescorer.run_safely(began + SLICE_S, "before: "):
            self._elapsed_s += time.perf_counter() - began
            return None
        log = session.timeline.log
        after = recorded_scores(log, self._length)
        before = after if rescorer is None else rescorer.scored()
        moves, episodes = done_moves(before.done, after.done), []
        starts = episode_starts(log, self._length)
        for number, (start, stop) in enumerate(pairwise((*starts, len(after.done) + 1)), start=1):
            if stop > start:
                old, new = before.episode(start, stop), after.episode(start, stop)
                change = EpisodeChange(number, start, stop, old[0], new[0], old[1], new[1])
                episodes.append(change)
        same = not moves and np.array_equal(before.rewards, after.rewards)
        warnings = (*session.recorded.warnings, *(rescorer.warnings if rescorer else ()))
        elapsed_s = self._elapsed_s + time.perf_counter() - began
        unique = tuple(dict.fromkeys(warnings))
        return WhatIfResult(before, after, tuple(episodes), moves, same, elapsed_s, unique)


def done_moves(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> tuple[DoneMove, ...]:
    """Runs of frames (row 0 is frame 1) on which done differs, bool (frames,) each."""
    change = after.astype(np.int8) - before.astype(np.int8)
    edges = (np.flatnonzero(np.diff(change, prepend=0, append=0)) + 1).tolist()
    return tuple(
        DoneMove(start, stop, bool(change[start - 1] > 0))
        for start, stop in pairwise(edges)
        if change[start - 1]
    )


@dataclass(frozen=True, slots=True)
class Series:
    """Float64 (frames,) from frame ``first`` on; not ``complete``: the next read goes on."""

    first: int
    by_name: Mapping[str, NDArray[np.float64]]
    complete: bool


@dataclass(frozen=True, slots=True)
class SeriesNames:
    """Names of sums of rewards, each with its player, and of terms; others are variables."""

    sums: Mapping[str, int] = field(default_factory=dict)
    terms: "Mapping[str, TermKey]" = field(default_factory=dict)

    def read(self, session: Session, chosen: tuple[str, ...], curves: "TermCurves") -> Series:
        """Read the chosen series; names that nothing has are left out."""
        hour = 216_000  # frames; earlier ones are not read
        first = max(1, session.timeline.length - hour + 1)
        complete = self.terms.keys().isdisjoint(chosen) or curves.update(session)
        found: dict[str, NDArray[np.float64] | None] = {}
        for name in chosen:
            # A variable may have been renamed since it was chosen; the next documents say so.
            with suppress(TimelineError):
                if name in self.terms:
                    found[name] = curves.summed(self.terms[name], first)
                elif name in self.sums:
                    rewards = session.timeline.log.rewards(first)[:, self.sums[name]]
                    found[name] = np.cumsum(rewards, dtype=np.float64)
                else:
                    found[name] = session.timeline.column(name, first).astype(np.float64)
        return Series(first, {n: each for n, each in found.items() if each is not None}, complete)


TermKey = tuple[int, str]
"""Player from 0, and the variable's name, ``TIME_TERM``, or a script's call."""
SumsSoFar = tuple[dict[TermKey, tuple[float, ...]], bool]
"""Each term's sums at some frames, and true when no frame is left to score."""


class TermCurves:
    """Scores unseen frames in slices on the session's thread; of one ``episode``, or of all."""

    def __init__(self, *, episode: bool = False) -> None:
        self._episode = episode
        self._made_for: tuple[Rules, str, int, int] | None = None
        self._rescorer: Rescorer | None = None

    def update(self, session: Session) -> bool:
        """Go on for a slice; False while there is more to do."""
        log, recorded = session.timeline.log, session.recorded
        position = max(1, session.timeline.position)
        first = max(episode_starts(log, position)) if self._episode else 1
        made_for = (recorded.rules, recorded.problem, log.revision, first)
        if made_for != self._made_for:
            self._made_for, self._rescorer = made_for, None
            space, players = session.memory.space, session.game.players
            with suppress(ScenarioError, ScriptError):
                made = Rescorer(log, space, recorded.rules, players, first=first, keep_terms=True)
                self._rescorer = None if made.scripted and recorded.problem else made
        known = self._rescorer
        if known is None:
            return True
        known.extend()
        return known.run_safely(time.perf_counter() + SLICE_S)

    def newest(self, session: Session, points: int) -> SumsSoFar:
        """Go on for a slice, and give at most ``points`` sums up to where the core stands."""
        complete, known = self.update(session), self._rescorer
        here = session.timeline.position + 1
        if known is None or (frames := min(here - known.first, known.frames)) < 1:
            return {}, complete
        picked = np.unique(np.linspace(0, frames - 1, min(frames, points)).astype(np.int64))
        sums = {
            key: tuple(np.cumsum(given[:frames], dtype=np.float64)[picked].tolist())
            for key, given in known.terms.items()
        }
        return sums, complete

    def summed(self, key: TermKey, first: int) -> NDArray[np.float64] | None:
        """A term's sum from frame ``first`` on, float64 (frames,); None without such a term."""
        known = self._rescorer
        if known is None or key not in known.terms:
            return None
        return np.cumsum(known.terms[key][first - known.first :], dtype=np.float64)
