"""Converts predicates of a data type to questions for the kernel: tests of rows of digits."""

import struct
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf, nextafter
from typing import Final, Literal

import numpy as np

from integrator.domain.sweep import _kernel  # type: ignore[attr-defined]  # compiled C
from integrator.domain.sweep.readings import BitField, FloatType, SearchType
from integrator.domain.values.memory import DataType


@dataclass(frozen=True, slots=True)
class Predicate:
    """A comparison of stored numbers at one scale; ``op`` applies to the ``subject``."""

    subject: Literal["value", "memory", "step", "count", "never", "always"]
    op: str = ""
    low: int = 0
    high: int = 0


NEVER: Final = Predicate("never")
ALWAYS: Final = Predicate("always")


def interval(op: str, low: int, high: int) -> tuple[float, float] | None:
    """Return the least and greatest number that satisfy ``op``; None for bits and remainders."""
    match op:
        case "equal" | "not-equal":
            return _least(low), _greatest(low)
        case "in-range":
            return _least(low), _greatest(high)
        case "greater-than":
            return nextafter(as_float(low), inf), inf
        case "less-than":
            return -inf, nextafter(as_float(low), -inf)
        case "greater-or-equal":
            return _least(low), inf
        case "less-or-equal":
            return -inf, _greatest(low)
    return None


def as_float(number: int) -> float:
    """Return a number as a float; a huge one becomes +-10**40, beyond all 4-byte floats."""
    return float(max(-(10**40), min(10**40, number)))


def _least(number: int) -> float:
    # Greater 8-byte floats are whole numbers, which the screen shows exactly.
    if abs(number) < 1 << 53:
        return number - 0.5 if number > 0 else nextafter(number - 1.0, inf)
    nearest = as_float(number)
    return nearest if nearest >= number else nextafter(nearest, inf)


def _greatest(number: int) -> float:
    return -_least(-number)


ffi, lib = _kernel.ffi, _kernel.lib

Question = bytes | bool  # a packed question, or a bool if all numbers of the type agree

_LAYOUT: Final = struct.Struct("@6BH8s8s8s8s3q2d32sP")
_CHANGED: Final = lib.LESS | lib.MORE
_RELATIONS: Final = {
    "equal": lib.SAME,
    "not-equal": _CHANGED,
    "less-than": lib.LESS,
    "less-or-equal": lib.LESS | lib.SAME,
    "greater-than": lib.MORE,
    "greater-or-equal": lib.MORE | lib.SAME,
}
_NEGATED: Final = {"not-equal", "bit-clear"}


@dataclass(frozen=True, slots=True)
class _Digits:
    """Codes and offsets of a number's digits, lowest first, and a lookup ``table``, if any."""

    readings: bytes
    places: bytes
    base: int
    minimum: int = 0
    table: int = 0  # the address of 256 entries, or 0

    def of(self, number: int) -> bytes:
        rest = number - self.minimum
        if self.base == 256:
            return rest.to_bytes(len(self.places), "little")
        found = bytearray()
        for _ in self.places:
            rest, digit = divmod(rest, self.base)
            found.append(digit)
        return bytes(found)

    def ask(
        self,
        test: int,
        *,
        relation: int = 0,
        negate: bool = False,
        unchanged: int = lib.ASKED,
        bit: int = 0,
        low: bytes = b"",
        high: bytes = b"",
        divisor: int = 0,
        remainder: int = 0,
        start: float = 0,
        end: float = 0,
        share: bytes = b"",
    ) -> bytes:
        kinds = (test, relation, negate, unchanged, len(self.places), bit, self.base)
        digits = (self.readings, self.places, low, high)
        numbers = (self.minimum, divisor, remainder, start, end)
        return _LAYOUT.pack(*kinds, *digits, *numbers, share, self.table)


def question_of(data_type: SearchType, predicate: Predicate) -> Question:
    if predicate.subject in {"never", "always"}:
        return predicate.subject == "always"
    if predicate.subject == "count":
        return _unordered(data_type, lib.BYTE, 256).ask(lib.HIGHEST)
    if isinstance(data_type, FloatType):
        return _of_float(data_type, predicate)
    if predicate.subject == "memory":
        return _relation(data_type, _RELATIONS[predicate.op])
    if predicate.subject == "step":
        return _step(data_type, predicate)
    match predicate.op:
        case "equal" | "not-equal":
            return _equality(data_type, predicate)
        case "bit-set" | "bit-clear":
            return _bit(data_type, predicate)
        case "modulo":
            return _remainder(data_type, predicate)
    return _range(data_type, predicate)


def _field(shift: int, bits: int) -> int:
    """Return the code for reading ``bits`` bits of a byte from bit ``shift`` on."""
    return int(lib.FIELD) + 8 * shift + bits - 1


@lru_cache(maxsize=256)
def _coding(data_type: DataType | BitField) -> tuple[int, int, int]:
    """Return the code for reading a type's digits, their base, and the address of a table or 0. The
    kernel computes the digits of some kinds of numbers, and looks up the others in the table."""
    if isinstance(data_type, BitField):
        reading = _field(data_type.shift, data_type.maximum.bit_length())
        return reading, data_type.maximum + 1, 0
    form = data_type.form
    if form.is_binary:
        return lib.BYTE, form.base, 0
    reading = {"d": lib.CODED, "n": lib.NIBBLE}.get(data_type.kind, lib.TABLED)
    digits = form.digits.astype(np.uint8).tobytes()
    return reading, form.base, _address(digits) if reading == lib.TABLED else 0


@cache
def _address(digits: bytes) -> int:
    return int(ffi.cast("uintptr_t", ffi.from_buffer(digits)))


