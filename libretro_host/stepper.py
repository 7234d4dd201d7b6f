"""Runs of one frame that are prepared once and repeated, which is the fastest way to play."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretro_host.capture import check
from libretro_host.errors import HostError
from libretro_host.shims import ORIGINAL, Shim


@dataclass(frozen=True, slots=True)
class View:
    """A rectangle of the picture, in pixels.

    The view is RGB as in stable-retro, where 16-bit colors keep zeros in their low bits. Pixels of
    the view that the core does not draw are black.
    """

    left: int
    top: int
    right: int
    bottom: int

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.bottom - self.top, self.right - self.left, 3


class Stepper:
    """A run of one frame: fill ``inputs``, call :meth:`run`, and read ``captured``.

    ``inputs`` is uint16 of shape (ports,). ``captured`` is uint8 of shape (sum of the ranges'
    lengths,): the bytes of the (offset, length) ``ranges`` in flat RAM, in the given order. The
    stepper owns both arrays, and each run overwrites ``captured``.
    """

    def __init__(
        self, shim: Shim, core: str, *, ports: int, ranges: Sequence[tuple[int, int]], view: View
    ) -> None:
        self.inputs = np.zeros(ports, np.uint16)
        self.captured = np.zeros(sum(length for _, length in ranges), np.uint8)
        self._shim, self._core = shim, core
        self._from_buffer, self._run = shim.ffi.from_buffer, shim.lib.lh_run
        self._result = shim.ffi.new("lh_result *")
        self._pairs = shim.ffi.new("lh_range[]", list(ranges))
        edges = (view.left, view.top, view.right, view.bottom)
        self._view = shim.ffi.new("lh_view *", (*edges, shim.ffi.NULL))
        self._plan = plan = shim.ffi.new("lh_plan *")
        plan.inputs = self._from_buffer("uint16_t[]", self.inputs)
        plan.frames, plan.ports = 1, ports
        plan.ranges, plan.range_count = self._pairs, len(self._pairs)
        plan.ranges_out = self._from_buffer("uint8_t[]", self.captured)
        plan.view = self._view

    def run(self, pixels: NDArray[np.uint8]) -> bool:
        """Run the frame and write its view into ``pixels``, uint8 of the view's shape.

        Return True if ``pixels`` is unchanged because the core drew nothing. Raises HostError.
        """
        self._view.rgb = self._from_buffer("uint8_t[]", pixels)
        code = self._run(self._plan, self._result)
        if code:
            if code == self._shim.lib.LH_SHUTDOWN:
                raise HostError(f"{self._core} asked to be shut down")
            check(self._shim.lib, code, "run", self._core)
        return bool(self._result.repeats)

    def close(self) -> None:
        """Make later runs raise HostClosedError, even if another host uses the shim by then."""
        closed = self._shim.lib.LH_CLOSED
        self._run = lambda *_: closed


class Reduction:
    """Converts RGB pictures of ``size`` (height, width) to gray, to ``new_size``, or to both.

    ``shape`` is the result's shape: (height, width, 3), or (height, width) when gray. A pixel of
    the result is the mean of the area that it covers, rounded to the nearest integer.
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
        """Return the reduced picture, in ``out`` if given; with ``older``, brighter pixels win."""
        made = np.empty(self.shape, np.uint8) if out is None else out
        ffi = ORIGINAL.ffi
        other = ffi.NULL if older is None else ffi.from_buffer("uint8_t[]", older)
        pixels, result = (ffi.from_buffer("uint8_t[]", each) for each in (newest, made))
        code = ORIGINAL.lib.lh_reduce(self._wanted, pixels, other, result)
        check(ORIGINAL.lib, code, "make a picture smaller")
        return made
