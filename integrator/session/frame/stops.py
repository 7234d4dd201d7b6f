"""Rules of the runner: when play pauses, and how many frames are run at once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from integrator.session.frame.result import FrameResult, PlayStopped

MemoryStop: TypeAlias = Callable[[int], str | None]
"""Called with each frame's number: the change of memory on that frame in words, or None."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """Stop after a frame with a change of ``variables``, or of ``memory``, or done."""

    variables: frozenset[str] = frozenset()
    done: bool = False
    memory: MemoryStop | None = field(default=None, compare=False)

    def __bool__(self) -> bool:
        return self.done or bool(self.variables) or self.memory is not None

    def stopped_by(self, result: FrameResult) -> PlayStopped | None:
        before = result.previous or {}
        changed = None if self.memory is None else self.memory(result.number)
        if changed is not None:
            return PlayStopped(f"Paused: {changed} at frame {result.number}", number=result.number)
        for name in sorted(self.variables & before.keys() & result.values.keys()):
            old, new = before[name], result.values[name]
            if old != new:
                text = f"Paused: {name} changed from {old} to {new} at frame {result.number}"
                return PlayStopped(text, number=result.number, variable=name)
        if self.done and result.outcome.done:
            text = f"Paused: the episode is done at frame {result.number}"
            return PlayStopped(text, number=result.number)
        return None


TARGET_S: Final = 0.010
"""The wished time of a chunk: commands wait as long, and 60 pictures a second fit in."""

MOST_FRAMES: Final = 64
_WEIGHT: Final = 0.5
_MOST_GROWTH: Final = 2


class ChunkSize:
    """The size of the next chunk, by the time of the last ones; at most twofold the last."""

    def __init__(self) -> None:
        self.frames = 1
        self._frame_s = 0.0

    def took(self, frames: int, seconds: float) -> None:
        """A chunk of ``frames`` frames was run in ``seconds``."""
        measured = seconds / frames
        self._frame_s += _WEIGHT * (measured - self._frame_s) if self._frame_s else measured
        wanted = int(TARGET_S / max(self._frame_s, TARGET_S / MOST_FRAMES))
        self.frames = min(max(1, wanted), self.frames * _MOST_GROWTH, MOST_FRAMES)
