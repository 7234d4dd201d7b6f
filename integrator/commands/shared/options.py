"""Options that several commands have, their JSON, and the exit status of a failed job."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from integrator.domain.errors import IntegratorError

EXIT_FAILED = 1


class FailedAfterJsonError(IntegratorError):
    """A command failed when it had printed its JSON."""


def games_by_name(value: Path | list[Path] | None) -> Path | list[Path] | None:
    """Put the directory of an integration in place of its name, where there is no such path."""
    from integrator.session.setup.roots import game_at  # noqa: PLC0415 - most commands do without

    if isinstance(value, list):
        return [game_at(path) for path in value]
    return None if value is None else game_at(value)


def complete_games(incomplete: str) -> list[str]:
    """The names of integrations that begin so."""
    from integrator.session.setup.roots import list_integrations  # noqa: PLC0415 - for a shell

    return [name for name in list_integrations() if name.startswith(incomplete)]


def complete_systems(incomplete: str) -> list[str]:
    """The names of consoles that begin so."""
    from integrator.session.setup.roots import systems  # noqa: PLC0415 - for a shell

    return [name for name in systems() if name.startswith(incomplete)]


def complete_agents(incomplete: str) -> list[str]:
    """The names of agents that begin so."""
    from integrator.agents.table import AGENTS  # noqa: PLC0415 - for a shell

    return [agent.name for agent in AGENTS if agent.name.startswith(incomplete)]


GameOption = Annotated[
    Path | None,
    typer.Option(
        "--game",
        help="Integration directory, ROM or an integration's name; else found by the movie's name.",
        callback=games_by_name,
        autocompletion=complete_games,
    ),
]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
RootOption = Annotated[
    Path | None, typer.Option("--root", help="Folder that holds integration directories.")
]
SystemOption = Annotated[
    str | None,
    typer.Option(
        "--system",
        help="The console of a file whose extension several consoles use.",
        autocompletion=complete_systems,
    ),
]
CoreOption = Annotated[
    Path | None, typer.Option("--core", help="Run the game on this core, or on one in this folder.")
]
SubsystemOption = Annotated[
    str | None,
    typer.Option(
        "--subsystem",
        help="Open all files as one game, by this subsystem of the core (integrator cores lists "
        "them); - stands for a file that is left out.",
    ),
]
JobsOption = Annotated[
    int, typer.Option("--jobs", "-j", min=0, help="Processes at once; 0: one a processor.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="URL", help="A running cluster: dask://HOST:PORT or ray://HOST:PORT."
    ),
]


def named_in_words(command: Any) -> Any:
    """The command, whose help says PATH, NAME and N where Typer would name types of Python."""
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
    """Print one JSON document on stdout."""
    typer.echo(json.dumps(value, indent=2))
