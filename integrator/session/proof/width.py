"""The width and code of a number, found by letting the game overflow it byte by byte."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError
from integrator.domain.values.datatype import KINDS, MAX_WIDTH, DataType, NumberKind
from integrator.domain.values.memory import AddressSpace
from integrator.session.proof.lab import Target

Run = Callable[[list[tuple[int, bytes]]], NDArray[np.uint8]]
"""Writes bytes at offsets in flat RAM; RAM in console order when the number has changed next."""

_SURE_CARRIES: Final = 2
_STEP_DIGITS: Final = 4
"""Decimal digits that one step of the game may change."""


@dataclass(frozen=True, slots=True)
class NumberForm:
    """The form of a number: its code, and type and address where overflowing showed the width."""

    code: str
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
    """Probes one number: ``before`` is RAM in console order, ``run`` plays on after writes."""

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
        for kind in _kinds(target.type):
            places = [_Place(lowest, direction) for direction in _directions(target.type)]
            widths = [(self._width(place, kind), place) for place in places]
            width, place = max(widths, key=lambda found: found[0])
            if width:
                return _form(place, kind, width)
        return self._nibbles(lowest)

    def _width(self, place: _Place, kind: NumberKind) -> int:
        """The width in this code, 0 when the game does not count so."""
        return max((self._overflow(place, kind, s) for s in self._steps(place, kind)), default=0)

    def _overflow(self, place: _Place, kind: NumberKind, step: int) -> int:
        """Fill one more byte at a time until no carry arrives in the byte above."""
        for filled in range(1, MAX_WIDTH + 1):
            try:
                arrived = self._fill(place, kind, filled, step)
            except AddressError:
                # The memory ends here, and with it the number; the carry before reached this byte.
                return filled if filled > 1 else 0
            if arrived is None:
                # A number at its end may do else than start again; one carry may be chance.
                return filled if filled > _SURE_CARRIES else 0
            if not arrived:
                return filled
        return MAX_WIDTH

    def _fill(self, place: _Place, kind: NumberKind, filled: int, step: int) -> bool | None:
        """True when a carry arrived above ``filled`` bytes; None when they came out otherwise."""
        base = kind.base
        top = base**filled - 1 if step > 0 else 0
        writes: list[tuple[int, bytes]] = []
        for index in range(filled):
            byte = self._coded(kind, place.address(index), (top // base**index) % base)
            offset = int(self._space.offsets(place.address(index), 1)[0])
            writes.append((offset, bytes([byte])))
        above = place.address(filled)
        untouched = self._digit(kind, self._base, above)
        after = self._run(writes)
        carry, rest = divmod(top + step, base**filled)
        for index in range(filled):
            digit = (rest // base**index) % base
            came = int(after[self._space.index_of(place.address(index))])
            if came != self._coded(kind, place.address(index), digit):
                return None
        now = self._digit(kind, after, above)
        if untouched != self._digit(kind, self._before, above) and not self._carries(
            place, kind, filled, step
        ):
            # The byte changed although nothing was carried into it: it is a number of its own.
            return False
        if now == (self._digit(kind, self._before, above) + carry) % base:
            return True
        return False if now == untouched else None

    def _carries(self, place: _Place, kind: NumberKind, length: int, step: int) -> bool:
        base = kind.base
        number = sum(
            self._digit(kind, self._before, place.address(index)) * base**index
            for index in range(length)
        )
        return not 0 <= number + step < base**length

    def _steps(self, place: _Place, kind: NumberKind) -> tuple[int, ...]:
        """Steps by which the game may change the number, if it takes these bytes in this code."""
        base, found = kind.base, []
        for length in range(math.ceil(_STEP_DIGITS / math.log10(base)), 0, -1):
            try:
                places = [place.address(index) for index in range(length)]
                before = [self._digit(kind, self._before, address) for address in places]
                after = [self._digit(kind, self._base, address) for address in places]
            except AddressError:
                continue
            if not all(self._is_digit(kind, address) for address in places):
                continue
            step = sum(
                (b - a) * base**i for i, (a, b) in enumerate(zip(before, after, strict=True))
            )
            # A longer way round is a carry into bytes beyond these.
            if 2 * abs(step) <= base**length:
                found.append(step)
        return tuple(dict.fromkeys(step for step in found if step))

    def _is_digit(self, kind: NumberKind, address: int) -> bool:
        """True for a byte that rests, or that goes from one digit of the kind to another."""
        index = self._space.index_of(address)
        before, after = int(self._before[index]), int(self._base[index])
        digits = [kind.codes[int(kind.digits[byte])] for byte in (before, after)]
        is_code = digits == [byte & kind.bits for byte in (before, after)]
        return before == after or (is_code and not (before ^ after) & ~kind.bits)

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
        code = KINDS["d" if after == decimal else "u"].code
        reason = f"0x{poked:02X} becomes 0x{after:02X} in the next step of {step:+d}: it is {code}."
        return NumberForm(code, None, None, reason)

    def _digit(self, kind: NumberKind, logical: NDArray[np.uint8], address: int) -> int:
        return int(kind.digits[logical[self._space.index_of(address)]])

    def _coded(self, kind: NumberKind, address: int, digit: int) -> int:
        other = int(self._before[self._space.index_of(address)]) & ~kind.bits
        return other | kind.codes[digit]


def _form(place: _Place, kind: NumberKind, width: int) -> NumberForm:
    first = place.lowest if place.direction > 0 else place.address(width - 1)
    endian = "|" if width == 1 else "<" if place.direction > 0 else ">"
    size = "1 byte" if width == 1 else f"{width} bytes"
    reason = f"It overflows as {size} of {kind.code}: filled up so far, a step carries no further."
    return NumberForm(kind.code, DataType.parse(f"{endian}{kind.letter}{width}"), first, reason)


def _kinds(data_type: DataType) -> tuple[NumberKind, ...]:
    """The type's kind first; others fit where no digit goes beyond nine."""
    own = KINDS["u"] if data_type.form.signed else data_type.form
    return (own, *(each for each in KINDS.values() if each is not own and not each.signed))


def _directions(data_type: DataType) -> tuple[int, ...]:
    if data_type.width == 1:
        return (-1, 1)
    return (-1,) if data_type.endian == ">" else (1,)
