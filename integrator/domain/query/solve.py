"""Solves facts about recorded play for the variable: every address, type and scale at once.

First, facts are taken literally. Facts at single frames need only the RAM of those frames. Facts
about a range drop candidates whose bytes did not change in the range, then compare a few of its
frames, and follow frame by frame only the few candidates that remain. One wrong fact does not hide
the answer: candidates that fail a single fact are listed after those that fit all.

If no likely match fits, further hypotheses are tried: frames are off by a few, the shown number is
a linear function of the stored one, or the number is a few bits of a byte. The last hypothesis is a
number in pieces that are not adjacent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.query import rank as ranking
from integrator.domain.query.facts import Equals, Fact, Transition, Trend
from integrator.domain.query.pieces import Pieces, in_pieces
from integrator.domain.query.ranges import (
    Recording,
    Sighting,
    bytes_of,
    holding_over_range,
    off_frames,
    seen,
    sightings,
    widened,
)
from integrator.domain.search.operators import Comparison
from integrator.domain.sweep import sets
from integrator.domain.sweep.readings import BIT_FIELDS, BitField, Scale, scales_of
from integrator.domain.sweep.refine import LayersOf, Memory, NumberLayers, full_layers, refine
from integrator.domain.timeline.lookup import LineReader
from integrator.domain.values.memory import AddressSpace, DataType

T = TypeVar("T", bound=DataType | BitField)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about one recording; several recordings of a game make several pieces of evidence. Soon
    after ``stopped`` returns True, work on the facts raises SearchError."""

    history: LineReader
    facts: tuple[Fact, ...]
    stopped: Callable[[], bool] = lambda: False


Asked = Sequence[tuple[Recording, Fact]]  # All facts, each with its recording.


@dataclass(frozen=True, slots=True)
class Solution:
    """Matches, best first: exact matches, then near misses. The counts are of pairs of address and
    type, before the limit, and before copies are grouped. Near misses of a fact that over 2,000
    candidates miss alone are not listed. ``all_zero`` warns that the facts state no number except
    0, which most of memory holds. ``in_pieces`` are numbers whose digits are not adjacent; they are
    searched for only if no likely match fits."""

    matches: tuple[ranking.Match, ...]
    exact_count: int
    near_count: int
    all_zero: bool = False
    in_pieces: tuple[Pieces, ...] = ()


def asked_of(space: AddressSpace, evidence: Sequence[Evidence]) -> Asked:
    """Return the facts, quick ones first. Raises SearchError if there are none."""
    recorded = [(Recording(space, piece.history, piece.stopped), piece.facts) for piece in evidence]
    asked = [(recording, fact) for recording, facts in recorded for fact in facts]
    if not asked:
        raise SearchError("state at least one fact about the number")
    # Facts about ranges are slow to check, so they come last, when few candidates remain.
    return sorted(asked, key=lambda each: isinstance(each[1], Trend) and each[1].relation.whole)


def recordings_of(asked: Asked) -> dict[Recording, int]:
    """Return the recordings of the facts, and the frame of each from which on its numbers count.

    Before the first fact, but in the first 90 frames only, memory may hold garbage of power-on."""
    found: dict[Recording, int] = {}
    for recording, fact in asked:
        found[recording] = min(found.get(recording, 90), *fact.frames, recording.length)
    return found


