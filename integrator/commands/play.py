"""``integrator play``: movies replayed without a window, told frame by frame and summed up."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self, TypedDict

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from integrator.domain.errors import SaveError
from integrator.domain.movie import Movie, ram_hash, read_movie
from integrator.session.opening import buttons_by_system, open_session, systems
from integrator.session.result import ChunkResult, FrameResult
from integrator.session.roots import find_integration
from integrator.session.session import Session

CHUNK_FRAMES = 240


class MovieSummary(TypedDict):
    """How one movie went; ``done_frame`` and ``desync_frame`` are rows of the movie, or null."""

    movie: str
    game: str
    frames: int
    total_rewards: list[float]
    done_frame: int | None
    desync_frame: int | None


def play_movies(
    movies: Sequence[Path],
    *,
    game: Path | None = None,
    csv_path: Path | None = None,
    quiet: bool = False,
) -> list[MovieSummary]:
    """Replay movies one after the other; ``csv_path`` gets one row a frame, the reset's first.

    Raises MovieError, SessionError, HostError, and SaveError when the CSV can not be written.
    """
    buttons = buttons_by_system(systems())
    read = [read_movie(path, buttons) for path in movies]
    summaries: list[MovieSummary] = []
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(console=Console(stderr=True), disable=quiet))
        table = stack.enter_context(_CsvTable(csv_path)) if csv_path else None
        task = progress.add_task("frames", total=sum(movie.frames for movie in read))
        for movie in read:
            directory = game or find_integration(movie.game, movie.path)
            with open_session(directory, players=movie.players) as session:
                summary = _Playback(session, movie, table)
                for frames in summary.run():
                    progress.advance(task, frames)
                summaries.append(summary.summary())
    return summaries


def print_summaries(summaries: Sequence[MovieSummary]) -> None:
    """Print a table of how the movies went."""
    table = Table()
    for column in ("movie", "game", "frames", "total reward", "done at", "desync at"):
        table.add_column(column)
    for each in summaries:
        rewards = ", ".join(f"{total:g}" for total in each["total_rewards"])
        done, desync = each["done_frame"], each["desync_frame"]
        table.add_row(
            Path(each["movie"]).name,
            each["game"],
            str(each["frames"]),
            rewards,
            "" if done is None else str(done),
            "" if desync is None else f"[red]{desync}[/red]",
        )
    Console().print(table)


class _Playback:
    """One movie on one session, in chunks that end where the movie has a hash of RAM."""

    def __init__(self, session: Session, movie: Movie, table: _CsvTable | None) -> None:
        self._session = session
        self._movie = movie
        self._table = table
        self._done: int | None = None
        self._desync: int | None = None
        self._last: FrameResult | None = None
        hashes = movie.ram_hashes
        self._hashes: dict[int, int] = (
            dict(zip(hashes.rows.tolist(), hashes.digests.tolist(), strict=True)) if hashes else {}
        )

    def run(self) -> Iterator[int]:
        """Play to the end, telling after each chunk how many frames it had."""
        self._last = self._session.play(self._movie.path)
        self._note_first(self._last)
        yield 1
        row = 1
        while row < self._movie.frames:
            stop = self._next_stop(row)
            masks = np.zeros((stop - row, self._session.players), np.uint16)
            for chunk in self._session.run(masks):
                self._note(chunk, chunk.first_number - 1)
            self._check(stop - 1)
            yield stop - row
            row = stop

    def summary(self) -> MovieSummary:
        """What came of it."""
        totals = self._last.outcome.total_rewards if self._last else ()
        return {
            "movie": str(self._movie.path),
            "game": self._session.integration.name,
            "frames": self._movie.frames,
            "total_rewards": list(totals),
            "done_frame": self._done,
            "desync_frame": self._desync,
        }

    def _next_stop(self, row: int) -> int:
        hashed = next((at + 1 for at in sorted(self._hashes) if at >= row), self._movie.frames)
        return min(hashed, row + CHUNK_FRAMES, self._movie.frames)

    def _check(self, row: int) -> None:
        expected = self._hashes.get(row)
        if expected is None or self._desync is not None:
            return
        if ram_hash(self._session.memory.ram) != expected:
            self._desync = row

    def _note_first(self, result: FrameResult) -> None:
        self._check(0)
        if self._table:
            values = {name: int(value) for name, value in result.values.items()}
            outcome = result.outcome
            self._table.write(
                self._movie, 0, result.inputs, values, outcome.rewards, done=outcome.done
            )

    def _note(self, chunk: ChunkResult, first_row: int) -> None:
        self._last = chunk.last
        done = np.flatnonzero(chunk.outcomes.done)
        if self._done is None and len(done):
            self._done = first_row + int(done[0])
        if self._table is None:
            return
        for i, masks in enumerate(chunk.inputs.tolist()):
            values = {name: int(column[i]) for name, column in chunk.values.items()}
            rewards = chunk.outcomes.rewards[i].tolist()
            self._table.write(
                self._movie,
                first_row + i,
                masks,
                values,
                rewards,
                done=bool(chunk.outcomes.done[i]),
            )


class _CsvTable:
    """A CSV file whose header follows from the first row; written aside and renamed when whole."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.part")
        self._writer: csv.DictWriter[str] | None = None

    def __enter__(self) -> Self:
        try:
            self._file = self._part.open("w", newline="", encoding="utf-8")
        except OSError as error:
            raise SaveError(f"{self._path}: can not be written: {error.strerror}") from error
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._file.close()
        if kind is None:
            self._part.replace(self._path)
        else:
            self._part.unlink(missing_ok=True)

    def write(
        self,
        movie: Movie,
        row: int,
        masks: Sequence[int],
        values: dict[str, int],
        rewards: Sequence[float],
        *,
        done: bool,
    ) -> None:
        """Add one frame."""
        line: dict[str, Any] = {"movie": movie.path.name, "frame": row}
        for player, mask in enumerate(masks):
            line[f"buttons{player + 1}"] = " ".join(_pressed(mask, movie.buttons))
        line |= values
        line |= {f"reward{player + 1}": reward for player, reward in enumerate(rewards)}
        line["done"] = int(done)
        if self._writer is None:
            self._writer = csv.DictWriter(self._file, list(line), extrasaction="ignore", restval="")
            self._writer.writeheader()
        self._writer.writerow(line)


def _pressed(mask: int, buttons: Sequence[str | None]) -> list[str]:
    return [name for bit, name in enumerate(buttons) if name and mask >> bit & 1]
