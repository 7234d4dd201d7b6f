"""Scores movies of one game in a hidden core, one after the other, by the present documents."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import IntegratorError
from integrator.session.rework import import_movie
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan

_MOST_FRAMES: Final = 100_000
"""Frames that a hidden session keeps, because its timeline holds their RAM; then another begins."""


@dataclass(frozen=True, slots=True, eq=False)
class MovieScore:
    """The result of a movie: ``rewards`` are float32 of shape (frames, players).

    ``done_frame`` is the first frame on which the episode was done, from 1 on; ``desync_row`` the
    first row after which RAM was other than recorded. ``problem`` says why it cannot be played.
    """

    path: Path
    rewards: NDArray[np.float32]
    done_frame: int | None = None
    desync_row: int | None = None
    problem: str = ""

    @property
    def totals(self) -> tuple[float, ...]:
        """The sum of each player's rewards."""
        return tuple(self.rewards.sum(axis=0, dtype=np.float64).tolist())


def score_movies(
    plan: SessionPlan, paths: Sequence[Path], stopped: Callable[[], bool]
) -> Iterator[MovieScore]:
    """The score of each movie, until ``stopped``. Raises HostError."""
    waiting = list(paths)
    while waiting and not stopped():
        with Session(plan) as session:
            while waiting and session.timeline.length < _MOST_FRAMES and not stopped():
                try:
                    score = _score(session, waiting[0], stopped)
                except IntegratorError as error:
                    # A core that a movie crashed is replaced with the next session.
                    yield MovieScore(
                        waiting.pop(0), np.zeros((0, 1), np.float32), problem=str(error)
                    )
                    break
                if score is None:
                    return
                waiting.pop(0)
                yield score


def _score(session: Session, path: Path, stopped: Callable[[], bool]) -> MovieScore | None:
    """Play one movie to its end; None when it was stopped on the way."""
    played = import_movie(session, path, lambda *_: not stopped())
    if not played.complete:
        return None
    log = session.timeline.log
    ended = np.flatnonzero(log.done(played.start, played.stop))
    return MovieScore(
        path,
        log.rewards(played.start, played.stop),
        int(ended[0]) + 1 if len(ended) else None,
        played.desync_row,
    )
