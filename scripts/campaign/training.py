"""Environments whose program, core or disk fails: no complete movie and no right number is lost."""

from __future__ import annotations

import json
import math
import os
import time
from contextlib import ExitStack
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, Final

from integrator.domain.errors import IntegratorError
from integrator.domain.movies.reading import read_movie
from integrator.session.opening import movie_consoles
from integrator.session.setup.roots import systems
from scripts.campaign import programs, toys
from scripts.campaign.crashes import Tally, own_home
from scripts.campaign.training_child import FATAL, FATAL_EVERY, HANG_AT, STEPS

KINDS: Final = {"env": 1, "threads": 2, "isolated": 2}
"""Environments of each kind."""

FAULTS: Final = ("SIGKILL", "SIGTERM", "SIGINT", "crash", "hang", "disk", "noexec", "fork")
ROUNDS: Final = 12
_SORTS: Final = ("lost", "untyped", "hung", "leaked")


def cases(*, is_root: bool) -> list[tuple[str, str]]:
    """All kinds with the faults that they can have: only another process outlives a hang."""
    return [
        (kind, fault)
        for fault in FAULTS
        for kind in KINDS
        if (fault != "hang" or kind == "isolated") and (is_root or fault not in ("disk", "noexec"))
    ]


def run(numbers: range, seed: int, tell: Any, until: float = math.inf) -> dict[str, Any]:
    """Make these faults, or go on to a moment of time.monotonic(); returns the report."""
    tally, rng = Tally(), Random(f"{seed} from {numbers.start}")
    done: dict[str, int] = {}
    every = cases(is_root=os.geteuid() == 0)
    with own_home() as folder:
        toys.describe_toy(platform="Toy")
        games = {
            "": [toys.make_game(folder / "Good")],
            "crash": [toys.make_game(folder / "Crash" / "Good", crash_mask=1 << FATAL)],
            "hang": [
                toys.make_game(folder / "Hang" / "Good", hang_mask=1 << FATAL),
                toys.make_game(folder / "Wait" / "Good", hang_at=HANG_AT),
            ],
        }
        right, took_s = {}, {}
        for kind in KINDS:
            began = time.monotonic()
            right[kind] = _numbers(_play(kind, games[""][0], folder / kind, "")[0])
            took_s[kind] = time.monotonic() - began
        if right["threads"] != right["isolated"] or len(right["env"]) != ROUNDS:
            tally.note("lost", "threads and processes give other numbers")
        for number in takewhile(lambda _: time.monotonic() < until, numbers):
            kind, fault = every[number % len(every)]
            done[fault] = done.get(fault, 0) + 1
            fresh = rng.random() < programs.FRESH
            after_s = rng.uniform(0.0, took_s[kind]) + fresh * rng.uniform(0.0, 2.0)
            choices = games.get(fault, games[""])
            game, began = choices[number // len(every) % len(choices)], time.monotonic()
            ended, movies, left = _play(
                kind, game, folder / f"{number}", fault, after_s, fresh=fresh
            )
            if fault in ("disk", "noexec") and not fresh:
                took_s[kind] = time.monotonic() - began  # a busy machine is slower
            for sort, text in _judge(kind, fault, ended, movies, right[kind], left):
                tally.note(sort, f"{kind}, {fault} after {after_s:.2f} s: {text}")
            if number % 10 == 9:
                tell(f"{number} faults, {tally.faults[-2:]}")
    return {
        "doings": done,
        **{name: getattr(tally, name) for name in (*_SORTS, "faults")},
    }


def _play(
    kind: str, game: Path, folder: Path, fault: str, after_s: float = 0.0, *, fresh: bool = False
) -> tuple[programs.Ended, list[Path], list[str]]:
    """The program's end, its movies, and the temporary files that it left."""
    folder.mkdir()
    with ExitStack() as stack:
        movies, temporary = folder / "movies", folder / "tmp"
        if fault == "disk":
            stack.enter_context(programs.small_disk(movies, "size=16k"))
        if fault == "noexec":
            stack.enter_context(programs.small_disk(temporary, "size=64m", "noexec"))
        inner = {"crash": "core", "hang": "core", "fork": "fork"}.get(fault, "")
        words = ["scripts.campaign.training_child", kind, game, movies, ROUNDS, inner]
        send = fault if fault in programs.SIGNALS else ""
        ended = programs.run(words, temporary, send=send, after_s=after_s, fresh=fresh)
        left = programs.leftovers(temporary, game)
        # Read while the disk is there.
        found = [path for path in movies.glob("*") if _rows(path) > STEPS]
        unreadable = [path for path in movies.glob("*.bk2") if not _rows(path)]
        return ended, found, [*left, *(f"unreadable {path.name}" for path in unreadable)]


def _rows(path: Path) -> int:
    try:
        return read_movie(path, movie_consoles(systems())).frames
    except (IntegratorError, OSError):
        return 0


def _lines(ended: programs.Ended) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ended.out.splitlines() if line.endswith("}")]


def _numbers(ended: programs.Ended) -> dict[int, str]:
    told = (line for line in _lines(ended) if "round" in line and not line["restarted"])
    return {line["round"]: line["hash"] for line in told}


def _judge(
    kind: str,
    fault: str,
    ended: programs.Ended,
    movies: list[Path],
    right: dict[int, str],
    left: list[str],
) -> list[tuple[str, str]]:
    found, lines = [], _lines(ended)
    numbers = _numbers(ended)
    wrong = [number for number, told in numbers.items() if right.get(number) != told]
    if wrong:
        found.append(("lost", f"rounds {wrong} have other numbers"))
    if fault != "disk" and len(movies) < KINDS[kind] * len(numbers):
        found.append(("lost", f"{len(movies)} whole movies of {len(numbers)} rounds"))
    if ended.code is None:
        found.append(("hung", "no end"))
    dies = fault in ("SIGKILL", "SIGTERM", "SIGINT") or (fault == "crash" and kind != "isolated")
    if not dies and not any("ended" in line for line in lines):
        found.append(("lost", f"ended with {ended.code}: {ended.err[-150:]}"))
    if (
        kind == "isolated"
        and fault in ("crash", "hang")
        and len(numbers) != ROUNDS - ROUNDS // FATAL_EVERY
    ):
        found.append(("lost", f"{len(numbers)} rounds without a fault"))
    # Ctrl+C while Python imports or makes the environments is Python's error, as everywhere.
    importing = fault == "SIGINT" and not any("ready" in line for line in lines)
    if ended.untyped and not importing and "KeyboardInterrupt" not in ended.err:
        found.append(("untyped", f"{ended.untyped[-1][-200:]} {ended.err[-200:]}"))
    if ended.processes or left:
        found.append(("leaked", f"{ended.processes} processes, {left}"))
    return found
