"""A copy of the newest recorded play, to run it again for its pictures; boxes on its screen."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.suggest.pointing import Span
from integrator.domain.suggest.screen import CELL_PIXELS
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.timeline.line import JUMPS
from integrator.domain.timeline.lookup import History
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, DataType, merge_offsets
from integrator.session.frame.inputs import Inputs
from integrator.session.timeline.stretch import Stretch
from libretro_host.host import CapturePlan, CoreHost, Frame


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the shown picture in pixels: its left edge is ``x``, its top edge ``y``."""

    x: int
    y: int
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height} pixels at {self.x}, {self.y}"

    def cut(self, frame: Frame) -> NDArray[np.uint32]:
        """Return the box's pixels, (height, width); fewer if the box leaves the picture."""
        shown = np.rot90(frame.words, frame.rotation % 4)
        cut = shown[max(self.y, 0) : self.y + self.height, max(self.x, 0) : self.x + self.width]
        return cut.astype(np.uint32)

    def limits_around(self, frame: Frame, pixels: int) -> Span:
        """Return the part of :meth:`cut_around` in the picture, less a column on each side."""
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
        """Return the box with a margin, edges repeated; None if the box leaves the picture."""
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


def changed_pixels(before: Frame, after: Frame) -> NDArray[np.bool_] | None:
    """Return True for each pixel in which two pictures differ; None if their sizes differ."""
    if before.pixels.shape != after.pixels.shape or before.width != after.width:
        return None
    differs: NDArray[np.bool_] = before.words != after.words
    return differs


def cells_of(differs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return True for each square of ``CELL_PIXELS`` with a set pixel, also at the edges."""
    down, across = (np.arange(0, length, CELL_PIXELS) for length in differs.shape)
    lines = np.logical_or.reduceat(differs, down, axis=0)
    return np.logical_or.reduceat(lines, across, axis=1)


MOST_FRAMES: Final = 7200  # two minutes: older play is left out, because it takes long to run again
MOST_STATES: Final = 24

Cancelled = Callable[[], bool]
Progress = Callable[[int, int], object]  # called with the steps done and the steps in all


@dataclass(frozen=True, slots=True, eq=False)
class RecordedPlay:
    """Frames ``first`` to ``last`` of a line, their jumps, and inputs of all but the first."""

    space: AddressSpace
    history: History
    buttons: Sequence[str | None]
    first: int
    inputs: Inputs
    jumps: tuple[int, ...]
    stretch: Stretch

    @classmethod
    def take(
        cls,
        space: AddressSpace,
        log: Timeline,
        buttons: Sequence[str | None],
        frames: int = MOST_FRAMES,
        *,
        exact: bool = True,
    ) -> Self:
        """Copy the newest frames on the session's thread. Raises TimelineError without frames."""
        if not log.length:
            raise TimelineError("nothing was played yet: play for a minute, then ask again")
        first, _ = log.keyframe_at_or_before(max(0, log.length - frames))
        jumps = sorted({m.frame for m in log.markers(*JUMPS) if first < m.frame < log.length})
        inputs = log.inputs(first + 1, log.length + 1)
        stretch = Stretch.take(log, first, log.length, exact=exact)
        return cls(space, log.history(), buttons, first, inputs, tuple(jumps), stretch)

    @property
    def last(self) -> int:
        return self.first + len(self.inputs)

    @property
    def steady(self) -> NDArray[np.bool_]:
        """Return an array from frame ``first`` on: false on the first frames and after jumps."""
        steady = np.ones(len(self.inputs) + 1, np.bool_)
        steady[:2] = False
        steady[[frame + 1 - self.first for frame in self.jumps]] = False
        return steady

    def held(self, *names: str) -> NDArray[np.int8]:
        """Return an array from frame ``first`` on: 1 where player 1 holds one of the buttons."""
        pressed = (self.inputs[:, 0] & self.mask(*names)) != 0
        return np.concatenate([[False], pressed]).astype(np.int8)

    def mask(self, *names: str) -> int:
        """Return the mask of the buttons that the console has."""
        return sum(1 << self.buttons.index(name) for name in names if name in self.buttons)

    def numbers(
        self, readings: Sequence[tuple[int, DataType]], points: int
    ) -> list[NDArray[np.int64]]:
        """Return numbers, int64, of (address, type) pairs on ``points`` evenly spaced frames."""
        raw = self._bytes([range(at, at + each.width) for at, each in readings], points)
        return [each.decode_array(own) for (_, each), own in zip(readings, raw, strict=True)]

    def suggested(self, found: Sequence[Suggestion], points: int) -> list[NDArray[np.int64]]:
        """Return the numbers of suggestions, int64 each, on ``points`` evenly spaced frames."""
        raw = self._bytes([each.addresses for each in found], points)
        return [each.numbers(own) for each, own in zip(found, raw, strict=True)]

    def _bytes(self, numbers: Sequence[Sequence[int]], points: int) -> list[NDArray[np.uint8]]:
        """Return the bytes of each number, which has several addresses: uint8 (points, bytes)."""
        offsets = [np.array([*map(self.space.offset, each)], np.intp) for each in numbers]
        flat = np.unique(np.concatenate([np.empty(0, np.intp), *offsets]))
        ranges = merge_offsets(flat.tolist())
        rows = np.linspace(0, len(self.inputs), points).astype(np.intp)
        captured = self.history.ram_ranges(ranges, self.first, self.last + 1)[rows]
        return [captured[:, np.searchsorted(flat, each)] for each in offsets]

    def pictures(
        self,
        host: CoreHost,
        every: int,
        cancelled: Cancelled = lambda: False,
        states: list[bytes] | None = None,
    ) -> Iterator[tuple[int, Frame]]:
        """Run the play again; yield pictures as played, each ``every``-th; add to ``states``."""
        apart = len(self.inputs) // MOST_STATES + 1
        # Writes and jumps end chunks early, and each chunk counts its pictures from its start.
        step = 1 if self.stretch.writes or self.jumps else every
        for played in self.stretch.run(host, CapturePlan(picture=False, picture_every=step)):
            if cancelled():
                return
            end = played.begin + played.run.frames
            if states is not None and (end - self.first) // apart > len(states):
                states.append(host.serialize())
            for number, frame in enumerate(played.run.pictures, start=1):
                at = played.begin + number * step
                if (at - self.first) % every == 0 and played.same[number * step - 1]:
                    yield at, frame
