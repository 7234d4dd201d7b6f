"""The request to replay one movie, with the wanted files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


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
