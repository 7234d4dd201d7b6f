"""Owns the scoring of many frames at once in numpy: the same numbers as scoring them one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from integrator.domain.errors import ScenarioError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import (
    Condition,
    DoneNode,
    Measurement,
    Op,
    RewardSpec,
    TermSpec,
    json_path,
    to_float32,
)

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class OutcomeChunk:
    """What a scenario made of n frames; arrays as in `Outcome`, with the frames first.

    ``frames`` int64 (n,), ``rewards`` and ``total_rewards`` float32 (n, players), ``done`` bool
    (n,), ``terms[p]`` pairs of a name and float32 (n,), ``nodes`` JSON path -> bool (n,).
    """

    frames: Ints
    rewards: Floats
    total_rewards: Floats
    done: Bools
    terms: tuple[tuple[tuple[str, Floats], ...], ...]
    nodes: Mapping[str, Bools]


class ChunkScorer:
    """Scores one chunk; made for it and thrown away after `run`."""

    def __init__(
        self,
        spec: ScenarioSpec,
        players: int,
        current: Mapping[str, Ints],
        first_previous: Mapping[str, int] | None,
        frames: int,
    ) -> None:
        self._spec = spec
        self._players = players
        self._current = current
        self._first_previous = first_previous
        self._size = frames
        self._deltas: dict[str, Ints] = {}

    def run(self, frame: int, totals: Floats) -> OutcomeChunk:
        """Score the chunk; ``frame`` and ``totals`` (players,) are those before its first frame."""
        nodes: dict[str, Bools] = {}
        undecided = np.ones(self._size, np.bool_)
        done = self._node(self._spec.done, nodes, undecided)
        rewards = np.zeros((self._size, self._players), np.float32)
        terms: list[tuple[tuple[str, Floats], ...]] = [()] * self._players
        with np.errstate(over="ignore", invalid="ignore"):
            for player, spec in enumerate(self._spec.rewards):
                scored = self._terms(spec)
                if player < self._players:
                    terms[player] = scored
                    for _, part in scored:
                        rewards[:, player] += part
            # accumulate adds one after the other in float32, as a running sum does.
            running = np.add.accumulate(np.vstack([totals[np.newaxis], rewards]), axis=0)[1:]
        return OutcomeChunk(
            frames=np.arange(frame + 1, frame + 1 + self._size, dtype=np.int64),
            rewards=rewards,
            total_rewards=running,
            done=done,
            terms=tuple(terms),
            nodes=nodes,
        )

    def _measure(self, name: str, measurement: Measurement, path: str) -> Ints:
        try:
            values = self._current[name]
        except KeyError as error:
            raise ScenarioError(f"{path}: no variable {name!r}; add it to data.json") from error
        if measurement is Measurement.ABSOLUTE:
            return values
        if name not in self._deltas:
            deltas = np.zeros(self._size, np.int64)
            np.subtract(values[1:], values[:-1], out=deltas[1:])
            if self._first_previous is not None and self._size:
                then = np.int64(self._first_previous.get(name, int(values[0])))
                np.subtract(values[:1], then, out=deltas[:1])
            self._deltas[name] = deltas
        return self._deltas[name]

    def _terms(self, reward: RewardSpec) -> tuple[tuple[str, Floats], ...]:
        terms: list[tuple[str, Floats]] = []
        if reward.time is not None:
            terms.append(("time", _term_values(reward.time, np.ones(self._size, np.int64))))
        for term in reward.terms:
            path = json_path(reward.path, "variables", term.name)
            measured = self._measure(term.name, term.measurement, path)
            terms.append((term.name, _term_values(term, measured)))
        return tuple(terms)

    def _node(self, node: DoneNode, nodes: dict[str, Bools], undecided: Bools) -> Bools:
        """Return a node's lamps; ``undecided`` marks the frames on which upstream would test it."""
        stop = node.condition is Condition.ANY
        result = np.full(self._size, not stop)
        undecided = undecided.copy()
        for test in node.tests:
            path = node.test_path(test)
            try:
                measured = self._measure(test.name, test.measurement, path)
            except ScenarioError:
                if undecided.any():
                    raise
                continue
            nodes[path] = apply_op_array(test.op, test.reference, measured) > 0
            self._decide(nodes[path], result, undecided, stop=stop)
        for child in node.nodes:
            lamps = self._node(child, nodes, undecided)
            self._decide(lamps, result, undecided, stop=stop)
        nodes[node.path] = result
        return result

    @staticmethod
    def _decide(lamps: Bools, result: Bools, undecided: Bools, *, stop: bool) -> None:
        result[lamps == stop] = stop
        undecided &= lamps != stop


def apply_op_array(op: Op, reference: int, values: Ints) -> Ints:
    """Return `scoring.apply_op` for every value, as int64."""
    with np.errstate(over="ignore"):
        negated = -np.int64(reference)
    match op:
        case Op.NONE:
            return values
        case Op.EQUAL:
            result: Bools = values == reference
        case Op.NEGATIVE_EQUAL:
            result = values == negated
        case Op.NOT_EQUAL:
            result = values != reference
        case Op.LESS_THAN:
            result = values < reference
        case Op.GREATER_THAN:
            result = values > reference
        case Op.LESS_OR_EQUAL:
            result = values <= reference
        case Op.GREATER_OR_EQUAL:
            result = values >= reference
        case _:
            return _apply_unary_array(op, values)
    return result.astype(np.int64)


def _apply_unary_array(op: Op, values: Ints) -> Ints:
    match op:
        case Op.NONZERO:
            result: Bools = values != 0
        case Op.ZERO:
            result = values == 0
        case Op.POSITIVE:
            result = values > 0
        case Op.NEGATIVE:
            result = values < 0
        case _:
            return np.sign(values).astype(np.int64)
    return result.astype(np.int64)


def _term_values(term: TermSpec, measured: Ints) -> Floats:
    results = apply_op_array(term.op, term.reference, measured)
    factors = np.where(results < 0, to_float32(term.penalty), to_float32(term.reward))
    scaled: Floats = results.astype(np.float32)
    # 0 stays 0 whatever the factor: an infinite one would make it nan.
    return np.multiply(scaled, factors, out=scaled, where=results != 0)
