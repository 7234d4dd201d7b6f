"""The origin of rewards: each term's part on every frame, and the variable that changed for it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import RewardSpec
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.scoring.rules import Rules
from integrator.session.session import Session

TIME: Final = "time"
_FOREVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Share:
    """A term's part of the reward of some frames.

    ``gave`` is its sum, ``paid_frames`` the number of frames with a part other than 0. ``variable``
    is empty for time and scripts; it went from ``before`` (on the frame before) to ``after``. Both
    are None for a variable that scripts made.
    """

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
    """One player's reward taken apart; row 0 of every array is frame ``first``.

    ``rewards`` are float32 (frames,). On each frame they are the columns' parts, in their order,
    summed in float32 as the engine does.
    """

    first: int
    rewards: NDArray[np.float32]
    columns: tuple[TermColumn, ...]

    @property
    def last(self) -> int:
        """The newest frame."""
        return self.first + len(self.rewards) - 1

    def shares(self, first: int, last: int) -> tuple[Share, ...]:
        """Each term's part of frames ``first`` to ``last``. Raises SessionError."""
        if not self.first <= first <= last <= self.last:
            raise SessionError(
                f"frames {first} to {last}: there are frames {self.first} to {self.last}"
            )
        rows = slice(first - self.first, last + 1 - self.first)
        return tuple(_share(column, rows) for column in self.columns)

    def reward(self, first: int, last: int) -> float:
        """The sum of the rewards of frames ``first`` to ``last``."""
        return math.fsum(self.rewards[first - self.first : last + 1 - self.first].tolist())

    def rounding(self, first: int, last: int) -> float:
        """The reward less all shares: each frame's sum is rounded to a float32."""
        rows = slice(first - self.first, last + 1 - self.first)
        parts = [-value for column in self.columns for value in column.parts[rows].tolist()]
        return math.fsum([*self.rewards[rows].tolist(), *parts])


def attribute(session: Session, first: int = 1, player: int = 0) -> Attribution:
    """Take apart the reward of the current line by the present rules, from frame ``first`` on.

    With scripts it begins earlier: at the beginning of that frame's episode. Raises ScenarioError,
    ScriptError, and SessionError for a scenario that does not reward the player.
    """
    rules = Rules.present(session.integration, session.game.scenario_name)
    spec = ScenarioSpec.parse(dict(rules.scenario))
    if player >= len(spec.rewards):
        raise SessionError(f"the scenario rewards no player {player + 1}")
    scorer = Rescorer(
        session.timeline.log,
        session.memory.space,
        rules,
        session.game.players,
        first=first,
        keep_terms=True,
        keep_columns=True,
    )
    while not scorer.finished:
        scorer.step(_FOREVER)
    columns = scorer.scores_from(scorer.first).columns
    found = []
    for key, name in _terms(spec.rewards[player]):
        parts = scorer.terms.get((player, key))
        if parts is not None:
            label = name or _script_name(key, rules)
            now, before = columns.get(name), scorer.before.get(name)
            values = None if now is None else now.astype(np.int64, copy=False)
            variable = "" if name == TIME else name
            found.append(TermColumn(label, parts, variable, values, before))
    return Attribution(scorer.first, scorer.scored().rewards[:, player], tuple(found))


def _terms(reward: RewardSpec) -> list[tuple[str, str]]:
    """The engine's name of each term, and the variable's; empty for a script's."""
    if reward.script is not None:
        return [(str(reward.script), "")]
    names = [TIME] if reward.time is not None else []
    names += [term.name for term in reward.terms]
    return [(name, name) for name in names]


def _script_name(call: str, rules: Rules) -> str:
    """A Lua reward by its file and function."""
    function = call.rpartition(":")[2]
    defined = re.compile(rf"\bfunction\s+{re.escape(function)}\s*\(|\b{re.escape(function)}\s*=")
    files = [name for name, text in rules.scripts.items() if defined.search(text)]
    return f"{files[0]}: {function}" if files else function


def _share(column: TermColumn, rows: slice) -> Share:
    parts = column.parts[rows]
    values, before = column.values, column.before
    return Share(
        column.term,
        math.fsum(parts.tolist()),
        int(np.count_nonzero(parts)),
        column.variable,
        None if before is None else int(before[rows][0]),
        None if values is None else int(values[rows][-1]),
    )
