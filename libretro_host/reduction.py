"""Pictures made smaller for agents, in C and without the interpreter's lock."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from libretro_host.codes import check
from libretro_host.shims import ORIGINAL


class Reduction:
    """Makes RGB pictures of one ``size`` (height, width) gray, of another size, or both.

    ``shape`` is that of the result: (height, width, 3), or (height, width) when gray. A pixel of
    the result is the mean of the area that it covers, rounded to the nearest.
    """

    def __init__(
        self, size: tuple[int, int], new_size: tuple[int, int] | None = None, *, gray: bool = False
    ) -> None:
        height, width = size
        new_height, new_width = new_size or size
        self.shape = (new_height, new_width) if gray else (new_height, new_width, 3)
        fields = (width, height, new_width, new_height, gray)
        self._wanted = ORIGINAL.ffi.new("lh_reduction *", fields)

    def reduce(
        self,
        newest: NDArray[np.uint8],
        older: NDArray[np.uint8] | None = None,
        out: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]:
        """The reduced picture of contiguous ones, in ``out`` of :attr:`shape` or in a new array.

        With an ``older`` picture, each channel of a pixel is the brighter of the two beforehand.
        """
        made = np.empty(self.shape, np.uint8) if out is None else out
        ffi = ORIGINAL.ffi
        other = ffi.NULL if older is None else ffi.from_buffer("uint8_t[]", older)
        pixels, result = (ffi.from_buffer("uint8_t[]", each) for each in (newest, made))
        code = ORIGINAL.lib.lh_reduce(self._wanted, pixels, other, result)
        check(ORIGINAL.lib, code, "make a picture smaller")
        return made
