"""A range of memory as a file: its bytes, a table of addresses and values, or lines to read."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError
from integrator.domain.files.atomic import write_atomically

_ROW: Final = 16


def _csv(start: int, data: bytes) -> bytes:
    rows = (f"0x{start + place:X},{value}\n" for place, value in enumerate(data))
    return "".join(("address,value\n", *rows)).encode()


def _text(start: int, data: bytes) -> bytes:
    lines = []
    for at in range(0, len(data), _ROW):
        row = data[at : at + _ROW]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{start + at:08X}  {row.hex(' ').upper():<{3 * _ROW - 1}}  {shown}\n")
    return "".join(lines).encode()


DUMPS: Final[Mapping[str, Callable[[int, bytes], bytes]]] = {
    ".bin": lambda _, data: data,
    ".csv": _csv,
    ".txt": _text,
}
"""By a file's suffix: the content of the file, from the first address and the bytes."""


def write_dump(path: Path, start: int, data: bytes) -> None:
    """Write memory in the form that the file's name ends with. Raises DocumentError, SaveError."""
    make = DUMPS.get(path.suffix.lower())
    if make is None:
        raise DocumentError(f"{path}: memory is written to files that end in {', '.join(DUMPS)}")
    write_atomically(path, make(start, data))
