"""Lines from stored to shown numbers, ``shown = a x stored + b``, solved from the facts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.matches.rank import Match, match_of
from integrator.domain.query.recorded.nearby import Sighting
from integrator.domain.query.recorded.ranges import widened
from integrator.domain.query.recorded.recording import Recording, bytes_of
from integrator.domain.sweep.layout import addresses_of, starts
from integrator.domain.sweep.readings import BitField
from integrator.domain.sweep.scale import Scale
from integrator.domain.sweep.sets import Mask, Positions
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

SLOPES: Final = (
    *map(Fraction, (1, 10, 100, 5, 25, 50, 2, 4, 8, 16, 32, 64, 128, 1000, 20, 200, 500)),
    *(Fraction(1, divisor) for divisor in (2, 4, 8)),
)
"""Slopes that games use, the most frequent first. Each may be negative, too."""

_FREQUENT: Final = 6
"""So many of them are tried where frames may be off."""
_ENOUGH: Final = 3
"""Numbers from which on a line can be wrong, so that one that fits says something."""
_MOST_POSITIONS: Final = 1 << 16
_AT_ONCE: Final = 2048
_LARGEST: Final = 1 << 40

Seen = Sequence[tuple[Recording, Sighting]]
_Windows = list[NDArray[np.int64]]
"""For each sighting the stored numbers of its frames at each position, (frames, positions)."""


def on_lines(space: AddressSpace, types: Sequence[DataType | BitField], seen: Seen) -> list[Match]:
    """Readings whose numbers lie on a line with the shown ones, none of them at a scale of zero.

    From three numbers on any line through them, if they are taken at their frames, and lines of
    the slopes that games use if frames may be off. With fewer numbers only ``a x stored``, and
    numbers that count down from a constant.
    """
    if len({sighting.value for _, sighting in seen}) < len(("one", "another")):
        return []
    matches = []
    moving = _moving(seen)
    for data_type in types:
        fits = starts(space, data_type.width).mask()
        for touched in moving:
            fits &= widened(touched, data_type.width)
        positions = np.flatnonzero(fits)[:_MOST_POSITIONS]
        for first in range(0, len(positions), _AT_ONCE):
            chosen = positions[first : first + _AT_ONCE]
            numbers = [_stored(each, data_type, chosen) for each in seen]
            addresses = addresses_of(space, chosen).tolist()
            matches += [
                match_of(addresses[index], data_type, scale)
                for index, scale in _lines(seen, numbers)
            ]
    return matches


def _moving(seen: Seen) -> list[Mask]:
    """For each two different numbers in a row, the bytes that may differ between them."""
    ordered = sorted(seen, key=lambda each: each[1].value)
    found = []
    for (one, before), (other, after) in pairwise(ordered):
        if before.value != after.value:
            differs = one.logical(before.said) != other.logical(after.said)
            for recording, sighting in ((one, before), (other, after)):
                first, last = _span(recording, sighting)
                if first < last:
                    differs |= recording.changed(first, last + 1)
            found.append(differs)
    return found


def _span(recording: Recording, sighting: Sighting) -> tuple[int, int]:
    return max(0, sighting.first), min(recording.length, sighting.last)


def _stored(
    seen: tuple[Recording, Sighting], data_type: DataType | BitField, positions: Positions
) -> NDArray[np.int64]:
    recording, sighting = seen
    first, last = _span(recording, sighting)
    wanted = bytes_of({data_type: positions})
    captured = recording.bytes_over(wanted, first, last + 1)
    columns = np.searchsorted(wanted, positions)[:, np.newaxis] + np.arange(data_type.width)
    return data_type.decode_array(captured[:, columns])


def _lines(seen: Seen, numbers: _Windows) -> list[tuple[int, Scale]]:
    """For each position with a line its index, and the line."""
    values = [sighting.value for _, sighting in seen]
    if all(len(window) == 1 for window in numbers):
        stored = np.concatenate(numbers)
        found = _through(values, stored)
    else:
        found = _near(values, numbers)
    if len(values) < _ENOUGH or len(set(values)) < _ENOUGH:
        found = [each for each in found if _usual(each[1])]
    return found


def _usual(scale: Scale) -> bool:
    """True for a multiple of the stored number, and for one that counts down by ones."""
    multiple = not scale.offset and Fraction(scale.divisor, scale.multiplier) in SLOPES
    return multiple or (scale.divisor, scale.multiplier) == (-1, 1)


def _through(values: Sequence[int], stored: NDArray[np.int64]) -> list[tuple[int, Scale]]:
    """Lines through all numbers, ``stored`` being int64 (numbers, positions)."""
    shown = np.array(values, dtype=object)
    low, high = int(np.argmin(shown)), int(np.argmax(shown))
    rise = values[high] - values[low]
    run = stored[high] - stored[low]
    fits = (run != 0) & (np.abs(stored) < _LARGEST).all(axis=0)
    for value, numbers in zip(values, stored, strict=True):
        fits &= (numbers - stored[low]) * rise == (value - values[low]) * run
    found = []
    for index in np.flatnonzero(fits).tolist():
        slope = Fraction(rise, int(run[index]))
        scale = _scale(slope, values[low] - slope * int(stored[low, index]))
        if scale is not None:
            found.append((index, scale))
    return found


def _near(values: Sequence[int], numbers: _Windows) -> list[tuple[int, Scale]]:
    """Lines of usual slopes that meet each number on some frame of its window."""
    found = []
    for slope in (sign * slope for slope in SLOPES[:_FREQUENT] for sign in (1, -1)):
        rest = [
            value * slope.denominator - window * slope.numerator
            for value, window in zip(values, numbers, strict=True)
        ]
        narrow, *others = sorted(rest, key=len)
        taken: set[tuple[int, int]] = set()
        for constants in narrow:
            fits = np.ones(len(constants), np.bool_)
            for other in others:
                fits &= (other == constants).any(axis=0)
            taken |= {(index, int(constants[index])) for index in np.flatnonzero(fits).tolist()}
        for index, constant in sorted(taken):
            scale = _scale(slope, Fraction(constant, slope.denominator))
            if scale is not None:
                found.append((index, scale))
    return found


def _scale(slope: Fraction, intercept: Fraction) -> Scale | None:
    """The line as a scale; None for one whose constants are no whole numbers."""
    if intercept.denominator == 1:
        return Scale(slope.denominator, slope.numerator, offset=int(intercept))
    bias = -intercept / slope
    if bias.denominator == 1:
        return Scale(slope.denominator, slope.numerator, int(bias))
    return None
