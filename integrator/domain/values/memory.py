"""The address space: maps each address to a byte of the flat RAM, on word-swapped systems too.

Flat RAM is a host's array: the writable regions, concatenated in address order, with bytes as in
the core's memory. Addresses and data types follow the console's own byte order; an
:class:`Overlay` describes the difference (Genesis cores keep 16-bit words byte-swapped).
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import AddressError
from integrator.domain.values.datatype import DataType


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
        match list(value):
            case [str(backing), str(real), int(width)] if (
                backing in ("<", ">", "=", "|")
                and real in ("<", ">", "=", "|")
                and width in (1, 2, 4, 8)
            ):
                return Overlay(backing, real, width)
        raise AddressError(
            f"overlay {value!r} is malformed; write it as [backing endianness, real endianness, "
            'word width in bytes], for instance ["=", ">", 2]'
        )

    @property
    def permutation(self) -> tuple[int, ...]:
        """For each byte of a word in console order, its index in the core's memory."""
        order = tuple(range(self.width))
        return order if (self.backing == ">") == (self.real == ">") else order[::-1]


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
        permutation = overlay.permutation if overlay else (0,)
        # An overlay with two equal orders changes nothing, so it counts as no overlay.
        self._words = permutation if permutation != tuple(range(len(permutation))) else (0,)
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

    def holds(self, logical_index: int, width: int) -> bool:
        """Return True if so many bytes from a logical index on are in one region."""
        address = self.address_of(logical_index)
        region = self.region_at(address)
        return region is not None and address + width <= region.end

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
