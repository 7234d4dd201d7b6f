"""Edits the input rows of a recording, and runs movies and planned rows at full speed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrator.domain.errors import MovieError, TimelineError
from integrator.domain.movies.model import Movie
from integrator.domain.movies.rows import parse_rows, row_lines
from integrator.domain.timeline.line import JUMPS
from integrator.session.frame.inputs import widened
from integrator.session.frame.result import FrameResult, PlaybackEnded
from integrator.session.movies import MovieRecording, movie_console, refuse_doubtful
from integrator.session.session import Session
from integrator.session.timeline.restorer import Progress
from integrator.session.timeline.stretch import run_begin
from libretro_host.host import CapturePlan

CHUNK_FRAMES = 120
_NO_PICTURE = CapturePlan(picture=False)


@dataclass(frozen=True, slots=True)
class PlayedMovie:
    """The play of a movie as frames ``start`` to ``stop - 1``; ``complete`` unless stopped."""

    revision: int
    start: int
    stop: int
    desync_row: int | None  # the first row with RAM other than recorded
    totals: tuple[float, ...]
    done_frame: int | None  # counted from 1
    last: FrameResult
    complete: bool = True

    @classmethod
    def of(cls, session: Session, frames: range, desync_row: int | None, last: FrameResult) -> Self:
        """Make the result from the present scores of the frames."""
        log, start, stop = session.timeline.log, frames.start, frames.stop
        totals = log.rewards(start, stop).sum(axis=0, dtype=np.float64).tolist()
        done = np.flatnonzero(log.done(start, stop))
        first = int(done[0]) + 1 if len(done) else None
        return cls(log.revision, start, stop, desync_row, tuple(totals), first, last)

    @classmethod
    def newest(cls, session: Session, path: Path) -> Self | None:
        """Return the result of the movie at ``path``; None unless it was started last."""
        played, last = session.movies.started, session.last
        if played is None or last is None or played.movie.path != path:
            return None
        stop = min(played.first_frame + played.movie.frames, session.timeline.length + 1)
        return cls.of(session, range(played.first_frame, stop), played.desync_row, last)

    def refuse_desync(self, path: Path, rows: int, cure: str) -> None:
        """Raise MovieError if the movie is out of step within its first ``rows`` rows."""
        if self.desync_row is not None and self.desync_row < rows:
            raise MovieError(f"{path}: out of step from row {self.desync_row} on; {cure}")

    def again(self, session: Session) -> Self | None:
        """Return the result with new scores; None if the frames may be on another line by now."""
        if session.timeline.log.revision != self.revision:
            return None
        return self.of(session, range(self.start, self.stop), self.desync_row, self.last)


def import_movie(
    session: Session, path: str | Path, progress: Progress | None = None
) -> PlayedMovie:
    """Play a movie to its end at full speed. Raises MovieError, HostError."""
    return run_movie(session, session.game.read_movie(path), progress)


def open_movie_at(
    session: Session, path: str | Path, frame: int, progress: Progress
) -> FrameResult:
    """Play a movie to its end, and go to one of its frames, counted from 1."""
    done = import_movie(session, path, progress)
    return session.timeline.seek(min(done.start + frame - 1, done.stop - 1))


def run_movie(
    session: Session, movie: Movie, progress: Progress | None = None, rows: int | None = None
) -> PlayedMovie:
    """Play a movie, or its first ``rows`` rows, at full speed. Raises MovieError, HostError."""
    rows = movie.frames if rows is None else min(rows, movie.frames)
    [*_, chunk] = session.play_movie(movie, CapturePlan() if rows == 1 else _NO_PICTURE)
    playback, start = session.movies.started, chunk.first_number
    idle = np.zeros((rows - 1, session.game.players), np.uint16)
    last = _run_rows(session, idle, progress, done=1) or chunk.last
    done = range(start, session.timeline.length + 1)
    if len(done) < rows:
        session.movies.playback = None
    desync_row = None if playback is None else playback.desync_row
    return replace(PlayedMovie.of(session, done, desync_row, last), complete=len(done) >= rows)


def run_sound(session: Session, path: Path, rows: int | None = None) -> PlayedMovie:
    """Do as :func:`run_movie`, but refuse a movie that may not play as recorded, by MovieError."""
    made = session.game.identity()
    movie = made.comparable(session.game.read_movie(path))
    refuse_doubtful(movie, made.rom, made.core, "leave it out", rows)
    return run_movie(session, movie, rows=rows)


def record_again(session: Session, path: str | Path, progress: Progress | None = None) -> Path:
    """Record a movie that starts at the beginning of the present run, and goes on from here.

    The run is replayed to test that a movie of all of it stays in step; otherwise the movie starts
    at the last load. ``progress`` may stop the test: then ReplayStopped is raised, and nothing has
    changed. Raises MovieError."""
    if session.memory.written:
        why = "memory was changed by hand after this frame, so a movie of what came before"
        raise MovieError(f"{path}: {why} cannot go on; run a frame, or record from here instead")
    travel, log, position = session.timeline, session.timeline.log, session.timeline.position
    begin = max(run_begin(log, position), log.held_before(position + 1) + 1)
    if begin > position:
        why = f"a value was held on frame {position}, so a movie of it"
        raise MovieError(f"{path}: {why} would not replay; record from here instead")
    loaded = [load + 1 for load in log.loads(begin - 1, position)]
    begins = dict.fromkeys((begin, *loaded[-1:]))
    if (found := travel.first_repeating(begins, position, progress)) is None:
        why = "the states of this core leave something out, so a movie of what came before"
        raise MovieError(f"{path}: {why} would go out of step; record from here instead")
    first, state = found
    session.movies.stop_recording()
    movie, session.movies.playback = session.movies.playing, None
    recording = MovieRecording(Path(path), session.game.identity(), log)
    inputs = log.inputs(first, position + 1)
    count = "" if movie is None else movie.header.get("rerecordCount", "")
    counted = count.isascii() and count.isdigit() and len(count) < 9
    reruns, begins_idle = int(count) + 1 if counted else 2, not inputs[0].any()
    recording.begin(state, session.game.state_name, reset_row=begins_idle, rerecords=reruns)
    recording.add_rows(first, inputs)
    session.movies.recording = recording
    return recording.path


@dataclass(frozen=True, slots=True)
class Splice:
    """``removed`` frames from ``start`` on become ``rows``, uint16 (frames, players and axes)."""

    start: int
    removed: int
    rows: ArrayLike

    @classmethod
    def over(cls, start: int, rows: ArrayLike) -> "Splice":
        """Make a splice in which ``rows`` replace as many frames."""
        return cls(start, len(np.atleast_2d(np.asarray(rows, np.uint16))), rows)

    def inputs(self, players: int, columns: int) -> NDArray[np.uint16]:
        """Return the new rows. Raises TimelineError if they are for another number of players."""
        rows = np.atleast_2d(np.asarray(self.rows, np.uint16))
        if not rows.size:
            return np.zeros((0, columns), np.uint16)
        if rows.ndim == 2:
            rows = widened(rows, players, columns)
        if rows.ndim != 2 or rows.shape[1] != columns:
            raise TimelineError(f"rows of shape {rows.shape} are not for {players} players")
        return rows


def rows_ahead(session: Session) -> NDArray[np.uint16]:
    """Return the rows that are to be played next: of the playing movie, or planned by an edit."""
    playback = session.movies.playback
    if playback is None or not playback.remaining:
        return session.timeline.log.ahead
    return playback.override(np.zeros((playback.remaining, session.game.columns), np.uint16))


def document_rows(session: Session, start: int, stop: int) -> NDArray[np.uint16]:
    """Return the rows of frames ``start`` to ``stop - 1``, both recorded and planned rows."""
    log, ahead = session.timeline.log, rows_ahead(session)
    end = log.length + 1
    later = ahead[max(0, start - end) : max(0, stop - end)]
    return np.concatenate([log.inputs(min(start, end), min(stop, end)), later])


def painted(
    session: Session, first: int, last: int, port: int, mask: int, *, pressed: bool
) -> Splice:
    """Return the splice that presses or releases buttons, also on rows beyond the planned ones."""
    start = min(first, session.timeline.length + len(rows_ahead(session)) + 1)
    held = document_rows(session, start, last + 1)
    rows = np.pad(held, ((0, last + 1 - start - len(held)), (0, 0)))
    column = rows[first - start :, port]
    column[:] = column | np.uint16(mask) if pressed else column & ~np.uint16(mask)
    return Splice(start, len(held), rows)


def patterned(session: Session, first: int, last: int, text: str) -> Splice:
    """Return the splice that paints a pattern over frames.

    ``A+B 2 3`` presses A and B for two frames of every five; ``A+B`` holds them; ``2:A`` is A of
    player 2. Other buttons are unchanged. Raises TimelineError for a text that is no pattern."""
    form = r"(?:(?P<port>\d+):)?(?P<names>\S+)(?:\s+(?P<down>\d+)\s+(?P<up>\d+))?"
    buttons, match = session.system.buttons, re.fullmatch(form, text.strip())
    names = match["names"].upper().split("+") if match else []
    port, down, up = (int(match[each] or 1) if match else 0 for each in ("port", "down", "up"))
    known = names and set(names) <= {*filter(None, buttons)}
    if match is None or not known or not down or not 1 <= port <= session.game.players:
        listed = ", ".join(filter(None, buttons))
        raise TimelineError(f"{text}: write buttons ({listed}), frames down, and frames up")
    up = up if match["up"] else 0
    mask = np.uint16(sum(1 << buttons.index(name) for name in names))
    rows = document_rows(session, first, last + 1)
    pressed = np.arange(len(rows)) % (down + up) < down
    column = rows[:, port - 1]
    column[:] = np.where(pressed, column | mask, column & ~mask)
    return Splice.over(first, rows)


def rows_text(session: Session, first: int, last: int) -> str:
    """Return the buttons of some frames as lines of a movie's input log."""
    rows = document_rows(session, first, last + 1)[:, : session.game.players]
    return row_lines(rows, movie_console(session.system).bits).decode("ascii")


