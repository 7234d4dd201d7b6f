"""Reading a line of play on another thread while it grows."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.timeline import Timeline

SIZE = 2048


def test_a_history_stays_as_it_was_while_the_line_grows_and_spills() -> None:
    rng = np.random.default_rng(3)
    line = Timeline(SIZE, 1, budget_bytes=60_000)
    rams = [np.zeros(SIZE, np.uint8)]

    def play(frames: int) -> None:
        for _ in range(frames):
            ram = rams[-1].copy()
            ram[rng.integers(0, SIZE, 300)] = rng.integers(0, 256, 300)
            rams.append(ram)
            zero = np.zeros((1, 1), np.uint16)
            line.append(zero, ram[None], rewards=np.zeros((1, 1)), done=np.zeros(1, bool))

    play(700)
    history = line.history()
    expected = np.stack(rams)
    wrong: list[int] = []

    def read() -> None:
        frames = rng.permutation(701)[:200].tolist()
        wrong.extend(f for f in frames if not np.array_equal(history.ram(f), expected[f]))

    reader = threading.Thread(target=read)
    reader.start()
    play(600)
    reader.join()
    assert not wrong
    assert line.pool.disk_bytes
    assert history.length == 700
    got = history.ram_ranges([(5, 3), (1000, 2)], 0, 701)
    assert np.array_equal(got, expected[:, [5, 6, 7, 1000, 1001]])
    changed = (np.diff(expected[100:400].astype(int), axis=0) != 0).any(axis=0)
    assert np.array_equal(history.changed(100, 400), changed)
    with pytest.raises(TimelineError, match="701"):
        history.ram(701)
    line.close()
