"""The request to replay a movie, and the progress that all processes share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

_SLOT = np.dtype(np.int64)


class PlayCancelled(Exception):  # noqa: N818 - not an error: the user stopped it
    """Playing was stopped from outside."""


class PlayBoard:
    """A file of int64: 1 to stop all, then each movie's frames; each process writes one slot."""

    def __init__(self, path: Path, movies: int = 0, *, create: bool = False) -> None:
        if create:
            path.write_bytes(bytes(_SLOT.itemsize * (movies + 1)))
        self._slots = np.memmap(path, _SLOT, "r+") if path.exists() else np.zeros(movies + 1, _SLOT)

    @classmethod
    def joined(cls, path: Path, movies: int) -> Self:
        """The board that another process made."""
        return cls(path, movies)

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


@dataclass(frozen=True, slots=True)
class PlayJob:
    """One movie and its wanted files. Plain values: the job travels to other processes.

    ``video`` is packed as ``lossless`` says (a key of video.PROFILES) and scaled by ``scale``.
    ``stills`` is a folder for every ``every``-th row's picture. ``ending``: if negative, the video
    has only so many last frames; if positive, so many idle frames are run after the movie.
    ``viewer`` is a command that gets the video on its standard input.
    """

    movie: Path
    game: Path
    players: int
    index: int
    board: Path
    movies: int
    video: Path | None = None
    lossless: str | None = None
    scale: int = 1
    audio: bool = True
    stills: Path | None = None
    every: int = 60
    ending: int = 0
    viewer: str | None = None
    wants_table: bool = False

    @property
    def films(self) -> bool:
        """True when the request needs every picture."""
        return self.video is not None or self.viewer is not None
