"""Packed masks of a tile: a bit an address, 64 addresses a word, cheap to combine and to shift."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search_planes import digits
from integrator.domain.search_sets import Mask

Words = NDArray[np.uint64]
"""Packed booleans, the first in the lowest bit."""
WORD_BITS: Final = 64


def pack(mask: Mask) -> Words:
    """Words of a bool array whose length is a multiple of WORD_BITS."""
    return np.packbits(mask, bitorder="little").view(np.uint64)


def shifted(words: Words, places: int) -> Words:
    """Each bit at the address ``places`` (1 to 63) lower; the last ones are zero."""
    found = words >> np.uint64(places)
    found[:-1] |= words[1:] << np.uint64(WORD_BITS - places)
    return found


class Masks:
    """What single bytes of a tile do, each found out once, and shifted to where values start."""

    def __init__(self) -> None:
        self._found: dict[tuple[Hashable, int], Words] = {}
        self._digits: dict[str, NDArray[np.uint8]] = {}

    def put(self, key: Hashable, mask: Mask) -> None:
        """Take in what is known already."""
        self._found[key, 0] = pack(mask)

    def at(self, key: Hashable, index: int, make: Callable[[], Mask]) -> Words:
        """For each start address, what byte ``index`` after it does; ``make`` says it of each byte.

        Read-only by agreement.
        """
        found = self._found.get((key, index))
        if found is None:
            found = shifted(self.at(key, 0, make), index) if index else pack(make())
            self._found[key, index] = found
        return found

    def digits(self, kind: str, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """What each byte of ``raw``, always the same, counts as one digit."""
        if kind not in self._digits:
            self._digits[kind] = digits(kind, raw)
        return self._digits[kind]
