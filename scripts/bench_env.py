"""Speed of environments against stable-retro's and a bare C loop, in one run.

``python -m scripts.bench_env [DIRECTORY...]``: integrations with their ROMs, Airstriker by default.
Contenders take turns, each in a process of its own, and each one's quickest round counts, because a
busy machine only ever makes a round slower. Processor time is that of all threads and processes of
a contender, and a busy machine changes it little. Wall time on a busy machine favours many
processes: each of them gets a share of the machine.

The cores alone are those of ``make_vec`` in one thread, with whole pictures and no scores.

Rows with a frame skip of four are what agents train on: the brighter of the last two frames, gray,
84 x 84, stacked by four. stable-retro has Gymnasium's wrappers for it, which need OpenCV; missing
packages are installed first."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import integrator
from integrator.commands.bench import bare_loop, job_of
from integrator.commands.shared.options import airstriker

ROUNDS = 5
FRAMES = 2000
COUNTS = (2, 4, 8)
SKIPS = (1, 4)
_WARM_UP_STEPS = 100
_BARE = "bare-c-loop"
_THEIRS = "stable-retro"
SINGLE = ("make_env", _THEIRS)
_CORES = "cores alone"
VECTORS = ("make_vec", "make_vec isolated", _CORES, _THEIRS)
_Cost = tuple[float, float]
"""Microseconds a frame of an environment: processor time and wall time."""


def main(arguments: list[str]) -> None:
    """Print one line of JSON for each game and number of environments."""
    if arguments[:1] == ["--one"]:
        name, game, count, skip = arguments[1:]
        sys.stdout.write(json.dumps(_run_contender(name, game, int(count), int(skip))) + "\n")
        return
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("directories", nargs="*", type=Path, default=[airstriker()])
    directories: list[Path] = parser.parse_args(arguments).directories
    needed = {"stable_retro": "retro-integrator[cores]", "cv2": "opencv-python-headless"}
    missing = [package for module, package in needed.items() if find_spec(module) is None]
    if missing:
        pip = [sys.executable, "-m", "pip", "install", *missing]
        subprocess.run(pip, stdout=sys.stderr, check=True)
    for directory in map(Path.absolute, directories):
        _print(_single(directory))
        for skipped, each in product(SKIPS, COUNTS):
            _print(_vector(directory, each, skipped))


def _print(row: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def _single(directory: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        program = bare_loop(job_of(directory, Path(folder)), Path(folder), times=1)
        runs: dict[str, Callable[[], _Cost]] = {
            name: partial(_contender, name, directory, 0, 1) for name in SINGLE
        }
        runs[_BARE] = partial(_bare_cost, program)
        best = _best(runs)
    ours = best["make_env"][0]
    return _report(directory, 1, best) | {
        "times stable-retro": round(best[_THEIRS][0] / ours, 3),
        "of the bare loop": round(best[_BARE][0] / ours, 3),
    }


def _vector(directory: Path, count: int, skip: int) -> dict[str, Any]:
    best = _best({name: partial(_contender, name, directory, count, skip) for name in VECTORS})
    ratios = {
        f"{name}, times stable-retro": [
            round(theirs / ours, 3) for ours, theirs in zip(best[name], best[_THEIRS], strict=True)
        ]
        for name in VECTORS[:-2]
    }
    share = round(best[_CORES][0] / best["make_vec"][0], 3)
    told = {"frame skip": skip, "of the cores alone": share}
    return _report(directory, count, best) | told | ratios


def _best(runs: Mapping[str, Callable[[], _Cost]]) -> dict[str, _Cost]:
    costs: dict[str, list[_Cost]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            costs[name].append(run())
    return {
        name: (min(cost[0] for cost in each), min(cost[1] for cost in each))
        for name, each in costs.items()
    }


def _report(directory: Path, count: int, best: Mapping[str, _Cost]) -> dict[str, Any]:
    return {
        "game": directory.name,
        "environments": count,
        "load": round(os.getloadavg()[0], 1),
        "microseconds, processor and wall": {
            name: [round(each, 1) for each in cost] for name, cost in best.items()
        },
    }


def _contender(name: str, directory: Path, count: int, skip: int) -> _Cost:
    command = [sys.executable, "-W", "ignore", "-m", "scripts.bench_env", "--one"]
    command += [name, str(directory), str(count), str(skip)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    processor, wall = json.loads(done.stdout.splitlines()[-1])
    return processor, wall


def _run_contender(name: str, directory: str, count: int, skip: int) -> _Cost:
    """Step a single environment when ``count`` is 0, else a vector of ``count``."""
    env = _vector_env(name, directory, count, skip) if count else _environment(name, directory)
    action = np.zeros(env.action_space.shape, np.int8)
    step = partial(env.step, action) if name != _CORES else partial(_run_cores, env, skip)
    steps = FRAMES // max(count, 1)
    frames = steps * max(count, 1) * skip
    env.reset()
    for _ in range(_WARM_UP_STEPS):
        step()
    began, worked = time.perf_counter(), _processor_seconds()
    for _ in range(steps):
        step()
    wall, processor = time.perf_counter() - began, _processor_seconds() - worked
    env.close()
    return processor / frames * 1e6, wall / frames * 1e6


def _run_cores(envs: Any, skip: int) -> None:
    """A step of all emulators, one after the other, without anything that an agent gets."""
    for env in envs.envs:
        for _ in range(skip):
            env.emulator.run((0,))


def _environment(name: str, directory: str) -> Any:
    return integrator.make_env(directory) if name == "make_env" else _stable_retro(directory)


def _stable_retro(directory: str) -> Any:
    import stable_retro  # noqa: PLC0415 - only its own contender needs it

    integrations = stable_retro.data.Integrations
    integrations.add_custom_path(str(Path(directory).parent))
    return stable_retro.make(
        Path(directory).name, inttype=integrations.CUSTOM_ONLY, render_mode="rgb_array"
    )


def _vector_env(name: str, directory: str, count: int, skip: int) -> Any:
    if name != _THEIRS:
        trained: dict[str, Any] = {}
        if skip > 1:
            trained = {"grayscale": True, "resize": (84, 84), "stack": 4, "maxpool": True}
        isolated = name == "make_vec isolated"
        return integrator.make_vec(directory, count, isolated=isolated, frame_skip=skip, **trained)
    from gymnasium.vector import AsyncVectorEnv  # noqa: PLC0415 - only its own contender needs it

    make = _stable_retro if skip == 1 else partial(_as_trained, skip=skip)
    return AsyncVectorEnv([partial(make, directory)] * count)


def _as_trained(directory: str, skip: int) -> Any:
    from gymnasium import wrappers  # noqa: PLC0415 - only its own contender needs it

    env = wrappers.MaxAndSkipObservation(_stable_retro(directory), skip)
    gray = wrappers.GrayscaleObservation(env)
    return wrappers.FrameStackObservation(wrappers.ResizeObservation(gray, (84, 84)), 4)


def _processor_seconds() -> float:
    """Processor time of this process and of its children so far."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    ticks = 0
    listed = [each.read_text() for each in Path("/proc/self/task").glob("*/children")]
    for child in " ".join(listed).split():
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return own.ru_utime + own.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


def _bare_cost(program: list[str]) -> _Cost:
    """Of the frames that the environments run after their warm-up; so the start is left out."""
    whole = _processor_time(program, _WARM_UP_STEPS + FRAMES)
    start = _processor_time(program, _WARM_UP_STEPS)
    return tuple((a - b) / FRAMES * 1e6 for a, b in zip(whole, start, strict=True))  # type: ignore[return-value] # two numbers


def _processor_time(command: list[str], frames: int) -> _Cost:
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    program = [*command[:3], str(frames), *command[4:]]
    subprocess.run(program, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor, time.perf_counter() - began


if __name__ == "__main__":
    main(sys.argv[1:])
