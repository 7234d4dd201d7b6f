"""The request to replay movies, and the table of played frames with the files made of it."""

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError, needing
from integrator.domain.files.atomic import write_atomically
from integrator.domain.movies.model import Movie
from integrator.domain.timeline.block import narrowest
from integrator.session.frame.result import ChunkResult
from integrator.session.stills import PROFILES

Column = NDArray[Any]


class EpisodeSummary(TypedDict):
    """An episode of a movie, from ``first_row`` on; ``done`` is true if done ended it."""

    first_row: int
    frames: int
    total_rewards: list[float]
    done: bool


@dataclass(frozen=True, slots=True)
class FrameTable:
    """All frames of one movie. ``inputs`` is uint16 (frames, players); ``values`` maps names to
    arrays (frames,), NaN where a variable did not yet exist; ``rewards`` is float32 (frames,
    players), ``done`` bool (frames,). If ``first_step`` is 1, row 0 is the frame of the reset, and
    the steps of training follow it. The first ``movie_frames`` rows are the movie's, and the others
    idle frames after it."""

    movie: str
    buttons: tuple[str | None, ...]
    inputs: NDArray[np.uint16]
    values: Mapping[str, Column]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    first_step: int
    movie_frames: int

    @classmethod
    def of(cls, movie: Movie, rows: Sequence["TableRows"]) -> Self:
        inputs, values, rewards, done = zip(*rows, strict=True)
        missing = [np.full(len(part), math.nan) for part in inputs]
        columns = {}
        for name in dict.fromkeys(name for each in values for name in each):
            pieces = [each.get(name, no) for each, no in zip(values, missing, strict=True)]
            columns[name] = narrowest(np.concatenate(pieces))
        return cls(
            movie=movie.path.name,
            buttons=tuple(movie.buttons),
            inputs=np.concatenate(inputs),
            values=columns,
            rewards=np.concatenate(rewards).astype(np.float32),
            done=np.concatenate(done),
            first_step=int(movie.has_reset_row),
            movie_frames=movie.frames,
        )

    @property
    def players(self) -> int:
        return int(self.inputs.shape[1])

    @property
    def frames(self) -> int:
        return len(self.inputs)

    def pressed(self, player: int) -> list[str]:
        """Return the names of the buttons held by a player, space-separated, for each row."""
        masks, places = np.unique(self.inputs[:, player], return_inverse=True)
        names = [
            " ".join(name for bit, name in enumerate(self.buttons) if name and mask >> bit & 1)
            for mask in masks.tolist()
        ]
        return [names[place] for place in places.tolist()]

    def actions(self) -> NDArray[np.bool_]:
        """Return the movie's steps as actions of training: bool (steps, buttons * players)."""
        bits = np.arange(len(self.buttons), dtype=np.uint16)
        steps = self.inputs[self.first_step : self.movie_frames]
        held: NDArray[np.bool_] = (steps[:, :, None] >> bits & 1).astype(np.bool_)
        return held.reshape(len(steps), len(self.buttons) * self.players)

    def episodes(self) -> list[EpisodeSummary]:
        """Return the episodes as training sees them: an episode ends when done becomes true."""
        done = self.done[self.first_step :]
        ends = (np.flatnonzero(done & ~np.r_[False, done[:-1]]) + 1).tolist()
        found: list[EpisodeSummary] = []
        for start, end in zip([0, *ends], [*ends, len(done)], strict=True):
            if start < end:
                rewards = self.rewards[self.first_step + start : self.first_step + end]
                found.append(
                    {
                        "first_row": self.first_step + start,
                        "frames": end - start,
                        "total_rewards": rewards.sum(axis=0, dtype=np.float64).tolist(),
                        "done": end in ends,
                    }
                )
        return found


TableRows = tuple[NDArray[np.uint16], Mapping[str, Column], Column, Column]
"""Inputs, values, rewards and done of some frames."""


def table_rows(chunk: ChunkResult) -> TableRows:
    """Return the rows of a chunk, without its pictures, which would fill memory."""
    outcomes, values = chunk.outcomes, chunk.values
    if len(chunk.inputs) == 1:  # a single frame also has the variables that scripts set
        values = {name: np.array([value]) for name, value in chunk.last.values.items()}
    return chunk.inputs[:, : outcomes.rewards.shape[1]], values, outcomes.rewards, outcomes.done


def write_csv(path: Path, tables: Sequence[FrameTable]) -> None:
    """Write a row for each frame of all movies, one after the other. Raises SaveError."""
    text = StringIO()
    writer = csv.writer(text)
    for number, columns in enumerate(_columns(tables)):
        if not number:
            writer.writerow(columns)
        writer.writerows(zip(*map(_cells, columns.values()), strict=True))
    write_atomically(path, text.getvalue().encode())


def write_parquet(path: Path, tables: Sequence[FrameTable]) -> None:
    """Write the columns of :func:`write_csv` with types.

    Raises SessionError without PyArrow, SaveError."""
    pyarrow, parquet = require_parquet(path)
    parts = [
        {name: pyarrow.array(column, from_pandas=True) for name, column in columns.items()}
        for columns in _columns(tables)
    ]
    whole = pyarrow.concat_tables(map(pyarrow.table, parts), promote_options="permissive")
    sink = BytesIO()
    parquet.write_table(whole, sink)
    write_atomically(path, sink.getvalue())


