"""Scores recorded play again for views: what-if, series to plot, and the origin of rewards."""

import math
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError, SessionError, TimelineError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.variables import TIME_TERM
from integrator.session.scoring import rescorer as scoring
from integrator.session.scoring.rescorer import SLICE_S, Rescorer, Rules, Scored
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class EpisodeChange:
    """An episode under both rules: its first done frame, and each player's return up to it."""

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
    """Frames ``start`` to ``stop - 1``, on which done changed from ``not done`` to ``done``."""

    start: int
    stop: int
    done: bool


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """The scores of frames 1 to n under both rules, and how they differ.

    ``elapsed_s`` is the time of scoring, without the play between its slices.
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
        return len(self.after.done)


class WhatIfJob:
    """Scores the current line by other rules, ``before``, to compare with the present rules.

    The default is the saved rules. Runs on the session's thread. Raises SessionError.
    """

    def __init__(self, before: Rules | None = None) -> None:
        self.before = before
        self._rescorer: Rescorer | None = None
        self._revision: int | None = None
        self._length, self._elapsed_s = 0, 0.0

    @property
    def progress(self) -> float:
        scorer = self._rescorer
        return scorer.frames / scorer.all_frames if scorer and scorer.all_frames else 1.0

    @property
    def scripted(self) -> bool:
        return self._rescorer is not None and self._rescorer.scripted

    def _begin(self, session: Session) -> None:
        """Read the rules. Raises SessionError if recorded frames lack the present rules' scores."""
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
                # Even if the earlier rules are broken, the present scores are shown.
                self._rescorer = Rescorer(log, space, Rules({}, {}, {}), players)
                self._rescorer.give_up(f"before: {error}")

    def step(self, session: Session) -> WhatIfResult | None:
        """Score for a slice of time; return the result once everything is scored."""
        began = time.perf_counter()
        if self._revision is None:
            self._begin(session)
        if session.timeline.log.revision != self._revision:
            raise SessionError("another branch was chosen; compare again")
        rescorer = self._rescorer
        if rescorer is not None and not rescorer.run_safely(began + SLICE_S, "before: "):
            self._elapsed_s += time.perf_counter() - began
            return None
        log = session.timeline.log
        after = scoring.recorded_scores(log, self._length)
        before = after if rescorer is None else rescorer.scored()
        moves, episodes = done_moves(before.done, after.done), []
        starts = scoring.episode_starts(log, self._length)
        for number, (start, stop) in enumerate(pairwise((*starts, len(after.done) + 1)), start=1):
            if stop > start:
                old, old_done = before.episode(start, stop)
                new, new_done = after.episode(start, stop)
                change = EpisodeChange(
                    number, start, stop, old, new, before_done=old_done, after_done=new_done
                )
                episodes.append(change)
        same = not moves and np.array_equal(before.rewards, after.rewards)
        warnings = (*session.recorded.warnings, *(rescorer.warnings if rescorer else ()))
        elapsed_s, unique = self._elapsed_s + time.perf_counter() - began, dict.fromkeys(warnings)
        return WhatIfResult(before, after, tuple(episodes), moves, same, elapsed_s, tuple(unique))


