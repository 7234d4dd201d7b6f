"""Notices when the machine stands still: on a shared one, a processor may be taken away.

The module run with ``CPU SECONDS`` sleeps on one processor for a millisecond again and again, and
prints when it slept for longer, and when the processor's stolen time grew (proc(5), "steal").
Lateness of a window in such a moment tells nothing about the window."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, Self

from libretro_host.processes import children

STALL_S: Final = 0.005
"""A sleep that ends so late is the machine's doing: a process that slept goes first."""

_NAP_S: Final = 0.001
_LOOK_S: Final = 0.02
_STEAL_FIELD: Final = 8
_STAT: Final = Path("/proc/stat")

Span = tuple[float, float]
"""Beginning and end, by time.monotonic()."""


class StallWatch:
    """Watches every processor for ``seconds``, in processes of its own."""

    def __init__(self, seconds: float) -> None:
        self.watchers = [
            children.start(
                children.module_command("scripts.stall_watch", cpu, seconds),
                stdout=subprocess.PIPE,
            )
            for cpu in sorted(os.sched_getaffinity(0))
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for watcher in self.watchers:
            with watcher:
                watcher.kill()

    def stalls(self) -> list[Span]:
        """The stalls of all processors; waits until the time is over."""
        return [
            (start, end)
            for watcher in self.watchers
            for start, end in json.loads(watcher.communicate()[0])
        ]


def watch(cpu: int, seconds: float) -> list[Span]:
    """Print the times when ``cpu`` was taken away, or woke this process over STALL_S late."""
    os.sched_setaffinity(0, {cpu})
    # Without the right to it, this process may have to wait a little for who computes.
    with contextlib.suppress(PermissionError):
        os.nice(-20)
    found: list[Span] = []
    looked, stolen = time.monotonic(), stolen_ticks(cpu)
    end = looked + seconds
    while (slept := time.monotonic()) < end:
        time.sleep(_NAP_S)
        woke = time.monotonic()
        stood_still = woke - slept > _NAP_S + STALL_S
        if stood_still or woke - looked > _LOOK_S:
            now = stolen_ticks(cpu)
            if stood_still:
                found.append((slept + _NAP_S, woke))
            elif now > stolen:
                found.append((looked, woke))
            looked, stolen = woke, now
    return found


def stolen_ticks(cpu: int) -> int:
    """Time that the host ran something else while ``cpu`` had work, in hundredths of a second."""
    rows = (line.split() for line in _STAT.read_text().splitlines())
    return next(int(row[_STEAL_FIELD]) for row in rows if row[0] == f"cpu{cpu}")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(watch(int(sys.argv[1]), float(sys.argv[2]))) + "\n")
