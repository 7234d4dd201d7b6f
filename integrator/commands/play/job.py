"""Replays movies in a worker's process, and makes their tables, videos and stills."""

import contextlib
import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from integrator.commands.play import table as files
from integrator.commands.shared.fanout import message_at
from integrator.domain.errors import IntegratorError, SaveError
from integrator.domain.files.atomic import saving, write_atomically, writing
from integrator.domain.movies.model import Movie
from integrator.session import stills
from integrator.session.frame.result import ChunkResult, MovieDesync, MovieWarning
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.stills import CanvasTooSmall, Picture, VideoTiming, png_bytes, scaled
from libretro_host.errors import HostError
from libretro_host.host import AvInfo, CapturePlan
from libretro_host.processes import children
from libretro_host.processes.temporary import made_whole

if TYPE_CHECKING:
    from integrator.session.film import VideoWriter

_MOST_FRAMES = 100_000  # limit of a session, because its timeline holds their RAM


@dataclass(frozen=True, slots=True)
class MovieSummary:
    """The result of a movie. ``done_frame`` and ``desync_frame`` are rows of the movie, or None.
    ``compared_frames`` counts the frames whose RAM could be compared with the recording.
    ``ended_by`` are the conditions that were met when done became true. ``core_mismatch`` names the
    core that recorded the movie, if another core or version played it. ``error`` is the reason if
    the movie could not be played; the other fields then hold the facts known so far."""

    movie: str
    game: str = ""
    frames: int = 0
    episodes: Sequence[files.EpisodeSummary] = ()
    total_rewards: Sequence[float] = ()
    done_frame: int | None = None
    ended_by: Sequence[str] = ()
    desync_frame: int | None = None
    compared_frames: int = 0
    core: str | None = None
    core_mismatch: str | None = None
    warnings: Sequence[str] = ()
    video: str | None = None
    stills: int = 0
    error: str | None = None


PlayResult = tuple[MovieSummary, files.FrameTable | None]
"""The result of a job, which is sent back to the process that started the job."""


def play_jobs(jobs: Sequence[files.PlayJob]) -> list[PlayResult]:
    """Play movies one after the other; errors become part of their summaries."""
    with contextlib.closing(_OpenGame()) as game:
        return [game.play(job) for job in jobs]


def lost_jobs(jobs: Sequence[files.PlayJob], error: HostError) -> list[PlayResult]:
    return [_failed(job, f"{job.movie}: {error}") for job in jobs]


def _failed(job: files.PlayJob, error: str) -> PlayResult:
    return MovieSummary(str(job.movie), job.game.name, error=error), None


