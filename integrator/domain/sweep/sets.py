"""Immutable sets of the positions that a search still considers, one for each data type."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.memory import AddressSpace

Bits = NDArray[np.uint8]  # a bitmap in little bit order, padded with zeros to whole 64-bit words
Mask = NDArray[np.bool_]
Positions = NDArray[np.intp]

_SPARSE_SHARE: Final = 256  # below one member in 256, a sorted list is smaller and faster
_STRETCH_BYTES: Final = 1 << 18


@dataclass(slots=True, eq=False)
class CandidateSet:
    """The candidates among ``size`` positions: a bitmap when many, a sorted list when few."""

    size: int
    count: int
    _bits: Bits | None
    few: NDArray[np.uint32] | None
    """The positions, ascending, if the set is a list, else None; must not be changed."""

    @staticmethod
    def of_bits(bits: Bits, size: int) -> "CandidateSet":
        """Make a set of a bitmap (see :func:`packed_length`), which the set owns from now on."""
        count = count_bits(bits)
        if is_few(count, size):
            return CandidateSet.of_positions(positions_of(bits), size)
        return CandidateSet(size, count, bits, None)

    @staticmethod
    def of_mask(mask: Mask) -> "CandidateSet":
        bits = np.zeros(packed_length(len(mask)), dtype=np.uint8)
        bits[: (len(mask) + 7) // 8] = np.packbits(mask, bitorder="little")
        return CandidateSet.of_bits(bits, len(mask))

    @staticmethod
    def of_positions(positions: NDArray[np.integer], size: int) -> "CandidateSet":
        if is_few(len(positions), size):
            return CandidateSet(size, len(positions), None, positions.astype(np.uint32, copy=False))
        mask = np.zeros(size, np.bool_)
        mask[positions] = True
        return CandidateSet.of_mask(mask)

    @property
    def positions(self) -> Positions:
        if self.few is not None:
            return self.few.astype(np.intp)
        return np.flatnonzero(self.mask())

    @property
    def bits(self) -> Bits:
        """The set as a bitmap, shape (packed_length(size),); must not be changed."""
        if self._bits is not None:
            return self._bits
        bits = np.zeros(packed_length(self.size), dtype=np.uint8)
        if self.few is not None:
            flags = np.uint8(1) << (self.few & np.uint32(7)).astype(np.uint8)
            np.bitwise_or.at(bits, self.few >> np.uint32(3), flags)
        return bits

    def mask(self) -> Mask:
        if self.few is not None:
            mask = np.zeros(self.size, dtype=np.bool_)
            mask[self.few] = True
            return mask
        return np.unpackbits(self.bits, count=self.size, bitorder="little").view(np.bool_)

    def within(self, start: int, stop: int) -> Positions:
        """Return positions in [start, stop), ascending. ``start`` must be a multiple of 8."""
        if self.few is not None:
            low, high = np.searchsorted(self.few, (start, stop))
            return self.few[low:high].astype(np.intp)
        chunk = self.bits[start // 8 : (stop + 7) // 8]
        return np.flatnonzero(np.unpackbits(chunk, count=stop - start, bitorder="little")) + start

    def counts(self, block: int) -> NDArray[np.int64]:
        """Return the number of members in each block of ``block`` (64 * n) positions."""
        blocks = -(-self.size // block)
        if self.few is not None:
            return np.bincount(self.few // block, minlength=blocks).astype(np.int64)
        words, width = np.bitwise_count(self.bits.view(np.uint64)), block // 64
        whole = len(words) // width * width
        found = np.empty(blocks, np.int64)
        found[: whole // width] = words[:whole].reshape(-1, width).sum(axis=1, dtype=np.uint32)
        if whole < len(words):
            found[-1] = words[whole:].sum(dtype=np.int64)
        return found

    def contains(self, positions: Positions) -> Mask:
        """Return which of ``positions`` are members, bool of the same shape."""
        if self.few is not None:
            if not self.count:
                return np.zeros(positions.shape, dtype=np.bool_)
            at = np.searchsorted(self.few, positions).clip(max=self.count - 1)
            found: Mask = self.few[at] == positions
            return found
        member: Bits = self.bits[positions >> 3] >> (positions & 7).astype(np.uint8) & 1
        return member.view(np.bool_)

    def keep(self, mask: Mask) -> "CandidateSet":
        """Return the members at which the bool array ``mask``, of shape (size,), is true."""
        if self.few is not None:
            return CandidateSet.of_positions(self.few[mask[self.few]], self.size)
        return CandidateSet.of_mask(self.mask() & mask)


def is_few(count: int, size: int) -> bool:
    """Return True if a set of ``count`` of ``size`` positions is kept as a list."""
    return count * _SPARSE_SHARE <= size


def packed_length(size: int) -> int:
    return -(-size // 64) * 8


def count_bits(bits: Bits) -> int:
    return int(np.bitwise_count(bits.view(np.uint64)).sum(dtype=np.int64))


def positions_of(bits: Bits) -> NDArray[np.uint32]:
    """Return the positions of the bits that are set; only words other than 0 are unpacked."""
    words = np.flatnonzero(bits.view(np.uint64))
    chosen = bits.reshape(-1, 8)[words]
    # One long row of bits, in which numpy finds places much faster than in a table.
    at = np.flatnonzero(np.unpackbits(chosen, bitorder="little").view(np.bool_))
    found: NDArray[np.uint32] = (words[at >> 6] * 64 + (at & 63)).astype(np.uint32)
    return found


def empty(size: int) -> CandidateSet:
    return CandidateSet(size, 0, None, np.empty(0, dtype=np.uint32))


def union(sets: list[CandidateSet]) -> CandidateSet:
    """Return all positions that are in any of ``sets`` (at least one set, all of one size)."""
    distinct = list({id(each): each for each in sets if each.count}.values())
    if len(distinct) <= 1:
        return distinct[0] if distinct else sets[0]
    size = distinct[0].size
    if all(each.few is not None for each in distinct):
        # A stable sort merges sorted runs quickly, much faster than a search for repetitions.
        merged = np.sort(np.concatenate([each.positions for each in distinct]), kind="stable")
        first = np.concatenate(([True], merged[1:] != merged[:-1]))
        return CandidateSet.of_positions(merged[first], size)
    bits = distinct[0].bits.copy()
    for each in distinct[1:]:
        bits |= each.bits
    return CandidateSet.of_bits(bits, size)


def intersection(first: CandidateSet, second: CandidateSet) -> CandidateSet:
    if first is second or not first.count:
        return first
    if first.count > second.count:
        first, second = second, first
    if first.few is not None:
        positions = first.positions
        return CandidateSet.of_positions(positions[second.contains(positions)], first.size)
    return CandidateSet.of_bits(first.bits & second.bits, first.size)


def difference(first: CandidateSet, second: CandidateSet) -> CandidateSet:
    """Return the positions of ``first`` that are not in ``second`` (of the same size)."""
    if first is second:
        return empty(first.size)
    if not first.count or not second.count:
        return first
    if first.few is not None:
        positions = first.positions
        return CandidateSet.of_positions(positions[~second.contains(positions)], first.size)
    return CandidateSet.of_bits(first.bits & ~second.bits, first.size)


def differing(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> Bits:
    """Return a bitmap of the differences of two memories, compared in cache-sized parts."""
    found = np.zeros(packed_length(len(first)), np.uint8)
    for start in range(0, len(first), _STRETCH_BYTES):
        stop = start + _STRETCH_BYTES
        bits = np.packbits(first[start:stop] != second[start:stop], bitorder="little")
        found[start // 8 : start // 8 + len(bits)] = bits
    return found


def starts(space: AddressSpace, width: int, alignment: int = 1) -> CandidateSet:
    """Return positions of ``width`` bytes in one region, at multiples of ``alignment``."""
    mask = covered(space, 0, None, width)
    return CandidateSet.of_mask(mask if alignment == 1 else mask & aligned(space, alignment))


def covered(space: AddressSpace, low: int, high: int | None, width: int) -> Mask:
    """Return positions whose ``width`` bytes are in one region, with addresses in [low, high)."""
    mask = np.zeros(space.size_bytes, dtype=np.bool_)
    for region in space.regions:
        first = max(low, region.address)
        last = region.end if high is None else min(high, region.end)
        if last - width >= first:
            base = space.index_of(region.address) - region.address
            mask[base + first : base + last - width + 1] = True
    return mask


def touching(space: AddressSpace, low: int, high: int, width: int) -> Mask:
    """Return positions with any of their ``width`` bytes at an address in [low, high)."""
    return covered(space, low - width + 1, high + width - 1, width)


def aligned(space: AddressSpace, alignment: int) -> Mask:
    mask = np.zeros(space.size_bytes, dtype=np.bool_)
    for region in space.regions:
        base = space.index_of(region.address)
        mask[base + -region.address % alignment : base + region.size : alignment] = True
    return mask


def addresses_of(space: AddressSpace, positions: Positions) -> NDArray[np.int64]:
    """Return the addresses of positions, int64 of the same shape."""
    addresses = positions.astype(np.int64)
    for region in space.regions:
        base = space.index_of(region.address)
        addresses[(positions >= base) & (positions < base + region.size)] += region.address - base
    return addresses


def console_positions(space: AddressSpace) -> NDArray[np.uint32] | None:
    """Return the map of flat offsets to positions and back, uint32 (bytes,); None if identical."""
    if not space.swaps_words:
        return None
    planes = np.arange(space.size_bytes, dtype="<u4").view(np.uint8).reshape(-1, 4).T
    return np.ascontiguousarray(space.logical(planes).T).view("<u4").ravel().astype(np.uint32)
