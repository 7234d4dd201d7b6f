"""Facts about behaviour, checked of a few matches with any scale and of bit fields."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.matches.behaviour import Captured
from integrator.domain.query.matches.rank import Match
from integrator.domain.query.recorded.facts import (
    Changed,
    Decreases,
    Equals,
    Fact,
    Increases,
    OnlyFalls,
    OnlyGrows,
    Transition,
    Unchanged,
)
from integrator.domain.query.recorded.recording import Recording
from integrator.domain.values.memory import AddressSpace


def behaving(
    space: AddressSpace, matches: Sequence[Match], fact: Fact, recording: Recording
) -> list[Match]:
    """The matches whose shown numbers behave as the fact says; all for a fact about numbers."""
    if isinstance(fact, (Equals, Transition)) or not matches:
        return list(matches)
    readings = [match.reading for match in matches]
    captured = [Captured(space, readings, recording, *span) for span in spans_of(fact)]
    kept = []
    for match in matches:
        numbers = np.concatenate([each.numbers(match.reading) for each in captured])
        steps = np.diff(numbers) * (1 if match.scale.divisor > 0 else -1)
        if holds(fact, steps):
            kept.append(match)
    return kept


def spans_of(fact: Fact) -> list[tuple[int, int]]:
    """The frames [start, stop) at which a fact about behaviour looks, one span after another."""
    if isinstance(fact, (Unchanged, OnlyGrows, OnlyFalls)):
        return [(fact.start, fact.stop)]
    return [(frame, frame + 1) for frame in fact.frames]


def holds(fact: Fact, steps: NDArray[np.int64]) -> bool:
    """True when shown numbers that make these steps over the fact's spans behave as it says."""
    if isinstance(fact, Changed):
        return bool(steps.any())
    if isinstance(fact, Unchanged):
        return not steps.any()
    if isinstance(fact, Increases):
        return bool((steps > 0).all())
    if isinstance(fact, Decreases):
        return bool((steps < 0).all())
    return bool((steps >= 0).all() if isinstance(fact, OnlyGrows) else (steps <= 0).all())
