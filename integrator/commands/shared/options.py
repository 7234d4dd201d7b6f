"""Arguments and options of several commands, their JSON, and the status of a failed job."""

import difflib
import json
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, get_args

import typer

from integrator.domain.errors import MISSING, ChoiceError, IntegratorError, SessionError

EXIT_FAILED = 1


class FailedAfterJsonError(IntegratorError):
    """A command failed after it had printed its JSON."""


def games_by_name(value: Path | list[Path] | None) -> Path | list[Path] | None:
    """Replace an integration's name by its directory, unless a path of that name exists."""
    from integrator.session.setup.roots import game_at  # noqa: PLC0415 - few commands need it

    if isinstance(value, list):
        return [game_at(path) for path in value]
    return None if value is None else game_at(value)


def complete_games(incomplete: str) -> list[str]:
    from integrator.session.setup.roots import list_integrations  # noqa: PLC0415 - shells only

    return [name for name in list_integrations() if name.startswith(incomplete)]


def complete_systems(incomplete: str) -> list[str]:
    from integrator.session.setup.roots import systems  # noqa: PLC0415 - shells only

    return [name for name in systems() if name.startswith(incomplete)]


def complete_agents(incomplete: str) -> list[str]:
    from integrator.agents.table import AGENTS  # noqa: PLC0415 - shells only

    return [agent.name for agent in AGENTS if agent.name.startswith(incomplete)]


def argument(default: Any, text: str, **traits: Any) -> Any:
    """Make an argument with a default (``...`` if it is required); its help is ``text``."""
    return typer.Argument(default, help=text, **traits)


def option(default: Any, text: str, *names: str, **traits: Any) -> Any:
    """Make an option, which is named like its parameter unless it has ``names``."""
    return typer.Option(default, *names, help=text, **traits)


def game_argument(default: Any, text: str) -> Any:
    """Make an argument that names games by their paths, or by the names of integrations."""
    return argument(default, text, callback=games_by_name, autocompletion=complete_games)


GAME = option(
    None,
    "Integration directory, ROM or an integration's name; by default the movie's game.",
    callback=games_by_name,
    autocompletion=complete_games,
)
JSON = option(False, "Print one JSON document and nothing else.", "--json")
ROOT = option(None, "Folder that holds integration directories.")
_SYSTEM = "The console of a file whose extension several consoles use."
SYSTEM = option(None, _SYSTEM, autocompletion=complete_systems)
CORE = option(None, "Run the game on this core, or on one in this folder.")
SUBSYSTEM = option(
    None,
    "Open all files as one game, by this subsystem of the core (integrator cores lists them); - "
    "stands for a file that is left out.",
)
JOBS = option(0, "Processes at once; 0: one per processor.", "--jobs", "-j", min=0)
CLUSTER = option(None, "A running cluster: dask://HOST:PORT or ray://HOST:PORT.", metavar="URL")


def named_in_words(command: Any) -> Any:
    """Let a command's help say PATH, NAME and N, where Typer would print Python's types."""
    for parameter in command.params:
        kind = parameter.type_descriptor
        if parameter.param_type_name == "argument":
            name = re.sub("ories$", "ory", parameter.name).rstrip("s").upper()
            parameter.metavar, parameter.display_type_rich = name, lambda **_: ""
        elif parameter.metavar is None and not kind.is_choice:
            if kind.is_path or Path in get_args(kind.annotation):
                parameter.metavar = "PATH"
            elif kind.is_tuple:
                parameter.metavar = "N N"
            else:
                parameter.metavar = "N" if kind.is_ranged or kind.annotation is int else "NAME"
    for below in getattr(command, "commands", {}).values():
        named_in_words(below)
    return command


def print_json(value: Mapping[str, object]) -> None:
    # JSON has neither NaN nor infinity, which a script may pay.
    plain = json.loads(json.dumps(value), parse_constant=lambda _: None)
    typer.echo(json.dumps(plain, indent=2))


def show(
    value: Mapping[str, object], printed: Callable[..., object], *facts: Any, as_json: bool
) -> None:
    """Print a result as one JSON document, or for people by ``printed(*facts)``."""
    if as_json:
        print_json(value)
    else:
        printed(*facts)


def fail_if(failed: object) -> None:
    """End the command with the status of a failed job, after it has printed its result."""
    if failed:
        raise typer.Exit(EXIT_FAILED)


def with_command(arguments: list[str], commands: Collection[str]) -> list[str]:
    """Return ``arguments`` with the command in front. Raises ChoiceError, SessionError."""
    if not arguments:
        return ["open"]
    word = arguments[0]
    if word.startswith("-") or word in commands:
        return arguments
    from integrator.session.setup.roots import game_at  # noqa: PLC0415 - few commands need it

    if game_at(word).exists():
        return ["open", *arguments]
    path = Path(word)
    if path.suffix or path.name != word:  # no command looks like this
        require_path(path)
    near = " or ".join(difflib.get_close_matches(word, commands, 3))
    cure = f"did you mean {near}?" if near else "integrator --help lists the commands"
    raise ChoiceError(f"{word}: there is no such command or file; {cure}")


def require_path(path: Path) -> None:
    if not path.exists():
        raise SessionError(f"{path}: {MISSING}")


DEMO_GAME = "EmberMoth-Nes-v0"


def demo_game() -> Path:
    from integrator import paths  # noqa: PLC0415 - few commands need it

    return paths.shipped("data") / DEMO_GAME


def airstriker() -> Path:
    """Return Airstriker's integration directory. Raises SessionError without stable-retro."""
    from libretro_host.systems.discovery import wheel_core_dir  # noqa: PLC0415 - few commands need it

    cores = wheel_core_dir()
    name = "Airstriker-Genesis-v0"
    directory = cores.parent / "data" / "stable" / name if cores else None
    if directory is None or not directory.is_dir():
        raise SessionError(f'{name} ships with stable-retro: pip install "retro-integrator[cores]"')
    return directory


def required_movies(path: Path) -> list[Path]:
    """Return the file itself, or all movies below a folder. Raises SessionError without any."""
    require_path(path)
    return movies_of(path)


def movies_of(path: Path) -> list[Path]:
    """Return all movies below a folder; any other path itself. Raises SessionError without any."""
    from integrator.domain.movies.reading import movies_below  # noqa: PLC0415 - as above

    movies = movies_below(path) if path.is_dir() else [path]
    if not movies:
        raise SessionError(f"{path}: there is no movie in it")
    return movies
