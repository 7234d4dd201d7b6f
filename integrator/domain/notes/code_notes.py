"""RetroAchievements' code notes: JSON, an object a note with Address and Note.

RAIntegration keeps a list of them, the site answers with the list under ``CodeNotes``. A note says
its size in brackets, such as ``[16-bit BE]`` or ``[24-bit BCD]``; without one, a byte is meant.
"""

from __future__ import annotations

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
    one_line,
    parted,
    read_each,
    write_each,
)
from integrator.domain.notes.places import Places
from integrator.domain.values.datatype import DataType

_SIZE: Final = re.compile(r"\[\s*(8|16|24|32)[ -]?bits?\b([^\]]*)\]\s*", re.IGNORECASE)
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
    if not note:
        return None
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
        note = f"[{' '.join(words)}] {joined(watch)}"
        values = {"User": "", "Address": f"0x{offset:06x}", "Note": note}
        return json.dumps(values, ensure_ascii=False)

    found, problems = write_each(watches, entry)
    body = ",\n".join(f"  {one}" for one in found)
    return NotesWritten(f"[\n{body}\n]\n" if found else "[]\n", problems)


CODE_NOTES = NotesFormat(".json", "RetroAchievements code notes", read_code_notes, write_code_notes)
