"""Symbol files of assemblers: ``BANK:ADDRESS name``, ``ADDRESS name`` and ``name = $ADDRESS``.

WLA, RGBDS and no$gmb write the first, others the rest. A section such as ``[labels]`` holds names;
``;`` begins a comment, which becomes the note.
"""

import re
from collections.abc import Sequence
from typing import Final

from integrator.domain.errors import AddressError, DataTypeError
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.model import (
    NotesFormat,
    NotesRead,
    NotesWritten,
    lines,
    one_line,
    read_each,
    write_each,
)
from integrator.domain.notes.places import Places
from integrator.domain.values.datatype import DataType

_BYTE: Final = DataType.parse("|u1")
_NAMES: Final = frozenset({"[labels]", "[symbols]", "[ramsymbols]"})
_PLACED: Final = re.compile(r"(?:([0-9A-Fa-f]{1,4}):)?\$?([0-9A-Fa-f]{1,8})\s+(\S+)")
_EQUAL: Final = re.compile(r"(\S+)\s*(?:=|\bequ\b)\s*(?:\$|0x)([0-9A-Fa-f]{1,8})", re.IGNORECASE)


def read_symbols(text: str, places: Places) -> NotesRead:
    """The names in memory; each name in ROM is a problem, because it has no place in RAM."""
    section = "[labels]"

    def watch(line: str) -> Watch | None:
        nonlocal section
        body, _, note = (part.strip() for part in line.partition(";"))
        if body.startswith("["):
            section = body.lower()
            if section not in _NAMES:
                raise DataTypeError(f"section {body} holds no addresses")
            return None
        if not body or section not in _NAMES:
            return None
        return _watch(body, one_line(note), places)

    return read_each(lines(text), watch)


def _watch(body: str, note: str, places: Places) -> Watch:
    if (placed := _PLACED.fullmatch(body)) is not None:
        bank, address, name = int(placed[1] or "0", 16), int(placed[2], 16), placed[3]
    elif (equal := _EQUAL.fullmatch(body)) is not None:
        bank, address, name = 0, int(equal[2], 16), equal[1]
    else:
        raise DataTypeError("no line such as 00:C0A0 name")
    for found in (bank << 16 | address, address):
        if places.space.region_at(found) is not None:
            return Watch(found, _BYTE, name, note)
    raise AddressError(f"{name} at {address:04X} is not in this game's memory")


def write_symbols(watches: Sequence[Watch], _: Places) -> NotesWritten:
    """Names with bank and address; a watch without a name cannot be a symbol."""

    def line(watch: Watch) -> str:
        if not watch.name.strip():
            raise DataTypeError("a symbol needs a name")
        name = "_".join(watch.name.split()).replace(";", "_")
        note = one_line(watch.note)
        place = f"{watch.address >> 16:02X}:{watch.address & 0xFFFF:04X}"
        return f"{place} {name} ; {note}" if note else f"{place} {name}"

    found, problems = write_each(watches, line)
    return NotesWritten("".join(f"{line}\n" for line in ["[labels]", *found]), problems)


SYMBOLS = NotesFormat(".sym", "Symbols of an assembler", read_symbols, write_symbols)
