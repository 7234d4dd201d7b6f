"""Orders the matches of a query, best first, and groups matches that can not be told apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from integrator.domain.query.matches.behaviour import Behaviour, behaviours
from integrator.domain.query.matches.readings import Reading
from integrator.domain.query.recorded.facts import Fact
from integrator.domain.query.recorded.recording import Recording
from integrator.domain.sweep.layout import addresses_of
from integrator.domain.sweep.readings import BitField, SearchType
from integrator.domain.sweep.refine import LayersOf, NumberLayers
from integrator.domain.sweep.scale import Scale, scales_of
from integrator.domain.sweep.sets import CandidateSet, difference, union
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

T = TypeVar("T", bound=SearchType)


@dataclass(frozen=True, slots=True)
class Match:
    """A reading that fits. ``failed`` is the one fact that does not hold, None when all do.

    ``copies`` are readings that show the same number on every recorded frame after the console's
    start: other addresses that mirror this one, and other types over the same bytes.
    ``off_frames`` is by how much frames of the facts were taken to be off; 0 when they fit as
    stated. ``mask`` as in :class:`Reading`.
    """

    address: int
    type: DataType
    scale: Scale
    failed: Fact | None
    copies: tuple[Reading, ...] = ()
    mask: int | None = None
    off_frames: int = 0

    @property
    def reading(self) -> Reading:
        """The match without its copies."""
        return Reading(self.address, self.type, self.scale, self.mask)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """The match itself and its copies."""
        return (self.reading, *self.copies)


def match_of(address: int, read: DataType | BitField, scale: Scale) -> Match:
    """The match of a number, or of a field whose own numbers are shown at ``scale``."""
    if isinstance(read, BitField):
        return Match(address, read.data_type, scale.shifted(read.shift), None, mask=read.mask)
    return Match(address, read, scale, None)


def best_scales(layers: LayersOf[T]) -> LayersOf[T]:
    """The layers without candidates that another layer holds at a simpler scale."""
    taken: dict[T, CandidateSet] = {}
    result = {}
    for layer, candidates in layers.items():
        simpler = taken.get(layer.data_type)
        result[layer] = candidates if simpler is None else difference(candidates, simpler)
        taken[layer.data_type] = candidates if simpler is None else union([simpler, candidates])
    return result


def count(layers: LayersOf[T]) -> int:
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
    space: AddressSpace,
    matches: Sequence[Match],
    recordings: Mapping[Recording, int],
    doubt: Callable[[Match, Behaviour], float] = lambda _match, _behaviour: 0.0,
) -> list[tuple[Match, Behaviour]]:
    """One match for each series of shown numbers, with the others as its copies.

    Groups, and matches of a group, come in the order of their ``doubt``, then as given.
    ``recordings`` gives the frame of each from which on its numbers count.
    """
    groups: dict[tuple[Fact | None, bytes], list[tuple[Match, Behaviour]]] = {}
    each_behaviour = behaviours(space, [match.reading for match in matches], recordings)
    pairs = list(zip(matches, each_behaviour, strict=True))
    for match, behaviour in sorted(pairs, key=lambda pair: doubt(*pair)):
        groups.setdefault((match.failed, behaviour.key), []).append((match, behaviour))
    return [
        (replace(first, copies=tuple(each.reading for each, _ in others)), behaviour)
        for (first, behaviour), *others in groups.values()
    ]
