"""The manual page, made from the commands themselves: ``integrator man | man -l -``."""

from __future__ import annotations

from collections.abc import Iterator

import typer
from typer.core import TyperGroup

import integrator

_PATH = (
    "Without a command the window is opened; PATH is a ROM, an integration directory, a .bk2 or "
    ".fm2 movie, or a .state."
)
_FILES = (
    ("$XDG_DATA_HOME/retro-integrator", "integrations, cores, BIOS files and saves of the user"),
    ("$XDG_CONFIG_HOME/retro-integrator", "settings of the window, and system descriptors"),
    ("$XDG_STATE_HOME/retro-integrator/log", "the logs that a bug report names"),
)
_VARIABLES = (("INTEGRATOR_CORES", "folders of libretro cores, separated as in PATH"),)
_STATUS = (("0", "success"), ("1", "a job failed"), ("2", "bad usage"))


def manual_page(group: TyperGroup) -> str:
    """The page in roff, section 1, for a program with subcommands."""
    program = group.name or ""
    root = typer.Context(group, info_name=program, **group.context_settings)
    lines = [
        f'.TH {program.upper()} 1 "" "{program} {integrator.__version__}" "User Commands"',
        ".SH NAME",
        f"{program} \\- {_escaped(_first(group.help).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {program}",
        "[PATH]",
        ".br",
        f".B {program}",
        "COMMAND [ARGS]...",
        ".SH DESCRIPTION",
        _PATH,
        ".SH OPTIONS",
        *_options(root),
        ".SH COMMANDS",
        *(line for context in contexts(root, group) for line in _command(context)),
    ]
    for title, rows in (
        ("EXIT STATUS", _STATUS), ("ENVIRONMENT", _VARIABLES), ("FILES", _FILES)
    ):  # fmt: skip
        lines += [f".SH {title}", *(line for row in rows for line in _row(*row))]
    return "\n".join(lines) + "\n"


def contexts(parent: typer.Context, group: TyperGroup) -> Iterator[typer.Context]:
    """The contexts of all commands, those within groups too, by name."""
    for name, command in sorted(group.commands.items()):
        context = typer.Context(command, info_name=name, parent=parent)
        if isinstance(command, TyperGroup):
            yield from contexts(context, command)
        elif not command.hidden:
            yield context


def _command(context: typer.Context) -> Iterator[str]:
    usage = " ".join(context.command.collect_usage_pieces(context))
    yield f".SS {_escaped(context.command_path)} {_escaped(usage)}"
    for paragraph in (context.command.help or "").split("\n\n"):
        yield from (_escaped(" ".join(paragraph.split())), ".PP")
    yield from _options(context)


def _options(context: typer.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield from _row(*record)


def _row(term: str, text: str) -> Iterator[str]:
    yield from (".TP", f".B {_escaped(term)}", _escaped(text))


def _first(text: str | None) -> str:
    return " ".join((text or "").partition("\n\n")[0].split())


def _escaped(text: str) -> str:
    """Text as roff prints it; backslashes, dashes and dots at a line's start are its commands."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
