"""How many frames come late; and, run as a program, how many do on this machine by itself.

``python -m integrator.late_frames FPS SECONDS`` is a player that does nothing: it sleeps until each
frame's time. What comes late there is late by the machine, whatever a window does.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

LATE_S: Final = 0.008
_WINDOW_FRAMES: Final = 300


def lateness(numbers: Sequence[int], times: Sequence[float], fps: float) -> NDArray[np.float64]:
    """Seconds by which each frame came after its time.

    A frame's time is that of the console's clock, set anew every few seconds by the frames that
    came soonest, since the game's clock may follow the sound card's.
    """
    offsets = np.array(times) - np.array(numbers) / fps
    parts = np.array_split(offsets, max(1, len(offsets) // _WINDOW_FRAMES))
    return np.concatenate([part - np.percentile(part, 10) for part in parts])


def late_share(numbers: Sequence[int], times: Sequence[float], fps: float) -> float:
    """The share of frames that came LATE_S after their time, or never did."""
    missing = numbers[-1] - numbers[0] + 1 - len(numbers)
    late = int((lateness(numbers, times, fps) > LATE_S).sum())
    return (late + missing) / (len(numbers) + missing)


def main(arguments: Sequence[str]) -> None:
    """Sleep from frame to frame and print the share of late ones."""
    fps, seconds = (float(argument) for argument in arguments)
    began, times = time.monotonic(), list[float]()
    for number in range(round(seconds * fps)):
        time.sleep(max(0.0, began + number / fps - time.monotonic()))
        times.append(time.monotonic())
    sys.stdout.write(json.dumps({"late_share": late_share(range(len(times)), times, fps)}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
