"""Commands for agents that are killed, or whose core, disk or temporary folder fails."""

from __future__ import annotations

import json
import math
import os
import time
import zipfile
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from integrator.domain.errors import IntegratorError
from integrator.domain.integration.directory import load_integration
from integrator.domain.movies.reading import read_movie
from integrator.session.opening import movie_consoles, open_session
from integrator.session.setup.roots import systems
from scripts.campaign import programs, toys
from scripts.campaign.crashes import Tally, own_home

FAULTS: Final = (
    *("SIGKILL", "SIGTERM", "SIGINT", "crash", "hang", "disk", "noexec"),
    *("hog", "flood"),  # of memory and of the disk, up to the core's limits
)
FRAMES: Final = 200
_FATAL_FRAME: Final = 120
_LAST_FRAME: Final = 800
_INTERRUPTED: Final = (130, -2)
_SORTS: Final = ("lost", "untyped", "hung", "leaked")


@dataclass(frozen=True, slots=True)
class Place:
    """The files that the commands read."""

    movies: Path
    levels: Path

    def command(self, name: str, game: Path, out: Path) -> list[object]:
        """The words of a command; ``out`` is its folder."""
        agent = ("--agent", "random", "--episodes", 3)
        words: dict[str, tuple[object, ...]] = {
            "agents": (game, *agent, "--frames", FRAMES, "--out", out, "--jobs", 2),
            "scores": (self.levels, *agent, "--out", out / "scores.jsonl", "--jobs", 2),
            "dataset": (self.movies, "--game", game, "--out", out / "npz", "--format", "npz"),
            "play": (self.movies, "--game", game, "--csv", out / "rows"),
            "check": (game,),
            "audit": (game,),
        }
        return ["integrator", name, *words[name], "--json"]


COMMANDS: Final = ("agents", "scores", "dataset", "play", "check", "audit")
_WITHOUT_FILES: Final = ("check", "audit")


def cases(*, is_root: bool) -> list[tuple[str, str]]:
    """All commands with the faults that they can have."""
    return [
        (command, fault)
        for fault in FAULTS
        for command in COMMANDS
        # Without files there is no full disk.
        if (fault != "disk" or command not in _WITHOUT_FILES)
        and (is_root or fault not in ("disk", "noexec"))
    ]


def run(numbers: range, seed: int, tell: Any, until: float = math.inf) -> dict[str, Any]:
    """Make these faults, or go on to a moment of time.monotonic(); returns the report."""
    tally, rng = Tally(), Random(f"{seed} from {numbers.start}")
    done: dict[str, int] = {}
    every = cases(is_root=os.geteuid() == 0)
    with own_home() as folder:
        toys.describe_toy(platform="Toy", limits={"memory_mib": 256, "file_mib": 16})
        fatal = ("", "crash", "hang", "hog", "flood")
        games = {fault: _game(folder / f"game {fault}", fault) for fault in fatal}
        place = Place(folder / "movies", folder / "levels.csv")
        _run("agents", place, games[""], folder / "first", "", movies=place.movies)
        right: dict[str, object] = {}
        took_s: dict[str, float] = {}

        def timed(command: str, at: Path) -> tuple[programs.Ended, list[tuple[str, str]]]:
            began = time.monotonic()
            ended = _run(command, place, games[""], at, "")
            took_s[command] = time.monotonic() - began  # a busy machine is slower
            return ended

        for command in COMMANDS:
            place.levels.write_text(f"game,state\n{games['']},Start\n")
            right[command] = _told(command, timed(command, folder / command)[0])
        for number in takewhile(lambda _: time.monotonic() < until, numbers):
            command, fault = every[number % len(every)]
            done[fault] = done.get(fault, 0) + 1
            fresh = rng.random() < programs.FRESH
            after_s = rng.uniform(0.0, took_s[command]) + fresh * rng.uniform(0.0, 2.0)
            game = games.get(fault, games[""])
            place.levels.write_text(f"game,state\n{game},Start\n")
            at = folder / f"{number}"
            before, began = _contents(game), time.monotonic()
            ended, found = _run(command, place, game, at, fault, after_s, fresh=fresh)
            if fault == "noexec" and not fresh:
                took_s[command] = time.monotonic() - began
            found += _judge(command, fault, ended, right[command])
            if _contents(game) != before:
                found.append(("lost", "the game's files changed"))
            if fault in (*programs.SIGNALS, "disk") and command not in _WITHOUT_FILES:
                # The same command does its work now, and nothing left over is in its way.
                again, more = timed(command, at)
                found += more
                if again.code not in (0, 1) or _told(command, again) != right[command]:
                    found.append(("lost", f"then {again.code}: {again.err[-150:]}"))
            for sort, text in found:
                tally.note(sort, f"{command}, {fault} after {after_s:.2f} s: {text}")
            if number % 10 == 9:
                tell(f"{number} faults, {tally.faults[-2:]}")
    return {
        "doings": done,
        **{name: getattr(tally, name) for name in (*_SORTS, "faults")},
    }


