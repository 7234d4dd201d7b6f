"""Scores recorded play again for views: what-if, series to plot, and the origin of rewards."""

import math
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError, SessionError, TimelineError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.timeline.block import TermKey
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
    """The scores of frames 1 to n under both rules, and how they differ."""

    before: Scored
    after: Scored
    episodes: tuple[EpisodeChange, ...]
    moves: tuple[DoneMove, ...]
    same: bool
    elapsed_s: float  # of scoring, without the play between its slices
    warnings: tuple[str, ...] = ()

    @property
    def frames(self) -> int:
        return len(self.after.done)


class WhatIfJob:
    """Scores the current line by other rules, ``before``, to compare with the present rules. The
    default is the saved rules. Runs on the session's thread. Raises SessionError."""

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
            self.before = Rules.present(session.integration, session.game.scenario_name, saved=True)
        if self.before != session.recorded.rules:
            space, players = session.memory.space, session.game.players
            held = session.recorded.rules.variables
            try:
                self._rescorer = Rescorer(log, space, self.before, players, recorded=held)
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
        if rescorer is not None and not rescorer.run(began + SLICE_S, "before: "):
            self._elapsed_s += time.perf_counter() - began
            return None
        log, end = session.timeline.log, self._length + 1
        after = Scored.of(log, log.rewards(1, end), log.done(1, end))
        before = after if rescorer is None else rescorer.scored()
        moves, episodes = done_moves(before.done, after.done), []
        starts = scoring.episode_starts(log, self._length)
        for number, (start, stop) in enumerate(pairwise((*starts, end)), start=1):
            if stop > start:
                old, old_done = before.episode(start, stop)
                new, new_done = after.episode(start, stop)
                episodes.append(EpisodeChange(number, start, stop, old, new, old_done, new_done))
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
    """Values by name, float64 (frames,), from frame ``first`` on. With a ``problem``, frames have
    scores by different rules, so rewards and terms have no values."""

    first: int
    by_name: Mapping[str, NDArray[np.float64]]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SeriesNames:
    """The names of reward sums, by player, and of terms; any other name is a variable."""

    sums: Mapping[str, int] = field(default_factory=dict)
    terms: Mapping[str, TermKey] = field(default_factory=dict)

    def read(self, session: Session, chosen: tuple[str, ...]) -> Series:
        """Read the chosen series; unknown names are left out."""
        hour = 216_000  # frames; earlier ones are not read
        log = session.timeline.log
        first = max(1, log.length - hour + 1)
        given = {} if self.terms.keys().isdisjoint(chosen) else log.terms(first)
        problem = session.recorded.stale
        found: dict[str, NDArray[np.float64]] = {}
        for name in chosen:
            # A chosen variable may have been renamed; the view learns that with the next documents.
            with suppress(TimelineError, KeyError):
                if problem and (name in self.terms or name in self.sums):
                    found[name] = np.zeros(0)
                elif name in self.terms:
                    found[name] = np.cumsum(given[self.terms[name]], dtype=np.float64)
                elif name in self.sums:
                    rewards = log.rewards(first)[:, self.sums[name]]
                    found[name] = np.cumsum(rewards, dtype=np.float64)
                else:
                    found[name] = session.timeline.column(name, first).astype(np.float64)
        return Series(first, found, problem)


TermSums: TypeAlias = Mapping[TermKey, tuple[float, ...]]


def term_sums(session: Session, points: int) -> TermSums:
    """Return each term's sums over the present episode, at up to ``points`` of its frames.

    Raises SessionError if recorded frames have other rules' scores than new frames."""
    log, position = session.timeline.log, session.timeline.position
    if session.recorded.stale:
        raise SessionError(session.recorded.stale)
    if not position:
        return {}
    start = max(scoring.episode_starts(log, position))
    picked = _picked(position + 1 - start, points)
    return {
        key: tuple(np.cumsum(parts, dtype=np.float64)[picked].tolist())
        for key, parts in log.terms(start, position + 1).items()
    }


