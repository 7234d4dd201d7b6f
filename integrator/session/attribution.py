"""The origin of rewards: each term's part on every frame, and the variable that changed for it."""

import math
import re
import time
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.variables import TIME_TERM
from integrator.session.scoring.recorded import SLICE_S
from integrator.session.scoring.rescorer import Rescorer, Rules
from integrator.session.session import Session

_FOREVER: Final = float("inf")


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
            raise SessionError(
                f"frames {first} to {last}: there are frames {self.first} to {self.last}"
            )
        rows = slice(first - self.first, last + 1 - self.first)
        return tuple(
            Share(
                each.term,
                math.fsum(each.parts[rows].tolist()),
                int(np.count_nonzero(each.parts[rows])),
                each.variable,
                None if each.before is None else int(each.before[rows][0]),
                None if each.values is None else int(each.values[rows][-1]),
            )
            for each in self.columns
        )

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
        self._rules: Rules | None = None
        self._revision = -1
        self._scorer: Rescorer | None = None
        # The engine's name of each term, and true for one that is a variable's name.
        self._terms: list[tuple[str, bool]] = []

    def update(self, session: Session, due: float) -> bool:
        """Go on until ``due``; False: more to do. Raises DomainError, SessionError."""
        log = session.timeline.log
        rules = Rules.present(session.integration, session.game.scenario_name)
        if self._scorer is None or rules != self._rules or log.revision != self._revision:
            self._scorer = self._begin(session, rules)
            self._rules, self._revision = rules, log.revision
        self._scorer.extend()
        while not self._scorer.finished and time.perf_counter() < due:
            self._scorer.step(due)
        return self._scorer.finished

    def _begin(self, session: Session, rules: Rules) -> Rescorer:
        rewards = ScenarioSpec.parse(dict(rules.scenario)).rewards
        if self._player >= len(rewards):
            raise SessionError(f"the scenario rewards no player {self._player + 1}")
        reward = rewards[self._player]
        self._terms = [(term.name, term is not reward.time) for term in reward.summands]
        if reward.script is not None:
            self._terms = [(str(reward.script), False)]
        return Rescorer(
            session.timeline.log,
            session.memory.space,
            rules,
            session.game.players,
            keep_terms=True,
            keep_columns=frozenset(name for name, is_variable in self._terms if is_variable),
        )

    def found(self) -> Attribution:
        scorer, rules = self._scorer, self._rules
        if scorer is None or rules is None:
            return Attribution(1, np.zeros(0, np.float32), ())
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
                files = [file for file, text in rules.scripts.items() if defined.search(text)]
                term = f"{files[0]}: {function}" if files else function
            now, before = values.get(name), scorer.before.get(name)
            columns.append(
                TermColumn(
                    term,
                    parts[rows],
                    name,
                    None if now is None else now[rows].astype(np.int64, copy=False),
                    None if before is None else before[rows],
                )
            )
        rewards = scorer.scored().rewards[rows, self._player]
        return Attribution(scorer.first, rewards, tuple(columns))


def attribute(session: Session, player: int = 0) -> Attribution:
    """Take apart the reward of the whole current line by the present rules; see Origins."""
    origins = Origins(player)
    while not origins.update(session, _FOREVER):
        pass
    return origins.found()


STACK_POINTS = 600
"""Most frames at which the sums are given."""


@dataclass(frozen=True, slots=True)
class RangeExplained:
    """The parts of a frame or range, and each term's sum (terms, k) up to ``frames`` (k,)."""

    first: int
    last: int
    reward: float
    shares: tuple[Share, ...]
    frames: NDArray[np.int64]
    sums: NDArray[np.float64]

    @classmethod
    def of(cls, found: Attribution, first: int, last: int) -> "RangeExplained | None":
        if not found.first <= first <= last <= found.last:
            return None
        count = len(found.rewards)
        picked = np.unique(np.linspace(0, count - 1, min(count, STACK_POINTS)).astype(np.int64))
        sums = [np.cumsum(each.parts, dtype=np.float64)[picked] for each in found.columns]
        reward, shares = found.reward(first, last), found.shares(first, last)
        frames, stack = picked + found.first, np.array(sums).reshape(len(sums), len(picked))
        return cls(first, last, reward, shares, frames, stack)


def explain(
    session: Session, origins: Origins, chosen: tuple[int, int] | None
) -> tuple[RangeExplained | None, bool]:
    """Explain a range, or the frame shown; false while there are more frames to score."""
    complete = origins.update(session, time.perf_counter() + SLICE_S)
    position = session.timeline.position
    return RangeExplained.of(origins.found(), *(chosen or (position, position))), complete
