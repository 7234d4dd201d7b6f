"""RetroArch's cheat files: ``cheat0_desc = "..."`` and so on, a number a cheat.

A cheat is either an address of the core's memory, which RetroArch writes by itself (handler 1), or
a code, of which those that spell address and value (``7E0DBF:63``) are read.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from integrator.domain.errors import DataTypeError, DocumentError
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.model import (
    MOST_NOTES,
    NotesFormat,
    NotesRead,
    NotesWritten,
    decimal,
    joined,
    lines,
    parted,
    read_each,
    write_each,
)
from integrator.domain.notes.places import Places
from integrator.domain.values.datatype import DataType

_LINE: Final = re.compile(r"cheat(\d{1,6})_(\w+)\s*=\s*(.*)")
_CODE: Final = re.compile(r"([0-9A-Fa-f]{4,8})[: -]([0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})")
_WIDTHS: Final = {"3": 1, "4": 2, "5": 4}
_SIZES: Final = {width: size for size, width in _WIDTHS.items()}
VALUE: Final = "value"
"""Key of a watch's ``more``: the number that the cheat writes."""


def read_cheats(text: str, places: Places) -> NotesRead:
    """The addresses that cheats write. Raises DocumentError for more than can be meant."""
    cheats: dict[str, dict[str, str]] = {}
    first: dict[str, str] = {}
    for place, line in lines(text):
        match = _LINE.fullmatch(line.strip())
        if match is not None:
            number, key, value = match.groups()
            cheats.setdefault(number, {})[key] = value.strip().strip('"')
            first.setdefault(number, place)
    if len(cheats) > MOST_NOTES:
        raise DocumentError(f"more than {MOST_NOTES:,} cheats")
    items = {f"{first[number]}, cheat {number}": fields for number, fields in cheats.items()}
    return read_each(((place, place) for place in items), lambda at: _watch(items[at], places))


def _watch(fields: Mapping[str, str], places: Places) -> Watch:
    name, note = parted(fields.get("desc", ""))
    if fields.get("handler", "0") == "1":
        size, address = fields.get("memory_search_size", "3"), decimal(fields.get("address", ""))
        if size not in _WIDTHS:
            raise DataTypeError(f"{name}: single bits are not read")
        width, value = _WIDTHS[size], decimal(fields.get("value", "0"))
        big = fields.get("big_endian") == "true" or places.space.overlay is not None
        place = places.of_offset(address, width)
    else:
        code = _CODE.fullmatch(fields.get("code", ""))
        if code is None:
            raise DataTypeError(f"{name}: code {fields.get('code', '')!r} tells no address")
        width, value, big = len(code[2]) // 2, int(code[2], 16), places.space.overlay is not None
        place = places.in_domain("bus", int(code[1], 16))
    order = "|" if width == 1 else ">" if big else "<"
    return Watch(place, DataType.parse(f"{order}u{width}"), name, note, {VALUE: value})


def write_cheats(watches: Sequence[Watch], places: Places) -> NotesWritten:
    """Cheats that hold the numbers that ``more`` has under VALUE, all switched off."""
    numbers = iter(range(len(watches)))

    def cheat(watch: Watch) -> str:
        kind = watch.type
        if kind.width not in _SIZES or kind.kind != "u" or len(kind.endian) > 1:
            raise DataTypeError(f"RetroArch has no type {kind.spec}")
        if kind.width > 1 and kind.endian != ">" and places.space.overlay is not None:
            raise DataTypeError("RetroArch has no little-endian words on this console")
        big = kind.endian == ">" and places.space.overlay is None
        address = places.to_offset(watch.address, kind.width)
        number = next(numbers)
        fields = {
            "desc": joined(watch).replace('"', "'"),
            "code": "",
            "enable": "false",
            "handler": "1",
            "cheat_type": "1",
            "memory_search_size": _SIZES[kind.width],
            "address": str(address),
            "value": str(watch.more.get(VALUE, 0)),
            "big_endian": "true" if big else "false",
        }
        return "".join(f'cheat{number}_{key} = "{value}"\n' for key, value in fields.items())

    found, problems = write_each(watches, cheat)
    return NotesWritten("\n".join([f"cheats = {len(found)}\n", *found]), problems)


CHEAT_LIST = NotesFormat(".cht", "RetroArch cheats", read_cheats, write_cheats)
