"""Host classes for inside a worker process, each with one fault that toycore cannot have."""

from __future__ import annotations

import gc
import os
import struct
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np
from fake_host import FakeHost
from numpy.typing import NDArray

from libretro_host.host import CapturePlan, CoreInfo, CoreOption, LoadRequest, RamChanges, RunResult
from libretro_host.processes import kernel
from libretro_host.processes.links import PipeStream


def answers() -> int:
    """The descriptor on which this process answers its parent."""
    if kernel.PORTABLE:
        streams = [each for each in gc.get_objects() if isinstance(each, PipeStream)]
        return streams[0]._outgoing.fileno()
    return int(sys.argv[1].split(",")[0])


class Liar(FakeHost):
    """Writes over its own connection, as a core does whose pointers go astray."""

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        os.write(answers(), b"\xff" * 64)
        return super().run(inputs, plan)


class Bungler(FakeHost):
    """Raises an error that no host should."""

    def reset(self) -> None:
        raise ValueError("no such reset")


class WrongAnswers(FakeHost):
    """Answers in good form and wrongly: the save directory's name says how."""

    lie = ""

    def load(self, request: LoadRequest) -> CoreInfo:
        self.lie = request.save_dir.name if request.save_dir else ""
        info = super().load(request)
        return replace(info, state_bytes=-1) if self.lie == "info" else info

    @property
    def info(self) -> CoreInfo:
        info = super().info
        wrong: Any = {
            "rate": replace(info.av, fps=float("nan")),
            "no rate": replace(info.av, fps="fast"),  # type: ignore[arg-type] # the lie
            "av": None,
        }
        return replace(info, av=wrong[self.lie]) if self.lie in wrong else info

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        result = super().run(inputs, plan)
        assert result.frame is not None
        wrong: dict[str, Any] = {
            "none": None,
            "number": 5,
            "frames": replace(result, frames=result.frames + 1),
            "ram": replace(result, ram=np.zeros((1, 5), np.uint8)),
            "no ram": replace(result, ram=None),
            "picture": replace(result, frame=replace(result.frame, width=1 << 30)),
            "pixels": replace(result, frame=replace(result.frame, height=2)),
            "messages": replace(result, messages=(5,)),  # type: ignore[arg-type] # the lie
            "lag": replace(result, lag=(result.frames,)),
            "offsets": replace(result, changes=_far_away(result.changes)),
        }
        lie: RunResult = wrong.get(self.lie, result)
        return lie

    def serialize(self) -> bytes:
        wrong: dict[str, Any] = {"state": 5, "long state": bytes((16 << 20) + 1)}
        lie: bytes = wrong.get(self.lie, super().serialize())
        return lie

    def read_ram(self) -> NDArray[np.uint8]:
        wrong: dict[str, Any] = {"flat ram": np.zeros(3, np.uint8), "ram of floats": np.zeros(4096)}
        lie: NDArray[np.uint8] = wrong.get(self.lie, super().read_ram())
        return lie

    def options(self) -> tuple[CoreOption, ...]:
        wrong: dict[str, Any] = {"options": 7, "option": (CoreOption(*[1] * 6),)}  # type: ignore[arg-type] # the lie
        lie: tuple[CoreOption, ...] = wrong.get(self.lie, super().options())
        return lie

    def reset(self) -> None:
        super().reset()
        return 3 if self.lie == "result" else None  # type: ignore[return-value] # the lie


class Twice(FakeHost):
    """Answers a reset twice, so that the next call gets the second answer."""

    def reset(self) -> None:
        text = b'{"result":null,"number":2}'
        os.write(answers(), struct.pack("<I", len(text)) + text)


class Forker(FakeHost):
    """Makes a copy of its process in each run, which comes back from it like the process itself."""

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        os.fork()
        return super().run(inputs, plan)


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


class SlowStarterThatHangs(SlowStarter):
    """Comes back from reset long after its deadline, also where its parent looks late."""

    def reset(self) -> None:
        _work(60.0)


class Chatterer(FakeHost):
    """Prints and prints and does not come back from reset."""

    def reset(self) -> None:
        while True:
            os.write(1, b"still here\n")


def _far_away(changes: RamChanges | None) -> RamChanges | None:
    if changes is None:
        return None
    return replace(changes, offsets=changes.offsets + np.uint32(1 << 20))


def _work(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
