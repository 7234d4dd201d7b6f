"""Which frames come late, and which of them because the machine stood still."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.stall_watch import Span

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
