"""Movies as rows for a table, and the result of one that was played, by the scores of today."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import is_movie, read_movie

MAX_FOLDERS = 2000  # folders that are looked into, so that a whole disk takes no minutes


@dataclass(frozen=True, slots=True)
class MovieInfo:
    """One file. ``problem`` says why it cannot be read; then the rest is empty.

    ``place`` is the file's folder, seen from the listed one: ``.`` for the listed one itself.
    ``core`` is the core that recorded it, if the movie says so; ``beyond_training`` are inputs that
    training cannot press. ``agent``, ``state`` and ``episode`` are read off the names that agents'
    movies have: empty, and None, for others.
    """

    path: Path
    place: str = "."
    game: str = ""
    system: str = ""
    frames: int = 0
    players: int = 0
    core: str = ""
    checked: bool = False
    problem: str = ""
    beyond_training: str = ""
    agent: str = ""
    state: str = ""
    episode: int | None = None


def read_movie_folder(
    folder: Path, systems: Mapping[str, MovieConsole], also: Iterable[Path] = ()
) -> tuple[MovieInfo, ...]:
    """Every movie below a folder, then those of ``also`` elsewhere. Raises MovieError."""
    try:
        found = list(_movies_near(folder))
        found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError as error:
        fault = f"the folder cannot be read ({error.strerror}); choose another"
        raise MovieError(f"{folder}: {fault}") from error
    most = 5000  # of a folder, newest first
    listed = sorted(found[:most], key=lambda path: (path.parent, path.name))
    elsewhere = [path for path in also if path not in listed and path.is_file()]
    return (
        *(_info(path, systems, path.parent.relative_to(folder).as_posix()) for path in listed),
        *(_info(path, systems) for path in elsewhere),
    )


def _movies_near(folder: Path) -> Iterator[Path]:
    """The movies of a folder level by level, without hidden, linked and deep ones."""
    level, left = [folder], MAX_FOLDERS
    for _ in range(5):  # agents' movies lie one to three levels down
        below: list[Path] = []
        for each in level[:left]:
            try:
                with os.scandir(each) as found:
                    entries = list(found)
            except OSError:
                if each == folder:
                    raise
                continue
            for entry in entries:
                path = Path(entry)
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith("."):
                        below.append(path)
                elif is_movie(path) and entry.is_file():
                    yield path
        left -= len(level[:left])
        level = sorted(below)


def _info(path: Path, systems: Mapping[str, MovieConsole], place: str = ".") -> MovieInfo:
    try:
        movie = read_movie(path, systems)
    except MovieError as error:
        return MovieInfo(path, place, problem=str(error))
    agent, state, episode = _episode_of(path, movie.game)
    return MovieInfo(
        path,
        place,
        game=movie.game,
        system=movie.system,
        frames=movie.frames,
        players=movie.players,
        core=f"{movie.core.name} {movie.core.version}" if movie.core else movie.format,
        checked=movie.ram_hashes is not None,
        beyond_training=movie.beyond_training,
        agent=agent,
        state=state,
        episode=episode,
    )


def _episode_of(path: Path, game: str) -> tuple[str, str, int | None]:
    """Agent, state and episode by the names of agents' movies, also of kept ones."""
    head, _, digits = path.stem.rpartition("-")
    if not re.fullmatch(r"\d{6}", digits):
        return "", "", None
    episode, first = int(digits), path.parent.name
    if game and head.startswith(f"{game}-"):
        state = head.removeprefix(f"{game}-")
        if not re.fullmatch(r"\d{6}", first):
            return "", state, episode
        agent = path.parent.parent.name
        return agent.removesuffix(f"-{state}").removesuffix("-start"), state, int(first) + episode
    parts = head.split("-")
    if len(parts) < 2 or not parts[-1].isdigit():
        return "", "", episode
    return parts[0], "-".join(parts[1:-1]), episode
