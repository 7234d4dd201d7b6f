"""Episodes as npz files, written step by step: no episode is ever whole in memory."""

import json
import shutil
import zipfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.env.movie_steps import MovieSteps, Step
from libretro_host.processes.temporary import OwnedFolder


class EpisodeSink(Protocol):
    """Takes one episode after the other: ``begin``, ``add`` for each step, ``end``."""

    def begin(self, name: str, steps: MovieSteps) -> None:
        """An episode begins with the observation ``steps.first``."""

    def add(self, step: Step) -> None:
        """Take the next step."""

    def end(self, *, truncated: bool) -> Path:
        """Complete the episode; ``truncated``: the movie ended before done. Returns its place."""

    def give_up(self) -> None:
        """Leave nothing half-written; complete episodes stay where each is a file."""

    def close(self) -> None:
        """Complete the dataset, unless each episode is complete by itself."""
        return


_COPY_BYTES = 1 << 20


class NpzSink(EpisodeSink):
    """A folder with a file for each episode: ``MOVIE.npz``, replaced as a whole.

    Arrays: observations (steps + 1, ...), actions, rewards (float32), terminations, truncations
    and ``info.NAME`` for each variable (int64), all of them (steps, ...). ``made_of`` says
    in JSON what the episode is computed from. Raises SessionError for a folder with episodes that
    are none of ``names``, or of something else.
    """

    def __init__(self, folder: Path, names: set[str], made_of: Mapping[str, Any]) -> None:
        self._folder = folder
        self._open, self._made = ExitStack(), ExitStack()
        folder.mkdir(parents=True, exist_ok=True)
        self._made_of = json.dumps(made_of)
        for path in folder.glob("*.npz"):
            if path.stem not in names or _made_of(path) != self._made_of:
                raise SessionError(f"{path}: this episode is of another run; name a new folder")

    def begin(self, name: str, steps: MovieSteps) -> None:
        self._target = self._folder / f"{name}.npz"
        self._parts = self._made.enter_context(OwnedFolder(self._folder))
        self._open = ExitStack()
        self._columns: dict[str, _Column] = {}
        self._steps = 0
        self._add("observations", steps.first)

    def add(self, step: Step) -> None:
        self._add("observations", step.observation)
        self._add("actions", np.asarray(step.action))
        self._add("rewards", np.asarray(step.reward, np.float32))
        self._add("terminations", np.asarray(step.terminated, np.bool_))
        for name, value in step.info.items():
            self._add(f"info.{name}", np.asarray(value, np.int64))
        self._add("truncations", np.asarray(False))  # noqa: FBT003 - a value
        self._steps += 1

    def end(self, *, truncated: bool) -> Path:
        for name, column in self._columns.items():
            column.fill(self._steps + (name == "observations"))
        self._open.close()
        if truncated and self._steps:
            with self._columns["truncations"].path.open("r+b") as rows:
                rows.seek(self._steps - 1)
                rows.write(np.True_.tobytes())
        part = self._parts / "episode.npz"
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for name, column in self._columns.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                    column.pack(stream)
            with archive.open("made_of.npy", "w") as stream:
                np.lib.format.write_array(stream, np.array(self._made_of))
        self._columns = {}
        part.replace(self._target)
        self._made.close()
        return self._target

    def give_up(self) -> None:
        self._open.close()
        self._columns = {}
        self._made.close()

    def _add(self, name: str, value: NDArray[Any]) -> None:
        if name not in self._columns:
            path = self._parts / f"{len(self._columns)}.rows"
            # A file and no memory map: mapped pages would count as memory of the process.
            stream = self._open.enter_context(path.open("wb", buffering=_COPY_BYTES))
            self._columns[name] = _Column(path, stream, value.dtype, value.shape)
        column = self._columns[name]
        column.fill(self._steps + (name == "observations" and column.rows > 0))
        column.add(value)


def _made_of(path: Path) -> str:
    try:
        with np.load(path) as episode:
            return str(episode["made_of"])
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return ""


@dataclass(slots=True)
class _Column:
    """The rows of one array in a file of their own."""

    path: Path
    stream: BinaryIO
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    rows: int = 0

    def add(self, value: NDArray[Any]) -> None:
        self.stream.write(value.tobytes())
        self.rows += 1

    def fill(self, rows: int) -> None:
        """Append zeros up to a number of rows, because scripts make variables at any time."""
        size = int(np.prod(self.shape)) * self.dtype.itemsize
        self.stream.write(bytes((rows - self.rows) * size))
        self.rows = rows

    def pack(self, target: Any) -> None:
        header = {
            "descr": np.lib.format.dtype_to_descr(self.dtype),
            "fortran_order": False,
            "shape": (self.rows, *self.shape),
        }
        np.lib.format.write_array_header_2_0(target, header)
        with self.path.open("rb") as rows:
            shutil.copyfileobj(rows, target, _COPY_BYTES)
