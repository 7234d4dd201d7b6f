"""The readings that a query found: their numbers over recorded frames, and their order. The order
is by bits: a hypothesis or a behavior of more bits is less likely."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import blake2b
from math import lcm, log2
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.facts import Equals, Fact, Transition
from integrator.domain.query.ranges import Recording, bytes_of
from integrator.domain.search.results import Candidate
from integrator.domain.sweep import readings as kinds
from integrator.domain.sweep.refine import LayersOf, NumberLayers, values_at
from integrator.domain.sweep.sets import CandidateSet, addresses_of, difference, union
from integrator.domain.values.memory import AddressSpace, DataType

T = TypeVar("T", bound=kinds.SearchType)


@dataclass(frozen=True, slots=True)
class Reading:
    """An address, how its bytes are read, and how the screen shows the number. ``mask`` is set for
    a bit field. As in data.json, masked numbers are not shifted, so the scale includes the shift.
    ``real`` is set for a float, and ``type`` then reads the same bytes."""

    address: int
    type: DataType
    scale: kinds.Scale
    mask: int | None = None
    real: kinds.FloatType | None = None

    def shown(self, number: int) -> Fraction:
        """Return the number on the screen if the bytes hold ``number``."""
        return self.scale.shown(number if self.mask is None else number & self.mask)

    def decoded(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return stored numbers, int64 (frames,), for bytes, uint8 (frames, width)."""
        numbers = self.type.decode_array(raw)
        return numbers if self.mask is None else numbers & self.mask


def shown_numbers(
    space: AddressSpace, readings: Sequence[Reading], memories: Sequence[NDArray[np.uint8]]
) -> list[tuple[Fraction, ...]]:
    """Return, for each reading, its shown number in each of ``memories``, in logical order."""
    result: list[list[Fraction]] = [[] for _ in readings]
    for data_type in {reading.type for reading in readings}:
        rows = [row for row, reading in enumerate(readings) if reading.type == data_type]
        places = np.array([space.index_of(readings[row].address) for row in rows], dtype=np.intp)
        for memory in memories:
            stored = values_at(memory, places, data_type).tolist()
            for row, number in zip(rows, stored, strict=True):
                result[row].append(readings[row].shown(number))
    return [tuple(numbers) for numbers in result]


@dataclass(frozen=True, slots=True)
class Behavior:
    """The movement of a shown number; readings with the same ``key`` show the same on every frame.
    ``changes`` counts the frames on which the number changes, ``travel`` sums its steps up and down
    as the screen shows them, and ``returns`` counts the steps in the rarer direction. ``miscoded``
    is the share of frames on which bytes are not the digits of the reading's type."""

    key: bytes
    changes: int
    travel: float
    miscoded: float
    returns: int = 0


def behaviors(
    space: AddressSpace, readings: Sequence[Reading], recordings: Mapping[Recording, int]
) -> list[Behavior]:
    """Return each reading's behavior in all recordings, from the given frame of each to its end."""
    if not readings:
        return []
    common = lcm(*(reading.scale.multiplier for reading in readings))
    parts = [
        _captured(space, readings, each, start, each.length + 1, moves=True)
        for each, start in recordings.items()
    ]
    return [_behavior(reading, raw, common) for reading, *raw in zip(readings, *parts, strict=True)]


def _captured(
    space: AddressSpace,
    readings: Sequence[Reading],
    recording: Recording,
    start: int,
    stop: int,
    *,
    moves: bool = False,
) -> list[NDArray[np.uint8]]:
    """Return the bytes of each reading over frames [start, stop), uint8 (frames, width). With
    ``moves``, frames on which no byte of any reading changes are left out."""
    places = [space.index_of(reading.address) for reading in readings]
    by_type: dict[DataType, list[int]] = {}
    for reading, place in zip(readings, places, strict=True):
        by_type.setdefault(reading.type, []).append(place)
    wanted = bytes_of({kind: np.array(found, np.intp) for kind, found in by_type.items()})
    rows = recording.bytes_over(wanted, start, stop)
    if moves:
        rows = rows[np.append(True, (rows[1:] != rows[:-1]).any(axis=1))]
    columns = np.searchsorted(wanted, places).tolist()
    widths = [reading.type.width for reading in readings]
    return [rows[:, at : at + width] for at, width in zip(columns, widths, strict=True)]


