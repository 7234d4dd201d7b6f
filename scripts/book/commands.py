"""The reference of the command line, made from typer's tree of commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from integrator.cli import PROGRAM, app
from integrator.commands.desktop import contexts

_BAR: Final = r"\|"
_HEAD: Final = f"""# Commands

`{PROGRAM} [PATH]` opens the window; PATH is a ROM, an integration directory, a movie or a state.
Every command below takes `--help`, and those with `--json` print one JSON document on standard
output and nothing else there. Exit status 1 means a failed job, 2 bad usage."""


def commands_page() -> str:
    """Each command with its words, arguments and options."""
    group = get_command(app)
    if not isinstance(group, TyperGroup):
        raise TypeError(f"{PROGRAM} has no subcommands")
    root = typer.Context(group, info_name=PROGRAM, **group.context_settings)
    lines = [
        _HEAD,
        *_options(root),
        *(line for context in contexts(root, group) for line in _command(context)),
    ]
    return "\n".join(lines) + "\n"


def _command(context: typer.Context) -> Iterator[str]:
    usage = " ".join(context.command.collect_usage_pieces(context))
    yield from ("", f"## {context.command_path}", "", f"`{context.command_path} {usage}`", "")
    yield context.command.help or ""
    yield from _options(context)


def _options(context: typer.Context) -> Iterator[str]:
    records = (each.get_help_record(context) for each in context.command.get_params(context))
    rows = [record for record in records if record is not None]
    if rows:
        yield from ("", "| argument or option | meaning |", "|---|---|")
        for term, text in rows:
            yield f"| `{term.replace('|', _BAR)}` | {text.replace('|', _BAR)} |"
