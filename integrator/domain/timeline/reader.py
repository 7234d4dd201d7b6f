"""Reading RAM out of a line's blocks, with the blocks unpacked last kept at hand."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.block import Block
from integrator.domain.timeline.packing import RamBlock
from integrator.domain.timeline.ramlog import DecodedRam, OpenRamBlock

_CACHED_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class RamPart:
    """A stretch of a range: frames ``begin`` to ``end - 1`` of an unpacked block.

    They fill the range's rows from ``row`` on.
    """

    decoded: DecodedRam
    row: int
    begin: int
    end: int

    @property
    def rows(self) -> slice:
        """The part's rows in the range."""
        return slice(self.row, self.row + self.end - self.begin)


class BlockCache:
    """Unpacks blocks; a few stay unpacked."""

    def __init__(self, ram_bytes: int) -> None:
        self._decoded: OrderedDict[RamBlock, DecodedRam] = OrderedDict()
        self._capacity = max(2, min(8, _CACHED_BYTES // max(ram_bytes, 1)))

    def decode(self, block: Block) -> DecodedRam:
        """The RAM of a block. Raises TimelineError after the pool was closed."""
        if isinstance(block.ram, OpenRamBlock):
            return block.ram.decode()
        decoded = self._decoded.pop(block.ram, None) or block.ram.decode()
        self._decoded[block.ram] = decoded
        if len(self._decoded) > self._capacity:
            self._decoded.popitem(last=False)
        return decoded

    def clear(self) -> None:
        """Forget all."""
        self._decoded.clear()

    def parts(
        self, blocks: Sequence[Block], first_ram: NDArray[np.uint8], start: int, stop: int
    ) -> Iterator[RamPart]:
        """The parts of blocks that make up the RAM of frames ``start`` (from 0) to ``stop - 1``."""
        if start == 0 < stop:
            nothing = (np.zeros(0, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.uint8))
            yield RamPart(DecodedRam(first_ram, *nothing), 0, 0, 1)
        for block, span in spans(blocks, max(start, 1), stop):
            row = block.start + span.start + 1 - start
            yield RamPart(self.decode(block), row, span.start + 1, span.stop + 1)


def block_index(blocks: Sequence[Block], frame: int) -> int:
    """Index of the block that holds ``frame``, which is 1 or later."""
    return bisect_left(blocks, frame, key=lambda block: block.start) - 1


def spans(blocks: Sequence[Block], start: int, stop: int) -> Iterator[tuple[Block, slice]]:
    """The blocks of frames ``start`` (from 1) to ``stop - 1``, each with its rows among them."""
    if stop <= start:
        return
    for block in blocks[block_index(blocks, start) :]:
        if block.start + 1 >= stop:
            break
        first = max(start - 1 - block.start, 0)
        yield block, slice(first, min(stop - 1, block.end) - block.start)