def _behavior(reading: Reading, parts: Sequence[NDArray[np.uint8]], common: int) -> Behavior:
    scale, digest = reading.scale, blake2b(digest_size=16)
    factor = scale.divisor * (common // scale.multiplier)
    added = scale.offset * common - scale.bias * factor
    wrapped = [np.uint64(each % (1 << 64)) for each in (factor, added)]
    changes, rises, travel, miscoded = 0, 0, 0.0, 0.0
    for raw in parts:
        numbers = reading.decoded(raw)
        # Hash shown numbers times their common denominator, so that no fractions are needed. Equal
        # numbers wrap to equal products.
        digest.update((numbers.view(np.uint64) * wrapped[0] + wrapped[1]).tobytes())
        steps = np.diff(numbers.astype(np.float64))
        rises += int(np.count_nonzero(steps > 0))
        changes += int(np.count_nonzero(steps))
        travel += float(np.abs(steps).sum()) * abs(scale.divisor / scale.multiplier)
        if reading.type.kind in "dn":
            # With one digit per byte, 10 stands for a blank, and the high half never changes.
            low, high, packed = raw & 0x0F, raw >> 4, reading.type.kind == "d"
            wrong = (low > 9) | (high > 9) if packed else (low > 10) | (high != high[-1])
            miscoded = max(miscoded, float(wrong.any(axis=1).mean()))
    return Behavior(digest.digest(), changes, travel, miscoded, min(rises, changes - rises))


@dataclass(frozen=True, slots=True)
class Match:
    """A reading that fits. ``failed`` is the only fact that does not hold, None if all hold.
    ``copies`` are readings that show the same number on every recorded frame after the console's
    start: other addresses that mirror this one, and other types over the same bytes. ``off_frames``
    is the number of frames by which facts were assumed to be off, 0 if the reading fits them as
    stated. ``mask`` is as in :class:`Reading`."""

    address: int
    type: DataType
    scale: kinds.Scale
    failed: Fact | None
    copies: tuple[Reading, ...] = ()
    mask: int | None = None
    off_frames: int = 0

    @property
    def reading(self) -> Reading:
        return Reading(self.address, self.type, self.scale, self.mask)

    @property
    def readings(self) -> tuple[Reading, ...]:
        return (self.reading, *self.copies)


def match_of(address: int, read: DataType | kinds.BitField, scale: kinds.Scale) -> Match:
    """Return the match of a number, or of a field whose shifted numbers are shown at ``scale``."""
    if isinstance(read, kinds.BitField):
        return Match(address, read.data_type, scale.shifted(read.shift), None, mask=read.mask)
    return Match(address, read, scale, None)


def best_scales(layers: LayersOf[T]) -> LayersOf[T]:
    """Return the layers without candidates that the same type already has at a simpler scale."""
    taken: dict[T, CandidateSet] = {}
    result = {}
    for layer, candidates in layers.items():
        simpler = taken.get(layer.data_type)
        result[layer] = candidates if simpler is None else difference(candidates, simpler)
        taken[layer.data_type] = candidates if simpler is None else union([simpler, candidates])
    return result


def count(layers: LayersOf[T]) -> int:
    return sum(candidates.count for candidates in layers.values())


def rank(
    space: AddressSpace,
    types: Sequence[DataType],
    layers: NumberLayers,
    failed: Fact | None,
    limit: int,
) -> list[Match]:
    """Return at most ``limit`` matches: by simplicity of scale, then alignment, then type."""
    order = {data_type: index for index, data_type in enumerate(types)}
    matches: list[tuple[tuple[int, bool, int, int], Match]] = []
    for layer, candidates in layers.items():
        simplicity = kinds.scales_of(layer.data_type).index(layer.scale)
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
    doubt: Callable[[Match, Behavior], float] = lambda _match, _behavior: 0.0,
) -> list[tuple[Match, Behavior]]:
    """Return one match for each series of shown numbers, with the other matches as its copies.

    Groups, and the matches in a group, are in order of their ``doubt``, and equal ones as given.
    ``recordings`` has the frame of each recording from which on its numbers count."""
    groups: dict[tuple[Fact | None, bytes], list[tuple[Match, Behavior]]] = {}
    each_behavior = behaviors(space, [match.reading for match in matches], recordings)
    pairs = list(zip(matches, each_behavior, strict=True))
    for match, behavior in sorted(pairs, key=lambda pair: doubt(*pair)):
        groups.setdefault((match.failed, behavior.key), []).append((match, behavior))
    return [
        (replace(first, copies=tuple(each.reading for each, _ in others)), behavior)
        for (first, behavior), *others in groups.values()
    ]


def led_by_widest(match: Match) -> Match:
    """Return the match with its widest plausible reading in front.

    That reading has the first reading's bytes and higher bytes, which have been 0 so far. Games
    store a score in more bytes than its first points need, and a narrow type would wrap."""
    first, *others = match.readings
    plausible = [other for other in others if _widens(first, other)]
    if not plausible:
        return match
    # Of equally wide readings, max() takes the first, which is the likeliest.
    lead = max(plausible, key=lambda reading: reading.type.width)
    copies = tuple(reading for reading in match.readings if reading != lead)
    return replace(match, address=lead.address, type=lead.type, scale=lead.scale, copies=copies)