@lru_cache(maxsize=256)
def _ordered(data_type: DataType | BitField) -> _Digits:
    reading, base, table = _coding(data_type)
    readings = bytes((reading,)) * data_type.width
    if data_type.minimum < 0:
        readings = readings[:-1] + bytes((lib.SIGNED,))
    return _Digits(readings, bytes(reversed(data_type.order)), base, data_type.minimum, table)


def _unordered(data_type: SearchType, reading: int, base: int, table: int = 0) -> _Digits:
    """Return digits in the order of memory, for tests in which all digits count the same."""
    width = data_type.width
    return _Digits(bytes((reading,)) * width, bytes(range(width)), base, table=table)


def _relation(data_type: DataType | BitField, relation: int) -> bytes:
    ordered = relation not in {lib.SAME, _CHANGED}
    digits = _ordered(data_type) if ordered else _unordered(data_type, *_coding(data_type))
    unchanged = lib.KEPT if relation & lib.SAME else lib.DROPPED
    return digits.ask(lib.RELATION, relation=relation, unchanged=unchanged)


def _step(data_type: DataType | BitField, predicate: Predicate) -> Question:
    step = predicate.low
    if step == 0:
        return _relation(data_type, lib.SAME)
    if abs(step) > data_type.maximum - data_type.minimum:
        return False
    relation = lib.MORE if step > 0 else lib.LESS
    if predicate.op == "different-by":
        relation = _CHANGED
    digits = _ordered(data_type)
    distance = digits.of(digits.minimum + abs(step))
    return digits.ask(lib.STEP, relation=relation, low=distance, unchanged=lib.DROPPED)


def _equality(data_type: DataType | BitField, predicate: Predicate) -> Question:
    negate = predicate.op in _NEGATED
    if not data_type.minimum <= predicate.low <= data_type.maximum:
        return negate
    digits = _ordered(data_type)
    wanted = bytearray(digits.of(predicate.low))
    if data_type.minimum < 0:
        # Clear the effect of the sign, so that signed types ask the same question as unsigned ones.
        wanted[-1] ^= 0x80
    # The kernel first searches for the first digit only, and great digits are rarer than small.
    pairs = sorted(zip(wanted, digits.places, strict=True), reverse=True)
    first, places = bytes(digit for digit, _ in pairs), bytes(place for _, place in pairs)
    readings = bytes((_coding(data_type)[0],)) * len(pairs)
    unsigned = _Digits(readings, places, digits.base, table=digits.table)
    return unsigned.ask(lib.EQUAL, negate=negate, low=first)


def _range(data_type: DataType | BitField, predicate: Predicate) -> Question:
    op, minimum, maximum = predicate.op, data_type.minimum, data_type.maximum
    lowest, highest = minimum, maximum
    if op in ("greater-than", "greater-or-equal", "in-range"):
        lowest = predicate.low + (op == "greater-than")
    if op in ("less-than", "less-or-equal"):
        highest = predicate.low - (op == "less-than")
    elif op == "in-range":
        highest = predicate.high
    if max(lowest, minimum) > min(highest, maximum):
        return False
    if lowest <= minimum and highest >= maximum:
        return True
    digits, relation, low, high = _ordered(data_type), 0, b"", b""
    if lowest > minimum:
        relation, low = lib.MORE, digits.of(lowest - 1)
    if highest < maximum:
        relation, high = relation | lib.LESS, digits.of(highest)
    return digits.ask(lib.RANGE, relation=relation, low=low, high=high)


def _bit(data_type: DataType | BitField, predicate: Predicate) -> Question:
    number, negate = predicate.low, predicate.op in _NEGATED
    if isinstance(data_type, DataType) and not data_type.form.is_binary:
        return _ordered(data_type).ask(lib.BIT, bit=number, negate=negate)
    if isinstance(data_type, BitField):
        exists = number < data_type.maximum.bit_length()
        place, bit = 0, data_type.shift + number
    else:
        # All bits above a signed number equal its sign.
        exists = number < 8 * data_type.width or data_type.minimum < 0
        digit, bit = divmod(min(number, 8 * data_type.width - 1), 8)
        place = data_type.order[-1 - digit]
    if not exists:
        return negate
    digits = _Digits(bytes((_field(bit, 1),)), bytes((place,)), 2)
    return digits.ask(lib.EQUAL, low=b"\1", negate=negate)


def _remainder(data_type: DataType | BitField, predicate: Predicate) -> Question:
    divisor, digits = predicate.low, _ordered(data_type)
    shares = [digits.base**digit % divisor for digit in range(8)]
    start, share = digits.minimum % divisor, struct.pack("@8f", *shares)
    return digits.ask(
        lib.REMAINDER, divisor=divisor, remainder=predicate.high, start=start, share=share
    )


def _of_float(data_type: FloatType, predicate: Predicate) -> Question:
    digits = _Digits(bytes(data_type.width), bytes(reversed(data_type.order)), 256)
    if predicate.subject == "memory":
        relation = _RELATIONS[predicate.op]  # NaN fails even if its bytes stay the same
        unchanged = lib.ASKED if relation & lib.SAME else lib.DROPPED
        return digits.ask(lib.REAL_RELATION, relation=relation, unchanged=unchanged)
    if predicate.subject == "step":
        relation = _CHANGED if predicate.op == "different-by" else lib.MORE
        unchanged = lib.DROPPED if predicate.low else lib.ASKED
        step = as_float(predicate.low)
        return digits.ask(lib.REAL_STEP, relation=relation, unchanged=unchanged, start=step)
    ends = interval(predicate.op, predicate.low, predicate.high)
    if ends is None:
        return False
    start, end = ends
    return digits.ask(lib.REAL, start=start, end=end, negate=predicate.op in _NEGATED)
