"""The RAM of a line of play at one time, for another thread to read while the game goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.block import Block
from integrator.domain.timeline.ramlog import picked_offsets
from integrator.domain.timeline.reader import BlockCache, RamPart, block_index


class History:
    """Frames 0 to ``length``; any one thread may read it, until the timeline is closed.

    ``blocks`` are immutable but for the last, to which only later frames are added.
    """

    def __init__(self, blocks: Sequence[Block], first_ram: NDArray[np.uint8]) -> None:
        self._blocks = tuple(blocks)
        self._first_ram = first_ram
        self._cache = BlockCache(first_ram.size)
        self.length: int = self._blocks[-1].end if self._blocks else 0

    def ram(self, frame: int) -> NDArray[np.uint8]:
        """As :meth:`Timeline.ram`."""
        self._check(frame)
        if frame == 0:
            return self._first_ram.copy()
        block = self._blocks[block_index(self._blocks, frame)]
        return self._cache.decode(block).ram(frame - block.start)

    def ram_ranges(
        self, ranges: Sequence[tuple[int, int]], start: int, stop: int, /
    ) -> NDArray[np.uint8]:
        """As :meth:`Timeline.ram_ranges`."""
        picked, places = np.unique(picked_offsets(ranges), return_inverse=True)
        out = np.empty((max(stop - start, 0), len(picked)), np.uint8)
        for part in self._parts(start, stop) if len(picked) else ():
            part.decoded.fill_picked(out[part.rows], picked, part.begin, part.end)
        return out[:, places]

    def changed(self, start: int, stop: int) -> NDArray[np.bool_]:
        """As :meth:`Timeline.changed`."""
        mask = np.zeros(self._first_ram.size, np.bool_)
        for part in self._parts(start, stop):
            part.decoded.mark_changed(mask, part.begin + (part.row == 0), part.end)
        return mask

    def _parts(self, start: int, stop: int) -> Iterator[RamPart]:
        if start < stop:
            self._check(start)
            self._check(stop - 1)
        return self._cache.parts(self._blocks, self._first_ram, start, stop)

    def _check(self, frame: int) -> None:
        if not 0 <= frame <= self.length:
            raise TimelineError(f"frame {frame} is not held; there are frames 0 to {self.length}")