def solve_strictly(
    space: AddressSpace, types: Sequence[DataType], asked: Asked, *, scales: bool, limit: int
) -> Solution:
    """Return every address, type and scale for which the facts hold, then those that fail one fact.

    At most ``limit`` of each are listed, ungrouped; each address and type has its simplest scale.
    """
    fits = promising = full_layers(space, types, scales=scales)
    answers: list[tuple[Fact, NumberLayers]] = []
    for recording, fact in asked:
        holds = answer(fact, promising, recording)
        # At the first fact, both sets are the same object: any candidate may still fail one fact.
        promising = {
            layer: each if fits[layer] is each else sets.union([holds[layer], fits[layer]])
            for layer, each in promising.items()
        }
        fits = {layer: sets.intersection(fits[layer], holds[layer]) for layer in holds}
        answers.append((fact, holds))
    exact = ranking.best_scales(fits)
    near = {
        fact: ranking.best_scales(
            {layer: sets.difference(promising[layer], holds[layer]) for layer in holds}
        )
        for fact, holds in (answers if len(answers) > 1 else ())
    }
    # If so many candidates fail only this fact, the other facts say little.
    missed = [
        match
        for fact, layers in near.items()
        if ranking.count(layers) <= 2000
        for match in ranking.rank(space, types, layers, fact, limit)
    ]
    return Solution(
        (*ranking.rank(space, types, exact, None, limit), *missed[:limit]),
        ranking.count(exact),
        sum(ranking.count(layers) for layers in near.values()),
    )


def answer(fact: Fact, left: NumberLayers, recording: Recording) -> NumberLayers:
    if isinstance(fact, Equals | Transition):
        for sighting in sightings(fact, 0):
            left = seen(sighting, left, recording)
        return left
    if fact.relation.whole:
        return holding_over_range(fact, left, recording)
    memory = Memory(recording.logical(fact.end), recording.logical(fact.start), None)
    return refine(left, Comparison(fact.relation.op, None, "previous").predicate, memory)


SLOPES: Final = (  # of games, the most frequent first; each may also be negative
    *map(Fraction, (1, 10, 100, 5, 25, 50, 2, 4, 8, 16, 32, 64, 128, 1000, 20, 200, 500)),
    *(Fraction(1, divisor) for divisor in (2, 4, 8)),
)

_AT_ONCE: Final = 2048

Seen = Sequence[tuple[Recording, Sighting]]
_Windows = list[NDArray[np.int64]]  # stored numbers of each sighting, (frames, positions)


def on_lines(
    space: AddressSpace, types: Sequence[DataType | BitField], seen: Seen
) -> list[ranking.Match]:
    """Return readings for which a line, ``shown = a * stored + b``, fits all sightings; a is not 0.

    If three or more different numbers are seen at their exact frames, ``a`` may be any slope. If
    frames may be off, it is one of the frequent ``SLOPES``. Two numbers lie on some line anyway, so
    they only allow multiples of the stored number, and numbers that count down from a constant."""
    values = [sighting.value for _, sighting in seen]
    different = len(set(values))
    if different < 2:
        return []
    matches = []
    ordered = sorted(seen, key=lambda each: each[1].value)
    touched = [_moved(*both) for both in pairwise(ordered) if both[0][1].value != both[1][1].value]
    for data_type in types:
        fits = sets.covered(space, 0, None, data_type.width)
        for each in touched:
            fits &= widened(each, data_type.width)
        positions = np.flatnonzero(fits)[: (1 << 16)]
        for first in range(0, len(positions), _AT_ONCE):
            chosen = positions[first : first + _AT_ONCE]
            numbers = [_stored(each, data_type, chosen) for each in seen]
            at_their_frames = all(len(window) == 1 for window in numbers)
            lines = (_through if at_their_frames else _near)(values, numbers)
            addresses = sets.addresses_of(space, chosen).tolist()
            matches += [
                ranking.match_of(addresses[index], data_type, scale)
                for index, scale in lines
                if different > 2 or _is_usual(scale)
            ]
    return matches


def _moved(one: tuple[Recording, Sighting], other: tuple[Recording, Sighting]) -> sets.Mask:
    """Return a mask of the bytes that may differ between two sightings."""
    differs: sets.Mask = one[0].logical(one[1].said) != other[0].logical(other[1].said)
    for recording, sighting in (one, other):
        first, last = _span(recording, sighting)
        if first < last:
            differs |= recording.changed(first, last + 1)
    return differs


