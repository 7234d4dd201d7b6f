"""Crashes and hangs of real and toy cores while a game is played, rewound, recorded and searched.

Toy cores fail by themselves: a segmentation fault, an exit or an endless loop on a frame. Cores of
real consoles get the signals that such faults end in. After each one the session goes on by itself,
and everything that was on the timeline, in the recording and in the search is still there."""

from __future__ import annotations

import math
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import DomainError, IntegratorError
from integrator.domain.movies.model import ram_hash
from integrator.domain.movies.reading import read_movie
from integrator.session.frame.result import (
    CommandFailed,
    CoreLost,
    CoreRestarted,
    Event,
    FrameResult,
    RecordingStopped,
    StopRule,
)
from integrator.session.journal.journal_file import journal_dir, new_journal_path
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import plan_session
from integrator.session.runner import UNLIMITED_SPEED, Runner
from integrator.session.session import Session
from libretro_host.errors import CoreCrashed, CoreHung, HostError
from libretro_host.remote import RemoteHost
from scripts.campaign import toys
from scripts.campaign.bounds import Held

T = TypeVar("T")

_NEVER: Final = StopRule(frozenset({"no variable"}))
DOINGS: Final = ("play", "rewind", "record", "search")
CRASH_MASK, HANG_MASK, EXIT_MASK = 0xF1, 0xF2, 0xF4
ROUNDS_A_SESSION: Final = 20
LONGEST_S: Final = 60.0
REWOUND_S: Final = 2.0
"""Longest rewinding: a few hundred frames take a tenth of that."""
_LEAST_LOOKS: Final = 6
_DEADLINE_MS: Final = 1000
_SIGNALS: Final = (
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGABRT,
    signal.SIGFPE,
    signal.SIGILL,
    signal.SIGKILL,
)
_SYSTEMS: Final = ("Snes", "GameBoy", "Sms", "Atari2600", "PCEngine", "GbAdvance")
_STEPS: Final = 70
"""Steps of play between two faults: a core that dies three times within a second stays stopped."""


@dataclass(slots=True)
class Tally:
    """Outcome of the rounds; ``faults`` tells the first of each sort."""

    crashes: int = 0
    hangs: int = 0
    lost: int = 0
    untyped: int = 0
    hung: int = 0
    leaked: int = 0
    faults: list[str] = field(default_factory=list)
    games: dict[str, int] = field(default_factory=dict)
    doings: dict[str, int] = field(default_factory=dict)

    def note(self, sort: str, text: str) -> None:
        """Count a fault."""
        setattr(self, sort, getattr(self, sort) + 1)
        self.faults.append(f"{sort}: {text}"[:300])


class Listener:
    """Hears a runner; all on its thread."""

    def __init__(self) -> None:
        self.steps = 0
        self.events: list[Event] = []
        self.over = threading.Event()
        self.on_fault: Callable[[], object] = lambda: None

    def on_frame(self, _: FrameResult) -> None:
        """Note a frame."""
        self.steps += 1

    def on_event(self, event: Event) -> None:
        """Note an event."""
        self.events.append(event)
        if isinstance(event, CoreRestarted | CoreLost):
            self.on_fault()
            self.over.set()


@dataclass(frozen=True, slots=True)
class Facts:
    """Play that must outlive a core: frames with their RAM, branches, steps of the search."""

    length: int
    hashes: dict[int, int]
    branches: int
    steps: int

    @classmethod
    def of(cls, session: Session, rng: Random) -> Facts:
        """Collect them on the thread that owns the session."""
        log = session.timeline.log
        picked = {log.length, *(rng.randint(1, log.length) for _ in range(4))}
        searches = session.searches
        return cls(
            log.length,
            {frame: ram_hash(log.ram(frame)) for frame in sorted(picked)},
            len(session.timeline.branches),
            len(searches.get("campaign").history) if "campaign" in searches.names else 0,
        )


