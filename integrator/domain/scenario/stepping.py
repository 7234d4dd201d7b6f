"""Scoring of single frames for agents: each term's result is looked up by its number."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np

from integrator.domain.scenario.scoring import summand
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import (
    Condition,
    DoneNode,
    Measurement,
    RewardSpec,
    TermSpec,
    TestSpec,
    wrap_int64,
)

MOST_KEPT: Final = 1 << 14
"""Results that are kept for a term; then it begins anew, so that memory stays small."""

Values: TypeAlias = Mapping[str, int]
_Done: TypeAlias = Callable[[Values, Values], bool]
_Reward: TypeAlias = Callable[[Values, Values], float]


class StepScorer:
    """Scores single frames as the engine does without scripts, where :meth:`fits` says so."""

    def __init__(self, spec: ScenarioSpec, players: int) -> None:
        rewards = spec.rewards[:players]
        self._rewards = _together([_reward(reward) for reward in rewards], players)
        self._done = _node(spec.done)
        self.before: Mapping[str, int] | None = None

    @staticmethod
    def fits(spec: ScenarioSpec, names: frozenset[str]) -> bool:
        return not spec.scripts and not spec.script_calls and spec.variables <= names

    def reset(self) -> None:
        """Begin an episode: deltas of its first frame are 0."""
        self.before = None

    def score(self, values: Values) -> tuple[tuple[float, ...], bool]:
        """The reward of each player and done, of the next frame."""
        before = self.before or values
        self.before = values
        return self._rewards(values, before), self._done(values, before)


class _Kept(dict[int, float]):
    """Results of a term, or of a test as 0 and 1, by the measured number."""

    def __init__(self, result: Callable[[np.ndarray], float]) -> None:
        super().__init__()
        self._result = result

    def __missing__(self, measured: int) -> float:
        if len(self) >= MOST_KEPT:
            self.clear()
        with np.errstate(over="ignore", invalid="ignore"):
            found = self._result(np.array([wrap_int64(measured)], np.int64))
        self[measured] = found
        return found


def _reward(spec: RewardSpec) -> _Reward:
    time = 0.0 if spec.time is None else _parts(spec.time)[1]
    terms = [(t.name, t.measurement is Measurement.DELTA, _parts(t)) for t in spec.terms]

    def reward(values: Values, before: Values) -> float:
        total = time
        for name, changes, parts in terms:
            measured = values[name]
            part = parts[measured - before[name] if changes else measured]
            if part:
                total = _add(total, part) if total else part
        return total

    return reward


def _together(
    rewards: list[_Reward], players: int
) -> Callable[[Values, Values], tuple[float, ...]]:
    """The rewards of all players; those that the scenario leaves out get 0."""
    if len(rewards) == players == 1:
        only = rewards[0]
        return lambda values, before: (only(values, before),)
    none = (0.0,) * (players - len(rewards))
    return lambda values, before: (*(each(values, before) for each in rewards), *none)


def _parts(term: TermSpec) -> _Kept:
    # The sum of one -0.0 is 0.0.
    return _Kept(lambda measured: float(summand(term, measured)[0]) + 0.0)


def _add(total: float, part: float) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.float32(total) + np.float32(part))


def _test(spec: TestSpec) -> _Done:
    answers = _Kept(lambda measured: float(spec.op.apply(measured, spec.reference)[0] > 0))
    name = spec.name
    if spec.measurement is Measurement.DELTA:
        return lambda values, before: bool(answers[values[name] - before[name]])
    return lambda values, _: bool(answers[values[name]])


def _node(spec: DoneNode) -> _Done:
    parts = [*map(_test, spec.tests), *map(_node, spec.nodes)]
    if len(parts) == 1:
        return parts[0]
    if spec.condition is Condition.ALL:
        return lambda values, before: all(part(values, before) for part in parts)
    return lambda values, before: any(part(values, before) for part in parts)
