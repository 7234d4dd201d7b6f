"""The likelihood of a number to be the score, by evidence whose weights were fitted to known ones.

``python -m scripts.fit_scores`` fits them on the games for tuning, and prints the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Final

import numpy as np

from integrator.domain.suggest.counters.traits import Traits, times_of

_MANY_CHANGES: Final = 30
_CALM_BITS: Final = 3.0
"""Scores grow by few units of points at a time; more bits look like noise."""


@dataclass(frozen=True, slots=True)
class WeighedEvidence:
    """One measure of a number, and the log-odds that each unit of it adds."""

    weight: float
    measure: Callable[[Traits], float]


def _one_way(t: Traits) -> float:
    return log((t.up.count + 0.5) / (t.down.count + 0.5))


def _by_fives(t: Traits) -> float:
    steps = t.up.steps
    return sum(step % 5 == 0 for step in steps) / len(steps)


def _decimal(t: Traits) -> float:
    if t.number.type.form.is_binary:
        return 0.0
    return log(len(np.unique(t.number.values)))


EVIDENCE: Final[Mapping[str, WeighedEvidence]] = {
    "goes one way": WeighedEvidence(0.32, _one_way),
    "changes several times": WeighedEvidence(-0.27, lambda t: log(1 + min(t.count, _MANY_CHANGES))),
    "is drawn": WeighedEvidence(4.8, lambda t: t.drawn.agreement),
    "is drawn inside of the picture": WeighedEvidence(
        -1.09, lambda t: t.is_seen and t.drawn.is_inside
    ),
    "has new values": WeighedEvidence(1.57, lambda t: min(1.0, t.fresh * (t.restarts + 1))),
    "steps by fives": WeighedEvidence(0.43, _by_fives),
    "is binary": WeighedEvidence(-1.19, lambda t: t.number.type.form.is_binary),
    "always has decimal digits": WeighedEvidence(1.11, _decimal),
    "steps like noise": WeighedEvidence(-0.28, lambda t: max(0.0, t.up.unrest - _CALM_BITS)),
    "changes at even times": WeighedEvidence(-1.0, lambda t: t.even > 0.8 and t.count > 8),
    "starts again as often as it rises": WeighedEvidence(
        -0.92, lambda t: min(1.0, t.restarts / t.up.count)
    ),
    "starts again while much else changes": WeighedEvidence(-1.28, lambda t: t.renewal),
    "changes while much else does": WeighedEvidence(0.83, lambda t: t.upheaval),
}
"""Measures and weights, of which the latter come from ``scripts.fit_scores``."""
_BIAS: Final = -6.61
_RECORD: Final = 3.0
"""No game for tuning shows its high score, so this weight is not fitted."""
_PER_BYTE: Final = 0.01
"""Zeros in front say nothing of a number, and most scores have some."""


def may_be_score(t: Traits) -> bool:
    """False for a number that never rises."""
    return t.up.count > 0


def weigh_score(t: Traits) -> float:
    """The likelihood, 0 to 1, that the number is the score."""
    if not may_be_score(t):
        return 0.0
    odds = _BIAS + _PER_BYTE * t.number.type.width - _RECORD * t.is_record
    odds += sum(each.weight * each.measure(t) for each in EVIDENCE.values())
    return 1 / (1 + exp(-odds))


def score_words(t: Traits) -> str:
    """The reason for a score in words."""
    falls = "never falls" if not t.down.count else f"falls {times_of(t.down.count)}"
    steps = ", ".join(f"+{step}" for step in t.up.steps)
    return f"{steps}, {falls}"
