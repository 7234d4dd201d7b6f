"""A listener of a runner that keeps everything it is told and waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeVar

from integrator.session.frame.result import Event, FrameResult

PATIENCE_S: Final = 60.0
"""More than a loaded machine needs for anything here."""

E = TypeVar("E", bound=Event)


class Listener:
    """Keeps frames and events; raises ``broken`` once on the runner's thread when it is set."""

    def __init__(self) -> None:
        self.frames: list[FrameResult] = []
        self.events: list[Event] = []
        self.broken: Exception | None = None
        self._told = threading.Condition()

    def on_frame(self, result: FrameResult) -> None:
        """Keep a frame."""
        if self.broken is not None:
            error, self.broken = self.broken, None
            raise error
        with self._told:
            self.frames.append(result)
            self._told.notify_all()

    def on_event(self, event: Event) -> None:
        """Keep an event."""
        with self._told:
            self.events.append(event)
            self._told.notify_all()

    def wait(self, condition: Callable[[], bool]) -> None:
        """Return as soon as the condition holds; fail after PATIENCE_S."""
        with self._told:
            assert self._told.wait_for(condition, PATIENCE_S), (self.frames[-1:], self.events)

    def wait_for_event(self, kind: type[E], after: int = 0) -> E:
        """The newest event of a kind among those that followed the first ``after`` events."""

        def found() -> list[E]:
            return [event for event in self.events[after:] if isinstance(event, kind)]

        self.wait(lambda: bool(found()))
        return found()[-1]

    def wait_for_frames(self, count: int, since: int | None = None) -> None:
        """Return once ``count`` frames followed the first ``since``, or came after this call.

        Frames that a command asks for may come before the call, so those need ``since``."""
        target = (len(self.frames) if since is None else since) + count
        self.wait(lambda: len(self.frames) >= target)
