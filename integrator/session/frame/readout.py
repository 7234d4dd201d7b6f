"""Documents made ready to run: the variable reader, the scoring engine and its Lua hooks."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DocumentError
from integrator.domain.frames.observation import ObservationRule
from integrator.domain.integration.directory import Integration
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Crop
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.frame.live_memory import LiveMemory
from integrator.session.frame.pipeline import Readout
from libretro_host.frame import AvInfo, Frame
from libretro_host.systems.descriptor import SystemDescriptor


class LiveScriptMemory:
    """Reads and writes of ``data.*``; implements ``ScriptMemory``."""

    def __init__(self, memory: LiveMemory, variables: Mapping[str, VariableSpec]) -> None:
        self._memory = memory
        self._variables = variables

    def read_variable(self, name: str) -> int:
        """The variable in RAM now, masked. Raises KeyError, AddressError."""
        spec = self._variables[name]
        value = self._memory.read(spec.address, spec.type)
        mask = spec.signed_mask
        return value if mask is None else value & mask

    def write_variable(self, name: str, value: int) -> None:
        """Write a variable; a value that does not fit wraps. Raises KeyError, AddressError."""
        spec = self._variables[name]
        self._memory.put(spec.address, spec.type, spec.type.wrap(value))

    def read_byte(self, address: int) -> int:
        """The byte at an absolute address. Raises AddressError."""
        return self._memory.read_byte(address)


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


def observation_rule(system: SystemDescriptor, av: AvInfo, crop: Crop) -> ObservationRule:
    """The rule of a console, its core's announcements and a scenario's crop."""
    width, height = system.observation
    return ObservationRule(width or av.base_width, height or av.base_height, crop)


def observe(frame: Frame, rule: ObservationRule) -> NDArray[np.uint8]:
    """stable-retro's observation of a frame, uint8 of shape (height, width, 3)."""
    return rule.observe(frame.drawn_rgb(), frame.pixel_format.channel_bits, frame.rotation)
