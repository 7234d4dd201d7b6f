"""Every script that stable-retro ships loads here, and its scenario's functions can be called."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from integrator.domain.errors import AddressError
from integrator.domain.scenario.sandbox import functions_of
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ScenarioSpec

FOUND = importlib.util.find_spec("stable_retro")
if FOUND is None or FOUND.origin is None:
    pytest.skip("stable-retro is not installed", allow_module_level=True)
SCRIPTS = sorted((Path(FOUND.origin).parent / "data").glob("*/*/*.lua"))


class GivenMemory:
    """The variables of a data.json, all with one value."""

    def __init__(self, names: set[str], value: int) -> None:
        self.values = dict.fromkeys(names, value)

    def read_variable(self, name: str) -> int:
        return self.values[name]

    def write_variable(self, name: str, value: int) -> None:
        if name not in self.values:
            raise KeyError(name)
        self.values[name] = value

    def read_byte(self, address: int) -> int:
        raise AddressError(f"address {address} is not mapped")


def test_there_are_as_many_as_known() -> None:
    assert len(SCRIPTS) == 53


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parent.name)
def test_a_shipped_script_scores(script: Path) -> None:
    text = script.read_text(encoding="utf-8", errors="surrogateescape")
    names = set(json.loads((script.parent / "data.json").read_text())["info"])
    spec = ScenarioSpec.parse(json.loads((script.parent / "scenario.json").read_text()))
    assert not spec.problems
    memory = GivenMemory(names, 0)
    hooks = ScriptHooks({script.name: text}, memory)
    engine = ScenarioEngine(spec, 1, hooks)
    engine.reset()
    assert {call.function for call in spec.script_calls} <= set(functions_of(text))
    previous = None
    for value in (0, 1, 2, 40, 3, 0, 255):
        memory.values.update(dict.fromkeys(names, value))
        current = dict(memory.values)
        outcome = engine.score(current, previous)
        previous = current
        assert outcome.rewards[0] == outcome.rewards[0], "a number"
