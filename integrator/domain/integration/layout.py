"""File names of an integration directory, and lookups that load none of its documents."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError
from integrator.domain.files.decoding import decoding
from integrator.domain.files.reading import SMALL_BYTES, read_text

DATA_FILE: Final = "data.json"
SCENARIO_FILE: Final = "scenario.json"
METADATA_FILE: Final = "metadata.json"
SHA_FILE: Final = "rom.sha"
NOT_ROMS: Final = frozenset({".sha", ".delta", ".txt", ".json", ".lua", ".state", ".bk2", ".md5"})
"""Suffixes of files named ``rom`` that are no ROM."""


def is_integration(directory: Path) -> bool:
    """True when a directory holds at least one file that only an integration has."""
    files = (DATA_FILE, SCENARIO_FILE, METADATA_FILE, SHA_FILE)
    return any((directory / file).is_file() for file in files)


def find_rom(directory: Path) -> Path | None:
    """The file ``rom.<extension>`` of a directory, or None."""
    return next(iter(find_roms(directory)), None)


def find_roms(directory: Path) -> list[Path]:
    """All files ``rom.<extension>`` of a directory, of which the first is played."""
    if not directory.is_dir():
        return []
    found = (
        path
        for path in sorted(directory.iterdir())
        if path.stem == "rom" and path.suffix and path.suffix.lower() not in NOT_ROMS
    )
    return [path for path in found if path.is_file()]


def read_shas(path: Path) -> tuple[str, ...]:
    """The words of a rom.sha, lower case. Raises DocumentError when it can not be read."""
    with decoding(DocumentError, str(path), "make it anew with one SHA-1 in it"):
        # Hashes are ASCII, so other bytes do not matter.
        return tuple(read_text(path, SMALL_BYTES, "surrogateescape").lower().split())
