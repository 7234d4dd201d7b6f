"""Lint: each finding on an integration that has exactly that fault."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path

import pytest

from integrator import paths
from integrator.domain.findings import Finding
from integrator.domain.integration.directory import load_integration
from integrator.domain.lint.lint import LintOptions, SchemaSet, SystemFacts, lint
from integrator.domain.lint.scenario import holds, measured_range
from integrator.domain.scenario.tree import OPS, Measurement, Op
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.domain.values.variables import VariableSpec
from integrator.session.library.checks.checking import lint_options

FACTS = SystemFacts(("A", "B", "START", "UP"), (((), ("A",)),))
SYSTEMS = {"Nes": FACTS}
SHIPPED = lint_options()
GOOD: dict[str, object] = {
    "data.json": {
        "info": {
            "lives": {"address": 10, "type": "|u1"},
            "score": {"address": 12, "type": ">u2"},
            "m": {"address": 20, "type": "|u1", "mask": 0},
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
    ("factor-unused", "warning", "reward.variables.score.penalty",
     {"reward": {"variables": {"score": {"op": "positive", "reward": 1, "penalty": 1}}}}),
    ("factor-unused", "warning", "reward.variables.score.penalty",
     {"reward": {"variables": {"score": {"measurement": "absolute", "reward": 1, "penalty": 1}}}}),
    ("factor-unused", "warning", "reward.variables.m.reward",
     {"reward": {"variables": {"score": {"reward": 1},
                               "m": {"measurement": "absolute", "reward": 1}}}}),
    ("reward-zero", "warning", "reward",
     {"reward": {"variables": {"score": {"op": "sign", "measurement": "absolute", "penalty": 1}}}}),
    ("op-never", "error", "reward.variables.m",
     {"reward": {"variables": {"score": {"reward": 1},
                               "m": {"op": "equal", "measurement": "absolute", "reference": 1,
                                     "reward": 1}}}}),
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


@pytest.mark.parametrize(
    ("name", "address", "kind", "fault"),
    [
        ("G-Nes", 0x7FF, "|u1", False),
        ("G-Nes", 0x7FF, "<u2", True),
        ("G-Nes", 0x6000, "<u2", False),
        ("G-Atari2600-v0", 0xFF, "|u1", False),
        ("G-Atari2600-v0", 0xFD, ">d4", True),
        ("G-Atari2600-v0", 0x7F, "|u1", True),
        ("G-Genesis-v0", 0xFFFFFC, ">u4", False),
        ("G-Genesis-v0", 0xFFFFFE, ">u4", True),
        ("G-Genesis-v0", 0x1000, ">u2", True),
        ("G-Snes-v0", 0x7FFFFF, "<u2", True),
        ("G-Snes-v0", 0x700000, "<u2", False),
        ("G-N64-v0", 0xFFFFFFFF, "<u8", False),
    ],
)
def test_a_variable_wider_than_the_memory_of_its_system(
    tmp_path: Path, name: str, address: int, kind: str, fault: bool
) -> None:
    info = {"lives": {"address": address, "type": kind}}
    found = [
        f.path
        for f in lint(load_integration(build(tmp_path, name, data__json={"info": info})), SHIPPED)
        if f.code == "variable-outside-memory"
    ]
    assert found == (["info.lives"] if fault else [])


def test_a_long_variable_overlaps_all_that_lie_in_it(tmp_path: Path) -> None:
    info = {
        "long": {"address": 0, "type": ">u8"},
        "lives": {"address": 1, "type": "|u1"},
        "score": {"address": 6, "type": "|u1"},
        "next": {"address": 8, "type": "|u1"},
    }
    found = check(build(tmp_path, data__json={"info": info}))
    overlaps = [f for f in found if f.code == "variables-overlap"]
    assert [f.path for f in overlaps] == ["info.lives", "info.score"]
    assert all(f.message.startswith("long (>u8 at 0x0)") for f in overlaps)


def test_start_is_needed_where_training_begins_at_power_on(tmp_path: Path) -> None:
    filtered = scenario(actions=[[[], ["A"]]])
    found = check(build(tmp_path, scenario__json=filtered, metadata__json={}))
    assert [(f.severity, f.path) for f in found if f.code == "start-filtered"] == [
        ("warning", "actions")
    ]


def test_a_script_that_does_not_compile_is_told_with_its_line(tmp_path: Path) -> None:
    directory = build(tmp_path, scenario__json=scenario(scripts=["script.lua"]))
    (directory / "script.lua").write_text("function f()\n  x = = 2\nend\n")
    (found,) = check(directory)
    assert (found.code, found.severity, found.file.name, found.line) == (
        "script-invalid", "error", "script.lua", 2,
    )  # fmt: skip
    (directory / "script.lua").write_text("error('only when it runs')\n")
    assert check(directory) == ()


def test_faults_of_the_directory(tmp_path: Path) -> None:
    directory = build(tmp_path, "Game", metadata__json={"default_state": "Gone"})
    (directory / "rom.sha").write_text("00\n")
    (directory / "rom.nes").write_bytes(b"NES\x1a\x02" + bytes(11) + b"game")
    (directory / "extra.lua").write_text("x = 1\n")
    (directory / "Level1.state").write_bytes(gzip.compress(b"raw")[:-3])
    found = {f.code: f for f in check(directory)}
    assert set(found) == {
        "default-state-missing", "sha-mismatch", "script-unused", "state-damaged",
        "name-without-system", "rom-cut-off",
    }  # fmt: skip
    assert found["rom-cut-off"].message.startswith("its header counts 32,784 bytes and it has 20")
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
    assert {(f.code, str(f.severity)) for f in found} == {
        ("metadata-missing", "error"), ("scenario-missing", "warning"),
        ("sha-missing", "warning"), ("states-none", "warning"),
    }  # fmt: skip


def test_a_rom_sha_without_a_hash_is_empty_and_not_missing(tmp_path: Path) -> None:
    directory = build(tmp_path)
    (directory / "rom.sha").write_text("\n")
    [finding] = check(directory)
    assert (finding.code, finding.file) == ("sha-empty", directory / "rom.sha")


@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_verdicts_agree_with_trying_every_value(op: Op) -> None:
    for reference in range(-5, 6):
        for low, high in ((0, 3), (-3, 3), (0, 0), (2, 4)):
            outcomes = {op.of(value, reference) > 0 for value in range(low, high + 1)}
            expected = outcomes.pop() if len(outcomes) == 1 else None
            assert holds(op, reference, low, high) is expected, (reference, low, high)


@pytest.mark.parametrize("mask", [None, 0, 5, 15, 300, -113, -1, -200, -(2**40)])
@pytest.mark.parametrize("spec", ["|u1", "|i1", "|d1"])
def test_ranges_hold_every_value_that_a_masked_byte_can_have(spec: str, mask: int | None) -> None:
    data_type = DataType.parse(spec)
    low, high = measured_range(VariableSpec("v", 0, data_type, mask), Measurement.ABSOLUTE)
    values = [data_type.decode(bytes([raw])) for raw in range(256)]
    masked = [value if mask is None else value & mask for value in values]
    assert low <= min(masked)
    assert max(masked) <= high
