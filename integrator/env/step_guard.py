"""Guards the steps of an environment: one caller at a time, and no step after one that failed."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from integrator.domain.errors import SessionError


class StepGuard:
    """A context in which one thread uses an environment; other threads get a SessionError.

    A step that does not end, because it failed or was interrupted (Ctrl+C), leaves emulators
    at different frames. No step follows it before a reset.
    """

    def __init__(self) -> None:
        self._pid, self._lock = os.getpid(), threading.RLock()
        self._missing: str | None = "call reset() before step()"

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise SessionError(
                "another thread is using this environment; step it in one thread, or make an "
                "environment for each"
            )

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def begin(self) -> None:
        """A reset begins, which is the way out of a step that did not end."""
        self._missing = "the last reset() did not end; call reset() again"

    def check(self) -> None:
        """Raise SessionError before `reset`, and after a step without an end."""
        if self._missing is not None:
            raise SessionError(self._missing)

    def step(self) -> None:
        """A step begins. Raises SessionError as :meth:`check`."""
        self.check()
        self._missing = "the last step failed or was interrupted; call reset() before step()"

    def end(self) -> None:
        self._missing = None

    @contextmanager
    def waited_for(self) -> Iterator[None]:
        """A turn that begins when the other thread's has ended."""
        if self._pid != os.getpid():
            # A thread that held the lock is not in this fork.
            self._pid, self._lock = os.getpid(), threading.RLock()
        with self._lock:
            yield
