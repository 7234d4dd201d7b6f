"""The table of formats in which notes on memory come and go."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import TEXT_BYTES, read_text
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.cheat_list import CHEAT_LIST
from integrator.domain.notes.code_notes import CODE_NOTES, USER_NOTES
from integrator.domain.notes.mesen_labels import MESEN_LABELS
from integrator.domain.notes.model import NotesFormat, NotesRead
from integrator.domain.notes.name_list import NAME_LIST
from integrator.domain.notes.places import Places
from integrator.domain.notes.symbols import SYMBOLS
from integrator.domain.notes.wch import WCH

NOTES_FORMATS: Final[tuple[NotesFormat, ...]] = (
    WCH,
    CODE_NOTES,
    USER_NOTES,
    NAME_LIST,
    MESEN_LABELS,
    SYMBOLS,
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
    try:
        return known.read(read_text(path, TEXT_BYTES, "replace").removeprefix("\ufeff"), places)
    except OSError as error:
        raise DocumentError(f"{path}: not readable ({error.strerror})") from error
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from error


def write_notes(path: Path, watches: Sequence[Watch], places: Places) -> tuple[str, ...]:
    """Write a file of notes; returns its problems. Raises DocumentError, SaveError."""
    written = format_of(path).write(watches, places)
    write_atomically(path, written.text.encode())
    return written.problems
