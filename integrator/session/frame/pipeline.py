"""The one path of a frame: inputs, core, memory, variables, scenario, timeline, result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DocumentError, ScriptError
from integrator.domain.frames.observation import ObservationRule
from integrator.domain.integration.directory import Integration
from integrator.domain.scenario.scoring import OutcomeChunk, ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Crop
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import Columns, VariableReader, VariableSpec
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.live_memory import LiveMemory
from integrator.session.frame.result import ChunkResult, FrameResult
from libretro_host.host import AvInfo, CapturePlan, CoreHost, Frame, RamChanges, RunResult
from libretro_host.systems.descriptor import SystemDescriptor


@dataclass(frozen=True, slots=True)
class Readout:
    """The documents' view of RAM: a reader of the variables, and the engine that scores them."""

    reader: VariableReader
    engine: ScenarioEngine


class Pipeline:
    """Advances a core by chunks and keeps their results; scripts and freezes force single ones."""

    def __init__(
        self, host: CoreHost, memory: LiveMemory, timeline: Timeline, readout: Readout
    ) -> None:
        self.loaded = host
        # Brings the core to the frame that is shown; None when it stands there.
        self.settle: Callable[[], object] | None = None
        self.memory = memory
        memory.settle = self.stand
        self.timeline = timeline
        self.readout = readout
        self.frame: Frame | None = None
        # The frame of the timeline that the picture is of.
        self.pictured = 0
        # The values that the scenario scored last: from before a script wrote on that frame.
        self.scored: Mapping[str, int] | None = None
        # An episode was begun, or a state loaded: then scripts run.
        self.started = False
        self._episode_begins = False
        self._script_error: str | None = None
        # Frames after which scripts or frozen addresses wrote RAM: no input explains those bytes.
        self._rewritten: set[int] = set()

    @property
    def host(self) -> CoreHost:
        """The core at the frame that is shown; ``loaded`` is the core wherever it stands."""
        self.stand()
        return self.loaded

    @host.setter
    def host(self, host: CoreHost) -> None:
        self.loaded, self.settle = host, None

    def stand(self) -> None:
        """Bring the core to the frame that is shown. Raises TimelineError."""
        if self.settle is not None:
            self.settle()
            self.settle = None

    def begin_episode(self) -> None:
        """Make the next frame, which must be run singly, an episode's first."""
        self.scored = None
        self.started = self._episode_begins = True

    @property
    def episode_begins(self) -> bool:
        return self._episode_begins

    def read_values(self) -> dict[str, int]:
        return self.readout.reader.read(self.memory.ram)

    def rewritten_between(self, start: int, stop: int) -> list[int]:
        """The frames after ``start`` and up to ``stop`` at whose end something wrote RAM."""
        return [frame for frame in range(start + 1, stop + 1) if frame in self._rewritten]

    def advance(self, inputs: Inputs, plan: CapturePlan) -> list[ChunkResult]:
        """Run one frame a row of ``inputs``, score each exactly once, append to the timeline."""
        if self.memory.frozen or not self.readout.engine.vectorisable:
            return [self._advance(inputs[i : i + 1], plan) for i in range(len(inputs))]
        return [self._advance(inputs, plan)]

    def _advance(self, inputs: Inputs, plan: CapturePlan) -> ChunkResult:
        reader = self.readout.reader
        if self.memory.take_written():
            self.timeline.discontinuity("poke", self.host.serialize(), self.memory.ram)
        number = self.timeline.length + 1
        run = self.host.run(inputs, replace(plan, changes=True, hashes=True, ranges=reader.ranges))
        if run.changes is None:
            raise AssertionError("the host left out what the plan asked for")
        self.memory.apply(run.changes)
        self.memory.apply_frozen()
        if run.frame is not None:
            self.frame, self.pictured = run.frame, number + len(inputs) - 1
        if self._episode_begins:
            self._reset_scenario()
        columns = (
            Columns({}, np.empty((0, len(inputs)), np.int64))
            if run.ranges is None
            else reader.read_ranges(run.ranges)
        )
        if self.memory.written:
            values = self.read_values()
            rows = {name: row for row, name in enumerate(values)}
            columns = Columns(rows, np.array([*values.values()], np.int64).reshape(-1, 1))
        outcomes, last = self._score(columns, inputs, run)
        self._append(number, run, inputs, columns, outcomes)
        return ChunkResult(number, inputs, columns, outcomes, run, last)

    def _append(
        self, number: int, run: RunResult, inputs: Inputs, columns: Columns, outcomes: OutcomeChunk
    ) -> None:
        assert run.changes is not None  # noqa: S101 - for the type checker: just looked at
        ram: RamChanges | NDArray[np.uint8] = run.changes
        if self.memory.take_written():
            self._rewritten.add(number)
            ram = self.memory.ram
        self.timeline.append(
            inputs,
            ram,
            values=columns,
            rewards=outcomes.rewards,
            done=outcomes.done,
            lag=run.lag,
            hashes=run.hashes,
        )

    def _reset_scenario(self) -> None:
        """Clear totals and reload scripts; after the idle frame, as loading one may write RAM."""
        self._episode_begins = False
        try:
            self.readout.engine.reset()
        except ScriptError as failure:
            self._script_error = str(failure)

    def _score(
        self, columns: Columns, inputs: Inputs, run: RunResult
    ) -> tuple[OutcomeChunk, FrameResult]:
        """Score the chunk exactly once; returns its outcomes and the result of its last frame."""
        engine, single = self.readout.engine, len(inputs) == 1
        try:
            outcomes = engine.score_chunk(columns, self.scored, len(inputs))
        except ScriptError as failure:
            self._script_error = self._script_error or str(failure)
            outcomes = engine.skip()
        outcome = outcomes.last
        previous = self.scored if single else columns.row(-2)
        values = columns.row(-1)
        self.scored = values
        # As in training: info is read after the scripts ran, their own variables among the others.
        if outcome.wrote_memory:
            values = self.read_values()
        if outcome.custom:
            values = {**values, **outcome.custom}
        error, self._script_error = self._script_error, None
        return outcomes, FrameResult(
            number=self.timeline.length + len(inputs),
            inputs=tuple(inputs[-1].tolist()),
            values=values,
            previous=previous,
            outcome=outcome,
            frame=self.frame,
            audio=run.audio,
            messages=run.messages,
            script_error=error,
            gains=outcome.terms if single else outcomes.gains,
        )


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
