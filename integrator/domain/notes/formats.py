"""The formats of other programs in which notes on memory are read and written."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from integrator.domain.errors import AddressError, DataTypeError, DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import TEXT_BYTES, decoding, read_text
from integrator.domain.integration.json_files import Watch
from integrator.domain.notes import places as common
from integrator.domain.values.memory import BYTE, DataType

# -- BizHawk's watch lists: address (hexadecimal, within the domain), size (b, w, d; S is a
# separator), display (u, s, h, b, f, or 1 to 3 for fixed point), 1 for big endian, domain, notes.

_WIDTHS: Final = {"b": 1, "w": 2, "d": 4}
_SIZES: Final = {width: size for size, width in _WIDTHS.items()}
_KINDS: Final = {"u": "u", "h": "u", "b": "u", "s": "i", "f": "f"}
_SHOWN: Final = {"u": "u", "i": "s", "f": "f"}


def _read_wch(line: str, places: common.Places) -> Watch | None:
    fields = line.split("\t")
    if not line.strip() or line.startswith(("SystemID ", "Domain ")) or fields[1:2] == ["S"]:
        return None
    if len(fields) < 5:
        raise DataTypeError(f"6 fields separated by tabs are needed, not {len(fields)}")
    address, size, shown, big, domain, *notes = fields
    if size not in _WIDTHS or shown not in _KINDS:
        raise DataTypeError(f"numbers of size {size!r} shown as {shown!r} are not known here")
    order = "|" if size == "b" else ">" if big == "1" else "<"
    kind = DataType.parse(f"{order}{_KINDS[shown]}{_WIDTHS[size]}")
    place = places.in_domain(domain, common.number_of(address, 16))
    return Watch(place, kind, *common.parted("\t".join(notes)))


def _write_wch(watch: Watch, _: common.Places) -> str:
    """Write a line with the domain System Bus, which has all addresses on most consoles."""
    kind = watch.type
    if kind.width not in _SIZES or kind.kind not in _SHOWN or len(kind.endian) > 1:
        raise DataTypeError(f"BizHawk has no type {kind.spec}")
    big = int(kind.endian == ">")
    fields = (f"{watch.address:06X}", _SIZES[kind.width], _SHOWN[kind.kind], big, "System Bus")
    return "\t".join(map(str, (*fields, common.joined(watch))))


# -- FCEUX's name lists: $ADDRESS#name#comment, and $ADDRESS/SIZE#... for arrays. A line that begins
# with a backslash continues the comment of the previous line.


def _named_lines(text: str) -> Iterable[tuple[str, str]]:
    whole: list[tuple[str, str]] = []
    for place, line in common.lines(text):
        if line.startswith("\\") and whole:
            before, start = whole.pop()
            whole.append((before, f"{start} {line[1:]}"))
        else:
            whole.append((place, line))
    return whole


def _read_named(line: str, places: common.Places) -> Watch | None:
    """Read a name; sizes of 2, 3, 4 and 8 bytes are taken for the 6502's numbers."""
    if not line.strip():
        return None
    match = re.fullmatch(r"\$([0-9A-Fa-f]{1,6})(?:/([0-9A-Fa-f]{1,6}))?#([^#]*)#(.*)", line.strip())
    if match is None:
        raise DataTypeError("no line such as $00A0#name#comment")
    kind, note = common.sized(int(match[2] or "1", 16), common.one_line(match[4]))
    return Watch(places.in_domain("bus", int(match[1], 16)), kind, common.one_line(match[3]), note)


def _write_named(watch: Watch, _: common.Places) -> str:
    if watch.address > 0xFFFF:
        raise DataTypeError("FCEUX has addresses up to $FFFF")
    size = f"/{watch.type.width:X}" if watch.type.width > 1 else ""
    name, note = (common.one_line(text).replace("#", "_") for text in (watch.name, watch.note))
    return f"${watch.address:04X}{size}#{name}#{note}"


# -- Mesen's labels: MEMORY:ADDRESS:name:comment, or MEMORY:FIRST-LAST:... for more bytes. The
# address counts from the start of its memory, such as NesInternalRam or SnesWorkRam. The first
# Mesen has letters instead: R is the RAM of the NES, W and S are the cartridge's RAM, P is ROM.

