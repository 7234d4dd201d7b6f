"""Raw states of frames just passed, so that stepping back needs few frames to be run again."""

from __future__ import annotations

from collections import OrderedDict

MAX_BYTES = 96 << 20
STEP_FRAMES = 8
"""Frames from one state to the next: rerunning so many takes about as long as restoring a state."""
REACH_FRAMES = 120
"""How far before its target a dense rerun begins to keep states."""


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

    def drop_after(self, frame: int) -> None:
        """Forget what came after ``frame``: other frames will."""
        for later in [f for f in self._states if f > frame]:
            self._drop(later)

    def _drop(self, frame: int) -> None:
        self._bytes -= len(self._states.pop(frame, b""))


def stops_between(start: int, frame: int) -> list[int]:
    """Frames after ``start`` and before ``frame`` whose state a dense rerun keeps."""
    first = max(start + 1, frame - REACH_FRAMES)
    return [f for f in range(first, frame) if f % STEP_FRAMES == 0]
