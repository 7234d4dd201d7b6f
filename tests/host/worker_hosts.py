"""Host classes for inside a worker process, each with one fault that toycore can not have."""

from __future__ import annotations

import os
import sys
import time

import numpy as np
from fake_host import FakeHost
from numpy.typing import NDArray

from libretro_host.frame import RunResult
from libretro_host.host import CapturePlan

SOCKET = 1
"""Place of the socket's number among the worker's arguments."""


class Liar(FakeHost):
    """Writes over its own connection, as a core does whose pointers go astray."""

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        os.write(int(sys.argv[SOCKET]), b"\xff" * 64)
        return super().run(inputs, plan)


class Bungler(FakeHost):
    """Raises what no host should."""

    def reset(self) -> None:
        raise ValueError("no such reset")


class Stubborn(FakeHost):
    """Does not come back from close."""

    def close(self) -> None:
        time.sleep(600)


class SlowStarter(FakeHost):
    """Works for a while in its second run and in reset."""

    runs = 0

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        self.runs += 1
        if self.runs == 2:
            _work(0.3)
        return super().run(inputs, plan)

    def reset(self) -> None:
        _work(0.3)


class Chatterer(FakeHost):
    """Prints and prints and does not come back from reset."""

    def reset(self) -> None:
        while True:
            os.write(1, b"still here\n")


def _work(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
