"""The request to replay movies, and the progress that all processes share."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from integrator.commands.play.table import require_parquet
from integrator.domain.errors import SessionError

_SLOT = np.dtype(np.int64)


class PlayCancelled(Exception):  # noqa: N818 - not an error: the user stopped it
    """Playing was stopped from outside."""


class PlayBoard:
    """A file of int64: 1 to stop all, then each movie's frames; each process writes one slot."""

    def __init__(self, path: Path, movies: int = 0, *, create: bool = False) -> None:
        if create:
            path.write_bytes(bytes(_SLOT.itemsize * (movies + 1)))
        self._slots = np.memmap(path, _SLOT, "r+") if path.exists() else np.zeros(movies + 1, _SLOT)

    @property
    def frames_done(self) -> int:
        return int(self._slots[1:].sum())

    def tell(self, movie: int, frames: int) -> None:
        """Report the number of frames done of a movie. Raises PlayCancelled when all must stop."""
        self._slots[1 + movie] = frames
        if self._slots[0]:
            raise PlayCancelled

    def cancel(self) -> None:
        """Make every process stop after its chunk."""
        self._slots[0] = 1


LOSSLESS_SUFFIX: Mapping[str | None, str] = {
    None: ".mp4",
    "mp4": ".mp4",
    "mp4rgb": ".mp4",
    "png": ".mov",
    "ffv1": ".mkv",
}
"""Suffix of the files of each ``--lossless`` choice; video.PROFILES has the same keys."""


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
        if self.lossless not in LOSSLESS_SUFFIX:
            kinds = ", ".join(filter(None, LOSSLESS_SUFFIX))
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

    ``video`` is packed as ``options.lossless`` says (a key of video.PROFILES). ``stills`` is a
    folder for every ``options.every``-th row's picture. ``options.ending``: if negative, the video
    keeps that many last frames; if positive, that many idle frames are run after the movie.
    ``options.viewer`` is a command that gets the video on its standard input.
    """

    movie: Path
    game: Path
    players: int
    frames: int
    index: int
    board: Path
    movies: int
    video: Path | None
    stills: Path | None
    options: PlayOptions

    @property
    def films(self) -> bool:
        """True when the request needs every picture."""
        return self.video is not None or self.options.viewer is not None
