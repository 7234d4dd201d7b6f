"""An agent's observation of a frame, pixel for pixel as stable-retro makes it. stable-retro 1.0.1
takes a picture of fixed size from the upper left of the core's picture, shifts short color channels
up without widening them, crops, and finally rotates. Training usually stacks these pictures, after
:mod:`libretro_host.stepper` made them gray and smaller."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from integrator.domain.scenario.tree import Crop

Picture = NDArray[np.uint8]  # uint8 of shape (height, width, 3), or (height, width) when gray

Box = tuple[int, int, int, int]  # x, y, width, height in pixels


@dataclass(frozen=True, slots=True)
class ObservationRule:
    """The rule for one game. Uncropped pictures are always ``width`` x ``height`` pixels."""

    width: int
    height: int
    crop: Crop = field(default_factory=Crop)

    def observe(
        self, picture: Picture, channel_bits: tuple[int, int, int], quarter_turns: int = 0
    ) -> Picture:
        """Return the observation of a picture, given as the core drew it; a copy.

        ``channel_bits`` are the bits of red, green and blue in the core's pixels;
        ``quarter_turns``, counter-clockwise, are its announced rotation. Pixels that the core does
        not draw are black here; stable-retro shows old memory there."""
        left, top, right, bottom = self.box
        seen = np.zeros((max(0, bottom - top), max(0, right - left), 3), np.uint8)
        part = picture[top : min(bottom, self.height), left : min(right, self.width)]
        masks = np.array([0xFF << (8 - bits) & 0xFF for bits in channel_bits], np.uint8)
        np.bitwise_and(part, masks, out=seen[: part.shape[0], : part.shape[1]])
        return np.ascontiguousarray(np.rot90(seen, quarter_turns % 4))

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the crop, before the picture is rotated."""
        return self.crop.box(self.width, self.height)

    @property
    def crop_fault(self) -> str:
        """A message if the crop is not within the picture, else empty."""
        left, top, _, _ = self.box
        seen = f"the agents' picture of {self.width} x {self.height}"
        if left >= self.width or top >= self.height:
            return f"the crop lies outside of {seen}, so they get nothing"
        if left + self.crop.width > self.width or top + self.crop.height > self.height:
            return f"the crop reaches beyond {seen}, and ends at its edge"
        return ""

    def crop_of(self, box: Box, width: int, height: int, quarter_turns: int) -> Box:
        """Return the crop for a box of the rotated picture, drawn with ``width`` x ``height``."""
        if quarter_turns % 2:
            width, height = height, width
        return _turned(box, width, height, -quarter_turns)

    def place_in(self, width: int, height: int, quarter_turns: int) -> Box:
        """Return the observation's box in the rotated picture, drawn ``width`` x ``height``."""
        left, top, right, bottom = self.box
        right, bottom = min(right, width), min(bottom, height)
        seen = (left, top, max(0, right - left), max(0, bottom - top))
        return _turned(seen, width, height, quarter_turns)

    def lost(self, width: int, height: int) -> str:
        """Say how the observation differs from a picture of this size; empty if it does not."""
        drawn, seen = f"{width} x {height}", f"{self.width} x {self.height}"
        if (width, height) == (self.width, self.height):
            return ""
        if width >= self.width and height >= self.height:
            return f"the game draws {drawn}, and agents get its upper left {seen}"
        return f"the game draws {drawn}, and agents get {seen}, partly old memory"


def _turned(box: Box, width: int, height: int, quarter_turns: int) -> Box:
    x, y, across, down = box
    return (
        (x, y, across, down),
        (y, width - x - across, down, across),
        (width - x - across, height - y - down, across, down),
        (height - y - down, x, down, across),
    )[quarter_turns % 4]


def stack(pictures: Sequence[Picture], depth: int) -> tuple[Picture, ...]:
    """Return the newest ``depth`` pictures, oldest first; the first one fills missing places."""
    newest = list(pictures[-depth:])
    return (*newest[:1] * (depth - len(newest)), *newest)