def pasted(session: Session, first: int, text: str, *, insert: bool) -> Splice:
    """Return the splice that writes lines of an input log, or inserts them. Raises MovieError."""
    rows = parse_rows(text, movie_console(session.system), session.game.players)
    # Rows beyond the last one lengthen the recording.
    removed = 0 if insert else len(document_rows(session, first, first + len(rows)))
    return Splice(first, removed, rows)


def tiled(session: Session, first: int, last: int, text: str) -> Splice:
    """Return the splice that presses a macro's buttons, repeated, as well. Raises MovieError."""
    rows = document_rows(session, first, last + 1)
    tape = parse_rows(text, movie_console(session.system), session.game.players)
    for at in range(len(rows)):
        rows[at, : tape.shape[1]] |= tape[at % len(tape)]
    return Splice.over(first, rows)


LogRows = tuple[NDArray[np.uint16], NDArray[np.bool_], NDArray[np.int64]]


def log_rows(session: Session, first: int, count: int, names: Sequence[str]) -> LogRows:
    """Return the inputs of some frames, and lag and variables of those that were played."""
    rows, end = document_rows(session, first, first + count), session.timeline.length + 1
    played = min(first, end), min(first + count, end)
    lag = session.timeline.log.lag(*played)
    columns = [session.timeline.column(name, *played) for name in names]
    values = np.stack(columns, axis=1) if columns else np.zeros((0, 0), np.int64)
    return rows, np.pad(lag, (0, len(rows) - len(lag))), values