_LABEL: Final = re.compile(r"(\w+):([0-9A-Fa-f]{1,8})(?:-([0-9A-Fa-f]{1,8}))?:([^:]*)(?::(.*))?")
_MEMORIES: Final = {
    **dict.fromkeys(("R", "InternalRam", "WorkRam"), "ram"),
    **dict.fromkeys(("G", "Memory"), "bus"),
    **dict.fromkeys(("W", "S", "SaveRam"), "sram"),
    "CartRam": "cartram",
    "HighRam": "hram",
    "VideoRam": "vram",
    "IntWorkRam": "iwram",
    "ExtWorkRam": "ewram",
}


def _read_label(line: str, places: common.Places) -> Watch | None:
    """Read a label in memory; a label in ROM is a problem, because it has no place in RAM."""
    if not line.strip():
        return None
    match = _LABEL.fullmatch(line.strip())
    if match is None:
        raise DataTypeError("no line such as NesInternalRam:0075:name")
    memory, first = match[1], int(match[2], 16)
    # Mesen's work RAM of the NES is the cartridge's RAM.
    plain = re.sub(r"^(Snes|Nes|Gba|Gb|Pce|Sms|Ws)(?=[A-Z])", "", memory)
    known = "sram" if memory == "NesWorkRam" else _MEMORIES.get(plain)
    if known is None:
        raise AddressError(f"{memory} is not in this game's memory")
    note = common.one_line((match[5] or "").replace("\\n", " "))
    kind, note = common.sized(int(match[3] or match[2], 16) - first + 1, note)
    return Watch(places.in_domain(known, first), kind, common.one_line(match[4]), note)


def _write_label(watch: Watch, _: common.Places) -> str:
    first, name, note = watch.address, common.one_line(watch.name), common.one_line(watch.note)
    # The console has 2 KiB of RAM, and a cartridge may have another 8 KiB from 0x6000 on.
    if first < 0x800:
        memory = "R"
    elif 0x6000 <= first < 0x8000:
        memory, first = "W", first - 0x6000
    else:
        raise DataTypeError("labels are written for the RAM of the NES alone")
    width = watch.type.width
    last = f"-{first + width - 1:04X}" if width > 1 else ""
    return f"{memory}:{first:04X}{last}:{name.replace(':', '_')}" + (f":{note}" if note else "")


# -- Symbols of assemblers: BANK:ADDRESS name (WLA, RGBDS and no$gmb), ADDRESS name and
# name = $ADDRESS (others). A section such as [labels] holds names; a comment after ; is the note.

_PLACED: Final = re.compile(r"(?:([0-9A-Fa-f]{1,4}):)?\$?([0-9A-Fa-f]{1,8})\s+(\S+)")
_EQUAL: Final = re.compile(r"(\S+)\s*(?:=|\bequ\b)\s*(?:\$|0x)([0-9A-Fa-f]{1,8})", re.IGNORECASE)


def _symbol_lines(text: str) -> Iterable[tuple[str, str]]:
    """Yield the lines of sections of names, and the headings of other sections as problems."""
    named = True
    for place, line in common.lines(text):
        body = line.partition(";")[0].strip()
        if body.startswith("["):
            named = body.lower() in {"[labels]", "[symbols]", "[ramsymbols]"}
            if not named:
                yield place, body
        elif body and named:
            yield place, line


def _read_symbol(line: str, places: common.Places) -> Watch:
    """Read a name in memory; a name in ROM is a problem, because it has no place in RAM."""
    body, _, note = (part.strip() for part in line.partition(";"))
    if body.startswith("["):
        raise DataTypeError(f"section {body.lower()} holds no addresses")
    if (placed := _PLACED.fullmatch(body)) is not None:
        bank, address, name = int(placed[1] or "0", 16), int(placed[2], 16), placed[3]
    elif (equal := _EQUAL.fullmatch(body)) is not None:
        bank, address, name = 0, int(equal[2], 16), equal[1]
    else:
        raise DataTypeError("no line such as 00:C0A0 name")
    for found in (bank << 16 | address, address):
        if places.space.region_at(found) is not None:
            return Watch(found, BYTE, name, common.one_line(note))
    raise AddressError(f"{name} at {address:04X} is not in this game's memory")


def _write_symbol(watch: Watch, _: common.Places) -> str:
    if not watch.name.strip():
        raise DataTypeError("a symbol needs a name")
    name = "_".join(watch.name.split()).replace(";", "_")
    note = common.one_line(watch.note)
    place = f"{watch.address >> 16:02X}:{watch.address & 0xFFFF:04X}"
    return f"{place} {name} ; {note}" if note else f"{place} {name}"


