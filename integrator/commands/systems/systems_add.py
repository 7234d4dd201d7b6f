"""``integrator systems add`` and ``export``: draft a console, or lay one out for training."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from integrator.domain.errors import SessionError
from integrator.session.library.consoles.own_consoles import (
    core_file,
    draft_here,
    own_path,
    save_console,
)
from integrator.session.library.consoles.training_export import export_for_training
from integrator.session.opening import core_for, named_system, systems


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
    draft = draft_here(core_file(core), game, name or (out.stem if out else None))
    path = out or own_path(draft.name)
    if path.exists():
        raise SessionError(f"{path}: is there already; remove it, or choose another --name")
    save_console(draft.value, path)
    return {
        "system": draft.name,
        "path": str(path),
        "extensions": [f".{one}" for one in draft.value["content"]["extensions"]],
        "remarks": list(draft.remarks),
    }


class ExportedSystem(TypedDict):
    """The files written and the lines of Python that use them, as ``--json`` prints them."""

    files: list[str]
    steps: str
    remarks: list[str]


def export_console(name: str, folder: Path) -> ExportedSystem:
    """Lay out a console for training. Raises SessionError, HostError, SaveError."""
    console = named_system(systems(), name)
    if console is None:
        raise SessionError("a console needs a name; see integrator systems")
    exported = export_for_training(console, core_for(console).path, folder)
    return {
        "files": list(map(str, exported.files)),
        "steps": exported.steps,
        "remarks": list(exported.remarks),
    }