def play_ahead(session: Session, frame: int, progress: Progress | None = None) -> FrameResult:
    """Run the planned or the movie's rows up to ``frame``, or until ``progress`` stops the run."""
    travel = session.timeline
    shown = travel.here() if travel.at_end else travel.seek(travel.length)
    return _run_rows(session, rows_ahead(session)[: frame - travel.length], progress) or shown


def run_planned(session: Session, frames: int) -> FrameResult | None:
    """Run up to that many planned rows, and return to the present frame.

    Return None if no row is planned, if a movie plays or is recorded, or if memory was changed by
    hand at the present frame, because that would be lost."""
    travel, movies = session.timeline, session.movies
    busy = movies.playing is not None or movies.recording is not None
    if busy or session.memory.written or not len(travel.log.ahead):
        return None
    position = travel.position
    play_ahead(session, travel.length + frames)
    return travel.seek(position)


def _run_rows(
    session: Session, rows: NDArray[np.uint16], progress: Progress | None, done: int = 0
) -> FrameResult | None:
    """Run rows in chunks until ``progress`` stops; ``done`` counts the rows that ran before."""
    shown = None
    for at in range(0, len(rows), CHUNK_FRAMES):
        if progress is not None and not progress(done + at, done + len(rows)):
            break
        chunk = rows[at : at + CHUNK_FRAMES]
        plan = CapturePlan() if at + len(chunk) == len(rows) else _NO_PICTURE
        shown = session.run(chunk, plan)[-1].last
    return shown


