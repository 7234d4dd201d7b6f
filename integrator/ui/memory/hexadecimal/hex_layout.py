"""Places of bytes in the Memory panel: rows of sixteen over the regions, and their marks."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableSpec

ROW_BYTES = 16
FADE_STEPS = 12
"""Drawn frames over which a change fades."""


class RowLayout:
    """Rows of sixteen bytes over all regions, at round addresses; regions follow one another. A
    byte's *index* is its place in RAM with words in the console's order."""

    def __init__(self, space: AddressSpace) -> None:
        self.space = space
        rows = [
            np.arange(region.address - region.address % ROW_BYTES, region.end, ROW_BYTES)
            for region in space.regions
        ]
        counts = [len(each) for each in rows]
        self.rows = sum(counts)
        self._lows = np.concatenate(rows)
        self._ends = np.repeat([region.end for region in space.regions], counts)
        self._starts = np.maximum(
            self._lows, np.repeat([region.address for region in space.regions], counts)
        )
        self._stops = np.minimum(self._lows + ROW_BYTES, self._ends)

    def address_of_row(self, row: int) -> int:
        """The row's first address, a multiple of sixteen; it may lie before the region."""
        return int(self._lows[row])

    def row_of(self, address: int) -> int | None:
        """The row with ``address``; None for an unmapped address."""
        row = int(np.searchsorted(self._stops, address, side="right"))
        return row if row < self.rows and self._starts[row] <= address else None

    def span(self, row: int) -> tuple[int, int]:
        return int(self._starts[row]), int(self._stops[row])

    def spans(self, first: int, last: int) -> list[tuple[int, int]]:
        """Addresses [start, stop) of each of the rows ``first`` to ``last``."""
        rows = slice(first, last + 1)
        return list(zip(self._starts[rows].tolist(), self._stops[rows].tolist(), strict=True))

    def indices(self, first: int, last: int) -> tuple[int, int]:
        """Half-open range of indices that rows ``first`` to ``last`` show."""
        start, stop = int(self._starts[first]), int(self._stops[last])
        return self.space.index_of(start), self.space.index_of(stop - 1) + 1

    def offsets(self, first: int, last: int) -> NDArray[np.intp]:
        """For each index of rows ``first`` to ``last``, its offset in the host's flat RAM."""
        starts, stops = self._starts[first : last + 1], self._stops[first : last + 1]
        gaps = np.flatnonzero(np.diff(self._ends[first : last + 1]))
        blocks = zip(starts[[0, *(gaps + 1)]].tolist(), stops[[*gaps, -1]].tolist(), strict=True)
        return np.concatenate([self.space.offsets(start, stop - start) for start, stop in blocks])


class SeenBytes:
    """The last shown bytes, the frames since each changed, and how often it has while in sight."""

    def __init__(self, size: int) -> None:
        self.values = np.zeros(size, np.uint8)
        self.ages = np.zeros(size, np.uint8)
        self.writes = np.zeros(size, np.uint16)
        self._seen = np.zeros(size, np.bool_)

    def show(self, start: int, data: NDArray[np.uint8], *, advanced: bool) -> None:
        """Take bytes from index ``start`` on. ``advanced``: a frame went by, so changes fade."""
        part = slice(start, start + len(data))
        ages = self.ages[part]
        if advanced:
            np.subtract(ages, 1, out=ages, where=ages > 0)
        changed = self._seen[part] & (self.values[part] != data)
        ages[changed] = FADE_STEPS
        self.writes[part] += changed & (self.writes[part] < np.iinfo(np.uint16).max)
        self.values[part] = data
        self._seen[part] = True


class Mark(NamedTuple):
    """A variable's bytes: addresses [start, stop), its name, and a number to colour it by."""

    start: int
    stop: int
    name: str
    number: int


class Marks:
    """Variables, search candidates and frozen bytes by address."""

    def __init__(self) -> None:
        self.variables: tuple[Mark, ...] = ()
        self.candidates: NDArray[np.int64] = np.empty(0, np.int64)
        self.frozen: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.variables or len(self.candidates) or self.frozen)

    def set_variables(self, specs: Mapping[str, VariableSpec]) -> None:
        self.variables = tuple(
            Mark(spec.address, spec.address + spec.type.width, name, number)
            for number, (name, spec) in enumerate(specs.items())
        )

    def within(self, start: int, stop: int) -> list[Mark]:
        """Variables with a byte in addresses [start, stop), by address."""
        return sorted([each for each in self.variables if each.start < stop and each.stop > start])

    def between(self, start: int, stop: int) -> "Marks":
        """Only the marks in addresses [start, stop)."""
        part = Marks()
        part.variables = tuple(self.within(start, stop))
        low, high = np.searchsorted(self.candidates, (start, stop))
        part.candidates = self.candidates[low:high]
        part.frozen = frozenset(each for each in self.frozen if start <= each < stop)
        return part

    def candidates_within(self, start: int, stop: int) -> list[int]:
        """Candidates' addresses in [start, stop)."""
        low, high = np.searchsorted(self.candidates, (start, stop))
        found: list[int] = self.candidates[low:high].tolist()
        return found
