"""The pulse of the cores in another process, and the deadline of a call that it shows."""

import math
import mmap
import os
from typing import Final

import numpy as np

from libretro_host.processes.deadline import Deadline
from libretro_host.processes.kernel import anonymous_file

_LOOK_EVERY_MS: Final = 250
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
    """Ends the wait when one call of a core takes longer than ``limit_ms``; other work may."""

    def __init__(self, pid: int, pulse: Pulse, limit_ms: float, start_limit_ms: float) -> None:
        self._pid, self._pulse = pid, pulse
        self._limits_ms = start_limit_ms, limit_ms
        self._calls = -1
        self.limit_ms = limit_ms
        self._deadline: Deadline | None = None

    def left_ms(self) -> float:
        return math.inf if self._deadline is None else self._deadline.left_ms()

    def patience_ms(self) -> float:
        return max(0.0, min(self.left_ms(), _LOOK_EVERY_MS))

    def look(self) -> None:
        """See if a core is at the same call as at the last look."""
        calls, frames = self._pulse.read()
        if calls != self._calls:
            self._calls, self._deadline = calls, None
            if calls % 2:
                self.limit_ms = self._limits_ms[frames >= STARTING_FRAMES]
                self._deadline = Deadline(self._pid, lambda: self.limit_ms)
        if self._deadline is not None:
            self._deadline.look()
