"""The one path of a frame: inputs, core, live memory, variables, scenario, timeline, result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DocumentError, ScriptError
from integrator.domain.frames.observation import ObservationRule
from integrator.domain.integration.files import Integration
from integrator.domain.scenario.scoring import OutcomeChunk, ScenarioEngine
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Crop
from integrator.domain.search.results import Activity
from integrator.domain.timeline.block import HELD, REWRITTEN
from integrator.domain.timeline.ramlog import Differences
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, DataType
from integrator.domain.values.variables import Columns, VariableReader, VariableSpec
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.result import ChunkResult, FrameResult
from libretro_host.host import AvInfo, CapturePlan, CoreHost, Frame, RamChanges, RunResult
from libretro_host.systems.descriptor import SystemDescriptor

Frozen: TypeAlias = Mapping[tuple[int, DataType], tuple[int, int | None]]
"""Values that are held, by address and type, each with a mask of its bits, or None for all."""


class RecordedMemory:
    """A copy of RAM, uint8 (ram_bytes,), that is read and written by address."""

    def __init__(self, space: AddressSpace, ram: NDArray[np.uint8]) -> None:
        self.space, self.ram = space, ram

    def read(self, address: int, spec: str | DataType) -> int:
        """Return the value at an absolute ``address``. Raises AddressError, DataTypeError."""
        return self.space.read(self.ram, address, _as_type(spec))

    def put(self, address: int, spec: str | DataType, value: int) -> None:
        """Write ``value``. Raises AddressError, DataTypeError."""
        for offset, data in self.space.encode_write(address, _as_type(spec), value):
            self._put_bytes(offset, data)

    def put_bits(self, address: int, data_type: DataType, value: int, mask: int | None) -> bool:
        """Write ``value``, or only the bits of ``mask``; return True if they were others."""
        before = self.read(address, data_type)
        if mask is not None:
            value = before & ~mask | value & mask
        self.put(address, data_type, value)
        return before != value

    def _put_bytes(self, offset: int, data: bytes) -> None:
        self.ram[offset : offset + len(data)] = np.frombuffer(data, np.uint8)


class LiveMemory(RecordedMemory):
    """A core's RAM: reads come from an up-to-date copy, and writes go to the core, too."""

    def __init__(self, host: CoreHost, space: AddressSpace) -> None:
        super().__init__(space, host.read_ram())
        self._host = host
        self._frozen: Frozen = {}
        # Called with all frozen values after each change of them.
        self.on_frozen: Callable[[Frozen], object] = lambda _: None
        self.written = False  # something was written since the last :meth:`take_written`
        self._activity: Activity | None = None
        # Called before each poke, which it may refuse by raising an error.
        self.before_poke: Callable[[], object] = lambda: None
        # Called before each write, to bring the core to the present frame.
        self.settle: Callable[[], object] = lambda: None

    def count_changes(self) -> Activity:
        """Count from now on which bytes each frame changes; all callers share the counts."""
        if self._activity is None:
            self._activity = Activity(self.space)
        return self._activity

    def write(self, address: int, spec: str | DataType, value: int) -> None:
        """Poke ``value``. Raises AddressError, DataTypeError, or MovieError while recording."""
        self.before_poke()
        self.put(address, spec, value)

    def put(self, address: int, spec: str | DataType, value: int) -> None:
        """Write a value for a script, also while recording, because a replay repeats the write."""
        self.settle()
        super().put(address, spec, value)
        self.written = True

    def _put_bytes(self, offset: int, data: bytes) -> None:
        self._host.write_ram(offset, data)
        super()._put_bytes(offset, data)

    def freeze(
        self, address: int, spec: str | DataType, value: int, *, mask: int | None = None
    ) -> None:
        """Write ``value``, or only the bits of ``mask``, now and after every frame until thawed."""
        data_type = _as_type(spec)
        self.put_bits(address, data_type, value, mask)
        self.keep_frozen({**self._frozen, (address, data_type): (value, mask)})

    def thaw(self, address: int, spec: str | DataType) -> None:
        """Let the game write the address again."""
        key = address, _as_type(spec)
        self.keep_frozen({other: held for other, held in self._frozen.items() if other != key})

    def keep_frozen(self, frozen: Frozen) -> None:
        """Write exactly these values after every frame from the next one on."""
        self._frozen = frozen
        self.on_frozen(frozen)

    @property
    def frozen(self) -> Mapping[tuple[int, DataType], int]:
        return {key: value for key, (value, _) in self._frozen.items()}

    def apply_frozen(self) -> bool:
        """Write the frozen values, as after each frame; return True if they were others."""
        wrote = [self.put_bits(*where, *held) for where, held in self._frozen.items()]
        return any(wrote)

    def apply(self, changes: RamChanges) -> None:
        """Bring the copy up to date with a run's changes."""
        # Assign frame by frame, because numpy does not promise which of repeated offsets wins.
        end = 0
        for count in changes.counts.tolist():
            start, end = end, end + count
            self.ram[changes.offsets[start:end]] = changes.values[start:end]
            if self._activity is not None:
                self._activity.note(changes.offsets[start:end])

    def refresh(self) -> None:
        """Read the whole RAM again, after something other than a frame changed it."""
        self.ram = self._host.read_ram()

    def attach(self, host: CoreHost) -> None:
        """Go on with another host of the same game, as after a crash."""
        self._host = host
        self.refresh()

    def take_written(self) -> bool:
        """Return True if something was written since the last call."""
        written, self.written = self.written, False
        return written


