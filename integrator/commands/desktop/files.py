"""The files by which a desktop and a shell know the program: their contents and their places."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]  # not in __all__
from typer.core import TyperGroup

import integrator
from integrator import paths
from integrator.domain.files.reading import SMALL_BYTES, read_file, read_text

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


MIME_TYPES: Final = (
    *("application/x-bk2-movie", "application/x-fm2-movie", "application/x-stable-retro-state"),
    # Of the shared MIME database: ROMs of the consoles that have a core.
    *("application/x-atari-2600-rom", "application/x-gameboy-rom"),
    *("application/x-gameboy-color-rom", "application/x-gamegear-rom", "application/x-gba-rom"),
    *("application/x-genesis-rom", "application/x-genesis-32x-rom", "application/x-n64-rom"),
    *("application/x-nes-rom", "application/x-nintendo-ds-rom", "application/x-pc-engine-rom"),
    *("application/x-sms-rom", "application/vnd.nintendo.snes.rom"),
)
"""Files that the window opens: movies and states, whose types we describe, and ROMs."""

_TEMPLATES = "desktop"


@dataclass(frozen=True, slots=True)
class DesktopFile:
    """One file to install: its place below the user's data folder, and its bytes."""

    place: Path
    content: bytes


def desktop_files(group: TyperGroup, program: tuple[str, ...]) -> tuple[DesktopFile, ...]:
    """All files; ``group`` has the subcommands, ``program`` starts this installation."""
    name, icon = paths.APP_ID, f"{paths.APP_ID}.svg"
    entry = _template(f"{name}.desktop")
    entry = entry.replace("@EXEC@", " ".join(map(_quoted, program)))
    entry = entry.replace("@TRY_EXEC@", program[0].replace("\\", "\\\\"))
    entry = entry.replace("@MIME_TYPES@", "".join(f"{each};" for each in MIME_TYPES))
    picture = read_file(paths.shipped("resources") / "icons" / "integrator.svg", SMALL_BYTES)
    command = group.name or ""
    texts = {
        f"applications/{name}.desktop": entry,
        f"metainfo/{name}.metainfo.xml": _template(f"{name}.metainfo.xml"),
        f"mime/packages/{name}.xml": _template(f"{name}.mime.xml"),
        f"man/man1/{command}.1": manual_page(group),
        f"bash-completion/completions/{command}": _completion(command, "bash"),
        f"fish/vendor_completions.d/{command}.fish": _completion(command, "fish"),
        f"zsh/site-functions/_{command}": _completion(command, "zsh"),
    }
    return (
        DesktopFile(Path("icons/hicolor/scalable/apps", icon), picture),
        *(DesktopFile(Path(place), text.encode()) for place, text in texts.items()),
    )


def own_program() -> tuple[str, ...]:
    """Command that starts this installation from any directory and with any PATH."""
    if getattr(sys, "frozen", False):  # a bundle is its own interpreter
        return (sys.executable,)
    script = Path(sys.executable).with_name("integrator")
    return (str(script),) if script.is_file() else (sys.executable, "-P", "-m", "integrator")


def _template(name: str) -> str:
    return read_text(paths.shipped("resources") / _TEMPLATES / name, SMALL_BYTES)


def _completion(command: str, shell: str) -> str:
    variable = f"_{command}_COMPLETE".replace("-", "_").upper()
    return get_completion_script(prog_name=command, complete_var=variable, shell=shell) + "\n"


def _quoted(argument: str) -> str:
    """One argument of Exec= (Desktop Entry Specification, "The Exec key"), escaped as a string."""
    for special in '\\"`$':
        argument = argument.replace(special, f"\\{special}")
    return '"' + argument.replace("\\", "\\\\").replace("%", "%%") + '"'
