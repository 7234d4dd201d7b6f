"""Deadlines of child processes, without time in which the machine let them wait; their pulse."""

import math
import mmap
import os
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from libretro_host.processes.kernel import ThreadTime, anonymous_file, thread_times

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


_PULSE_EVERY_MS: Final = 250
_BYTES: Final = 16
STARTING_FRAMES: Final = 10
"""The first frames after a load, in which cores do what they put off: parallel_n64 starts its
recompiler and its video plug-in in the second frame, which takes it some 3.7 seconds of work."""


class Pulse:
    """Two uint64 in shared memory, which the shims of a process write; see ``lh_set_pulse``."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.memory = mmap.mmap(fd, _BYTES)
        self._numbers = np.frombuffer(self.memory, np.uint64)

    @classmethod
    def create(cls) -> "Pulse":
        """The pulse of no core yet. Raises OSError."""
        fd = anonymous_file()
        os.ftruncate(fd, _BYTES)
        return cls(fd)

    def read(self) -> tuple[int, int]:
        """A number that each call of a core makes odd and its end even, and the frames run."""
        calls, frames = self._numbers.tolist()
        return calls, frames

    def close(self) -> None:
        os.close(self.fd)


class PulseDeadline:
    """Ends the wait when one call of a core takes longer than ``limit_ms``; other work may.

    All of the work may take ``whole_limit_ms``.
    """

    def __init__(
        self,
        pid: int,
        pulse: Pulse,
        limit_ms: float,
        start_limit_ms: float,
        whole_limit_ms: float = math.inf,
    ) -> None:
        self._pid, self._pulse = pid, pulse
        self._limits_ms = start_limit_ms, limit_ms
        self._calls = -1
        self._whole_limit_ms = whole_limit_ms
        self._whole: Deadline | None = None
        self._deadline: Deadline | None = None

    def _next(self) -> Deadline | None:
        """The deadline that comes first."""
        both = [each for each in (self._deadline, self._whole) if each is not None]
        return min(both, key=Deadline.left_ms, default=None)

    @property
    def limit_ms(self) -> float:
        first = self._next()
        return math.inf if first is None else first.limit_ms

    def left_ms(self) -> float:
        first = self._next()
        return math.inf if first is None else first.left_ms()

    def patience_ms(self) -> float:
        return max(0.0, min(self.left_ms(), _PULSE_EVERY_MS))

    def look(self) -> None:
        """See if a core is at the same call as at the last look."""
        if self._whole is None and self._whole_limit_ms < math.inf:
            self._whole = Deadline(self._pid, lambda: self._whole_limit_ms)
        calls, frames = self._pulse.read()
        if calls != self._calls:
            self._calls, self._deadline = calls, None
            if calls % 2:
                limit_ms = self._limits_ms[frames >= STARTING_FRAMES]
                self._deadline = Deadline(self._pid, lambda: limit_ms)
        for deadline in filter(None, (self._deadline, self._whole)):
            deadline.look()
