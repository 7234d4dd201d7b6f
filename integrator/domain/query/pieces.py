"""Numbers in pieces: bytes that do not touch, each with a digit of the shown number.

A byte may hold a digit when it equals the digit times a step, plus a constant, at each fact. The
two lowest digits that differ between facts are looked for in all of memory. They give the distance
from digit to digit, so that the other digits need only be looked up. If no such row of digits
exists, each further digit is the nearest byte that may hold it.
A script joins the pieces.
"""

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
from integrator.domain.query.rank import Behaviour, behaviour_bits
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableSpec


@dataclass(frozen=True, slots=True)
class Coding:
    """A byte stores a digit of ``base`` as ``zero + step * digit``, in the bits of ``mask``.

    A digit of base 100 is two packed decimal digits, one of base 256 a whole byte.
    """

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
        """The variable's numbers for bytes, int64 of their shape."""
        return self.type.decode_array(raw[..., np.newaxis]) & self.mask

    def digits(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The digits for bytes, int64 of their shape; -1 for a byte that is no digit."""
        above = (self.stored(raw) - self.zero) % 256
        digits = above // self.step
        return np.where((above % self.step == 0) & (digits < self.base), digits, -1)

    def is_digit(self, raw: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """True for bytes that are a digit. A packed one is read as such even if it is none."""
        if self.base == 100:
            return ((raw >> 4) <= 9) & ((raw & 15) <= 9)
        return self.digits(raw) >= 0

    def __str__(self) -> str:
        noun = {100: "two packed digits a byte", 256: "one byte each"}
        text = noun.get(self.base, "one digit a byte")
        if self.mask != 0xFF:
            text += f", in its bits 0x{self.mask:02X}"
        if self.step > 1 and self.mask == 0xFF:
            text += f", times {self.step}"
        return text + (f", 0 is 0x{self.zero:02X}" if self.zero else "")


@dataclass(frozen=True, slots=True)
class Piece:
    """A digit at an ``address``, which counts ``weight`` times in the number on the screen."""

    address: int
    weight: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """A number on the screen as the sum of its pieces, the lowest digit first.

    A byte that is no digit counts as 0, because games draw nothing for zeros in front. ``copies``
    counts other places whose pieces showed the same number on every recorded frame.
    """

    coding: Coding
    pieces: tuple[Piece, ...]
    copies: int = 0

    def numbers(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Numbers on the screen, int64 (frames,), of the pieces' bytes, uint8 (frames, pieces)."""
        digits = np.maximum(self.coding.digits(raw), 0)
        total: NDArray[np.int64] = digits @ np.array([each.weight for each in self.pieces])
        return total

    def are_summed(self, raw: NDArray[np.uint8]) -> bool:
        """True when the bytes' own numbers add up to :meth:`numbers`, as terms of a reward do.

        A digit that is drawn as nothing may be another number.
        """
        digits, stored = self.coding.digits(raw), self.coding.stored(raw)
        return bool((np.maximum(digits, 0) * self.coding.step == stored - self.coding.zero).all())

    @property
    def stride(self) -> int | None:
        """Bytes from one piece to the next higher one; None when distances differ."""
        apart = {high.address - low.address for low, high in pairwise(self.pieces)}
        return apart.pop() if len(apart) == 1 else None

    def __str__(self) -> str:
        lowest = self.pieces[0]
        places = ", ".join(f"0x{each.address:X}" for each in self.pieces)
        if self.stride is not None and len(self.pieces) > 2:
            places = f"0x{lowest.address:X} and each {self.stride:+d} bytes"
        text = f"{len(self.pieces)} pieces from the lowest on at {places}: {self.coding}"
        return text + (f"; all times {lowest.weight}" if lowest.weight > 1 else "")


_CODINGS: Final = (
    *(Coding(10, step) for step in (1, 8, 2, 4, 16)),
    *(Coding(10, step, mask) for step, mask in ((8, 0x78), (1, 0x0F), (16, 0xF0))),
    Coding(100),
    Coding(256),
)
_FURTHEST: Final = 64  # most bytes between two digits of a row; halves of a number lie anywhere
_MOST_CHECKED: Final = 400
_MOST_DIGITS: Final = 6  # rows are extended beyond the facts up to this many decimal digits


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Shown numbers, int64 (facts,), and the memory of their frames, uint8 (facts, bytes)."""

    values: NDArray[np.int64]
    memory: NDArray[np.uint8]

    def digits(self, base: int, place: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The digit at a place from the right, at each fact; true for zeros in front."""
        unit = base**place
        return self.values // unit % base, (self.values < unit) & (place > 0)


@dataclass(frozen=True, slots=True)
class _Row:
    """Positions of the digits from a place on, the lowest first."""

    coding: Coding
    factor: int
    place: int
    positions: tuple[int, ...]
    regular: bool

    @property
    def stride(self) -> int:
        """Bytes from one digit to the next higher one of a regular row."""
        return self.positions[1] - self.positions[0]


def in_pieces(space: AddressSpace, asked: Sequence[tuple[Recording, Fact]]) -> list[Pieces]:
    """Numbers in pieces for which the facts hold, the most plausible first.

    Pieces are digits on nearly every recorded frame. Facts need two different numbers, none of them
    negative, that differ in two digits.
    """
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
    told = []
    for row in found:
        longer = _extended(row, taken)
        weights = (longer.factor * longer.coding.base**place for place in count(longer.place))
        places = map(space.address_of, longer.positions)
        pieces = Pieces(longer.coding, tuple(map(Piece, places, weights)))
        parts = [taken.bytes_at(longer.positions, each) for each in recordings]
        behaviour = _behaviour(pieces, parts)
        if behaviour.miscoded <= 0.1 and _behaves(pieces, longer.positions, asked):
            told.append((_row_bits(longer) + behaviour_bits(behaviour), pieces, behaviour.key))
    told.sort(key=lambda each: each[0])
    # For each series of numbers the likeliest row; other places of it count as its copies.
    groups: dict[bytes, dict[tuple[Piece, ...], Pieces]] = {}
    for _, pieces, key in told:
        groups.setdefault(key, {}).setdefault(pieces.pieces, pieces)
    best = list(groups.values())[:8]
    return [replace(next(iter(group.values())), copies=len(group) - 1) for group in best]


def _rows(seen: _Seen) -> Iterator[_Row]:
    """Rows of digits, of all codings and factors."""
    moving = np.flatnonzero((seen.memory != seen.memory[0]).any(axis=0))
    for factor in (1, 10, 100, 1000):
        if (seen.values % factor).any():
            break
        lowered = _Seen(seen.values // factor, seen.memory)
        for coding in _CODINGS:
            # A digit of base ten at a higher place says the same as a factor.
            if coding.base != 10 or factor == 1:
                yield from _coded(lowered, coding, factor, moving)


def _coded(seen: _Seen, coding: Coding, factor: int, moving: NDArray[np.intp]) -> Iterator[_Row]:
    top = next(p for p in range(20, -1, -1) if p == 0 or (seen.values >= coding.base**p).any())
    telling = [p for p in range(top + 1) if len(np.unique(seen.digits(coding.base, p)[0])) > 1]
    if len(telling) < 2:
        return
    low, high = telling[:2]
    for blank in (False, True):
        holding = [_holding(seen, coding, place, moving, blank=blank) for place in telling]
        rows = list(islice(_regular(seen, coding, (low, high, top), *holding[:2]), _MOST_CHECKED))
        if not rows and len(seen.values) >= 3 and telling == [*range(low, top + 1)]:
            rows = list(_loose(seen, coding, low, holding))
        if rows:
            yield from (replace(row, factor=factor) for row in rows)
            return


_Holding = tuple[NDArray[np.intp], NDArray[np.int64]]
"""Positions that may hold a digit, and the byte of zero at each."""


def _holding(
    seen: _Seen, coding: Coding, place: int, moving: NDArray[np.intp], *, blank: bool
) -> _Holding:
    """The moving bytes that may hold the digit at a place; ``blank``: zeros in front are not."""
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
    """Rows whose digits have the same distance, through a digit at each of the first two places."""
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
    """True when each position of the row holds its digit at each fact, or a blank in front."""
    for place, position in enumerate(row, low):
        if not 0 <= position < seen.memory.shape[1]:
            return False
        shown, front = seen.digits(coding.base, place)
        digits = coding.digits(seen.memory[:, position])
        if (digits != shown)[~front].any() or (digits[front] > 0).any():
            return False
    others = seen.memory[:, list(row)] & (0xFF - coding.mask)
    # Without a mask, a constant next to all digits is a part of the zero's code.
    return coding.mask == 0xFF or bool((others != others[0, 0]).any())


def _loose(seen: _Seen, coding: Coding, low: int, holding: Sequence[_Holding]) -> Iterator[_Row]:
    """Rows of irregular distances: for each digit the nearest byte that may hold it."""
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
    """Bytes of all positions that rows may use, over each recording from a frame on."""

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
        """Bytes over the frames of a recording, uint8 (frames, positions)."""
        columns = np.searchsorted(self.positions, np.array(positions, np.intp))
        taken: NDArray[np.uint8] = self._captured[recording][:, columns]
        return taken

    def everywhere(self, position: int) -> NDArray[np.uint8] | None:
        """A byte over all recordings; None outside of memory."""
        if position not in self.positions:
            return None
        return np.concatenate([self.bytes_at([position], each)[:, 0] for each in self._captured])


def _beyond(row: _Row) -> list[int]:
    """Positions where a regular row may go on: below its first digit, then above its last."""
    if not row.regular:
        return []
    below = [row.positions[0] - row.stride * number for number in range(1, row.place + 1)]
    above = [row.positions[-1] + row.stride * number for number in range(1, _MOST_DIGITS + 1)]
    return [position for position in (*below, *above) if position >= 0]


def _extended(row: _Row, taken: _Taken) -> _Row:
    """The row with further digits on both sides, where bytes go on as digits do."""
    # A row of whole bytes does not go on beyond the facts.
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
    """True for a byte that is always a digit, and not the zero that is met all over memory."""
    if series is None or not coding.is_digit(series).all():
        return False
    rests = (series == series[0]).all()
    return bool(coding.zero > 0 and not coding.digits(series[:1])[0]) if rests else True


def _goes_above(
    coding: Coding, top: NDArray[np.uint8] | None, series: NDArray[np.uint8] | None
) -> bool:
    """True for a byte that is always a digit: carried into from the top one, or zero throughout.

    Zeros are met all over memory, and two of them in a byte are not worth a variable.
    """
    if top is None or series is None or not coding.is_digit(series).all():
        return False
    changes = series[1:] != series[:-1]
    if not changes.any():
        return coding.base == 10 and not coding.digits(series[:1])[0]
    return bool((top[1:] != top[:-1])[changes].all())


def _behaviour(pieces: Pieces, parts: Sequence[NDArray[np.uint8]]) -> Behaviour:
    digest, changes, travel, wrong = blake2b(digest_size=16), 0, 0.0, 0.0
    for raw in parts:
        numbers = pieces.numbers(raw)
        digest.update(numbers.tobytes())
        steps = np.abs(np.diff(numbers))
        changes += int(np.count_nonzero(steps))
        travel += float(steps.sum())
        # All bytes are digits, except blanks in front of the number.
        valid = pieces.coding.is_digit(raw)
        below_blank = np.minimum.accumulate(valid, axis=1) == valid
        wrong = max(wrong, 1 - float((below_blank.all(axis=1) & valid[:, 0]).mean()))
    return Behaviour(digest.digest(), changes, travel, wrong)


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
    """Bits for the way in which digits are laid out and coded."""
    coding = row.coding
    bits = 1.0 * (coding.zero > 0) + 2.0 * (coding.mask != 0xFF) + 1.0 * (row.factor > 1)
    bits += {1: 0.0, 8: 1.0, 16: 1.0}.get(coding.step, 3.0)
    apart = np.abs(np.diff(row.positions))
    return bits + log2(float(apart.max())) + 5.0 * (not row.regular)


def variables_of(name: str, pieces: Pieces, taken: Container[str]) -> list[VariableSpec]:
    """A variable for each piece, the lowest first, called ``name_0`` and so on."""
    coding, specs = pieces.coding, []
    for number, piece in enumerate(pieces.pieces):
        called = free_name(f"{name}_{number}", taken)
        specs.append(VariableSpec(called, piece.address, coding.type, coding.variable_mask))
    return specs


def reward_function(name: str) -> str:
    """The name of the Lua function that gives a frame's reward."""
    return f"{name}_reward"


def script_of(name: str, pieces: Pieces, specs: list[VariableSpec]) -> str:
    """The text of a Lua script that reads ``specs``, the variables of the pieces in their order.

    ``name`` has to be an identifier of Lua: the script also shows the number under it.
    """
    coding = pieces.coding
    lines = (
        f'  {{ "{spec.name}", {piece.weight} }},'
        for spec, piece in zip(specs, pieces.pieces, strict=True)
    )
    template = read_text(Path(__file__).with_name("pieces.lua"), SMALL_BYTES)
    return Template(template).substitute(
        words=f"The number {name}, made of {pieces}",
        pieces="\n".join(lines),
        zero=coding.zero,
        step=coding.step,
        base=coding.base,
        name=name,
    )
