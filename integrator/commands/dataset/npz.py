"""Episodes as npz files, written step by step: no episode is ever whole in memory."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.commands.dataset.episode import EpisodeSink
from integrator.env.movie_steps import MovieSteps, Step

_COPY_BYTES = 1 << 20


class NpzSink(EpisodeSink):
    """A folder with a file for each episode: ``MOVIE.npz``, replaced as a whole.

    Arrays: observations (steps + 1, ...), actions, rewards (float32), terminations, truncations
    and ``info.NAME`` for each variable (int64), all of them (steps, ...).
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def begin(self, name: str, steps: MovieSteps) -> None:
        """Make room for all steps of an episode."""
        self._target = self._folder / f"{name}.npz"
        self._parts = tempfile.TemporaryDirectory(prefix=".dataset-", dir=self._folder)
        self._arrays: dict[str, NDArray[np.generic]] = {}
        self._most = steps.frames
        self._observations = self._array("observations", steps.first, rows=steps.frames + 1)
        self._observations[0] = steps.first
        self._steps = 0

    def add(self, step: Step) -> None:
        """Write a step where it belongs."""
        row = self._steps
        self._observations[row + 1] = step.observation
        columns: dict[str, Any] = {
            "actions": np.asarray(step.action),
            "rewards": np.float32(step.reward),
            "terminations": np.bool_(step.terminated),
            "truncations": np.bool_(False),  # noqa: FBT003 - a value
            **{f"info.{name}": np.int64(value) for name, value in step.info.items()},
        }
        for name, value in columns.items():
            if name not in self._arrays:
                self._array(name, np.asarray(value), rows=self._most)
            self._arrays[name][row] = value
        self._steps += 1

    def end(self, *, truncated: bool) -> Path:
        """Pack the arrays, cut to the steps that there were."""
        if truncated and self._steps:
            self._arrays["truncations"][self._steps - 1] = True
        part = Path(self._parts.name) / "episode.npz"
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for name, array in self._arrays.items():
                rows = self._steps + (name == "observations")
                with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                    np.lib.format.write_array_header_2_0(
                        stream,
                        {
                            "descr": np.lib.format.dtype_to_descr(array.dtype),
                            "fortran_order": False,
                            "shape": (rows, *array.shape[1:]),
                        },
                    )
                    size = max(1, _COPY_BYTES // max(1, array[:1].nbytes))
                    for first in range(0, rows, size):
                        stream.write(array[first : min(first + size, rows)].tobytes())
        self._arrays = {}
        del self._observations
        part.replace(self._target)
        self._parts.cleanup()
        return self._target

    def give_up(self) -> None:
        """Leave nothing of an episode that could not be played to its end."""
        self._arrays = {}
        shutil.rmtree(self._parts.name, ignore_errors=True)

    def close(self) -> None:
        """Nothing is left to do."""

    def _array(self, name: str, like: NDArray[np.generic], *, rows: int) -> NDArray[np.generic]:
        path = Path(self._parts.name) / f"{len(self._arrays)}.npy"
        shape = (max(1, rows), *like.shape)
        made: NDArray[np.generic] = np.lib.format.open_memmap(
            path, mode="w+", dtype=like.dtype, shape=shape
        )
        self._arrays[name] = made
        return made
