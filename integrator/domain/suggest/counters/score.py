"""The likelihood of a number to be the score."""

from __future__ import annotations

from math import log
from typing import Final

import numpy as np

from integrator.domain.suggest.counters.evidence import EvidenceOfKind, WeighedEvidence
from integrator.domain.suggest.counters.traits import Traits, times_of

_CALM_BITS: Final = 3.0
"""Scores grow by few units of points at a time; more bits look like noise."""


def _one_way(t: Traits) -> float:
    return log((t.up.count + 0.5) / (t.down.count + 0.5))


def _decimal(t: Traits) -> float:
    if t.number.type.form.is_binary:
        return 0.0
    return log(len(np.unique(t.number.values)))


_RECORD: Final = 3.0
"""No game for tuning shows its high score, so this weight is not fitted."""
_PER_BYTE: Final = 0.01
"""Zeros in front say nothing of a number, and most scores have some. A byte with one digit counts
half, so that an unpacked copy without its last zero does not come before the number."""
_READ: Final = 2.0
_FALLS: Final = 3.0
"""Games for tuning have no tiles, in which digits are read, and few timers that are drawn."""


def _unfitted(t: Traits) -> float:
    read = _READ * t.read * (t.shown is not None and t.shown.digits > 1)
    falls = _FALLS * t.down.count / t.count
    packed = t.number.type.width * (0.5 if t.number.type.kind == "n" else 1.0)
    return _PER_BYTE * packed - _RECORD * t.is_record + read - falls


SCORE: Final = EvidenceOfKind(
    {
        "goes one way": WeighedEvidence(0.33, _one_way),
        "is drawn": WeighedEvidence(2.25, lambda t: t.drawn.agreement),
        "is drawn at nearly every change": WeighedEvidence(2.97, lambda t: t.drawn.agreement**2),
        "is drawn inside of the picture": WeighedEvidence(
            -1.06, lambda t: t.is_seen and t.drawn.is_inside
        ),
        "has new values": WeighedEvidence(1.76, lambda t: min(1.0, t.fresh * (t.restarts + 1))),
        "is binary": WeighedEvidence(-1.44, lambda t: t.number.type.form.is_binary),
        "always has decimal digits": WeighedEvidence(1.01, _decimal),
        "steps like noise": WeighedEvidence(-0.26, lambda t: max(0.0, t.up.unrest - _CALM_BITS)),
        "changes at even times": WeighedEvidence(-1.29, lambda t: t.even > 0.8 and t.count > 8),
        "starts again as often as it rises": WeighedEvidence(
            -0.88, lambda t: min(1.0, t.restarts / t.up.count)
        ),
        "starts again while much else changes": WeighedEvidence(-1.34, lambda t: t.renewal),
        "changes while much else does": WeighedEvidence(1.15, lambda t: t.upheaval),
    },
    -7.08,
    lambda t: t.up.count > 0,
    _unfitted,
)
"""Measures and weights, of which the latter and the bias come from ``scripts.fit_counters``."""


def score_words(t: Traits) -> str:
    """The reason for a score in words."""
    falls = "never falls" if not t.down.count else f"falls {times_of(t.down.count)}"
    steps = ", ".join(f"+{step}" for step in t.up.steps)
    return f"{steps}, {falls}"
