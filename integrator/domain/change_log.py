"""Undo and redo of changes to named things: whole scripts, start states, scenario files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, Protocol, TypeAlias, TypeVar

T = TypeVar("T")
Change: TypeAlias = tuple[T | None, T | None]
"""What a thing was before and after; None where there was none."""


class History(Protocol):
    """What can take its own edits back: a JSON document, scripts, states."""

    @property
    def undo_depth(self) -> int:
        """How many edits can be taken back now."""

    @property
    def can_redo(self) -> bool:
        """Whether an edit was taken back."""

    def undo(self) -> bool:
        """Take back the last edit; False when there is none."""

    def redo(self) -> bool:
        """Do again what was taken back; False when there is nothing."""


class ChangeLog(Generic[T]):
    """The steps that can be taken back, and those that were.

    A step is one or several things that changed at once, by name. ``put`` gets a name and what to
    put there (None removes it); when it raises, the step stays where it is.
    """

    def __init__(self, put: Callable[[str, T | None, T | None], object], limit: int) -> None:
        """``put(name, now, then)`` puts ``then`` in the place of ``now``."""
        self._put = put
        self._limit = limit
        self._undo: list[Mapping[str, Change[T]]] = []
        self._redo: list[Mapping[str, Change[T]]] = []

    @property
    def undo_depth(self) -> int:
        """How many steps can be taken back now."""
        return len(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether a step was taken back."""
        return bool(self._redo)

    def note(self, changes: Mapping[str, Change[T]]) -> None:
        """Keep a step that has been made."""
        self._undo = [*self._undo[-self._limit + 1 :], dict(changes)]
        self._redo.clear()

    def undo(self) -> bool:
        """Take back the last step; False when there is none."""
        if not self._undo:
            return False
        for name, (before, after) in self._undo[-1].items():
            self._put(name, after, before)
        self._redo.append(self._undo.pop())
        return True

    def redo(self) -> bool:
        """Make the step again that was taken back last; False when there is none."""
        if not self._redo:
            return False
        for name, (before, after) in self._redo[-1].items():
            self._put(name, before, after)
        self._undo.append(self._redo.pop())
        return True
