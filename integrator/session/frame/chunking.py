"""The number of frames that are run at once when the game goes as fast as the core can."""

from typing import Final

TARGET_S: Final = 0.010
"""The wished time of a chunk: commands wait as long, and 60 pictures a second fit in."""

MOST_FRAMES: Final = 64
_WEIGHT: Final = 0.5
_MOST_GROWTH: Final = 2


class ChunkSize:
    """The size of the next chunk, from how long the last ones took.

    It begins with one frame and grows at most twofold a chunk: one that takes long is felt.
    """

    def __init__(self) -> None:
        self.frames = 1
        self._frame_s = 0.0

    def took(self, frames: int, seconds: float) -> None:
        """A chunk of ``frames`` frames was run in ``seconds``."""
        measured = seconds / frames
        self._frame_s += _WEIGHT * (measured - self._frame_s) if self._frame_s else measured
        wanted = int(TARGET_S / max(self._frame_s, TARGET_S / MOST_FRAMES))
        self.frames = min(max(1, wanted), self.frames * _MOST_GROWTH, MOST_FRAMES)
