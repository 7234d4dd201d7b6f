"""The origin of rewards: each term's part on every frame, and the variable that changed for it."""

import math
import re
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.variables import TIME_TERM
from integrator.session.scoring.rescorer import SLICE_S, Rescorer, Rules
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class Share:
    """A term's part of the reward of some frames, and its variable ``before`` and ``after``."""

    term: str
    gave: float
    paid_frames: int
    variable: str = ""
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True)
class TermColumn:
    """One term's float32 summands (frames,), and its variable now and on the frame before."""

    term: str
    parts: NDArray[np.float32]
    variable: str = ""
    values: NDArray[np.int64] | None = None
    before: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True)
class Attribution:
    """One player's reward by columns, float32 (frames,), whose sum in their order it is."""

    first: int
    rewards: NDArray[np.float32]
    columns: tuple[TermColumn, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.rewards) - 1

    def shares(self, first: int, last: int) -> tuple[Share, ...]:
        """Each term's part of frames ``first`` to ``last``. Raises SessionError."""
        if not self.first <= first <= last <= self.last:
            held = f"there are frames {self.first} to {self.last}"
            raise SessionError(f"frames {first} to {last}: {held}")
        rows = slice(first - self.first, last + 1 - self.first)
        shares = []
        for each in self.columns:
            gave = math.fsum(each.parts[rows].tolist())
            paid = int(np.count_nonzero(each.parts[rows]))
            before = None if each.before is None else int(each.before[rows][0])
            after = None if each.values is None else int(each.values[rows][-1])
            shares.append(Share(each.term, gave, paid, each.variable, before, after))
        return tuple(shares)

    def reward(self, first: int, last: int) -> float:
        return math.fsum(self.rewards[first - self.first : last + 1 - self.first].tolist())

    def rounding(self, first: int, last: int) -> float:
        """The reward less all shares: each frame's sum is rounded to a float32."""
        rows = slice(first - self.first, last + 1 - self.first)
        parts = [-value for column in self.columns for value in column.parts[rows].tolist()]
        return math.fsum([*self.rewards[rows].tolist(), *parts])


class Origins:
    """Takes apart a player's rewards, also of later frames, on the session's thread."""

    def __init__(self, player: int = 0) -> None:
        self._player = player
        self._made_for: tuple[Rules, int] | None = None
        self._scorer: Rescorer | None = None
        # The engine's name of each term, and true for one that is a variable's name.
        self._terms: list[tuple[str, bool]] = []

    def update(self, session: Session, due: float) -> bool:
        """Go on until ``due``; False: more to do. Raises DomainError, SessionError."""
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
    """Take apart the reward of the whole current line by the present rules; see Origins."""
    origins = Origins(player)
    origins.update(session, math.inf)
    return origins.found()


@dataclass(frozen=True, slots=True)
class RangeExplained:
    """The parts of a frame or range, and each term's sum (terms, k) up to 600 ``frames`` (k,)."""

    first: int
    last: int
    reward: float
    shares: tuple[Share, ...]
    frames: NDArray[np.int64]
    sums: NDArray[np.float64]


def explain(
    session: Session, origins: Origins, chosen: tuple[int, int] | None
) -> tuple[RangeExplained | None, bool]:
    """Explain a range, or the frame shown; false while there are more frames to score."""
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
    return RangeExplained(first, last, reward, shares, frames, stack), complete
