"""The benchmark of the timeline runs, and its measurements keep their order of size."""

from __future__ import annotations

import pytest

from scripts.bench_timeline import measure_cost, measure_line

pytestmark = pytest.mark.usefixtures("own_home")


def test_a_short_line_is_measured() -> None:
    report = measure_line(1200, held_frames=60)
    assert report["frames"] == 1201
    assert report["states_kept"] >= 10
    # Thirty minutes have to fit into 400 MB: 90 times this.
    assert report["timeline_megabytes"] < 400 / 90
    assert 0 < report["seek_ms"]["median"] <= report["seek_ms"]["p95"]
    assert report["held_rewind"]["skipped"] == 0
    # At the pace of the console, and a little more to catch up after it was held up.
    assert 0 < report["held_rewind"]["frames_per_second"] < 120


def test_the_cost_of_recording_is_measured() -> None:
    # About 6 %; states alone took 15 % before empty pages were left out. The number itself belongs
    # to `integrator bench --timeline`: other work of the machine adds to it.
    assert measure_cost(chunks=2)["share_of_headless_time"] < 1
