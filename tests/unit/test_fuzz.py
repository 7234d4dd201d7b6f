"""Mutated documents and scripts: typed errors only, no hang, no memory that stays.

1,000 mutations of each by default, 10,000 with INTEGRATOR_FULL=1 in the environment.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzz_mutations import LUA_PIECES, PIECES, mutated, runs
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from integrator import paths
from integrator.domain.errors import AddressError, IntegratorError, ScriptError
from integrator.domain.integration import load_integration
from integrator.domain.jsontext import JsonText, same
from integrator.domain.lint import LintOptions, SystemFacts, lint
from integrator.domain.lint_schema import SchemaSet
from integrator.domain.scenario import ScenarioEngine, ScenarioSpec, ScriptCall
from integrator.domain.script import ScriptHooks
from integrator.domain.script_sandbox import ScriptLimits
from libretro_host.kernel import resident_bytes

LONGEST_CPU_S = 5.0
"""No single document or script may take longer; scripts alone are stopped at 0.4 s a call."""
GROWTH_BYTES = 100 << 20
# Endless loops are frequent here: a smaller budget ends them sooner.
LIMITS = ScriptLimits(instructions=200_000, cpu_ms=100)
NAMES = ("data.json", "scenario.json", "metadata.json")

SETTINGS = settings(
    max_examples=runs(),
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
DATA = """{
  "info": {
    "score": {"address": 770, "type": "<u2"},
    "lives": {"address": 16712282, "type": ">i2", "mask": -113},
    "time": {"address": 5, "type": "|d1"}
  }
}
"""
SCENARIO = """{
  "done": {"condition": "any", "variables": {"lives": {"op": "zero"}},
           "nodes": {"n": {"condition": "all",
                           "variables": {"time": {"op": "equal", "reference": 3}}}}},
  "rewards": [{"variables": {"score": {"reward": 0.1, "penalty": 2}}, "time": {"reward": -0.5}},
              {"script": "lua:f"}],
  "actions": [[[], ["A"]], [[], ["START"], ["A", "B"]]], "crop": [0, 0, 10, 0], "scripts": ["s.lua"]
}
"""
METADATA = """{"default_state": "Level1", "default_player_state": ["a", "b"],
 "states": {"Level1": {"tags": ["stuck"], "runs": [{"rewards": {"mean": 1.5}}]}}, "whitelist": {}}
"""
SCRIPTS = (
    """
data.best = 0
local seen = {}
function f()
  if data.score > data.best then data.best = data.score end
  for i = 1, 10 do seen[i] = string.format("%d-%s", i, tostring(data.lives)) end
  table.sort(seen)
  return data.best / 3 + #table.concat(seen) + scenario.frame
end
function g() return data[5] == 1 or scenario.timestep > 9 end
""",
    """
local c = coroutine.create(function() while true do coroutine.yield(1) end end)
function f() local ok, v = pcall(coroutine.resume, c) return ok and 1 or 0 end
function g() return ("x"):rep(10):find("x+$") ~= nil end
setmetatable(_G, {__index = function(t, k) return 0 end})
""",
)


class Ram:
    """Script memory without a game."""

    def __init__(self) -> None:
        self.values = {"score": 5, "lives": 3}

    def read_variable(self, name: str) -> int:
        return self.values[name]

    def write_variable(self, name: str, value: int) -> None:
        if name not in self.values:
            raise KeyError(name)
        self.values[name] = value

    def read_byte(self, address: int) -> int:
        if not 0 <= address < 2048:
            raise AddressError(f"0x{address:X} is not mapped")
        return address & 255


class Grown:
    """Measures what a fuzz run leaves behind, without what its first examples set up."""

    def __init__(self) -> None:
        self.examples = 0
        self._before = 0

    def note(self) -> None:
        self.examples += 1
        if self.examples == 200:
            self._before = collected_bytes()

    def check(self) -> None:
        assert self.examples >= runs() * 0.9
        # What hypothesis keeps of its examples is among it; Lua states of 16 MiB would be too.
        grown = collected_bytes() - self._before
        assert grown < GROWTH_BYTES, f"the process grew by {grown >> 20} MiB"


def collected_bytes() -> int:
    gc.collect()
    return resident_bytes()


@pytest.fixture
def grown() -> Iterator[Grown]:
    grown = Grown()
    yield grown
    grown.check()


@pytest.fixture(scope="module")
def options() -> LintOptions:
    facts = SystemFacts(("A", "B", "START"), (((), ("A",)),))
    return LintOptions(SchemaSet(paths.shipped("resources") / "schemas"), {"Nes": facts})


@SETTINGS
@given(text=mutated((DATA, SCENARIO, METADATA), PIECES), name=st.sampled_from(NAMES))
def fuzz_documents(
    tmp_path: Path, options: LintOptions, grown: Grown, text: str, name: str
) -> None:
    grown.note()
    began = time.process_time()
    for other in NAMES:
        (tmp_path / other).unlink(missing_ok=True)
    data = text.encode("utf-8", "surrogatepass")
    (tmp_path / name).write_bytes(data)
    with contextlib.suppress(IntegratorError):
        integration = load_integration(tmp_path)
        document = next(d for d in integration.documents if d.on_disk)
        assert document.encoded() == data
        for finding in lint(integration, options):
            assert finding.message
            assert str(finding)
        with document.edit() as value:
            value["added"] = 1
        saved = JsonText(document.encoded().decode("utf-8-sig"))
        assert same(saved.value, document.value)
        ScenarioEngine(ScenarioSpec.parse(document.value)).score({}, None)
    assert time.process_time() - began < LONGEST_CPU_S


@SETTINGS
@given(text=mutated(SCRIPTS, LUA_PIECES))
def fuzz_scripts(grown: Grown, text: str) -> None:
    grown.note()
    began = time.process_time()
    hooks = ScriptHooks({"s.lua": text}, Ram(), LIMITS)
    with contextlib.suppress(ScriptError):
        hooks.reset()
        hooks.begin_frame(1)
        assert isinstance(hooks.call(ScriptCall("f")), int | float)
        hooks.begin_frame(2)
        assert isinstance(hooks.call(ScriptCall("g", "lua")), int | float)
    assert all(isinstance(value, int) for value in hooks.custom.values())
    assert time.process_time() - began < LONGEST_CPU_S


def test_mutated_documents(tmp_path: Path, options: LintOptions, grown: Grown) -> None:
    folder = tmp_path / "Fuzz-Nes"
    folder.mkdir()
    fuzz_documents(folder, options, grown)


def test_mutated_scripts(grown: Grown) -> None:
    fuzz_scripts(grown)
