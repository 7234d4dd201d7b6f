"""The width and the code of a number, found by letting the game overflow it.

With its lowest bytes at their greatest (or least, when the game counts down), the next step has to
carry into the byte above. The bytes that come out tell the code; the number ends at the byte that
no carry reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError
from integrator.domain.values.datatype import MAX_WIDTH, DataType
from integrator.domain.values.memory import AddressSpace
from integrator.session.proof.lab import Target

Coding = Literal["binary", "BCD", "digits"]
Run = Callable[[list[tuple[int, bytes]]], NDArray[np.uint8]]
"""Writes bytes at offsets in flat RAM; RAM in console order when the number has changed next."""

_BASES: Final[dict[Coding, int]] = {"binary": 256, "BCD": 100, "digits": 10}
_STEP_BYTES: Final[dict[Coding, int]] = {"binary": 2, "BCD": 2, "digits": 4}
"""Lowest bytes that one step of the game may change."""
_KINDS: Final[dict[Coding, Literal["u", "d", "n"]]] = {"binary": "u", "BCD": "d", "digits": "n"}


@dataclass(frozen=True, slots=True)
class NumberForm:
    """The form of a number: its code, and its type and address where overflowing told the width."""

    coding: Coding
    type: DataType | None
    address: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Place:
    """The bytes of a number, lowest first: addresses ``lowest``, ``lowest + direction``, ..."""

    lowest: int
    direction: int

    def address(self, index: int) -> int:
        return self.lowest + self.direction * index


class Overflow:
    """Probes one number. ``before`` is RAM in console order, ``run`` runs on after writes.

    Without writes, ``run`` gives RAM as the game itself changes it.
    """

    def __init__(self, space: AddressSpace, before: NDArray[np.uint8], run: Run) -> None:
        self._space = space
        self._before = before
        self._run = run
        self._base = run([])

    def probe(self, target: Target) -> NumberForm | None:
        """The width and code that all pokes agree with; None when they leave them open."""
        if len(target.type.endian) > 1:
            return None
        lowest = target.address + target.type.order[-1]
        for coding in _codings(target.type):
            places = [_Place(lowest, direction) for direction in _directions(target.type)]
            widths = [(self._width(place, coding), place) for place in places]
            width, place = max(widths, key=lambda found: found[0])
            if width:
                return _form(place, coding, width)
        return self._nibbles(lowest)

    def _width(self, place: _Place, coding: Coding) -> int:
        """The width in this code, 0 when the game does not count so."""
        return max(
            (self._overflow(place, coding, s) for s in self._steps(place, coding)), default=0
        )

    def _overflow(self, place: _Place, coding: Coding, step: int) -> int:
        """Fill one more byte at a time until no carry arrives in the byte above."""
        for filled in range(1, MAX_WIDTH + 1):
            try:
                arrived = self._fill(place, coding, filled, step)
            except AddressError:
                # The memory ends here, and with it the number.
                return filled - 1
            if arrived is None:
                return 0
            if not arrived:
                return filled
        return MAX_WIDTH

    def _fill(self, place: _Place, coding: Coding, filled: int, step: int) -> bool | None:
        """True when a carry arrived above ``filled`` bytes; None when they came out otherwise."""
        base = _BASES[coding]
        top = base**filled - 1 if step > 0 else 0
        writes: list[tuple[int, bytes]] = []
        for index in range(filled):
            byte = self._coded(coding, place.address(index), (top // base**index) % base)
            offset = int(self._space.offsets(place.address(index), 1)[0])
            writes.append((offset, bytes([byte])))
        above = place.address(filled)
        untouched = self._digit(coding, self._base, above)
        after = self._run(writes)
        carry, rest = divmod(top + step, base**filled)
        for index in range(filled):
            digit = (rest // base**index) % base
            came = int(after[self._space.index_of(place.address(index))])
            if came != self._coded(coding, place.address(index), digit):
                return None
        now = self._digit(coding, after, above)
        if untouched != self._digit(coding, self._before, above) and not self._carries(
            place, coding, filled, step
        ):
            # The byte changed although nothing was carried into it: it is a number of its own.
            return False
        if now == (self._digit(coding, self._before, above) + carry) % base:
            return True
        return False if now == untouched else None

    def _carries(self, place: _Place, coding: Coding, length: int, step: int) -> bool:
        """True when the step carries out of so many lowest bytes in an unpoked run."""
        base = _BASES[coding]
        number = sum(
            self._digit(coding, self._before, place.address(index)) * base**index
            for index in range(length)
        )
        return not 0 <= number + step < base**length

    def _steps(self, place: _Place, coding: Coding) -> tuple[int, ...]:
        """Steps by which the game may change the number, if it takes so many bytes in this code."""
        base, found = _BASES[coding], []
        for length in range(_STEP_BYTES[coding], 0, -1):
            try:
                places = [place.address(index) for index in range(length)]
                before = [self._digit(coding, self._before, address) for address in places]
                after = [self._digit(coding, self._base, address) for address in places]
            except AddressError:
                continue
            if coding == "digits" and any(self._high_half_moves(address) for address in places):
                continue
            found.append(
                sum((b - a) * base**i for i, (a, b) in enumerate(zip(before, after, strict=True)))
            )
        return tuple(dict.fromkeys(step for step in found if step))

    def _high_half_moves(self, address: int) -> bool:
        index = self._space.index_of(address)
        return int(self._before[index]) >> 4 != int(self._base[index]) >> 4

    def _nibbles(self, lowest: int) -> NumberForm | None:
        """The form of a byte that counts in two decimal digits; some games stop at zero."""
        before = int(self._before[self._space.index_of(lowest)])
        step = int(self._base[self._space.index_of(lowest)]) - before
        if abs(step) != 1:
            return None
        poked, decimal, binary = (0x19, 0x20, 0x1A) if step > 0 else (0x20, 0x19, 0x1F)
        offset = int(self._space.offsets(lowest, 1)[0])
        after = int(self._run([(offset, bytes([poked]))])[self._space.index_of(lowest)])
        if after not in {decimal, binary}:
            return None
        coding: Coding = "BCD" if after == decimal else "binary"
        reason = (
            f"0x{poked:02X} becomes 0x{after:02X} in the next step of {step:+d}: it is {coding}."
        )
        return NumberForm(coding, None, None, reason)

    def _digit(self, coding: Coding, logical: NDArray[np.uint8], address: int) -> int:
        byte = int(logical[self._space.index_of(address)])
        if coding == "binary":
            return byte
        low = byte & 15
        return low if coding == "digits" else (byte >> 4) * 10 + low

    def _coded(self, coding: Coding, address: int, digit: int) -> int:
        if coding == "binary":
            return digit
        if coding == "BCD":
            return digit // 10 << 4 | digit % 10
        return int(self._before[self._space.index_of(address)]) & 0xF0 | digit


def _form(place: _Place, coding: Coding, width: int) -> NumberForm:
    first = place.lowest if place.direction > 0 else place.address(width - 1)
    endian = "|" if width == 1 else "<" if place.direction > 0 else ">"
    size = "1 byte" if width == 1 else f"{width} bytes"
    reason = f"It overflows as {size} of {coding}: filled up so far, a step carries no further."
    return NumberForm(coding, DataType.parse(f"{endian}{_KINDS[coding]}{width}"), first, reason)


def _codings(data_type: DataType) -> tuple[Coding, ...]:
    """The code of the type first: several fit where no digit goes beyond nine."""
    own: Coding = {"d": "BCD", "n": "digits"}.get(data_type.kind, "binary")  # type: ignore[assignment]
    return (own, *(each for each in _BASES if each != own))


def _directions(data_type: DataType) -> tuple[int, ...]:
    if data_type.width == 1:
        return (-1, 1)
    return (-1,) if data_type.endian == ">" else (1,)
