"""A scenario's score of one frame in plain loops: the judge of the vectorised engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Condition, DoneNode, Measurement, TermSpec, TestSpec

Values = Mapping[str, int]

PLAIN_OPS: Mapping[str, Callable[[int, int], int]] = {
    "": lambda value, _: value,
    "sign": lambda value, _: (value > 0) - (value < 0),
    "equal": lambda value, reference: value == reference,
    "negative-equal": lambda value, reference: value == wrapped(-reference),
    "not-equal": lambda value, reference: value != reference,
    "less-than": lambda value, reference: value < reference,
    "greater-than": lambda value, reference: value > reference,
    "less-or-equal": lambda value, reference: value <= reference,
    "greater-or-equal": lambda value, reference: value >= reference,
    "nonzero": lambda value, _: value != 0,
    "zero": lambda value, _: value == 0,
    "positive": lambda value, _: value > 0,
    "negative": lambda value, _: value < 0,
}


def wrapped(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def plain_rewards(spec: ScenarioSpec, now: Values, before: Values | None) -> list[np.float32]:
    """Each player's reward, summed term by term in float32."""
    rewards = []
    with np.errstate(over="ignore", invalid="ignore"):
        for block in spec.rewards:
            total = np.float32(0)
            if block.time is not None:
                total += _summand(block.time, 1)
            for term in block.terms:
                total += _summand(term, _measured(term, now, before))
            rewards.append(total)
    return rewards


def plain_done(node: DoneNode, now: Values, before: Values | None) -> bool:
    """True when a node is done."""
    parts = [_result(test, _measured(test, now, before)) > 0 for test in node.tests]
    parts += [plain_done(child, now, before) for child in node.nodes]
    return any(parts) if node.condition is Condition.ANY else all(parts)


def _measured(spec: TestSpec, now: Values, before: Values | None) -> int:
    if spec.measurement is Measurement.ABSOLUTE:
        return now[spec.name]
    return 0 if before is None else wrapped(now[spec.name] - before[spec.name])


def _result(spec: TestSpec, measured: int) -> int:
    return int(PLAIN_OPS[spec.op.name](measured, spec.reference))


def _summand(term: TermSpec, measured: int) -> np.float32:
    result = _result(term, measured)
    if result == 0:
        return np.float32(0)
    factor = np.float32(term.reward if result > 0 else term.penalty)
    return np.int64(result).astype(np.float32) * factor