def _game(folder: Path, fault: str) -> Path:
    """A game with a start state, whose core fails some frames after it."""
    game = toys.make_game(folder / "Game")
    with open_session(game) as session:
        session.reset()
        state = session.save_state()
    integration = load_integration(game)
    integration.write_state("Start", state)
    integration.metadata.set_default_state("Start", 1)
    integration.save()
    toys.make_game(game, **({f"{fault}_at": _FATAL_FRAME} if fault else {}))
    # Episodes end soon, so that a fault hits their begin and end as often as their play.
    scenario = json.loads((game / "scenario.json").read_text("utf-8"))
    scenario["done"] = {"variables": {"frame": {"op": "greater-than", "reference": _LAST_FRAME}}}
    (game / "scenario.json").write_text(json.dumps(scenario), "utf-8")
    data = json.loads((game / "data.json").read_text("utf-8"))
    data["info"]["frame"] = {"address": 0, "type": "<u4"}
    (game / "data.json").write_text(json.dumps(data), "utf-8")
    return game


def _run(
    command: str,
    place: Place,
    game: Path,
    folder: Path,
    fault: str,
    after_s: float = 0.0,
    *,
    movies: Path | None = None,
    fresh: bool = False,
) -> tuple[programs.Ended, list[tuple[str, str]]]:
    """Run a command; returns its end, and the faults in what it left."""
    folder.mkdir(exist_ok=True)
    with ExitStack() as stack:
        out, temporary = movies or folder / "files", folder / "tmp"
        if fault == "disk":
            stack.enter_context(programs.small_disk(out, "size=16k"))
        else:
            out.mkdir(exist_ok=True)
        if fault == "noexec":
            stack.enter_context(programs.small_disk(temporary, "size=64m", "noexec"))
        send = fault if fault in programs.SIGNALS else ""
        words = place.command(command, game, out)
        ended = programs.run(words, temporary, send=send, after_s=after_s, fresh=fresh)
        left = programs.leftovers(temporary, game)
        found = [("lost", f"{path.name} is not whole") for path in _broken(out)]
        if not fault:
            left += [path.name for path in out.glob(".*")]
        if ended.processes or left:
            found.append(("leaked", f"{ended.processes} processes, {left}"))
    if fault == "disk":
        out.rmdir()
    return ended, found


def _contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _broken(out: Path) -> list[Path]:
    """The files that their own readers refuse."""
    broken = []
    for path in out.rglob("*"):
        if any(part.startswith(".") for part in path.relative_to(out).parts):
            continue  # a temporary folder, whose owner may be dead
        try:
            if path.suffix == ".bk2":
                read_movie(path, movie_consoles(systems()))
            elif path.suffix == ".npz":
                with np.load(path) as episode:
                    assert len(episode["rewards"]) == len(episode["actions"])
        except (IntegratorError, OSError, ValueError, KeyError, zipfile.BadZipFile):
            broken.append(path)
    return broken


def _told(command: str, ended: programs.Ended) -> object:
    """The numbers of a command's document, without its paths."""
    try:
        told = json.loads(ended.out)
    except ValueError:
        return f"{command}: {ended.out[-100:]!r} {ended.err[-200:]}"
    return _without_paths(told)


def _without_paths(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_paths(each) for key, each in value.items() if key != "seconds"}
    if isinstance(value, list):
        return [_without_paths(each) for each in value]
    return "" if isinstance(value, str) and "/" in value else value


def _judge(
    command: str, fault: str, ended: programs.Ended, answer: object
) -> list[tuple[str, str]]:
    found = []
    if ended.code is None:
        found.append(("hung", "no end"))
    if ended.untyped and not ("KeyboardInterrupt" in ended.err and fault == "SIGINT"):
        found.append(("untyped", f"{ended.untyped[-1][-200:]} {ended.err[-200:]}"))
    if fault in ("crash", "hang") and ended.code != 1:
        found.append(("untyped", f"ended with {ended.code}: {ended.err[-150:]}"))
    if fault == "noexec" and _told(command, ended) != answer:
        found.append(("lost", f"other numbers; {ended.code}: {ended.err[-150:]}"))
    if fault in ("disk", "hog", "flood") and ended.code not in (0, 1):
        found.append(("untyped", f"ended with {ended.code}: {ended.err[-150:]}"))
    return found
