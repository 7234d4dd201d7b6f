"""``integrator bench``: runs contenders in turn, in processes, and compares them per round. The
module's process gets ``CONTENDER JOB`` and prints ``{"seconds": [...]}``; without arguments it
compares RAM searches, and prints processor time."""

import json
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from timeit import repeat, timeit
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

import libretro_host
from integrator import paths
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.options import airstriker
from integrator.domain.errors import SessionError
from integrator.domain.files.reading import read_file
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES
from integrator.domain.search.search import Search
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region
from integrator.session.opening import open_session
from integrator.session.setup.roots import systems
from libretro_host.host import CapturePlan, CoreHost, LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.processes import children
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.remote import RemoteHost

CONTENDERS: Mapping[str, str] = {
    "bare-c-loop": "the core alone: a C program with empty callbacks",
    "inprocess-chunks": "our host in chunks of 240 frames, all of RAM of each frame",
    "session-chunks": "a session in such chunks: RAM, variables, scenario and timeline",
    "remote-interactive": "as the window plays: a core of its own process, frame by frame",
    "stable-retro-step": "stable-retro's env.step, each with its picture",
}
_BASE = "bare-c-loop"
_ROUNDS, _FRAMES = 5, 4800


def run_bench(*, quiet: bool) -> dict[str, Any]:
    """Return medians over rounds on Airstriker. Raises SessionError without stable-retro."""
    game = airstriker()
    seconds: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    missing: dict[str, str] = {}
    with OwnedFolder() as folder:
        commands = _commands(job_of(game, folder), folder, missing)
        with plain_progress(quiet=quiet) as progress:
            task = progress.add_task("benchmark", total=_ROUNDS * len(commands) + 1)
            for _ in range(_ROUNDS):
                for name, command in commands.items():
                    progress.update(task, description=name)
                    # The contender's own clock leaves out its start-up.
                    seconds[name].append(float(_result_of(name, command)["seconds"][-1]))
                    progress.advance(task)
            progress.update(task, description="search")
            search = search_and_stable_retro()
            progress.advance(task)
    run = {name: np.array(times) for name, times in seconds.items() if times}
    speeds = {name: round(float(_FRAMES / np.median(times)), 1) for name, times in run.items()}
    base, ratios = run.get(_BASE), {}
    if base is not None:
        ratios = {name: round(float(np.median(base / each)), 3) for name, each in run.items()}
    row = {"game": game.name, "frames": _FRAMES, "rounds": _ROUNDS}
    row |= {"frames_per_second": speeds, "ratio_to_bare_loop": ratios}
    return {**row, "search": search, "missing": missing}


def print_bench(report: dict[str, Any]) -> None:
    title = f"{report['game']}, {report['frames']} frames, median of {report['rounds']} rounds"
    table = Table("contender", "frames/s", "of bare C", "what it does", title=title)
    for name, what in CONTENDERS.items():
        if name in report["frames_per_second"]:
            speed = f"{report['frames_per_second'][name]:,.0f}"
            ratio = report["ratio_to_bare_loop"].get(name)
            table.add_row(name, speed, f"{ratio:.2f}" if ratio else "", what)
        else:
            table.add_row(name, "", "", report["missing"].get(name, "not run"))
    title = "First search of all RAM, milliseconds of processor time"
    search = Table("search for", "here", "stable-retro", "times as fast", title=title)
    changes = {"changed": "what changed", "unchanged": "what did not change"}
    for each in report["search"]:
        times = f"{each['milliseconds']:.2f}", f"{each['stable_retro_milliseconds']:,.1f}"
        wanted = changes.get(each["search"], "a value that the screen shows")
        search.add_row(wanted, *times, f"{each['times_as_fast']:,.0f}")
    plain_console().print(table, search, sep="\n")


Job = Mapping[str, Any]


def job_of(directory: Path, folder: Path) -> Job:
    """Return what the contenders need to run a game; its start state is written to ``folder``."""
    state = folder / "start.raw"
    with open_session(directory) as session:
        session.reset()
        state.write_bytes(session.save_state())
        return {
            "directory": str(directory),
            "content": str(session.game.content),
            "core": str(session.game.core_path),
            "state": str(state),
            "options": {option.key: option.value for option in session.host.options()},
            "frames": _FRAMES,
        }


def _commands(job: Job, folder: Path, missing: dict[str, str]) -> dict[str, list[str]]:
    names = [name for name in CONTENDERS if name != _BASE]
    commands = {name: children.module_command(__name__, name, json.dumps(job)) for name in names}
    try:
        # The first repetition warms the caches, as the warm-up of the other contenders does.
        return {_BASE: bare_loop(job, folder, times=2), **commands}
    except SessionError as error:
        missing[_BASE] = str(error)
        return commands


def bare_loop(job: Job, folder: Path, *, times: int) -> list[str]:
    """Return the command of the C program, compiled into ``folder``. Raises SessionError."""
    where = [str(compile_bare_loop(folder)), job["core"], job["content"], str(job["frames"])]
    options = [f"{key}={value}" for key, value in job["options"].items()]
    return [*where, "--state", job["state"], "--repeat", str(times), *options]


