"""Lists of the files that make one game of a core's subsystem: ``*.subsystem``, a JSON file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError
from integrator.domain.files.decoding import decoding
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import SMALL_BYTES, read_text

LIST_SUFFIX: Final = ".subsystem"

_CURE: Final = '{"system": "NintendoDs", "subsystem": "gba", "files": ["a.nds", "b.gba"]} is one'


@dataclass(frozen=True, slots=True)
class SubsystemList:
    """The console, the core's name of its subsystem, and files in the order in which it takes them.

    A file that the subsystem can do without may be None.
    """

    system: str
    subsystem: str
    files: tuple[Path | None, ...]

    @classmethod
    def read(cls, path: Path) -> SubsystemList:
        """The list in a file, whose names start at its folder. Raises DocumentError."""
        with decoding(DocumentError, str(path), _CURE):
            value = parse_json(read_text(path, SMALL_BYTES))
            system, subsystem, names = value["system"], value["subsystem"], value["files"]
            texts = [system, subsystem, *(name for name in names if name is not None)]
            if not isinstance(names, list) or not all(isinstance(each, str) for each in texts):
                raise ValueError("system, subsystem and files are texts")
        files = tuple(None if name is None else path.parent / name for name in names)
        return cls(system, subsystem, files)

    def to_bytes(self) -> bytes:
        """The file's content."""
        names = [None if file is None else str(file) for file in self.files]
        value = {"system": self.system, "subsystem": self.subsystem, "files": names}
        return (json.dumps(value, indent=2) + "\n").encode()
