"""Full disks: everything is saved where there is no room, and again when there is.

As root, each round gets a small disk of its own (tmpfs) that is filled up to a few KB. Others get
a limit on the size of files, which fails in the same places."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from integrator import paths
from integrator.domain.errors import DomainError, IntegratorError
from integrator.session.journal.journal_file import new_journal_path, read_records
from integrator.session.opening import plan_session
from integrator.session.session import Session
from integrator.session.setup.plan import OptionStore
from scripts.campaign import toys
from scripts.campaign.crashes import Tally, own_home
from scripts.campaign.kills import SAVINGS, versions

DISK_BYTES: Final = 4 << 20
MOST_LEFT_BYTES: Final = 60_000
_PLAYED: Final = 300


def run(rounds: int, seed: int, tell: Any, until: float = math.inf) -> dict[str, Any]:
    """Fill a disk so often, or up to a moment of time.monotonic(); returns the report."""
    tally, rng = Tally(), Random(seed)
    counts = {"saves_refused": 0, "saves_done": 0, "told": 0}
    is_root = os.geteuid() == 0
    with own_home() as folder:
        number = 0
        while number < rounds and time.monotonic() < until:
            number += 1
            with _disk(folder / "disk", is_root) as disk:
                toys.use_home(disk / "home", folder / "cores")
                toys.describe_toy()
                _round(disk, is_root, rng.randint(0, MOST_LEFT_BYTES), counts, tally)
            if number % 10 == 0:
                tell(f"{number} disks, {counts}, {tally.faults[-2:]}")
    return {
        "seed": seed,
        "disks": number,
        "by": "tmpfs" if is_root else "RLIMIT_FSIZE",
        **counts,
        **{name: getattr(tally, name) for name in ("lost", "untyped", "hung", "leaked", "faults")},
    }


@contextlib.contextmanager
def _disk(place: Path, is_root: bool) -> Iterator[Path]:
    place.mkdir()
    if is_root:
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(place)]
        subprocess.run(command, check=True)
    try:
        yield place
    finally:
        if is_root:
            subprocess.run(["umount", "--lazy", str(place)], check=True)
        shutil.rmtree(place)


def _round(disk: Path, is_root: bool, left: int, counts: dict[str, int], tally: Tally) -> None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_work, args=(disk, is_root, left, theirs), daemon=True)
    child.start()
    theirs.close()
    try:
        found: dict[str, Any] = ours.recv() if ours.poll(120) else {"hung": ["no end"]}
    except EOFError:
        found = {"untyped": [f"the program ended with {child.exitcode}"]}
    child.kill()
    child.join()
    for sort in ("lost", "untyped", "hung"):
        for text in found.get(sort, []):
            tally.note(sort, text)
    for name in counts:
        counts[name] += int(found.get(name, 0))


def _work(disk: Path, is_root: bool, left: int, pipe: Any) -> None:
    """Save on the full disk, play on, make room, and save again."""
    found: dict[str, Any] = {"lost": [], "untyped": [], "saves_refused": 0, "saves_done": 0}
    plan = plan_session(toys.make_game(disk / f"Full-{toys.SYSTEM}"))
    game, journal = plan.integration.directory, new_journal_path(plan.integration.name)
    session = Session(replace(plan, journal=journal))
    session.reset()
    store = OptionStore(paths.user_config_dir() / "core-options.json")
    for save in SAVINGS.values():
        save(session, store, 1)
    before = sum(record.kind == "input" for record in read_records(journal))
    _fill(disk, is_root, left)
    _save_all(session, store, 2, found)
    length = session.timeline.length
    _try("play", lambda: session.advance((1,), frames=_PLAYED), found, refused=False)
    if session.timeline.length < length + _PLAYED:
        found["lost"].append(f"{session.timeline.length - length} of {_PLAYED} frames")
    found["told"] = len(session.take_events())
    _look(game, found)
    if sum(record.kind == "input" for record in read_records(journal)) < before:
        found["lost"].append("the journal lost what it had")
    _empty(disk, is_root)
    # A movie whose disk was full is over; a new one begins.
    with contextlib.suppress(DomainError):
        session.stop_recording()
    for name, save in SAVINGS.items():
        _try(name, lambda save=save: save(session, store, 3), found, refused=False)
    now = _look(game, found)
    session.timeline.seek(session.timeline.length)
    session.advance((1,), frames=_PLAYED)
    written = sum(len(each.data) for each in read_records(journal) if each.kind == "input")
    if written // (2 * plan.columns) != session.timeline.length:
        found["lost"].append(f"the journal has {written} bytes of {session.timeline.length} frames")
    if set(now.values()) != {3}:
        found["lost"].append(f"with room again, files say {now}")
    pipe.send(found)
    session.close()


def _save_all(session: Session, store: OptionStore, version: int, found: dict[str, Any]) -> None:
    for name, save in SAVINGS.items():
        _try(name, lambda save=save: save(session, store, version), found, refused=True)


def _try(name: str, act: Any, found: dict[str, Any], *, refused: bool) -> None:
    try:
        act()
        found["saves_done"] += 1
    except IntegratorError as error:
        found["saves_refused"] += 1
        if not refused:
            found["lost"].append(f"{name}: {error}")
    except Exception as error:  # noqa: BLE001 - such errors are looked for
        found["untyped"].append(f"{name}: {type(error).__name__}: {error}")


def _look(game: Path, found: dict[str, Any]) -> dict[str, int]:
    try:
        return versions(game)
    except (AssertionError, KeyError, ValueError, DomainError) as error:
        found["lost"].append(f"{type(error).__name__}: {error}")
        return {}


def _fill(disk: Path, is_root: bool, left: int) -> None:
    if not is_root:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (left // 10, resource.RLIM_INFINITY))
        return
    facts = os.statvfs(disk)
    size = facts.f_bavail * facts.f_frsize - left
    with (disk / "filler").open("wb") as stream:
        stream.write(bytes(max(0, size)))


def _empty(disk: Path, is_root: bool) -> None:
    if is_root:
        (disk / "filler").unlink()
    else:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
