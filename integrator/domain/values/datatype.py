"""Data types of variables, such as ``>u2``: how raw bytes of memory become a number and back.

A spec is an endianness, a kind and a width in bytes. The rules follow stable-retro's, because a
model is trained on the numbers that it computes:

- endianness ``>`` is big; ``<``, ``=`` and ``|`` are little (native is little on every machine that
  training runs on). The mixed ones order two halves by their first sign and the bytes in a half by
  their second: ``><u4`` over bytes ``12 34 56 78`` is 0x34127856;
- kind ``u`` is unsigned, ``i`` two's complement, ``d`` binary-coded decimal (two digits a byte),
  ``n`` one decimal digit in the low nibble of each byte;
- a nibble above 9 counts as itself minus ten, so that byte 0xFF as ``|d1`` is 55;
- values are 64 bits wide: an eight-byte unsigned value above 2**63-1 comes out negative.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, cast

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DataTypeError

Kind = Literal["u", "i", "d", "n"]

ENDIANS: Final = (">", "<", "=", "|", "><", "<>", ">=", "<=")
"""Every accepted endianness sign."""
KINDS: Final[tuple[Kind, ...]] = ("u", "i", "d", "n")
"""Every accepted kind letter."""
MAX_WIDTH: Final = 8
"""Widest type in bytes."""

_SPEC = re.compile(r"(?P<endian>[<>=|]{0,2})(?P<kind>[a-z])(?P<width>[0-9]+)")
_CURE = "write it as <endian><kind><bytes>, for instance |u1, >u2 or <d4"


@dataclass(frozen=True, slots=True)
class DataType:
    """One data type. Build it with :meth:`parse`; equality is by spelling.

    ``spec`` is the type as written; ``str()`` gives the canonical spelling of the same meaning
    (``<u1`` and ``=u1`` are ``|u1``; ``|i2`` and ``=i2`` are ``<i2``; ``>=u4`` is ``><u4``).
    ``order`` lists indices of raw bytes, most significant byte first.
    """

    endian: str
    kind: Kind
    width: int
    order: tuple[int, ...] = field(compare=False, repr=False)

    @staticmethod
    def parse(spec: str) -> DataType:
        """Read a spec such as ``>u2``. Raises DataTypeError that names its fault."""
        if not isinstance(spec, str):
            # The spec comes from JSON, where anything can stand.
            raise DataTypeError(f"data type {spec!r} is not a text; {_CURE}")
        return _parse(spec)

    @property
    def spec(self) -> str:
        """The type as it was written."""
        return f"{self.endian}{self.kind}{self.width}"

    def __str__(self) -> str:
        if self.width == 1:
            endian = "|"
        else:
            endian = {"=": "<", "|": "<", "<=": "<", ">=": "><"}.get(self.endian, self.endian)
        return f"{endian}{self.kind}{self.width}"

    @property
    def minimum(self) -> int:
        """The least value that :meth:`decode` can give."""
        if self.kind == "i" or (self.kind == "u" and self.width == MAX_WIDTH):
            return -(1 << (8 * self.width - 1))
        return 0

    @property
    def maximum(self) -> int:
        """The greatest value that :meth:`decode` can give."""
        if self.kind == "d":
            return int(100**self.width - 1)
        if self.kind == "n":
            return int(10**self.width - 1)
        if self.kind == "i" or self.width == MAX_WIDTH:
            return (1 << (8 * self.width - 1)) - 1
        return (1 << (8 * self.width)) - 1

    def decode(self, raw: bytes) -> int:
        """Value of exactly ``width`` bytes. Raises DataTypeError when there are more or fewer."""
        if len(raw) != self.width:
            raise DataTypeError(f"{self.spec} takes {self.width} bytes, not {len(raw)}")
        ordered = bytes([raw[i] for i in self.order])
        if self.kind in "ui":
            # Upstream keeps values in a signed 64-bit integer, hence u8 wraps.
            signed = self.kind == "i" or self.width == MAX_WIDTH
            return int.from_bytes(ordered, "big", signed=signed)
        value = 0
        for byte in ordered:
            if self.kind == "d":
                value = value * 10 + (byte >> 4) % 10
            value = value * 10 + (byte & 15) % 10
        return value

    def encode(self, value: int) -> bytes:
        """Bytes of ``value``; ``u8`` also takes the unsigned spelling up to 2**64-1.

        Raises DataTypeError when the value does not fit (stable-retro would write a part of it).
        Kind ``n`` clears the high nibbles, as stable-retro does.
        """
        top = (1 << 64) - 1 if self.kind == "u" and self.width == MAX_WIDTH else self.maximum
        if not self.minimum <= value <= top:
            raise DataTypeError(
                f"{value} does not fit {self.spec}, which holds {self.minimum} to {top}"
            )
        raw = bytearray(self.width)
        for index, byte in zip(self.order, self._big_endian(value), strict=True):
            raw[index] = byte
        return bytes(raw)

    def wrap(self, value: int) -> int:
        """``value`` cut to the type, as an emulated register would keep its low bits or digits."""
        return (value - self.minimum) % (self.maximum - self.minimum + 1) + self.minimum

    def _big_endian(self, value: int) -> bytes:
        """Bytes of a fitting ``value``, most significant first."""
        if self.kind in "ui":
            return (value % (1 << (8 * self.width))).to_bytes(self.width, "big")
        digits = 2 if self.kind == "d" else 1
        return bytes.fromhex(
            f"{value:0{2 * self.width}d}"
            if digits == 2
            else "".join(f"0{digit}" for digit in f"{value:0{self.width}d}")
        )

    def decode_array(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Values of uint8 ``raw`` of shape (..., width), as a new int64 array of shape (...).

        Agrees with :meth:`decode` for every element; ``u8`` wraps. Raises DataTypeError when the
        last axis is not ``width`` long.
        """
        if raw.ndim == 0 or raw.shape[-1] != self.width:
            raise DataTypeError(f"{self.spec} takes {self.width} bytes, not shape {raw.shape}")
        first = raw[..., self.order[0]]
        # The sign lives in the most significant byte alone.
        value = self._digits(first.astype(np.int8) if self.kind == "i" else first)
        for index in self.order[1:]:
            value *= {"u": 256, "i": 256, "d": 100, "n": 10}[self.kind]
            value += self._digits(raw[..., index])
        return value

    def _digits(self, column: NDArray[np.uint8] | NDArray[np.int8]) -> NDArray[np.int64]:
        """The number that one byte of each element stands for, before its place value."""
        if self.kind in "ui":
            return column.astype(np.int64)
        return _DECIMAL[self.kind][column]


