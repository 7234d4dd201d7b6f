"""Names the variable near an address: games keep related numbers in one place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

from integrator.domain.values.variables import VariableSpec

NEAR_BYTES: Final = 32
"""Farther away than this, a variable tells nothing about an address."""


class Neighbours:
    """Variables by address."""

    def __init__(self, variables: Mapping[str, VariableSpec]) -> None:
        places = sorted((spec.address, spec.type.width, name) for name, spec in variables.items())
        self._starts = [start for start, _, _ in places]
        self._names = [name for _, _, name in places]
        self._widths = [width for _, width, _ in places]
        self._widest = max(self._widths, default=1)

    def text(self, address: int, width: int) -> str:
        """The variable that uses these bytes, else the nearest with its distance, else ''."""
        best: tuple[int, int] | None = None
        low = bisect_left(self._starts, address - NEAR_BYTES - self._widest)
        for at in range(low, len(self._starts)):
            start, stop = self._starts[at], self._starts[at] + self._widths[at]
            if start > address + width + NEAR_BYTES:
                break
            distance = max(start - (address + width) + 1, address - stop + 1, 0)
            if distance <= NEAR_BYTES and (best is None or distance < best[0]):
                best = (distance, at)
        if best is None:
            return ""
        distance, at = best
        name, offset = self._names[at], address - self._starts[at]
        return name if not distance or not offset else f"{name} {offset:+d}"
