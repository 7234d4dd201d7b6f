"""The deadline of a child process, extended by the time in which the machine let it wait.

On a loaded machine a core is slow without being hung. Linux tells for each thread how long it was
ready to run while other programs had the processors; that time is not counted. Other systems do not
tell, so there all time counts.
"""

import time
from collections.abc import Callable

from libretro_host.processes.kernel import ThreadTime, thread_times

_LOOK_EVERY_MS = 100
"""Waits are looked up this often, and not at all for answers that come sooner."""


class Deadline:
    """Runs for ``limit_ms`` of a process's own time, again at each change of ``progress``."""

    def __init__(
        self,
        pid: int,
        limit_ms: Callable[[], float],
        progress: Callable[[], object] = lambda: None,
    ) -> None:
        self._pid = pid
        self._limit_ms = limit_ms
        self._progress = progress
        self._begin()

    def _begin(self) -> None:
        self._seen = self._progress()
        self.limit_ms = self._limit_ms()
        self._started_s = time.monotonic()
        self._next_look_s = 0.0
        self._threads: dict[str, _Waits] | None = None
        self._waited_s = 0.0

    def left_ms(self) -> float:
        """Milliseconds until the deadline, correct while :meth:`look` is called."""
        spent_s = time.monotonic() - self._started_s - self._waited_s
        return self.limit_ms - spent_s * 1000

    def patience_ms(self) -> float:
        return max(0.0, min(self.left_ms(), _LOOK_EVERY_MS))

    def look(self) -> None:
        """Read how long the process waited for a processor; the first call marks the beginning."""
        now_s = time.monotonic()
        if self._threads is not None and now_s < self._next_look_s:
            return  # the core is talkative: each line that it logs brings us here
        if self._progress() != self._seen:
            self._begin()
        self._next_look_s = now_s + _LOOK_EVERY_MS / 1000
        times = thread_times(self._pid)
        if self._threads is None:
            self._threads = {name: _Waits(each, now_s) for name, each in times.items()}
            return
        nothing = ThreadTime(0.0, 0.0, ready=True)
        # Threads wait at the same time: only the longest wait is sure not to count any time twice.
        for name, each in times.items():
            waits = self._threads.setdefault(name, _Waits(nothing, now_s))
            self._waited_s = max(self._waited_s, waits.until(each, now_s))


class _Waits:
    """The waits of one thread since it was first looked at."""

    def __init__(self, first: ThreadTime, now_s: float) -> None:
        self._before_s = first.waited_s
        self._last, self._moved_s = first, now_s

    def until(self, latest: ThreadTime, now_s: float) -> float:
        """Seconds that the thread waited until now, with a wait that goes on."""
        if not latest.ready or latest != self._last:
            self._moved_s = now_s
        self._last = latest
        return latest.waited_s - self._before_s + now_s - self._moved_s
