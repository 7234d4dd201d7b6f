"""Data types and word-swapped memory against stable-retro itself, in child processes."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warm_children

from integrator.domain.values.memory import ENDIANS, KINDS, AddressSpace, DataType, Overlay, Region
from integrator.domain.values.variables import VariableReader, VariableSpec

pytest.importorskip("stable_retro")

BASE = 0xFF0000
AREA = 0x8000
"""Offset of a stretch that the test may overwrite: no frame is run."""

JUDGE = """
import json, sys
import stable_retro
from stable_retro._retro import RetroEmulator

job = json.load(sys.stdin)
if job["core"]:
    folder = stable_retro.__path__[0]
    info = json.load(open(folder + "/cores/genesis_plus_gx.json"))
    info["Genesis"]["rambase"] = job["core"]["rambase"]
    info["Genesis"].pop("overlay")
    if job["core"]["overlay"]:
        info["Genesis"]["overlay"] = job["core"]["overlay"]
    RetroEmulator.load_core_info(json.dumps(info))
env = stable_retro.make("Airstriker-Genesis-v0", render_mode=None)
env.reset()
memory = env.data.memory
base = next(iter(memory.blocks))
spot = slice(0x8000, 0x8040)
answers = []
for address, spec, fill, value in job["cases"]:
    for index, byte in enumerate(bytes.fromhex(fill)):
        memory.assign(base + 0x8000 + index, "|u1", byte)
    before = memory.blocks[base][spot].hex()
    read = memory.extract(address, spec)
    memory.assign(address, spec, value)
    answers.append((before, read, memory.blocks[base][spot].hex()))
variables = {}
if job["data"]:
    env.data.load(job["data"], job["scenario"])
    variables = env.data.lookup_all()
json.dump(
    {"answers": answers, "variables": variables, "ram": memory.blocks[base].hex()}, sys.stdout
)
"""


def ask(**job: Any) -> Any:
    job = {"core": None, "cases": [], "data": None, "scenario": None} | job
    child = warm_children.run(
        [sys.executable, "-c", JUDGE], input=json.dumps(job), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)


def all_types() -> list[DataType]:
    widths = {1: range(1, 9), 2: (4, 6, 8)}
    return [DataType.parse(f"{e}{k}{w}") for e in ENDIANS for k in KINDS for w in widths[len(e)]]


def cases(rng: random.Random, base: int, rounds: int) -> list[tuple[int, str, str, int]]:
    return [
        (base + AREA + rng.randrange(48), t.spec, rng.randbytes(64).hex(),
         rng.randint(t.minimum, t.maximum))
        for t in all_types() for _ in range(rounds)
    ]  # fmt: skip


def check(space: AddressSpace, asked: list[tuple[int, str, str, int]], answers: Any) -> None:
    for (address, spec, _, value), (before, read, after) in zip(asked, answers, strict=True):
        data_type = DataType.parse(spec)
        ram = np.zeros(space.size_bytes, np.uint8)
        ram[AREA : AREA + 64] = np.frombuffer(bytes.fromhex(before), np.uint8)
        assert space.read(ram, address, data_type) == read, (hex(address), spec, before)
        for offset, data in space.encode_write(address, data_type, value):
            ram[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        assert ram[AREA : AREA + 64].tobytes().hex() == after, (hex(address), spec, value)


def test_every_type_at_even_and_odd_addresses_of_swapped_memory() -> None:
    # Random bytes hold invalid decimal nibbles nearly always.
    asked = cases(random.Random(1), BASE, 12)
    space = AddressSpace([Region(BASE, 0x10000)], Overlay.parse(["=", ">", 2]))
    check(space, asked, ask(cases=asked)["answers"])


@pytest.mark.parametrize(
    ("overlay", "rambase"),
    [(None, BASE), (["=", ">", 2], BASE + 1), (["=", ">", 4], BASE), (["=", ">", 8], BASE + 3),
     (["<", "<", 2], BASE)],
)  # fmt: skip
def test_other_overlays_and_bases(overlay: list[object] | None, rambase: int) -> None:
    asked = cases(random.Random(2), rambase, 3)
    space = AddressSpace([Region(rambase, 0x10000)], Overlay.parse(overlay) if overlay else None)
    answers = ask(cases=asked, core={"overlay": overlay, "rambase": rambase})["answers"]
    check(space, asked, answers)


def test_variables_with_masks_and_variables_outside_memory(tmp_path: Path) -> None:
    rng = random.Random(3)
    info: dict[str, dict[str, object]] = {}
    for number, data_type in enumerate(all_types()):
        for mask in (None, 0, 15, -113, -1, 0xFF00, 2**40):
            entry: dict[str, object] = {"address": BASE + number * 11, "type": data_type.spec}
            info[f"v{len(info)}"] = entry | ({} if mask is None else {"mask": mask})
    info["outside"] = {"address": 0x10, "type": ">u2"}
    rng.shuffle(keys := list(info))
    data, scenario = tmp_path / "data.json", tmp_path / "scenario.json"
    data.write_text(json.dumps({"info": {key: info[key] for key in keys}}))
    scenario.write_text('{"done": {"variables": {}}}')
    answer = ask(data=str(data), scenario=str(scenario))
    specs = {
        name: VariableSpec(name, entry["address"], DataType.parse(entry["type"]), entry.get("mask"))  # type: ignore[arg-type]  # JSON of known shape
        for name, entry in info.items()
    }
    space = AddressSpace([Region(BASE, 0x10000)], Overlay.parse(["=", ">", 2]))
    reader = VariableReader(specs, space)
    ram = np.frombuffer(bytes.fromhex(answer["ram"]), np.uint8)
    assert reader.read(ram) == answer["variables"]
    assert list(reader.skipped) == ["outside"]


def test_the_first_of_repeated_variables_counts(tmp_path: Path) -> None:
    from integrator.domain.integration.json_files import VariablesDocument

    data, scenario = tmp_path / "data.json", tmp_path / "scenario.json"
    scenario.write_text('{"done": {"variables": {}}}')
    first, second = f'{{"address": {BASE}, "type": ">u2"}}', f'{{"address": {BASE}, "type": "<u2"}}'
    data.write_text(f'{{"info": {{"v": {first}, "w": {second}, "v": {second}}}}}')
    answer = ask(data=str(data), scenario=str(scenario))
    space = AddressSpace([Region(BASE, 0x10000)], Overlay.parse(["=", ">", 2]))
    reader = VariableReader(dict(VariablesDocument.load(data)), space)
    values = reader.read(np.frombuffer(bytes.fromhex(answer["ram"]), np.uint8))
    assert values == answer["variables"]
    assert values["v"] != values["w"]
