"""The ways in which a search reads an address: data types, bit fields, floats and scales."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DataTypeError
from integrator.domain.values.memory import DataType

_LARGEST_FLOAT: Final = int(np.finfo(np.float32).max)


@dataclass(frozen=True, slots=True)
class BitField:
    """Some neighboring bits of a byte, by their mask in data.json (1 to 255). A search reads a
    field shifted down by :attr:`shift`, as the screen shows it. stable-retro does not shift masked
    numbers: mask 8 gives 0 or 8. Build it with :meth:`of` or :func:`parse_type`."""

    mask: int
    width: ClassVar[int] = 1
    order: ClassVar[tuple[int, ...]] = (0,)
    minimum: ClassVar[int] = 0

    @staticmethod
    def of(mask: int) -> "BitField":
        """Return the field of a mask. Raises DataTypeError if its bits are not adjacent."""
        low = mask & -mask
        if not 0 < mask <= 255 or (mask + low) & mask:
            raise DataTypeError(f"mask {mask} is not a run of neighboring bits of one byte")
        return BitField(mask)

    @property
    def data_type(self) -> DataType:
        """The data type of a variable for the field, to which the variable's mask is applied."""
        return DataType.parse("|u1")

    @property
    def shift(self) -> int:
        """The number of the byte's bits below the field."""
        return (self.mask & -self.mask).bit_length() - 1

    @property
    def spec(self) -> str:
        return f"|u1&0x{self.mask:02X}"

    def __str__(self) -> str:
        return self.spec

    @property
    def maximum(self) -> int:
        return self.mask >> self.shift

    def decode_array(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the field's numbers, int64 (...), in uint8 ``raw`` of shape (..., 1)."""
        return ((raw[..., 0] & np.uint8(self.mask)) >> np.uint8(self.shift)).astype(np.int64)


@dataclass(frozen=True, slots=True)
class FloatType:
    """A float of four bytes, ``>f4`` or ``<f4``; data.json can only declare its bytes."""

    endian: str
    width: ClassVar[int] = 4
    minimum: ClassVar[int] = -_LARGEST_FLOAT
    maximum: ClassVar[int] = _LARGEST_FLOAT

    @property
    def data_type(self) -> DataType:
        """The type that reads the same bytes as a whole number."""
        return DataType.parse(f"{self.endian}u4")

    @property
    def spec(self) -> str:
        return f"{self.endian}f4"

    def __str__(self) -> str:
        return self.spec

    @property
    def order(self) -> tuple[int, ...]:
        return (0, 1, 2, 3) if self.endian == ">" else (3, 2, 1, 0)

    def decode_array(self, raw: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the floats, float64 (...), in uint8 ``raw`` of shape (..., 4)."""
        whole = np.ascontiguousarray(raw).view(f"{self.endian}u4")[..., 0]
        return self.of_bits(whole.astype(np.uint32))

    @staticmethod
    def of_bits(bits: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Return the floats whose bits are ``bits``, in the same shape."""
        with np.errstate(invalid="ignore"):
            return bits.view(np.float32).astype(np.float64)


SearchType = DataType | BitField | FloatType

BIT_FIELDS: Final = tuple(BitField.of(1 << bit) for bit in range(8)) + tuple(
    map(BitField.of, (0x0F, 0xF0, 0x07, 0x78))
)
"""Each bit of a byte, the two halves, and other masks of the integrations in stable-retro.

The 1,068 data.json files of version 1.0.1 have 45 masks: 43 are here, one is a low half as a ``d``.
"""

FLOATS: Final = (FloatType(">"), FloatType("<"))


def parse_type(spec: str) -> SearchType:
    """Return a type by its text, as in a saved search. Raises DataTypeError."""
    if real := re.fullmatch(r"([<>])f4", str(spec)):
        return FloatType(real[1])
    field = re.fullmatch(r"\|u1&0x([0-9A-Fa-f]{1,2})", str(spec))
    return DataType.parse(spec) if field is None else BitField.of(int(field[1], 16))


@dataclass(frozen=True, slots=True)
class Scale:
    """``shown = (stored - bias) * divisor / multiplier + offset``; negative factors count down."""

    multiplier: int = 1
    divisor: int = 1
    bias: int = 0
    offset: int = 0

    def stored(self, shown: int | Fraction) -> Fraction:
        return Fraction((shown - self.offset) * self.multiplier, self.divisor) + self.bias

    def shown(self, stored: int) -> Fraction:
        return Fraction((stored - self.bias) * self.divisor, self.multiplier) + self.offset

    def shifted(self, bits: int) -> "Scale":
        """Return the scale for numbers that are stored this many bits higher."""
        return Scale(self.multiplier << bits, self.divisor, self.bias << bits, self.offset)

    def __str__(self) -> str:
        """Return how the shown number follows from the stored one, such as ``x10`` or ``-1``."""
        parts = []
        if self.divisor != 1:
            parts.append(f"x{self.divisor}")
        if self.multiplier != 1:
            parts.append(f"/{self.multiplier}")
        if self.bias:
            parts.append(f"{-self.bias:+d}")
        if self.offset:
            parts.append(f"{self.offset:+d}")
        return " ".join(parts)

    @property
    def formula(self) -> str:
        """The scale as an equation, for instance ``shown = 28 - stored``."""
        zero, slope = self.shown(0), self.shown(1) - self.shown(0)
        size = "" if abs(slope) == 1 else f"{float(abs(slope)):g} × "
        if slope < 0:
            return f"shown = {float(zero):g} - {size}stored"
        rest = f" {'-' if zero < 0 else '+'} {float(abs(zero)):g}" if zero else ""
        return f"shown = {size}stored{rest}"


PLAIN: Final = Scale()  # the stored number equals the number on the screen

_NEAR: Final = (PLAIN, Scale(bias=-1), Scale(bias=1))
_DIGITS: Final = tuple(Scale(divisor=10**digits) for digits in range(1, 10))
_OF_CODED: Final = (*_NEAR, *_DIGITS[:2], Scale(multiplier=2), Scale(multiplier=4), *_DIGITS[2:])
_OF_PLAIN: Final = (*_OF_CODED, *(Scale(divisor=16**nibbles) for nibbles in range(1, 9)))


def scales_of(data_type: SearchType) -> tuple[Scale, ...]:
    if isinstance(data_type, FloatType) or data_type.maximum == 1:
        return (PLAIN,)
    if isinstance(data_type, BitField):
        return _NEAR
    return _OF_CODED if data_type.kind == "d" else _OF_PLAIN
