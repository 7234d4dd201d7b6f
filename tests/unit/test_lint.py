"""Lint: each finding on an integration that has exactly that fault."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from integrator import paths
from integrator.domain.datatype import DataType
from integrator.domain.finding import Finding, Severity
from integrator.domain.integration import load_integration
from integrator.domain.lint import LintOptions, SystemFacts, lint
from integrator.domain.lint_scenario import holds, measured_range
from integrator.domain.lint_schema import SchemaSet
from integrator.domain.memory import AddressSpace, Region
from integrator.domain.scenario import Measurement, Op
from integrator.domain.variables import VariableSpec

FACTS = SystemFacts(("A", "B", "START", "UP"), (((), ("A",)),))
SYSTEMS = {"Nes": FACTS}
GOOD: dict[str, object] = {
    "data.json": {
        "info": {
            "lives": {"address": 10, "type": "|u1"},
            "score": {"address": 12, "type": ">u2"},
        }
    },
    "scenario.json": {
        "done": {"variables": {"lives": {"op": "zero"}}},
        "reward": {"variables": {"score": {"reward": 1.0}}},
        "actions": [[[], ["START"], ["A"]]],
    },
    "metadata.json": {"default_state": "Level1"},
}


def build(tmp_path: Path, name: str = "Game-Nes-v0", **changes: object) -> Path:
    directory = tmp_path / name
    directory.mkdir()
    for file, value in (GOOD | {k.replace("__", "."): v for k, v in changes.items()}).items():
        text = value if isinstance(value, str) else json.dumps(value, indent=2)
        (directory / file).write_text(text)
    (directory / "rom.nes").write_bytes(bytes(16) + b"game")
    (directory / "rom.sha").write_text(hashlib.sha1(b"game").hexdigest() + "\n")
    (directory / "Level1.state").write_bytes(gzip.compress(b"raw"))
    return directory


def check(directory: Path, space: AddressSpace | None = None) -> tuple[Finding, ...]:
    schemas = SchemaSet(paths.shipped("resources") / "schemas")
    return lint(load_integration(directory), LintOptions(schemas, SYSTEMS, space))


def scenario(**changes: object) -> dict[str, object]:
    base = GOOD["scenario.json"]
    assert isinstance(base, dict)
    return base | changes


def test_a_good_integration_has_no_findings(tmp_path: Path) -> None:
    assert check(build(tmp_path), AddressSpace([Region(0, 2048)])) == ()


DONE = {"variables": {"lives": {"op": "zero"}}}
CASES: list[tuple[str, str, str, dict[str, object]]] = [
    ("variable-unknown", "error", "done.variables.hp",
     {"done": {"variables": {"hp": {"op": "zero"}}}}),
    ("variable-unknown", "error", "reward.variables.hp",
     {"reward": {"variables": {"hp": {"reward": 1}}}}),
    ("op-never", "error", "done.variables.lives",
     {"done": {"variables": {"lives": {"op": "negative"}}}}),
    ("op-never", "error", "done.nodes.n.variables.lives",
     {"done": {"nodes": {"n": {"variables": {"lives": {"op": "equal", "reference": 256}}}}}}),
    ("op-always", "error", "done.variables.lives",
     {"done": {"variables": {"lives": {"op": "greater-or-equal", "reference": 0}}}}),
    ("done-at-once", "error", "done", {"done": {"condition": "all"}}),
    ("done-never", "note", "done", {"done": {}}),
    ("reward-zero", "warning", "reward", {"reward": {}}),
    ("term-zero", "warning", "reward.variables.lives",
     {"reward": {"variables": {"score": {"reward": 1}, "lives": {}}}}),
    ("time-penalty", "warning", "reward.time.penalty",
     {"reward": {"time": {"reward": -0.1, "penalty": 2}}}),
    ("script-missing", "error", "scripts[0]", {"scripts": ["none.lua"]}),
    ("function-missing", "error", "done.script", {"done": {"script": "lua:over"}}),
    ("button-unknown", "error", "actions", {"actions": [[[], ["START"], ["Q"]]]}),
    ("start-filtered", "note", "actions", {"actions": [[[], ["A"]]]}),
    ("scenario-ignored", "warning", "done.variables.lives.op",
     {"done": {"variables": {"lives": {"op": "is"}}}}),
    ("scenario-invalid", "error", "", {"reward": 5}),
    ("schema", "warning", "crop[0]", {"crop": [0.5, 0, 0, 0]}),
]  # fmt: skip


@pytest.mark.parametrize(("code", "severity", "path", "changes"), CASES)
def test_faults_of_a_scenario(
    tmp_path: Path, code: str, severity: str, path: str, changes: dict[str, object]
) -> None:
    found = check(build(tmp_path, scenario__json=scenario(**changes)))
    matching = [f for f in found if f.code == code]
    assert [(f.severity, f.path, f.file.name) for f in matching] == [
        (severity, path, "scenario.json")
    ]
    assert matching[0].line > 0 or not path
    assert matching[0].message


def test_faults_of_variables(tmp_path: Path) -> None:
    info = {
        "lives": {"address": 10, "type": "|u1"},
        "score": {"address": 2047, "type": ">u2"},
        "wide": {"address": 9, "type": ">u2"},
        "bit": {"address": 10, "type": "|u1", "mask": 1},
        "bad": {"address": 11, "type": ">q2"},
    }
    found = check(build(tmp_path, data__json={"info": info}), AddressSpace([Region(0, 2048)]))
    assert [(f.code, f.path) for f in found] == [
        ("variable-outside-memory", "info.score"),
        ("variable-invalid", "info.bad"),
        ("variables-overlap", "info.lives"),
    ]
    assert "wide (>u2 at 0x9) and lives (|u1 at 0xA) share bytes" in found[2].message


def test_faults_of_the_directory(tmp_path: Path) -> None:
    directory = build(tmp_path, "Game", metadata__json={"default_state": "Gone"})
    (directory / "rom.sha").write_text("00\n")
    (directory / "extra.lua").write_text("x = 1\n")
    (directory / "Level1.state").write_bytes(gzip.compress(b"raw")[:-3])
    found = {f.code: f for f in check(directory)}
    assert set(found) == {
        "default-state-missing", "sha-mismatch", "script-unused", "state-damaged",
        "name-without-system",
    }  # fmt: skip
    assert hashlib.sha1(b"game").hexdigest() in found["sha-mismatch"].message
    assert found["default-state-missing"].path == "default_state"
    assert found["default-state-missing"].line == 2


def test_each_state_named_for_a_number_of_players_is_looked_for(tmp_path: Path) -> None:
    metadata = {"default_state": "Level1", "default_player_state": ["Level1", "Level1.", "a/b"]}
    found = check(build(tmp_path, metadata__json=metadata))
    assert [(f.code, f.path) for f in found] == [
        ("default-state-missing", "default_player_state[1]"),
        ("default-state-missing", "default_player_state[2]"),
    ]


def test_a_directory_with_next_to_nothing(tmp_path: Path) -> None:
    directory = build(tmp_path)
    for name in ("scenario.json", "metadata.json", "rom.sha", "Level1.state"):
        (directory / name).unlink()
    found = check(directory)
    assert [f.code for f in found] == ["scenario-missing", "sha-missing", "states-none"]
    assert [f.severity for f in found] == [Severity.ERROR, Severity.WARNING, Severity.NOTE]


@pytest.mark.parametrize("op", list(Op))
def test_verdicts_agree_with_trying_every_value(op: Op) -> None:
    for reference in range(-5, 6):
        for low, high in ((0, 3), (-3, 3), (0, 0), (2, 4)):
            outcomes = {COMPARE[op](value, reference) > 0 for value in range(low, high + 1)}
            expected = outcomes.pop() if len(outcomes) == 1 else None
            assert holds(op, reference, low, high) is expected, (reference, low, high)


COMPARE: dict[Op, Callable[[int, int], int]] = {
    Op.NONE: lambda value, _: value,
    Op.SIGN: lambda value, _: (value > 0) - (value < 0),
    Op.EQUAL: lambda value, reference: value == reference,
    Op.NEGATIVE_EQUAL: lambda value, reference: value == -reference,
    Op.NOT_EQUAL: lambda value, reference: value != reference,
    Op.LESS_THAN: lambda value, reference: value < reference,
    Op.GREATER_THAN: lambda value, reference: value > reference,
    Op.LESS_OR_EQUAL: lambda value, reference: value <= reference,
    Op.GREATER_OR_EQUAL: lambda value, reference: value >= reference,
    Op.NONZERO: lambda value, _: value != 0,
    Op.ZERO: lambda value, _: value == 0,
    Op.POSITIVE: lambda value, _: value > 0,
    Op.NEGATIVE: lambda value, _: value < 0,
}


@pytest.mark.parametrize("mask", [None, 0, 5, 15, 300, -113, -1, -200, -(2**40)])
@pytest.mark.parametrize("spec", ["|u1", "|i1", "|d1"])
def test_ranges_hold_every_value_that_a_masked_byte_can_have(spec: str, mask: int | None) -> None:
    data_type = DataType.parse(spec)
    low, high = measured_range(VariableSpec("v", 0, data_type, mask), Measurement.ABSOLUTE)
    values = [data_type.decode(bytes([raw])) for raw in range(256)]
    masked = [value if mask is None else value & mask for value in values]
    assert low <= min(masked)
    assert max(masked) <= high
