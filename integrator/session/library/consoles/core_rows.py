"""Lists each system with its core here, the reason for that core, missing files, and subsystems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from integrator import paths
from integrator.session.setup.roots import core_places, systems
from libretro_host.errors import CoreLoadError
from libretro_host.subsystems import Subsystem, SubsystemFile
from libretro_host.systems.descriptor import SystemDescriptor
from libretro_host.systems.discovery import CoreListing, check_bios, list_cores
from libretro_host.systems.identity import CoreIdentity, core_identities

CoreRow: TypeAlias = dict[str, Any]
"""A system as ``--json`` prints it.

``wanted`` are the possible files of a missing core, ``bios`` its BIOS files with a ``text`` for
people, and ``subsystems`` its kinds of games of several files, of which some are ``required``."""


def core_rows() -> list[CoreRow]:
    listing, identities = cores_here()
    return [_row(entry, identities) for entry in listing]


def cores_here() -> tuple[Sequence[CoreListing], Mapping[Path, CoreIdentity | CoreLoadError]]:
    """Return the core of each system, and the identity that each core, in a process, reports."""
    listing = cores_of(systems().values())
    return listing, core_identities([entry.choice.path for entry in listing if entry.choice])


def cores_of(consoles: Iterable[SystemDescriptor]) -> Sequence[CoreListing]:
    return list_cores(consoles, core_places(), paths.system_dir())


def core_folders() -> list[str]:
    return [str(folder) for folder, _ in core_places()]


def _row(entry: CoreListing, identities: Mapping[Path, CoreIdentity | CoreLoadError]) -> CoreRow:
    choice, version = entry.choice, None
    subsystems: tuple[Subsystem, ...] = ()
    reason = choice.reason if choice else entry.problem
    if choice:
        match identities[choice.path]:
            case CoreLoadError() as error:
                reason = str(error)
            case identity:
                version, subsystems = identity.version, identity.subsystems
    bios = []
    for check in check_bios(entry.system, paths.system_dir()):
        facts = {"file": check.bios.file, "state": check.state.name.lower()}
        bios.append({**facts, "required": check.bios.required, "text": check.text})
    kinds = []
    for each in subsystems:
        files, required = list(map(str, each.files)), [file.required for file in each.files]
        kinds.append({"name": each.name, "title": each.title, "files": files, "required": required})
    return {
        "system": entry.system.name,
        "title": entry.system.title,
        "extensions": list(entry.system.extensions),
        "core": choice.core if choice else None,
        "version": version,
        "path": str(choice.path) if choice else None,
        "reason": reason,
        "wanted": list(entry.wanted),
        "missing_bios": [bios.file for bios in entry.missing_bios],
        "bios": bios,
        "subsystems": kinds,
        "inexact_states": choice is not None and choice.core in entry.system.residue,
    }


@dataclass(frozen=True, slots=True)
class SubsystemChoice:
    """A subsystem of a console's core; ``system`` names the console, ``title`` is for people."""

    system: str
    title: str
    core: str
    subsystem: Subsystem

    def places_of(self, files: Sequence[Path]) -> tuple[Path | None, ...] | None:
        """Return files in the subsystem's order, None for one left out; None if they do not fit."""
        return _placed(self.subsystem.files, tuple(files))


def subsystem_choices() -> list[SubsystemChoice]:
    """Return all subsystems of the cores here, those that take several files first."""
    listing, identities = cores_here()
    found = []
    for entry in listing:
        identity = identities.get(entry.choice.path) if entry.choice else None
        if entry.choice and isinstance(identity, CoreIdentity):
            name, title, core = entry.system.name, entry.system.title, entry.choice.core
            found += [SubsystemChoice(name, title, core, each) for each in identity.subsystems]
    return sorted(found, key=lambda choice: len(choice.subsystem.files) < 2)


def _placed(
    places: tuple[SubsystemFile, ...], files: tuple[Path, ...]
) -> tuple[Path | None, ...] | None:
    """Assign files to places one by one, because ten files have millions of orders."""
    if not places:
        return None if files else ()
    for at, file in enumerate((*files, None)):
        if places[0].takes(file):
            rest = _placed(places[1:], files[:at] + files[at + 1 :])
            if rest is not None:
                return (file, *rest)
    return None
