"""Undo and redo of changes of the past: each change left a line, to which undo goes back."""

from __future__ import annotations

from integrator.domain.timeline.line import Forgot, Renamed, Switched, TimelineEvent, WentBack
from integrator.domain.timeline.timeline import Timeline


class PastChanges:
    """The names of the lines before and after each change of the past, in order.

    A change is made by an edit of inputs, and by play that goes on from an earlier frame. When the
    user takes up another branch, its own changes are not known, and the list begins anew.
    """

    def __init__(self, log: Timeline) -> None:
        self._log = log
        self._names = [log.current]
        self._at = 0
        log.listen(self._hear)

    @property
    def earlier(self) -> str | None:
        """The line before the newest change; None when there is nothing to undo."""
        return self._names[self._at - 1] if self._at else None

    @property
    def later(self) -> str | None:
        """The line after the change that was undone last; None when there is none."""
        return self._names[self._at + 1] if self._at + 1 < len(self._names) else None

    def _hear(self, event: TimelineEvent) -> None:
        names, at = self._names, self._at
        match event:
            case WentBack(_, str(kept)):
                names[at:] = [kept, self._log.current]
                self._at += 1
            case Switched(name, True) if name in {self.earlier, self.later}:
                self._at = names.index(name)
                names[at], names[self._at] = names[self._at], names[at]
            case Switched():
                self._names, self._at = [self._log.current], 0
            case Renamed(name, new_name):
                self._names = [new_name if known == name else known for known in names]
            case Forgot(name) if name in names:
                gone = names.index(name)
                self._names = names[gone + 1 :] if gone < at else names[:gone]
                self._at = at - gone - 1 if gone < at else at
