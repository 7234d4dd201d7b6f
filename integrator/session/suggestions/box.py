"""A box that was drawn on the screen, the pixels in it, and the cells in which pictures differ."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.snapping import Span
from libretro_host.host import Frame


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

    def limits_around(self, frame: Frame, pixels: int) -> Span:
        """The part of :meth:`cut_around` in the picture, a column left on either side."""
        height, width = frame.pixels.shape[0], frame.width
        if frame.rotation % 2:
            height, width = width, height
        return Span(
            max(0, pixels - self.y),
            min(self.height + 2 * pixels, height - self.y + pixels),
            max(1, pixels - self.x),
            min(self.width + 2 * pixels - 1, width - self.x + pixels),
        )

    def cut_around(self, frame: Frame, pixels: int) -> NDArray[np.uint32] | None:
        """The box's pixels and a margin, edges repeated; None where the box leaves the picture."""
        if self.x < 0 or self.cut(frame).shape != (self.height, self.width):
            return None
        size = self.height + 2 * pixels, self.width + 2 * pixels
        cut = Box(self.x - pixels, self.y - pixels, size[1], size[0]).cut(frame)
        before = max(pixels - self.y, 0), max(pixels - self.x, 0)
        missing = [
            (start, whole - start - length)
            for start, whole, length in zip(before, size, cut.shape, strict=True)
        ]
        return np.pad(cut, missing, mode="edge")

    def cut_wider(self, frame: Frame) -> NDArray[np.uint32] | None:
        """The box's pixels and a column on either side; None where the box leaves the picture."""
        cut = self.cut_around(frame, 1)
        return None if cut is None else cut[1:-1]


_CELL_PIXELS: Final = 8


def pixels_of(frame: Frame) -> NDArray[np.uint32]:
    words = frame.pixels.view(f"u{frame.pixel_format.bytes_per_pixel}")
    return words[:, : frame.width].astype(np.uint32)


def changed_pixels(before: Frame, after: Frame) -> NDArray[np.bool_] | None:
    """True for each pixel in which two pictures differ; None for pictures of other sizes."""
    if before.pixels.shape != after.pixels.shape or before.width != after.width:
        return None
    word = f"u{after.pixel_format.bytes_per_pixel}"
    differs: NDArray[np.bool_] = before.pixels.view(word) != after.pixels.view(word)
    return differs[:, : after.width]


def changed_cells(before: Frame, after: Frame) -> NDArray[np.bool_] | None:
    """True for each square in which two pictures differ; None for pictures of other sizes."""
    differs = changed_pixels(before, after)
    if differs is None:
        return None
    height, width = differs.shape
    padded = np.pad(differs, ((0, -height % _CELL_PIXELS), (0, -width % _CELL_PIXELS)))
    rows, columns = (length // _CELL_PIXELS for length in padded.shape)
    squares = padded.reshape(rows, _CELL_PIXELS, columns, _CELL_PIXELS)
    cells: NDArray[np.bool_] = np.any(squares, axis=(1, 3))
    return cells
