"""A box that was drawn on the screen, and the pixels in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretro_host.frame import Frame


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the shown picture in pixels: its left edge is ``x``, its top edge ``y``."""

    x: int
    y: int
    width: int
    height: int

    def cut(self, frame: Frame) -> NDArray[np.uint32]:
        """The box's pixels, (height, width); fewer where the box leaves the picture."""
        words = frame.pixels.view(f"u{frame.pixel_format.bytes_per_pixel}")
        shown = np.rot90(words[:, : frame.width], frame.rotation % 4)
        cut = shown[max(self.y, 0) : self.y + self.height, max(self.x, 0) : self.x + self.width]
        return cut.astype(np.uint32)

    def cut_wider(self, frame: Frame) -> NDArray[np.uint32] | None:
        """The box's pixels and a column on either side; None where the box leaves the picture."""
        if self.x < 0 or self.cut(frame).shape != (self.height, self.width):
            return None
        wider = Box(self.x - 1, self.y, self.width + 2, self.height).cut(frame)
        left = self.x == 0
        right = self.width + 2 - left - wider.shape[1]
        return np.pad(wider, ((0, 0), (int(left), right)), mode="edge")
