"""Play that is run again with changes: movies taken in whole, recorded anew, inputs edited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from integrator.domain.errors import MovieError, TimelineError
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.timeline.export import run_begin, run_end
from libretro_host.host import CapturePlan

CHUNK_FRAMES = 120
_NO_PICTURE = CapturePlan(picture=False)

Progress = Callable[[int, int], bool]
"""Told frames done and frames in all; returns whether to go on."""


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
    movie = session.game.read_movie(path)
    [*_, chunk] = session.play_movie(movie)
    playback = session.movies.started
    start = chunk.first_number
    done = 1
    while session.movies.playing is not None:
        if progress is not None and not progress(done, movie.frames):
            session.movies.playback = None
            break
        frames = min(CHUNK_FRAMES, movie.frames - done)
        last = done + frames == movie.frames
        plan = CapturePlan() if last else _NO_PICTURE
        idle = np.zeros((frames, session.game.players), np.uint16)
        chunk = session.run(idle, plan)[-1]
        done += frames
    desync_row = None if playback is None else playback.desync_row
    return ImportedMovie(start, start + done, done == movie.frames, desync_row, chunk.last)


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


def edit_inputs(session: Session, start: int, rows: ArrayLike) -> FrameResult:
    """Put other buttons into the frames from ``start`` on, and run the recorded frames after them.

    ``rows`` is uint16 of shape (frames, players). The unchanged line stays as a branch. Frames
    after a reset, a loaded state or a poke stay only there. Returns the last frame run; the core
    stands there. Raises TimelineError for frames that are not held, and for the first frame after a
    reset or a loaded state, which is no frame of play.
    """
    log = session.timeline.log
    changed = np.atleast_2d(np.asarray(rows, np.uint16))
    end = run_end(log, start) if 1 <= start <= log.length else 0
    if not len(changed) or start + len(changed) - 1 > end:
        raise TimelineError(
            f"frames {start} to {start + len(changed) - 1} are not held without a jump in between"
        )
    if start == run_begin(log, start):
        raise TimelineError(f"frame {start} is the first of its run; its buttons stay as they are")
    inputs = log.inputs(start, end + 1)
    inputs[: len(changed)] = changed
    session.movies.playback = None
    session.timeline.seek(start - 1)
    last = None
    for at in range(0, len(inputs), CHUNK_FRAMES):
        last = session.run(inputs[at : at + CHUNK_FRAMES])[-1].last
    assert last is not None  # noqa: S101 - for the type checker: there is at least one chunk
    return last


def _rerecords(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 1
