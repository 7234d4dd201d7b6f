"""Numbers that run over the end of their type, told from those that are set back."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

LARGE_STEP: Final = 0.5
"""A change by more than this part of a type's range in one frame may be an overflow."""


def wraps(values: NDArray[np.int64], limits: tuple[int, int]) -> NDArray[np.int64]:
    """For each row the times that the number ran over an end: 1 at the top, -1 at the bottom, or 0.

    A large change is an overflow when it is a usual step of the number, counted over the end.
    """
    size = limits[1] - limits[0] + 1
    steps = np.diff(values, prepend=values[:1])
    is_large = np.abs(steps) > LARGE_STEP * size
    usual = np.unique(steps[~is_large & (steps != 0)])
    ends = np.where(is_large, -np.sign(steps), 0)
    return np.where(np.isin(steps + ends * size, usual), ends, 0)


def unwrapped(values: NDArray[np.int64], limits: tuple[int, int]) -> NDArray[np.int64]:
    """The number as a type without ends would count it."""
    size = limits[1] - limits[0] + 1
    return values + np.cumsum(wraps(values, limits)) * size
