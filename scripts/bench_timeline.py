"""The timeline measured on Airstriker: the cost of recording, the speed of showing any frame.

``python -m scripts.bench_timeline`` runs it. Costs are processor time in one process, so that a
busy machine changes them little; seeks and rewinding are wall time through a core in a child
process, as the window has it."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from integrator.commands.shared.options import airstriker
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.result import Event, FrameResult
from integrator.session.opening import open_session
from integrator.session.runner import Runner
from integrator.session.session import Session
from libretro_host.host import CapturePlan
from scripts.reporting import report, show_table

FRAMES = 108_000
"""Thirty minutes."""
CHUNK_FRAMES = 120
SEEKS = 200
REWOUND_FRAMES = 600
HELD_FRAMES = 600
COST_FRAMES = 2400
COST_CHUNKS = 60

_NO_PICTURE = CapturePlan(picture=False)


def run_timeline_bench(frames: int = FRAMES) -> dict[str, Any]:
    """Measure everything, on a line of so many frames. Raises SessionError without Airstriker."""
    cost = measure_rewind_cost()
    return {"recording_cost": measure_cost(), "rewind_cost": cost, **measure_line(frames)}


def print_timeline_bench(report: dict[str, Any]) -> None:
    """Print the report as a table."""
    cost = report["recording_cost"]["share_of_headless_time"]
    held = f"{report['timeline_megabytes']} MB, {report['temporary_file_megabytes']} MB on disk"
    rows = {
        "recording costs": f"{cost:.1%} of headless time",
        "held": f"{held}, {report['states_kept']} states",
        "a random frame is shown in": _told(report["seek_ms"]),
        "a step back takes": _told(report["rewind_frame_ms"]),
        "which is processor time of": _told(report["rewind_cost"]),
        "steps back one after another": f"{report['rewind_frames_per_second']} frames/s",
        "rewind held for some seconds": f"{report['held_rewind']['frames_per_second']} frames/s",
        "longest time between two frames": f"{report['held_rewind']['longest_gap_ms']} ms",
    }
    title = f"Timeline of {report['frames']:,} frames of Airstriker"
    show_table(title, ("measure", "measured"), rows.items())


def _told(spread: dict[str, float]) -> str:
    return f"{spread['median']} ms; 95 % within {spread['p95']} ms, all within {spread['worst']} ms"


def measure_cost(chunks: int = COST_CHUNKS) -> dict[str, float]:
    """Processor time of a session against the same frames run and scored with nothing kept.

    Both take turns chunk by chunk; the result is the median over the pairs of chunks. A chunk holds
    as many frames as lie between two kept states, so that each has its share of them."""
    bare, whole = [], []
    with open_session(airstriker(), isolated=False) as session:
        session.reset()
        inputs = _random_inputs(CHUNK_FRAMES)
        for _ in range(chunks):
            bare.append(_timed(lambda: _run_bare(session, inputs), time.process_time))
            whole.append(_timed(lambda: session.run(inputs, _NO_PICTURE), time.process_time))
    return {
        "share_of_headless_time": round(float(np.median(np.divide(whole, bare))) - 1, 4),
        "frames_per_cpu_second": round(CHUNK_FRAMES / statistics.median(whole), 1),
    }


def measure_rewind_cost(frames: int = COST_FRAMES) -> dict[str, float]:
    """Milliseconds of processor time of a step back, all the way from the end.

    Without the first, which comes after play in chunks and has no prepared frames."""
    with open_session(airstriker(), isolated=False) as session:
        session.reset()
        _play(session, frames)
        travel = session.timeline
        travel.step_back()
        steps = []
        while travel.position > 1:
            steps.append(_timed(travel.step_back, time.process_time))
        return _spread(steps)


def measure_line(frames: int, held_frames: int = HELD_FRAMES) -> dict[str, Any]:
    """Play ``frames`` frames, show random ones, go back from the end, rewind from there."""
    with open_session(airstriker()) as session:
        session.reset()
        played = _timed(lambda: _play(session, frames))
        travel = session.timeline
        rng = np.random.default_rng(2)
        targets = rng.integers(1, travel.length + 1, SEEKS).tolist()
        seeks = [_timed(lambda frame=frame: travel.seek(frame)) for frame in targets]  # type: ignore[misc] # a default binds the loop's value
        travel.seek(travel.length)
        steps = [_timed(travel.step_back) for _ in range(REWOUND_FRAMES)]
        travel.seek(travel.length)
        held = measure_held_rewind(session, held_frames)
        return {
            "frames": travel.length,
            "played_frames_per_second": round(travel.length / played, 1),
            "timeline_megabytes": round(travel.log.bytes_used / 1e6, 1),
            "temporary_file_megabytes": round(travel.log.pool.disk_bytes / 1e6, 1),
            "states_kept": len(travel.log.keyframes),
            "seek_ms": _spread(seeks),
            "rewind_frame_ms": _spread(steps),
            "rewind_frames_per_second": round(len(steps) / sum(steps), 1),
            "held_rewind": held,
        }


class _Clock:
    """Notes when each frame was shown."""

    def __init__(self, frames: int) -> None:
        self.shown_s: list[float] = []
        self.numbers: list[int] = []
        self.enough = threading.Event()
        self._frames = frames

    def on_frame(self, result: FrameResult) -> None:
        self.shown_s.append(time.perf_counter())
        self.numbers.append(result.number)
        if len(self.numbers) >= self._frames or result.number <= 1:
            self.enough.set()

    def on_event(self, event: Event) -> None:
        pass


def measure_held_rewind(session: Session, frames: int) -> dict[str, float]:
    """Rewind at the console's own speed, as the window does while the key is held.

    ``skipped`` counts the frames that were not shown. The session is closed at the end."""
    clock = _Clock(frames)
    runner = Runner(session, clock.on_frame, clock.on_event)
    runner.start()
    runner.rewind(held=True)
    clock.enough.wait()
    runner.close()
    gaps = np.diff(clock.shown_s)
    steps = np.diff(clock.numbers)
    return {
        "frames_per_second": round(len(gaps) / float(gaps.sum()), 1),
        "longest_gap_ms": round(float(gaps.max()) * 1000, 1),
        "skipped": int((steps != -1).sum()),
    }


def _play(session: Session, frames: int) -> None:
    """Random play, a new episode when one is done, as an agent's training has it."""
    inputs = _random_inputs(frames)
    for at in range(0, len(inputs), CHUNK_FRAMES):
        [chunk] = session.run(inputs[at : at + CHUNK_FRAMES], _NO_PICTURE)
        if chunk.outcomes.done.any():
            session.reset()


def _run_bare(session: Session, inputs: Inputs) -> None:
    """The frames run, their variables read and scored, and forgotten."""
    reader, engine = session.game.readout.reader, session.game.readout.engine
    captured = session.host.run(inputs, CapturePlan(picture=False, ranges=reader.ranges)).ranges
    if captured is None:
        raise AssertionError("the host left out what the plan asked for")
    engine.score_chunk(reader.read_ranges(captured), None, len(inputs))


def _random_inputs(frames: int) -> Inputs:
    """Directions and the buttons A, B, C, held for ten frames each; never START."""
    usable = 0b0001_1111_0011 & ~(1 << 3)
    masks = np.random.default_rng(1).integers(0, 1 << 12, frames // 10 + 1) & usable
    return np.repeat(masks, 10)[:frames].astype(np.uint16).reshape(-1, 1)


def _timed(run: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    started = clock()
    run()
    return clock() - started


def _spread(seconds: list[float]) -> dict[str, float]:
    points = np.percentile(np.array(seconds) * 1000, [50, 95, 100]).tolist()
    return dict(zip(("median", "p95", "worst"), (round(p, 2) for p in points), strict=True))


if __name__ == "__main__":
    report(__doc__, lambda _: run_timeline_bench(), print_timeline_bench)
