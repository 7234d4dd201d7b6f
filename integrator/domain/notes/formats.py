"""The table of formats in which notes on memory come and go, most of them a line a note."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from integrator.domain.errors import AddressError, DataTypeError, DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import TEXT_BYTES, decoding, read_text
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.places import (
    NotesFormat,
    NotesRead,
    Places,
    joined,
    lines,
    number_of,
    of_lines,
    one_line,
    parted,
    sized,
)
from integrator.domain.notes.records import CHEAT_LIST, CODE_NOTES, USER_NOTES
from integrator.domain.values.datatype import BYTE, DataType

# -- BizHawk's watch lists: address (hexadecimal, within the domain), size (b, w, d; S parts the
# list), display (u, s, h, b, f, or 1 to 3 for fixed point), 1 for big endian, domain, notes.

_WIDTHS: Final = {"b": 1, "w": 2, "d": 4}
_SIZES: Final = {width: size for size, width in _WIDTHS.items()}
_KINDS: Final = {"u": "u", "h": "u", "b": "u", "s": "i", "f": "f"}
_SHOWN: Final = {"u": "u", "i": "s", "f": "f"}


def _read_wch(line: str, places: Places) -> Watch | None:
    fields = line.split("\t")
    if not line.strip() or line.startswith(("SystemID ", "Domain ")) or fields[1:2] == ["S"]:
        return None
    if len(fields) < 5:
        raise DataTypeError(f"6 fields parted by tabs are needed, not {len(fields)}")
    address, size, shown, big, domain, *notes = fields
    if size not in _WIDTHS or shown not in _KINDS:
        raise DataTypeError(f"numbers of size {size!r} shown as {shown!r} are not known here")
    order = "|" if size == "b" else ">" if big == "1" else "<"
    kind = DataType.parse(f"{order}{_KINDS[shown]}{_WIDTHS[size]}")
    place = places.in_domain(domain, number_of(address, 16))
    return Watch(place, kind, *parted("\t".join(notes)))


def _write_wch(watch: Watch, _: Places) -> str:
    """A line on the System Bus, where BizHawk finds the address on most consoles."""
    kind = watch.type
    if kind.width not in _SIZES or kind.kind not in _SHOWN or len(kind.endian) > 1:
        raise DataTypeError(f"BizHawk has no type {kind.spec}")
    big = int(kind.endian == ">")
    fields = (f"{watch.address:06X}", _SIZES[kind.width], _SHOWN[kind.kind], big, "System Bus")
    return "\t".join(map(str, (*fields, joined(watch))))


# -- FCEUX's name lists: $ADDRESS#name#comment, and $ADDRESS/SIZE#... for arrays. A line that begins
# with a backslash goes on with the comment of the line before.

_NAMED: Final = re.compile(r"\$([0-9A-Fa-f]{1,6})(?:/([0-9A-Fa-f]{1,6}))?#([^#]*)#(.*)")


def _named_lines(text: str) -> Iterable[tuple[str, str]]:
    whole: list[tuple[str, str]] = []
    for place, line in lines(text):
        if line.startswith("\\") and whole:
            before, start = whole.pop()
            whole.append((before, f"{start} {line[1:]}"))
        else:
            whole.append((place, line))
    return whole


def _read_named(line: str, places: Places) -> Watch | None:
    """A name; sizes of 2, 3, 4 and 8 bytes are taken for numbers of the 6502."""
    if not line.strip():
        return None
    match = _NAMED.fullmatch(line.strip())
    if match is None:
        raise DataTypeError("no line such as $00A0#name#comment")
    kind, note = sized(int(match[2] or "1", 16), one_line(match[4]))
    return Watch(places.in_domain("bus", int(match[1], 16)), kind, one_line(match[3]), note)


def _write_named(watch: Watch, _: Places) -> str:
    if watch.address > 0xFFFF:
        raise DataTypeError("FCEUX has addresses up to $FFFF")
    size = f"/{watch.type.width:X}" if watch.type.width > 1 else ""
    name, note = (one_line(text).replace("#", "_") for text in (watch.name, watch.note))
    return f"${watch.address:04X}{size}#{name}#{note}"


# -- Mesen's labels: MEMORY:ADDRESS:name:comment, or MEMORY:FIRST-LAST:... for more bytes. The
# address counts from the start of its memory, such as NesInternalRam or SnesWorkRam. The first
# Mesen has letters: R for the RAM of the NES, W and S for that of the cartridge, P for ROM.

_LABEL: Final = re.compile(r"(\w+):([0-9A-Fa-f]{1,8})(?:-([0-9A-Fa-f]{1,8}))?:([^:]*)(?::(.*))?")
_CONSOLE: Final = re.compile(r"^(Snes|Nes|Gba|Gb|Pce|Sms|Ws)(?=[A-Z])")
_MEMORIES: Final = {
    "R": "ram",
    "InternalRam": "ram",
    "WorkRam": "ram",
    "G": "bus",
    "Memory": "bus",
    "W": "sram",
    "S": "sram",
    "SaveRam": "sram",
    "CartRam": "cartram",
    "HighRam": "hram",
    "VideoRam": "vram",
    "IntWorkRam": "iwram",
    "ExtWorkRam": "ewram",
}


def _read_label(line: str, places: Places) -> Watch | None:
    """A label in memory; one in ROM is a problem, because it has no place in RAM."""
    if not line.strip():
        return None
    match = _LABEL.fullmatch(line.strip())
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


def _write_label(watch: Watch, _: Places) -> str:
    first, name, note = watch.address, one_line(watch.name), one_line(watch.note)
    # The console has 2 KiB of RAM, and a cartridge may have 8 KiB more from 0x6000 on.
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
# name = $ADDRESS (others). A section such as [labels] holds names; ; begins a comment, the note.

_PLACED: Final = re.compile(r"(?:([0-9A-Fa-f]{1,4}):)?\$?([0-9A-Fa-f]{1,8})\s+(\S+)")
_EQUAL: Final = re.compile(r"(\S+)\s*(?:=|\bequ\b)\s*(?:\$|0x)([0-9A-Fa-f]{1,8})", re.IGNORECASE)


def _symbol_lines(text: str) -> Iterable[tuple[str, str]]:
    """The lines in sections of names, and the headings of others, which are problems."""
    named = True
    for place, line in lines(text):
        body = line.partition(";")[0].strip()
        if body.startswith("["):
            named = body.lower() in {"[labels]", "[symbols]", "[ramsymbols]"}
            if not named:
                yield place, body
        elif body and named:
            yield place, line


def _read_symbol(line: str, places: Places) -> Watch:
    """A name in memory; one in ROM is a problem, because it has no place in RAM."""
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
            return Watch(found, BYTE, name, one_line(note))
    raise AddressError(f"{name} at {address:04X} is not in this game's memory")


def _write_symbol(watch: Watch, _: Places) -> str:
    if not watch.name.strip():
        raise DataTypeError("a symbol needs a name")
    name = "_".join(watch.name.split()).replace(";", "_")
    note = one_line(watch.note)
    place = f"{watch.address >> 16:02X}:{watch.address & 0xFFFF:04X}"
    return f"{place} {name} ; {note}" if note else f"{place} {name}"


# -- the table -------------------------------------------------------------------------------

NOTES_FORMATS: Final[tuple[NotesFormat, ...]] = (
    of_lines(".wch", "BizHawk watch list", _read_wch, _write_wch),
    CODE_NOTES,
    USER_NOTES,
    of_lines(".nl", "FCEUX name list", _read_named, _write_named, split=_named_lines),
    of_lines(".mlb", "Mesen labels", _read_label, _write_label),
    of_lines(
        ".sym", "Symbols of an assembler", _read_symbol, _write_symbol, "[labels]\n", _symbol_lines
    ),
    CHEAT_LIST,
)


def format_of(path: Path) -> NotesFormat:
    """The format by the end of a file's name. Raises DocumentError for another."""
    for one in NOTES_FORMATS:
        if path.name.lower().endswith(one.suffix.lower()):
            return one
    known = ", ".join(one.suffix for one in NOTES_FORMATS)
    raise DocumentError(f"{path}: notes on memory are files that end in {known}")


def read_notes(path: Path, places: Places) -> NotesRead:
    """Read a file of notes. Raises DocumentError, which names the file."""
    known = format_of(path)
    with decoding(DocumentError, path):
        return known.read(read_text(path, TEXT_BYTES, "replace").removeprefix("\ufeff"), places)


def write_notes(path: Path, watches: Sequence[Watch], places: Places) -> tuple[str, ...]:
    """Write a file of notes; returns its problems. Raises DocumentError, SaveError."""
    text, problems = format_of(path).write(watches, places)
    write_atomically(path, text.encode())
    return problems
