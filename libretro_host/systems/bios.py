"""BIOS files of a console: which of them the system folder holds, their names, and their faults."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from libretro_host.content_file import read_regular
from libretro_host.systems.descriptor import BiosFile, SystemDescriptor

_MAX_BYTES = 8 << 20
"""Larger files are no BIOS and are not read."""


class BiosState(StrEnum):
    """The knowledge about one BIOS file: present, misnamed, wrong or missing."""

    RIGHT = "right"
    UNCHECKED = "there, its right hash is not known"
    OTHER = "there, but with another hash"
    MISNAMED = "there under another name"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class BiosCheck:
    """``found`` is the file in the system folder: None when missing, another name if misnamed."""

    bios: BiosFile
    state: BiosState
    found: Path | None = None

    @property
    def text(self) -> str:
        """One line that names the file and, where something is wrong, the cure."""
        name, need = self.bios.file, "needed" if self.bios.required else "optional"
        note = f" ({self.bios.note})" if self.bios.note else ""
        match self.state:
            case BiosState.MISSING:
                return f"{name}{note}: missing, {need}"
            case BiosState.MISNAMED:
                assert self.found is not None  # noqa: S101 - for the type checker: misnamed is there
                return f"{name}{note}: {self.found.name} is this file; rename it"
            case BiosState.OTHER:
                return (
                    f"{name}{note}: its MD5 is not {self.bios.md5}; it is damaged or of another "
                    "version"
                )
        return f"{name}{note}: {self.state.value}"


def check_bios(descriptor: SystemDescriptor, system_dir: Path) -> tuple[BiosCheck, ...]:
    """The state of each BIOS file by name and MD5; a missing one is sought by its hash."""
    others: dict[str, Path] | None = None
    checks = []
    for bios in descriptor.bios:
        path = system_dir / bios.file
        digest = _md5(path)
        if digest is not None:
            checks.append(BiosCheck(bios, _state(bios, digest), path))
            continue
        if bios.md5 and others is None:
            others = _by_md5(system_dir)
        found = (others or {}).get(bios.md5.lower()) if bios.md5 else None
        state = BiosState.MISNAMED if found else BiosState.MISSING
        checks.append(BiosCheck(bios, state, found))
    return tuple(checks)


def _state(bios: BiosFile, digest: str) -> BiosState:
    if not bios.md5:
        return BiosState.UNCHECKED
    return BiosState.RIGHT if digest == bios.md5.lower() else BiosState.OTHER


def _by_md5(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        return {}
    digests = ((path, _md5(path)) for path in sorted(folder.iterdir()))
    return {digest: path for path, digest in digests if digest is not None}


def _md5(path: Path) -> str | None:
    try:
        return hashlib.md5(read_regular(path, _MAX_BYTES), usedforsecurity=False).hexdigest()
    except OSError:
        return None
