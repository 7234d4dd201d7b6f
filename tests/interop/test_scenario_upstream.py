"""Our scoring against stable-retro's own, frame by frame, on a game that it ships."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import warm_children
from nightly import more_by_night
from scenario_cases import (
    ACTION_CASES,
    SCRIPT_CASES,
    Generator,
    data_json,
    each_op_and_measurement,
)

from integrator.domain.errors import AddressError
from integrator.domain.scenario.scoring import Outcome, ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ActionSet, ScenarioSpec
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region
from integrator.domain.values.variables import VariableReader, VariableSpec

pytest.importorskip("stable_retro")

STEPS = 1000
SCRIPT_STEPS = more_by_night(300, 1000)
GENERATED = more_by_night(0, 15)
PLAYERS = 2
GENESIS_ACTIONS = [
    [[], ["UP"], ["DOWN"]],
    [[], ["LEFT"], ["RIGHT"]],
    [[], ["A"], ["B"], ["C"], ["X"], ["Y"], ["Z"], ["A", "B"], ["B", "C"], ["A", "X"],
     ["B", "Y"], ["C", "Z"], ["X", "Y"], ["Y", "Z"]],
]  # fmt: skip

SPACE = AddressSpace([Region(0xFF0000, 0x10000)], Overlay("=", ">", 2))
VARIABLES = {
    name: VariableSpec(name, entry["address"], DataType.parse(entry["type"]), entry.get("mask"))
    for name, entry in data_json()["info"].items()
}
READER = VariableReader(VARIABLES, SPACE)
GENERATOR = Generator(1)
SCENARIOS = [*each_op_and_measurement(), *(GENERATOR.scenario() for _ in range(GENERATED))]
# The whole neighborhood that the `bytes` script reads, besides the variables.
BYTES = range(0xFF0200, 0xFF0300)


def captured_offsets() -> list[int]:
    ranges = [at for start, size in READER.ranges for at in range(start, start + size)]
    return sorted({*ranges, *(address - 0xFF0000 for address in BYTES)})


@dataclass
class Run:
    """One recorded episode: frame 0 is the reset's own. Arrays have the frames first."""

    values: Mapping[str, npt.NDArray[np.int64]]
    ram: npt.NDArray[np.uint8]
    rewards: npt.NDArray[np.float64]
    totals: npt.NDArray[np.float64]
    done: npt.NDArray[np.bool_]
    info: list[dict[str, int]]

    def frame(self, index: int) -> dict[str, int]:
        return {name: int(column[index]) for name, column in self.values.items()}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    work = tmp_path_factory.mktemp("judge")
    offsets = captured_offsets()
    request = {
        "data": data_json(),
        "offsets": offsets,
        "steps": STEPS,
        "script_steps": SCRIPT_STEPS,
        "scenarios": SCENARIOS,
        "scripts": SCRIPT_CASES,
        "actions": ACTION_CASES,
    }
    (work / "request.json").write_text(json.dumps(request))
    program = Path(__file__).with_name("scenario_recorder.py")
    child = warm_children.run(
        [sys.executable, "-W", "ignore", str(program), str(work)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert child.returncode == 0, child.stderr
    found: dict[str, Any] = json.loads((work / "record.json").read_text())
    with np.load(work / "record.npz") as arrays:
        for name in ("first", "second", *SCRIPT_CASES):
            found[name] = _run(arrays, name, found[name], offsets)
    return found


def _run(arrays: Any, name: str, info: list[dict[str, int]], offsets: list[int]) -> Run:
    captured = arrays[f"{name}/ram"]
    ram = np.zeros((len(captured), SPACE.size_bytes), np.uint8)
    ram[:, offsets] = captured
    return Run(
        values=READER.read_array(ram),
        ram=ram,
        rewards=arrays[f"{name}/rewards"],
        totals=arrays[f"{name}/totals"],
        done=arrays[f"{name}/done"],
        info=info,
    )


def test_the_game_moves(record: dict[str, Any]) -> None:
    run: Run = record["first"]
    assert len(run.info) == STEPS + 1
    moving = [name for name, column in run.values.items() if len(set(column.tolist())) > 2]
    assert len(moving) >= 5
    assert len(set(run.values["score"].tolist())) > 5
    assert [run.frame(i) for i in range(STEPS + 1)] == run.info


def test_each_scenario_scores_the_same(record: dict[str, Any]) -> None:
    run: Run = record["first"]
    used = np.abs(run.rewards[:, :, 0]).sum(axis=0) > 0
    assert used.mean() > 0.5, "most scenarios should reward something"
    frames = [run.frame(index) for index in range(len(run.info))]
    for number, scenario in enumerate(SCENARIOS):
        engine = ScenarioEngine(ScenarioSpec.parse(scenario), PLAYERS)
        engine.reset()
        for index, values in enumerate(frames):
            outcome = engine.score(values, frames[index - 1] if index else None)
            where = f"scenario {number}, frame {index}: {scenario}"
            assert outcome.rewards == tuple(run.rewards[index, number]), where
            assert outcome.total_rewards == tuple(run.totals[index, number]), where
            assert outcome.done == run.done[index, number], where


def test_chunks_score_the_same(record: dict[str, Any]) -> None:
    run: Run = record["first"]
    for number, scenario in enumerate(SCENARIOS):
        engine = ScenarioEngine(ScenarioSpec.parse(scenario), PLAYERS)
        engine.reset()
        start, previous = 0, None
        for size in (1, 400, 7, STEPS + 1 - 408):
            part = {name: column[start : start + size] for name, column in run.values.items()}
            chunk = engine.score_chunk(part, previous, size)
            stop = start + size
            np.testing.assert_array_equal(chunk.rewards, run.rewards[start:stop, number])
            np.testing.assert_array_equal(chunk.total_rewards, run.totals[start:stop, number])
            np.testing.assert_array_equal(chunk.done, run.done[start:stop, number])
            start, previous = stop, run.frame(stop - 1)


def test_a_second_episode_scores_the_same_steps(record: dict[str, Any]) -> None:
    """After a reset upstream's first frame is compared with the old episode: no step sees that."""
    run: Run = record["second"]
    for number, scenario in enumerate(SCENARIOS):
        engine = ScenarioEngine(ScenarioSpec.parse(scenario), PLAYERS)
        engine.reset()
        chunk = engine.score_chunk(run.values, None, len(run.info))
        np.testing.assert_array_equal(chunk.rewards[1:], run.rewards[1:, number])
        np.testing.assert_array_equal(chunk.done[1:], run.done[1:, number])


class RecordedMemory:
    """The RAM of the frame that is being scored; writes change it as they change the core's."""

    def __init__(self, ram: npt.NDArray[np.uint8]) -> None:
        self.ram = ram

    def read_variable(self, name: str) -> int:
        values: Mapping[str, int] = {name: READER.read(self.ram)[name]}
        return values[name]

    def write_variable(self, name: str, value: int) -> None:
        spec = VARIABLES[name]
        for offset, raw in SPACE.encode_write(spec.address, spec.type, spec.type.wrap(value)):
            self.ram[offset : offset + len(raw)] = np.frombuffer(raw, np.uint8)

    def read_byte(self, address: int) -> int:
        if address not in BYTES:
            raise AddressError(f"{address} was not recorded")
        return SPACE.read(self.ram, address, DataType.parse("|u1"))


@pytest.mark.parametrize("name", SCRIPT_CASES)
def test_scripts_score_the_same(record: dict[str, Any], name: str) -> None:
    run: Run = record[name]
    scenario, text = SCRIPT_CASES[name]
    spec = ScenarioSpec.parse(scenario)
    memory = RecordedMemory(run.ram[0].copy())
    hooks = ScriptHooks.of(spec, {"script.lua": text}, memory)
    engine = ScenarioEngine(spec, PLAYERS, hooks)
    engine.reset()
    for index, info in enumerate(run.info):
        memory.ram = run.ram[index].copy()
        outcome: Outcome = engine.score(run.frame(index), run.frame(index - 1) if index else None)
        assert outcome.rewards == tuple(run.rewards[index, 0]), f"frame {index}"
        assert outcome.total_rewards == tuple(run.totals[index, 0]), f"frame {index}"
        assert outcome.done == run.done[index, 0], f"frame {index}"
        shown = READER.read(memory.ram) if outcome.wrote_memory else run.frame(index)
        assert {**shown, **outcome.custom} == info, f"frame {index}"


@pytest.mark.parametrize("number", range(len(ACTION_CASES)))
def test_actions_are_the_same(record: dict[str, Any], number: int) -> None:
    found = record["actions"][number]
    actions = ActionSet.of(found["buttons"], ACTION_CASES[number] or GENESIS_ACTIONS)
    assert [list(group) for group in actions.groups] == found["valid"]
    assert [actions.filter(mask) for mask in found["masks"]] == found["filtered"]
    assert actions.discrete_size**PLAYERS == found["size"]
    for index, arrays in zip(found["indices"], found["discrete"], strict=True):
        masks = tuple(sum(bit << i for i, bit in enumerate(array)) for array in arrays)
        assert actions.discrete_masks(index, PLAYERS) == masks
        assert actions.discrete_masks(index % actions.discrete_size)[0] == masks[0]
