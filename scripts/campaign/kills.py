"""Kills of the whole program while everything is being saved, and the files that are left.

The program plays on the test core in a process of its own, in a session of its own: its journal is
written, a movie is recorded, documents, script, states, searches, watches, drafts, settings and
choices are saved again and again. After each kill every file is whole, the old one or the new one,
and play goes on from the journal."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from integrator import paths
from integrator.domain.errors import IntegratorError
from integrator.domain.files.jsontext import JsonValue
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.json_files import Watch
from integrator.domain.movies.reading import read_movie
from integrator.domain.values.memory import DataType
from integrator.session.journal.drafts import pending_drafts
from integrator.session.journal.journal_file import (
    journal_dir,
    new_journal_path,
    read_records,
    recoverable,
)
from integrator.session.library.watch_list import read_watch_file, write_watch_file
from integrator.session.opening import movie_consoles, plan_session
from integrator.session.recovery import recover_from
from integrator.session.session import Session
from integrator.session.setup.plan import OptionStore
from integrator.session.setup.roots import systems
from scripts.campaign import toys
from scripts.campaign.bounds import Held
from scripts.campaign.crashes import Tally, grown, own_home

FILLER: Final = "x" * 20_000
LONGEST_S: Final = 0.06
_NOT_WHOLE: Final = (
    *(AssertionError, EOFError, KeyError, ValueError),
    IntegratorError,
)
RECOVERED_EVERY: Final = 5
"""Kills after which play is taken up again from the journal, which takes longest."""
MOVIE: Final = "movie.bk2"


Saving = Callable[[Session, OptionStore, int], object]


def _edit(session: Session, _: OptionStore, version: int) -> None:
    value: dict[str, JsonValue] = {"version": version, "filler": FILLER, "again": version}
    integration = session.integration
    for document in (integration.scenario, integration.metadata, integration.cheats):
        document.value = dict(value)
    integration.scripts["script.lua"] = f"-- {version}\n-- {FILLER}\n-- {version}\n"
    integration.write_state("Level1", str(version).encode() * 5000)
    session.persistence.keep_edits()


def _record(session: Session, _: OptionStore, __: int) -> None:
    session.stop_recording()
    session.record(session.integration.directory / MOVIE)
    session.advance((1,), frames=20)


def _keep_watches(session: Session, _: OptionStore, version: int) -> None:
    watch = Watch(version, DataType.parse("|u1"), str(version), FILLER)
    write_watch_file(session.integration.directory, [watch])


def _keep_search(session: Session, _: OptionStore, __: int) -> None:
    session.search("kept")
    session.searches.save("kept", session.integration.directory)


SAVINGS: Final[Mapping[str, Saving]] = {
    "play": lambda session, _, version: session.advance((version & 0xFF,), frames=3),
    "edits and their draft": _edit,
    "documents, script and state": lambda session, _, __: session.integration.save(),
    "watches": _keep_watches,
    "search": _keep_search,
    "choice for the game": lambda session, store, version: store.keep(
        session.integration.name, "toycore", "version", str(version)
    ),
    "movie": _record,
}
"""Every kind of saving, each by the call that the window makes."""


def save_all(session: Session, store: OptionStore, version: int) -> None:
    """Edit every kind of file to say ``version``, keep a draft, and save."""
    for save in SAVINGS.values():
        save(session, store, version)


def program(game: Path, ready: Any, version: int) -> None:
    """Save for ever; the parent ends it."""
    plan = plan_session(game)
    session = Session(replace(plan, journal=new_journal_path(plan.integration.name)))
    session.reset()
    store = OptionStore(paths.user_config_dir() / "core-options.json")
    save_all(session, store, version)
    ready.send(session.host.pid if hasattr(session.host, "pid") else 0)
    while True:
        version += 1
        save_all(session, store, version)


def versions(game: Path) -> dict[str, int]:
    """The version in each file. Raises AssertionError when a file is torn."""
    integration = load_integration(game)
    found: dict[str, int] = {}
    for document in (integration.scenario, integration.metadata, integration.cheats):
        value: dict[str, Any] = document.value
        if value != {"version": value["version"], "filler": FILLER, "again": value["version"]}:
            raise AssertionError(f"{document.path.name} is torn")
        found[document.path.name] = value["version"]
    first, filler, last = integration.scripts["script.lua"].splitlines()
    if first != last or filler != f"-- {FILLER}":
        raise AssertionError("script.lua is torn")
    found["script.lua"] = int(first.removeprefix("-- "))
    state = integration.read_state("Level1").decode()
    number = state[: len(state) // 5000]
    if state != number * 5000:
        raise AssertionError("Level1.state is torn")
    found["Level1.state"] = int(number)
    [watch] = read_watch_file(game)
    if (watch.name, watch.note) != (str(watch.address), FILLER):
        raise AssertionError("watches.json is torn")
    found["watches.json"] = watch.address
    json.loads((game / "searches" / "kept.json").read_text("utf-8"))
    options = OptionStore(paths.user_config_dir() / "core-options.json")
    found["core-options.json"] = int(options.options(integration.name, "toycore")["version"])
    if (game / MOVIE).exists():
        read_movie(game / MOVIE, movie_consoles(systems()))
    return found


def run(kills: int, seed: int, tell: Any, until: float = math.inf) -> dict[str, Any]:
    """Kill so often, or up to a moment of time.monotonic(); returns the report."""
    tally, rng = Tally(), Random(seed)
    moments = {"mixed": 0, "left_behind": 0, "drafted": 0, "recovered": 0}
    held: list[Held] = []
    with own_home() as folder:
        game = toys.make_game(folder / "games" / f"Kill-{toys.SYSTEM}")
        last: dict[str, int] = {}
        number = 0
        while number < kills and time.monotonic() < until:
            number += 1
            newest = max(last.values(), default=0) + 1
            try:
                _kill_once(game, newest, rng)
                last = _check(game, last, moments, number % RECOVERED_EVERY == 0)
            except _NOT_WHOLE as error:
                tally.note("lost", f"kill {number}: {type(error).__name__}: {error}")
            for path in journal_dir().iterdir():
                path.unlink()
            held.append(Held.now())
            if number % 25 == 0:
                tell(f"{number} kills, {moments}, {tally.faults[-2:]}")
    for text in grown(held):
        tally.note("leaked", text)
    return {
        "seed": seed,
        "kills": number,
        **moments,
        **{name: getattr(tally, name) for name in ("lost", "untyped", "hung", "leaked", "faults")},
    }


def _kill_once(game: Path, version: int, rng: Random) -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=program, args=(game, theirs, version), daemon=True)
    child.start()
    theirs.close()
    core = ours.recv()
    time.sleep(rng.uniform(0, LONGEST_S))
    os.kill(child.pid or 0, signal.SIGKILL)
    child.join()
    ours.close()
    end = time.monotonic() + 30
    while core and Path(f"/proc/{core}").exists() and _is_core(core):
        if time.monotonic() > end:
            raise AssertionError(f"the core's process {core} outlives the program")
        time.sleep(0.005)


def _is_core(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _check(
    game: Path, last: dict[str, int], moments: dict[str, int], again: bool
) -> dict[str, int]:
    moments["left_behind"] += any(path.suffix == ".tmp" for path in game.iterdir())
    now = versions(game)
    if any(path.suffix == ".tmp" for path in game.iterdir()):
        raise AssertionError("temporary files stay")
    for name, version in now.items():
        if version < last.get(name, 0):
            raise AssertionError(f"{name} went back from {last[name]} to {version}")
    moments["mixed"] += len(set(now.values())) > 1
    for draft in pending_drafts(game):
        moments["drafted"] += 1
        draft.discard()
    [play] = recoverable()
    if sum(record.kind == "input" for record in read_records(play.path)) == 0:
        raise AssertionError("the journal holds no play")
    if again:
        with recover_from(play.path) as session:
            if session.timeline.length < play.frames - 1:
                raise AssertionError(f"{session.timeline.length} of {play.frames} frames are back")
            session.advance()
        moments["recovered"] += 1
    return now