def _span(recording: Recording, sighting: Sighting) -> tuple[int, int]:
    return max(0, sighting.first), min(recording.length, sighting.last)


def _stored(
    seen: tuple[Recording, Sighting], data_type: DataType | BitField, positions: sets.Positions
) -> NDArray[np.int64]:
    first, last = _span(*seen)
    wanted = bytes_of({data_type: positions})
    captured = seen[0].bytes_over(wanted, first, last + 1)
    columns = np.searchsorted(wanted, positions)[:, np.newaxis] + np.arange(data_type.width)
    return data_type.decode_array(captured[:, columns])


def _is_usual(scale: Scale) -> bool:
    """Return True for a line with a usual slope and no offset, and for a count-down by ones."""
    multiple = not scale.offset and Fraction(scale.divisor, scale.multiplier) in SLOPES
    return multiple or (scale.divisor, scale.multiplier) == (-1, 1)


def _through(values: Sequence[int], numbers: _Windows) -> Iterator[tuple[int, Scale]]:
    """Yield each line through all numbers, as the index of its position and a scale."""
    stored = np.concatenate(numbers)
    low, high = values.index(min(values)), values.index(max(values))
    rise = values[high] - values[low]
    run = stored[high] - stored[low]
    fits = (run != 0) & (np.abs(stored) < (1 << 40)).all(axis=0)
    for value, row in zip(values, stored, strict=True):
        fits &= (row - stored[low]) * rise == (value - values[low]) * run
    for index in np.flatnonzero(fits).tolist():
        slope = Fraction(rise, int(run[index]))
        scale = _scale(slope, values[low] - slope * int(stored[low, index]))
        if scale is not None:
            yield index, scale


def _near(values: Sequence[int], numbers: _Windows) -> Iterator[tuple[int, Scale]]:
    """Yield lines of frequent slopes that meet each number on some frame of its window."""
    for slope in (sign * slope for slope in SLOPES[:6] for sign in (1, -1)):
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
                yield index, scale


def _scale(slope: Fraction, intercept: Fraction) -> Scale | None:
    """Return a line as a scale, or None if its constants are not whole numbers."""
    if intercept.denominator == 1:
        return Scale(slope.denominator, slope.numerator, offset=int(intercept))
    bias = -intercept / slope
    if bias.denominator == 1:
        return Scale(slope.denominator, slope.numerator, int(bias))
    return None


def forgiving(
    space: AddressSpace,
    types: Sequence[DataType],
    evidence: Sequence[Evidence],
    *,
    scales: bool = True,
    limit: int = 200,
) -> Solution:
    """Return matches of facts that may be a little off, the likeliest first, then near misses.

    Raises SearchError without facts, and TimelineError for frames that were not recorded."""
    asked = asked_of(space, evidence)
    recordings = recordings_of(asked)
    strict = solve_strictly(space, types, asked, scales=scales, limit=limit)
    matches = exact = [match for match in strict.matches if match.failed is None]
    groups = _ordered(space, exact, recordings)
    for further in (_little_off, _lines_off):
        if _is_likely(groups):
            break
        known = {match.reading for match in matches}
        more = further(space, types, asked, scales=scales)
        matches = [*matches, *(match for match in more if match.reading not in known)]
        # The list is cut, so that the near misses that follow it stay in view.
        groups = _ordered(space, matches, recordings)[: max(8, len(exact))]
    found = [match for match, _ in groups]
    listed = {(each.address, each.type) for match in found for each in match.readings}
    missed = [
        each
        for each in strict.matches
        if each.failed is not None and (each.address, each.type) not in listed
    ]
    near = [match for match, _ in ranking.grouped(space, missed, recordings)]
    return replace(
        strict,
        matches=(*found, *near),
        all_zero={sighting.value for _, sighting in _seen(asked, 0)} == {0},
        in_pieces=() if _is_likely(groups) else tuple(in_pieces(space, asked)),
    )


