"""Speed of environments beside stable-retro's and a bare C loop, in processor time.

``python -m scripts.bench_env [DIRECTORY...]``: integrations with their ROMs, Airstriker by default.
Contenders take turns, each in a process of its own, and each one's quickest round counts, because a
busy machine only ever makes a round slower.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import integrator
import libretro_host
from integrator import paths
from integrator.commands.shared.games import GameFiles, airstriker, game_files

ROUNDS = 5
FRAMES = 2000
_WARM_UP_FRAMES = 200
CONTENDERS = ("make_env", "stable-retro")


def main(arguments: list[str]) -> None:
    """Print one line of JSON a game: microseconds a frame, and how many times as fast we are."""
    if arguments[:1] == ["--one"]:
        sys.stdout.write(f"{_microseconds(_environment(arguments[1], arguments[2]))}\n")
        return
    for directory in map(Path, arguments or [str(airstriker())]):
        sys.stdout.write(json.dumps(_compare(directory.absolute())) + "\n")


def _compare(directory: Path) -> dict[str, Any]:
    times: dict[str, list[float]] = {name: [] for name in (*CONTENDERS, "bare-c-loop")}
    game = game_files(directory)
    with tempfile.TemporaryDirectory() as folder:
        program = _bare_loop(Path(folder), game)
        for _ in range(ROUNDS):
            for name in CONTENDERS:
                command = [sys.executable, "-W", "ignore", "-m", "scripts.bench_env"]
                done = subprocess.run(
                    [*command, "--one", name, directory], capture_output=True, text=True, check=True
                )
                times[name].append(float(done.stdout.splitlines()[-1]))
            longer, shorter = _processor_time(program, 2 * FRAMES), _processor_time(program, FRAMES)
            times["bare-c-loop"].append((longer - shorter) / FRAMES * 1e6)
    best = {name: round(min(each), 1) for name, each in times.items()}
    return {
        "game": directory.name,
        "microseconds": best,
        "times stable-retro": round(best["stable-retro"] / best["make_env"], 3),
        "of the bare loop": round(best["bare-c-loop"] / best["make_env"], 3),
    }


def _environment(name: str, directory: str) -> Any:
    if name == "make_env":
        return integrator.make_env(directory)
    import stable_retro  # noqa: PLC0415 - only its own contender needs it

    integrations = stable_retro.data.Integrations
    integrations.add_custom_path(str(Path(directory).parent))
    return stable_retro.make(
        Path(directory).name, inttype=integrations.CUSTOM_ONLY, render_mode="rgb_array"
    )


def _microseconds(env: Any) -> float:
    action = np.zeros(env.action_space.shape, np.int8)
    env.reset()
    for _ in range(_WARM_UP_FRAMES):
        env.step(action)
    began = time.thread_time()
    for _ in range(FRAMES):
        env.step(action)
    return (time.thread_time() - began) / FRAMES * 1e6


def _bare_loop(folder: Path, game: GameFiles) -> list[str]:
    program, state = folder / "bareloop", folder / "start.raw"
    state.write_bytes(game.state)
    source = paths.shipped("resources") / "bench" / "bareloop.c"
    include = Path(libretro_host.__file__).parent
    flags = ["-std=gnu11", "-O2", "-I", str(include), "-o", str(program)]
    subprocess.run(["cc", *flags, str(source), "-ldl"], check=True)
    options = [f"{key}={value}" for key, value in game.options.items()]
    return [str(program), str(game.core), str(game.content), "--state", str(state), *options]


def _processor_time(command: list[str], frames: int) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    program = [*command[:3], str(frames), *command[3:], "--repeat", "1"]
    subprocess.run(program, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


if __name__ == "__main__":
    main(sys.argv[1:])
