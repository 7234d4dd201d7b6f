"""The result of a movie that was played on the timeline, by the scores of today."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from integrator.session.frame.result import FrameResult
from integrator.session.rework import import_movie
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class PlayedMovie:
    """Frames ``start`` to ``stop - 1`` of the current line, where a movie was played.

    ``done_frame`` is the first one on which the episode was done, counted from 1 in the movie.
    """

    revision: int
    start: int
    stop: int
    desync_row: int | None
    totals: tuple[float, ...]
    done_frame: int | None

    @classmethod
    def of(cls, session: Session, start: int, stop: int, desync_row: int | None) -> "PlayedMovie":
        """The present scenario's result for these frames."""
        log = session.timeline.log
        totals = log.rewards(start, stop).sum(axis=0, dtype=np.float64)
        done = np.flatnonzero(log.done(start, stop))
        first = int(done[0]) + 1 if len(done) else None
        return cls(log.revision, start, stop, desync_row, tuple(totals.tolist()), first)

    @classmethod
    def newest(cls, session: Session, path: Path) -> "PlayedMovie | None":
        """The result of the movie that was started last; None when that is another one."""
        played = session.movies.started
        if played is None or played.movie.path != path:
            return None
        stop = min(played.first_frame + played.movie.frames, session.timeline.length + 1)
        return cls.of(session, played.first_frame, stop, played.desync_row)

    def again(self, session: Session) -> "PlayedMovie | None":
        """The result by new scores; None when the frames may be on another line by now."""
        if session.timeline.log.revision != self.revision:
            return None
        return self.of(session, self.start, self.stop, self.desync_row)


def run_and_judge(session: Session, path: Path) -> tuple[FrameResult, PlayedMovie]:
    """Put a whole movie on the timeline: its last frame, and its result."""
    done = import_movie(session, path)
    return done.last, PlayedMovie.of(session, done.start, done.stop, done.desync_row)
