"""Finds texts in memory by a table of letters, and writes a range of memory to a file."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase, printable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DocumentError, SearchError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import SMALL_BYTES, decoding, read_text

LEAST_LETTERS: Final = 4  # least for a search by distances; fewer letters match everywhere


@dataclass(frozen=True, slots=True)
class LetterTable:
    """The bytes of each letter or group of letters; ``problems`` are lines that were not read."""

    codes: Mapping[str, bytes]
    problems: tuple[str, ...] = ()

    def encode(self, text: str) -> bytes:
        """Encode a text, longest groups first. Raises SearchError for a letter without bytes."""
        most = max(map(len, self.codes), default=0)
        found, at = b"", 0
        while at < len(text):
            for length in range(min(most, len(text) - at), 0, -1):
                code = self.codes.get(text[at : at + length])
                if code is not None:
                    break
            else:
                raise SearchError(f"the table of letters has no {text[at]!r}")
            found, at = found + code, at + length
        return found


ASCII: Final = LetterTable({letter: letter.encode() for letter in printable})


def parse_table(text: str) -> LetterTable:
    """Parse a ``.tbl`` file with lines such as ``80=A``; lines of control codes are skipped."""
    codes: dict[str, bytes] = {}
    problems: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        entry = re.fullmatch(r"((?:[0-9A-Fa-f]{2}){1,4})=(.+)", line.strip("\r\n").lstrip())
        if entry is not None:
            codes.setdefault(entry[2], bytes.fromhex(entry[1]))
        elif line.strip() and line.lstrip()[0] not in "/*$;#@":
            problems.append(f"line {number}: no entry such as 80=A")
    if not codes:
        raise DocumentError("this is no table of letters: it has no line such as 80=A")
    return LetterTable(codes, tuple(problems[:100]))  # limited: a wrong file has one per line


def read_table(path: Path) -> LetterTable:
    """Read a ``.tbl`` file. Raises DocumentError, which names the file."""
    with decoding(DocumentError, path):
        return parse_table(read_text(path, SMALL_BYTES, "replace"))


def find_bytes(data: NDArray[np.uint8], pattern: bytes, after: int) -> int | None:
    """Return the index of the next match after ``after``, wrapping at the end, or None."""
    raw = data.tobytes()
    at = raw.find(pattern, after + 1)
    at = raw.find(pattern) if at < 0 else at
    return None if at < 0 else at


def find_letters(data: NDArray[np.uint8], text: str, after: int) -> int | None:
    """Find the next bytes with the differences of ``text``, in any code. Raises SearchError."""
    letters = text.lower()
    if not set(letters) <= set(ascii_lowercase):
        raise SearchError("a search by distances takes letters from A to Z alone")
    if len(letters) < LEAST_LETTERS or len(set(letters)) < 2:
        raise SearchError(f"write at least {LEAST_LETTERS} letters, not all the same")
    wanted = np.diff(np.frombuffer(letters.encode(), np.uint8))
    steps = np.diff(data)
    places = len(steps) - len(wanted) + 1
    if places < 1:
        return None
    fits = np.ones(places, np.bool_)
    for at, step in enumerate(wanted):
        fits &= steps[at : at + places] == step
    found = np.flatnonzero(fits)
    if not len(found):
        return None
    later = found[found > after]
    return int(later[0] if len(later) else found[0])


def table_from(text: str, first: int) -> LetterTable:
    """Return the table in which ``text`` begins with the byte ``first``, ignoring case."""
    start = first - ord(text[0].lower()) + ord("a")
    codes = {letter: bytes([(start + place) % 256]) for place, letter in enumerate(ascii_lowercase)}
    return LetterTable(codes | {letter.upper(): code for letter, code in codes.items()})


_ROW: Final = 16


def _text(start: int, data: bytes) -> bytes:
    lines = []
    for at in range(0, len(data), _ROW):
        row = data[at : at + _ROW]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{start + at:08X}  {row.hex(' ').upper():<{3 * _ROW - 1}}  {shown}\n")
    return "".join(lines).encode()


DUMPS: Final[Mapping[str, Callable[[int, bytes], bytes]]] = {  # content by file suffix
    ".bin": lambda _, data: data,
    ".csv": lambda start, data: "".join(
        ("address,value\n", *(f"0x{at:X},{value}\n" for at, value in enumerate(data, start)))
    ).encode(),
    ".txt": _text,
}


def write_dump(path: Path, start: int, data: bytes) -> None:
    """Write memory in the format of the file's suffix. Raises DocumentError, SaveError."""
    if (make := DUMPS.get(path.suffix.lower())) is None:
        raise DocumentError(f"{path}: memory is written to files that end in {', '.join(DUMPS)}")
    write_atomically(path, make(start, data))
