"""Notes on memory: places by name, and reading and writing a file's watches with problems."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeVar

from integrator.domain.errors import AddressError, DataTypeError, DocumentError, DomainError
from integrator.domain.integration.json_files import Watch
from integrator.domain.values.memory import AddressSpace, DataType

_WORK_RAM: Final = re.compile("w?ram|main( ram| memory)?|(m?68k|work) ram")
Entry = TypeVar("Entry")
_REGIONS: Final[Mapping[str, tuple[int, ...]]] = {
    "iwram": (0x3000000,),
    "ewram": (0x2000000,),
    "vram": (0x8000, 0x6000000),
    "palram": (0x5000000,),
    "oam": (0xFE00, 0x7000000),
    "hram": (0xFF80,),
    "sram": (0x6000, 0x700000, 0xE000000),
    "cartram": (0x6000, 0x700000, 0xE000000),
}
"""Possible first addresses of regions by name, on Game Boy, Game Boy Advance, NES and SNES."""
HARDWARE: Final[Mapping[int, frozenset[int]]] = {
    0xFF80: frozenset((0x8000, 0xFE00)),  # Game Boy
    0x3000000: frozenset((0x4000000, 0x5000000, 0x6000000, 0x7000000)),  # Game Boy Advance
}
"""First addresses of registers, pictures and colors, which hold no variables. The key is the
address of a region of their console alone, since the Virtual Boy has work RAM at some of them."""


@dataclass(frozen=True, slots=True)
class Places:
    """The memory of one game and its names; ``read`` returns a variable's current number."""

    space: AddressSpace
    work_ram: int = 0
    variables: Mapping[str, tuple[int, DataType]] = field(default_factory=dict)
    read: Callable[[str], int] | None = None

    def region(self, name: str) -> int | None:
        """Return a region's first address by the name that the core or the console gives it."""
        wanted = name.strip().lower()
        for region in self.space.regions:
            if wanted and region.name.lower() == wanted:
                return region.address
        if _WORK_RAM.fullmatch(wanted):
            return self.work_ram
        mapped = {region.address for region in self.space.regions}
        return next((at for at in _REGIONS.get(wanted, ()) if at in mapped), None)

    def in_domain(self, domain: str, offset: int) -> int:
        """Return the address of an offset in a memory domain. Raises AddressError."""
        buses = {"", "bus", "system bus", "m68k bus", "arm bus"}
        base = 0 if domain.strip().lower() in buses else self.region(domain)
        if base is None:
            raise AddressError(f"this game has no memory called {domain!r} here")
        return self._checked(base + offset)

    def of_offset(self, offset: int, width: int) -> int:
        """Return the address for an offset into work RAM; an offset outside of it is an address."""
        flip = 1 if self.space.overlay is not None and width == 1 else 0
        small, large = self.region("iwram"), self.region("ewram")
        if small is not None and large is not None:
            return self._checked(small + offset if offset < 0x8000 else large + offset - 0x8000)
        address = self.work_ram + (offset ^ flip)
        return address if self.space.region_at(address) else self._checked(offset)

    def to_offset(self, address: int, width: int) -> int:
        """Return the offset that :meth:`of_offset` maps to ``address``. Raises AddressError."""
        small, large = self.region("iwram"), self.region("ewram")
        if small is not None and large is not None:
            offset = address - small if address >= small else address - large + 0x8000
        else:
            offset = address - self.work_ram
            offset ^= 1 if self.space.overlay is not None and width == 1 else 0
        for found in (offset, address):
            with suppress(AddressError):
                if found >= 0 and self.of_offset(found, width) == address:
                    return found
        raise AddressError(f"0x{address:X} is not in the memory that such files count")

    def _checked(self, address: int) -> int:
        self.space.index_of(address)
        return address

    def address(self, text: str) -> int:
        """Return the address that an expression names. Raises AddressError.

        An expression adds and subtracts terms: hexadecimal numbers, names of regions (``ram+20``,
        ``wram:100``) and of variables (``score+2``), and, in brackets, a variable whose current
        number is used as an address (``[pointer]+4``). A name precedes a number of that spelling.
        """
        parts = re.split(r"\s*([+-])\s*", text.strip().replace(":", "+"))
        if not all(parts[::2]):
            raise AddressError(
                f"“{text}” is no address; write an address such as FF00D4, ram+20 or score"
            )
        signed = zip(["+", *parts[1::2]], parts[::2], strict=True)
        total = sum(self._term(term) if sign == "+" else -self._term(term) for sign, term in signed)
        if total < 0:
            raise AddressError(f"{text.strip()} is below zero")
        return total

    def _term(self, term: str) -> int:
        if term.startswith("[") and term.endswith("]"):
            name = term[1:-1].strip()
            if name not in self.variables or self.read is None:
                raise AddressError(f"“[{name}]” needs a variable in the brackets")
            return self.read(name)
        if term in self.variables:
            return self.variables[term][0]
        base = self.region(term)
        if base is not None:
            return base
        number = re.fullmatch(r"(?:0x|\$)?([0-9a-f]{1,16})", term, re.IGNORECASE)
        if number is None:
            own = [region.name.lower() for region in self.space.regions if region.name]
            mapped = (name for name in _REGIONS if self.region(name) is not None)
            known = ", ".join(dict.fromkeys((*own, "ram", *mapped)))
            raise AddressError(
                f"“{term}” is no address, variable or region; regions here are {known}"
            )
        return int(number[1], 16)


