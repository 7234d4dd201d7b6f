"""Which frames come late, and which of them because the machine stood still.

On a shared machine, a processor may be taken away for longer than a frame. ``late_frames.py CPU
SECONDS`` watches for it: it sleeps on one processor for a millisecond again and again, and prints
when it slept for longer. Where a window's frame comes late as well, nobody can tell what the window
would have done.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

LATE_S: Final = 0.008
STALL_S: Final = 0.005
"""A sleep that ends so late is the machine's doing: a process that slept goes first."""

_NAP_S: Final = 0.001
_WINDOW_FRAMES: Final = 300

Span = tuple[float, float]
"""From when to when, by time.monotonic()."""


def lateness(numbers: Sequence[int], times: Sequence[float], fps: float) -> NDArray[np.float64]:
    """Seconds by which each frame came after its time.

    A frame's time is that of the console's clock, set anew every few seconds by the frames that
    came soonest, since the game's clock may follow the sound card's.
    """
    offsets = np.array(times) - np.array(numbers) / fps
    parts = np.array_split(offsets, max(1, len(offsets) // _WINDOW_FRAMES))
    return np.concatenate([part - np.percentile(part, 10) for part in parts])


def late_share(
    numbers: Sequence[int], times: Sequence[float], fps: float, stalls: Sequence[Span] = ()
) -> float:
    """The share of frames that came LATE_S after their time, or never did.

    Frames that were due or on their way in one of ``stalls`` are not counted as late.
    """
    came = np.array(times)
    late = lateness(numbers, times, fps)
    # The frames that were never painted were due since the one before.
    missing = np.diff(np.array(numbers), prepend=numbers[0] - 1) - 1
    due = came - late - missing / fps
    excused = np.zeros(len(came), bool)
    for start, end in stalls:
        excused |= (due <= end) & (came >= start)
    wrong = (late > LATE_S).astype(int) + missing
    return float(wrong[~excused].sum() / (len(came) + missing.sum()))


class StallWatch:
    """Watches every processor for ``seconds``, in processes of its own."""

    def __init__(self, seconds: float) -> None:
        # The file alone: with the whole package it would take a second to start.
        command = [sys.executable, "-P", __file__]
        self._watchers = [
            subprocess.Popen([*command, str(cpu), str(seconds)], stdout=subprocess.PIPE, text=True)
            for cpu in sorted(os.sched_getaffinity(0))
        ]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for watcher in self._watchers:
            with watcher:
                watcher.kill()

    def stalls(self) -> list[Span]:
        """What was seen; waits until the time is over."""
        return [
            (start, end)
            for watcher in self._watchers
            for start, end in json.loads(watcher.communicate()[0])
        ]


def watch(cpu: int, seconds: float) -> list[Span]:
    """The spans longer than STALL_S in which ``cpu`` did not wake this process in time."""
    os.sched_setaffinity(0, {cpu})
    with contextlib.suppress(
        PermissionError
    ):  # then it may have to wait for who computes, a little
        os.nice(-20)
    found: list[Span] = []
    end = time.monotonic() + seconds
    while (slept := time.monotonic()) < end:
        time.sleep(_NAP_S)
        woke = time.monotonic()
        if woke - slept > _NAP_S + STALL_S:
            found.append((slept + _NAP_S, woke))
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(watch(int(sys.argv[1]), float(sys.argv[2]))) + "\n")
