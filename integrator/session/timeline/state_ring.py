"""Raw states of frames just passed, so that stepping back needs few frames to be run again.

Stepping back reaches the first of these states again and again. The frames before it are run again
in small slices, one every few steps, so that no single step has a whole group of frames to run.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

MAX_BYTES = 96 << 20
STEP_FRAMES = 8
"""Frames from one state to the next: rerunning so many takes about as long as restoring a state."""
REACH_FRAMES = 120
"""Distance before its target at which a dense rerun begins to keep states."""
LIVE_STEP_FRAMES = 32
"""Frames from one state to the next while a game is played frame by frame."""
_MANY = 24


@dataclass(frozen=True, slots=True)
class Slice:
    """Frames to run again ahead of need: from ``start`` to ``end``, whose state is to be kept.

    ``state`` is that after ``start``; None means the timeline's, which may be a jump's. ``drops``
    is a frame whose state is not needed after that.
    """

    start: int
    end: int
    state: bytes | None
    drops: int | None = None


class StateRing:
    """States by frame, each as after that frame; the ones put first are dropped first."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._states: OrderedDict[int, bytes] = OrderedDict()
        self._max_bytes = max_bytes
        self._bytes = 0

    def put(self, frame: int, state: bytes) -> None:
        """Keep the state after ``frame``."""
        self._drop(frame)
        self._states[frame] = state
        self._bytes += len(state)
        while self._bytes > self._max_bytes and len(self._states) > 1:
            self._drop(next(iter(self._states)))

    def newest(self, after: int, until: int) -> tuple[int, bytes] | None:
        """The newest (frame, state) of the frames after ``after`` and up to ``until``."""
        frame = max((f for f in self._states if after < f <= until), default=None)
        return None if frame is None else (frame, self._states[frame])

    @property
    def is_cramped(self) -> bool:
        """True when states are so large that only few find room."""
        return self._bytes * _MANY > self._max_bytes * len(self._states)

    def drop(self, frame: int) -> None:
        """Forget the state of a frame, if it is held."""
        self._drop(frame)

    def next_slice(self, frame: int, keyframes: Sequence[int]) -> Slice | None:
        """The slice to run now so that going back from ``frame`` stays smooth; None for no slice.

        ``keyframes`` are the frames of which the timeline keeps states, ascending. Slices fill the
        states from the nearest kept one up to the latest frame without.
        """
        if (frame - 1) % STEP_FRAMES >= STEP_FRAMES // 2:
            return None  # this step has itself more frames to run
        missing = self._latest_missing(frame, keyframes)
        if missing is None:
            return None
        start = keyframes[bisect_right(keyframes, missing) - 1]
        found = self.newest(start, missing)
        start, state = found or (start, None)
        end = start - start % STEP_FRAMES + STEP_FRAMES
        # On a long way only the last part is kept: the ring would run over.
        on_the_way = found is not None and start <= missing - REACH_FRAMES
        return Slice(start, end, state, start if on_the_way else None)

    def _latest_missing(self, frame: int, keyframes: Sequence[int]) -> int | None:
        """The latest frame some way before ``frame`` that a state should be held of but is not."""
        if not keyframes:
            return None
        size = self._bytes // len(self._states) if self._states else 1
        room = max(0, self._max_bytes // max(size, 1) - 2) * STEP_FRAMES
        lowest = max(keyframes[0], frame - min(2 * REACH_FRAMES, room // 2))
        latest = frame - 1 - (frame - 1) % STEP_FRAMES
        for stop in range(latest, lowest, -STEP_FRAMES):
            at = bisect_right(keyframes, stop)
            if stop not in self._states and keyframes[at - 1] != stop:
                return stop
        return None

    def drop_after(self, frame: int) -> None:
        """Forget the states after ``frame``: other frames will take their place."""
        for later in [f for f in self._states if f > frame]:
            self._drop(later)

    def _drop(self, frame: int) -> None:
        self._bytes -= len(self._states.pop(frame, b""))


def stops_before(frame: int) -> list[int]:
    """Frames before ``frame`` whose state a dense rerun keeps."""
    return [f for f in range(max(1, frame - REACH_FRAMES), frame) if f % STEP_FRAMES == 0]