MOST_NOTES = 100_000


@dataclass(frozen=True, slots=True)
class NotesRead:
    """The watches of a file, and a message for each entry that could not be read."""

    watches: tuple[Watch, ...]
    problems: tuple[str, ...] = ()


NotesWritten = tuple[str, tuple[str, ...]]
"""The text of a file, and a message for each watch that the file cannot hold."""


@dataclass(frozen=True, slots=True)
class NotesFormat:
    """A format of another program: the end of its file names, its title, its reader and writer."""

    suffix: str
    title: str
    read: Callable[[str, Places], NotesRead]
    write: Callable[[Sequence[Watch], Places], NotesWritten]


def read_each(
    items: Iterable[tuple[str, Entry]],
    read: Callable[[Entry, Places], Watch | None],
    places: Places,
) -> NotesRead:
    """Read entries; an error becomes a problem with the entry's place. Raises DocumentError."""
    watches: list[Watch] = []
    problems: list[str] = []
    for place, entry in items:
        if len(watches) + len(problems) >= MOST_NOTES:
            raise DocumentError(f"more than {MOST_NOTES:,} notes")
        try:
            if (watch := read(entry, places)) is not None:
                watches.append(watch)
        except (DomainError, ValueError) as error:
            problems.append(f"{place}: {error}")
    return NotesRead(tuple(watches), tuple(problems))


def write_each(
    watches: Iterable[Watch], write: Callable[[Watch], str]
) -> tuple[list[str], tuple[str, ...]]:
    """Write watches; an error of ``write`` becomes a problem with the watch's name."""
    texts: list[str] = []
    problems: list[str] = []
    for watch in watches:
        try:
            texts.append(write(watch))
        except DomainError as error:
            problems.append(f"{watch.name or hex(watch.address)}: {error}")
    return texts, tuple(problems)


def lines(text: str) -> Iterable[tuple[str, str]]:
    return ((f"line {number}", line) for number, line in enumerate(text.splitlines(), 1))


def of_lines(
    suffix: str,
    title: str,
    read: Callable[[str, Places], Watch | None],
    write: Callable[[Watch, Places], str],
    head: str = "",
    split: Callable[[str], Iterable[tuple[str, str]]] = lines,
) -> NotesFormat:

    def write_all(watches: Sequence[Watch], places: Places) -> NotesWritten:
        found, problems = write_each(watches, lambda watch: write(watch, places))
        return head + "".join(f"{line}\n" for line in found), problems

    return NotesFormat(suffix, title, lambda text, at: read_each(split(text), read, at), write_all)


def sized(size: int, note: str) -> tuple[DataType, str]:
    """Return a label's type and note: a little-endian number, or a byte with the size noted."""
    if size in (1, 2, 3, 4, 8):
        return DataType.parse("|u1" if size == 1 else f"<u{size}"), note
    return DataType.parse("|u1"), one_line(f"{size} bytes. {note}")


def number_of(text: str, base: int) -> int:
    """Parse a number in decimal or hexadecimal digits. Raises DataTypeError."""
    try:
        return int(text, base)
    except ValueError:
        what = "address in hexadecimal" if base == 16 else "number in decimal"
        raise DataTypeError(f"“{text}” is no {what} digits") from None


def joined(watch: Watch) -> str:
    """Join name and note to one text, for formats without names."""
    return one_line(f"{watch.name}: {watch.note}" if watch.note else watch.name)


def parted(text: str) -> tuple[str, str]:
    """Split a text that :func:`joined` made into name and note; a long text is only a note."""
    name, colon, note = text.strip().partition(": ")
    is_name = colon or len(name) <= 60  # a longer text is a sentence, hence a note
    return (name, note) if is_name else ("", name)


def one_line(text: str) -> str:
    return " ".join(text.split())
