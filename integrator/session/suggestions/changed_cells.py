"""The pixels, and the squares of pixels, in which pictures differ."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from libretro_host.frame import Frame

_CELL_PIXELS: Final = 8


def pixels_of(frame: Frame) -> NDArray[np.uint32]:
    """The picture's pixels, (rows, columns)."""
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
