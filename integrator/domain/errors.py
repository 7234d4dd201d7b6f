"""Errors of the domain. Messages name the file, address or JSON path, and the cure."""

from __future__ import annotations

from typing import Final

LONGEST_MESSAGE: Final = 600
"""Characters of a message. Files may hold names of megabytes, and messages quote names."""


def one_line(text: str, longest: int = LONGEST_MESSAGE) -> str:
    """``text`` on one line; a long text loses its middle, because the cure stands at its end.

    Line ends and control characters, which terminals obey, are shown as escapes.
    """
    if len(text) > longest:
        text = f"{text[: longest * 2 // 3]} [...] {text[-(longest // 3) :]}"
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in text)


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


class IntegratorError(Exception):
    """Root of all errors that the domain and the session raise. Each says one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(self._bounded(message))

    def _bounded(self, message: str) -> str:
        return one_line(message)


class DataTypeError(IntegratorError, ValueError):
    """A data type such as ``>u2`` is malformed, or a value does not fit it."""


class AddressError(IntegratorError, ValueError):
    """An address or span lies outside the mapped memory."""


class DocumentError(IntegratorError):
    """A file of an integration directory can not be read, or says something invalid."""


class SaveError(IntegratorError):
    """A file could not be written; the old one is untouched."""


class ChangedOnDiskError(SaveError):
    """A file was changed by something else since it was loaded; saving would lose that change."""


class ScenarioError(IntegratorError, ValueError):
    """A scenario refers to something that does not exist, or can not be evaluated."""


class ScriptError(IntegratorError):
    """A Lua hook failed; the message has file and line, and a line for each place of the stack."""

    _MOST_LINES: Final = 30

    def _bounded(self, message: str) -> str:
        return "\n".join(one_line(line) for line in message.split("\n")[: self._MOST_LINES])


class MovieError(IntegratorError):
    """A movie can not be read, or does not fit the game."""


class SearchError(IntegratorError, ValueError):
    """A search comparison lacks its operand or makes no sense."""


class TimelineError(IntegratorError, ValueError):
    """A frame that the timeline does not hold was asked for."""


class SessionError(IntegratorError):
    """A session could not be opened or used as asked."""
