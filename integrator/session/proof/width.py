"""The width and code of a number, found by letting the game overflow it byte by byte."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError
from integrator.domain.values.datatype import KINDS, MAX_WIDTH, DataType, NumberKind
from integrator.domain.values.memory import AddressSpace
from integrator.session.proof.lab import Target

Run = Callable[[list[tuple[int, bytes]]], NDArray[np.uint8]]
"""Writes bytes at offsets in flat RAM; RAM in console order when the number has changed next."""


@dataclass(frozen=True, slots=True)
class NumberForm:
    """The form of a number: its code, and type and address where overflowing showed the width."""

    code: str
    type: DataType | None
    address: int | None
    reason: str


class Overflow:
    """Probes one number: ``before`` is RAM in console order, ``run`` plays on after writes."""

    def __init__(self, space: AddressSpace, before: NDArray[np.uint8], run: Run) -> None:
        self._space, self._before, self._run = space, before, run
        self._base = run([])

    def probe(self, target: Target) -> NumberForm | None:
        """The width and code that all pokes agree with; None when they leave them open."""
        if len(target.type.endian) > 1:
            return None
        lowest = target.address + target.type.order[-1]
        known = (1,) if target.type.endian != ">" else (-1,)
        ways = known if target.type.width > 1 else (-1, 1)
        # The addresses of the number's bytes, lowest first, as far as the widest number goes.
        places = [range(lowest, lowest + way * (MAX_WIDTH + 1), way) for way in ways]
        own = KINDS["u"] if target.type.form.signed else target.type.form
        # The type's kind first; others fit where no digit goes beyond nine.
        others = (each for each in KINDS.values() if each is not own and not each.signed)
        for kind in (own, *others):
            width, place = 0, places[0]
            for each in places:
                for step in self._steps(each, kind):
                    if (reached := self._overflow(each, kind, step)) > width:
                        width, place = reached, each
            if width:
                return _form(place, kind, width)
        return self._nibbles(lowest)

    def _overflow(self, place: range, kind: NumberKind, step: int) -> int:
        """Fill one more byte at a time until no carry arrives in the byte above."""
        for filled in range(1, MAX_WIDTH + 1):
            try:
                arrived = self._fill(place, kind, filled, step)
            except AddressError:
                # The memory ends here, and with it the number; the carry before reached this byte.
                return filled if filled > 1 else 0
            if arrived is None:
                # A number at its end may do else than start again. One carry may be chance, so
                # two have to have arrived.
                return filled if filled > 2 else 0
            if not arrived:
                return filled
        return MAX_WIDTH

    def _fill(self, place: range, kind: NumberKind, filled: int, step: int) -> bool | None:
        """True when a carry arrived above ``filled`` bytes; None when they came out otherwise."""
        base = kind.base
        top = base**filled - 1 if step > 0 else 0
        writes: list[tuple[int, bytes]] = []
        for index, address in enumerate(place[:filled]):
            byte = self._coded(kind, address, (top // base**index) % base)
            writes.append((int(self._space.offsets(address, 1)[0]), bytes([byte])))
        above = place[filled]
        untouched = self._digit(kind, self._base, above)
        after = self._run(writes)
        carry, rest = divmod(top + step, base**filled)
        for index, address in enumerate(place[:filled]):
            digit = (rest // base**index) % base
            if after[self._space.index_of(address)] != self._coded(kind, address, digit):
                return None
        before, now = self._digit(kind, self._before, above), self._digit(kind, after, above)
        if untouched != before and not self._carries(place, kind, filled, step):
            # The byte changed although nothing was carried into it: it is a number of its own.
            return False
        if now == (before + carry) % base:
            return True
        return False if now == untouched else None

    def _carries(self, place: range, kind: NumberKind, length: int, step: int) -> bool:
        digits = (self._digit(kind, self._before, address) for address in place[:length])
        number = sum(digit * kind.base**index for index, digit in enumerate(digits))
        return not 0 <= number + step < kind.base**length

    def _steps(self, place: range, kind: NumberKind) -> tuple[int, ...]:
        """Steps by which the game may change the number, if it takes these bytes in this code."""
        base, found = kind.base, []
        # One step of the game may change four decimal digits.
        for length in range(math.ceil(4 / math.log10(base)), 0, -1):
            places = place[:length]
            try:
                before = [self._digit(kind, self._before, address) for address in places]
                after = [self._digit(kind, self._base, address) for address in places]
            except AddressError:
                continue
            if not all(self._is_digit(kind, address) for address in places):
                continue
            changes = (b - a for a, b in zip(before, after, strict=True))
            step = sum(change * base**i for i, change in enumerate(changes))
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


def _form(place: range, kind: NumberKind, width: int) -> NumberForm:
    first = min(place[0], place[width - 1])
    endian, size = "|", "1 byte"
    if width > 1:
        endian, size = "<" if place.step > 0 else ">", f"{width} bytes"
    reason = f"It overflows as {size} of {kind.code}: filled up so far, a step carries no further."
    return NumberForm(kind.code, DataType.parse(f"{endian}{kind.letter}{width}"), first, reason)