def _as_type(spec: str | DataType) -> DataType:
    return spec if isinstance(spec, DataType) else DataType.parse(spec)


@dataclass(frozen=True, slots=True)
class Readout:
    """The documents' view of RAM: a reader of the variables, and the engine that scores them."""

    reader: VariableReader
    engine: ScenarioEngine


class Pipeline:
    """Advances a core in chunks of frames, which scripts and frozen values limit to one frame."""

    def __init__(
        self, host: CoreHost, memory: LiveMemory, timeline: Timeline, readout: Readout
    ) -> None:
        self.loaded = host
        # Brings the core to the present frame; None if it stands there.
        self.settle: Callable[[], object] | None = None
        self.memory = memory
        memory.settle = self.stand
        self.timeline, self.readout = timeline, readout
        self.frame: Frame | None = None
        self.last: FrameResult | None = None
        self.pictured = 0  # the number of the frame that the picture shows
        # Returns a text while recorded frames lack the present rules' scores.
        self.stale: Callable[[], str] = str
        # The values that were scored last, from before a script wrote memory on that frame.
        self.scored: Mapping[str, int] | None = None
        # True once an episode was begun or a state loaded; scripts run only then.
        self.started = False
        self.episode_begins = False
        # True if scripts were loaded again within an episode, so that they lack its globals.
        self.scripts_behind = False
        self._script_error: str | None = None

    @property
    def host(self) -> CoreHost:
        """The core, brought to the present frame; ``loaded`` is the core at any frame."""
        self.stand()
        return self.loaded

    @host.setter
    def host(self, host: CoreHost) -> None:
        self.loaded, self.settle = host, None

    def stand(self) -> None:
        """Bring the core to the present frame. Raises TimelineError."""
        if self.settle is not None:
            self.settle()
            self.settle = None

    def begin_episode(self) -> None:
        """Make the next frame, which must be run singly, an episode's first."""
        self.scored = None
        self.scripts_behind = False
        self.started = self.episode_begins = True

    def read_values(self) -> dict[str, int]:
        return self.readout.reader.read(self.memory.ram)

    def advance(self, inputs: Inputs, plan: CapturePlan) -> list[ChunkResult]:
        """Run one frame per row of ``inputs``, score each once, and append all to the timeline."""
        if self.memory.frozen or not self.readout.engine.vectorisable:
            return [self._advance(inputs[i : i + 1], plan) for i in range(len(inputs))]
        return [self._advance(inputs, plan)]

    def _advance(self, inputs: Inputs, plan: CapturePlan) -> ChunkResult:
        reader = self.readout.reader
        if self.memory.take_written():
            state = self.host.serialize()
            self.timeline.discontinuity("poke", state, self.memory.ram, loaded=False)
        number = self.timeline.length + 1
        run = self.host.run(inputs, replace(plan, changes=True, hashes=True, ranges=reader.ranges))
        if run.changes is None:
            raise AssertionError("the host left out what the plan asked for")
        self.memory.apply(run.changes)
        written = HELD if self.memory.apply_frozen() else 0
        if run.frame is not None:
            self.frame, self.pictured = run.frame, number + len(inputs) - 1
        if self.episode_begins:
            self.episode_begins = False
            try:
                # Scripts are loaded after the idle frame, because they may write RAM.
                self.readout.engine.reset()
            except ScriptError as failure:
                self._script_error = str(failure)
        columns = Columns({}, np.empty((0, len(inputs)), np.int64))
        if run.ranges is not None:
            columns = reader.read_ranges(run.ranges)
        if self.memory.written:
            values = self.read_values()
            rows = {name: row for row, name in enumerate(values)}
            columns = Columns(rows, np.array([*values.values()], np.int64).reshape(-1, 1))
        outcomes, last = self._score(columns, inputs, run)
        changes = run.changes
        ram: Differences | NDArray[np.uint8]
        ram = Differences(changes.counts, changes.offsets, changes.values)
        if self.memory.take_written():
            written |= REWRITTEN
            ram = self.memory.ram
        self.timeline.append(
            inputs,
            ram,
            values={**columns, **outcomes.custom} if outcomes.custom else columns,
            rewards=outcomes.rewards,
            done=outcomes.done,
            lag=run.lag,
            hashes=run.hashes,
            terms=outcomes.by_term,
            written=written,
        )
        return ChunkResult(number, inputs, columns, outcomes, run, last)

    def _score(
        self, columns: Columns, inputs: Inputs, run: RunResult
    ) -> tuple[OutcomeChunk, FrameResult]:
        """Score the chunk exactly once; return its outcomes and its last frame's result."""
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
        # As in training, values are read after the scripts ran, and include the scripts' own.
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
            runs=self.timeline.runs,
        )