# -- RetroAchievements' code notes: JSON, one object per note with Address and Note. RAIntegration
# keeps a list of them; the site's reply has the list under CodeNotes. A note has its size in
# brackets, such as [16-bit BE] or [24-bit BCD]; without a size, it is a byte. RAIntegration keeps
# notes that are not on the site yet in GAME-User.txt: N0:0x001234:"[16-bit] note".

_NOTE_SIZE: Final = re.compile(r"\[\s*(8|16|24|32)[ -]?bits?\b([^\]]*)\]\s*", re.IGNORECASE)
_NOTE_WORDS: Final = {"i": "signed", "d": "BCD"}
"""The word in the brackets for each kind of number; other numbers are unsigned."""


def _read_notes(text: str, places: common.Places) -> common.NotesRead:
    with decoding(DocumentError, "these are no code notes"):
        document = parse_json(text)
        entries = document["CodeNotes"] if isinstance(document, Mapping) else document
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise DocumentError("these are no code notes: there is no list of them")
    items = ((f"note {number}", entry) for number, entry in enumerate(entries, 1))
    return common.read_each(items, _read_note, places)


def _read_note(entry: Any, places: common.Places) -> Watch | None:
    if not isinstance(entry, Mapping):
        raise DocumentError("no note with Address and Note")
    with decoding(DocumentError, "no note with Address and Note"):
        address, note = str(entry["Address"]), common.one_line(str(entry["Note"]))
    return _noted(address, note, places) if note else None


def _noted(address: str, note: str, places: common.Places) -> Watch:
    size = _NOTE_SIZE.search(note)
    width = int(size[1]) // 8 if size else 1
    words = size[2].lower().split() if size else []
    # Words without BE are big endian if the core swaps the bytes within words.
    big = "be" in words or places.space.overlay is not None
    order = "|" if width == 1 else ">" if big else "<"
    kind = next((kind for kind, word in _NOTE_WORDS.items() if word.lower() in words), "u")
    place = places.of_offset(common.number_of(address, 16), width)
    rest = _NOTE_SIZE.sub("", note, count=1)
    return Watch(place, DataType.parse(f"{order}{kind}{width}"), *common.parted(rest))


def _write_notes(watches: Sequence[Watch], places: common.Places) -> common.NotesWritten:

    def entry(watch: Watch) -> str:
        address, note = _note_parts(watch, places)
        return json.dumps({"User": "", "Address": address, "Note": note}, ensure_ascii=False)

    found, problems = common.write_each(watches, entry)
    body = ",\n".join(f"  {one}" for one in found)
    return f"[\n{body}\n]\n" if found else "[]\n", problems


def _note_parts(watch: Watch, places: common.Places) -> tuple[str, str]:
    kind = watch.type
    if kind.kind not in ("u", *_NOTE_WORDS) or kind.width > 4 or len(kind.endian) > 1:
        raise DataTypeError(f"code notes have no type {kind.spec}")
    words = [f"{8 * kind.width}-bit"]
    if kind.width > 1 and kind.endian == ">" and places.space.overlay is None:
        words.append("BE")
    if kind.width > 1 and kind.endian != ">" and places.space.overlay is not None:
        raise DataTypeError("code notes have no little-endian words on this console")
    words += [_NOTE_WORDS[kind.kind]] if kind.kind in _NOTE_WORDS else []
    offset = places.to_offset(watch.address, kind.width)
    return f"0x{offset:06x}", f"[{' '.join(words)}] {common.joined(watch)}"


def _read_local(line: str, places: common.Places) -> Watch | None:
    match = re.fullmatch(r'N0:(0x[0-9a-fA-F]+):"((?:[^"\\]|\\.)*)"', line.strip())
    if match is None:
        if line.startswith("N0:"):
            raise DataTypeError('no line such as N0:0x001234:"note"')
        return None
    # Escaped n, r and t become spaces; other escaped characters stay.
    plain = re.sub(r"\\(.)", lambda found: " " if found[1] in "nrt" else found[1], match[2])
    note = common.one_line(plain)
    return _noted(match[1], note, places) if note else None


def _write_local(watch: Watch, places: common.Places) -> str:
    address, note = _note_parts(watch, places)
    quoted = note.replace("\\", "\\\\").replace('"', '\\"')
    return f'N0:{address}:"{quoted}"'


# -- RetroArch's cheats: cheat0_desc = "..." and so on, with one number per cheat. A cheat is either
# an address of the core's memory, which RetroArch writes itself (handler 1), or a code. Only codes
# that spell address and value (7E0DBF:63) are read.

