"""Runs recorded play again: copied stretches, frames after a seek, and the starts of movies."""

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, TimelineError
from integrator.domain.scenario.scoring import Outcome, running_totals
from integrator.domain.timeline.line import JUMPS
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.pipeline import LiveScriptMemory, Pipeline
from integrator.session.frame.result import FrameResult
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.timeline.restorer import begins_of, write_recorded
from libretro_host.host import CapturePlan, CoreHost, RunResult


@dataclass(frozen=True, slots=True)
class ExportedMovie:
    """A movie of frames ``start`` to ``stop - 1``; without a reset row, training may desync."""

    path: Path
    start: int
    stop: int
    has_reset_row: bool


def run_begin(log: Timeline, frame: int) -> int:
    """Return the first frame of the unbroken run of inputs that ``frame`` is in."""
    return 1 + max((m.frame for m in log.markers(*JUMPS) if m.frame < frame), default=0)


def movie_begins(log: Timeline, start: int, stop: int) -> list[int]:
    """Return the frames at which a movie of frames ``start`` to ``stop - 1`` may begin, best first.

    Raises TimelineError for a range that no movie can hold."""
    if not 1 <= start < stop <= log.length + 1:
        there = f"there are frames 1 to {log.length}"
        raise TimelineError(f"frames {start} to {stop - 1} are not held; {there}")
    end = min((m.frame for m in log.markers(*JUMPS) if m.frame >= start), default=log.length)
    if end < stop - 1:
        why = "something else than a button changed the game, which a movie cannot hold"
        parts = f"export frames {start} to {end}, or from {end + 1} on"
        raise TimelineError(f"after frame {end} {why}; {parts}")
    if (held := log.held_before(stop)) >= start:
        why = "a value was held, which a movie cannot hold"
        raise TimelineError(f"on frame {held} {why}; export frames after it, or played without it")
    first = max(run_begin(log, start), held + 1)
    idle = (np.flatnonzero(~log.inputs(first, start + 1).any(axis=1)) + first).tolist()
    loads = [frame + 1 for frame in log.loads(first - 1, start)]
    loads.sort(key=lambda frame: (frame in idle, frame), reverse=True)
    return [idle[-1] if idle else start, *loads]


CHUNK_FRAMES: Final = 60


@dataclass(frozen=True, slots=True, eq=False)
class Rerun:
    """Frames that were run again; ``same``, bool (frames,), is true for pictures as played."""

    begin: int
    run: RunResult
    same: NDArray[np.bool_]
    jumped: bool


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """A copy of the frames after ``first`` up to ``last``, and of states to reach ``first`` from.

    ``begins`` are (frame, state, RAM) to start at: a near state if states are exact, then the loads
    that began the runs of frames ``first`` and ``first + 1``. ``inputs`` and ``hashes`` are those
    of all frames after the earliest start, and ``ram`` is RAM before frame ``first + 1``. A jump
    after a frame is (loaded state, RAM after the load or poke, true for a reset). ``writes`` are
    RAM after frames on which scripts or cheats wrote."""

    first: int
    last: int
    begins: tuple[tuple[int, bytes, NDArray[np.uint8]], ...]
    inputs: Inputs
    hashes: NDArray[np.uint32]
    ram: NDArray[np.uint8]
    jumps: Mapping[int, tuple[bytes | None, NDArray[np.uint8], bool]]
    writes: Mapping[int, NDArray[np.uint8]]

    @classmethod
    def take(cls, log: Timeline, first: int, last: int, *, exact: bool) -> Self:
        """Copy frames of the current line."""
        begin, latest = begins_of(log, first + 1, first - 1)
        near = log.keyframe_at_or_before(latest)[0] if exact else begin
        frames = dict.fromkeys((near, begin, log.load_before(first + 1)))
        loads = log.loads(begin + 1, last + 1)
        jumps = {}
        for at in {*loads, *(m.frame for m in log.markers(*JUMPS) if begin < m.frame <= last)}:
            state = log.keyframe_at_or_before(at)[1] if at in loads else None
            is_reset = at not in loads and any(m.frame == at for m in log.markers("reset"))
            jumps[at] = state, log.ram(at, resumed=True), is_reset
        begins = ((*log.keyframe_at_or_before(f), log.ram(f, resumed=True)) for f in frames)
        return cls(
            first,
            last,
            begins=tuple(begins),
            inputs=log.inputs(begin + 1, last + 1),
            hashes=log.hashes(begin + 1, last + 1),
            ram=log.ram(first, resumed=True),
            jumps=jumps,
            writes={frame: log.ram(frame) for frame in log.rewritten(begin + 1, last + 1)},
        )

    def enter(self, host: CoreHost) -> None:
        """Bring a core to ``first``. Raises TimelineError if no start leads there as played."""
        for begin, state, ram in self.begins:
            host.unserialize(state)
            # Some cores have save chips in their memory, but not in their states.
            write_recorded(host, ram)
            lead = [*self._run(host, begin, self.first, CapturePlan(picture=False), CHUNK_FRAMES)]
            # The first picture after a loaded state may hold rows of the picture before it.
            agrees = self.first - begin < 2 or bool(lead[-1].same[-1])
            if begin < self.first and self.first in self.jumps:
                self._jump(host, self.first)
            if agrees and np.array_equal(host.read_ram(), self.ram):
                return
        why = "this core does not repeat what was recorded; begin at another frame"
        raise TimelineError(f"frame {self.first} cannot be reached again: {why}")

    def run(self, host: CoreHost, plan: CapturePlan, chunk: int = CHUNK_FRAMES) -> Iterator[Rerun]:
        """Run the frames in chunks of up to ``chunk``. Raises TimelineError as :meth:`enter`."""
        self.enter(host)
        yield from self._run(host, self.first, self.last, plan, chunk)

    def _run(
        self, host: CoreHost, begin: int, end: int, plan: CapturePlan, chunk: int
    ) -> Iterator[Rerun]:
        origin = min(frame for frame, *_ in self.begins)
        stops = {*self.jumps, *self.writes, *range(begin + chunk, end, chunk)}
        cuts = [begin, *sorted(stop for stop in stops if begin < stop < end), end]
        for first, last in pairwise(cuts) if begin < end else ():
            jumped = first != begin and first in self.jumps
            if jumped:
                self._jump(host, first)
            rows = slice(first - origin, last - origin)
            run = host.run(self.inputs[rows], replace(plan, hashes=True))
            if last in self.writes:
                write_recorded(host, self.writes[last])
            played = self.hashes[rows]
            yield Rerun(first, run, (run.hashes == played) | (played == 0), jumped)

    def _jump(self, host: CoreHost, frame: int) -> None:
        state, ram, is_reset = self.jumps[frame]
        if state is not None:
            host.unserialize(state)
        if is_reset:
            host.reset()
        write_recorded(host, ram)


