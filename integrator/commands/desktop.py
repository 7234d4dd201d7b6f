"""``integrator desktop``: installs and removes files for menus, ``man`` and shells."""

import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any, Final

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]  # not in __all__
from typer.core import TyperGroup

import integrator
from integrator import paths
from integrator.domain.errors import SessionError, reason
from integrator.domain.files.atomic import saving, write_with_folder
from integrator.domain.files.reading import SMALL_BYTES, read_file, read_text, sha256
from libretro_host.processes import children

_SECTIONS = {
    "EXIT STATUS": {"0": "success", "1": "a job failed", "2": "bad usage"},
    "ENVIRONMENT": {"INTEGRATOR_CORES": "folders of libretro cores, separated as in PATH"},
    "FILES": {
        "$XDG_DATA_HOME/retro-integrator": "integrations, cores, BIOS files and saves of the user",
        "$XDG_CONFIG_HOME/retro-integrator": "settings of the window, and system descriptors",
        "$XDG_STATE_HOME/retro-integrator/log": "the logs that a bug report names",
    },
}


def manual_page(group: TyperGroup) -> str:
    """Return the manual page, section 1, in roff, of a program with subcommands."""
    program = group.name or ""
    root = typer.Context(group, info_name=program, **group.context_settings)
    first = (group.help or "").partition("\n\n")[0]
    opens = "PATH is a ROM, an integration directory, a movie (as .bk2), or a .state."
    lines = [
        f'.TH {program.upper()} 1 "" "{program} {integrator.__version__}" "User Commands"',
        ".SH NAME",
        f"{program} \\- {_escaped(' '.join(first.split()).rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {program}",
        "[PATH]",
        ".br",
        f".B {program}",
        "COMMAND [ARGS]...",
        ".SH DESCRIPTION",
        f"Without a command the window is opened; {opens}",
        ".SH OPTIONS",
        *_options(root),
        ".SH COMMANDS",
        *(line for context in contexts(root, group) for line in _command(context)),
    ]
    for title, rows in _SECTIONS.items():
        lines += [f".SH {title}", *(line for row in rows.items() for line in _row(*row))]
    return "\n".join(lines) + "\n"


def contexts(parent: typer.Context, group: TyperGroup) -> Iterator[typer.Context]:
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


