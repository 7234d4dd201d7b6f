"""Errors of the domain. Messages name the file, address or JSON path, and the cure."""

from pathlib import Path
from typing import Final

from libretro_host.errors import IntegratorError, one_line

__all__ = ["IntegratorError", "one_line"]  # the names of others that are imported from here

MISSING: Final = "there is no such file or folder; check the spelling"
"""The end of every message on a path that does not exist."""


class DomainError(IntegratorError):
    """Root of all errors that the domain and the session raise."""


class DataTypeError(DomainError, ValueError):
    """A data type such as ``>u2`` is malformed, or a value does not fit it."""


class AddressError(DomainError, ValueError):
    """An address or span lies outside the mapped memory."""


class DocumentError(DomainError):
    """A file of an integration directory cannot be read, or says something invalid."""


class SaveError(DomainError):
    """A file could not be written; the old one is untouched."""


class ChangedOnDiskError(SaveError):
    """A file was changed by something else since it was loaded; saving would lose that change."""


def changed_on_disk(path: Path, since: str = "loaded") -> ChangedOnDiskError:
    return ChangedOnDiskError(
        f"{path} was changed by another program since it was {since} and was not overwritten; "
        "reload it, or save with force to replace it"
    )


class ScenarioError(DomainError, ValueError):
    """A scenario refers to something that does not exist, or cannot be evaluated."""


class ScriptError(DomainError):
    """A Lua hook failed; the message has file and line, and a line for each place of the stack."""

    _MOST_LINES: Final = 30

    def _bounded(self, message: str) -> str:
        return "\n".join(one_line(line) for line in message.split("\n")[: self._MOST_LINES])


class MovieError(DomainError):
    """A movie cannot be read, or does not fit the game."""


class SearchError(DomainError, ValueError):
    """A search comparison lacks its operand or makes no sense."""


class TimelineError(DomainError, ValueError):
    """A frame that the timeline does not hold was asked for."""


class SessionError(DomainError):
    """A session could not be opened or used as asked."""


class ChoiceError(SessionError):
    """A name is none of those that there are; the message lists them."""


def reason(error: BaseException) -> str:
    """The error's message in a few words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, RecursionError):
        return "nested too deep"
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not {error.encoding.upper()}"
    words = str(error).strip() or type(error).__name__
    return f"no {words}" if isinstance(error, KeyError) else words


def message_of(error: BaseException) -> str:
    """The message of an error that ended a piece of work, with the file of Python's own errors."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {reason(error)}"
    return str(error) if isinstance(error, IntegratorError) else reason(error)
