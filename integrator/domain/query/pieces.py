"""Numbers in pieces: the digits of the shown number are in bytes that are not adjacent. A byte may
hold a digit if it equals the digit times a step, plus a constant, at each fact. The two lowest
digits that differ between facts are searched for in all of memory. They give the distance from
digit to digit, so that the other digits need only be looked up. If no such row of digits exists,
each further digit is the nearest byte that may hold it. A Lua script joins the pieces."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import count, islice, pairwise
from math import log2
from pathlib import Path
from string import Template
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.integration.naming import free_name
from integrator.domain.query.facts import Equals, Fact, Transition
from integrator.domain.query.ranges import Recording, sightings
from integrator.domain.query.rank import Behavior, behavior_bits
from integrator.domain.values.memory import AddressSpace, DataType
from integrator.domain.values.variables import VariableSpec


@dataclass(frozen=True, slots=True)
class Coding:
    """A byte stores a digit of ``base`` as ``zero + step * digit``, in the bits of ``mask``. A
    digit of base 100 is two packed decimal digits, one of base 256 a whole byte."""

    base: int
    step: int = 1
    mask: int = 0xFF
    zero: int = 0

    @property
    def type(self) -> DataType:
        return DataType.parse("|d1" if self.base == 100 else "|u1")

    @property
    def variable_mask(self) -> int | None:
        return None if self.mask == 0xFF else self.mask

    def stored(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the numbers that a variable reads from bytes, int64 of the same shape."""
        return self.type.decode_array(raw[..., np.newaxis]) & self.mask

    def digits(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the digits in bytes, int64 of the same shape; -1 for a byte that is no digit."""
        above = (self.stored(raw) - self.zero) % 256
        digits = above // self.step
        return np.where((above % self.step == 0) & (digits < self.base), digits, -1)

    def is_digit(self, raw: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return True for digits; :meth:`digits` itself also decodes packed halves above 9."""
        if self.base == 100:
            return ((raw >> 4) <= 9) & ((raw & 15) <= 9)
        return self.digits(raw) >= 0

    def __str__(self) -> str:
        noun = {100: "two packed digits per byte", 256: "one byte each"}
        text = noun.get(self.base, "one digit per byte")
        if self.mask != 0xFF:
            text += f", in its bits 0x{self.mask:02X}"
        if self.step > 1 and self.mask == 0xFF:
            text += f", times {self.step}"
        return text + (f", 0 is 0x{self.zero:02X}" if self.zero else "")


@dataclass(frozen=True, slots=True)
class Piece:
    """A digit at an ``address``, which is multiplied by ``weight`` in the number on the screen."""

    address: int
    weight: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """A number on the screen as the sum of its pieces, the lowest digit first. A byte that is no
    digit counts as 0, because games draw nothing for leading zeros. ``copies`` counts other places
    whose pieces showed the same number on every recorded frame."""

    coding: Coding
    pieces: tuple[Piece, ...]
    copies: int = 0

    def numbers(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return shown numbers, int64 (frames,), for the pieces' bytes, uint8 (frames, pieces)."""
        digits = np.maximum(self.coding.digits(raw), 0)
        total: NDArray[np.int64] = digits @ np.array([each.weight for each in self.pieces])
        return total

    def are_summed(self, raw: NDArray[np.uint8]) -> bool:
        """Return True if reward terms for the bytes would add up to :meth:`numbers`.

        They would not if a leading zero is stored as another number than the digit 0."""
        digits, stored = self.coding.digits(raw), self.coding.stored(raw)
        return bool((np.maximum(digits, 0) * self.coding.step == stored - self.coding.zero).all())

    @property
    def stride(self) -> int | None:
        """The bytes from one piece to the next higher one, None if distances differ."""
        apart = {high.address - low.address for low, high in pairwise(self.pieces)}
        return apart.pop() if len(apart) == 1 else None

    def __str__(self) -> str:
        lowest = self.pieces[0]
        places = ", ".join(f"0x{each.address:X}" for each in self.pieces)
        if self.stride is not None and len(self.pieces) > 2:
            places = f"0x{lowest.address:X} and every {self.stride:+d} bytes"
        text = f"{len(self.pieces)} pieces, the lowest first, at {places}: {self.coding}"
        return text + (f"; all times {lowest.weight}" if lowest.weight > 1 else "")


_CODINGS: Final = (
    *(Coding(10, step) for step in (1, 8, 2, 4, 16)),
    *(Coding(10, step, mask) for step, mask in ((8, 0x78), (1, 0x0F), (16, 0xF0))),
    Coding(100),
    Coding(256),
)
_FURTHEST: Final = 64  # Most bytes between two digits. Whole bytes of base 256 may lie anywhere.
_MOST_CHECKED: Final = 400
_MOST_DIGITS: Final = 6  # Rows are extended beyond the facts up to this many decimal digits.


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Shown numbers, int64 (facts,), and the memory on their frames, uint8 (facts, bytes)."""

    values: NDArray[np.int64]
    memory: NDArray[np.uint8]

    def digits(self, base: int, place: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the digit at a place from the right at each fact, and a mask of leading zeros."""
        unit = base**place
        return self.values // unit % base, (self.values < unit) & (place > 0)


@dataclass(frozen=True, slots=True)
class _Row:
    """Positions of a number's digits from ``place`` on, the lowest digit first."""

    coding: Coding
    factor: int  # the number is the shown one divided by it
    place: int
    positions: tuple[int, ...]
    regular: bool  # distances are equal

    @property
    def stride(self) -> int:
        """The bytes from one digit of a regular row to the next higher one."""
        return self.positions[1] - self.positions[0]


def in_pieces(space: AddressSpace, asked: Sequence[tuple[Recording, Fact]]) -> list[Pieces]:
    """Return numbers in pieces for which the facts hold, the most plausible first.

    Their bytes must be digits on at least 90% of recorded frames. The facts must state different
    numbers that are not negative and differ in two digits; otherwise nothing is found."""
    moments = [(recording, each) for recording, fact in asked for each in sightings(fact, 0)]
    values = np.array([each.value for _, each in moments], np.int64)
    if not len(values) or values.min() < 0 or len(np.unique(values)) < 2:
        return []
    memory = np.stack([recording.logical(each.said) for recording, each in moments])
    found = list(islice(_rows(_Seen(values, memory)), _MOST_CHECKED))
    recordings: dict[Recording, int] = {}
    for recording, fact in asked:
        recordings[recording] = min(recordings.get(recording, recording.length), *fact.frames)
    taken = _Taken(found, recordings)
    rated = []
    for row in found:
        longer = _extended(row, taken)
        weights = (longer.factor * longer.coding.base**place for place in count(longer.place))
        places = map(space.address_of, longer.positions)
        pieces = Pieces(longer.coding, tuple(map(Piece, places, weights)))
        parts = [taken.bytes_at(longer.positions, each) for each in recordings]
        behavior = _behavior(pieces, parts)
        if behavior.miscoded <= 0.1 and _behaves(pieces, longer.positions, asked):
            rated.append((_row_bits(longer) + behavior_bits(behavior), pieces, behavior.key))
    rated.sort(key=lambda each: each[0])
    # Return the likeliest row of each series of numbers; other places with it count as copies.
    groups: dict[bytes, dict[tuple[Piece, ...], Pieces]] = {}
    for _, pieces, key in rated:
        groups.setdefault(key, {}).setdefault(pieces.pieces, pieces)
    best = list(groups.values())[:8]
    return [replace(next(iter(group.values())), copies=len(group) - 1) for group in best]


def _rows(seen: _Seen) -> Iterator[_Row]:
    """Yield rows of digits in all codings, also without zeros that all shown numbers end with."""
    moving = np.flatnonzero((seen.memory != seen.memory[0]).any(axis=0))
    for factor in (1, 10, 100, 1000):
        if (seen.values % factor).any():
            break
        lowered = _Seen(seen.values // factor, seen.memory)
        for coding in _CODINGS:
            # In base 10, a row that begins at a higher place is the same as one with a factor.
            if coding.base != 10 or factor == 1:
                yield from _coded(lowered, coding, factor, moving)


def _coded(seen: _Seen, coding: Coding, factor: int, moving: NDArray[np.intp]) -> Iterator[_Row]:
    top = next(p for p in range(20, -1, -1) if p == 0 or (seen.values >= coding.base**p).any())
    varying = [p for p in range(top + 1) if len(np.unique(seen.digits(coding.base, p)[0])) > 1]
    if len(varying) < 2:
        return
    low, high = varying[:2]
    for blank in (False, True):
        holding = [_holding(seen, coding, place, moving, blank=blank) for place in varying]
        rows = list(islice(_regular(seen, coding, (low, high, top), *holding[:2]), _MOST_CHECKED))
        if not rows and len(seen.values) >= 3 and varying == [*range(low, top + 1)]:
            rows = list(_loose(seen, coding, low, holding))
        if rows:
            yield from (replace(row, factor=factor) for row in rows)
            return


_Holding = tuple[NDArray[np.intp], NDArray[np.int64]]
"""Positions that may hold a digit, and for each the byte value that stands for 0."""


def _holding(
    seen: _Seen, coding: Coding, place: int, moving: NDArray[np.intp], *, blank: bool
) -> _Holding:
    """Return the moving bytes that may hold the digit at a place. With ``blank``, leading zeros are
    stored as a blank, which is always the same byte."""
    memory, (digits, front) = seen.memory[:, moving], seen.digits(coding.base, place)
    counted = ~(front & blank)
    if len(np.unique(digits[counted])) < 2:
        return np.empty(0, np.intp), np.empty(0, np.int64)
    zeros = (coding.stored(memory) - digits[:, np.newaxis] * coding.step) % 256
    inside = zeros[counted]
    fits = (inside == inside[0]).all(axis=0)
    if coding.base != 10 or coding.variable_mask is not None:
        fits &= inside[0] == 0
    else:
        fits &= inside[0] + 9 * coding.step < 256
    resting = memory[~counted]
    fits &= (resting == resting[:1]).all(axis=0)
    chosen = np.flatnonzero(fits)[:2000]
    return moving[chosen], inside[0, chosen]


def _regular(
    seen: _Seen, coding: Coding, places: tuple[int, int, int], first: _Holding, second: _Holding
) -> Iterator[_Row]:
    """Yield rows with equal distances, through bytes that may hold two of the digits."""
    low, high, top = places
    zero_at = np.full(seen.memory.shape[1], -1, np.int64)
    zero_at[second[0]] = second[1]
    for stride in (sign * apart for apart in range(1, _FURTHEST + 1) for sign in (1, -1)):
        ahead = first[0] + stride * (high - low)
        inside = (ahead >= 0) & (ahead < len(zero_at))
        joined = np.zeros(len(ahead), np.bool_)
        joined[inside] = zero_at[ahead[inside]] == first[1][inside]
        for index in np.flatnonzero(joined).tolist():
            start = int(first[0][index])
            row = tuple(start + stride * number for number in range(top - low + 1))
            coded = replace(coding, zero=int(first[1][index]))
            if _fits(seen, coded, low, row):
                yield _Row(coded, 1, low, row, regular=True)


def _fits(seen: _Seen, coding: Coding, low: int, row: Sequence[int]) -> bool:
    """Return True if each position holds its digit, or a leading blank, at each fact."""
    for place, position in enumerate(row, low):
        if not 0 <= position < seen.memory.shape[1]:
            return False
        shown, front = seen.digits(coding.base, place)
        digits = coding.digits(seen.memory[:, position])
        if (digits != shown)[~front].any() or (digits[front] > 0).any():
            return False
    others = seen.memory[:, list(row)] & (0xFF - coding.mask)
    # If the bits outside the mask never differ, the same row is found without a mask.
    return coding.mask == 0xFF or bool((others != others[0, 0]).any())


def _loose(seen: _Seen, coding: Coding, low: int, holding: Sequence[_Holding]) -> Iterator[_Row]:
    """Yield rows of irregular distances: for each further digit, the nearest byte that fits."""
    first, *further = holding
    reach = seen.memory.shape[1] if coding.base == 256 else _FURTHEST
    for start, zero in list(zip(*map(np.ndarray.tolist, first), strict=True))[:100]:
        row = [start]
        for positions, zeros in further:
            near = positions[(zeros == zero) & ~np.isin(positions, row)]
            if not len(near) or np.abs(near - row[-1]).min() > reach:
                break
            row.append(int(near[np.abs(near - row[-1]).argmin()]))
        coded = replace(coding, zero=zero)
        if len(row) == len(holding) and _fits(seen, coded, low, row):
            yield _Row(coded, 1, low, tuple(row), regular=False)


class _Taken:
    """The bytes at all positions that rows may use, from a start frame of each recording on."""

    def __init__(self, rows: Sequence[_Row], recordings: Mapping[Recording, int]) -> None:
        wanted = sorted({p for row in rows for p in (*row.positions, *_beyond(row))})
        self.positions = np.array(wanted, np.intp)
        self._captured: dict[Recording, NDArray[np.uint8]] = {}
        if not wanted:
            return
        for recording, start in recordings.items():
            self.positions = self.positions[self.positions < len(recording.logical(start))]
            captured = recording.bytes_over(self.positions, start, recording.length + 1)
            self._captured[recording] = captured

    def bytes_at(self, positions: Sequence[int], recording: Recording) -> NDArray[np.uint8]:
        """Return bytes over the frames of a recording, uint8 (frames, positions)."""
        columns = np.searchsorted(self.positions, np.array(positions, np.intp))
        taken: NDArray[np.uint8] = self._captured[recording][:, columns]
        return taken

    def everywhere(self, position: int) -> NDArray[np.uint8] | None:
        """Return a byte's values over all recordings, or None outside of memory."""
        if position not in self.positions:
            return None
        return np.concatenate([self.bytes_at([position], each)[:, 0] for each in self._captured])


def _beyond(row: _Row) -> list[int]:
    """Return positions at which a regular row may have further digits: lower, then higher ones."""
    if not row.regular:
        return []
    below = [row.positions[0] - row.stride * number for number in range(1, row.place + 1)]
    above = [row.positions[-1] + row.stride * number for number in range(1, _MOST_DIGITS + 1)]
    return [position for position in (*below, *above) if position >= 0]


def _extended(row: _Row, taken: _Taken) -> _Row:
    """Return the row with further digits at both ends, where the bytes behave like digits."""
    # A row of whole bytes is not extended, because every byte would be a digit.
    if not row.regular or row.coding.base == 256:
        return row
    digits = 1 if row.coding.base == 10 else 2
    stride, positions, place = row.stride, list(row.positions), row.place
    while place and _goes_below(row.coding, taken.everywhere(positions[0] - stride)):
        positions.insert(0, positions[0] - stride)
        place -= 1
    while (place + len(positions)) * digits < _MOST_DIGITS:
        top, further = (taken.everywhere(positions[-1] + ahead) for ahead in (0, stride))
        if not _goes_above(row.coding, top, further):
            break
        positions.append(positions[-1] + stride)
    return replace(row, positions=tuple(positions), place=place)


def _goes_below(coding: Coding, series: NDArray[np.uint8] | None) -> bool:
    """Return True for a byte that is always a digit. A constant byte must be a 0 that is stored as
    another number, because plain 0 is everywhere."""
    if series is None or not coding.is_digit(series).all():
        return False
    rests = (series == series[0]).all()
    return bool(coding.zero > 0 and not coding.digits(series[:1])[0]) if rests else True


def _goes_above(
    coding: Coding, top: NDArray[np.uint8] | None, series: NDArray[np.uint8] | None
) -> bool:
    """Return True for a byte that is always a digit, and changes only when the top digit does. A
    digit that is always 0 counts, but not two packed ones, because memory is full of zeros."""
    if top is None or series is None or not coding.is_digit(series).all():
        return False
    changes = series[1:] != series[:-1]
    if not changes.any():
        return coding.base == 10 and not coding.digits(series[:1])[0]
    return bool((top[1:] != top[:-1])[changes].all())


def _behavior(pieces: Pieces, parts: Sequence[NDArray[np.uint8]]) -> Behavior:
    digest, changes, travel, wrong = blake2b(digest_size=16), 0, 0.0, 0.0
    for raw in parts:
        numbers = pieces.numbers(raw)
        digest.update(numbers.tobytes())
        steps = np.abs(np.diff(numbers))
        changes += int(np.count_nonzero(steps))
        travel += float(steps.sum())
        # All bytes must be digits, except blanks in front of the number.
        valid = pieces.coding.is_digit(raw)
        below_blank = np.minimum.accumulate(valid, axis=1) == valid
        wrong = max(wrong, 1 - float((below_blank.all(axis=1) & valid[:, 0]).mean()))
    return Behavior(digest.digest(), changes, travel, wrong)


def _behaves(
    pieces: Pieces, positions: Sequence[int], asked: Sequence[tuple[Recording, Fact]]
) -> bool:
    places, columns = np.unique(np.array(positions, np.intp), return_inverse=True)
    for recording, fact in asked:
        if not isinstance(fact, Equals | Transition):
            raw = [recording.bytes_over(places, *span)[:, columns] for span in fact.spans]
            if not fact.holds(np.diff(pieces.numbers(np.concatenate(raw)))):
                return False
    return True


def _row_bits(row: _Row) -> float:
    """Return bits for the layout and the coding of digits; more bits are less likely."""
    coding = row.coding
    bits = 1.0 * (coding.zero > 0) + 2.0 * (coding.mask != 0xFF) + 1.0 * (row.factor > 1)
    bits += {1: 0.0, 8: 1.0, 16: 1.0}.get(coding.step, 3.0)
    return bits + log2(float(np.abs(np.diff(row.positions)).max())) + 5.0 * (not row.regular)


def variables_of(name: str, pieces: Pieces, taken: Container[str]) -> list[VariableSpec]:
    """Return a variable for each piece, the lowest first, called ``name_0`` and so on."""
    coding, specs = pieces.coding, []
    for number, piece in enumerate(pieces.pieces):
        called = free_name(f"{name}_{number}", taken)
        specs.append(VariableSpec(called, piece.address, coding.type, coding.variable_mask))
    return specs


def reward_function(name: str) -> str:
    return f"{name}_reward"


def script_of(name: str, pieces: Pieces, specs: list[VariableSpec]) -> str:
    """Return a Lua script that joins ``specs``, in order, to ``name``, a Lua identifier."""
    coding = pieces.coding
    lines = (
        f'  {{ "{spec.name}", {piece.weight} }},'
        for spec, piece in zip(specs, pieces.pieces, strict=True)
    )
    return Template(read_text(Path(__file__).with_name("pieces.lua"), SMALL_BYTES)).substitute(
        words=f"The number {name}, made of {pieces}",
        pieces="\n".join(lines),
        zero=coding.zero,
        step=coding.step,
        base=coding.base,
        name=name,
    )
