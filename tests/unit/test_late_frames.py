"""Which frames count as late."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from integrator.late_frames import late_share, lateness

FPS = 60.0


def on_time(numbers: range) -> list[float]:
    return [1000.0 + number / FPS for number in numbers]


def test_frames_on_time_are_not_late_whenever_the_first_one_came() -> None:
    numbers = range(7, 907)
    assert np.allclose(lateness(numbers, on_time(numbers), FPS), 0.0, atol=1e-9)
    assert late_share(numbers, on_time(numbers), FPS) == 0.0


def test_a_frame_is_late_after_eight_milliseconds() -> None:
    numbers, times = range(600), on_time(range(600))
    times[100] += 0.0079
    times[400] += 0.0081
    assert late_share(numbers, times, FPS) == 1 / 600
    assert lateness(numbers, times, FPS).max() == pytest.approx(0.0081, abs=1e-6)


def test_a_frame_that_never_came_is_late() -> None:
    numbers = [number for number in range(600) if number not in (50, 51, 300)]
    times = [1000.0 + number / FPS for number in numbers]
    assert late_share(numbers, times, FPS) == 3 / 600


def test_a_clock_that_drifts_is_followed() -> None:
    numbers = range(6000)
    times = [1000.0 + number * 1.0001 / FPS for number in numbers]
    assert times[-1] - times[0] - 5999 / FPS > 0.008
    assert late_share(numbers, times, FPS) == 0.0


def test_the_machine_tells_its_own_lateness() -> None:
    command = [sys.executable, "-m", "integrator.late_frames", "50", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert 0.0 <= json.loads(done.stdout)["late_share"] <= 1.0
