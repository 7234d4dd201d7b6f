"""Errors of the domain. Messages name the file, address or JSON path, and the cure."""

from __future__ import annotations


class IntegratorError(Exception):
    """Root of all errors that the domain and the session raise."""


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
    """A scenario refers to something that does not exist or can not be evaluated."""


class ScriptError(IntegratorError):
    """A Lua hook failed; the message has file, line and traceback."""


class MovieError(IntegratorError):
    """A movie can not be read, or does not fit the game."""


class SearchError(IntegratorError, ValueError):
    """A search comparison lacks its operand or makes no sense."""


class TimelineError(IntegratorError, ValueError):
    """A frame that the timeline does not hold was asked for."""


class SessionError(IntegratorError):
    """A session could not be opened or used as asked."""