class _OpenGame:
    """Keeps the session of a game open for several movies, because starting a core takes long."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._key: tuple[Path, int] | None = None

    def play(self, job: files.PlayJob) -> PlayResult:
        """Play a movie; if a session that played other movies fails, try a new session."""
        is_used = self._session is not None and self._key == (job.game, job.players)
        summary, table = self._try(job)
        if is_used and (summary.error or summary.desync_frame is not None):
            self.close()
            return self._try(job)
        return summary, table

    def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _try(self, job: files.PlayJob) -> PlayResult:
        key, session = (job.game, job.players), self._session
        try:
            if session is None or self._key != key or session.timeline.length > _MOST_FRAMES:
                self.close()
                self._session = session = open_session(job.game, players=job.players)
                self._key = key
            session.take_events()
            return _play(job, session)
        except (IntegratorError, OSError) as error:
            self.close()
            return _failed(job, message_at(job.movie, error))


def _play(job: files.PlayJob, session: Session) -> PlayResult:
    if not job.films:
        return _run(job, None, session)
    size: tuple[int, int] | None = None
    while True:
        try:
            with Film(job, size) as film:
                return _run(job, film, session)
        except CanvasTooSmall as larger:
            size = larger.size


def _run(job: files.PlayJob, film: "Film | None", session: Session) -> PlayResult:
    if job.stills is not None:
        job.stills.mkdir(parents=True, exist_ok=True)
    movie = session.game.read_movie(job.movie)
    ending = job.options.ending
    film_from = max(0, movie.frames + ending) if ending < 0 else 0
    board = files.play_board(job.board, job.index + 1)
    rows: list[files.TableRows] = []
    row = kept = 0
    totals: tuple[float, ...] = ()
    ended_by: list[str] | None = None
    for chunk in _chunks(job, session, movie):
        rows.append(files.table_rows(chunk))
        done = chunk.outcomes.done
        if ended_by is None and done.any():
            first = done.argmax()
            ended_by = [path for path, lamp in chunk.outcomes.nodes.items() if lamp[first]]
        if film is not None:
            film.add(chunk, max(0, film_from - row), session.game.core.av)
        row += len(chunk.inputs)
        kept += _keep_still(job, chunk, row - 1)
        totals = chunk.last.outcome.total_rewards
        board[job.index] = row
    table = files.FrameTable.of(movie, rows)
    events = session.take_events()
    warnings = [event.text for event in events if isinstance(event, MovieWarning)]
    if movie.training_warning:
        warnings.append(f"{movie.path.name}: {movie.training_warning}")
    if fact := session.integration.unscored:
        warnings.append(f"{session.integration.name}: {fact}")
    core = session.game.core_stamp
    recorded = f"{movie.core.name} {movie.core.version}" if movie.core else core
    summary = MovieSummary(
        movie=str(job.movie),
        game=session.integration.name,
        frames=movie.frames,
        episodes=table.episodes(),
        total_rewards=list(totals),
        done_frame=None if ended_by is None else int(table.done.argmax()),
        ended_by=ended_by or [],
        desync_frame=next((event.row for event in events if isinstance(event, MovieDesync)), None),
        compared_frames=session.game.identity().comparable(movie).hashed(movie.frames),
        core=core,
        core_mismatch=None if recorded == core else recorded,
        warnings=warnings,
        video=None if job.video is None else str(job.video),
        stills=kept,
    )
    return summary, table if job.options.wants_tables else None


def _chunks(job: files.PlayJob, session: Session, movie: Movie) -> Iterator[ChunkResult]:
    """Yield the movie's frames and the idle frames, in chunks that end at wanted stills."""
    options = job.options
    plan = CapturePlan(
        picture=job.stills is not None,
        picture_every=1 if job.films else 0,
        audio=job.films and options.audio,
    )
    frames = movie.frames + max(options.ending, 0)
    chunks = session.play_movie(movie, plan)
    row = 0
    while True:
        yield from chunks
        row += sum(len(chunk.inputs) for chunk in chunks)
        if row >= frames:
            return
        # Chunks with pictures are shorter, because memory holds all pictures of a chunk.
        stop = min(frames, row + (60 if job.films else 240))
        if job.stills is not None:
            stop = min(stop, -(-row // options.every) * options.every + 1)
        chunks = session.run(np.zeros((stop - row, session.game.players), np.uint16), plan)


def _keep_still(job: files.PlayJob, chunk: ChunkResult, row: int) -> bool:
    """Write the picture of ``row``, the chunk's last, if it is wanted and exists."""
    frame, options = chunk.last.frame, job.options
    if job.stills is None or frame is None or row % options.every:
        return False
    picture = png_bytes(scaled(frame.rgb(), options.scale))
    write_atomically(job.stills / f"{job.movie.stem}-{row:06d}.png", picture)
    return True


class Film(contextlib.AbstractContextManager["Film"]):
    """Writes a temporary video, and shows it. Raises CanvasTooSmall for a larger later picture."""

    def __init__(self, job: files.PlayJob, size: tuple[int, int] | None) -> None:
        self._job, self._size = job, size
        self._open = contextlib.ExitStack()
        self._video: VideoWriter | None = None
        self._viewer: VideoWriter | None = None
        self._begun = False

    def __exit__(self, kind: type[BaseException] | None, *more: Any) -> None:  # noqa: PYI036 - passed on
        """Give the finished video its name; after an error, remove it."""
        with contextlib.suppress(*[SaveError] * (kind is not None)):
            self._open.__exit__(kind, *more)

    def add(self, chunk: ChunkResult, skip: int, av_info: AvInfo) -> None:
        """Add a chunk without its first ``skip`` frames. Raises CanvasTooSmall, SaveError."""
        drawn = [frame.rgb() for frame in chunk.run.pictures]
        # Before a core has drawn, it gives no pictures for its first frames.
        pictures: list[Picture | None] = [None] * (len(chunk.inputs) - len(drawn))
        pictures += drawn
        if skip >= len(pictures):
            return
        if not self._begun:
            self._begin(drawn, av_info)
        sound = chunk.run.audio
        if sound is not None and skip:
            sound = sound[len(sound) * skip // len(pictures) :]
        if self._video is not None:
            for picture in pictures[skip:]:
                self._video.add_frame(picture)
            self._video.add_audio(sound)
        if self._viewer is not None:
            self._show(self._viewer, pictures[skip:], chunk)

    def _begin(self, drawn: list[Picture], av_info: AvInfo) -> None:
        from integrator.session.film import VideoWriter  # noqa: PLC0415 - PyAV is optional

        self._begun = True
        options = self._job.options
        timing = VideoTiming(av_info.fps, av_info.sample_rate)
        usual = (av_info.base_height, av_info.base_width)
        height, width = drawn[0].shape[:2] if drawn else usual
        size = self._size or (width, height)
        writer = partial(
            VideoWriter, timing=timing, size=size, scale=options.scale, audio=options.audio
        )
        if self._job.video is not None:
            with writing(self._job.video):
                part = self._open.enter_context(made_whole(self._job.video))
            self._video = self._open.enter_context(writer(part, stills.PROFILES[options.lossless]))
        if options.viewer is not None:
            command = [*shlex.split(options.viewer), "-"]
            with saving(f"{options.viewer}: cannot be started", "name a program that is installed"):
                process = children.start(command, environment=os.environ, stdin=subprocess.PIPE)
            assert process.stdin is not None  # noqa: S101 - for the type checker: it is a pipe
            # Close the viewer's input at the end, and wait until the user closes the viewer.
            self._open.callback(process.communicate)
            stream = writer(process.stdin, stills.VIEWER_PROFILE, crop=True)
            self._viewer = self._open.enter_context(stream)

    def _show(
        self, viewer: "VideoWriter", pictures: list[Picture | None], chunk: ChunkResult
    ) -> None:
        try:
            for picture in pictures:
                viewer.add_frame(picture)
            viewer.add_audio(chunk.run.audio)
        except SaveError:
            self._viewer = None  # the user closed the viewer
            with contextlib.suppress(SaveError):
                viewer.give_up()
