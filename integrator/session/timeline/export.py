"""Ranges of the timeline written as movies."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import JUMPS
from integrator.domain.timeline.timeline import Timeline
from integrator.session.movies import MovieIdentity


@dataclass(frozen=True, slots=True)
class ExportedMovie:
    """A movie of frames ``start`` to ``stop - 1``; without a reset row, training can go astray."""

    path: Path
    start: int
    stop: int
    has_reset_row: bool


def run_begin(log: Timeline, frame: int) -> int:
    """The first frame of the unbroken run of inputs that ``frame`` is in."""
    return 1 + max((m.frame for m in log.markers(*JUMPS) if m.frame < frame), default=0)


def run_end(log: Timeline, frame: int) -> int:
    """The last frame of the unbroken run of inputs that ``frame`` is in."""
    return min((m.frame for m in log.markers(*JUMPS) if m.frame >= frame), default=log.length)


def export_movie(
    log: Timeline,
    state_at: Callable[[int], bytes],
    identity: MovieIdentity,
    path: Path,
    start: int,
    stop: int,
    *,
    exact: bool = True,
) -> ExportedMovie:
    """Write frames with the state before them. Raises TimelineError, MovieError, SaveError."""
    if not 1 <= start < stop <= log.length + 1:
        raise TimelineError(
            f"frames {start} to {stop - 1} are not held; there are frames 1 to {log.length}"
        )
    end = run_end(log, start)
    if end < stop - 1:
        raise TimelineError(
            f"after frame {end} something else than a button changed the game, which a movie can "
            f"not hold; export frames {start} to {end}, or from {end + 1} on"
        )
    first = run_begin(log, start)
    idle = np.flatnonzero(~log.inputs(first, (start if exact else first) + 1).any(axis=1))
    if len(idle):
        start = first + int(idle[-1])
    elif not exact:
        start = first
    state = state_at(start - 1)
    with identity.writer(path, state, reset_row=bool(len(idle))) as writer:
        writer.append(log.inputs(start, stop), identity.row_hashes(log, start, stop - start))
    return ExportedMovie(path, start, stop, bool(len(idle)))
