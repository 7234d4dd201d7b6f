"""The timeline of a large console measured: recording, reading, and size, over long play.

``python -m scripts.bench_long_play`` plays ten minutes of made-up frames of 8 MiB, at twice the
console's speed. A frame changes 20,000 bytes: three eighths drift together as positions do, half
are lists of small numbers, and one eighth is noise as sound is. Times are processor time of the
thread that plays, so that a busy machine changes them little, and wall time beside them; a plain
copy of the memory in the same run is their measure."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.commands.shared.console import plain_console
from integrator.domain.timeline.ramlog import Differences
from integrator.domain.timeline.timeline import Timeline
from scripts.reporting import report, show_table

RAM_BYTES = 8 << 20
CHANGED_BYTES = 20_000
STATE_BYTES = 12 << 20
STATE_FRAMES = 120
FRAMES = 36_000
HOUR_FRAMES = 216_000
FRAMES_PER_SECOND = 120
READS = 200
_PHASES = 4
_PHASE_FRAMES = 3600
_LISTS = 3
_Cost = tuple[float, float]
_COUNT = np.array([CHANGED_BYTES], np.int64)


def made_up_frames(frames: int) -> Iterator[Differences]:
    """Changes of each frame, at places that move on every minute."""
    random = np.random.default_rng(3)
    places = [_places(random) for _ in range(_PHASES * _LISTS)]
    kind = np.arange(CHANGED_BYTES) // 16 % 8
    noisy, listed = np.flatnonzero(kind == 0), np.flatnonzero(kind > 3)
    drift = np.repeat(random.integers(1, 4, CHANGED_BYTES // 16), 16).astype(np.uint8)
    values = np.repeat(random.integers(0, 256, CHANGED_BYTES // 16), 16).astype(np.uint8)
    for number in range(frames):
        phase = number // _PHASE_FRAMES % _PHASES
        values = values + drift
        values[noisy] = random.integers(0, 256, len(noisy))
        values[listed] = (listed + number) % 24
        yield Differences(_COUNT, places[phase * _LISTS + number % _LISTS], values)


def _places(random: np.random.Generator) -> NDArray[np.uint32]:
    """Ascending offsets in runs of 16 to 64 bytes, as structures have."""
    starts = np.sort(random.choice(RAM_BYTES // 64, CHANGED_BYTES // 16, replace=False))
    runs = (starts[:, None] * 64 + np.arange(16)).ravel()
    return runs.astype(np.uint32)


def run_long_play(frames: int = FRAMES) -> dict[str, Any]:
    """Record so many frames, then read some of them at random."""
    state = np.zeros(STATE_BYTES, np.uint8)
    state[: STATE_BYTES // 2] = np.random.default_rng(4).integers(0, 64, STATE_BYTES // 2)
    told = state.tobytes()
    log = Timeline(RAM_BYTES, 1)
    copies = [_timed(state[:RAM_BYTES].copy) for _ in range(READS)]
    log.discontinuity("episode", told, state[:RAM_BYTES])
    changes = made_up_frames(frames)
    calls = list(_record(log, islice(changes, frames // 2), told))
    log.settle()
    half = log.bytes_used + log.pool.disk_bytes
    calls += _record(log, changes, told)
    log.settle()
    grown = log.bytes_used + log.pool.disk_bytes - half
    reads = list(_read(log, frames))
    found = {
        "frames": frames,
        "changed_bytes_per_frame": CHANGED_BYTES,
        "copy": _spread(copies),
        "record": _spread(calls),
        "read_old_frame": _spread(reads),
        "megabytes_per_hour": round(grown * HOUR_FRAMES / (frames // 2) / 1e6),
    }
    log.close()
    return found


def _record(log: Timeline, frames: Iterable[Differences], state: bytes) -> Iterator[_Cost]:
    due = time.perf_counter()
    for changes in frames:
        due += 1 / FRAMES_PER_SECOND
        time.sleep(max(0.0, due - time.perf_counter()))
        append = partial(log.append, [0], changes, rewards=[0.0], done=[False])
        yield _timed(append)
        if log.length % STATE_FRAMES == 0:
            yield _timed(partial(log.add_keyframe, log.length, state))


def _read(log: Timeline, frames: int) -> Iterator[_Cost]:
    for frame in np.random.default_rng(5).integers(1, frames, READS).tolist():
        yield _timed(partial(log.ram, frame))


def _timed(run: Callable[[], object]) -> _Cost:
    started, worked = time.perf_counter(), time.thread_time()
    run()
    return time.thread_time() - worked, time.perf_counter() - started


def _spread(costs: list[_Cost]) -> dict[str, dict[str, float]]:
    points = np.percentile(np.array(costs) * 1000, [50, 99, 99.99, 100], axis=0).round(2)
    names = ("median", "p99", "p99.99", "worst")
    kinds = zip(("processor_ms", "wall_ms"), points.T.tolist(), strict=True)
    return {kind: dict(zip(names, each, strict=True)) for kind, each in kinds}


def print_long_play(found: dict[str, Any]) -> None:
    """Print the report as a table."""
    title = f"{found['frames']:,} frames of {CHANGED_BYTES:,} changed bytes"
    rows = (
        (f"{name}, {kind}", *numbers.values())
        for name in ("copy", "record", "read_old_frame")
        for kind, numbers in found[name].items()
    )
    show_table(title, ("measure", "median", "99 %", "99.99 %", "worst"), rows)
    plain_console().print(f"an hour takes {found['megabytes_per_hour']:,} MB")


if __name__ == "__main__":
    report(__doc__, lambda _: run_long_play(), print_long_play)
