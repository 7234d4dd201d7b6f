"""Errors of the domain. Each message names the file, address or JSON path, and a fix."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from libretro_host.errors import IntegratorError as IntegratorError  # noqa: PLC0414 - re-exported
from libretro_host.errors import one_line as one_line  # noqa: PLC0414 - re-exported

MISSING: Final = "there is no such file or folder; check the spelling"
"""The end of every message about a path that does not exist."""
WRITE_CURES: Final = {  # fixes of errors that only a write raises
    errno.EROFS: "the folder is on a read-only file system: save elsewhere",
    errno.ENOSPC: "free some disk space and save again",
    errno.EDQUOT: "free some of your disk quota and save again",
}


class DomainError(IntegratorError):
    """Base of all errors that the domain and the session raise."""


class DataTypeError(DomainError, ValueError):
    """A data type such as ``>u2`` is malformed, or a value does not fit it."""


class AddressError(DomainError, ValueError):
    """An address or span lies outside the mapped memory."""


class DocumentError(DomainError):
    """A file of an integration directory cannot be read, or its content is invalid."""


class SaveError(DomainError):
    """A file could not be written; the old file is unchanged."""


class ChangedOnDiskError(SaveError):
    """Another program changed a file since it was loaded; saving would lose that change."""


def changed_on_disk(path: Path, since: str = "loaded") -> ChangedOnDiskError:
    return ChangedOnDiskError(
        f"{path} was changed by another program since it was {since} and was not overwritten; "
        "reload it, or save with force to replace it"
    )


class ScenarioError(DomainError, ValueError):
    """A scenario refers to something that does not exist, or cannot be evaluated."""


class ScriptError(DomainError):
    """A Lua hook failed; the message has file and line, and one line for each stack frame."""

    _MOST_LINES: Final = 30

    def _bounded(self, message: str) -> str:
        return "\n".join(one_line(line) for line in message.split("\n")[: self._MOST_LINES])


class MovieError(DomainError):
    """A movie cannot be read, or does not fit the game."""


class SearchError(DomainError, ValueError):
    """A search comparison lacks an operand or makes no sense."""


class TimelineError(DomainError, ValueError):
    """The timeline does not hold a requested frame, or cannot read it."""


class SessionError(DomainError):
    """A session could not be opened, or cannot do what was requested."""


class ChoiceError(SessionError):
    """An unknown name was given; the message lists the known ones."""


@contextmanager
def needing(extra: str, fault: str) -> Iterator[None]:
    """Raise SessionError with ``fault`` for a library of an extra that is missing or damaged."""
    try:
        yield
    except ImportError as error:
        raise SessionError(f'{fault}: pip install "retro-integrator[{extra}]"') from error


def reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:  # HDF5's own words name a temporary file
        return os.strerror(error.errno) if error.errno in WRITE_CURES else error.strerror
    if isinstance(error, shutil.Error):  # a text of the first file, as `shutil.copytree` raises it
        return re.sub(r"\[Errno \d+\] |: ['\"].*", "", str(error.args[0][0][-1]))
    if isinstance(error, RecursionError):
        return "nested too deep"
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not {error.encoding.upper()}"
    words = str(error).strip() or type(error).__name__
    return f"no {words}" if isinstance(error, KeyError) else words


def message_of(error: BaseException) -> str:
    """Return the message of any error for the user; an OSError's message includes its file."""
    if isinstance(error, OSError) and error.filename:
        cure = WRITE_CURES.get(error.errno or 0)
        return f"{error.filename}: {reason(error)}" + (f"; {cure}" if cure else "")
    return str(error) if isinstance(error, IntegratorError) else reason(error)
