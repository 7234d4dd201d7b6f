"""Frames that count as late, and moments when the machine stands still."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from scripts import stall_watch
from scripts.late_frames import late_share, lateness
from scripts.stall_watch import StallWatch

FPS = 60.0


def on_time(numbers: range) -> list[float]:
    return [1000.0 + number / FPS for number in numbers]


def test_frames_on_time_are_not_late_whenever_the_first_one_came() -> None:
    numbers = range(7, 907)
    assert np.allclose(lateness(numbers, on_time(numbers), FPS), 0.0, atol=1e-9)
    assert late_share(numbers, on_time(numbers), FPS).late == 0.0


def test_a_frame_is_late_after_eight_milliseconds() -> None:
    numbers, times = range(600), on_time(range(600))
    times[100] += 0.0079
    times[400] += 0.0081
    assert late_share(numbers, times, FPS).late == 1 / 600
    assert lateness(numbers, times, FPS).max() == pytest.approx(0.0081, abs=1e-6)


def test_a_frame_that_never_came_is_late() -> None:
    numbers = [number for number in range(600) if number not in (50, 51, 300)]
    times = [1000.0 + number / FPS for number in numbers]
    assert late_share(numbers, times, FPS).late == 3 / 600


def test_a_clock_that_drifts_is_followed() -> None:
    numbers = range(6000)
    times = [1000.0 + number * 1.0001 / FPS for number in numbers]
    assert times[-1] - times[0] - 5999 / FPS > 0.008
    assert late_share(numbers, times, FPS).late == 0.0


def test_frames_near_a_stall_are_not_judged() -> None:
    numbers, times = range(600), on_time(range(600))
    for late in (100, 400):
        times[late] += 0.012
    during = (times[100] - 0.013, times[100] - 0.001)
    assert late_share(numbers, times, FPS) == (2 / 600, 1.0)
    # 15 frames before, those of the stall, and 15 while the held-up frames are caught up on.
    share = late_share(numbers, times, FPS, [during])
    assert share == (1 / (600 - 31), (600 - 31) / 600)
    elsewhere = (times[200] - 0.001, times[200] + 0.001)
    assert late_share(numbers, times, FPS, [elsewhere]).late == 2 / (600 - 31)


def test_frames_that_never_came_in_a_stall_are_not_judged() -> None:
    numbers = [number for number in range(600) if number not in (50, 51, 300)]
    times = [1000.0 + number / FPS for number in numbers]
    stall = (1000.0 + 49.5 / FPS, 1000.0 + 50.5 / FPS)
    judged = late_share(numbers, times, FPS, [stall]).judged * 600
    assert late_share(numbers, times, FPS, [stall]).late == 1 / judged
    assert judged == 600 - 31


def test_a_machine_that_was_never_quiet_shows_nothing() -> None:
    numbers = range(600)
    times = on_time(numbers)
    assert late_share(numbers, times, FPS, [(times[0], times[-1])]) == (0.0, 0.0)


def test_stolen_time_is_that_of_one_processor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = tmp_path / "stat"
    stat.write_text(
        "cpu 1 2 3 4 5 6 7 30 0 0\ncpu0 1 2 3 4 5 6 7 10 0 0\ncpu1 1 2 3 4 5 6 7 20 0 0\n"
    )
    monkeypatch.setattr(stall_watch, "_STAT", stat)
    assert stall_watch.stolen_ticks(1) == 20


class HandSetClock:
    """Stands for the module ``time``: sleeps take as long as they ask for, but for ``late``."""

    def __init__(self, late: dict[int, float]) -> None:
        self.now = 100.0
        self._late = late
        self._sleeps = 0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += self._late.get(self._sleeps, seconds)
        self._sleeps += 1


def test_a_sleep_that_ends_late_is_a_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stall_watch, "time", HandSetClock({3: 0.005, 6: 0.25}))
    monkeypatch.setattr(os, "sched_setaffinity", lambda _pid, _cpus: None)
    monkeypatch.setattr(os, "nice", lambda _more: 0)
    (stall,) = stall_watch.watch(0, 0.5)
    assert stall == pytest.approx((100.011, 100.26))


def test_each_processor_has_a_watcher_that_ends_by_itself() -> None:
    with StallWatch(0.0) as machine:
        assert machine.stalls() == []
        assert [watcher.wait() for watcher in machine.watchers] == [0] * len(
            os.sched_getaffinity(0)
        )
