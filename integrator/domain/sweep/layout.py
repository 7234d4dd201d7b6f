"""Start positions of candidates of each width in an address space, as bool arrays over positions.

A position is a logical index: its byte's place when all regions stand one after another in console
order. A value never spans two regions.
"""

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.sets import CandidateSet, Mask, Positions
from integrator.domain.values.memory import AddressSpace


def starts(space: AddressSpace, width: int, alignment: int = 1) -> CandidateSet:
    """Positions where ``width`` bytes lie inside one region, at a multiple of ``alignment``."""
    spans = [
        (base, base + region.size - width + 1)
        for region in space.regions
        for base in (space.index_of(region.address),)
        if region.size >= width
    ]
    everywhere = CandidateSet.of_spans(spans, space.size_bytes)
    return everywhere if alignment == 1 else everywhere.keep(aligned(space, alignment))


def covered(space: AddressSpace, low: int, high: int | None, width: int) -> Mask:
    """Positions whose ``width`` bytes all have addresses in [low, high) and lie in one region."""
    mask = np.zeros(space.size_bytes, dtype=np.bool_)
    for region in space.regions:
        first = max(low, region.address)
        last = region.end if high is None else min(high, region.end)
        if last - width >= first:
            base = space.index_of(region.address) - region.address
            mask[base + first : base + last - width + 1] = True
    return mask


def touching(space: AddressSpace, low: int, high: int, width: int) -> Mask:
    """Positions any of whose ``width`` bytes has an address in [low, high)."""
    return covered(space, low - width + 1, high + width - 1, width)


def aligned(space: AddressSpace, alignment: int) -> Mask:
    """Positions whose address is a multiple of ``alignment``."""
    mask = np.zeros(space.size_bytes, dtype=np.bool_)
    for region in space.regions:
        base = space.index_of(region.address)
        mask[base + -region.address % alignment : base + region.size : alignment] = True
    return mask


def addresses_of(space: AddressSpace, positions: Positions) -> NDArray[np.int64]:
    """Addresses of logical indices, int64 of the same shape."""
    addresses = positions.astype(np.int64)
    for region in space.regions:
        base = space.index_of(region.address)
        inside = (positions >= base) & (positions < base + region.size)
        addresses[inside] += region.address - base
    return addresses


def console_positions(space: AddressSpace) -> NDArray[np.uint32] | None:
    """For each offset in flat RAM its position, uint32 (bytes,), and the inverse of that map.

    None where the two are the same. The address space orders bytes, so it is handed offsets as four
    planes of bytes.
    """
    overlay = space.overlay
    if overlay is None or list(overlay.permutation) == sorted(overlay.permutation):
        return None
    offsets = np.arange(space.size_bytes, dtype="<u4")
    planes = offsets.view(np.uint8).reshape(-1, 4).T
    ordered = np.ascontiguousarray(space.logical(planes).T).view("<u4").ravel()
    return ordered.astype(np.uint32)