def _picked(count: int, most: int) -> NDArray[np.int64]:
    """Return up to ``most`` of ``count`` rows, at equal distances, with the first and the last."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(np.int64))


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


def attribute(
    session: Session, player: int = 0, first: int = 1, last: int | None = None
) -> Attribution:
    """Split a player's rewards on frames ``first`` to ``last`` of the current line into terms.

    The rules are those in use, which the documents are not while a script has a syntax error.
    Raises SessionError, also while recorded frames have the scores from before the last edit."""
    log, rules = session.timeline.log, session.recorded.rules
    rewards = ScenarioSpec.parse(dict(rules.scenario)).rewards[: session.game.players]
    if player >= len(rewards):
        raise SessionError(f"the scenario rewards no player {player + 1}")
    if session.recorded.stale:
        raise SessionError(session.recorded.stale)
    stop, reward = log.length + 1 if last is None else last + 1, rewards[player]
    given = log.terms(first, stop)
    ways = {} if reward.script else _ways(session, reward.parts, first, stop)
    columns = []
    for name in reward.parts:
        if (parts := given.get((player, name))) is None:
            continue
        if reward.script is not None:
            columns.append(TermColumn(_defined(name, rules.scripts), parts))
        elif name == TIME_TERM:
            columns.append(TermColumn(name, parts))
        else:
            columns.append(TermColumn(name, parts, name, *ways.get(name, (None, None))))
    return Attribution(first, log.rewards(first, stop)[:, player], tuple(columns))


def _defined(call: str, scripts: Mapping[str, str]) -> str:
    """Return the function that ``call`` names, with the first script file that defines it."""
    function = call.rpartition(":")[2]
    called = re.escape(function)
    defined = re.compile(rf"\bfunction\s+{called}\s*\(|\b{called}\s*=")
    files = [file for file, text in scripts.items() if defined.search(text)]
    return f"{files[0]}: {function}" if files else function


def _ways(
    session: Session, names: Sequence[str], first: int, stop: int
) -> dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return variables' values on frames ``first`` to ``stop - 1``, and the values from which each
    frame's change is counted. Names without values on each frame are left out."""
    log, start = session.timeline.log, max(1, first - 1)
    found = {}
    for name in names:
        values, known = log.column(name, start, stop)
        if known.all():
            found[name] = values, np.concatenate((values[:1], values[:-1]))
    for frame, is_episode in scoring.jumps_of(log).items():
        if not first <= frame < stop:
            continue
        row = frame - start
        # As in the engine, nothing changes on an episode's first frame.
        resumed = {name: values[row] for name, (values, _) in found.items()}
        if not is_episode:
            resumed = session.game.readout.reader.read(log.ram(frame - 1, resumed=True))
        for name, (_, before) in found.items():
            before[row] = resumed[name]
    cut = slice(first - start, None)
    return {name: (values[cut], before[cut]) for name, (values, before) in found.items()}


@dataclass(frozen=True, slots=True)
class RangeExplained:
    """The shares of a frame or range, and term ``sums`` (terms, k) at up to 600 ``frames`` (k,)."""

    first: int
    last: int
    reward: float
    shares: tuple[Share, ...]
    frames: NDArray[np.int64]
    sums: NDArray[np.float64]


def explain(session: Session, chosen: tuple[int, int] | None) -> RangeExplained | None:
    """Explain the reward of a range or of the present frame, if any. Raises SessionError."""
    log, position = session.timeline.log, session.timeline.position
    first, last = chosen or (position, position)
    if not 1 <= first <= last <= log.length:
        return None
    found = attribute(session, first=first, last=last)
    picked = _picked(log.length, most=600)
    sums = [
        np.cumsum(parts, dtype=np.float64)[picked]
        for (player, _), parts in log.terms().items()
        if player == 0
    ]
    reward, shares = found.reward(first, last), found.shares(first, last)
    frames, stack = picked + 1, np.array(sums).reshape(len(sums), len(picked))
    return RangeExplained(first, last, reward, shares, frames=frames, sums=stack)
