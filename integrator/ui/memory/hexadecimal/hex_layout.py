"""Places of bytes in the Memory panel: rows of sixteen over the regions, and their marks."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.memory import AddressSpace, Region
from integrator.domain.values.variables import VariableSpec

ROW_BYTES = 16
FADE_STEPS = 12
"""Drawn frames over which a change fades."""


class RowLayout:
    """Rows of sixteen bytes over all regions, at round addresses; regions follow one another. A
    byte's *index* is its place in RAM with words in the console's order."""

    def __init__(self, space: AddressSpace) -> None:
        self.space = space
        self._regions: Sequence[Region] = space.regions
        self._first_rows: list[int] = []
        rows = 0
        for region in self._regions:
            self._first_rows.append(rows)
            low = region.address - region.address % ROW_BYTES
            rows += -(-(region.end - low) // ROW_BYTES)
        self.rows = rows

    def address_of_row(self, row: int) -> int:
        """The row's first address, a multiple of sixteen; it may lie before the region."""
        number = bisect_right(self._first_rows, row) - 1
        region = self._regions[number]
        low = region.address - region.address % ROW_BYTES
        return low + (row - self._first_rows[number]) * ROW_BYTES

    def row_of(self, address: int) -> int | None:
        """The row with ``address``; None for an unmapped address."""
        region = self.space.region_at(address)
        if region is None:
            return None
        number = self._regions.index(region)
        low = region.address - region.address % ROW_BYTES
        return self._first_rows[number] + (address - low) // ROW_BYTES

    def span(self, row: int) -> tuple[int, int]:
        region = self._regions[bisect_right(self._first_rows, row) - 1]
        low = self.address_of_row(row)
        return max(low, region.address), min(low + ROW_BYTES, region.end)

    def spans(self, first: int, last: int) -> list[tuple[int, int]]:
        """Addresses [start, stop) of each of the rows ``first`` to ``last``."""
        found: list[tuple[int, int]] = []
        for start, stop in self.blocks(first, last):
            edges = [start, *range(start - start % ROW_BYTES + ROW_BYTES, stop, ROW_BYTES), stop]
            found.extend(pairwise(edges))
        return found

    def blocks(self, first: int, last: int) -> list[tuple[int, int]]:
        """Addresses [start, stop) of the rows ``first`` to ``last``, one range a region."""
        found: list[tuple[int, int]] = []
        while first <= last:
            number = bisect_right(self._first_rows, first)
            beyond = [*self._first_rows, self.rows][number]
            end = min(last + 1, beyond)
            found.append((self.span(first)[0], self.span(end - 1)[1]))
            first = end
        return found

    def indices(self, first: int, last: int) -> tuple[int, int]:
        """Half-open range of indices that rows ``first`` to ``last`` show."""
        start, _ = self.span(first)
        _, stop = self.span(last)
        return self.space.index_of(start), self.space.index_of(stop - 1) + 1

    def offsets(self, first: int, last: int) -> NDArray[np.intp]:
        """For each index of rows ``first`` to ``last``, its offset in the host's flat RAM."""
        ranges = self.blocks(first, last)
        return np.concatenate([self.space.offsets(a, b - a) for a, b in ranges])


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


@dataclass(frozen=True, slots=True)
class Mark:
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
        marks = [
            Mark(spec.address, spec.address + spec.type.width, name, number)
            for number, (name, spec) in enumerate(specs.items())
        ]
        self.variables = tuple(sorted(marks, key=lambda mark: mark.start))

    def within(self, start: int, stop: int) -> list[Mark]:
        """Variables with a byte in addresses [start, stop)."""
        return [mark for mark in self.variables if mark.start < stop and mark.stop > start]

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
