"""The undo history of all files of an integration."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Self, TypeAlias

MAX_STATE_BYTES: Final = 64 << 20
"""Limit of the start states in the history, in bytes; beyond it, old edits are dropped."""

Content: TypeAlias = object
"""Content of a file: an immutable value. Two contents are equal if they save the same bytes."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """The content of one file before (``old``) and after (``new``) an edit; None: no such file."""

    file: str
    old: Content | None
    new: Content | None


EditStep: TypeAlias = Mapping[str, Content | None]
"""The contents of an edit's files before the edit or, once it is undone, after it."""


class UndoHistory:
    """Steps to undo or redo; call :meth:`touch` before each change, within :meth:`step`.
    ``content`` returns a file's current content, or None if there is no such file; ``put`` replaces
    it without a step in the history, and removes the file if the content is None."""

    def __init__(
        self, content: Callable[[str], Content | None], put: Callable[[str, Content | None], object]
    ) -> None:
        self._content, self._put = content, put
        self._done: list[EditStep] = []
        self._undone: list[EditStep] = []
        self._open: dict[str, Content | None] | None = None

    @property
    def done(self) -> tuple[EditStep, ...]:
        return tuple(self._done)

    @property
    def undone(self) -> tuple[EditStep, ...]:
        return tuple(self._undone)

    @contextmanager
    def step(self, *, merge: bool = False) -> Iterator[Mapping[str, Content | None]]:
        """Join edits to one step, or to the last step with ``merge``; yield old contents."""
        outer = self._open
        touched: dict[str, Content | None] = {}
        self._open = touched
        try:
            yield touched
        except BaseException:
            for file, old in reversed(touched.items()):
                self._put(file, old)
            raise
        finally:
            self._open = outer
        if outer is None:
            self._push(touched, merge=merge)
        else:
            for file, old in touched.items():
                outer.setdefault(file, old)

    def touch(self, file: str) -> None:
        """Remember the content of a file that is about to change."""
        if self._open is None:
            raise RuntimeError(f"{file} is changed outside of a step")
        if file not in self._open:
            self._open[file] = self._content(file)

    @contextmanager
    def stepping(self, *, back: bool) -> Iterator[tuple[FileChange, ...]]:
        """Undo or redo a step, and yield its changes; if the block raises, restore all files."""
        source, target = (self._done, self._undone) if back else (self._undone, self._done)
        step = source[-1] if source else {}
        now = {file: self._content(file) for file in step}
        try:
            for file in reversed(list(step)) if back else step:
                self._put(file, step[file])
            yield tuple(FileChange(file, now[file], end) for file, end in step.items())
        except BaseException:
            for file, content in now.items():
                self._put(file, content)
            raise
        if step:
            source.pop()
            target.append(now)

    def take_over(self, other: Self) -> None:
        """Continue with the steps of another history, whose files now belong to this one."""
        self._done, self._undone = list(other._done), list(other._undone)

    def _push(self, touched: Mapping[str, Content | None], *, merge: bool) -> None:
        step = {file: old for file, old in touched.items() if old != self._content(file)}
        if not step:
            return
        self._undone.clear()
        if merge and self._done and list(self._done[-1]) == list(step):
            return  # Undoing the last step undoes this one too.
        self._done = [*self._done, step][-200:]
        held = 0
        for index in reversed(range(len(self._done))):
            held += sum(len(each) for each in self._done[index].values() if isinstance(each, bytes))
            if held > MAX_STATE_BYTES and index < len(self._done) - 1:
                del self._done[: index + 1]
                return
