"""The request to replay movies, and the table of what was played with its files."""

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

from integrator.domain.errors import SessionError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.movies.model import Movie
from integrator.domain.timeline.block import narrowest
from integrator.session.frame.result import ChunkResult
from integrator.session.stills import PROFILES

Column = NDArray[Any]


class EpisodeSummary(TypedDict):
    """One episode of a movie: its steps begin at ``first_row``; ``done`` if done ended it."""

    first_row: int
    frames: int
    total_rewards: list[float]
    done: bool


@dataclass(frozen=True, slots=True)
class FrameTable:
    """All frames of one movie.

    ``inputs`` uint16 (frames, players), ``values`` name -> (frames,), not-a-number where a variable
    did not exist yet, ``rewards`` float32 (frames, players), ``done`` bool (frames,). Row 0 is the
    frame of the reset when ``first_step`` is 1; steps, as training counts them, come after it.
    ``movie_frames`` of the rows are the movie's own, the others are idle ones after it.
    """

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
        """The names of the buttons held by a player, space-separated, for each row."""
        masks, places = np.unique(self.inputs[:, player], return_inverse=True)
        names = [
            " ".join(name for bit, name in enumerate(self.buttons) if name and mask >> bit & 1)
            for mask in masks.tolist()
        ]
        return [names[place] for place in places.tolist()]

    def actions(self) -> NDArray[np.bool_]:
        """The movie's steps as training's action arrays: bool (steps, buttons * players)."""
        bits = np.arange(len(self.buttons), dtype=np.uint16)
        steps = self.inputs[self.first_step : self.movie_frames]
        held: NDArray[np.bool_] = (steps[:, :, None] >> bits & 1).astype(np.bool_)
        return held.reshape(len(steps), len(self.buttons) * self.players)

    def episodes(self) -> list[EpisodeSummary]:
        """Episodes as training sees them: an episode ends where done begins to be true."""
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
    """The rows of a chunk, without its pictures: those of a whole movie would fill memory."""
    outcomes, values = chunk.outcomes, chunk.values
    if len(chunk.inputs) == 1:  # a single frame has those that scripts defined or wrote, too
        values = {name: np.array([value]) for name, value in chunk.last.values.items()}
    inputs = chunk.inputs[:, : outcomes.rewards.shape[1]]
    return inputs, values, outcomes.rewards, outcomes.done


def write_csv(path: Path, tables: Sequence[FrameTable]) -> None:
    """One row a frame, all movies one after the other. Raises SaveError."""
    text = StringIO()
    writer = csv.writer(text)
    for number, columns in enumerate(_columns(tables)):
        if not number:
            writer.writerow(columns)
        writer.writerows(zip(*map(_cells, columns.values()), strict=True))
    write_atomically(path, text.getvalue().encode())


def write_parquet(path: Path, tables: Sequence[FrameTable]) -> None:
    """The columns of :func:`write_csv`, typed. Raises SessionError without PyArrow, SaveError."""
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
    """One row an episode as stable-retro's playback script has it: rewards, length, seconds."""
    players = max(table.players for table in tables)
    fields = ["r"] if players == 1 else [f"r{player}" for player in range(players)]
    text = StringIO()
    text.write(json.dumps({"t_start": 0.0, "env_id": tables[0].movie}).join(["#", "\n"]))
    writer = csv.writer(text)
    writer.writerow([*fields, "l", "t"])
    for table in tables:
        for episode in table.episodes():
            frames = episode["frames"]
            # That script computes seconds by 60 frames, whatever the console.
            writer.writerow([*episode["total_rewards"], frames, frames / 60])
    write_atomically(path, text.getvalue().encode())


def write_actions(path: Path, table: FrameTable) -> None:
    """``.npy``: actions. ``.npz``: also rewards, done and ``info.`` variables. Raises SaveError."""
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
    """A JSON list with the variables of each step, as stable-retro's ``info``. Raises SaveError."""
    names = list(table.values)
    columns = [_cells(column[table.first_step :]) for column in table.values.values()]
    rows = zip(*columns, strict=True) if columns else [()] * (table.frames - table.first_step)
    info = [dict(zip(names, row, strict=True)) for row in rows]
    write_atomically(path, json.dumps(info).encode())


def _columns(tables: Sequence[FrameTable]) -> Iterator[dict[str, Any]]:
    """Each movie's columns by their headings; None where it lacks a player or a variable."""
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
    """The modules of PyArrow. Raises SessionError without them, before anything is played."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - optional
        from pyarrow import parquet  # noqa: PLC0415 - optional
    except ImportError as error:
        raise SessionError(
            f'{path}: Parquet needs PyArrow: pip install "retro-integrator[parquet]"'
        ) from error
    return pa, parquet


_SLOT = np.dtype(np.int64)


class PlayBoard:
    """A file of int64, the frames done of each movie; each process writes one of them."""

    def __init__(self, path: Path, movies: int, *, create: bool = False) -> None:
        if create:
            path.write_bytes(bytes(_SLOT.itemsize * movies))
        # A machine of a cluster does not see the file.
        self._slots = np.memmap(path, _SLOT, "r+") if path.exists() else np.zeros(movies, _SLOT)

    @property
    def frames_done(self) -> int:
        return int(self._slots.sum())

    def tell(self, movie: int, frames: int) -> None:
        """Report the number of frames done of a movie."""
        self._slots[movie] = frames


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The wanted files, which are folders for several movies; 0 ``jobs``: one a processor."""

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
        """True when some file has a row for each frame or episode."""
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
    """One movie and its wanted files. Plain values: the job travels to other processes.

    ``video`` is packed as ``options.lossless`` says. ``stills`` is a folder for every
    ``options.every``-th row's picture. Negative ``options.ending``: the video keeps that many last
    frames; positive: that many idle frames are run after the movie. ``options.viewer`` gets the
    video on its standard input.
    """

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
        """True when the request needs every picture."""
        return self.video is not None or self.options.viewer is not None