class Rig:
    """One open game and its runner."""

    def __init__(self, game: Path, folder: Path, tally: Tally, rng: Random) -> None:
        self.listener = Listener()
        self.tally, self.rng, self.folder = tally, rng, folder
        self.is_toy = game.name.endswith(toys.SYSTEM)
        plan = plan_session(game)
        plan = replace(
            plan,
            journal=new_journal_path(plan.integration.name),
            new_host=lambda: RemoteHost(deadline_ms=_DEADLINE_MS),
        )
        self.session = Session(plan)
        self.runner = Runner(self.session, self.listener.on_frame, self.listener.on_event)
        self.listener.on_fault = self._let_go
        self.runner.start()
        self.runner.set_speed(UNLIMITED_SPEED)
        self.runner.reset()

    def _let_go(self) -> None:
        self.runner.set_inputs((0,))

    def ask(self, command: Callable[[Session], T]) -> T:
        """Run a command on the runner's thread."""
        return self.runner.post(command).result(LONGEST_S)

    def close(self) -> None:
        """Close the game as a user does."""
        self.runner.close()

    def strike(self, doing: str, *, hang: bool) -> None:
        """Do something, let the core fail in the midst of it, and check that play goes on."""
        movie = self.folder / f"{time.monotonic_ns()}.bk2"
        first = self._begin(doing, movie)
        before = self.ask(lambda session: Facts.of(session, self.rng))
        self.listener.over.clear()
        self.listener.events.clear()
        self._fail(doing, hang=hang)
        if doing == "rewind" and not self.listener.over.wait(REWOUND_S):
            # Rewinding has reached the beginning and asks the core for nothing more.
            self._rest()
            self.runner.post(lambda session: session.timeline.seek(session.timeline.length))
        if not self.listener.over.wait(LONGEST_S):
            self.tally.note("hung", f"no end of a core's fault while {doing}")
            raise TimeoutError(doing)
        self._rest()
        self.runner.set_inputs((0,))
        try:
            self._check(before, doing)
            if doing == "record":
                self._check_movie(movie, before.length - first)
        except (CoreCrashed, CoreHung):
            raise
        except (IntegratorError, OSError) as error:
            self.tally.note("lost", f"{doing}: {type(error).__name__}: {error}")

    def _rest(self) -> None:
        """Release rewind in a paused game: one that plays would go on, and make a branch."""
        self.runner.pause()
        self.ask(lambda _: None)
        self.runner.rewind(False)  # noqa: FBT003 - whether the key is held

    def _begin(self, doing: str, movie: Path) -> int:
        # Single frames, not chunks of some milliseconds: as many steps, in a tenth of the time.
        self.runner.set_stops(_NEVER)
        self.runner.play()
        steps = self.listener.steps + _STEPS
        self._until(lambda: self.listener.steps >= steps)
        self.runner.pause()
        self.runner.set_stops(_NEVER if self.rng.random() < 0.5 else StopRule())
        first = self.ask(lambda session: session.timeline.length)
        if doing == "record":
            self.ask(lambda session: session.record(movie))
        elif doing == "search":
            self.ask(lambda session: session.searches.each_frame("campaign", "greater-or-equal", 0))
        self.runner.play()
        steps = self.listener.steps + self.rng.randint(2, 20)
        self._until(lambda: self.listener.steps >= steps)
        if doing == "rewind":
            self.runner.rewind(True)  # noqa: FBT003 - whether the key is held
            time.sleep(self.rng.uniform(0, 0.05))
        return first

    def _fail(self, doing: str, *, hang: bool) -> None:
        """Let the core fail: a toy core does by itself, unless a rewind gives it old inputs."""
        by_itself = self.is_toy and doing != "rewind" and self.rng.random() < 0.8
        if by_itself:
            masks = (HANG_MASK,) if hang else (CRASH_MASK, EXIT_MASK)
            self.runner.set_inputs((self.rng.choice(masks),))
            return
        time.sleep(self.rng.uniform(0, 0.02))
        pid = self.ask(lambda session: getattr(session.host, "pid", None))
        if pid is not None:
            os.kill(pid, signal.SIGSTOP if hang else self.rng.choice(_SIGNALS))

    def _until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + LONGEST_S
        while not holds():
            failed = [e for e in self.listener.events if isinstance(e, CoreLost)]
            if time.monotonic() > end or failed:
                self.tally.note("hung", f"no frames come: {failed[:1]}")
                raise TimeoutError("frames")
            time.sleep(0.002)

    def _check(self, before: Facts, doing: str) -> None:
        for event in self.listener.events:
            if isinstance(event, CoreLost):
                self.tally.note("lost", f"{doing}: {event.text}")
            elif isinstance(event, CommandFailed) and not isinstance(
                event.error, DomainError | HostError | OSError
            ):
                self.tally.note("untyped", f"{doing}: {event.text}")

        def look(session: Session) -> None:
            log = session.timeline.log
            wrong = [n for n, digest in before.hashes.items() if ram_hash(log.ram(n)) != digest]
            if log.length < before.length or wrong:
                text = f"{doing}: {log.length} of {before.length} frames, wrong: {wrong}"
                self.tally.note("lost", text)
            if len(session.timeline.branches) < before.branches:
                self.tally.note("lost", f"{doing}: a branch")
            if doing == "search":
                if len(session.searches.get("campaign").history) < before.steps:
                    self.tally.note("lost", f"{doing}: steps of the search")
                session.searches.forget("campaign")
            session.advance()

        self.ask(look)

    def _check_movie(self, movie: Path, frames: int) -> None:
        stopped = [e for e in self.listener.events if isinstance(e, RecordingStopped)]
        path = self.ask(lambda session: session.stop_recording())
        path = path or (stopped[0].path if stopped else None)
        if path is None:
            self.tally.note("lost", f"{movie.name}: no movie is left")
            return
        found = read_movie(path, self.session.game.plan.systems).frames
        if found < frames:
            self.tally.note("lost", f"{movie.name}: {found} of {frames} rows")
        path.unlink()


