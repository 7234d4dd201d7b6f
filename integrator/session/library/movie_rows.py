"""A folder of movies as rows for a table: read beside the window's thread, frozen afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from integrator.domain.errors import MovieError
from integrator.domain.movies.reading import MovieConsole, is_movie, read_movie

MAX_MOVIES = 1000
"""The newest so many of a folder are listed."""


@dataclass(frozen=True, slots=True)
class MovieInfo:
    """One file. ``problem`` says why it can not be read; then the rest is empty.

    ``core`` is the core that recorded it, if the movie says so; ``beyond_training`` are inputs that
    training can not press.
    """

    path: Path
    game: str = ""
    system: str = ""
    frames: int = 0
    players: int = 0
    core: str = ""
    checked: bool = False
    problem: str = ""
    beyond_training: str = ""


def read_movie_folder(
    folder: Path, systems: Mapping[str, MovieConsole], also: Iterable[Path] = ()
) -> tuple[MovieInfo, ...]:
    """Every movie in a folder, by name, then those of ``also`` that lie elsewhere.

    Raises MovieError when the folder can not be read.
    """
    try:
        found = [path for path in folder.iterdir() if is_movie(path)]
        found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError as error:
        raise MovieError(
            f"{folder}: the folder can not be read ({error.strerror}); choose another"
        ) from error
    listed = sorted(found[:MAX_MOVIES])
    elsewhere = [path for path in also if path.parent != folder and path.is_file()]
    return tuple(_info(path, systems) for path in (*listed, *elsewhere))


def _info(path: Path, systems: Mapping[str, MovieConsole]) -> MovieInfo:
    try:
        movie = read_movie(path, systems)
    except MovieError as error:
        return MovieInfo(path, problem=str(error))
    core = f"{movie.core.name} {movie.core.version}" if movie.core else ""
    return MovieInfo(
        path=path,
        game=movie.game,
        system=movie.system,
        frames=movie.frames,
        players=movie.players,
        core=core or movie.format,
        checked=movie.ram_hashes is not None,
        beyond_training=movie.beyond_training,
    )
