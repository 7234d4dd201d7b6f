"""One movie replayed in the process that got the work: its table, video and stills."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from integrator.commands.play.table import (
    EpisodeSummary,
    FrameTable,
    PlayBoard,
    PlayCancelled,
    PlayJob,
    TableBuilder,
)
from integrator.commands.shared.fanout import message_at
from integrator.domain.errors import IntegratorError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.movies.model import Movie
from integrator.session.frame.result import ChunkResult, MovieDesync, MovieWarning
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.stills import CanvasTooSmall, png_bytes, scaled
from libretro_host.errors import HostError
from libretro_host.host import CapturePlan

if TYPE_CHECKING:
    from integrator.commands.play.film import Film

_MOST_FRAMES = 100_000  # of a session, whose timeline holds their RAM; then another begins


@dataclass(frozen=True, slots=True)
class MovieSummary:
    """The outcome of one movie. ``done_frame`` and ``desync_frame`` are rows of the movie, or null.

    ``ended_by`` are the conditions that were met when done became true. ``core_mismatch`` names the
    core that recorded the movie, when another core or version played it. ``error`` is the reason
    when it could not be played; the other entries then hold the facts known by then.
    """

    movie: str
    game: str = ""
    frames: int = 0
    episodes: Sequence[EpisodeSummary] = ()
    total_rewards: Sequence[float] = ()
    done_frame: int | None = None
    ended_by: Sequence[str] = ()
    desync_frame: int | None = None
    core: str | None = None
    core_mismatch: str | None = None
    warnings: Sequence[str] = ()
    video: str | None = None
    stills: int = 0
    error: str | None = None


PlayResult = tuple[MovieSummary, FrameTable | None]
"""The result of a job, sent back to the process that started it."""


def play_jobs(jobs: Sequence[PlayJob]) -> list[PlayResult] | None:
    """Play movies in turn, errors in their summaries; None when that was cancelled."""
    try:
        with closing(_OpenGame()) as game:
            return [game.play(job) for job in jobs]
    except PlayCancelled:
        return None


def lost_jobs(jobs: Sequence[PlayJob], error: HostError) -> list[PlayResult]:
    return [_failed(job, f"{job.movie}: {error}") for job in jobs]


def _failed(job: PlayJob, error: str) -> PlayResult:
    return MovieSummary(str(job.movie), job.game.name, error=error), None


class _OpenGame:
    """The session of one game, which plays movie after movie: starting a core takes longer."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._key: tuple[Path, int] | None = None

    def play(self, job: PlayJob) -> PlayResult:
        """Play a movie; in a new session when one that has played others fails at it."""
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

    def _try(self, job: PlayJob) -> PlayResult:
        try:
            return _play(job, self._ready(job))
        except (IntegratorError, OSError) as error:
            self.close()
            return _failed(job, message_at(job.movie, error))

    def _ready(self, job: PlayJob) -> Session:
        key, session = (job.game, job.players), self._session
        if session is None or self._key != key or session.timeline.length > _MOST_FRAMES:
            self.close()
            self._session = session = open_session(job.game, players=job.players)
            self._key = key
        session.take_events()
        return session


def _play(job: PlayJob, session: Session) -> PlayResult:
    if not job.films:
        return _Run(job, None, session).result()
    from integrator.commands.play.film import Film  # noqa: PLC0415 - PyAV is optional

    size: tuple[int, int] | None = None
    while True:
        try:
            with Film(job, size) as film:
                return _Run(job, film, session).result()
        except CanvasTooSmall as larger:
            size = larger.size


class _Run:
    """One run through the movie, in chunks that end where a still picture is wanted."""

    def __init__(self, job: PlayJob, film: "Film | None", session: Session) -> None:
        self._job, self._film, self._session = job, film, session
        self._board = PlayBoard(job.board, job.movies)
        every, audio = 1 if job.films else 0, job.films and job.options.audio
        self._plan = CapturePlan(picture=job.stills is not None, picture_every=every, audio=audio)
        self._stills = 0
        self._totals: tuple[float, ...] = ()
        self._done: int | None = None
        self._ended_by: list[str] = []

    def result(self) -> PlayResult:
        job = self._job
        if job.stills is not None:
            job.stills.mkdir(parents=True, exist_ok=True)
        session = self._session
        movie = session.game.read_movie(job.movie)
        builder = TableBuilder(movie.path.name, movie.buttons, int(movie.has_reset_row))
        ending = job.options.ending
        frames = movie.frames + max(ending, 0)
        film_from = max(0, movie.frames + ending) if ending < 0 else 0
        row = 0
        while row < frames:
            if row == 0:
                chunks = session.play_movie(movie, self._plan)
            else:
                # Chunks are shorter with pictures, which all have to be in memory.
                stop = min(frames, row + (60 if job.films else 240))
                if job.stills is not None:
                    stop = min(stop, -(-row // job.options.every) * job.options.every + 1)
                idle = np.zeros((stop - row, session.game.players), np.uint16)
                chunks = session.run(idle, self._plan)
            for chunk in chunks:
                builder.add(chunk)
                self._note(chunk, row)
                if self._film is not None:
                    self._film.add(chunk, max(0, film_from - row), session.game.core.av)
                row += len(chunk.inputs)
            self._board.tell(job.index, row)
        table = builder.table(movie.frames)
        return self._summary(movie, table), table if job.options.wants_tables else None

    def _note(self, chunk: ChunkResult, row: int) -> None:
        self._totals = chunk.last.outcome.total_rewards
        outcomes = chunk.outcomes
        done = np.flatnonzero(outcomes.done)
        if self._done is None and len(done):
            self._done = row + int(done[0])
            self._ended_by = [path for path, lamp in outcomes.nodes.items() if lamp[done[0]]]
        last = row + len(chunk.inputs) - 1
        folder, frame = self._job.stills, chunk.last.frame
        if folder is not None and frame is not None and last % self._job.options.every == 0:
            picture = png_bytes(scaled(frame.rgb(), self._job.options.scale))
            write_atomically(folder / f"{self._job.movie.stem}-{last:06d}.png", picture)
            self._stills += 1

    def _summary(self, movie: Movie, table: FrameTable) -> MovieSummary:
        session = self._session
        events = session.take_events()
        desync = next((event.row for event in events if isinstance(event, MovieDesync)), None)
        stamp = movie.core
        warnings = [event.text for event in events if isinstance(event, MovieWarning)]
        if movie.training_warning:
            warnings.append(f"{movie.path.name}: {movie.training_warning}")
        recorded = session.game.core_stamp if stamp is None else f"{stamp.name} {stamp.version}"
        return MovieSummary(
            movie=str(self._job.movie),
            game=session.integration.name,
            frames=movie.frames,
            episodes=table.episodes(),
            total_rewards=list(self._totals),
            done_frame=self._done,
            ended_by=self._ended_by,
            desync_frame=desync,
            core=session.game.core_stamp,
            core_mismatch=None if recorded == session.game.core_stamp else recorded,
            warnings=warnings,
            video=None if self._job.video is None else str(self._job.video),
            stills=self._stills,
        )
