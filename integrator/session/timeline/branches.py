"""Branches as the window shows them: a small picture, and differences from the present line."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.line import TimelineEvent
from integrator.domain.timeline.timeline import Timeline
from libretro_host.host import Frame

Thumbnail = NDArray[np.uint8]  # a small picture: uint8 of shape (height, width, 3)

THUMBNAIL_WIDTH = 160


@dataclass(frozen=True, slots=True)
class LineFacts:
    """One of two compared lines; ``rewards``, float32 (frames, players), and ``done`` frames are
    those after the shared frames, ``values`` the newest variables."""

    name: str
    length: int
    rewards: NDArray[np.float32]
    done: tuple[int, ...]
    values: Mapping[str, int]
    picture: Thumbnail | None


@dataclass(frozen=True, slots=True)
class BranchComparison:
    """The present line and a kept one, which are equal up to frame ``shared_frames``."""

    shared_frames: int
    here: LineFacts
    there: LineFacts


def thumbnail(frame: Frame) -> Thumbnail:
    """Return the picture, averaged over blocks of pixels to at most THUMBNAIL_WIDTH columns."""
    picture = frame.rgb()
    step = -(-picture.shape[1] // THUMBNAIL_WIDTH)
    height, width = (length // step for length in picture.shape[:2])
    if step == 1 or not height or not width:
        return picture
    blocks = picture[: height * step, : width * step].reshape(height, step, width, step, 3)
    small: Thumbnail = blocks.mean(axis=(1, 3)).astype(np.uint8)
    return small


class PastChanges:
    """Names of the lines before and after each edit of inputs, until another line is chosen."""

    def __init__(self, log: Timeline) -> None:
        self._log = log
        self._names = [log.current]
        self._at = 0
        log.listen(self._hear)

    @property
    def earlier(self) -> str | None:
        """The line before the newest edit; None if there is nothing to undo."""
        return self._names[self._at - 1] if self._at else None

    @property
    def later(self) -> str | None:
        """The line after the edit that was undone last; None if there is nothing to redo."""
        return self._names[self._at + 1] if self._at + 1 < len(self._names) else None

    def _hear(self, event: TimelineEvent) -> None:
        names, at = self._names, self._at
        match event.kind, event.values:
            case "back", {"name": str(kept)}:
                names[at:] = [kept, self._log.current]
                self._at += 1
            case "switch", {"name": name, "swap": True} if name in {self.earlier, self.later}:
                self._at = names.index(name)
                names[at], names[self._at] = names[self._at], names[at]
            case "switch", _:
                self._names, self._at = [self._log.current], 0
            case "line", {"name": name, "new_name": str(new_name)}:
                self._names = [new_name if known == name else known for known in names]
            case "line", {"name": name, "new_name": None} if name in names:
                gone = names.index(name)
                self._names = names[gone + 1 :] if gone < at else names[:gone]
                self._at = at - gone - 1 if gone < at else at