def games(folder: Path) -> list[Path]:
    """A toy game that fails as its buttons say, between games of real consoles."""
    toy = toys.make_game(
        folder / "games" / f"Crash-{toys.SYSTEM}",
        crash_mask=CRASH_MASK,
        hang_mask=HANG_MASK,
        exit_mask=EXIT_MASK,
    )
    roms = [rom.path for rom in proof_roms().values() if rom.system in _SYSTEMS]
    real = [demo_game(), airstriker(), *roms]
    return [game for one in real for game in (toy, one)]


@contextmanager
def own_home() -> Iterator[Path]:
    """A folder with a home of its own and the toy console."""
    with tempfile.TemporaryDirectory(prefix="campaign-") as name:
        folder = Path(name)
        toys.use_home(folder / "home", folder / "cores")
        toys.build_toycore(folder / "cores")
        toys.describe_toy()
        yield folder


def run(
    crashes: int, hangs: int, seed: int, tell: Callable[[Tally], object], until: float = math.inf
) -> dict[str, Any]:
    """Let cores fail so often, or up to a moment of time.monotonic(); returns the report."""
    tally, rng = Tally(), Random(seed)
    rounds = [False] * crashes + [True] * hangs
    rng.shuffle(rounds)
    held: list[Held] = []
    with own_home() as folder:
        choices = games(folder)
        number = 0
        while rounds and time.monotonic() < until:
            game = choices[number % len(choices)]
            number += 1
            some = [rounds.pop() for _ in range(min(ROUNDS_A_SESSION, len(rounds)))]
            _session(game, folder, some, tally, rng)
            held.append(Held.now())
            tell(tally)
        left = [path.name for path in journal_dir().glob("*")] if journal_dir().is_dir() else []
    if left:
        tally.note("leaked", f"journals stay: {left[:3]}")
    for text in grown(held):
        tally.note("leaked", text)
    return {
        name: getattr(tally, name)
        for name in (
            *("crashes", "hangs", "lost", "untyped", "hung", "leaked"),
            *("games", "doings", "faults"),
        )
    } | {"seed": seed, "none_references": [held[0].none_references, held[-1].none_references]}


def _session(game: Path, folder: Path, some: list[bool], tally: Tally, rng: Random) -> None:
    rig = Rig(game, folder, tally, rng)
    try:
        for hang in some:
            doing = rng.choice(DOINGS)
            tally.doings[doing] = tally.doings.get(doing, 0) + 1
            tally.games[game.name] = tally.games.get(game.name, 0) + 1
            if hang:
                tally.hangs += 1
            else:
                tally.crashes += 1
            rig.strike(doing, hang=hang)
    except (TimeoutError, IntegratorError) as error:
        tally.note("lost", f"{game.name}: {type(error).__name__}: {error}")
    finally:
        rig.close()


def grown(held: list[Held]) -> list[str]:
    """Growth of a process's resources from its first third to its end."""
    if len(held) < _LEAST_LOOKS:
        return []  # objects that are made once and kept cannot be told from growth yet
    early, late = held[: len(held) // 3 + 1], held[-(len(held) // 3 + 1) :]
    found = []
    for name in ("files", "threads", "children"):
        old, new = (max(getattr(h, name) for h in part) for part in (early, late))
        if new > old:
            found.append(f"{name} grew from {old} to {new}")
    old, new = (min(h.none_references for h in part) for part in (early, late))
    if new < old * 0.8:
        found.append(f"references to None went down from {old} to {new}")
    return found