@lru_cache(maxsize=256)
def _parse(spec: str) -> DataType:
    """The body of :meth:`DataType.parse`; cached because searches and tables ask repeatedly."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise DataTypeError(f"data type {spec!r} is malformed; {_CURE}")
    endian, kind, width = match["endian"], match["kind"], int(match["width"])
    if endian not in ENDIANS:
        raise DataTypeError(
            f"data type {spec!r} has unknown endianness {endian!r}; use one of {' '.join(ENDIANS)}"
        )
    if kind not in KINDS:
        raise DataTypeError(f"data type {spec!r} has unknown kind {kind!r}; use u, i, d or n")
    if not 1 <= width <= MAX_WIDTH:
        raise DataTypeError(f"data type {spec!r} has width {width}; use 1 to {MAX_WIDTH} bytes")
    if len(endian) == 2 and (width < 4 or width % 2):
        raise DataTypeError(
            f"data type {spec!r}: mixed endianness needs 4, 6 or 8 bytes; "
            f"use {endian[0]}{kind}{width}"
        )
    return DataType(endian, cast("Kind", kind), width, byte_order(endian, width))


def byte_order(endian: str, width: int) -> tuple[int, ...]:
    """Indices of raw bytes, most significant first, for any of :data:`ENDIANS`."""
    if endian == ">":
        return tuple(range(width))
    if len(endian) == 1:
        return tuple(reversed(range(width)))
    half = width // 2
    low = byte_order(endian[1], half)
    high = tuple(half + index for index in byte_order(endian[1], width - half))
    return low + high if endian[0] == ">" else high + low


def _decimal_table(kind: Kind) -> NDArray[np.int64]:
    """Value of each byte 0-255 as decimal digits; nibbles above 9 lose ten."""
    byte = np.arange(256, dtype=np.int64)
    low = (byte & 15) % 10
    table = low if kind == "n" else (byte >> 4) % 10 * 10 + low
    table.setflags(write=False)
    return table


_DECIMAL: Final = {"d": _decimal_table("d"), "n": _decimal_table("n")}