def _is_likely(groups: Sequence[tuple[ranking.Match, ranking.Behavior]]) -> bool:
    """Return True if the best match is so plausible that no further hypothesis is needed."""
    return bool(groups) and ranking.reading_bits(*groups[0]) <= ranking.LIKELY_BITS


def _ordered(
    space: AddressSpace, matches: Sequence[ranking.Match], recordings: Mapping[Recording, int]
) -> list[tuple[ranking.Match, ranking.Behavior]]:
    """Return the most plausible match of each group, the best group first."""
    groups = ranking.grouped(space, matches, recordings, ranking.reading_bits)
    groups.sort(key=lambda group: ranking.reading_bits(*group) + ranking.behavior_bits(group[1]))
    return groups


def _little_off(
    space: AddressSpace, types: Sequence[DataType], asked: Asked, *, scales: bool
) -> list[ranking.Match]:
    """Return lines, then bit fields, then numbers and bit fields at frames near the stated ones."""
    if not _seen(asked, 0):
        return []
    runs = [((1 << bits) - 1) << low for bits in range(1, 8) for low in range(9 - bits)]
    fields = full_layers(space, [BitField.of(mask) for mask in runs], scales=False)
    wide_fields = (field for field in BIT_FIELDS if field.maximum > 1)
    lines = on_lines(space, (*types, *wide_fields), _seen(asked, 0)) if scales else []
    matches = _checked(space, [*lines, *_matches(space, _fitting(asked, fields, 0))], asked)
    if not (off := off_frames(asked)):
        return _distinct(matches)
    # At frames near the stated ones, only the five simplest scales are tried.
    simple = {
        layer: each
        for layer, each in full_layers(space, types, scales=scales).items()
        if layer.scale in scales_of(layer.data_type)[:5]
    }
    numbers = _fitting(asked, simple, off)
    for recording, fact in asked:
        if not isinstance(fact, Equals | Transition):
            numbers = answer(fact, numbers, recording)
    near = _matches(space, ranking.best_scales(numbers))
    near += _checked(space, _matches(space, _fitting(asked, fields, off)), asked)
    return _distinct([*matches, *(replace(match, off_frames=off) for match in near)])


def _lines_off(
    space: AddressSpace, types: Sequence[DataType], asked: Asked, *, scales: bool
) -> list[ranking.Match]:
    """Return lines through numbers at frames near the stated ones."""
    off = off_frames(asked)
    lines = on_lines(space, types, _seen(asked, off)) if scales and off else []
    return _distinct([replace(match, off_frames=off) for match in _checked(space, lines, asked)])


def _distinct(matches: Sequence[ranking.Match]) -> list[ranking.Match]:
    return list({each.reading: each for each in reversed(matches)}.values())[::-1]


def _seen(asked: Asked, off: int) -> Seen:
    return [(recording, each) for recording, fact in asked for each in sightings(fact, off)]


def _fitting(asked: Asked, layers: LayersOf[T], off: int) -> LayersOf[T]:
    """Return the candidates whose numbers were seen at their frames, or up to ``off`` away."""
    for recording, sighting in _seen(asked, off):
        left = {layer: each for layer, each in layers.items() if each.count}
        layers = seen(sighting, left, recording)
    return layers


def _matches(space: AddressSpace, layers: LayersOf[T]) -> list[ranking.Match]:
    # All matches are later compared with those of other hypotheses, so a layer gives at most 400.
    return [
        ranking.match_of(address, layer.data_type, layer.scale)
        for layer, candidates in layers.items()
        for address in sets.addresses_of(space, candidates.positions[:400]).tolist()
    ]


def _checked(
    space: AddressSpace, matches: list[ranking.Match], asked: Asked
) -> list[ranking.Match]:
    for recording, fact in asked:
        matches = ranking.behaving(space, matches, fact, recording)
    return matches
