"""``integrator bench``: contenders in turn, each in a process of its own; ratios within a round."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

import libretro_host
from integrator import paths
from integrator.commands.bench.search import search_beside_stable_retro
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.options import airstriker, game_files
from integrator.domain.errors import SessionError
from libretro_host.processes import children
from libretro_host.processes.temporary import OwnedFolder

CONTENDERS: Mapping[str, str] = {
    "bare-c-loop": "the core alone: a C program with empty callbacks",
    "inprocess-chunks": "our host in chunks of 240 frames, all of RAM of each frame",
    "session-chunks": "a session in such chunks: RAM, variables, scenario and timeline",
    "remote-interactive": "as the window plays: a core of its own process, frame by frame",
    "stable-retro-step": "stable-retro's env.step, each with its picture",
}
_BASE = "bare-c-loop"


def run_bench(*, quiet: bool, rounds: int = 5, frames: int = 4800) -> dict[str, Any]:
    """Medians over rounds on Airstriker. Raises SessionError when stable-retro is missing."""
    game = game_files(airstriker())
    seconds: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    missing: dict[str, str] = {}
    with OwnedFolder() as folder:
        state = folder / "start.raw"
        state.write_bytes(game.state)
        job = {
            "core": str(game.core),
            "content": str(game.content),
            "state": str(state),
            "options": dict(game.options),
            "frames": frames,
            "directory": str(game.directory),
        }
        commands = _commands(job, folder, missing)
        with plain_progress(quiet=quiet) as progress:
            task = progress.add_task("benchmark", total=rounds * len(commands) + 1)
            for _ in range(rounds):
                for name, command in commands.items():
                    progress.update(task, description=name)
                    seconds[name].append(_run_contender(name, command))
                    progress.advance(task)
            progress.update(task, description="search")
            search = search_beside_stable_retro()
            progress.advance(task)
    run = {name: np.array(times) for name, times in seconds.items() if times}
    base = run.get(_BASE)
    return {
        "game": game.directory.name,
        "frames": frames,
        "rounds": rounds,
        "frames_per_second": {
            name: round(float(frames / np.median(times)), 1) for name, times in run.items()
        },
        "ratio_to_bare_loop": {}
        if base is None
        else {name: round(float(np.median(base / times)), 3) for name, times in run.items()},
        "search": search,
        "missing": missing,
    }


def print_bench(report: dict[str, Any]) -> None:
    title = f"{report['game']}, {report['frames']} frames, median of {report['rounds']} rounds"
    table = Table(title=title)
    for column in ("contender", "frames/s", "of bare C", "what it does"):
        table.add_column(column)
    for name, what in CONTENDERS.items():
        if name in report["frames_per_second"]:
            speed = f"{report['frames_per_second'][name]:,.0f}"
            ratio = report["ratio_to_bare_loop"].get(name)
            table.add_row(name, speed, f"{ratio:.2f}" if ratio else "", what)
        else:
            table.add_row(name, "", "", report["missing"].get(name, "not run"))
    search = Table(title="First search of all RAM, milliseconds of processor time")
    for column in ("search for", "here", "stable-retro", "times as fast"):
        search.add_column(column)
    changes = {"changed": "what changed", "unchanged": "what did not change"}
    for each in report["search"]:
        times = f"{each['milliseconds']:.2f}", f"{each['stable_retro_milliseconds']:,.1f}"
        wanted = changes.get(each["search"], "a value that the screen shows")
        search.add_row(wanted, *times, f"{each['times_as_fast']:,.0f}")
    plain_console().print(table, search, sep="\n")


def _commands(job: dict[str, Any], folder: Path, missing: dict[str, str]) -> dict[str, list[str]]:
    worker = "integrator.commands.bench.contender"
    commands = {
        name: children.module_command(worker, name, json.dumps(job))
        for name in CONTENDERS
        if name != _BASE
    }
    try:
        program = compile_bare_loop(folder)
    except SessionError as error:
        missing[_BASE] = str(error)
        return commands
    options = [f"{key}={value}" for key, value in job["options"].items()]
    # The first repetition warms the caches, as the other contenders' warm-up does.
    settings = ["--state", job["state"], "--repeat", "2"]
    bare = [str(program), job["core"], job["content"], str(job["frames"]), *settings, *options]
    return {_BASE: bare, **commands}


def compile_bare_loop(folder: Path) -> Path:
    """Compile the bare C loop into ``folder``; the program. Raises SessionError."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise SessionError("needs a C compiler: install gcc")
    program = folder / "bareloop"
    source = paths.shipped("resources") / "bench" / "bareloop.c"
    include = Path(libretro_host.__file__).parent
    flags = ["-std=gnu11", "-O2", "-I", str(include), "-o", str(program)]
    done = children.run([compiler, *flags, str(source), "-ldl"])
    if done.returncode:
        raise SessionError(f"{compiler} failed: {done.stderr.strip().splitlines()[0]}")
    return program


def _run_contender(name: str, command: list[str]) -> float:
    """Seconds of the contender's frames, by its own clock, start-up left out."""
    done = children.run(command, environment=children.child_environment({"PYTHONWARNINGS": ""}))
    if done.returncode != 0:
        raise SessionError(f"benchmark {name} failed: {done.stderr.strip().splitlines()[-1:]}")
    return float(json.loads(done.stdout.splitlines()[-1])["seconds"][-1])
