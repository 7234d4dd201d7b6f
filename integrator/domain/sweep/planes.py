"""Values of a data type at every address of a piece of memory at once, for searching.

:meth:`DataType.decode_array` makes an int64 for each address, byte by byte. A search over all types
of a core would spend its time there, so this module builds wide values out of narrow ones (a 4-byte
value from two 2-byte ones), shares those between types, and keeps each in the smallest integer that
holds it. What a byte counts and in which order bytes stand is asked of :class:`DataType`.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.readings import BitField, FloatType, SearchType

Plane = NDArray[Any]
"""Integer array with one value for each start address of a tile."""

_BASE: Final = {"u": 256, "d": 100, "n": 10}
LARGEST_DIVISOR: Final = 1 << 16
"""What :meth:`Planes.remainders` divides by at most."""
_BYTE_BITS: Final = 8


class Planes:
    """Value planes of one tile of logical memory, built when first asked for.

    ``raw`` is uint8 of shape (bytes,) in logical byte order and must stay unchanged while the
    object lives. A plane of width ``w`` has ``bytes - w + 1`` values, one for each start address.
    """

    __slots__ = ("_built", "_raw", "_remainders")

    def __init__(self, raw: NDArray[np.uint8]) -> None:
        self._raw = raw
        self._built: dict[tuple[str, tuple[int, ...]], Plane] = {}
        self._remainders: dict[tuple[str, tuple[int, ...], int], Plane] = {}

    def of(self, data_type: SearchType) -> Plane:
        """Values of ``data_type`` at each start address; read-only by agreement.

        The dtype is the smallest convenient integer; values equal those of ``decode_array``.
        """
        if isinstance(data_type, FloatType):
            return data_type.of_bits(self._plane("u", data_type.order))
        if data_type.kind != "i":
            plane = self._plane(data_type.kind, data_type.order)
            return plane.view(np.int64) if plane.dtype == np.uint64 else plane
        return _signed(self._plane("u", data_type.order), data_type.width)

    def remainders(self, data_type: SearchType, divisor: int) -> Plane:
        """Values modulo ``divisor``, which is at most LARGEST_DIVISOR; read-only by agreement.

        Made of the remainders of narrower values, so that nothing wider than 32 bits is divided.
        """
        kind = "u" if data_type.kind == "i" else data_type.kind
        found = self._remainder(kind, data_type.order, divisor)
        if data_type.minimum >= 0:
            return found
        # Two's complement: with the top bit set, the number is lower by all that its bytes can say.
        spare = -(1 << _BYTE_BITS * data_type.width) % divisor
        top = data_type.order[0]
        signs = self._raw[top : top + len(found)] >> np.uint8(_BYTE_BITS - 1)
        moved = signs * found.dtype.type(spare)
        moved += found
        return _modulo(moved, divisor)

    def _remainder(self, kind: str, order: tuple[int, ...], divisor: int) -> Plane:
        key = (kind, order, divisor)
        plane = self._remainders.get(key)
        if plane is None:
            if len(order) == 1:
                row = digits(kind, self._raw).astype(_remainder_dtype(divisor), copy=False)
                plane = _modulo(row, divisor) if divisor < base_of(kind) else row
            else:
                plane = self._combined_remainder(kind, order, divisor)
            self._remainders[key] = plane
        return plane

    def _combined_remainder(self, kind: str, order: tuple[int, ...], divisor: int) -> Plane:
        (high, high_at), (low, low_at) = map(_from_zero, split_order(order))
        length = len(self._raw) - len(order) + 1
        lower = self._remainder(kind, low, divisor)[low_at : low_at + length]
        place = base_of(kind) ** len(low) % divisor
        if not place:
            # The last digits say it all, as they do of tens.
            return lower
        upper = self._remainder(kind, high, divisor)[high_at : high_at + length]
        plane = upper * upper.dtype.type(place)
        plane += lower
        return _modulo(plane, divisor)

    def _plane(self, kind: str, order: tuple[int, ...]) -> Plane:
        """Plane of bytes ``order`` (most significant first, starting at byte 0)."""
        key = (kind, order)
        plane = self._built.get(key)
        if plane is None:
            plane = digits(kind, self._raw) if len(order) == 1 else self._combine(kind, order)
            self._built[key] = plane
        return plane

    def _combine(self, kind: str, order: tuple[int, ...]) -> Plane:
        (high, high_at), (low, low_at) = map(_from_zero, split_order(order))
        length = len(self._raw) - len(order) + 1
        upper = self._plane(kind, high)[high_at : high_at + length]
        lower = self._plane(kind, low)[low_at : low_at + length]
        dtype = _plane_dtype(kind, len(order))
        plane = upper.astype(dtype)
        if kind == "u":
            plane <<= dtype.type(_BYTE_BITS * len(low))
            plane |= lower
        else:
            plane *= dtype.type(base_of(kind) ** len(low))
            plane += lower
        return plane


def base_of(kind: str) -> int:
    """How many different things one byte of a kind can count."""
    return _BASE[kind] if kind in _BASE else BitField(int(kind[1:])).maximum + 1


def number_digits(kind: str, width: int, value: int) -> bytes:
    """Digits of a number in so many bytes, lowest first; what does not fit is cut off."""
    base = base_of(kind)
    if base == 1 << _BYTE_BITS:
        return (value % (1 << _BYTE_BITS * width)).to_bytes(width, "little")
    found = bytearray(width)
    for place in range(width):
        if not value:
            break
        value, found[place] = divmod(value, base)
    return bytes(found)


def split_order(order: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """High and low part of a byte order, each a run of bytes, the low a power of two long."""
    width = len(order)
    low_width = 1 << (width - 1).bit_length() - 1
    high, low = order[: width - low_width], order[width - low_width :]
    if is_run(high) and is_run(low):
        return high, low
    # Mixed endianness of six bytes: its halves are runs, its powers of two are not.
    return order[: width // 2], order[width // 2 :]


def _from_zero(order: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The order of bytes counted from their first one, and where that is."""
    first = min(order)
    return tuple(index - first for index in order), first


