"""``integrator cores``: each system, its core and why that one, and what is missing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypedDict

from rich.console import Console
from rich.table import Table

from integrator import paths
from integrator.session.opening import systems
from libretro_host.bios import check_bios
from libretro_host.discovery import CoreListing, list_cores
from libretro_host.errors import CoreLoadError
from libretro_host.identity import CoreIdentity, core_identities


class CoreRow(TypedDict):
    """One system as ``--json`` prints it; ``core`` is null when none was found."""

    system: str
    title: str
    extensions: list[str]
    core: str | None
    version: str | None
    path: str | None
    reason: str
    missing_bios: list[str]
    bios: list[BiosRow]


class BiosRow(TypedDict):
    """One BIOS file; ``text`` is a line for people, with the cure where something is wrong."""

    file: str
    state: str
    required: bool
    text: str


def core_rows() -> list[CoreRow]:
    """One row a system, in the order of their names."""
    listing = list_cores(
        systems().values(),
        user_dirs=[paths.user_cores_dir()],
        environment=os.environ,
        system_dir=paths.system_dir(),
    )
    identities = core_identities([entry.choice.path for entry in listing if entry.choice])
    return [_row(entry, identities) for entry in listing]


def _row(entry: CoreListing, identities: Mapping[Path, CoreIdentity | CoreLoadError]) -> CoreRow:
    version = None
    reason = entry.choice.reason if entry.choice else entry.problem
    if entry.choice:
        match identities[entry.choice.path]:
            case CoreLoadError() as error:
                reason = str(error)
            case identity:
                version = identity.version
    return {
        "system": entry.system.name,
        "title": entry.system.title,
        "extensions": list(entry.system.extensions),
        "core": entry.choice.core if entry.choice else None,
        "version": version,
        "path": str(entry.choice.path) if entry.choice else None,
        "reason": reason,
        "missing_bios": [bios.file for bios in entry.missing_bios],
        "bios": [
            {
                "file": check.bios.file,
                "state": check.state.name.lower(),
                "required": check.bios.required,
                "text": check.text,
            }
            for check in check_bios(entry.system, paths.system_dir())
        ],
    }


def print_core_table(rows: list[CoreRow]) -> None:
    """Print the rows as a table, and below it where the cores come from and what is missing."""
    table = Table(box=None, pad_edge=False)
    for column in ("system", "extensions", "core", "version"):
        table.add_column(column, no_wrap=column != "extensions")
    notes: dict[str, list[str]] = {}
    for row in rows:
        extensions = " ".join(row["extensions"])
        table.add_row(row["system"], extensions, row["core"] or "none", row["version"] or "")
        notes.setdefault(row["reason"], []).append(row["system"])
        if row["missing_bios"]:
            missing = f"needs a BIOS file: {' or '.join(row['missing_bios'])}"
            notes.setdefault(missing, []).append(row["system"])
        for bios in row["bios"]:
            if bios["state"] in {"other", "misnamed"}:
                notes.setdefault(bios["text"], []).append(row["system"])
    console = Console()
    console.print(table)
    for note, named in notes.items():
        console.print(f"\n{', '.join(named)}: {note}", highlight=False)
    console.print(f"\nBIOS files belong into {paths.system_dir()}", highlight=False)
