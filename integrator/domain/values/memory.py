"""Memory of a console: data types such as ``>u2``, and the address space.

A data type converts bytes of memory to numbers and back. Its spec is an endianness, a kind and a
width in bytes. The rules follow stable-retro's, because models are trained on them:

- endianness ``>`` is big; ``<``, ``=`` and ``|`` are little (native is little on every machine that
  training runs on). In a mixed endianness, the first sign orders the two halves, and the second
  sign the bytes in each half: ``><u4`` over bytes ``12 34 56 78`` is 0x34127856;
- kind ``u`` is unsigned, ``i`` two's complement, ``d`` binary-coded decimal (two digits a byte),
  ``n`` one decimal digit in the low nibble of each byte;
- a nibble above 9 counts as its value minus ten, so that byte 0xFF as ``|d1`` is 55;
- values are signed 64-bit numbers: an eight-byte unsigned value above 2**63-1 becomes negative.

The address space maps each address to a byte of the flat RAM, on word-swapped systems too. Flat RAM
is a host's array: the writable regions, concatenated in address order, with bytes as in the core's
memory. Addresses and data types follow the console's own byte order; an :class:`Overlay` describes
the difference (Genesis cores keep 16-bit words byte-swapped)."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError, DataTypeError
from integrator.domain.words import tr

_BYTES: Final = bytes(range(256))
_BYTE: Final = np.arange(256, dtype=np.int64)
_LOW: Final = (_BYTE & 15) % 10


@dataclass(frozen=True, slots=True)
class NumberKind:
    """A way to store a number in bytes, as digits of ``base``, one digit per byte. ``digits`` is
    int64 (256,): the digit for each byte. ``codes`` has the byte for each digit, and ``bits`` masks
    the bits of a byte that hold a digit. If ``is_binary``, each byte equals its digit; if also
    ``signed``, the number is in two's complement. ``code`` is the coding's technical name;
    ``words`` explain the kind to users."""

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

ENDIANS: Final = {  # each accepted sign, with its meaning in words
    ">": tr("high byte first (Genesis, and most scores kept in digits)"),
    "<": tr("low byte first (NES, SNES, Game Boy, PC Engine)"),
    "=": tr("the same as <: training runs on machines with the low byte first"),
    "|": tr("one byte: there is no order"),
    "><": tr("high half first, the bytes in each half low first"),
    "<>": tr("low half first, the bytes in each half high first"),
    ">=": tr("the same as ><"),
    "<=": tr("the same as <"),
}
MAX_WIDTH: Final = 8  # widest type in bytes

_SPEC = re.compile(r"(?P<endian>[<>=|]{0,2})(?P<kind>[a-z])(?P<width>[0-9]{1,9})")
_CURE = "write it as <endian><kind><bytes>, for instance |u1, >u2 or <d4"


@dataclass(frozen=True, slots=True)
class DataType:
    """One data type. Build it with :meth:`parse`; two types are equal if their specs are. ``spec``
    is the type as written; ``str()`` gives the canonical spelling of the same meaning (``<u1`` and
    ``=u1`` are ``|u1``; ``|i2`` and ``=i2`` are ``<i2``; ``>=u4`` is ``><u4``). ``order`` lists
    indices of raw bytes, most significant byte first; ``form`` is the kind of number; ``minimum``
    and ``maximum`` are the least and greatest value of :meth:`decode`."""

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
    return DataType(endian, kind, width, _byte_order(endian, width), form, least, most - 1)


def _byte_order(endian: str, width: int) -> tuple[int, ...]:
    """Return the indices of raw bytes, most significant first, for one of :data:`ENDIANS`."""
    if endian == ">":
        return tuple(range(width))
    if len(endian) == 1:
        return tuple(reversed(range(width)))
    half = width // 2
    low = _byte_order(endian[1], half)
    high = tuple(half + index for index in _byte_order(endian[1], width - half))
    return low + high if endian[0] == ">" else high + low


BYTE = DataType.parse("|u1")


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of writable memory: absolute ``address`` and ``size`` in bytes."""

    address: int
    size: int
    name: str = ""

    @property
    def end(self) -> int:
        return self.address + self.size


@dataclass(frozen=True, slots=True)
class Overlay:
    """Byte order of words of ``width`` bytes: ``backing`` in the core, ``real`` on the console."""

    backing: str
    real: str
    width: int

    @staticmethod
    def parse(value: Sequence[object]) -> "Overlay":
        """Parse ``[backing, real, width]``. Raises AddressError if it is malformed."""
        signs = {"<", ">", "=", "|"}
        match list(value):
            case [str(backing), str(real), int(1 | 2 | 4 | 8 as width)] if {backing, real} <= signs:
                return Overlay(backing, real, width)
        raise AddressError(
            f"overlay {value!r} is malformed; write it as [backing endianness, real endianness, "
            'word width in bytes], for instance ["=", ">", 2]'
        )

    @property
    def permutation(self) -> tuple[int, ...]:
        """For each byte of the console's word, its index in the core's; (0,) if they are equal."""
        equal = (self.backing == ">") == (self.real == ">")
        return (0,) if equal else tuple(reversed(range(self.width)))


