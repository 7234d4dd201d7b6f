"""A file of notes: the watches in it, and each line that could not be read or written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from integrator.domain.errors import DataTypeError, DocumentError, DomainError
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.places import Places
from integrator.domain.values.datatype import DataType

MOST_NOTES = 100_000
_MOST_NAME = 60


@dataclass(frozen=True, slots=True)
class NotesRead:
    """Watches of a file, and a problem in words for each line that gave none."""

    watches: tuple[Watch, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotesWritten:
    """The text of a file, and a problem in words for each watch that it cannot hold."""

    text: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotesFormat:
    """A format of another program: how its files end, who makes them, its reader and writer."""

    suffix: str
    title: str
    read: Callable[[str, Places], NotesRead]
    write: Callable[[Sequence[Watch], Places], NotesWritten]


def read_each(items: Iterable[tuple[str, str]], read: Callable[[str], Watch | None]) -> NotesRead:
    """Read (place, text) pairs; errors become problems that name it. Raises DocumentError."""
    watches: list[Watch] = []
    problems: list[str] = []
    for place, text in items:
        if len(watches) + len(problems) >= MOST_NOTES:
            raise DocumentError(f"more than {MOST_NOTES:,} notes")
        try:
            watch = read(text)
        except (DomainError, ValueError) as error:
            problems.append(f"{place}: {error}")
        else:
            watches += [watch] if watch is not None else []
    return NotesRead(tuple(watches), tuple(problems))


def write_each(
    watches: Iterable[Watch], write: Callable[[Watch], str]
) -> tuple[list[str], tuple[str, ...]]:
    """Write watches; an error of ``write`` becomes a problem that names the watch."""
    texts: list[str] = []
    problems: list[str] = []
    for watch in watches:
        try:
            texts.append(write(watch))
        except DomainError as error:
            problems.append(f"{watch.name or hex(watch.address)}: {error}")
    return texts, tuple(problems)


def lines(text: str) -> Iterable[tuple[str, str]]:
    """The lines of a text with their places."""
    return ((f"line {number}", line) for number, line in enumerate(text.splitlines(), 1))


def of_lines(
    suffix: str,
    title: str,
    read: Callable[[str, Places], Watch | None],
    write: Callable[[Watch, Places], str],
    head: str = "",
    split: Callable[[str], Iterable[tuple[str, str]]] = lines,
) -> NotesFormat:
    """A format with a line a note, behind ``head``."""

    def write_all(watches: Sequence[Watch], places: Places) -> NotesWritten:
        found, problems = write_each(watches, lambda watch: write(watch, places))
        return NotesWritten(head + "".join(f"{line}\n" for line in found), problems)

    return NotesFormat(
        suffix,
        title,
        lambda text, at: read_each(split(text), lambda line: read(line, at)),
        write_all,
    )


def sized(size: int, note: str) -> tuple[DataType, str]:
    """The type of a label of some bytes: a little-endian number, or a byte with a note of more."""
    if size in (1, 2, 3, 4, 8):
        return DataType.parse("|u1" if size == 1 else f"<u{size}"), note
    return DataType.parse("|u1"), one_line(f"{size} bytes. {note}")


def hexadecimal(text: str) -> int:
    """A number written in hexadecimal digits. Raises DataTypeError."""
    try:
        return int(text, 16)
    except ValueError:
        raise DataTypeError(f"“{text}” is no address in hexadecimal digits") from None


def decimal(text: str) -> int:
    """A number written in decimal digits. Raises DataTypeError."""
    try:
        return int(text)
    except ValueError:
        raise DataTypeError(f"“{text}” is no number in decimal digits") from None


def joined(watch: Watch) -> str:
    """Name and note as one text, for formats that have no names."""
    return one_line(f"{watch.name}: {watch.note}" if watch.note else watch.name)


def parted(text: str) -> tuple[str, str]:
    """The name and note that :func:`joined` put together; a long text is all note."""
    name, colon, note = text.strip().partition(": ")
    if colon or len(name) <= _MOST_NAME:
        return name, note
    return "", name


def one_line(text: str) -> str:
    """A text without line ends, tabs and blanks at its ends."""
    return " ".join(text.split())