def edit_inputs(
    session: Session, splice: Splice, progress: Progress | None = None
) -> FrameResult | None:
    """Replace rows of the timeline; the unchanged line is kept as a branch.

    The frames up to the present one are run again; if ``progress`` stops that, nothing changes.
    Later rows are planned, and marks move with their frames. Returns the present frame, or None if
    the new rows equal the old ones. Raises TimelineError if frames are not on the line, or if the
    first one begins a run of play."""
    travel, log = session.timeline, session.timeline.log
    rows = splice.inputs(session.game.players, session.game.columns)
    end = _check(session, splice, len(rows))
    start, after = splice.start, splice.start + splice.removed
    if np.array_equal(rows, document_rows(session, start, after)):
        return None
    base, cursor = min(start - 1, log.length), travel.position
    between, later = (document_rows(session, *at) for at in ((base + 1, start), (after, end + 1)))
    inputs = np.concatenate([between, rows, later])
    marks = [mark for mark in log.markers("user") if start <= mark.frame <= end]
    grown = len(rows) - splice.removed
    if session.movies.playing is not None:
        log.plan(rows_ahead(session))  # so that the branch goes on with the rows of the movie
        path, session.movies.playback = session.movies.playing.path, None
        text = f"{path.name} was left; its rows are planned"
        session.tell(PlaybackEnded(text, path=path, left=True))
    if cursor > base:
        travel.seek(base)
    session.movies.go_back(base)
    kept = travel.fork() if cursor >= base else travel.fork_at(base)
    again = inputs[: max(0, cursor - base)]
    shown = _run_rows(session, again, progress)
    if log.length < base + len(again):
        # Switch back to the unchanged line, and delete the part that was run again.
        travel.switch_to(kept, swap=True)
        log.delete_branch(kept)
        return travel.seek(min(cursor, travel.length))
    log.plan(inputs[len(again) :])
    for mark in marks:
        place = mark.frame - start
        if place < min(len(rows), splice.removed) or place >= splice.removed:
            log.add_marker(mark.frame + grown * (place >= splice.removed), mark.label)
    return shown or travel.here()


def _check(session: Session, splice: Splice, added: int) -> int:
    """Return the last frame of the splice's run of inputs. Raises TimelineError."""
    log, ahead = session.timeline.log, len(rows_ahead(session))
    start, last = splice.start, splice.start + splice.removed - 1
    held = 1 <= start <= log.length + ahead + (not splice.removed)
    jumps = [mark.frame for mark in log.markers(*JUMPS) if mark.frame >= start]
    end = min(jumps, default=log.length + ahead) if held else 0
    if splice.removed < 0 or not splice.removed + added or last > end:
        frames = f"{start} to {max(start, last)}"
        raise TimelineError(f"frames {frames} are not held without a jump in between")
    if start == run_begin(log, start):
        raise TimelineError(f"frame {start} is the first of its run; its buttons stay as they are")
    return end


def undo_edit(session: Session, *, redo: bool = False) -> FrameResult:
    """Switch to the line before the newest edit of inputs. Raises TimelineError without one.

    With ``redo``, switch to the line after the edit that was undone last."""
    travel = session.timeline
    name = travel.changes.later if redo else travel.changes.earlier
    if name is None:
        raise TimelineError(f"there is no change of the past to {'redo' if redo else 'undo'}")
    [branch] = [branch for branch in travel.branches if branch.name == name]
    session.movies.finish_run()
    session.movies.playback = None
    first_other = max(1, min(branch.shared_frames + 1, branch.length))
    return travel.switch_to(name, swap=True, frame=first_other)
