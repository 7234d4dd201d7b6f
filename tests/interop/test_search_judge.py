"""Our search against the one of the stable-retro wheel, on the memory of a running game.

Differences to ``GameData.delta_search``: none. Both keep the same addresses and types, for every
operator that both have, from a first search on and in chains, those drawn at random included.

Differences to ``GameData.search``, the search for an absolute value:

- it overlooks values. One-byte types are found for some values and not for others; words at odd
  addresses and types of six and eight bytes mostly not, unless the value ends in zeros. All our
  candidates are there: the wheel's own ``Memory.extract`` reads the value at each of them.
- a few of its candidates do not hold the value: ``extract`` reads another one there (the bytes of a
  word were taken in the order of the core's memory). We do not list those.
- its sixteenth of a ``d`` type is a tenth of the number, and its "one more" of a ``d`` type is one
  more than the coded number, which is not always a decimal."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from integrator.domain.values.memory import DataType
from integrator.session.searches import query_types
from integrator.session.setup.roots import systems

pytest.importorskip("stable_retro")

JUDGE = Path(__file__).with_name("search_judge.py")


def judged(part: str) -> Any:
    result = subprocess.run(
        [sys.executable, str(JUDGE), part], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


def test_comparisons_with_earlier_memory_keep_the_same_candidates() -> None:
    differences = judged("deltas")
    assert len(differences) == 8
    assert set(map(tuple, differences.values())) == {(0, 0)}


def test_chains_of_comparisons_drawn_at_random_keep_the_same_candidates() -> None:
    differences = judged("chains")
    assert len(differences) == 15
    assert {name: pair for name, pair in differences.items() if pair != [0, 0]} == {}


def test_values_are_where_the_judge_reads_them() -> None:
    for value, (listed, wrong, missed) in judged("values").items():
        assert (value, wrong, missed) == (value, 0, 0)
        assert listed > 0


def test_every_type_of_a_shipped_integration_is_tried() -> None:
    specification = find_spec("stable_retro")
    assert specification is not None
    assert specification.origin is not None
    untried, seen = set(), 0
    for path in Path(specification.origin).parent.glob("data/stable/*/data.json"):
        system = path.parent.name.rsplit("-", 2)[1]
        descriptor = systems()["FBNeo" if system == "Arcade" else system]
        tried = set(map(str, query_types(descriptor.types, 0x10000)))
        for entry in json.loads(path.read_text())["info"].values():
            seen += 1
            if str(DataType.parse(entry["type"])) not in tried:
                untried.add((system, entry["type"]))
    assert seen > 3000
    assert not untried
