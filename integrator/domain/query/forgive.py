"""Answers facts as inexact as people state them: values that are wrong, late, or scaled.

Facts are taken at their word first. If no likely match fits, further hypotheses join: frames are
off by a few, the shown number is a line of the stored one, or the number is a few bits of a byte.
The last hypothesis is a number in pieces that do not touch.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.behaviour import Behaviour
from integrator.domain.query.facts import Equals, Transition
from integrator.domain.query.in_pieces import in_pieces
from integrator.domain.query.ranges import (
    Recording,
    Sighting,
    bytes_of,
    off_frames,
    seen,
    sightings,
    widened,
)
from integrator.domain.query.rank import (
    LIKELY_BITS,
    Match,
    behaving,
    behaviour_bits,
    best_scales,
    carried_first,
    grouped,
    match_of,
    reading_bits,
)
from integrator.domain.query.solve import (
    Asked,
    Evidence,
    Solution,
    answer,
    asked_of,
    recordings_of,
    solve_strictly,
)
from integrator.domain.sweep.readings import BIT_FIELDS, PLAIN, BitField, Scale, scales_of
from integrator.domain.sweep.refine import Layer, LayersOf
from integrator.domain.sweep.sets import Mask, Positions, addresses_of, starts
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


T = TypeVar("T", bound=DataType | BitField)

_FIELDS: Final = tuple(
    BitField.of(((1 << bits) - 1) << low) for bits in range(1, 8) for low in range(9 - bits)
)
"""Every run of neighbouring bits of a byte."""
_OF_LINES: Final = tuple(field for field in BIT_FIELDS if field.maximum > 1)
_SCALES_BESIDE: Final = 5
"""Of so many scales, the simplest, numbers are looked for beside their frames."""
_MOST_FORGIVEN: Final = 8
"""Groups under further hypotheses, so that matches which fail one fact come into view."""
_MOST: Final = 400
"""Matches of one hypothesis that are compared with others."""


def forgiving(
    space: AddressSpace,
    types: Sequence[DataType],
    evidence: Sequence[Evidence],
    *,
    scales: bool = True,
    limit: int = 200,
) -> Solution:
    """Matches of facts that may be a little off, the most plausible first, then near misses.

    Raises SearchError without facts, TimelineError for frames that were not recorded.
    """
    asked = asked_of(space, evidence)
    recordings = recordings_of(asked)
    strict = solve_strictly(space, types, asked, scales=scales, limit=limit)
    matches, groups = strict.exact, _ordered(space, strict.exact, recordings)
    for further in (_little_off, _lines_off):
        if _is_likely(groups):
            break
        known = {match.reading for match in matches}
        more = further(space, types, asked, scales=scales)
        matches = [*matches, *(match for match in more if match.reading not in known)]
        groups = _ordered(space, matches, recordings)[: max(_MOST_FORGIVEN, len(strict.exact))]
    found = [match for match, _ in groups]
    listed = {(each.address, each.type) for match in found for each in match.readings}
    missed = [each for each in strict.near if (each.address, each.type) not in listed]
    near = [match for match, _ in grouped(space, missed, recordings)]
    numbers = {sighting.value for _, sighting in _seen(asked, 0)}
    return Solution(
        (*found, *near),
        strict.exact_count,
        strict.near_count,
        strict.vague,
        all_zero=numbers == {0},
        in_pieces=() if _is_likely(groups) else tuple(in_pieces(space, asked)),
    )


def _is_likely(groups: Sequence[tuple[Match, Behaviour]]) -> bool:
    """True when the best match is so plausible that no further hypothesis is needed."""
    return bool(groups) and reading_bits(*groups[0]) <= LIKELY_BITS


def _ordered(
    space: AddressSpace, matches: Sequence[Match], recordings: Mapping[Recording, int]
) -> list[tuple[Match, Behaviour]]:
    """The most plausible match of each group, the best group first."""
    groups = grouped(space, matches, recordings, reading_bits)
    groups.sort(key=lambda group: reading_bits(*group) + behaviour_bits(group[1]))
    return carried_first(groups)


def _little_off(
    space: AddressSpace, types: Sequence[DataType], asked: Asked, *, scales: bool
) -> list[Match]:
    """Lines, bits, and numbers and bits at frames beside, in this order."""
    if not _seen(asked, 0):
        return []
    fields = {Layer(field, PLAIN): starts(space, 1) for field in _FIELDS}
    tried = {
        Layer(kind, scale): starts(space, kind.width)
        for kind in types
        for scale in (scales_of(kind)[:_SCALES_BESIDE] if scales else (PLAIN,))
    }
    matches: list[Match] = []
    if scales:
        lines = on_lines(space, (*types, *_OF_LINES), _seen(asked, 0))
        matches = _checked(space, lines, asked)
    matches += _checked(space, _matches(space, _fitting(asked, fields, 0)), asked)
    off = off_frames(asked)
    if not off:
        return _distinct(matches)
    numbers = _fitting(asked, tried, off)
    for recording, fact in asked:
        if not isinstance(fact, (Equals, Transition)):
            numbers = answer(fact, numbers, recording)
    beside = _matches(space, best_scales(numbers))
    beside += _checked(space, _matches(space, _fitting(asked, fields, off)), asked)
    return _distinct([*matches, *_off(beside, off)])


def _lines_off(
    space: AddressSpace, types: Sequence[DataType], asked: Asked, *, scales: bool
) -> list[Match]:
    """Lines through numbers at frames beside."""
    off = off_frames(asked)
    lines = on_lines(space, types, _seen(asked, off)) if scales and off else []
    return _distinct(_off(_checked(space, lines, asked), off))


def _distinct(matches: Sequence[Match]) -> list[Match]:
    """The first match of each reading."""
    return list({each.reading: each for each in reversed(matches)}.values())[::-1]


def _seen(asked: Asked, off: int) -> Seen:
    return [(recording, each) for recording, fact in asked for each in sightings(fact, off)]


def _fitting(asked: Asked, layers: LayersOf[T], off: int) -> LayersOf[T]:
    """The candidates whose numbers were seen at their frames, or that many beside."""
    for recording, sighting in _seen(asked, off):
        left = {layer: each for layer, each in layers.items() if each.count}
        layers = seen(sighting, left, recording)
    return layers


def _matches(space: AddressSpace, layers: LayersOf[T]) -> list[Match]:
    found = []
    for layer, candidates in layers.items():
        addresses = addresses_of(space, candidates.positions[:_MOST]).tolist()
        found += [match_of(address, layer.data_type, layer.scale) for address in addresses]
    return found


def _checked(space: AddressSpace, matches: list[Match], asked: Asked) -> list[Match]:
    for recording, fact in asked:
        matches = behaving(space, matches, fact, recording)
    return matches


def _off(matches: Iterable[Match], off: int) -> list[Match]:
    return [replace(match, off_frames=off) for match in matches]
