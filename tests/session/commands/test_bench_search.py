"""Documented variables are first after a few facts; proofs tell originals from copies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from integrator.domain.query.facts import Equals, Trend
from integrator.session.library.consoles.console_check import proof_roms
from scripts import bench_search
from scripts.bench_search import choose_facts
from scripts.bench_search_report import Row, claims
from scripts.bench_search_speed import LargeStep

pytestmark = pytest.mark.usefixtures("own_home")


def by_name(rows: list[Row]) -> dict[str, Row]:
    return {row.variable: row for row in rows}


def test_every_variable_of_the_demo_game_is_found_and_decoys_are_told_apart() -> None:
    rows = by_name(bench_search.find_demo_game())
    assert [name for name, row in rows.items() if not row.found] == []
    copies = {name for name, row in rows.items() if row.proof == "copy"}
    assert copies == {"score", "high_score"}
    assert {row.proof for name, row in rows.items() if name not in copies} == {"original"}


def test_variables_of_airstriker_are_found() -> None:
    rows = by_name(bench_search.find_airstriker())
    assert set(rows) == {"score", "lives"}
    assert all(row.found and row.proof == "original" for row in rows.values())


@pytest.mark.parametrize("system", ["Nes", "Genesis"])
def test_variables_of_proof_roms_are_found(system: str) -> None:
    rows = by_name(bench_search.find_proof_rom(proof_roms()[system]))
    assert set(rows) == {"score", "lives", "frame_counter"}
    assert all(row.found and row.proof == "original" for row in rows.values())


def test_facts_differ_and_rest() -> None:
    level = np.repeat([0, 1, 2, 1], [90, 400, 600, 100])
    assert choose_facts(level) == [
        Equals(790, 2),
        Equals(1140, 1),
        Trend(499, 1081, "unchanged"),
        Trend(99, 481, "unchanged"),
    ]
    assert choose_facts(np.zeros(50, np.int64)) == []


def test_claims_hold_or_do_not() -> None:
    row = Row("Airstriker", "score", "", (), 1, 0, 0, 0, "original", "", 0.1, 0.9)
    decoy = replace(row, game="Ember Moth", variable="high_score", proof="unknown", proof_seconds=9)
    first = LargeStep("changed", first=True, scales=False, milliseconds=399, ratio=1)
    large = [first, replace(first, first=False, milliseconds=151)]
    told = claims([row, decoy], {"changed": 301, "value": 99}, large, {"vague": 0.9})
    assert [each["claim"] for each in told if not each["holds"]] == [
        "first search for value, all Genesis types, beside stable-retro",
        "8 MiB, all types: every later one",
        "Ember Moth: the decoy high_score",
    ]
    assert len(told) == 9
    assert told[0]["measured"] == "301 x"
