"""Facts taken at their word, without the hypotheses of people who are a little off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from integrator.domain.query.rank import grouped
from integrator.domain.query.solve import (
    Evidence,
    Solution,
    asked_of,
    recordings_of,
    solve_strictly,
)
from integrator.domain.values.memory import AddressSpace, DataType


def solve(
    space: AddressSpace,
    types: Sequence[DataType],
    evidence: Sequence[Evidence],
    *,
    scales: bool = True,
    limit: int = 200,
) -> Solution:
    """Every address, type and scale for which the facts hold, then those that fail one fact.

    Lists at most ``limit`` of each; of several scales of one address and type, the simplest. Raises
    SearchError without facts, TimelineError for frames that were not recorded."""
    asked = asked_of(space, evidence)
    strict = solve_strictly(space, types, asked, scales=scales, limit=limit)
    groups = grouped(space, strict.matches, recordings_of(asked))
    return replace(strict, matches=tuple(match for match, _ in groups))
