"""Arguments of commands: paths, names of games, movies, and typing errors told apart."""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from integrator import paths
from integrator.domain.errors import MISSING, DomainError, SessionError
from integrator.domain.movies.reading import movies_below
from integrator.session.opening import open_session
from libretro_host.systems.discovery import wheel_core_dir

_OPEN = "open"


class UnknownCommandError(DomainError):
    """A first word that is neither a command nor a file."""


def with_command(arguments: list[str], commands: Collection[str]) -> list[str]:
    """``arguments`` with the command in front. Raises UnknownCommandError, SessionError."""
    if not arguments:
        return [_OPEN]
    first = arguments[0]
    if first.startswith("-") or first in commands:
        return arguments
    from integrator.session.setup.roots import game_at  # noqa: PLC0415 - commands do without

    if not game_at(first).exists():
        _refuse(first, commands)
    return [_OPEN, *arguments]


def require_path(path: Path) -> None:
    """Raise SessionError for a missing path."""
    if not path.exists():
        raise SessionError(f"{path}: {MISSING}")


def _refuse(word: str, commands: Collection[str]) -> None:
    path = Path(word)
    if path.suffix or path.name != word:  # as no command has such a suffix
        require_path(path)
    near = " or ".join(difflib.get_close_matches(word, commands, 3))
    cure = f"did you mean {near}?" if near else "integrator --help lists the commands"
    raise UnknownCommandError(f"{word}: there is no such command or file; {cure}")


DEMO_GAME = "EmberMoth-Nes-v0"
AIRSTRIKER = "Airstriker-Genesis-v0"


@dataclass(frozen=True, slots=True)
class GameFiles:
    """A game that can be run, with the value of every option that the core declares."""

    directory: Path
    content: Path
    core: Path
    state: bytes
    options: Mapping[str, str]


def demo_game() -> Path:
    """The integration directory of the demo game."""
    return paths.shipped("data") / DEMO_GAME


def airstriker() -> Path:
    """Airstriker's integration directory. Raises SessionError when stable-retro is missing."""
    cores = wheel_core_dir()
    directory = cores.parent / "data" / "stable" / AIRSTRIKER if cores else None
    if directory is None or not directory.is_dir():
        raise SessionError(
            f'{AIRSTRIKER} ships with stable-retro: pip install "retro-integrator[cores]"'
        )
    return directory


def game_files(directory: Path) -> GameFiles:
    """The files of an integration directory, as a session would choose them."""
    with open_session(directory) as session:
        session.reset()
        return GameFiles(
            directory=directory,
            content=session.game.content,
            core=session.game.core_path,
            state=session.save_state(),
            options={option.key: option.value for option in session.host.options()},
        )


def required_movies(path: Path) -> list[Path]:
    """The file itself, or the movies in a folder and below. Raises SessionError for none."""
    require_path(path)
    movies = movies_below(path)
    if not movies:
        raise SessionError(f"{path}: there is no movie in it")
    return movies


def movies_of(path: Path) -> list[Path]:
    """The movies in a folder and below; any other path itself. Raises SessionError for none."""
    return required_movies(path) if path.is_dir() else [path]