def _remainder_dtype(divisor: int) -> type[np.unsignedinteger[Any]]:
    """The narrowest that holds the product of two remainders and one more."""
    for dtype in (np.uint8, np.uint16):
        if divisor * divisor <= np.iinfo(dtype).max + 1:
            return dtype
    return np.uint32


def _modulo(plane: Plane, divisor: int) -> Plane:
    """Remainders, several times as fast as numpy's own."""
    if not divisor & divisor - 1:
        return cast("Plane", plane & plane.dtype.type(divisor - 1))
    whole = plane // plane.dtype.type(divisor)
    whole *= plane.dtype.type(divisor)
    remainder: Plane = np.subtract(plane, whole, out=whole)
    return remainder


def is_run(order: tuple[int, ...]) -> bool:
    """Whether bytes are neighbours."""
    return max(order) - min(order) == len(order) - 1


def _plane_dtype(kind: str, width: int) -> np.dtype[Any]:
    """Smallest unsigned integer of one, two, four or eight bytes for every value of the width."""
    largest = base_of(kind) ** width - 1
    for candidate in (np.uint8, np.uint16, np.uint32, np.uint64):
        if largest <= np.iinfo(candidate).max:
            return np.dtype(candidate)
    raise AssertionError(f"no integer holds {width} bytes")


def _signed(plane: Plane, width: int) -> Plane:
    """Two's complement reading of an unsigned plane."""
    signed = plane.view(f"i{plane.dtype.itemsize}")
    spare_bits = _BYTE_BITS * (plane.dtype.itemsize - width)
    if spare_bits == 0:
        return signed
    shift = signed.dtype.type(spare_bits)
    widened: Plane = (signed << shift) >> shift
    return widened


def digits(kind: str, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What each byte counts as one digit of a kind, as a one-byte type of it reads it; uint8.

    Kinds are u, d and n of data types, and those of bit fields.
    """
    if kind == "u":
        return raw
    if kind not in _BASE:
        field = BitField(int(kind[1:]))
        return (raw & np.uint8(field.mask)) >> np.uint8(field.shift)
    low = _digit(raw & np.uint8(15))
    return low if kind == "n" else _digit(raw >> np.uint8(4)) * np.uint8(10) + low


def _digit(nibbles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Nibbles above nine lose ten. Below ten, taking ten away wraps to a high number."""
    digit: NDArray[np.uint8] = np.minimum(nibbles, nibbles - np.uint8(10))
    return digit
