"""Late frames: all of them, and those of times when the machine was quiet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.stall_watch import Span

LATE_S: Final = 0.008
CALM_S: Final = 0.25
_WINDOW_FRAMES: Final = 300


class LateShare(NamedTuple):
    """The share of late frames among those judged, and the share of all frames that these are."""

    late: float
    judged: float


def lateness(numbers: Sequence[int], times: Sequence[float], fps: float) -> NDArray[np.float64]:
    """Seconds by which each frame came after its time.

    A frame's time is that of the console's clock, set again every few seconds by the frames that
    came soonest, since the game's clock may follow the sound card's."""
    offsets = np.array(times) - np.array(numbers) / fps
    parts = np.array_split(offsets, max(1, len(offsets) // _WINDOW_FRAMES))
    return np.concatenate([part - np.percentile(part, 10) for part in parts])


def late_share(
    numbers: Sequence[int], times: Sequence[float], fps: float, stalls: Sequence[Span] = ()
) -> LateShare:
    """The share of frames that came LATE_S after their time, or never did.

    Only frames are counted that were due or on their way while the machine was quiet: not within
    CALM_S of one of ``stalls``, since frames that a stall held up are caught up on for a while."""
    came = np.array(times)
    late = lateness(numbers, times, fps)
    # A frame that was never painted was due since the one before.
    missing = np.diff(np.array(numbers), prepend=numbers[0] - 1) - 1
    due = came - late - missing / fps
    quiet = np.ones(len(came), bool)
    for start, end in stalls:
        quiet &= (due > end + CALM_S) | (came < start - CALM_S)
    wrong = (late > LATE_S).astype(int) + missing
    judged = int((1 + missing)[quiet].sum())
    return LateShare(
        late=float(wrong[quiet].sum() / judged) if judged else 0.0,
        judged=judged / float((1 + missing).sum()),
    )
