"""Differences on the screen between two runs of the same frames."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from libretro_host.host import Frame

Pixels = NDArray[np.bool_]
"""A set of pixels of a picture: bool (height, width)."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Pixels of the shown picture: left edge ``x``, top edge ``y``."""

    x: int
    y: int
    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height} pixels at {self.x}, {self.y}"

    def cut(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The rectangle's part of an (height, width, ...) array; a view."""
        return picture[self.y : self.y + self.height, self.x : self.x + self.width]

    def holds(self, other: "Rectangle") -> bool:
        """True when ``other`` lies inside."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )

    @staticmethod
    def around(pixels: Pixels) -> "Rectangle | None":
        """The smallest rectangle that holds all set pixels; None when there is none."""
        rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
        if not len(rows):
            return None
        x, y = int(columns[0]), int(rows[0])
        return Rectangle(x, y, int(columns[-1]) - x + 1, int(rows[-1]) - y + 1)


@dataclass(frozen=True, slots=True, eq=False)
class FirstDifference:
    """A difference: the first frame (1 is the first that ran) that shows it, and its pixels."""

    frame: int
    pixels: Pixels


def difference(base: Sequence[Frame], other: Sequence[Frame]) -> FirstDifference | None:
    """The difference on the first frame that differs; later ones are its consequences."""
    for number, (before, after) in enumerate(zip(base, other, strict=False), start=1):
        if not _equal(before, after):
            pixels = _differing(before, after)
            # Bits that no color has may differ too.
            if pixels.any():
                return FirstDifference(number, pixels)
    return None


def _equal(one: Frame, other: Frame) -> bool:
    return one.pixels.shape == other.pixels.shape and np.array_equal(one.pixels, other.pixels)


def _differing(one: Frame, other: Frame) -> Pixels:
    before, after = one.rgb(), other.rgb()
    if before.shape != after.shape:
        return np.ones(after.shape[:2], np.bool_)
    differs: Pixels = (before != after).any(axis=2)
    return differs