def sought(pipeline: Pipeline, frame: int) -> FrameResult:
    """Return the result of a frame of the current line, and let scoring go on from there."""
    values = pipeline.read_values()
    # As in play, the next frame is compared with the values from before scripts wrote memory.
    pipeline.scored = _scored_at(pipeline, frame, values)
    # The globals of scripts at this frame were not recorded: once play goes on, they run again.
    pipeline.scripts_behind = not pipeline.readout.engine.vectorisable
    pipeline.last = _result_at(pipeline, frame, values)
    return pipeline.last


def take_scores(pipeline: Pipeline, present: Rescorer, frame: int) -> FrameResult:
    """Return the present frame, scored by new rules, and let play go on from its totals."""
    engine, outcome, counted = pipeline.readout.engine, None, pipeline.readout.engine.frame
    if present.scripted and frame == pipeline.timeline.length:
        engine = present.engine
        engine.attach(LiveScriptMemory(pipeline.memory, present.variables))
        pipeline.readout = replace(pipeline.readout, engine=engine)
        outcome, pipeline.scripts_behind = present.outcome, False
    pipeline.last = _result_at(pipeline, frame, pipeline.read_values(), outcome)
    engine.restore(counted, pipeline.last.outcome.total_rewards)
    return pipeline.last


def _result_at(
    pipeline: Pipeline, frame: int, values: dict[str, int], outcome: Outcome | None = None
) -> FrameResult:
    """Return a frame's result with the rewards, their terms and done of the timeline."""
    log, readout = pipeline.timeline, pipeline.readout
    episode = max((m.frame for m in log.markers("episode") if m.frame < frame), default=0)
    at = frame - episode
    previous = None
    if at != 1:
        loaded = any(marker.frame == frame - 1 for marker in log.markers("state"))
        previous = readout.reader.read(log.ram(frame - 1, resumed=loaded))
        previous = previous if loaded else _scored_at(pipeline, frame - 1, previous)
    # Scripts would give other terms and variables now, and so would rules of an edit just made.
    own = partial(_own_values, pipeline, values)
    custom, nodes = own(frame), {} if outcome is None else outcome.nodes
    if outcome is None:
        before = {} if at == 1 else own(frame - 1)
        # Conditions are checked before scripts run on the frame.
        with suppress(ScenarioError):
            nodes = readout.engine.lamps({**before, **values}, previous)
    totals = _totals(pipeline, episode, frame + 1)
    readout.engine.restore(at, totals)
    rewards = tuple(log.rewards(frame, frame + 1)[0].tolist())
    done = bool(log.done(frame, frame + 1)[0])
    parts = log.terms(frame, frame + 1).items()
    terms = tuple(
        tuple((name, float(part[0])) for (owner, name), part in parts if owner == player)
        for player in range(len(rewards))
    )
    nodes = {**nodes, readout.engine.spec.done.path: done}
    outcome = Outcome(at, rewards, totals, done, terms, nodes, custom)
    inputs = tuple(log.inputs(frame, frame + 1)[0].tolist())
    values = {**values, **custom}
    return FrameResult(frame, inputs, values, previous, outcome, pipeline.frame, runs=log.runs)


def _scored_at(pipeline: Pipeline, frame: int, values: dict[str, int]) -> dict[str, int]:
    """Return the values that were scored on a frame, whose RAM has the given ``values``."""
    log = pipeline.timeline
    scored = log.values(frame) if log.rewritten(frame, frame + 1) else {}
    return {name: scored.get(name, value) for name, value in values.items()}


def _own_values(pipeline: Pipeline, values: Mapping[str, int], frame: int) -> dict[str, int]:
    """Return the scripts' own variables on a frame: those that are not among ``values``."""
    if not pipeline.readout.engine.spec.scripts:
        return {}
    found = pipeline.timeline.values(frame)
    return {name: value for name, value in found.items() if name not in values}


def _totals(pipeline: Pipeline, episode: int, stop: int) -> tuple[float, ...]:
    """Return each player's reward before frame ``stop``, summed in float32 as the engine does. It
    is NaN while recorded frames may have rewards of several rules."""
    rewards = pipeline.timeline.rewards(episode + 1, stop)
    if pipeline.stale():
        return (math.nan,) * pipeline.readout.engine.players
    if not len(rewards):
        return (0.0,) * pipeline.readout.engine.players
    return tuple(running_totals(rewards)[-1].tolist())
