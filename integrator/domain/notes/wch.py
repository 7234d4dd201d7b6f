"""BizHawk's watch lists: a line a watch, its fields parted by tabs.

Address (hexadecimal, within the domain), size (``b``, ``w``, ``d``; ``S`` parts the list), display
(``u``, ``s``, ``h``, ``b``, ``f``, or 1 to 3 for fixed point), 1 for big endian, domain, notes.
"""

from collections.abc import Sequence
from typing import Final

from integrator.domain.errors import DataTypeError
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.model import (
    NotesFormat,
    NotesRead,
    NotesWritten,
    hexadecimal,
    joined,
    lines,
    parted,
    read_each,
    write_each,
)
from integrator.domain.notes.places import Places
from integrator.domain.values.datatype import DataType

_WIDTHS: Final = {"b": 1, "w": 2, "d": 4}
_SIZES: Final = {width: size for size, width in _WIDTHS.items()}
_KINDS: Final = {"u": "u", "h": "u", "b": "u", "s": "i", "f": "f"}
_SHOWN: Final = {"u": "u", "i": "s", "f": "f"}
_FIELDS: Final = 5


def read_wch(text: str, places: Places) -> NotesRead:
    """The watches of a BizHawk watch list."""
    return read_each(lines(text), lambda line: _watch(line, places))


def _watch(line: str, places: Places) -> Watch | None:
    fields = line.split("\t")
    if not line.strip() or line.startswith(("SystemID ", "Domain ")) or fields[1:2] == ["S"]:
        return None
    if len(fields) < _FIELDS:
        raise DataTypeError(f"{_FIELDS + 1} fields parted by tabs are needed, not {len(fields)}")
    address, size, shown, big, domain = fields[:_FIELDS]
    if size not in _WIDTHS or shown not in _KINDS:
        raise DataTypeError(f"numbers of size {size!r} shown as {shown!r} are not known here")
    order = "|" if size == "b" else ">" if big == "1" else "<"
    kind = DataType.parse(f"{order}{_KINDS[shown]}{_WIDTHS[size]}")
    place = places.in_domain(domain, hexadecimal(address))
    return Watch(place, kind, *parted("\t".join(fields[_FIELDS:])))


def write_wch(watches: Sequence[Watch], _: Places) -> NotesWritten:
    """A watch list on the System Bus; BizHawk finds the address there on most consoles."""

    def line(watch: Watch) -> str:
        kind = watch.type
        if kind.width not in _SIZES or kind.kind not in _SHOWN or len(kind.endian) > 1:
            raise DataTypeError(f"BizHawk has no type {kind.spec}")
        big = int(kind.endian == ">")
        fields = (f"{watch.address:06X}", _SIZES[kind.width], _SHOWN[kind.kind], big, "System Bus")
        return "\t".join(map(str, (*fields, joined(watch))))

    found, problems = write_each(watches, line)
    return NotesWritten("".join(f"{line}\n" for line in found), problems)


WCH = NotesFormat(".wch", "BizHawk watch list", read_wch, write_wch)