class AddressSpace:
    """Maps addresses to offsets in flat RAM; immutable. Raises AddressError if regions overlap."""

    def __init__(self, regions: Sequence[Region], overlay: Overlay | None = None) -> None:
        self.regions = tuple(sorted(regions, key=lambda region: region.address))
        for region in self.regions:
            if region.size <= 0 or region.address < 0:
                raise AddressError(f"memory region {_span(region)} is empty or below zero")
        for low, high in pairwise(self.regions):
            if low.end > high.address:
                raise AddressError(f"memory regions {_span(low)} and {_span(high)} overlap")
        self._starts = [region.address for region in self.regions]
        self._sizes = [region.size for region in self.regions]
        self._bases = [sum(self._sizes[:index]) for index in range(len(self._sizes))]
        self.size_bytes = sum(self._sizes)
        self._words = overlay.permutation if overlay else (0,)
        self.overlay = overlay

    @property
    def swaps_words(self) -> bool:
        """True if the host keeps the bytes of a word in another order than the console."""
        return len(self._words) > 1

    def region_at(self, address: int) -> Region | None:
        index = bisect_right(self._starts, address) - 1
        found = self.regions[index] if index >= 0 else None
        return found if found is not None and address < found.end else None

    def index_of(self, address: int) -> int:
        """Return the index of ``address`` in console byte order. Raises AddressError."""
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address >= self.regions[index].end:
            raise AddressError(f"address {_hex(address)} is not mapped; {self._describe()}")
        return self._bases[index] + address - self._starts[index]

    def address_of(self, logical_index: int) -> int:
        """Return the address of an index in console byte order. Raises AddressError."""
        if not 0 <= logical_index < self.size_bytes:
            raise AddressError(f"index {logical_index} is outside the {self.size_bytes} RAM bytes")
        index = bisect_right(self._bases, logical_index) - 1
        return self._starts[index] + logical_index - self._bases[index]

    def offsets(self, address: int, width: int) -> NDArray[np.intp]:
        """Return offsets, in console order, of ``width`` bytes in a region. Raises AddressError."""
        index = self.index_of(address)
        region = self.regions[bisect_right(self._starts, address) - 1]
        if address + width > region.end:
            what = f"reach past the end of memory region {_span(region)}"
            cure = "use a narrower type or a lower address"
            raise AddressError(f"{width} bytes at {_hex(address)} {what}; {cure}")
        first = address - region.address
        word = len(self._words)
        whole = region.size - region.size % word
        places = range(first, first + width)
        found = [at - at % word + self._words[at % word] if at < whole else at for at in places]
        return np.array(found, dtype=np.intp) + (index - first)

    def offset(self, address: int) -> int:
        """Return the offset, in console order, of a byte. Raises AddressError."""
        return int(self.offsets(address, 1)[0])

    def logical(self, ram: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return ``ram``, uint8 (..., size_bytes), in console byte order. Raises AddressError."""
        if ram.shape[-1:] != (self.size_bytes,):
            raise AddressError(f"RAM of shape {ram.shape} does not end in {self.size_bytes} bytes")
        word = len(self._words)
        if word == 1:
            return ram.copy()
        if word == 2 and not any(size % word for size in self._sizes):
            # This is the case of every known core; it is 4 times as fast as the general loop below.
            packed: NDArray[np.uint8] = np.ascontiguousarray(ram).view("u2").byteswap().view("u1")
            return packed
        result = ram.copy()
        for region, base in zip(self.regions, self._bases, strict=True):
            whole = region.size - region.size % word
            source = ram[..., base : base + whole]
            target = result[..., base : base + whole]
            for index, raw_index in enumerate(self._words):
                target[..., index::word] = source[..., raw_index::word]
        return result

    def read(self, ram: NDArray[np.uint8], address: int, data_type: DataType) -> int:
        """Return the value of ``data_type`` at ``address`` in ``ram`` of shape (size_bytes,)."""
        return data_type.decode(ram[self.offsets(address, data_type.width)].tobytes())

    def encode_write(
        self, address: int, data_type: DataType, value: int
    ) -> list[tuple[int, bytes]]:
        """Return the writes (offset, bytes) for ``value``. Raises AddressError, DataTypeError."""
        offsets = self.offsets(address, data_type.width).tolist()
        encoded = dict(zip(offsets, data_type.encode(value), strict=True))
        return [
            (start, bytes(encoded[offset] for offset in range(start, start + length)))
            for start, length in merge_offsets(offsets)
        ]

    def _describe(self) -> str:
        if not self.regions:
            return "the core exposes no memory"
        shown = ", ".join(_span(region) for region in self.regions[:6])
        return f"memory is {shown}" + (", ..." if len(self.regions) > 6 else "")


def merge_offsets(offsets: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the fewest (offset, length) ranges that cover exactly ``offsets``, ascending."""
    return in_ranges(sorted(set(offsets)))


def in_ranges(offsets: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Join ascending neighbors to (offset, length) ranges; the order of offsets is kept."""
    ranges: list[tuple[int, int]] = []
    for offset in offsets:
        if ranges and sum(ranges[-1]) == offset:
            ranges[-1] = (ranges[-1][0], ranges[-1][1] + 1)
        else:
            ranges.append((offset, 1))
    return tuple(ranges)


def _hex(address: int) -> str:
    return f"{'-' if address < 0 else ''}0x{abs(address):X}"


def _span(region: Region) -> str:
    return f"{_hex(region.address)}-{_hex(region.end - 1)}"
