"""Comparisons of floating-point numbers, as far as a screen that shows whole numbers can tell.

A screen shows 12 for anything that is rounded or cut to it, so that "is 12" means 11.5 up to 13,
and "increased by 3" a difference above 2 and below 4. What is not a number satisfies nothing, and
minus zero is zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.sets import Mask

Reals = NDArray[np.float64]


_WHOLE = 1 << 53
"""From here on all floats of eight bytes are whole numbers, shown as nothing but themselves."""


def shown_from(number: int) -> tuple[float, bool]:
    """The least that is shown as ``number``, and whether it is itself."""
    if abs(number) >= _WHOLE:
        least = float(number)
        return (least if least >= number else np.nextafter(least, np.inf)), True
    return (number - 0.5, True) if number > 0 else (number - 1.0, False)


def shown_to(number: int) -> tuple[float, bool]:
    """The greatest that is shown as ``number``, and whether it is itself."""
    if abs(number) >= _WHOLE:
        most = float(number)
        return (most if most <= number else np.nextafter(most, -np.inf)), True
    return (number + 0.5, True) if number < 0 else (number + 1.0, False)


def compares(op: str, low: int, high: int, current: Reals) -> Mask:
    """Where numbers satisfy a relation to a number shown, or are shown in a range."""
    match op:
        case "equal":
            return _between(current, low, low)
        case "in-range":
            return _between(current, low, high)
        case "not-equal":
            found: Mask = ~_between(current, low, low) & ~np.isnan(current)
            return found
        case "greater-than":
            return current > _real(low)
        case "less-than":
            return current < _real(low)
        case "greater-or-equal":
            return _above(current, low)
        case "less-or-equal":
            return _below(current, low)
    # Bits and remainders are of whole numbers.
    return np.zeros(current.shape, np.bool_)


def relates(op: str, current: Reals, reference: Reals) -> Mask:
    """Where numbers are in a relation to earlier ones; ``not-equal`` needs two numbers."""
    relations: dict[str, Any] = {
        "equal": np.equal,
        "less-than": np.less,
        "less-or-equal": np.less_equal,
        "greater-than": np.greater,
        "greater-or-equal": np.greater_equal,
    }
    if op == "not-equal":
        return (current < reference) | (current > reference)
    found: Mask = relations[op](current, reference)
    return found


def steps(current: Reals, reference: Reals, step: int) -> Mask:
    """Where numbers may be shown as ``step`` more than the earlier ones."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(current - reference - _real(step))
    found: Mask = off < 1
    return found


def _between(current: Reals, low: int, high: int) -> Mask:
    if low > high:
        return np.zeros(current.shape, np.bool_)
    return _above(current, low) & _below(current, high)


def _above(current: Reals, number: int) -> Mask:
    least, itself = shown_from(_cut(number))
    found: Mask = current >= least if itself else current > least
    return found


def _below(current: Reals, number: int) -> Mask:
    most, itself = shown_to(_cut(number))
    found: Mask = current <= most if itself else current < most
    return found


def _real(number: int) -> float:
    return float(_cut(number))


def _cut(number: int) -> int:
    """Numbers beyond all floats of four bytes, so that they can be computed with."""
    return max(-(10**40), min(10**40, number))