def compile_bare_loop(folder: Path) -> Path:
    """Compile the bare C loop into ``folder``; return the program. Raises SessionError."""
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


def _result_of(name: str, command: list[str]) -> Any:
    """Return the JSON that a benchmark's process prints last. Raises SessionError."""
    done = children.run(command, environment=children.child_environment({"PYTHONWARNINGS": ""}))
    if done.returncode != 0:
        raise SessionError(f"benchmark {name} failed: {done.stderr.strip().splitlines()[-1:]}")
    return json.loads(done.stdout.splitlines()[-1])


_CHUNK_FRAMES = 240  # frames of a chunk, and of a warm-up


def _host_seconds(
    make_host: Callable[[], CoreHost], plan: CapturePlan, chunk_frames: int, job: Job
) -> float:
    request = LoadRequest(Path(job["core"]), Path(job["content"]), 0xFF0000, job["options"])
    with closing(make_host()) as host:
        host.load(request)
        host.run(_idle(1), CapturePlan())
        host.unserialize(read_file(Path(job["state"]), MAX_STATE_FILE_BYTES))
        host.run(_idle(_CHUNK_FRAMES), plan)
        inputs = _idle(chunk_frames)
        return timeit(lambda: host.run(inputs, plan), number=job["frames"] // chunk_frames)


def _session(job: Job) -> float:
    with open_session(job["directory"], isolated=False) as session:
        session.reset()
        chunk = partial(session.advance, frames=_CHUNK_FRAMES)
        chunk()
        return timeit(chunk, number=job["frames"] // _CHUNK_FRAMES)


def _stable_retro(job: Job) -> float:
    import stable_retro  # noqa: PLC0415 - only this contender needs it, and it is optional

    env = stable_retro.make(Path(job["directory"]).name, render_mode="rgb_array")
    env.reset()
    action = np.zeros(12, np.int8)
    for _ in range(_CHUNK_FRAMES):
        env.step(action)
    return timeit(lambda: env.step(action), number=job["frames"])


def _idle(frames: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint16]]:
    return np.zeros((frames, 1), np.uint16)


_CONTENDERS: Mapping[str, Callable[[Job], float]] = {
    "inprocess-chunks": partial(_host_seconds, InProcessHost, CapturePlan(ram=True), _CHUNK_FRAMES),
    "session-chunks": _session,
    "remote-interactive": partial(_host_seconds, RemoteHost, CapturePlan(changes=True), 1),
    "stable-retro-step": _stable_retro,
}


def search_and_stable_retro() -> list[dict[str, Any]]:
    """Compare first searches of Airstriker's RAM. Raises SessionError without stable-retro."""
    found = _result_of("search", children.module_command(__name__, quiet=True))
    return [
        {
            "search": name,
            "milliseconds": round(1000 * ours, 3),
            "stable_retro_milliseconds": round(1000 * theirs, 1),
            "times_as_fast": round(theirs / ours, 1),
        }
        for name, (ours, theirs) in found.items()
    ]


def _compare() -> dict[str, tuple[float, float]]:
    """Time both programs on Airstriker's RAM, with all types that its console's searches try."""
    import stable_retro  # noqa: PLC0415 - only this process needs it, and it is optional

    env: Any = stable_retro.make(airstriker().name, render_mode=None)
    env.reset()
    env.action_space.seed(1)
    descriptor = systems()["Genesis"]
    [(base, block)] = env.data.memory.blocks.items()
    overlay = Overlay.parse(descriptor.overlay) if descriptor.overlay else None
    space = AddressSpace([Region(base, len(block))], overlay)
    types = [DataType.parse(spec) for spec in descriptor.types]

    def ram() -> NDArray[np.uint8]:
        return np.frombuffer(env.data.memory.blocks[base], np.uint8).copy()

    def play(frames: int) -> None:
        for _ in range(frames):
            env.step(env.action_space.sample())

    play(100)
    now = ram()
    plain = Search(space, types, lambda: now)
    for name in ("changed", "unchanged"):
        env.data.delta_search(name, "equal", 0)
    play(30)
    now = ram()
    scaled = Search(space, types, lambda: now, scales=True)
    value = 1200
    theirs = {
        "changed": lambda: env.data.delta_search("changed", "not-equal", 0),
        "unchanged": lambda: env.data.delta_search("unchanged", "equal", 0),
        "value": lambda: env.data.search("score", value),
    }
    ours: dict[str, Callable[[], object]] = {
        "changed": lambda: plain.preview("changed"),
        "unchanged": lambda: plain.preview("unchanged"),
        "value": lambda: scaled.preview("equal", value),
    }
    # stable-retro's search narrows its candidates, so only its first search covers all RAM.
    return {name: (quickest(ours[name], 9), quickest(theirs[name], 1)) for name in theirs}


def quickest(work: Callable[[], object], times: int) -> float:
    return min(repeat(work, timer=time.thread_time, repeat=times, number=1))


if __name__ == "__main__":
    if words := sys.argv[1:]:
        printed: object = {"seconds": [_CONTENDERS[words[0]](json.loads(words[1]))]}
    else:
        printed = _compare()
    sys.stdout.write(json.dumps(printed) + "\n")
