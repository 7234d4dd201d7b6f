"""Packed masks of a tile: a bit an address, 64 addresses a word, cheap to combine and to shift."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.planes import digits
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.sets import Mask

Words = NDArray[np.uint64]
"""Packed booleans, the first in the lowest bit."""
Packed = TypeVar("Packed", np.uint8, np.uint64)
WORD_BITS: Final = 64
SIGNED: Final = "signed"
"""Kind of the top digit of a signed number, besides the kinds u, d and n."""


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

    def found(self, key: Hashable, index: int) -> Words | None:
        """What is known of byte ``index`` after each start address."""
        return self._found.get((key, index))

    def keep(self, key: Hashable, words: Words) -> None:
        """As :meth:`put`, of what is packed already."""
        self._found[key, 0] = words

    def at(self, key: Hashable, index: int, make: Callable[[], Mask]) -> Words:
        """For each start address, what byte ``index`` after it does; ``make`` says it of each byte.

        Read-only by agreement.
        """
        return self.at_words(key, index, lambda: pack(make()))

    def at_words(self, key: Hashable, index: int, make: Callable[[], Words]) -> Words:
        """As :meth:`at` with what ``make`` says packed already."""
        found = self._found.get((key, index))
        if found is None:
            found = shifted(self.at_words(key, 0, make), index) if index else make()
            self._found[key, index] = found
        return found

    def digits(self, kind: str, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """What each byte of ``raw``, always the same, counts as one digit."""
        if kind not in self._digits:
            self._digits[kind] = digits(kind, raw)
        return self._digits[kind]


def digits_kind(data_type: SearchType) -> str:
    """Kind of the type's digits: signed types have those of unsigned ones."""
    return "u" if data_type.kind == "i" else data_type.kind


def told_by_digits(
    data_type: SearchType,
    beyond: Callable[[str, int], NDArray[Packed]],
    differs: Callable[[str, int], NDArray[Packed]],
) -> NDArray[Packed]:
    """Where one number is beyond (above, or below) another: its first digit that differs is.

    Both functions are told the kind of a digit and which byte it is, and answer with packed bits.
    """
    # Upstream keeps values in signed 64 bits, so the widest unsigned type is signed as well.
    signed = data_type.minimum < 0
    kind, (*higher, lowest) = digits_kind(data_type), data_type.order
    kinds = {data_type.order[0]: SIGNED} if signed else {}
    found = beyond(kinds.get(lowest, kind), lowest)
    for index in reversed(higher):
        found = beyond(kinds.get(index, kind), index) | (found & ~differs(kind, index))
    return found
