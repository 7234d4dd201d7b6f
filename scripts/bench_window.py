"""``python -m scripts.bench_window``: the real window: start, lateness of frames, fast-forward.

Each measure runs in a process of its own, on the present display or on an X server made for it."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypedDict

from integrator.commands.shared.console import plain_progress
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import SessionError
from libretro_host.processes import children
from scripts.reporting import report, show_table

STARTS: Final = 5
FAST_ROUNDS: Final = 3
FAST_S: Final = 8.0
NATIVE_S: Final = 60.0

_SERVER: Final = ("xvfb-run", "-a", "-s", "-screen 0 1680x1050x24")
GOALS: Final[Mapping[str, str]] = {
    "start_seconds": "below 1.5",
    "late_share": "at most 0.005",
    "quiet_late_share": "at most 0.005",
    "quiet_share": "at least 0.2, to say anything",
    "ui_thread_busy": "below 0.4",
    "fast_forward_ratio": "at least 0.6",
    "command_ms": "below 20",
}


class WindowReport(TypedDict):
    """The document of ``--json``; medians over rounds. ``busy`` is the load before the first round.

    ``start_seconds``: launch to first frame of the demo game. With all docks open and Airstriker at
    native speed: ``late_share`` of frames painted over 8 ms late, or not; ``quiet_late_share``, the
    same of those ``quiet_share`` of all frames that were due over a quarter of a second away from
    any time in which a processor of the machine stood still or was taken away; and
    ``ui_thread_busy``, the share of its time that the window's thread computes.
    ``fast_forward_ratio`` is against the same session in chunks without a window; ``command_ms`` is
    how long a command waits meanwhile."""

    busy: float
    start_seconds: float
    late_share: float
    quiet_late_share: float
    quiet_share: float
    ui_thread_busy: float
    docks_in_sight: float
    fast_forward_ratio: float
    fast_forward_fps: float
    headless_fps: float
    command_ms: float


def run_window_bench(*, seconds: float = NATIVE_S, quiet: bool = False) -> WindowReport:
    """Measure everything. Raises SessionError when a measure fails or there is no display."""
    busy = os.getloadavg()[0]
    starts, fast = [], []
    with plain_progress(quiet=quiet) as progress:
        task = progress.add_task("window", total=STARTS + FAST_ROUNDS + 1)
        for _ in range(STARTS):
            progress.update(task, description="start")
            starts.append(measure("start", demo_game(), time.monotonic())["seconds"])
            progress.advance(task)
        for _ in range(FAST_ROUNDS):
            progress.update(task, description="fast-forward")
            fast.append(measure("fast", airstriker(), FAST_S))
            progress.advance(task)
        progress.update(task, description="native speed")
        native = measure("native", airstriker(), seconds)
        progress.advance(task)
    middle = {key: statistics.median(each[key] for each in fast) for key in fast[0]}
    return {
        "busy": busy,
        "start_seconds": statistics.median(starts),
        "late_share": native["late_share"],
        "quiet_late_share": native["quiet_late_share"],
        "quiet_share": native["quiet_share"],
        "ui_thread_busy": native["ui_thread_busy"],
        "docks_in_sight": native["docks_in_sight"],
        "fast_forward_ratio": middle["ratio"],
        "fast_forward_fps": middle["window_fps"],
        "headless_fps": middle["headless_fps"],
        "command_ms": middle["command_ms_median"],
    }


def measure(what: str, game: Path, seconds: float) -> dict[str, float]:
    """Run one measure of :mod:`scripts.window_measures`."""
    worker = children.module_command("scripts.window_measures", what, game, seconds)
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return _answer(worker)
    if shutil.which(_SERVER[0]) is None:
        raise SessionError("there is no display, and no xvfb-run to make one: install xvfb")
    return _answer([*_SERVER, *worker])


def print_window_bench(report: WindowReport) -> None:
    """Print the report as a table."""
    title = f"The window; load {report['busy']:.1f} before the first round"
    rows = ((key.replace("_", " "), value, GOALS.get(key, "")) for key, value in report.items())
    show_table(title, ("measure", "value", "goal"), rows)


def _answer(command: list[str]) -> dict[str, float]:
    done = children.run(command)
    if done.returncode != 0 or not done.stdout.strip():
        raise SessionError(f"window benchmark failed: {done.stderr.strip().splitlines()[-1:]}")
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


if __name__ == "__main__":
    report(__doc__, lambda quiet: run_window_bench(quiet=quiet), print_window_bench)
