"""Movies run again: without waiting, and recorded anew from their middle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import Movie
from integrator.session.frame.result import FrameResult
from integrator.session.roll import CHUNK_FRAMES, Progress
from integrator.session.session import Session
from integrator.session.timeline.export import run_begin
from libretro_host.host import CapturePlan

_NO_PICTURE = CapturePlan(picture=False)


@dataclass(frozen=True, slots=True)
class ImportedMovie:
    """A movie on the timeline, as frames ``start`` to ``stop - 1``; ``last`` is the newest.

    ``complete`` is false when it was stopped on the way. ``desync_row`` is the movie's first row
    that left RAM other than recorded, if one was found.
    """

    start: int
    stop: int
    complete: bool
    desync_row: int | None
    last: FrameResult


def import_movie(
    session: Session, path: str | Path, progress: Progress | None = None
) -> ImportedMovie:
    """Play a movie to its end without waiting. Raises MovieError, and HostError."""
    return run_movie(session, session.game.read_movie(path), progress)


def run_movie(
    session: Session, movie: Movie, progress: Progress | None = None, rows: int | None = None
) -> ImportedMovie:
    """Play a movie's first ``rows`` rows, or all, without waiting; only the last has a picture.

    Raises MovieError, and HostError.
    """
    rows = movie.frames if rows is None else min(rows, movie.frames)
    [*_, chunk] = session.play_movie(movie, CapturePlan() if rows == 1 else _NO_PICTURE)
    playback = session.movies.started
    start = chunk.first_number
    done = 1
    while done < rows:
        if progress is not None and not progress(done, rows):
            session.movies.playback = None
            break
        frames = min(CHUNK_FRAMES, rows - done)
        plan = CapturePlan() if done + frames == rows else _NO_PICTURE
        idle = np.zeros((frames, session.game.players), np.uint16)
        chunk = session.run(idle, plan)[-1]
        done += frames
    desync_row = None if playback is None else playback.desync_row
    return ImportedMovie(start, start + done, done >= rows, desync_row, chunk.last)


def record_again(session: Session, path: str | Path) -> Path:
    """Record a movie that begins where the present run of play did, up to here and further.

    This is how a movie is recorded anew from its middle: play it, go back to the middle, record it
    again, and play on. Raises MovieError for a path that is no ``.bk2`` file.
    """
    session.stop_recording()
    if session.memory.written:
        raise MovieError(
            f"{path}: memory was changed by hand after this frame, so a movie of what came before "
            "can not go on; run a frame, or record from here instead"
        )
    movie = session.movies.playing
    session.movies.playback = None
    travel = session.timeline
    log, position = travel.log, travel.position
    recording = session.movies.new_recording(Path(path))
    first = run_begin(log, position)
    inputs = log.inputs(first, position + 1)
    rerecords = 1 if movie is None else _rerecords(movie.header.get("rerecordCount", ""))
    recording.begin(
        travel.state_at(first - 1),
        session.game.state_name,
        reset_row=not inputs[0].any(),
        rerecords=rerecords + 1,
    )
    recording.add_rows(first, inputs, log.ram(position))
    session.movies.recording = recording
    return recording.path


def _rerecords(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1
