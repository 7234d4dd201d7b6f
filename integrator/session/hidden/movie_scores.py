"""Plays movies of a game in hidden cores: their scores, their moments, and a pair to compare."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import IntegratorError, SessionError
from integrator.session.frame.result import first_difference
from integrator.session.recorded_rows import PlayedMovie, import_movie
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from libretro_host.processes.worker_process import WorkerPool


@dataclass(frozen=True, slots=True, eq=False)
class MovieScore:
    """The result of a movie: ``rewards`` are float32 of shape (frames, players).

    ``done_frame`` is the first frame on which the episode was done, from 1 on; ``desync_row`` the
    first row after which RAM differed from the recording. ``problem`` says why the movie cannot be
    played. ``inputs`` are uint16 of shape (frames, players and axes).
    """

    path: Path
    rewards: NDArray[np.float32]
    done_frame: int | None = None
    desync_row: int | None = None
    problem: str = ""
    inputs: NDArray[np.uint16] = field(default_factory=lambda: np.zeros((0, 1), np.uint16))

    @property
    def totals(self) -> tuple[float, ...]:
        return tuple(self.rewards.sum(axis=0, dtype=np.float64).tolist())


class _Scorer:
    """Scores movies one after the other in this process; the first one opens a session."""

    def __init__(self, plan: SessionPlan) -> None:
        self._plan = plan
        self._session: Session | None = None

    def __call__(self, path: Path) -> MovieScore:
        session = self._session = self._session or Session(self._plan)
        log = session.timeline.log
        try:
            played = import_movie(session, path)
            rewards = log.rewards(played.start, played.stop)
            inputs = log.inputs(played.start, played.stop)
            score = MovieScore(path, rewards, played.done_frame, played.desync_row, inputs=inputs)
        except IntegratorError as error:
            score = failed_score(path, error)
        # The timeline holds the RAM of all frames, so a session ends after 100,000 frames.
        if score.problem or log.length > 100_000:
            self._session = None
            session.close()
        return score


def failed_score(path: Path, error: Exception) -> MovieScore:
    return MovieScore(path, np.zeros((0, 1), np.float32), problem=str(error))


def score_movies(
    plan: SessionPlan, paths: Sequence[Path], stopped: Callable[[], bool]
) -> Iterator[MovieScore]:
    """Yield the score of each movie, using all processors, until ``stopped``. Raises HostError."""
    scorer, jobs = _Scorer(plan.for_worker()), os.cpu_count() or 1
    yield from WorkerPool(scorer, paths, jobs, failed_score, stopped=stopped)


@dataclass(frozen=True, slots=True)
class MovieMoment:
    """A frame of a movie worth a look: ``kind`` and ``size`` say why. Frames count from 1."""

    kind: str
    path: Path
    frame: int
    size: float


def moments(score: MovieScore) -> list[MovieMoment]:
    """Return the largest gain and loss, the start of the longest time without, and the end."""
    rewards = score.rewards[:, 0]
    if not len(rewards):
        return []
    found: list[tuple[str, int, float]] = []
    best, worst = int(rewards.argmax()), int(rewards.argmin())
    if rewards[best] > 0:
        found.append(("largest gain", best + 1, float(rewards[best])))
    if rewards[worst] < 0:
        found.append(("largest loss", worst + 1, float(rewards[worst])))
    paid = np.concatenate([[-1], np.flatnonzero(rewards), [len(rewards)]])
    waits = np.diff(paid) - 1
    longest = int(waits.argmax())
    if waits[longest]:
        found.append(("no reward", int(paid[longest]) + 2, float(waits[longest])))
    if score.done_frame is not None:
        found.append(("done", score.done_frame, float(rewards[: score.done_frame].sum())))
    return [MovieMoment(kind, score.path, frame, size) for kind, frame, size in found]


def differences(one: MovieScore, other: MovieScore, ram: int | None) -> list[MovieMoment]:
    """Return the first frames on which two movies differ: in inputs, in rewards, and in ``ram``."""
    kinds = "inputs", "rewards"
    firsts = {kind: first_difference(getattr(one, kind), getattr(other, kind)) for kind in kinds}
    found = []
    for kind, frame in {**firsts, "RAM": ram}.items():
        if frame is not None:
            at = min(frame, len(one.rewards))
            found.append(MovieMoment(f"{kind} differ", one.path, at, frame))
    return found


@dataclass(frozen=True, slots=True)
class MovieFrame:
    """A frame of one of two movies; ``picture`` is uint8 (height, width, 3)."""

    picture: NDArray[np.uint8] | None
    buttons: str
    reward: float
    total: float


@dataclass(frozen=True, slots=True)
class PairFrame:
    """The same frame of both movies; ``bytes`` are (address, here, there) where RAM differs."""

    frame: int
    sides: tuple[MovieFrame, MovieFrame]
    bytes: tuple[tuple[int, int, int], ...]


def first_other_ram(
    plan: SessionPlan, paths: tuple[Path, Path], stopped: Callable[[], bool]
) -> int | None:
    """Return the first frame after which RAM of two movies differs; None also if ``stopped``.
    Raises HostError, SessionError."""
    try:
        with closing(MoviePair(plan, paths, stopped)) as pair:
            return pair.firsts["RAM"]
    except SessionError:
        if stopped():
            return None
        raise


class MoviePair:
    """Two movies that were played to their ends, and the first frames on which they differ.
    Raises HostError, and SessionError if ``stopped`` before both were played."""

    def __init__(
        self, plan: SessionPlan, paths: tuple[Path, Path], stopped: Callable[[], bool]
    ) -> None:
        self._sessions: list[Session] = []
        self._played: list[PlayedMovie] = []
        with ExitStack() as opened:
            for path in paths:
                self._sessions.append(opened.enter_context(Session(plan)))
                played = import_movie(self._sessions[-1], path, lambda *_: not stopped())
                if not played.complete:
                    raise SessionError(f"{path}: stopped before its end")
                self._played.append(played)
            self.close = opened.pop_all().close
        lengths = [each.stop - each.start for each in self._played]
        self.length = max(lengths)
        logs = [session.timeline.log for session in self._sessions]
        frames = [(each.start, each.stop) for each in self._played]
        self._rewards = [log.rewards(*at)[:, 0] for log, at in zip(logs, frames, strict=True)]
        inputs = [log.inputs(*at) for log, at in zip(logs, frames, strict=True)]
        shared = takewhile(lambda _: not stopped(), range(1, min(lengths) + 1))
        both = ((frame, self._ram(0, frame), self._ram(1, frame)) for frame in shared)
        self.firsts = {
            "inputs": first_difference(*inputs),
            "rewards": first_difference(*self._rewards),
            "RAM": next((n for n, here, there in both if not np.array_equal(here, there)), None),
        }

    def _ram(self, side: int, frame: int) -> NDArray[np.uint8]:
        played = self._played[side]
        return self._sessions[side].timeline.ram(min(played.start + frame, played.stop) - 1)

    def at(self, frame: int, most: int = 12) -> PairFrame:
        """Return a frame of both movies, counted from 1; an ended movie shows its last frame."""
        space = self._sessions[0].memory.space
        here, there = (space.logical(self._ram(side, frame)) for side in (0, 1))
        apart = np.flatnonzero(here != there)[:most].tolist()
        listed = tuple((space.address_of(at), int(here[at]), int(there[at])) for at in apart)
        return PairFrame(frame, (self._side(0, frame), self._side(1, frame)), listed)

    def _side(self, side: int, frame: int) -> MovieFrame:
        session, rewards = self._sessions[side], self._rewards[side]
        at = min(frame, len(rewards))
        shown = session.timeline.seek(self._played[side].start + at - 1)
        bits = enumerate(session.system.buttons)
        names = [name for bit, name in bits if name and shown.inputs[0] >> bit & 1]
        picture = shown.frame.rgb() if shown.frame is not None else None
        total = float(rewards[:at].sum())
        return MovieFrame(picture, " ".join(names) or "—", float(rewards[at - 1]), total)
