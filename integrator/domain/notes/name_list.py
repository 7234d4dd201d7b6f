r"""FCEUX's name lists: ``$ADDRESS#name#comment``, and ``$ADDRESS/SIZE#...`` for arrays.

A line that begins with a backslash goes on with the comment of the line before.
"""

import re
from collections.abc import Sequence
from typing import Final

from integrator.domain.errors import DataTypeError
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

_LINE: Final = re.compile(r"\$([0-9A-Fa-f]{1,6})(?:/([0-9A-Fa-f]{1,6}))?#([^#]*)#(.*)")


def read_name_list(text: str, places: Places) -> NotesRead:
    """The names of a list; sizes of 2, 3, 4 and 8 bytes are taken for numbers of the 6502."""
    whole: list[tuple[str, str]] = []
    for place, line in lines(text):
        if line.startswith("\\") and whole:
            before, start = whole.pop()
            whole.append((before, f"{start} {line[1:]}"))
        else:
            whole.append((place, line))
    return read_each(whole, lambda line: _watch(line, places))


def _watch(line: str, places: Places) -> Watch | None:
    if not line.strip():
        return None
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise DataTypeError("no line such as $00A0#name#comment")
    kind, note = sized(int(match[2] or "1", 16), one_line(match[4]))
    return Watch(places.in_domain("bus", int(match[1], 16)), kind, one_line(match[3]), note)


def write_name_list(watches: Sequence[Watch], _: Places) -> NotesWritten:
    """A name list, with the size of wider numbers."""

    def line(watch: Watch) -> str:
        if watch.address > 0xFFFF:
            raise DataTypeError("FCEUX has addresses up to $FFFF")
        size = f"/{watch.type.width:X}" if watch.type.width > 1 else ""
        name, note = (one_line(text).replace("#", "_") for text in (watch.name, watch.note))
        return f"${watch.address:04X}{size}#{name}#{note}"

    found, problems = write_each(watches, line)
    return NotesWritten("".join(f"{line}\n" for line in found), problems)


NAME_LIST = NotesFormat(".nl", "FCEUX name list", read_name_list, write_name_list)
