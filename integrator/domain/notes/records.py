"""Formats whose notes are records: code notes of RetroAchievements, and cheats of RetroArch."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from integrator.domain.errors import DataTypeError, DocumentError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import decoding
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.places import (
    MOST_NOTES,
    NotesFormat,
    NotesRead,
    NotesWritten,
    Places,
    joined,
    lines,
    number_of,
    of_lines,
    one_line,
    parted,
    read_each,
    write_each,
)
from integrator.domain.values.datatype import DataType

# -- RetroAchievements' code notes: JSON, an object a note with Address and Note. RAIntegration
# keeps a list of them, the site answers with the list under CodeNotes. A note says its size in
# brackets, such as [16-bit BE] or [24-bit BCD]; without one, a byte is meant. RAIntegration keeps
# notes that are not on the site yet in GAME-User.txt: N0:0x001234:"[16-bit] note".

_SIZE: Final = re.compile(r"\[\s*(8|16|24|32)[ -]?bits?\b([^\]]*)\]\s*", re.IGNORECASE)
_LOCAL: Final = re.compile(r'N0:(0x[0-9a-fA-F]+):"((?:[^"\\]|\\.)*)"')
_WORDS: Final = {"i": "signed", "d": "BCD"}
"""Words in the brackets, by the kind of the data type; other numbers are unsigned."""


def _read_notes(text: str, places: Places) -> NotesRead:
    with decoding(DocumentError, "these are no code notes"):
        document = parse_json(text)
        entries = document["CodeNotes"] if isinstance(document, Mapping) else document
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise DocumentError("these are no code notes: there is no list of them")
    items = ((f"note {number}", entry) for number, entry in enumerate(entries, 1))
    return read_each(items, _watch, places)


def _watch(entry: Any, places: Places) -> Watch | None:
    if not isinstance(entry, Mapping):
        raise DocumentError("no note with Address and Note")
    with decoding(DocumentError, "no note with Address and Note"):
        address, note = str(entry["Address"]), one_line(str(entry["Note"]))
    return _noted(address, note, places) if note else None


def _noted(address: str, note: str, places: Places) -> Watch:
    size = _SIZE.search(note)
    width = int(size[1]) // 8 if size else 1
    words = size[2].lower().split() if size else []
    # Plain words are big endian here where the core swaps bytes within words.
    big = "be" in words or places.space.overlay is not None
    order = "|" if width == 1 else ">" if big else "<"
    kind = next((kind for kind, word in _WORDS.items() if word.lower() in words), "u")
    place = places.of_offset(number_of(address, 16), width)
    rest = _SIZE.sub("", note, count=1)
    return Watch(place, DataType.parse(f"{order}{kind}{width}"), *parted(rest))


def _write_notes(watches: Sequence[Watch], places: Places) -> NotesWritten:

    def entry(watch: Watch) -> str:
        address, note = _entry(watch, places)
        return json.dumps({"User": "", "Address": address, "Note": note}, ensure_ascii=False)

    found, problems = write_each(watches, entry)
    body = ",\n".join(f"  {one}" for one in found)
    return f"[\n{body}\n]\n" if found else "[]\n", problems


def _entry(watch: Watch, places: Places) -> tuple[str, str]:
    kind = watch.type
    if kind.kind not in ("u", *_WORDS) or kind.width > 4 or len(kind.endian) > 1:
        raise DataTypeError(f"code notes have no type {kind.spec}")
    words = [f"{8 * kind.width}-bit"]
    if kind.width > 1 and kind.endian == ">" and places.space.overlay is None:
        words.append("BE")
    if kind.width > 1 and kind.endian != ">" and places.space.overlay is not None:
        raise DataTypeError("code notes have no little-endian words on this console")
    words += [_WORDS[kind.kind]] if kind.kind in _WORDS else []
    offset = places.to_offset(watch.address, kind.width)
    return f"0x{offset:06x}", f"[{' '.join(words)}] {joined(watch)}"


def _read_local(line: str, places: Places) -> Watch | None:
    match = _LOCAL.fullmatch(line.strip())
    if match is None:
        if line.startswith("N0:"):
            raise DataTypeError('no line such as N0:0x001234:"note"')
        return None
    # Escaped n, r and t are spaces; other escaped characters are themselves.
    plain = re.sub(r"\\(.)", lambda found: " " if found[1] in "nrt" else found[1], match[2])
    note = one_line(plain)
    return _noted(match[1], note, places) if note else None


def _write_local(watch: Watch, places: Places) -> str:
    address, note = _entry(watch, places)
    quoted = note.replace("\\", "\\\\").replace('"', '\\"')
    return f'N0:{address}:"{quoted}"'


CODE_NOTES = NotesFormat(".json", "RetroAchievements code notes", _read_notes, _write_notes)
USER_NOTES = of_lines(
    "-User.txt",
    "RetroAchievements local notes",
    _read_local,
    _write_local,
    # The version that RAIntegration writes today, and no title.
    "1.3.0.0\n\n",
)


# -- RetroArch's cheats: cheat0_desc = "..." and so on, a number a cheat. A cheat is either an
# address of the core's memory, which RetroArch writes by itself (handler 1), or a code, of which
# those that spell address and value (7E0DBF:63) are read.

_LINE: Final = re.compile(r"cheat(\d{1,6})_(\w+)\s*=\s*(.*)")
_CODE: Final = re.compile(r"([0-9A-Fa-f]{4,8})[: -]([0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})")
_CHEAT_WIDTHS: Final = {"3": 1, "4": 2, "5": 4}
_CHEAT_SIZES: Final = {width: size for size, width in _CHEAT_WIDTHS.items()}
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
    items = ((f"{first[number]}, cheat {number}", fields) for number, fields in cheats.items())
    return read_each(items, _cheat, places)


def _cheat(fields: Mapping[str, str], places: Places) -> Watch:
    name, note = parted(fields.get("desc", ""))
    if fields.get("handler", "0") == "1":
        size = fields.get("memory_search_size", "3")
        address = number_of(fields.get("address", ""), 10)
        if size not in _CHEAT_WIDTHS:
            raise DataTypeError(f"{name}: single bits are not read")
        width, value = _CHEAT_WIDTHS[size], number_of(fields.get("value", "0"), 10)
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
        if kind.width not in _CHEAT_SIZES or kind.kind != "u" or len(kind.endian) > 1:
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
            "memory_search_size": _CHEAT_SIZES[kind.width],
            "address": str(address),
            "value": str(watch.more.get(VALUE, 0)),
            "big_endian": "true" if big else "false",
        }
        return "".join(f'cheat{number}_{key} = "{value}"\n' for key, value in fields.items())

    found, problems = write_each(watches, cheat)
    return "\n".join([f"cheats = {len(found)}\n", *found]), problems


CHEAT_LIST = NotesFormat(".cht", "RetroArch cheats", read_cheats, write_cheats)
