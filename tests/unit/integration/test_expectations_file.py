"""expectations.json: entries read and written, and its schema, which agrees with the reader."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from integrator.domain.files.jsontext import JsonValue
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.expectations import Expectation, ExpectedKind
from integrator.domain.lint.lint import SchemaSet
from integrator.paths import shipped

REWARDS = Expectation("a.bk2", ExpectedKind.REWARDS, 3, 9, [[3, 0], [5, 1.5], [6, 0]])
GOOD = [
    REWARDS,
    Expectation("a.bk2", ExpectedKind.DONE, 1, 9, None, scenario="hard"),
    Expectation("a.bk2", ExpectedKind.DONE, 1, 9, 9),
    Expectation("a.bk2", ExpectedKind.VARIABLE, 7, 7, -3, "lives"),
    Expectation("a.bk2", ExpectedKind.TOTAL, 1, 9, 1300, player=2),
]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    directory = tmp_path / "Game-Nes-v0"
    directory.mkdir()
    for name in ("data", "scenario", "metadata"):
        (directory / f"{name}.json").write_text("{}")
    return directory


def schema_findings(directory: Path) -> list[str]:
    document = load_integration(directory).expectations
    schemas = SchemaSet(shipped("resources") / "schemas")
    return [f.path for f in schemas.check("expectations", document)]


def test_entries_come_back_as_they_were_added(game: Path) -> None:
    integration = load_integration(game)
    integration.expectations.add(GOOD)
    integration.expectations.add(GOOD)
    integration.save()
    assert load_integration(game).expectations.entries == tuple(GOOD)
    assert schema_findings(game) == []
    assert "expectations" not in load_integration(game).scenarios


def test_accepting_and_removing_are_steps_that_undo_takes_back(game: Path) -> None:
    integration = load_integration(game)
    document = integration.expectations
    document.add(GOOD)
    document.accept({0: [[3, 7]], 4: 1301})
    document.remove([1, 2])
    values: list[JsonValue] = [entry.value for entry in document.entries if entry]
    assert values == [[[3, 7]], -3, 1301]
    for _ in range(2):
        with integration.history.stepping(back=True):
            pass
    assert document.entries == tuple(GOOD)


@pytest.mark.parametrize(
    ("change", "schema_knows"),
    [
        ({"expect": "score"}, True),
        ({"movie": ""}, True),
        ({"first": 0}, True),
        ({"first": True}, True),
        ({"last": 2}, False),
        ({"value": []}, True),
        ({"value": [[3, "x"]]}, True),
        ({"value": [[4, 1]]}, False),
        ({"value": [[3, 1], [3, 2]]}, False),
        ({"value": [[3, 1], [10, 2]]}, False),
        ({"expect": "done", "value": 1.5}, True),
        ({"expect": "done", "value": 2}, False),
        ({"expect": "variable", "value": 2}, True),
        ({"expect": "total", "value": None}, True),
        ({"expect": "total", "value": 1e39}, False),
    ],
)
def test_an_entry_that_makes_no_sense_is_none(
    game: Path, change: dict[str, Any], schema_knows: bool
) -> None:
    integration = load_integration(game)
    entry = copy.deepcopy(REWARDS.to_json()) | change
    integration.expectations.value = {"expectations": [entry]}
    assert integration.expectations.entries == (None,)
    integration.save()
    assert bool(schema_findings(game)) == schema_knows


def test_a_damaged_file_does_not_keep_the_game_closed(game: Path) -> None:
    (game / "expectations.json").write_text("{")
    integration = load_integration(game)
    assert [f.code for f in integration.findings] == ["json-invalid"]
    assert integration.expectations.entries == ()