_CHEAT_WIDTHS: Final = {"3": 1, "4": 2, "5": 4}
_CHEAT_SIZES: Final = {width: size for size, width in _CHEAT_WIDTHS.items()}
VALUE: Final = "value"  # key in a watch's `more` for the number that the cheat writes


def _read_cheats(text: str, places: common.Places) -> common.NotesRead:
    """Read the addresses that cheats write. Raises DocumentError for too many cheats."""
    cheats: dict[str, dict[str, str]] = {}
    first: dict[str, str] = {}
    for place, line in common.lines(text):
        match = re.fullmatch(r"cheat(\d{1,6})_(\w+)\s*=\s*(.*)", line.strip())
        if match is not None:
            number, key, value = match.groups()
            cheats.setdefault(number, {})[key] = value.strip().strip('"')
            first.setdefault(number, place)
    if len(cheats) > common.MOST_NOTES:
        raise DocumentError(f"more than {common.MOST_NOTES:,} cheats")
    items = ((f"{first[number]}, cheat {number}", fields) for number, fields in cheats.items())
    return common.read_each(items, _cheat, places)


def _cheat(fields: Mapping[str, str], places: common.Places) -> Watch:
    name, note = common.parted(fields.get("desc", ""))
    if fields.get("handler", "0") == "1":
        size = fields.get("memory_search_size", "3")
        address = common.number_of(fields.get("address", ""), 10)
        if size not in _CHEAT_WIDTHS:
            raise DataTypeError(f"{name}: single bits are not read")
        width, value = _CHEAT_WIDTHS[size], common.number_of(fields.get("value", "0"), 10)
        big = fields.get("big_endian") == "true" or places.space.overlay is not None
        place = places.of_offset(address, width)
    else:
        numbers = r"([0-9A-Fa-f]{4,8})[: -]([0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})"
        code = re.fullmatch(numbers, fields.get("code", ""))
        if code is None:
            raise DataTypeError(f"{name}: code {fields.get('code', '')!r} names no address")
        width, value, big = len(code[2]) // 2, int(code[2], 16), places.space.overlay is not None
        place = places.in_domain("bus", int(code[1], 16))
    order = "|" if width == 1 else ">" if big else "<"
    return Watch(place, DataType.parse(f"{order}u{width}"), name, note, {VALUE: value})


def _write_cheats(watches: Sequence[Watch], places: common.Places) -> common.NotesWritten:
    """Write cheats, all switched off, that hold the number in each watch's ``more[VALUE]``."""
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
            "desc": common.joined(watch).replace('"', "'"),
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

    found, problems = common.write_each(watches, cheat)
    return "\n".join([f"cheats = {len(found)}\n", *found]), problems


NOTES_FORMATS: Final[tuple[common.NotesFormat, ...]] = (
    common.of_lines(".wch", "BizHawk watch list", _read_wch, _write_wch),
    common.NotesFormat(".json", "RetroAchievements code notes", _read_notes, _write_notes),
    # The head has the version that RAIntegration currently writes, and no title.
    common.of_lines(
        "-User.txt", "RetroAchievements local notes", _read_local, _write_local, "1.3.0.0\n\n"
    ),
    common.of_lines(".nl", "FCEUX name list", _read_named, _write_named, split=_named_lines),
    common.of_lines(".mlb", "Mesen labels", _read_label, _write_label),
    common.of_lines(
        ".sym", "Symbols of an assembler", _read_symbol, _write_symbol, "[labels]\n", _symbol_lines
    ),
    common.NotesFormat(".cht", "RetroArch cheats", _read_cheats, _write_cheats),
)


def format_of(path: Path) -> common.NotesFormat:
    """Return the format by the end of a file's name. Raises DocumentError if none fits."""
    for one in NOTES_FORMATS:
        if path.name.lower().endswith(one.suffix.lower()):
            return one
    known = ", ".join(one.suffix for one in NOTES_FORMATS)
    raise DocumentError(f"{path}: notes on memory are files that end in {known}")


def read_notes(path: Path, places: common.Places) -> common.NotesRead:
    """Read a file of notes. Raises DocumentError, which names the file."""
    known = format_of(path)
    with decoding(DocumentError, path):
        return known.read(read_text(path, TEXT_BYTES, "replace").removeprefix("\ufeff"), places)


def write_notes(path: Path, watches: Sequence[Watch], places: common.Places) -> tuple[str, ...]:
    """Write a file of notes and return its problems. Raises DocumentError, SaveError."""
    text, problems = format_of(path).write(watches, places)
    write_atomically(path, text.encode())
    return problems
