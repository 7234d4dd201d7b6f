"""``integrator desktop``: the program in menus, file managers, ``man`` and shells of one user.

Everything goes below ``$XDG_DATA_HOME``. A list of the written files is kept, with the hash of
each, so that ``remove`` takes back those files and no others.
"""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import TimeoutExpired
from typing import Any, Final

from integrator import paths
from integrator.commands.desktop.files import DesktopFile
from integrator.commands.shared.console import plain_console
from integrator.domain.errors import SaveError, SessionError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import SMALL_BYTES, read_file, read_text
from libretro_host.processes import children

_CACHES: Final = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
"""The programs that tell others of the files, and the folder that each gets."""
_CACHE_FILES: Final = {"applications": ("mimeinfo.cache",)}
"""Caches that these programs leave behind; a folder that holds only caches counts as empty."""
_TOOL_SECONDS: Final = 60


@dataclass(slots=True)
class DesktopReport:
    """Report of an install or removal: files written, left alone and removed, and remarks."""

    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def install(files: Iterable[DesktopFile], data_home: Path | None = None) -> DesktopReport:
    """Write the files below the user's data folder. A second time it writes them anew.

    A file of somebody else that has a name of ours is left alone and noted. Raises SaveError.
    """
    home = data_home or user_data_home()
    kept = _read_list(home)
    report = DesktopReport()
    for file in files:
        path, known = home / file.place, kept.files.get(str(file.place))
        if path.is_file() and _digest(read_file(path, SMALL_BYTES)) not in {
            known,
            _digest(file.content),
        }:
            report.notes.append(f"{path} is not ours and was left alone")
            continue
        for folder in reversed(path.relative_to(home).parents):
            if not (home / folder).exists():
                kept.folders.append(str(folder))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SaveError(
                f"{path.parent} could not be made ({error.strerror}); make sure that {home} is "
                "yours, or name another folder with XDG_DATA_HOME"
            ) from error
        kept.files[str(file.place)] = _digest(file.content)
        # Before the file, so that after an interrupt the file is still known as ours.
        _write_list(home, kept)
        write_atomically(path, file.content)
        report.written.append(str(path))
    report.notes += _refresh(home)
    return report


def remove(data_home: Path | None = None) -> DesktopReport:
    """Remove the files that ``install`` wrote, and its folders once they are empty.

    Files that were changed since are left alone and noted. Raises SessionError when nothing was
    installed, SaveError when a file cannot be removed.
    """
    home = data_home or user_data_home()
    kept = _read_list(home)
    if not kept.files:
        raise SessionError(f"nothing is installed in {home}; integrator desktop install does it")
    report = DesktopReport()
    for place, known in kept.files.items():
        path = home / place
        if not path.is_file():
            continue
        if _digest(read_file(path, SMALL_BYTES)) != known:
            report.notes.append(f"{path} was changed since and was left alone")
            continue
        try:
            path.unlink()
        except OSError as error:
            raise SaveError(
                f"{path} could not be removed ({error.strerror}); give yourself the right to "
                "change its folder"
            ) from error
        report.removed.append(str(path))
    report.notes += _refresh(home)
    _list_path(home).unlink(missing_ok=True)
    _remove_folders(home, kept.folders)
    return report


def user_data_home() -> Path:
    """``$XDG_DATA_HOME``; a relative one counts as none (XDG Base Directory Specification)."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "share"


@dataclass(slots=True)
class _Installed:
    """Files by their place, with hashes, and folders that were made for them, outermost first."""

    files: dict[str, str] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)


def _list_path(home: Path) -> Path:
    return home / paths.APP_NAME / "desktop.json"


def _read_list(home: Path) -> _Installed:
    try:
        value: Any = json.loads(read_text(_list_path(home), SMALL_BYTES))
        return _Installed(dict(value["files"]), list(value["folders"]))
    except FileNotFoundError:
        return _Installed()
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise SessionError(
            f"{_list_path(home)}, the list of installed files, cannot be read ({error}); remove "
            "it and install again"
        ) from error


def _write_list(home: Path, kept: _Installed) -> None:
    path = _list_path(home)
    if not path.parent.exists():
        kept.folders.append(path.parent.name)
        path.parent.mkdir(parents=True)
    kept.folders[:] = dict.fromkeys(kept.folders)
    value = {"files": kept.files, "folders": kept.folders}
    write_atomically(path, (json.dumps(value, indent=2) + "\n").encode())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _refresh(home: Path) -> list[str]:
    """Run the programs that read the files anew; returns their failures, which are not fatal."""
    notes = []
    for program, folder in _CACHES:
        command = shutil.which(program)
        if command is None:
            notes.append(f"{program} is not installed here; the desktop notices at the next login")
        elif (home / folder).is_dir():
            try:
                done = children.run([command, str(home / folder)], deadline_s=_TOOL_SECONDS)
            except (OSError, TimeoutExpired) as error:
                notes.append(f"{program} failed: {error}")
                continue
            if done.returncode:
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                notes.append(f"{program} failed: {reason}")
    return notes


def _remove_folders(home: Path, folders: list[str]) -> None:
    """Remove the folders that were made for the files, unless somebody else uses them by now."""
    for name in reversed(folders):
        folder = home / name
        if name == "mime" and not any(folder.glob("packages/*")):
            # update-mime-database makes the rest of this folder from packages.
            shutil.rmtree(folder, ignore_errors=True)
        if {each.name for each in _entries(folder)} <= set(_CACHE_FILES.get(name, ())):
            for each in _entries(folder):
                each.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                folder.rmdir()


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def print_report(report: DesktopReport) -> None:
    """Print what was done, one file a line."""
    console = plain_console(soft_wrap=True)
    for done, each in (
        *(("wrote", path) for path in report.written),
        *(("removed", path) for path in report.removed),
        *(("note:", note) for note in report.notes),
    ):
        console.print(f"{done} {each}")
