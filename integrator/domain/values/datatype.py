"""Data types of variables, such as ``>u2``: they convert bytes of memory to numbers and back.

A spec is an endianness, a kind and a width in bytes. The rules follow stable-retro's, because a
model is trained on the numbers that it computes:

- endianness ``>`` is big; ``<``, ``=`` and ``|`` are little (native is little on every machine that
  training runs on). In a mixed endianness, the first sign orders the two halves, and the second
  sign the bytes in each half: ``><u4`` over bytes ``12 34 56 78`` is 0x34127856;
- kind ``u`` is unsigned, ``i`` two's complement, ``d`` binary-coded decimal (two digits a byte),
  ``n`` one decimal digit in the low nibble of each byte;
- a nibble above 9 counts as its value minus ten, so that byte 0xFF as ``|d1`` is 55;
- values are signed 64-bit numbers: an eight-byte unsigned value above 2**63-1 becomes negative.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DataTypeError
from integrator.domain.words import tr

_BYTES: Final = bytes(range(256))
_BYTE: Final = np.arange(256, dtype=np.int64)
_LOW: Final = (_BYTE & 15) % 10


@dataclass(frozen=True, slots=True)
class NumberKind:
    """A way to store a number in bytes, as digits of ``base``, one digit per byte.

    ``digits`` is int64 (256,): the digit for each byte. ``codes`` has the byte for each digit, and
    ``bits`` masks the bits of a byte that hold a digit. If ``is_binary``, each byte equals its
    digit; if also ``signed``, the number is in two's complement. ``code`` is the coding's technical
    name; ``words`` explain the kind to users.
    """

    letter: str
    code: str
    words: str
    digits: NDArray[np.int64] = field(default_factory=lambda: _BYTE)
    codes: bytes = _BYTES
    bits: int = 0xFF
    signed: bool = False
    is_binary: bool = field(init=False)

    def __post_init__(self) -> None:
        self.digits.setflags(write=False)
        object.__setattr__(self, "is_binary", self.codes == _BYTES)

    @property
    def base(self) -> int:
        return len(self.codes)


_BCD: Final = tr(
    "packed BCD, two decimal digits a byte: 1230 reads 12 30 in hexadecimal. Read as a plain "
    "number, it jumps by 6 at every ten"
)
_TENS: Final = bytes(digit // 10 << 4 | digit % 10 for digit in range(100))
_NIBBLES: Final = tr("one decimal digit a byte, in its low half: 1230 is 01 02 03 00")
_EVERY: Final = (
    NumberKind("u", "binary", tr("a plain number from 0 up")),
    NumberKind(
        "i", "binary", tr("a number that can be negative: 255 in one byte is -1"), signed=True
    ),
    NumberKind("d", "BCD", _BCD, (_BYTE >> 4) % 10 * 10 + _LOW, _TENS),
    NumberKind("n", "digits", _NIBBLES, _LOW, bytes(range(10)), bits=0x0F),
)
KINDS: Final = {kind.letter: kind for kind in _EVERY}
"""Every kind of number by its letter, in the order of the help page."""

ENDIANS: Final = {
    ">": tr("high byte first (Genesis, and most scores kept in digits)"),
    "<": tr("low byte first (NES, SNES, Game Boy, PC Engine)"),
    "=": tr("the same as <: training runs on machines with the low byte first"),
    "|": tr("one byte: there is no order"),
    "><": tr("high half first, the bytes in each half low first"),
    "<>": tr("low half first, the bytes in each half high first"),
    ">=": tr("the same as ><"),
    "<=": tr("the same as <"),
}
"""Every accepted endianness sign, with its meaning in words."""
MAX_WIDTH: Final = 8  # widest type in bytes

_SPEC = re.compile(r"(?P<endian>[<>=|]{0,2})(?P<kind>[a-z])(?P<width>[0-9]{1,9})")
_CURE = "write it as <endian><kind><bytes>, for instance |u1, >u2 or <d4"


@dataclass(frozen=True, slots=True)
class DataType:
    """One data type. Build it with :meth:`parse`; two types are equal if their specs are.

    ``spec`` is the type as written; ``str()`` gives the canonical spelling of the same meaning
    (``<u1`` and ``=u1`` are ``|u1``; ``|i2`` and ``=i2`` are ``<i2``; ``>=u4`` is ``><u4``).
    ``order`` lists indices of raw bytes, most significant byte first; ``form`` is the kind of
    number; ``minimum`` and ``maximum`` are the least and greatest value of :meth:`decode`.
    """

    endian: str
    kind: str
    width: int
    order: tuple[int, ...] = field(compare=False, repr=False)
    form: NumberKind = field(compare=False, repr=False)
    minimum: int = field(compare=False, repr=False)
    maximum: int = field(compare=False, repr=False)

    @staticmethod
    def parse(spec: str) -> "DataType":
        """Parse a spec such as ``>u2``. Raises DataTypeError, which names the fault."""
        if not isinstance(spec, str):
            # The spec comes from JSON, so it may be of any type.
            raise DataTypeError(f"data type {spec!r} is not a text; {_CURE}")
        return _parse(spec)

    @property
    def spec(self) -> str:
        return f"{self.endian}{self.kind}{self.width}"

    def __str__(self) -> str:
        if self.width == 1:
            endian = "|"
        else:
            endian = {"=": "<", "|": "<", "<=": "<", ">=": "><"}.get(self.endian, self.endian)
        return f"{endian}{self.kind}{self.width}"

    def decode(self, raw: bytes) -> int:
        """Return the value of exactly ``width`` bytes. Raises DataTypeError for another number."""
        if len(raw) != self.width:
            raise DataTypeError(f"{self.spec} takes {self.width} bytes, not {len(raw)}")
        ordered = bytes(map(raw.__getitem__, self.order))
        if self.form.is_binary:
            return int.from_bytes(ordered, "big", signed=self.minimum < 0)
        value = 0
        for byte in ordered:
            value = value * self.form.base + int(self.form.digits[byte])
        # stable-retro keeps values as signed 64-bit integers, so eight bytes wrap.
        return value - (1 << 64) if value > self.maximum else value

    def encode(self, value: int) -> bytes:
        """Return the bytes of ``value``; ``u8`` takes up to 2**64-1. Raises DataTypeError."""
        top = self.maximum if self.form.signed else self.form.base**self.width - 1
        if not self.minimum <= value <= top:
            raise DataTypeError(
                f"{value} does not fit {self.spec}, which holds {self.minimum} to {top}"
            )
        raw = bytearray(self.width)
        for index in reversed(self.order):
            value, digit = divmod(value, self.form.base)
            raw[index] = self.form.codes[digit]
        return bytes(raw)

    def wrap(self, value: int) -> int:
        """Reduce ``value`` to the type's low bits or digits, as a register of the console would."""
        return (value - self.minimum) % (self.maximum - self.minimum + 1) + self.minimum

    def decode_array(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Decode uint8 (..., width) to int64 (...); ``u8`` wraps. Raises DataTypeError."""
        if raw.ndim == 0 or raw.shape[-1] != self.width:
            raise DataTypeError(f"{self.spec} takes {self.width} bytes, not shape {raw.shape}")
        form, base, first = self.form, len(self.form.codes), raw[..., self.order[0]]
        if form.is_binary:
            # Only the most significant byte has the sign.
            value = (first.astype(np.int8) if form.signed else first).astype(np.int64)
        else:
            value = form.digits[first]
        for index in self.order[1:]:
            value *= base
            value += raw[..., index] if form.is_binary else form.digits[raw[..., index]]
        return value


@lru_cache(maxsize=256)
def _parse(spec: str) -> DataType:
    """Do the work of :meth:`DataType.parse`, cached because searches and tables repeat specs."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise DataTypeError(f"data type {spec!r} is malformed; {_CURE}")
    endian, kind, width = match["endian"], match["kind"], int(match["width"])
    if endian not in ENDIANS:
        raise DataTypeError(
            f"data type {spec!r} has unknown endianness {endian!r}; use one of {' '.join(ENDIANS)}"
        )
    form = KINDS.get(kind)
    if form is None:
        known = ", ".join(KINDS)
        raise DataTypeError(f"data type {spec!r} has unknown kind {kind!r}; use {known}")
    if not 1 <= width <= MAX_WIDTH:
        raise DataTypeError(f"data type {spec!r} has width {width}; use 1 to {MAX_WIDTH} bytes")
    if len(endian) == 2 and (width < 4 or width % 2):
        raise DataTypeError(
            f"data type {spec!r}: mixed endianness needs 4, 6 or 8 bytes; "
            f"use {endian[0]}{kind}{width}"
        )
    span = form.base**width
    # stable-retro keeps values as signed 64-bit integers, so u8 is signed too.
    least, most = (-span // 2, span // 2) if form.signed or span > 1 << 63 else (0, span)
    return DataType(endian, kind, width, byte_order(endian, width), form, least, most - 1)


def spec_pattern() -> str:
    """Return a regular expression that matches exactly the valid specs of data.json."""
    kinds = "".join(KINDS)
    signs = "".join(sign for sign in ENDIANS if len(sign) == 1)
    mixed = "|".join(sign for sign in ENDIANS if len(sign) > 1)
    return f"^([{signs}][{kinds}][1-{MAX_WIDTH}]|({mixed})[{kinds}][468])$"


def byte_order(endian: str, width: int) -> tuple[int, ...]:
    """Return the indices of raw bytes, most significant first, for one of :data:`ENDIANS`."""
    if endian == ">":
        return tuple(range(width))
    if len(endian) == 1:
        return tuple(reversed(range(width)))
    half = width // 2
    low = byte_order(endian[1], half)
    high = tuple(half + index for index in byte_order(endian[1], width - half))
    return low + high if endian[0] == ">" else high + low


BYTE = DataType.parse("|u1")
