"""Orders the matches of a query, best first, and groups matches that can not be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from integrator.domain.query.facts import Fact
from integrator.domain.query.readings import shown_numbers
from integrator.domain.query.recording import Recording
from integrator.domain.sweep.layout import addresses_of
from integrator.domain.sweep.refine import NumberLayers
from integrator.domain.sweep.scale import Scale, scales_of
from integrator.domain.sweep.sets import CandidateSet, difference, union
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

_SAMPLES: Final = 24
"""Frames, besides those that facts name, on which copies have to agree."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An address, how its bytes are read, and how the screen shows the number."""

    address: int
    type: DataType
    scale: Scale


@dataclass(frozen=True, slots=True)
class Match:
    """A reading that fits. ``failed`` is the one fact that does not hold, None when all do.

    ``copies`` are readings that showed the same number on every frame looked at: other addresses
    that mirror this one, and other types over the same bytes.
    """

    address: int
    type: DataType
    scale: Scale
    failed: Fact | None
    copies: tuple[Reading, ...] = ()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The match itself and its copies."""
        return (Reading(self.address, self.type, self.scale), *self.copies)


def best_scales(layers: NumberLayers) -> NumberLayers:
    """The layers without candidates that another layer holds at a simpler scale."""
    taken: dict[DataType, CandidateSet] = {}
    result = {}
    for layer, candidates in layers.items():
        simpler = taken.get(layer.data_type)
        result[layer] = candidates if simpler is None else difference(candidates, simpler)
        taken[layer.data_type] = candidates if simpler is None else union([simpler, candidates])
    return result


def count(layers: NumberLayers) -> int:
    """Candidates in all layers."""
    return sum(candidates.count for candidates in layers.values())


def rank(
    space: AddressSpace,
    types: Sequence[DataType],
    layers: NumberLayers,
    failed: Fact | None,
    limit: int,
) -> list[Match]:
    """At most ``limit`` matches: simple scales first, then aligned, then in the order of types."""
    order = {data_type: index for index, data_type in enumerate(types)}
    matches: list[tuple[tuple[int, bool, int, int], Match]] = []
    for layer, candidates in layers.items():
        simplicity = scales_of(layer.data_type).index(layer.scale)
        word = min(layer.data_type.width, 2)
        positions = candidates.positions[: limit * word]
        for address in addresses_of(space, positions).tolist():
            key = (simplicity, address % word != 0, order[layer.data_type], address)
            matches.append((key, Match(address, layer.data_type, layer.scale, failed)))
    matches.sort(key=lambda each: each[0])
    return [match for _, match in matches[:limit]]


def grouped(
    space: AddressSpace, matches: Sequence[Match], recordings: Mapping[Recording, Sequence[int]]
) -> list[Match]:
    """One match for each series of shown numbers; the others become its copies.

    ``recordings`` gives the frames that facts name in each recording.
    """
    groups: dict[tuple[Fact | None, tuple[Fraction, ...]], list[Match]] = {}
    memories = [
        recording.logical(frame)
        for recording, named in recordings.items()
        for frame in sorted({*named, *np.linspace(min(named), max(named), _SAMPLES).astype(int)})
    ]
    for match, shown in zip(matches, shown_numbers(space, matches, memories), strict=True):
        groups.setdefault((match.failed, shown), []).append(match)
    return [
        replace(
            first, copies=tuple(Reading(each.address, each.type, each.scale) for each in others)
        )
        for first, *others in groups.values()
    ]
