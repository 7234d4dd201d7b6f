"""Deadlines of child processes, without time in which the machine let them wait; their pulse."""

import math
import mmap
import os
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from libretro_host.processes.kernel import ThreadTime, thread_times

LOOK_EVERY_MS = 100
"""Waits are looked up this often, and not at all for answers that come sooner."""


class Deadline:
    """Runs for ``limit_ms`` of a process's own time, again at each change of ``progress``."""

    def __init__(
        self, pid: int, limit_ms: Callable[[], float], progress: Callable[[], object] = lambda: None
    ) -> None:
        self._pid = pid
        self._limit_ms = limit_ms
        self._progress = progress
        self._begin()

    def _begin(self) -> None:
        self._seen = self._progress()
        self.limit_ms = self._limit_ms()
        self._started_s = time.monotonic()
        self._next_look_s = self._waited_s = 0.0
        # Of each thread its waits before the first look, its latest times, and their last change.
        self._threads: dict[str, tuple[float, ThreadTime, float]] = {}

    def left_ms(self) -> float:
        """Milliseconds until the deadline, correct while :meth:`look` is called."""
        spent_s = time.monotonic() - self._started_s - self._waited_s
        return self.limit_ms - spent_s * 1000

    def look(self) -> None:
        """Read how long the process waited for a processor; the first call marks the beginning."""
        now_s = time.monotonic()
        if now_s < self._next_look_s:
            return  # the core is talkative: each line that it logs brings us here
        if self._progress() != self._seen:
            self._begin()
        self._next_look_s = now_s + LOOK_EVERY_MS / 1000
        is_first = not self._threads
        # Threads wait at the same time: only the longest wait is sure not to count any time twice.
        for name, each in thread_times(self._pid).items():
            new = (each.waited_s if is_first else 0.0, each, now_s)
            before_s, latest, moved_s = self._threads.get(name, new)
            if not each.ready or each != latest:
                moved_s = now_s
            self._threads[name] = before_s, each, moved_s
            # With a wait that goes on.
            waited_s = each.waited_s - before_s + now_s - moved_s
            self._waited_s = max(self._waited_s, waited_s)


STARTING_FRAMES: Final = 10
"""The first frames after a load, in which cores do what they put off: parallel_n64 starts its
recompiler and its video plug-in in the second frame, which takes it some 3.7 seconds of work."""


class Pulse:
    """Two uint64 in shared memory, which the shims of a process write; see ``lh_set_pulse``."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.memory = mmap.mmap(fd, 16)
        self._numbers = np.frombuffer(self.memory, np.uint64)

    def read(self) -> tuple[int, int]:
        """A number that each call of a core makes odd and its end even, and the frames run."""
        calls, frames = self._numbers.tolist()
        return calls, frames

    def close(self) -> None:
        os.close(self.fd)


def pulse_deadlines(
    pid: int, pulse: Pulse, limit_ms: float, start_limit_ms: float, whole_limit_ms: float
) -> tuple[Deadline, ...]:
    """Deadlines of one call of a core, in which other work may last longer, and of all work."""

    def call_limit_ms() -> float:
        calls, frames = pulse.read()
        if not calls % 2:
            return math.inf
        return start_limit_ms if frames < STARTING_FRAMES else limit_ms

    call = Deadline(pid, call_limit_ms, lambda: pulse.read()[0])
    return (call,) if whole_limit_ms == math.inf else (call, Deadline(pid, lambda: whole_limit_ms))
