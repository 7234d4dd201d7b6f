"""The likeliest of candidates that agree leads their group, in whatever order the rows stand."""

from __future__ import annotations

from itertools import permutations

from integrator.domain.query.rank import groups_of
from integrator.domain.search.results import Candidate
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.memory import DataType


def candidate(address: int, spec: str) -> Candidate:
    return Candidate(address, DataType.parse(spec), 30, 20, 20, 3, 9, PLAIN, (PLAIN,))


def test_a_rare_type_never_leads_a_group() -> None:
    agreeing = [candidate(6, "><d4"), candidate(6, ">d3"), candidate(7, ">d2"), candidate(8, "|d1")]
    for rows in permutations(agreeing):
        (group,) = groups_of(rows)
        lead, *others = group
        assert (lead.address, lead.type.spec) == (6, ">d3")
        assert len(others) == 3
