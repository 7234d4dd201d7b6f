"""``CONTENDER JOB``: one contender in a process of its own prints ``{"seconds": [...]}``."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from integrator.domain.files.reading import read_file
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES
from integrator.session.opening import open_session
from libretro_host.host import CapturePlan, CoreHost, LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost

_CHUNK_FRAMES = 240
"""Also the frames of a warm-up."""

Job = Mapping[str, Any]


def _host_seconds(host: CoreHost, job: Job, plan: CapturePlan, chunk_frames: int) -> float:
    request = LoadRequest(Path(job["core"]), Path(job["content"]), 0xFF0000, job["options"])
    host.load(request)
    try:
        host.run(_idle(1), CapturePlan())
        host.unserialize(read_file(Path(job["state"]), MAX_STATE_FILE_BYTES))
        host.run(_idle(_CHUNK_FRAMES), plan)
        inputs = _idle(chunk_frames)
        return _timed(lambda: host.run(inputs, plan), job["frames"] // chunk_frames)
    finally:
        host.close()


def _session(job: Job) -> float:
    with open_session(job["directory"], isolated=False) as session:
        session.reset()
        session.advance(frames=_CHUNK_FRAMES)
        return _timed(lambda: session.advance(frames=_CHUNK_FRAMES), job["frames"] // _CHUNK_FRAMES)


def _stable_retro(job: Job) -> float:
    import stable_retro  # noqa: PLC0415 - only this contender needs it, and it is optional

    env = stable_retro.make(Path(job["directory"]).name, render_mode="rgb_array")
    env.reset()
    action = np.zeros(12, np.int8)
    for _ in range(_CHUNK_FRAMES):
        env.step(action)
    return _timed(lambda: env.step(action), job["frames"])


def _idle(frames: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint16]]:
    return np.zeros((frames, 1), np.uint16)


def _timed(step: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        step()
    return time.perf_counter() - start


_CONTENDERS: Mapping[str, Callable[[Job], float]] = {
    "inprocess-chunks": lambda job: _host_seconds(
        InProcessHost(), job, CapturePlan(ram=True), _CHUNK_FRAMES
    ),
    "session-chunks": _session,
    "remote-interactive": lambda job: _host_seconds(
        RemoteHost(), job, CapturePlan(changes=True), 1
    ),
    "stable-retro-step": _stable_retro,
}

if __name__ == "__main__":
    contender, document = sys.argv[1:]
    taken = _CONTENDERS[contender](json.loads(document))
    sys.stdout.write(json.dumps({"seconds": [taken]}) + "\n")
