"""Scores movies of one game in hidden cores by the present documents, and finds their moments."""

import copyreg
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import IntegratorError
from integrator.session.rework import import_movie
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from libretro_host.inprocess import InProcessHost
from libretro_host.processes.worker_process import WorkerPool

_MOST_FRAMES: Final = 100_000
"""Frames that a hidden session keeps, because its timeline holds their RAM; then another begins."""


@dataclass(frozen=True, slots=True, eq=False)
class MovieScore:
    """The result of a movie: ``rewards`` are float32 of shape (frames, players).

    ``done_frame`` is the first frame on which the episode was done, from 1 on; ``desync_row`` the
    first row after which RAM was other than recorded. ``problem`` says why it cannot be played.
    ``inputs`` are uint16 of shape (frames, players and axes).
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
    """Scores movies one after the other in this process; the session opens with the first."""

    def __init__(self, plan: SessionPlan) -> None:
        self._plan = plan
        self._session: Session | None = None

    def __call__(self, path: Path) -> MovieScore:
        if self._session is None:
            self._session = Session(self._plan)
        session = self._session
        try:
            score = _score(session, path)
        except IntegratorError as error:
            self._forget()
            return failed_score(path, error)
        if session.timeline.length > _MOST_FRAMES:
            self._forget()
        return score

    def _forget(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()


def failed_score(path: Path, error: Exception) -> MovieScore:
    return MovieScore(path, np.zeros((0, 1), np.float32), problem=str(error))


def read_only(items: dict[str, Any]) -> MappingProxyType[str, Any]:
    """A read-only mapping, as pickle makes it again."""
    return MappingProxyType(items)


def score_movies(
    plan: SessionPlan, paths: Sequence[Path], stopped: Callable[[], bool]
) -> Iterator[MovieScore]:
    """The score of each movie, on all processors, until ``stopped``. Raises HostError."""
    # Descriptors have read-only mappings, which pickle refuses.
    copyreg.pickle(MappingProxyType, lambda mapping: (read_only, (dict(mapping),)))
    scorer, jobs = _Scorer(replace(plan, new_host=InProcessHost)), os.cpu_count() or 1
    yield from WorkerPool(scorer, paths, jobs, failed_score, stopped)


def _score(session: Session, path: Path) -> MovieScore:
    played = import_movie(session, path)
    log = session.timeline.log
    ended = np.flatnonzero(log.done(played.start, played.stop))
    return MovieScore(
        path,
        log.rewards(played.start, played.stop),
        int(ended[0]) + 1 if len(ended) else None,
        played.desync_row,
        inputs=log.inputs(played.start, played.stop),
    )


@dataclass(frozen=True, slots=True)
class MovieMoment:
    """A frame of a movie worth a look: ``kind`` and ``size`` say why. Frames count from 1."""

    kind: str
    path: Path
    frame: int
    size: float


def moments(score: MovieScore) -> list[MovieMoment]:
    """Largest gain and loss, the longest time without reward (its first frame), and the end."""
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


def first_difference(one: NDArray[Any], other: NDArray[Any]) -> int | None:
    """The first frame, from 1 on, at which rows differ or only one of both goes on."""
    shared = min(len(one), len(other))
    apart = np.flatnonzero((one[:shared] != other[:shared]).reshape(shared, -1).any(axis=1))
    if len(apart):
        return int(apart[0]) + 1
    return shared + 1 if len(one) != len(other) else None


def differences(one: MovieScore, other: MovieScore) -> list[MovieMoment]:
    """The first frames on which two movies have other inputs and other rewards."""
    frames = {
        "inputs differ": first_difference(one.inputs, other.inputs),
        "rewards differ": first_difference(one.rewards, other.rewards),
    }
    return [
        MovieMoment(kind, one.path, min(frame, len(one.rewards)), frame)
        for kind, frame in frames.items()
        if frame is not None
    ]
