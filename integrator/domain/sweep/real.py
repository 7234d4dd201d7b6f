"""Floating-point numbers as far as a screen that shows whole numbers can tell.

A screen shows 12 for anything that is rounded or cut to it, so that "is 12" means 11.5 up to 13,
and "increased by 3" a difference above 2 and below 4. NaN fails every comparison, and minus zero is
zero.
"""

from __future__ import annotations

from math import inf, nextafter
from typing import Final

_WHOLE: Final = 1 << 53
"""From here on all floats of eight bytes are whole numbers, and shown exactly."""
_BEYOND: Final = 10**40
"""Above all floats of four bytes."""


def interval(op: str, low: int, high: int) -> tuple[float, float] | None:
    """The least and the greatest number that satisfy a comparison with a number shown.

    For ``not-equal`` the two between which none does; None for bits and remainders, which only
    whole numbers have.
    """
    match op:
        case "equal" | "not-equal":
            return _least(low), _greatest(low)
        case "in-range":
            return _least(low), _greatest(high)
        case "greater-than":
            return nextafter(as_float(low), inf), inf
        case "less-than":
            return -inf, nextafter(as_float(low), -inf)
        case "greater-or-equal":
            return _least(low), inf
        case "less-or-equal":
            return -inf, _greatest(low)
    return None


def as_float(number: int) -> float:
    """The number, or one beyond all floats of four bytes when it is beyond them too."""
    return float(max(-_BEYOND, min(_BEYOND, number)))


def _least(number: int) -> float:
    """The least float that is shown as ``number``."""
    if abs(number) < _WHOLE:
        return number - 0.5 if number > 0 else nextafter(number - 1.0, inf)
    nearest = as_float(number)
    return nearest if nearest >= number else nextafter(nearest, inf)


def _greatest(number: int) -> float:
    """The greatest float that is shown as ``number``."""
    return -_least(-number)
