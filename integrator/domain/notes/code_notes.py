"""RetroAchievements' code notes: JSON, an object a note with Address and Note.

RAIntegration keeps a list of them, the site answers with the list under ``CodeNotes``. A note says
its size in brackets, such as ``[16-bit BE]`` or ``[24-bit BCD]``; without one, a byte is meant.
RAIntegration keeps notes that are not on the site yet in ``GAME-User.txt``, a line each among the
achievements: ``N0:0x001234:"[16-bit] note"``.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from integrator.domain.errors import DataTypeError, DocumentError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import decoding
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.model import (
    NotesFormat,
    NotesRead,
    NotesWritten,
    hexadecimal,
    joined,
    lines,
    one_line,
    parted,
    read_each,
    write_each,
)
from integrator.domain.notes.places import Places
from integrator.domain.values.datatype import DataType

_SIZE: Final = re.compile(r"\[\s*(8|16|24|32)[ -]?bits?\b([^\]]*)\]\s*", re.IGNORECASE)
_LOCAL: Final = re.compile(r'N0:(0x[0-9a-fA-F]+):"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_MEANT: Final = {"n": " ", "r": " ", "t": " "}
_WORDS: Final = {"i": "signed", "d": "BCD"}
"""Words in the brackets, by the kind of the data type; other numbers are unsigned."""


def read_code_notes(text: str, places: Places) -> NotesRead:
    """The notes of a file. Raises DocumentError when it is no such JSON."""
    with decoding(DocumentError, "these are no code notes"):
        document = parse_json(text)
        entries = document["CodeNotes"] if isinstance(document, Mapping) else document
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            raise DocumentError("these are no code notes: there is no list of them")
    items = {f"note {number}": entry for number, entry in enumerate(entries, 1)}
    return read_each(((place, place) for place in items), lambda at: _watch(items[at], places))


def _watch(entry: Any, places: Places) -> Watch | None:
    if not isinstance(entry, Mapping):
        raise DocumentError("no note with Address and Note")
    with decoding(DocumentError, "no note with Address and Note"):
        address, note = str(entry["Address"]), one_line(str(entry["Note"]))
    return _noted(address, note, places) if note else None


def _noted(address: str, note: str, places: Places) -> Watch:
    size = _SIZE.search(note)
    width = int(size[1]) // 8 if size else 1
    kind = _kind(width, size[2].lower().split() if size else [], places)
    rest = _SIZE.sub("", note, count=1) if size else note
    return Watch(places.of_offset(hexadecimal(address), width), kind, *parted(rest))


def _kind(width: int, words: Sequence[str], places: Places) -> DataType:
    """The data type; where the core swaps bytes within words, plain words are big endian here."""
    big = "be" in words or places.space.overlay is not None
    order = "|" if width == 1 else ">" if big else "<"
    kind = next((kind for kind, word in _WORDS.items() if word.lower() in words), "u")
    return DataType.parse(f"{order}{kind}{width}")


def write_code_notes(watches: Sequence[Watch], places: Places) -> NotesWritten:
    """Notes as RAIntegration keeps them."""

    def entry(watch: Watch) -> str:
        address, note = _entry(watch, places)
        return json.dumps({"User": "", "Address": address, "Note": note}, ensure_ascii=False)

    found, problems = write_each(watches, entry)
    body = ",\n".join(f"  {one}" for one in found)
    return NotesWritten(f"[\n{body}\n]\n" if found else "[]\n", problems)


def _entry(watch: Watch, places: Places) -> tuple[str, str]:
    """Offset and note of a watch. Raises DataTypeError, AddressError."""
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


def read_user_notes(text: str, places: Places) -> NotesRead:
    """The notes among the achievements of a ``-User.txt`` file."""

    def watch(line: str) -> Watch | None:
        match = _LOCAL.fullmatch(line.strip())
        if match is None:
            if line.startswith("N0:"):
                raise DataTypeError('no line such as N0:0x001234:"note"')
            return None
        note = one_line(_ESCAPED.sub(lambda found: _MEANT.get(found[1], found[1]), match[2]))
        return _noted(match[1], note, places) if note else None

    return read_each(lines(text), watch)


def write_user_notes(watches: Sequence[Watch], places: Places) -> NotesWritten:
    """A file of notes alone, with the version that RAIntegration writes today, and no title."""

    def line(watch: Watch) -> str:
        address, note = _entry(watch, places)
        quoted = note.replace("\\", "\\\\").replace('"', '\\"')
        return f'N0:{address}:"{quoted}"'

    found, problems = write_each(watches, line)
    return NotesWritten("".join(f"{line}\n" for line in ("1.3.0.0", "", *found)), problems)


CODE_NOTES = NotesFormat(".json", "RetroAchievements code notes", read_code_notes, write_code_notes)
USER_NOTES = NotesFormat(
    "-User.txt", "RetroAchievements local notes", read_user_notes, write_user_notes
)
