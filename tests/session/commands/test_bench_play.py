"""Benchmarks explain themselves; replaying movies in a second process costs little time."""

from __future__ import annotations

import pytest

from scripts import bench_env
from scripts.bench_play import JOBS, run_play_bench

pytestmark = pytest.mark.usefixtures("own_home")


def test_movies_are_replayed_by_one_process_and_by_two() -> None:
    report = run_play_bench(movies=4, frames=300, rounds=1, short_movies=3, quiet=True)
    assert set(report["wall_seconds"]) == set(report["cpu_seconds"]) == set(JOBS)
    # Each of the two imports what the first one has; for four short movies, that is much.
    assert -0.1 < report["extra_cpu"] < 3
    assert report["speed_up"] > 0
    assert report["short_a_second"] > 0


def test_the_benchmark_of_environments_takes_no_option_for_a_path(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        bench_env.main(["--help"])
    assert "Airstriker by default" in capsys.readouterr().out
