"""``integrator systems add``: a console of the user's own, drafted from a core and a game."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypedDict

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.session.library.console_draft import draft_console, save_draft
from integrator.session.opening import systems
from libretro_host.remote import RemoteHost
from libretro_host.systems.discovery import searched_folders

_DEADLINE_MS = 60_000


class AddedSystem(TypedDict):
    """The new console, as ``--json`` prints it."""

    system: str
    path: str
    extensions: list[str]
    remarks: list[str]


def add_console(core: str, *, game: Path | None, name: str | None, out: Path | None) -> AddedSystem:
    """Draft a descriptor and save it among the user's, or as ``out``.

    Raises SessionError, HostError, SaveError.
    """
    if game is not None and not game.is_file():
        raise SessionError(f"{game}: there is no such file; check the spelling")
    draft = draft_console(
        _core_file(core),
        game,
        systems(),
        name=name or (out.stem if out else None),
        system_dir=paths.system_dir(),
        core_folders=_folders(),
        new_host=lambda: RemoteHost(_DEADLINE_MS),
    )
    path = out or paths.user_systems_dir() / f"{draft.name}.json"
    save_draft(draft, path)
    return {
        "system": draft.name,
        "path": str(path),
        "extensions": [f".{one}" for one in draft.value["content"]["extensions"]],
        "remarks": list(draft.remarks),
    }


def _folders() -> tuple[Path, ...]:
    return searched_folders([paths.user_cores_dir()], os.environ)


def _core_file(core: str) -> Path:
    """The file of a core that was given by path or by name."""
    if Path(core).is_file():
        return Path(core).absolute()
    for folder in _folders():
        for path in sorted(folder.glob(f"{core}_libretro.*")):
            if path.suffix in {".so", ".dylib", ".dll"}:
                return path
    places = " ".join(map(str, _folders()))
    raise SessionError(f"{core}: there is no such file, and no core of this name in {places}")
