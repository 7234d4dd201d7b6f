"""Tells commands, paths and typing errors apart before a command reads its arguments."""

import difflib
from collections.abc import Collection
from pathlib import Path

from integrator.domain.errors import MISSING, DomainError, SessionError

_OPEN = "open"


class UnknownCommandError(DomainError):
    """A first word that is neither a command nor a file."""


def with_command(arguments: list[str], commands: Collection[str]) -> list[str]:
    """``arguments`` with the command's name in front: ``integrator PATH`` opens the window.

    Options alone are left to the program as a whole. Raises UnknownCommandError for a word that is
    neither a command nor a path, SessionError for a missing path.
    """
    if not arguments:
        return [_OPEN]
    first = arguments[0]
    if first.startswith("-") or first in commands:
        return arguments
    from integrator.session.setup.roots import game_at  # noqa: PLC0415 - commands do without

    if not game_at(first).exists():
        _refuse(first, commands)
    return [_OPEN, *arguments]


def require_path(path: Path) -> None:
    """Raise SessionError for a missing path."""
    if not path.exists():
        raise SessionError(f"{path}: {MISSING}")


def _refuse(word: str, commands: Collection[str]) -> None:
    path = Path(word)
    if path.suffix or path.name != word:  # as no command has such a suffix
        require_path(path)
    near = " or ".join(difflib.get_close_matches(word, commands, 3))
    cure = f"did you mean {near}?" if near else "integrator --help lists the commands"
    raise UnknownCommandError(f"{word}: there is no such command or file; {cure}")
