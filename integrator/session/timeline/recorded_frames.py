"""Frames of the timeline as results: variables and lamps read anew, scores as recorded."""

from contextlib import suppress
from dataclasses import replace

import numpy as np

from integrator.domain.errors import ScenarioError, ScriptError
from integrator.domain.scenario.scoring import Outcome
from integrator.session.frame.pipeline import LiveScriptMemory, Pipeline
from integrator.session.frame.result import FrameResult
from integrator.session.scoring.rescorer import Rescorer


class RecordedFrames:
    """Tells of frames of the current line, and lets the scenario's engine go on from them."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    def sought(self, frame: int) -> FrameResult:
        pipeline = self._pipeline
        pipeline.scored = values = pipeline.read_values()
        # Scripts start over, since their globals at this frame were not recorded.
        with suppress(ScriptError):
            pipeline.readout.engine.reset()
        return self._tell(frame, values)

    def take_scores(self, present: Rescorer, frame: int) -> FrameResult:
        """The frame where the core stands, scored by new rules; play goes on from its totals."""
        pipeline = self._pipeline
        engine, outcome = pipeline.readout.engine, None
        counted = engine.frame
        if present.scripted:
            if frame == pipeline.timeline.length:
                memory = LiveScriptMemory(pipeline.memory, present.variables)
                engine = present.go_on_in(memory)
                pipeline.readout = replace(pipeline.readout, engine=engine)
                outcome = present.outcome
            outcome = outcome or engine.skip().last
        values = pipeline.readout.reader.read(pipeline.timeline.ram(frame))
        told = self._tell(frame, values, outcome)
        engine.restore(counted, told.outcome.total_rewards)
        return told

    def _tell(
        self, frame: int, values: dict[str, int], outcome: Outcome | None = None
    ) -> FrameResult:
        """A frame with the rewards and done that the timeline has for it."""
        log, readout = self._pipeline.timeline, self._pipeline.readout
        episode = max((m.frame for m in log.markers("episode") if m.frame < frame), default=0)
        previous = None
        if frame != episode + 1:
            loaded = any(marker.frame == frame - 1 for marker in log.markers("state"))
            previous = readout.reader.read(log.ram(frame - 1, resumed=loaded))
        if outcome is None:
            readout.engine.restore(frame - episode - 1, self._totals(episode, frame))
            outcome = self._score(values, previous)
        totals = self._totals(episode, frame + 1)
        readout.engine.restore(frame - episode, totals)
        [rewards] = log.rewards(frame, frame + 1).tolist()
        outcome = replace(
            outcome,
            frame=frame - episode,
            rewards=tuple(rewards),
            total_rewards=totals,
            done=bool(log.done(frame, frame + 1)[0]),
        )
        return FrameResult(
            number=frame,
            inputs=tuple(log.inputs(frame, frame + 1)[0].tolist()),
            values={**values, **outcome.custom},
            previous=previous,
            outcome=outcome,
            frame=self._pipeline.frame,
        )

    def _score(self, values: dict[str, int], previous: dict[str, int] | None) -> Outcome:
        engine = self._pipeline.readout.engine
        try:
            return engine.score(values, previous)
        except (ScenarioError, ScriptError):
            return engine.skip().last

    def _totals(self, episode: int, stop: int) -> tuple[float, ...]:
        """Each player's reward summed up to before ``stop``, in float32 as the engine sums."""
        rewards = self._pipeline.timeline.rewards(episode + 1, stop)
        if not len(rewards):
            return (0.0,) * self._pipeline.readout.engine.players
        totals: list[float] = np.add.accumulate(rewards, axis=0)[-1].tolist()
        return tuple(totals)
