"""The one path of a frame: inputs, core, memory, variables, scenario, timeline, result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScriptError
from integrator.domain.scenario import Outcome, OutcomeChunk, ScenarioEngine
from integrator.domain.script import ScriptHooks
from integrator.domain.timeline import Timeline
from integrator.domain.variables import VariableReader
from integrator.session.inputs import Inputs
from integrator.session.live_memory import LiveMemory
from integrator.session.result import ChunkResult, FrameResult
from libretro_host.frame import Frame, RunResult
from libretro_host.host import CapturePlan, CoreHost

Columns = Mapping[str, NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Readout:
    """What the documents make of RAM: the variables read from it, and how the scenario scores them."""

    reader: VariableReader
    engine: ScenarioEngine
    hooks: ScriptHooks | None = None


class Pipeline:
    """Advances a core by chunks of frames and keeps what follows from each: RAM, values, timeline.

    Scripts see every frame singly and may write RAM, so with them, or with frozen addresses, a chunk
    is run as chunks of one.
    """

    def __init__(
        self, host: CoreHost, memory: LiveMemory, timeline: Timeline, readout: Readout
    ) -> None:
        self.host = host
        self.memory = memory
        self.timeline = timeline
        self.readout = readout
        self.frame: Frame | None = None
        # The variables as the scenario saw them last: before what a script wrote on that frame.
        self.scored: Mapping[str, int] | None = None

    def begin_episode(self) -> None:
        """Make the next frame the first of an episode: deltas 0, totals cleared, scripts reloaded."""
        self.scored = None
        self.readout.engine.reset()

    def read_values(self) -> dict[str, int]:
        """The variables in RAM as it is now."""
        return self.readout.reader.read(self.memory.ram)

    def advance(self, inputs: Inputs, plan: CapturePlan) -> list[ChunkResult]:
        """Run one frame for each row of ``inputs``, score each exactly once, append to the timeline."""
        if self.readout.hooks is not None or self.memory.frozen:
            return [self._advance(inputs[i : i + 1], plan) for i in range(len(inputs))]
        return [self._advance(inputs, plan)]

    def _advance(self, inputs: Inputs, plan: CapturePlan) -> ChunkResult:
        reader = self.readout.reader
        self.memory.apply_frozen()
        number = self.timeline.length + 1
        self._note_writes(number - 1)
        run = self.host.run(inputs, replace(plan, changes=True, ranges=reader.ranges))
        if run.changes is None or run.ranges is None:
            raise AssertionError("the host left out what the plan asked for")
        self.memory.apply(run.changes)
        self.frame = run.frame or self.frame
        columns = reader.read_ranges(run.ranges)
        score = self._score_frame if len(inputs) == 1 else self._score_chunk
        outcomes, last = score(columns, inputs, run)
        self.timeline.append(
            inputs,
            changes=(run.changes.counts, run.changes.offsets, run.changes.values),
            values=columns,
            rewards=outcomes.rewards,
            done=outcomes.done,
        )
        # What a script wrote belongs to this frame: the timeline shows RAM as the next frame finds it.
        self._note_writes(number)
        return ChunkResult(number, inputs, columns, outcomes, run, last)

    def _note_writes(self, number: int) -> None:
        if self.memory.take_written():
            self.timeline.amend(number, self.memory.ram)

    def _score_frame(
        self, columns: Columns, inputs: Inputs, run: RunResult
    ) -> tuple[OutcomeChunk, FrameResult]:
        engine, hooks = self.readout.engine, self.readout.hooks
        previous = self.scored
        values = {name: int(column[0]) for name, column in columns.items()}
        error = None
        try:
            outcome = engine.score(values, previous)
        except ScriptError as failure:
            error, outcome = str(failure), engine.skip()
        self.scored = values
        if hooks is not None:
            # As in training: info is read after the scripts ran, custom variables among the others.
            values = {**self.read_values(), **hooks.custom}
        last = self._result(inputs, values, previous, outcome, run)
        return _chunk_of(outcome), replace(last, script_error=error)

    def _score_chunk(
        self, columns: Columns, inputs: Inputs, run: RunResult
    ) -> tuple[OutcomeChunk, FrameResult]:
        outcomes = self.readout.engine.score_chunk(columns, self.scored, len(inputs))
        previous = {name: int(column[-2]) for name, column in columns.items()}
        self.scored = {name: int(column[-1]) for name, column in columns.items()}
        last = self._result(inputs, self.scored, previous, _last_of(outcomes), run)
        return outcomes, last

    def _result(
        self,
        inputs: Inputs,
        values: Mapping[str, int],
        previous: Mapping[str, int] | None,
        outcome: Outcome,
        run: RunResult,
    ) -> FrameResult:
        return FrameResult(
            number=self.timeline.length + len(inputs),
            inputs=tuple(inputs[-1].tolist()),
            values=values,
            previous=previous,
            outcome=outcome,
            frame=self.frame,
            audio=run.audio,
            messages=run.messages,
        )


def _last_of(chunk: OutcomeChunk) -> Outcome:
    return Outcome(
        frame=int(chunk.frames[-1]),
        rewards=tuple(chunk.rewards[-1].tolist()),
        total_rewards=tuple(chunk.total_rewards[-1].tolist()),
        done=bool(chunk.done[-1]),
        terms=tuple(
            tuple((name, float(part[-1])) for name, part in terms) for terms in chunk.terms
        ),
        nodes={path: bool(lamp[-1]) for path, lamp in chunk.nodes.items()},
    )


def _chunk_of(outcome: Outcome) -> OutcomeChunk:
    return OutcomeChunk(
        frames=np.array([outcome.frame]),
        rewards=np.array([outcome.rewards], np.float32),
        total_rewards=np.array([outcome.total_rewards], np.float32),
        done=np.array([outcome.done]),
        terms=tuple(
            tuple((name, np.array([part], np.float32)) for name, part in terms)
            for terms in outcome.terms
        ),
        nodes={path: np.array([lamp]) for path, lamp in outcome.nodes.items()},
    )
