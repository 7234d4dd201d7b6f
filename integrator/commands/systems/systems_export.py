"""``integrator systems export``: a console's core and JSON, laid out for stable-retro."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from integrator.domain.errors import SessionError
from integrator.session.library.consoles.training_export import export_for_training
from integrator.session.opening import core_for, named_system, systems


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
