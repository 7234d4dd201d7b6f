"""Work beside the game: done in its order, long parts on a thread that lives while any waits."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

_MOST_WAITING: Final = 16
"""So much work may wait; who gives more then waits for the thread, so that memory stays bounded."""


class Beside:
    """Does work in the order in which one thread gives it."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], object]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def do(self, work: Callable[[], object], *, is_long: bool) -> None:
        """Do ``work`` now, or on the thread when it is long or other work is still under way."""
        with self._changed:
            if is_long or self._thread is not None:
                self._changed.wait_for(lambda: len(self._waiting) < _MOST_WAITING)
                self._waiting.append(work)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="pack-timeline")
                    self._thread.start()
                return
        work()

    def finish(self) -> None:
        """Wait until all is done."""
        with self._changed:
            thread = self._thread
        if thread is not None:
            thread.join()

    def give_up(self) -> None:
        """Drop the work that waits, and wait for what is under way."""
        with self._changed:
            self._waiting.clear()
        self.finish()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.notify_all()
                if not self._waiting:
                    self._thread = None
                    return
                work = self._waiting.popleft()
            work()