class LiveScriptMemory:
    """Reads and writes variables for scripts' ``data.*``; implements ``ScriptMemory``."""

    def __init__(self, memory: RecordedMemory, variables: Mapping[str, VariableSpec]) -> None:
        self._memory, self._variables = memory, variables

    def read_variable(self, name: str) -> int:
        """Return the variable in RAM now, masked. Raises KeyError, AddressError."""
        spec = self._variables[name]
        value = self._memory.read(spec.address, spec.type)
        mask = spec.signed_mask
        return value if mask is None else value & mask

    def write_variable(self, name: str, value: int) -> None:
        """Write a variable; a value that does not fit wraps. Raises KeyError, AddressError."""
        spec = self._variables[name]
        self._memory.put(spec.address, spec.type, spec.type.wrap(value))

    def read_byte(self, address: int) -> int:
        """Return the byte at an absolute address. Raises AddressError."""
        # No data type is used, because scripts read many bytes on each frame.
        return int(self._memory.ram[self._memory.space.offset(address)])


DEFAULT_SCENARIO = "scenario"


def read_documents(
    integration: Integration, scenario: str | None, players: int, memory: RecordedMemory
) -> Readout:
    """Make a readout of the documents. Raises DocumentError, ScenarioError, ScriptError."""
    spec, variables = scenario_spec(integration, scenario), dict(integration.variables)
    live, hooks = LiveScriptMemory(memory, variables), None
    if spec.scripts:
        hooks = ScriptHooks.of(spec, integration.scripts, live)
    return Readout(VariableReader(variables, memory.space), ScenarioEngine(spec, players, hooks))


def scenario_spec(integration: Integration, name: str | None) -> ScenarioSpec:
    """Parse the scenario file of that name (without suffix); None means ``scenario``."""
    name = name or DEFAULT_SCENARIO
    document = integration.scenarios.get(name)
    if document is None:
        known = ", ".join(integration.scenarios) or "none"
        raise DocumentError(f"{integration.directory}: no scenario {name!r}; there is: {known}")
    return ScenarioSpec.parse(document.value, path=str(document.path))


def observation_rule(system: SystemDescriptor, av: AvInfo, crop: Crop) -> ObservationRule:
    """Return the rule for observations: the size of a console or core, and a scenario's crop."""
    width, height = system.observation
    return ObservationRule(width or av.base_width, height or av.base_height, crop)


def observe(frame: Frame, rule: ObservationRule) -> NDArray[np.uint8]:
    """Return stable-retro's observation of a frame, uint8 of shape (height, width, 3)."""
    return rule.observe(frame.drawn_rgb(), frame.pixel_format.channel_bits, frame.rotation)
