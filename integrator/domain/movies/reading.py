"""Movies, read and written: the only module of this package that others import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from integrator.domain.errors import MovieError
from integrator.domain.movies.bk2 import read_bk2
from integrator.domain.movies.fm2 import read_fm2
from integrator.domain.movies.model import CoreStamp, Movie, MovieEvent, RamHashes, ram_hash
from integrator.domain.movies.writer import MovieWriter

MOVIE_SUFFIXES = (".bk2", ".fm2")

__all__ = [
    "MOVIE_SUFFIXES",
    "CoreStamp",
    "Movie",
    "MovieError",
    "MovieEvent",
    "MovieWriter",
    "RamHashes",
    "ram_hash",
    "read_movie",
]


def read_movie(path: Path | str, systems: Mapping[str, Sequence[str | None]]) -> Movie:
    """Read a ``.bk2`` (stable-retro, Gym Retro, BizHawk) or text ``.fm2`` (FCEUX) movie.

    ``systems`` maps the name of each known system to its button names by bit, as descriptors give
    them. Works within about 100 MB whatever the file holds. Raises MovieError naming file and row.
    """
    path = Path(path)
    readers = dict(zip(MOVIE_SUFFIXES, (read_bk2, read_fm2), strict=True))
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise MovieError(f"{path}: movies are .bk2 or .fm2 files")
    return reader(path, systems)
