"""``python -m scripts.bench_suggest_speed``: processor time of suggestions from large memories.

A minute of made-up play is recorded: bytes that jump, drift, count seldom, follow a direction, or
are lists. The look is the first one, from memory alone; pictures and experiments come after it and
take as long as the core does.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.ramlog import Differences
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, Region
from integrator.session.suggestions.recorded_play import RecordedPlay
from integrator.session.suggestions.suggesting import SuggestRun
from scripts.reporting import report, show_table

_MEMORIES: Final = ((8 << 10, 3000, 2.0), (8 << 10, 6000, 2.0), (4 << 20, 60_000, 10.0))
"""Bytes of memory, those of them that change, and the seconds wanted."""
_FRAMES: Final = 3600
_STATE_FRAMES: Final = 120
_STATE: Final = bytes(8)
_BUTTONS: Final = ("B", "Y", "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT")
_WAYS: Final = (0, 0x10, 0x20, 0x40, 0x80, 0x50, 0xA0)
_RATES: Final = np.array([0.5, 1.0, 0.01, 0.02, 1.0, 0.3])
"""The share of frames on which each sort of byte changes."""


def run_speed_bench() -> list[dict[str, Any]]:
    """A row for each size of memory."""
    return [_row(*memory) for memory in _MEMORIES]


def _row(size: int, changing: int, wanted: float) -> dict[str, Any]:
    log = Timeline(size, 1)
    log.discontinuity("episode", _STATE, np.zeros(size, np.uint8))
    rng = np.random.default_rng(1)
    for held, changes in _frames(rng, size, changing):
        log.append([held], changes, rewards=[0.0], done=[False])
        if log.length % _STATE_FRAMES == 0:
            log.add_keyframe(log.length, _STATE)
    log.settle()
    recorded = RecordedPlay.take(AddressSpace([Region(0, size)]), log, _BUTTONS)
    started = time.process_time()
    SuggestRun(recorded).run(None)
    seconds = round(time.process_time() - started, 2)
    log.close()
    return {"bytes": size, "changing": changing, "seconds": seconds, "wanted": wanted}


def _frames(
    rng: np.random.Generator, size: int, changing: int
) -> Iterator[tuple[int, Differences]]:
    """The held buttons and the changes of each frame."""
    places = np.sort(rng.choice(size, changing, replace=False)).astype(np.uint32)
    sort, speed = rng.integers(0, len(_RATES), changing), rng.integers(1, 4, changing)
    values = np.zeros(changing, np.int64)
    lasting = held = 0
    for _ in range(_FRAMES):
        if not lasting:
            lasting, held = int(rng.integers(8, 45)), int(rng.choice(_WAYS))
        lasting -= 1
        new = (
            np.where(
                rng.random(changing) < _RATES[sort],
                _next(rng, held, values, speed)[sort, np.arange(changing)],
                values,
            )
            & 255
        )
        differs = np.flatnonzero(new != values)
        values = new
        count = np.array([len(differs)], np.int64)
        yield held, Differences(count, places[differs], new[differs].astype(np.uint8))


def _next(
    rng: np.random.Generator, held: int, values: NDArray[np.int64], speed: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The next number of each byte as every sort has it, int64 (sorts, bytes)."""
    across = (held >> 7 & 1) - (held >> 6 & 1)
    jumps, lists = (rng.integers(0, most, len(values)) for most in (256, 24))
    walks = values + across * speed
    return np.stack([jumps, values + speed, values + 1, (values + 1) % 10, walks, lists])


def print_speed_bench(rows: list[dict[str, Any]]) -> None:
    """Print the rows as a table."""
    columns = ("bytes", "changing", "seconds", "wanted")
    show_table("Processor time of a first look at a minute", columns, (r.values() for r in rows))


if __name__ == "__main__":
    report(__doc__, lambda _: run_speed_bench(), print_speed_bench)