def done_moves(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> tuple[DoneMove, ...]:
    """Return the runs of frames on which done, bool (frames,), differs; row 0 is frame 1."""
    change = after.astype(np.int8) - before.astype(np.int8)
    edges = (np.flatnonzero(np.diff(change, prepend=0, append=0)) + 1).tolist()
    moves = [(start, stop) for start, stop in pairwise(edges) if change[start - 1]]
    return tuple(DoneMove(start, stop, bool(change[start - 1] > 0)) for start, stop in moves)


@dataclass(frozen=True, slots=True)
class Series:
    """Values by name, float64 (frames,), from frame ``first`` on.

    ``complete`` is False while a later read will find more frames scored.
    """

    first: int
    by_name: Mapping[str, NDArray[np.float64]]
    complete: bool


@dataclass(frozen=True, slots=True)
class SeriesNames:
    """The names of reward sums, by player, and of terms; any other name is a variable."""

    sums: Mapping[str, int] = field(default_factory=dict)
    terms: "Mapping[str, TermKey]" = field(default_factory=dict)

    def read(self, session: Session, chosen: tuple[str, ...], curves: "TermCurves") -> Series:
        """Read the chosen series; unknown names are left out."""
        hour = 216_000  # frames; earlier ones are not read
        first = max(1, session.timeline.length - hour + 1)
        complete = self.terms.keys().isdisjoint(chosen) or curves.update(session)
        found: dict[str, NDArray[np.float64] | None] = {}
        for name in chosen:
            # A chosen variable may have been renamed; the view learns that with the next documents.
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
"""The player from 0, and a term: a variable's name, ``TIME_TERM``, or a script's function."""
SumsSoFar = tuple[dict[TermKey, tuple[float, ...]], bool]
"""The sums of each term at some frames, and true if no frame is left to score."""


class TermCurves:
    """Sums reward terms over an episode or the line, in slices of the session's thread."""

    def __init__(self, *, episode: bool = False) -> None:
        self._episode = episode
        self._made_for: tuple[Rules, str, int, int] | None = None
        self._rescorer: Rescorer | None = None

    def update(self, session: Session) -> bool:
        """Score for a slice of time; return False while frames remain."""
        log, recorded = session.timeline.log, session.recorded
        position = max(1, session.timeline.position)
        first = max(scoring.episode_starts(log, position)) if self._episode else 1
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
        """Score for a slice of time; return at most ``points`` sums up to the present frame."""
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
        """Return a term's running sum from ``first`` on, float64 (frames,); None if unknown."""
        known = self._rescorer
        if known is None or key not in known.terms:
            return None
        return np.cumsum(known.terms[key][first - known.first :], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Share:
    """A term's part of the reward of a range, and its variable ``before`` and ``after`` it."""

    term: str
    gave: float
    paid_frames: int
    variable: str = ""
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class TermColumn:
    """A term's summands, float32 (frames,), and its variable on each frame and the one before."""

    term: str
    parts: NDArray[np.float32]
    variable: str = ""
    values: NDArray[np.int64] | None = None
    before: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True)
class Attribution:
    """One player's rewards, float32 (frames,), each the sum of the columns in their order."""

    first: int
    rewards: NDArray[np.float32]
    columns: tuple[TermColumn, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.rewards) - 1

    def shares(self, first: int, last: int) -> tuple[Share, ...]:
        """Return each term's part in frames ``first`` to ``last``. Raises SessionError."""
        if not self.first <= first <= last <= self.last:
            held = f"there are frames {self.first} to {self.last}"
            raise SessionError(f"frames {first} to {last}: {held}")
        rows = slice(first - self.first, last + 1 - self.first)
        shares = []
        for each in self.columns:
            parts = each.parts[rows]
            before = None if each.before is None else int(each.before[rows][0])
            after = None if each.values is None else int(each.values[rows][-1])
            gave, paid = math.fsum(parts.tolist()), int(np.count_nonzero(parts))
            shares.append(Share(each.term, gave, paid, each.variable, before=before, after=after))
        return tuple(shares)

    def reward(self, first: int, last: int) -> float:
        return math.fsum(self.rewards[first - self.first : last + 1 - self.first].tolist())

    def rounding(self, first: int, last: int) -> float:
        """Return the reward minus all shares; they differ as each frame's sum is a float32."""
        rows = slice(first - self.first, last + 1 - self.first)
        parts = [-value for column in self.columns for value in column.parts[rows].tolist()]
        return math.fsum([*self.rewards[rows].tolist(), *parts])


class Origins:
    """Splits a player's rewards into terms, new frames included, on the session's thread."""

    def __init__(self, player: int = 0) -> None:
        self._player = player
        self._made_for: tuple[Rules, int] | None = None
        self._scorer: Rescorer | None = None
        # The engine's name of each term, and whether that is a variable's name.
        self._terms: list[tuple[str, bool]] = []

    def update(self, session: Session, due: float) -> bool:
        """Score until ``due``; return False if frames remain. Raises DomainError, SessionError."""
        rules = Rules.present(session.integration, session.game.scenario_name)
        made_for = rules, session.timeline.log.revision
        if self._scorer is None or made_for != self._made_for:
            self._scorer, self._made_for = self._begin(session, rules), made_for
        self._scorer.extend()
        return self._scorer.run(due)

    def _begin(self, session: Session, rules: Rules) -> Rescorer:
        rewards = ScenarioSpec.parse(dict(rules.scenario)).rewards
        if self._player >= len(rewards):
            raise SessionError(f"the scenario rewards no player {self._player + 1}")
        reward = rewards[self._player]
        self._terms = [(term.name, term is not reward.time) for term in reward.summands]
        if reward.script is not None:
            self._terms = [(str(reward.script), False)]
        names = frozenset(name for name, is_variable in self._terms if is_variable)
        log, space, players = session.timeline.log, session.memory.space, session.game.players
        return Rescorer(log, space, rules, players, keep_terms=True, keep_columns=names)

    def found(self) -> Attribution:
        scorer = self._scorer
        if scorer is None or self._made_for is None:
            return Attribution(1, np.zeros(0, np.float32), ())
        scripts = self._made_for[0].scripts
        rows = slice(0, scorer.frames)
        values = scorer.scores_from(scorer.first).columns
        columns = []
        for key, is_variable in self._terms:
            parts = scorer.terms.get((self._player, key))
            if parts is None:
                continue
            name, term = key if is_variable else "", key
            if not is_variable and key != TIME_TERM:
                function = key.rpartition(":")[2]
                called = re.escape(function)
                defined = re.compile(rf"\bfunction\s+{called}\s*\(|\b{called}\s*=")
                files = [file for file, text in scripts.items() if defined.search(text)]
                term = f"{files[0]}: {function}" if files else function
            now, before = values.get(name), scorer.before.get(name)
            after = None if now is None else now[rows].astype(np.int64, copy=False)
            before = None if before is None else before[rows]
            columns.append(TermColumn(term, parts[rows], name, after, before))
        rewards = scorer.scored().rewards[rows, self._player]
        return Attribution(scorer.first, rewards, tuple(columns))


def attribute(session: Session, player: int = 0) -> Attribution:
    """Split the rewards of the whole current line by the present rules; see :class:`Origins`."""
    origins = Origins(player)
    origins.update(session, math.inf)
    return origins.found()


@dataclass(frozen=True, slots=True)
class RangeExplained:
    """The shares of a frame or range, and term ``sums`` (terms, k) at up to 600 ``frames`` (k,)."""

    first: int
    last: int
    reward: float
    shares: tuple[Share, ...]
    frames: NDArray[np.int64]
    sums: NDArray[np.float64]


def explain(
    session: Session, origins: Origins, chosen: tuple[int, int] | None
) -> tuple[RangeExplained | None, bool]:
    """Explain the reward of a range or of the present frame; false while frames are unscored."""
    complete = origins.update(session, time.perf_counter() + SLICE_S)
    found, position = origins.found(), session.timeline.position
    first, last = chosen or (position, position)
    if not found.first <= first <= last <= found.last:
        return None, complete
    count = len(found.rewards)
    picked = np.unique(np.linspace(0, count - 1, min(count, 600)).astype(np.int64))
    sums = [np.cumsum(each.parts, dtype=np.float64)[picked] for each in found.columns]
    reward, shares = found.reward(first, last), found.shares(first, last)
    frames, stack = picked + found.first, np.array(sums).reshape(len(sums), len(picked))
    explained = RangeExplained(first, last, reward, shares, frames=frames, sums=stack)
    return explained, complete