def _escaped(text: str) -> str:
    """Escape backslashes, dashes, and dots at a line's start, which roff would interpret."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


ROM_TYPES: Final = (  # of the shared MIME database, for the consoles that have a core
    *("application/x-atari-2600-rom", "application/x-gameboy-rom"),
    *("application/x-gameboy-color-rom", "application/x-gamegear-rom", "application/x-gba-rom"),
    *("application/x-genesis-rom", "application/x-genesis-32x-rom", "application/x-n64-rom"),
    *("application/x-nes-rom", "application/x-nintendo-ds-rom", "application/x-pc-engine-rom"),
    *("application/x-sms-rom", "application/vnd.nintendo.snes.rom"),
)

DesktopFile = tuple[Path, bytes]  # path below the user's data folder, and content


def desktop_files(group: TyperGroup, program: tuple[str, ...]) -> tuple[DesktopFile, ...]:
    """Return all files; ``group`` has the subcommands, ``program`` starts this installation."""
    name, icon = paths.APP_ID, f"{paths.APP_ID}.svg"
    entry = _template(f"{name}.desktop")
    entry = entry.replace("@EXEC@", " ".join(map(_quoted, program)))
    entry = entry.replace("@TRY_EXEC@", program[0].replace("\\", "\\\\"))
    own_types = re.findall(r'mime-type type="(.+?)"', _template(f"{name}.mime.xml"))
    types = (*own_types, *ROM_TYPES)  # own types are those of movies and states
    entry = entry.replace("@MIME_TYPES@", "".join(f"{each};" for each in types))
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
        (Path("icons/hicolor/scalable/apps", icon), picture),
        *((Path(place), text.encode()) for place, text in texts.items()),
    )


def own_program() -> tuple[str, ...]:
    """Return the command that starts this installation in any directory and with any PATH."""
    if getattr(sys, "frozen", False):  # a bundle is its own interpreter
        return (sys.executable,)
    script = Path(sys.executable).with_name("integrator")
    return (str(script),) if script.is_file() else (sys.executable, "-P", "-m", "integrator")


def _template(name: str) -> str:
    return read_text(paths.shipped("resources") / "desktop" / name, SMALL_BYTES)


def _completion(command: str, shell: str) -> str:
    variable = f"_{command}_COMPLETE".replace("-", "_").upper()
    return get_completion_script(prog_name=command, complete_var=variable, shell=shell) + "\n"


def _quoted(argument: str) -> str:
    """Quote an argument of Exec=, and escape it (Desktop Entry Specification, "The Exec key")."""
    for special in '\\"`$':
        argument = argument.replace(special, f"\\{special}")
    return '"' + argument.replace("\\", "\\\\").replace("%", "%%") + '"'


def install(files: Iterable[DesktopFile], data_home: Path | None = None) -> list[str]:
    """Write the files, except over files of others; return a line for each. Raises SaveError."""
    home = data_home or user_data_home()
    kept, folders = _read_list(home)
    lines, notes = [], []
    for place, content in files:
        path, ours = home / place, (kept.get(str(place)), sha256(content))
        if path.is_file() and sha256(read_file(path, SMALL_BYTES)) not in ours:
            notes.append(f"note: {path} is not ours and was left alone")
            continue
        for folder in (*reversed(place.parents), LIST.parent):
            if not (home / folder).exists():
                folders.append(str(folder))
        cure = f"make sure that {home} is yours, or set XDG_DATA_HOME"
        kept[str(place)] = sha256(content)
        # Write the list before the file, so that after an interrupt the file is known as ours.
        value = {"files": kept, "folders": list(dict.fromkeys(folders))}
        write_with_folder(home / LIST, (json.dumps(value, indent=2) + "\n").encode(), cure)
        write_with_folder(path, content, cure)
        lines.append(f"wrote {path}")
    return [*lines, *notes, *_refresh(home)]


def stage(files: Iterable[DesktopFile], prefix: Path) -> list[str]:
    """Write the files to ``PREFIX/share`` below ``$DESTDIR``, for a package with its own list.

    Files there are replaced, and no desktop is informed. Raises SaveError."""
    lines = []
    for place, content in files:
        path = Path(os.environ.get("DESTDIR", "") + str(prefix.absolute() / "share" / place))
        write_with_folder(path, content, "name a folder that you may write in DESTDIR or --prefix")
        lines.append(f"wrote {path}")
    return lines


def remove(data_home: Path | None = None) -> list[str]:
    """Remove the unchanged files that ``install`` wrote. Raises SessionError, SaveError."""
    home = data_home or user_data_home()
    kept, folders = _read_list(home)
    if not kept:
        raise SessionError(f"nothing is installed in {home}; integrator desktop install does it")
    lines, notes = [], []
    for place, known in kept.items():
        path = home / place
        if not path.is_file():
            continue
        if sha256(read_file(path, SMALL_BYTES)) != known:
            notes.append(f"note: {path} was changed since and was left alone")
            continue
        with saving(f"{path} could not be removed", "give yourself the right to change its folder"):
            path.unlink()
        lines.append(f"removed {path}")
    notes += _refresh(home)
    (home / LIST).unlink(missing_ok=True)
    _remove_folders(home, folders)
    return [*lines, *notes]


def user_data_home() -> Path:
    """Return ``$XDG_DATA_HOME``, or its default if it is unset or relative.

    Source: XDG Base Directory Specification. Raises SessionError on systems without such folders.
    """
    if sys.platform in {"win32", "darwin"}:
        raise SessionError(f"there are no XDG desktop files on {sys.platform}")
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "share"


LIST: Final = Path(paths.APP_NAME, "desktop.json")


def _read_list(home: Path) -> tuple[dict[str, str], list[str]]:
    """Return the hashes of files by path, and the folders made for them, outermost first."""
    try:
        value: Any = json.loads(read_text(home / LIST, SMALL_BYTES))
        return dict(value["files"]), list(value["folders"])
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError, LookupError, TypeError) as error:
        fault = f"the list of installed files, cannot be read ({reason(error)})"
        raise SessionError(f"{home / LIST}, {fault}; remove it and install again") from error


def _refresh(home: Path) -> Iterator[str]:
    """Run the programs that announce the files to others, each on its folder; yield notes."""
    announcers = {"update-mime-database": "mime", "update-desktop-database": "applications"}
    for program, folder in announcers.items():
        command = shutil.which(program)
        if command is None:
            later = "the desktop notices at the next login"
            yield f"note: {program} is not installed here; {later}"
        elif (home / folder).is_dir():
            try:
                done = children.run([command, str(home / folder)], deadline_s=60)
            except (OSError, TimeoutExpired) as error:
                yield f"note: {program} failed: {error}"
                continue
            if done.returncode:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                yield f"note: {program} failed: {reason}"


def _remove_folders(home: Path, folders: list[str]) -> None:
    """Remove the folders that were made for the files, unless they hold other files now."""
    for name in reversed(folders):
        folder = home / name
        if name == "mime" and not any(folder.glob("packages/*")):
            # update-mime-database made the rest of this folder from the packages.
            shutil.rmtree(folder, ignore_errors=True)
        entries = list(folder.iterdir()) if folder.is_dir() else []
        # A folder with only the cache of update-desktop-database counts as empty.
        cache = "mimeinfo.cache" if name == "applications" else ""
        if {each.name for each in entries} <= {cache}:
            for each in entries:
                each.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                folder.rmdir()
