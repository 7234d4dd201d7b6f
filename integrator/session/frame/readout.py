"""Documents made ready to run: the variable reader, the scoring engine and its Lua hooks."""

from __future__ import annotations

from integrator.domain.errors import DocumentError
from integrator.domain.integration.directory import Integration
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableReader
from integrator.session.frame.live_memory import LiveMemory
from integrator.session.frame.pipeline import Readout
from integrator.session.frame.script_memory import LiveScriptMemory

DEFAULT_SCENARIO = "scenario"


def read_documents(
    integration: Integration,
    scenario: str | None,
    players: int,
    space: AddressSpace,
    memory: LiveMemory,
) -> Readout:
    """A readout of the present documents. Raises DocumentError, ScenarioError, ScriptError."""
    spec = scenario_spec(integration, scenario)
    variables = dict(integration.variables)
    hooks = None
    if spec.scripts:
        script_memory = LiveScriptMemory(memory, variables)
        hooks = ScriptHooks.of(spec, integration.scripts, script_memory)
    reader = VariableReader(variables, space)
    return Readout(reader, ScenarioEngine(spec, players, hooks))


def scenario_spec(integration: Integration, name: str | None) -> ScenarioSpec:
    """The scenario file of that name (no suffix), parsed; None is ``scenario``."""
    name = name or DEFAULT_SCENARIO
    document = integration.scenarios.get(name)
    if document is None:
        known = ", ".join(integration.scenarios) or "none"
        raise DocumentError(f"{integration.directory}: no scenario {name!r}; there is: {known}")
    return ScenarioSpec.parse(document.value, path=str(document.path))
