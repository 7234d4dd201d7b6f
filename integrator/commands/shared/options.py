"""Options that several commands have, their JSON, and the exit status of a failed job."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

EXIT_FAILED = 1


def games_by_name(value: Path | list[Path] | None) -> Path | list[Path] | None:
    """Put the directory of an integration in place of its name, where there is no such path."""
    from integrator.session.setup.roots import game_at  # noqa: PLC0415 - most commands do without

    if isinstance(value, list):
        return [game_at(path) for path in value]
    return None if value is None else game_at(value)


GameOption = Annotated[
    Path | None,
    typer.Option(
        "--game",
        help="Integration directory, ROM or an integration's name; else found by the movie's name.",
        callback=games_by_name,
    ),
]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
RootOption = Annotated[
    Path | None, typer.Option("--root", help="Folder that holds integration directories.")
]
SystemOption = Annotated[
    str | None,
    typer.Option("--system", help="The console of a file whose extension several consoles use."),
]
CoreOption = Annotated[
    Path | None,
    typer.Option("--core", help="Run the game on this core, or on one in this folder."),
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
    typer.Option("--cluster", help="A running cluster: dask://HOST:PORT or ray://HOST:PORT."),
]


def print_json(value: Mapping[str, object]) -> None:
    """Print one JSON document on stdout."""
    typer.echo(json.dumps(value, indent=2))
