"""Scoring of single frames for agents: the engine's rules, each asked once for each number.

A term or a test depends on one measured number, so its result is kept by that number: an agent's
frame costs a look-up for each of them. The results come from the functions that score chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import numpy as np

from integrator.domain.scenario.ops import wrap_int64
from integrator.domain.scenario.scoring import summand
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import (
    Condition,
    DoneNode,
    Measurement,
    RewardSpec,
    TermSpec,
    TestSpec,
)

MOST_KEPT: Final = 1 << 14
"""Results that are kept for a term; then it begins anew, so that memory stays small."""

Values: TypeAlias = Mapping[str, int]
_Done: TypeAlias = Callable[[Values, Values], bool]


class StepScorer:
    """Scores one frame after another, as :class:`~.scoring.ScenarioEngine` does without scripts.

    Use it where :meth:`fits` says so. It keeps no totals and shows no lamps.
    """

    def __init__(self, spec: ScenarioSpec, players: int) -> None:
        rewards = spec.rewards[:players]
        self._rewards = tuple(_Reward(reward) for reward in rewards)
        self._none = (0.0,) * (players - len(rewards))
        self._done = _node(spec.done)
        self._before: Values | None = None

    @staticmethod
    def fits(spec: ScenarioSpec, names: frozenset[str]) -> bool:
        """True without scripts, when each measured variable is among ``names``."""
        return not spec.scripts and not spec.script_calls and spec.variables <= names

    def reset(self) -> None:
        """Begin an episode: deltas of its first frame are 0."""
        self._before = None

    def score(self, values: Values) -> tuple[tuple[float, ...], bool]:
        """The reward of each player and done, of the next frame."""
        before = values if self._before is None else self._before
        self._before = values
        done = self._done(values, before)
        return tuple([reward(values, before) for reward in self._rewards]) + self._none, done


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


class _Reward:
    """One player's sum of terms, in float32."""

    def __init__(self, spec: RewardSpec) -> None:
        self._time = 0.0 if spec.time is None else _part(spec.time)[1]
        self._terms = tuple(
            (term.name, term.measurement is Measurement.DELTA, _part(term)) for term in spec.terms
        )

    def __call__(self, values: Values, before: Values) -> float:
        total = self._time
        for name, changes, parts in self._terms:
            measured = values[name]
            part = parts[measured - before[name] if changes else measured]
            if part:
                total = _add(total, part) if total else part
        return total


def _part(term: TermSpec) -> _Kept:
    return _Kept(lambda measured: float(summand(term, measured)[0]))


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