def write_monitor(path: Path, tables: Sequence[FrameTable]) -> None:
    """Write a row per episode as stable-retro's playback script does: rewards, length, seconds."""
    players = max(table.players for table in tables)
    fields = ["r"] if players == 1 else [f"r{player}" for player in range(players)]
    text = StringIO()
    text.write(json.dumps({"t_start": 0.0, "env_id": tables[0].movie}).join(["#", "\n"]))
    writer = csv.writer(text)
    writer.writerow([*fields, "l", "t"])
    for table in tables:
        for episode in table.episodes():
            frames = episode["frames"]
            # stable-retro's script counts 60 frames a second for every console.
            writer.writerow([*episode["total_rewards"], frames, frames / 60])
    write_atomically(path, text.getvalue().encode())


def write_actions(path: Path, table: FrameTable) -> None:
    """Write actions as ``.npy``, or as ``.npz`` with rewards, done and values. Raises SaveError."""
    sink = BytesIO()
    if path.suffix.lower() == ".npy":
        np.save(sink, table.actions())
    else:
        steps = slice(table.first_step, None)
        values: dict[str, Any] = {f"info.{n}": c[steps] for n, c in table.values.items()}
        scores: dict[str, Any] = {"rewards": table.rewards[steps], "done": table.done[steps]}
        np.savez_compressed(sink, actions=table.actions(), **scores, **values)
    write_atomically(path, sink.getvalue())


def write_info(path: Path, table: FrameTable) -> None:
    """Write each step's variables as a JSON list, as stable-retro's ``info``. Raises SaveError."""
    names = list(table.values)
    columns = [_cells(column[table.first_step :]) for column in table.values.values()]
    rows = zip(*columns, strict=True) if columns else [()] * (table.frames - table.first_step)
    info = [dict(zip(names, row, strict=True)) for row in rows]
    write_atomically(path, json.dumps(info).encode())


def _columns(tables: Sequence[FrameTable]) -> Iterator[dict[str, Any]]:
    """Yield each movie's columns by heading; None stands for a missing player or variable."""
    names = dict.fromkeys(name for table in tables for name in table.values)
    players = range(max(table.players for table in tables))
    for table in tables:
        nothing = [None] * table.frames
        own = range(table.players)
        yield {
            "movie": [table.movie] * table.frames,
            "frame": np.arange(table.frames, dtype=np.int32),
            **{f"buttons{p + 1}": table.pressed(p) if p in own else nothing for p in players},
            **{name: table.values.get(name, nothing) for name in names},
            **{f"reward{p + 1}": table.rewards[:, p] if p in own else nothing for p in players},
            "done": table.done.astype(np.uint8),
        }


def _cells(column: Any) -> list[Any]:
    if not isinstance(column, np.ndarray):
        return list(column)
    if column.dtype != np.float64:
        return list(column.tolist())
    return [
        None if math.isnan(value) else int(value) if value.is_integer() else value
        for value in column.tolist()
    ]


def require_parquet(path: Path) -> tuple[Any, Any]:
    """Return PyArrow's modules. Raises SessionError without them; call it before any play."""
    with needing("parquet", f"{path}: Parquet needs PyArrow"):
        import pyarrow as pa  # noqa: PLC0415 - optional
        from pyarrow import parquet  # noqa: PLC0415 - optional
    return pa, parquet


def play_board(path: Path, movies: int, *, create: bool = False) -> NDArray[np.int64]:
    """Map a file of the frames done of each movie, which the process of the movie writes."""
    if create:
        path.write_bytes(np.zeros(movies, np.int64).tobytes())
    # A machine of a cluster may not have the file, and then counts in memory.
    return np.memmap(path, np.int64, "r+") if path.exists() else np.zeros(movies, np.int64)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The wanted files, which are folders for several movies, and how to play. 0 ``jobs`` means one
    per processor."""

    game: Path | None = None
    csv: Path | None = None
    parquet: Path | None = None
    monitor: Path | None = None
    npy: Path | None = None
    info: Path | None = None
    video: Path | None = None
    lossless: str | None = None
    scale: int = 1
    audio: bool = True
    stills: Path | None = None
    every: int = 60
    ending: int = 0
    viewer: str | None = None
    jobs: int = 0
    cluster: str | None = None

    @property
    def wants_tables(self) -> bool:
        """True if a wanted file has a row for each frame or episode."""
        return any((self.csv, self.parquet, self.monitor, self.npy, self.info))

    def check(self, movies: int) -> None:
        """Raise SessionError for impossible options, before anything is played."""
        if self.lossless not in PROFILES:
            kinds = ", ".join(filter(None, PROFILES))
            raise SessionError(f"--lossless {self.lossless}: it is one of {kinds}")
        if self.scale < 1 or self.every < 1:
            raise SessionError("--scale and --every are whole numbers from 1 on")
        if self.viewer is not None and (movies > 1 or self.cluster):
            raise SessionError("--viewer shows one movie at a time, on this machine")
        if self.parquet is not None:
            require_parquet(self.parquet)


@dataclass(frozen=True, slots=True)
class PlayJob:
    """A movie and its wanted files, as plain values that can be sent to other processes. ``video``
    is encoded by ``options.lossless``. ``stills`` is a folder for the picture of every
    ``options.every``-th row. If ``options.ending`` is negative, the video keeps that many last
    frames; if positive, that many idle frames follow. ``options.viewer`` reads it on stdin."""

    movie: Path
    game: Path
    players: int
    frames: int
    index: int
    board: Path
    video: Path | None
    stills: Path | None
    options: PlayOptions

    @property
    def films(self) -> bool:
        """True if every picture is needed."""
        return self.video is not None or self.options.viewer is not None