def _widens(first: Reading, other: Reading) -> bool:
    """Return True if ``other`` has the bytes of ``first`` as its low bytes, and higher ones."""
    kind, width = other.type.kind, other.type.width
    if kind != first.type.kind or other.scale != first.scale:
        return False
    # Games keep numbers in these widths.
    if width not in {"d": range(1, 5), "n": range(1, 9)}.get(kind, (1, 2, 4)):
        return False
    if width <= first.type.width or first.mask is not None or other.mask is not None:
        return False
    ends_alike = other.address + width == first.address + first.type.width
    starts_alike = other.address == first.address
    by_endian = {">": ends_alike, "<": starts_alike}
    alike_order = first.type.width == 1 or first.type.endian == other.type.endian
    return alike_order and by_endian.get(other.type.endian, False)


LIKELY_BITS: Final = 5.0  # A match of at most this many bits needs no further hypotheses.

_SLOPE_BITS: Final = {
    Fraction(slope): bits
    for slopes, bits in (
        ((1,), 0.0),
        ((10, 100), 2.0),
        ((5, 25, 50, 1000), 4.0),
        ((2, 4, 8, 16, 32, 64, 128, 20, 200, 500, Fraction(1, 2)), 6.0),
        ((Fraction(1, 4), Fraction(1, 8)), 9.0),
    )
    for slope in slopes
}


def hypothesis_bits(match: Match) -> float:
    """Return bits for scale, type, mask and frames that are off; a plain byte has 0."""
    scale, kind, shift = match.scale, match.type, 0
    bits = (
        log2(kind.width) / 2 + 4 * (len(kind.endian) > 1) + {"i": 1.0, "n": 0.5}.get(kind.kind, 0)
    )
    if match.mask is not None:
        field = kinds.BitField(match.mask)
        shift = field.shift
        bits += 5 if field in kinds.BIT_FIELDS else 7
    # The slope of a field's shifted number, which counts from the field's lowest bit.
    slope = Fraction(scale.divisor << shift, scale.multiplier)
    bits += _SLOPE_BITS.get(abs(slope), 12.0) + 2 * (slope < 0)
    bits += 2 * bool(scale.bias >> shift) + 5 * bool(match.off_frames)
    return bits + (2 + log2(1 + abs(scale.offset)) / 2 if scale.offset else 0)


def reading_bits(match: Match, behavior: Behavior) -> float:
    """Return :func:`hypothesis_bits`, and more bits if a number's bytes are not always digits."""
    refuted = 6.0 * (behavior.miscoded > 0) + 4 * behavior.miscoded
    return hypothesis_bits(match) + refuted


def behavior_bits(behavior: Behavior) -> float:
    """Return bits for a number's movement: few if it moves little and seldom back and forth."""
    turns = 2 * log2(1 + behavior.returns)
    return 3 * log2(1 + behavior.travel) + log2(1 + behavior.changes) + turns


def behaving(
    space: AddressSpace, matches: Sequence[Match], fact: Fact, recording: Recording
) -> list[Match]:
    """Return the matches whose numbers behave as a Trend says; all of them for other facts."""
    if isinstance(fact, Equals | Transition) or not matches:
        return list(matches)
    readings = [match.reading for match in matches]
    parts = [_captured(space, readings, recording, *span) for span in fact.spans]

    def holds(match: Match, *raw: NDArray[np.uint8]) -> bool:
        numbers = match.reading.decoded(np.concatenate(raw))
        return fact.holds(np.diff(numbers) * np.sign(match.scale.divisor))

    return [each[0] for each in zip(matches, *parts, strict=True) if holds(*each)]


MOST_GROUPED: Final = 4096  # With more rows, the search has to be narrowed down first.


def groups_of(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Return the candidates in groups, each led by its widest plausible candidate.

    Groups are in the order of their first candidates. The others of a group share a byte with the
    first one, and show the same number now, at the last step and at the start of the search. Each
    bit field and each float is a group of its own."""
    members: list[list[Candidate]] = []
    by_byte: dict[tuple[tuple[Fraction, ...], int], int] = {}
    for row in candidates:
        places = range(row.address, row.address + row.type.width)
        numbers = _numbers(row)
        group = next((by_byte[numbers, p] for p in places if (numbers, p) in by_byte), None)
        if group is not None and numbers:
            members[group].append(row)
            continue
        members.append([row])
        if numbers:
            by_byte.update({(numbers, place): len(members) - 1 for place in places})
    return [_led(group) for group in members]


def _numbers(row: Candidate) -> tuple[Fraction, ...]:
    """Return the shown numbers now, at the last step and at the start; () for bits and floats."""
    if row.mask is not None or row.real is not None:
        return ()
    return tuple(row.scale.shown(int(number)) for number in (row.value, row.previous, row.first))


def _led(group: list[Candidate]) -> list[Candidate]:
    """Return a group with its lead first, chosen as for matches; the others keep their order."""
    if len(group) == 1:
        return group
    matches = (Match(row.address, row.type, row.scale, None) for row in group)
    first, *others = sorted(matches, key=hypothesis_bits)
    lead = led_by_widest(replace(first, copies=tuple(each.reading for each in others))).reading
    return sorted(group, key=lambda row: Reading(row.address, row.type, row.scale) != lead)
