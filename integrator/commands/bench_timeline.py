"""The timeline measured on Airstriker: what recording costs, how fast any frame is shown again.

``python -m integrator.commands.bench_timeline [FRAMES]`` prints one JSON document. Costs are
processor time in one process, so that a busy machine changes them little; seeks and rewinding are
wall time through a core in a child process, as the window has it.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from integrator.commands.games import airstriker
from integrator.session.inputs import Inputs
from integrator.session.opening import open_session
from integrator.session.session import Session
from libretro_host.host import CapturePlan

FRAMES = 108_000
"""Thirty minutes."""
CHUNK_FRAMES = 120
SEEKS = 200
REWOUND_FRAMES = 600
COST_CHUNKS = 60

_NO_PICTURE = CapturePlan(picture=False)


def main(arguments: list[str]) -> None:
    """Measure and print."""
    frames = int(arguments[0]) if arguments else FRAMES
    report = {"recording_cost": measure_cost(), **measure_line(frames)}
    sys.stdout.write(json.dumps(report, indent=2) + "\n")


def measure_cost(chunks: int = COST_CHUNKS) -> dict[str, float]:
    """Processor time of a session against the same frames run and scored with nothing kept.

    Both take turns chunk by chunk, and medians of the chunks are compared. A chunk holds as many
    frames as lie between two kept states, so that each has its share of them.
    """
    bare, whole = [], []
    with open_session(airstriker(), isolated=False) as session:
        session.reset()
        inputs = _random_inputs(CHUNK_FRAMES)
        for _ in range(chunks):
            bare.append(_timed(lambda: _run_bare(session, inputs), time.process_time))
            whole.append(_timed(lambda: session.run(inputs, _NO_PICTURE), time.process_time))
    return {
        "share_of_headless_time": round(statistics.median(whole) / statistics.median(bare) - 1, 4),
        "frames_per_cpu_second": round(CHUNK_FRAMES / statistics.median(whole), 1),
    }


def measure_line(frames: int) -> dict[str, Any]:
    """Play ``frames`` frames, then show random ones, then go back from the end."""
    with open_session(airstriker()) as session:
        session.reset()
        played = _timed(lambda: _play(session, frames))
        travel = session.timeline
        rng = np.random.default_rng(2)
        targets = rng.integers(1, travel.length + 1, SEEKS).tolist()
        seeks = [_timed(lambda frame=frame: travel.seek(frame)) for frame in targets]  # type: ignore[misc] # a default binds the loop's value
        travel.seek(travel.length)
        steps = [_timed(travel.step_back) for _ in range(REWOUND_FRAMES)]
        return {
            "frames": travel.length,
            "played_frames_per_second": round(travel.length / played, 1),
            "timeline_megabytes": round(travel.log.bytes_used / 1e6, 1),
            "temporary_file_megabytes": round(travel.log.disk_bytes / 1e6, 1),
            "states_kept": len(travel.log.keyframes),
            "seek_ms": _spread(seeks),
            "rewind_frame_ms": _spread(steps),
            "rewind_frames_per_second": round(len(steps) / sum(steps), 1),
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
    reader, engine = session.readout.reader, session.readout.engine
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
    main(sys.argv[1:])
