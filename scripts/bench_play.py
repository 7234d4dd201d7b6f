"""``python -m scripts.bench_play``: many movies replayed by one process and by two, as a ratio.

Wall time tells how much sooner two processes are done, on a machine that has nothing else to do.
Processor time of both tells the extra cost of the second process, also on a busy machine."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TypedDict

import numpy as np

from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.options import airstriker
from integrator.domain.errors import SessionError
from integrator.session.opening import open_session
from libretro_host.processes import children
from scripts.reporting import report, show_table

MOVIES = 100
FRAMES = 1200
ROUNDS = 3
JOBS = (1, 2)
SHORT_MOVIES = 2000
SHORT_FRAMES = 60
_DIFFERENT_MOVIES = 10


class PlayBenchReport(TypedDict):
    """The document of ``--json``: medians over the rounds, by the number of processes.

    ``speed_up`` is wall time of one process divided by that of two, ``extra_cpu`` the further
    processor time of two processes, as a share. ``short_a_second`` movies of a second are played by
    two processes, and ``short_cpu_ms`` is the processor time of one of them. ``busy`` is the
    machine's load before the first round."""

    movies: int
    frames: int
    rounds: int
    processors: int
    busy: float
    wall_seconds: dict[int, float]
    cpu_seconds: dict[int, float]
    speed_up: float
    extra_cpu: float
    short_movies: int
    short_a_second: float
    short_cpu_ms: float


def run_play_bench(
    *,
    movies: int = MOVIES,
    frames: int = FRAMES,
    rounds: int = ROUNDS,
    short_movies: int = SHORT_MOVIES,
    quiet: bool = False,
) -> PlayBenchReport:
    """Make movies of Airstriker, and replay them. Raises SessionError when a replay fails."""
    busy = os.getloadavg()[0]
    wall: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    cpu: dict[int, list[float]] = {jobs: [] for jobs in JOBS}
    with tempfile.TemporaryDirectory() as folder:
        paths = _record(Path(folder), movies, frames)
        with plain_progress(quiet=quiet) as progress:
            task = progress.add_task("benchmark", total=rounds * len(JOBS))
            for _ in range(rounds):
                for jobs in JOBS:
                    taken = _replay(paths, jobs)
                    wall[jobs].append(taken[0])
                    cpu[jobs].append(taken[1])
                    progress.advance(task)
        short = _record(Path(folder) / "short", short_movies, SHORT_FRAMES)
        short_wall, short_cpu = _replay(short, JOBS[-1])
    one, two = JOBS
    return {
        "movies": movies,
        "frames": frames,
        "rounds": rounds,
        "processors": len(os.sched_getaffinity(0)),
        "busy": round(busy, 2),
        "wall_seconds": {jobs: round(statistics.median(taken), 2) for jobs, taken in wall.items()},
        "cpu_seconds": {jobs: round(statistics.median(taken), 2) for jobs, taken in cpu.items()},
        "speed_up": _median_ratio(wall[one], wall[two]),
        "extra_cpu": round(_median_ratio(cpu[two], cpu[one]) - 1, 3),
        "short_movies": short_movies,
        "short_a_second": round(short_movies / short_wall, 1),
        "short_cpu_ms": round(short_cpu / short_movies * 1000, 1),
    }


def print_play_bench(report: PlayBenchReport) -> None:
    """Print the report as a table."""
    title = f"{report['movies']} movies of {report['frames']} frames, {report['rounds']} rounds"
    rows = (
        (jobs, f"{report['wall_seconds'][jobs]:.1f}", f"{report['cpu_seconds'][jobs]:.1f}")
        for jobs in JOBS
    )
    show_table(title, ("processes", "seconds", "processor seconds"), rows)
    console = plain_console()
    text = f"{report['speed_up']:.2f} times as fast for {report['extra_cpu']:.1%} more processor"
    if report["busy"] > 0.5:
        text += f"; the machine was busy before (load {report['busy']}): measure again when idle"
    console.print(text)
    console.print(
        f"{report['short_movies']} movies of a second: {report['short_a_second']} a second, "
        f"{report['short_cpu_ms']} ms of processor time each"
    )


def _record(folder: Path, movies: int, frames: int) -> list[Path]:
    """Movies of random play, some of them several times, because their contents do not matter."""
    rng = np.random.default_rng(5)
    folder.mkdir(exist_ok=True)
    paths = []
    with open_session(airstriker()) as session:
        for number in range(min(movies, _DIFFERENT_MOVIES)):
            session.reset()
            session.record(folder / f"{number}.bk2")
            masks = rng.integers(0, 1 << 12, frames // 10 + 1).astype(np.uint16) & ~np.uint16(8)
            session.run(np.repeat(masks, 10)[: frames - 1].reshape(-1, 1))
            paths.append(folder / f"{number}.bk2")
            session.stop_recording()
    return [paths[number % len(paths)] for number in range(movies)]


def _replay(movies: list[Path], jobs: int) -> tuple[float, float]:
    """Seconds and processor seconds of the command with all processes that it starts."""
    command = children.module_command("integrator", "play", "--json", "--jobs", jobs, *movies)
    before = os.times()
    started = time.perf_counter()
    done = children.run(command)
    wall, after = time.perf_counter() - started, os.times()
    if done.returncode != 0:
        raise SessionError(f"integrator play failed: {done.stderr.strip().splitlines()[-1:]}")
    user = after.children_user - before.children_user
    return wall, user + after.children_system - before.children_system


def _median_ratio(over: list[float], under: list[float]) -> float:
    ratios = (a / b for a, b in zip(over, under, strict=True))
    return round(statistics.median(ratios), 3)


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_play_bench(quiet=quiet), print_play_bench)
