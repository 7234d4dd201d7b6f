"""Answers facts as inexact as people state them.

Facts are taken at their word first. If no likely match fits, further hypotheses join: frames are
off by a few, the shown number is a line of the stored one, or the number is a few bits of a byte.
The last hypothesis is a number in pieces that do not touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from integrator.domain.query.lines import Seen, on_lines
from integrator.domain.query.matches.behaviour import Behaviour
from integrator.domain.query.matches.checks import behaving
from integrator.domain.query.matches.lead import carried_first
from integrator.domain.query.matches.plausible import (
    LIKELY_BITS,
    behaviour_bits,
    reading_bits,
)
from integrator.domain.query.matches.rank import Match, best_scales, grouped, match_of
from integrator.domain.query.pieces.in_pieces import in_pieces
from integrator.domain.query.recorded.facts import Equals, Transition
from integrator.domain.query.recorded.nearby import off_frames, seen, sightings
from integrator.domain.query.recorded.recording import Recording
from integrator.domain.query.solve import (
    Asked,
    Evidence,
    Solution,
    answer,
    asked_of,
    recordings_of,
    solve_strictly,
)
from integrator.domain.sweep.layout import addresses_of, starts
from integrator.domain.sweep.readings import BIT_FIELDS, BitField
from integrator.domain.sweep.refine import Layer, LayersOf
from integrator.domain.sweep.scale import PLAIN, scales_of
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

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
    """As ``solve``, for facts that may be a little off; the most plausible matches come first.

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
