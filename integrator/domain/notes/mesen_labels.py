"""Mesen's labels: ``MEMORY:ADDRESS:name:comment``, or ``MEMORY:FIRST-LAST:...`` for more bytes.

The address counts from the start of its memory, such as ``NesInternalRam`` or ``SnesWorkRam``. The
first Mesen has letters: R for the RAM of the NES, W and S for that of the cartridge, P for ROM.
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
    sized,
    write_each,
)
from integrator.domain.notes.places import Places

_LINE: Final = re.compile(r"(\w+):([0-9A-Fa-f]{1,8})(?:-([0-9A-Fa-f]{1,8}))?:([^:]*)(?::(.*))?")
_CONSOLE: Final = re.compile(r"^(Snes|Nes|Gba|Gb|Pce|Sms|Ws)(?=[A-Z])")
_MEMORIES: Final = {
    "R": "ram",
    "W": "sram",
    "S": "sram",
    "G": "bus",
    "Memory": "bus",
    "InternalRam": "ram",
    "WorkRam": "ram",
    "SaveRam": "sram",
    "CartRam": "cartram",
    "HighRam": "hram",
    "VideoRam": "vram",
    "IntWorkRam": "iwram",
    "ExtWorkRam": "ewram",
}
_NES_RAM: Final = 0x800
_NES_CARTRIDGE: Final = range(0x6000, 0x8000)


def read_labels(text: str, places: Places) -> NotesRead:
    """The labels in memory; each label in ROM is a problem, because it has no place in RAM."""

    def watch(line: str) -> Watch | None:
        if not line.strip():
            return None
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise DataTypeError("no line such as NesInternalRam:0075:name")
        memory, first = match[1], int(match[2], 16)
        # The work RAM of the NES is that of the cartridge.
        known = "sram" if memory == "NesWorkRam" else _MEMORIES.get(_CONSOLE.sub("", memory))
        if known is None:
            raise AddressError(f"{memory} is not in this game's memory")
        note = one_line((match[5] or "").replace("\\n", " "))
        kind, note = sized(int(match[3] or match[2], 16) - first + 1, note)
        return Watch(places.in_domain(known, first), kind, one_line(match[4]), note)

    return read_each(lines(text), watch)


def write_labels(watches: Sequence[Watch], _: Places) -> NotesWritten:
    """Labels of the NES, with the letters that each Mesen reads."""

    def line(watch: Watch) -> str:
        first, name, note = watch.address, one_line(watch.name), one_line(watch.note)
        if first < _NES_RAM:
            memory = "R"
        elif first in _NES_CARTRIDGE:
            memory, first = "W", first - _NES_CARTRIDGE.start
        else:
            raise DataTypeError("labels are written for the RAM of the NES alone")
        width = watch.type.width
        last = f"-{first + width - 1:04X}" if width > 1 else ""
        return f"{memory}:{first:04X}{last}:{name.replace(':', '_')}" + (f":{note}" if note else "")

    found, problems = write_each(watches, line)
    return NotesWritten("".join(f"{line}\n" for line in found), problems)


MESEN_LABELS = NotesFormat(".mlb", "Mesen labels", read_labels, write_labels)
