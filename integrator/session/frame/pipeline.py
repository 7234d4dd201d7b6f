"""The one path of a frame: inputs, core, memory, variables, scenario, timeline, result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScriptError
from integrator.domain.scenario.scoring import OutcomeChunk, ScenarioEngine
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.variables import Columns, VariableReader
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.live_memory import LiveMemory
from integrator.session.frame.result import ChunkResult, FrameResult
from libretro_host.frame import Frame, RamChanges, RunResult
from libretro_host.host import CapturePlan, CoreHost


@dataclass(frozen=True, slots=True)
class Readout:
    """The documents' view of RAM: a reader of the variables, and the engine that scores them."""

    reader: VariableReader
    engine: ScenarioEngine


class Pipeline:
    """Advances a core by chunks of frames and keeps each one's results: RAM, values, timeline.

    Scripts see every frame singly and may write RAM, so with them, or with frozen addresses, a
    chunk is run as chunks of one.
    """

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
        """True when the next frame is an episode's first."""
        return self._episode_begins

    def read_values(self) -> dict[str, int]:
        """The variables in RAM now."""
        return self.readout.reader.read(self.memory.ram)

    def was_rewritten(self, frame: int) -> bool:
        """True when something wrote RAM at the end of ``frame``."""
        return frame in self._rewritten

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
