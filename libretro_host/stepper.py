"""Runs of one frame that are prepared once and repeated, which is the fastest way to play."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from libretro_host.capture import check
from libretro_host.errors import HostError
from libretro_host.shims import ORIGINAL, Shim

_WANTED: Final[int] = ORIGINAL.lib.LH_WANTED
WHOLE: Final[int] = ORIGINAL.lib.LH_WHOLE


@dataclass(frozen=True, slots=True)
class View:
    """A rectangle of the picture, in pixels. The view is RGB as in stable-retro, where 16-bit
    colors keep zeros in their low bits. Pixels of the view that the core does not draw are
    black."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.bottom - self.top, self.right - self.left, 3


class Stepper:
    """A run of one frame: fill ``inputs``, call :meth:`run`, and read ``captured``.

    ``inputs`` is uint16 of shape (frames * ports,). ``captured`` is uint8 of shape (sum of the
    ranges' lengths,): the bytes of the (offset, length) ``ranges`` in flat RAM, in the given order.
    The stepper owns both arrays, and each run overwrites ``captured``.

    After :meth:`look_ahead`, a crew may run the next ``frames`` by ``task``, which :meth:`run` then
    returns one by one. None is run after a frame that changes a ``watched`` (offset, length) of the
    captured bytes, and :meth:`look_ahead` refuses the next one, too."""

    def __init__(
        self,
        shim: Shim,
        core: str,
        *,
        ports: int,
        ranges: Sequence[tuple[int, int]],
        view: View,
        frames: int = 1,
        watched: Sequence[tuple[int, int]] = (),
    ) -> None:
        ffi = ORIGINAL.ffi
        self._rows = np.zeros((frames + 1, sum(length for _, length in ranges)), np.uint8)
        self.inputs, self.captured = np.zeros(frames * ports, np.uint16), self._rows[0]
        self._room = np.empty((2, *view.shape), np.uint8)
        self._shim, self._core, self._from_buffer = shim, core, ffi.from_buffer
        lists = [ffi.new("lh_range[]", list(each)) for each in (ranges, watched)]
        self._watch = ffi.new("lh_watch *", (lists[1], len(watched), self._rows.shape[1], -1))
        plan, task, box = (ffi.new(f"lh_{each} *") for each in ("plan", "task", "view"))
        plan.inputs, plan.ports = ffi.from_buffer("uint16_t[]", self.inputs), ports
        plan.ranges, plan.range_count = lists[0], len(ranges)
        plan.ranges_out = ffi.from_buffer("uint8_t[]", self._rows[1:])
        box.left, box.top, box.right, box.bottom = astuple(view)
        task.view = plan.view = box
        plan.watch, task.plan, task.ahead = self._watch, plan, frames
        task.result = self._result = ffi.new("lh_result *")
        task.room = ffi.from_buffer("uint8_t[]", self._room)
        run = shim.ffi.cast("uintptr_t", shim.ffi.addressof(shim.lib, "lh_run"))
        task.run = ffi.cast(ffi.typeof(task.run), int(run))
        self.task, self._kept = task, (plan, box, *lists)

    def run(self, pixels: NDArray[np.uint8]) -> bool:
        """Run the frame and write its view into ``pixels``, uint8 of the view's shape.

        Of frames that were run ahead, only the last two have a view. Return True if ``pixels`` is
        unchanged because the core drew nothing. Raises HostError."""
        code = ORIGINAL.lib.lh_next(self.task, self._from_buffer("uint8_t[]", pixels))
        if code:
            if code == ORIGINAL.lib.LH_SHUTDOWN:
                raise HostError(f"{self._core} asked to be shut down")
            check(self._shim.lib, code, "run", self._core)
        return bool(self._result.repeats)

    def look_ahead(self, into: NDArray[np.uint8] | None) -> bool:
        """Let the next crew run the frames; return False if it might run too many.

        A single frame's view may be written ``into`` the array that :meth:`run` will be given, and
        that the caller keeps."""
        task = self.task
        if task.ahead > 1 and self._watch.calm <= 0:
            return False
        task.into = ORIGINAL.ffi.NULL if into is None else self._from_buffer("uint8_t[]", into)
        task.state = _WANTED
        return True

    def follow(self) -> None:
        """Forget frames that were run ahead, because another moment was restored."""
        ORIGINAL.lib.lh_follow(self.task)

    def close(self) -> None:
        """Make later runs raise HostClosedError, even if another host uses the shim by then."""
        self.task.run = ORIGINAL.ffi.NULL


class Reduction:
    """Converts RGB pictures of ``size`` (height, width) to gray, to ``new_size``, or to both.
    ``shape`` is the result's shape: (height, width, 3), or (height, width) when gray. A pixel of
    the result is the mean of the area that it covers, rounded to the nearest integer."""

    def __init__(
        self, size: tuple[int, int], new_size: tuple[int, int] | None = None, *, gray: bool = False
    ) -> None:
        height, width = size
        new_height, new_width = new_size or size
        self.shape = (new_height, new_width) if gray else (new_height, new_width, 3)
        fields = (width, height, new_width, new_height, gray)
        self._wanted = ORIGINAL.ffi.new("lh_reduction *", fields)

    def join(self, task: Any, out: NDArray[np.uint8], *, maxpool: bool) -> None:
        """Let a stepper's task reduce its last picture into ``out``, once it has run all frames."""
        task.reduction, task.maxpool = self._wanted, maxpool
        task.reduced = ORIGINAL.ffi.from_buffer("uint8_t[]", out)

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
