"""The RAM of every frame: blocks of a whole snapshot and each frame's changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

_FIRST_CAPACITY = 4096


class RamDifferences(Protocol):
    """Changed bytes: ``counts`` (frames,), ``offsets`` uint32 and ``values`` uint8 of their sum."""

    @property
    def counts(self) -> NDArray[np.int64]: ...

    @property
    def offsets(self) -> NDArray[np.uint32]: ...

    @property
    def values(self) -> NDArray[np.uint8]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Our own :class:`RamDifferences`."""

    counts: NDArray[np.int64]
    offsets: NDArray[np.uint32]
    values: NDArray[np.uint8]

    def part(self, start: int, stop: int) -> "Differences":
        begin, end = int(self.counts[:start].sum()), int(self.counts[:stop].sum())
        return Differences(self.counts[start:stop], self.offsets[begin:end], self.values[begin:end])


def differences(last: NDArray[np.uint8], ram: NDArray[np.uint8]) -> Differences:
    """Changes of ``ram`` (frames, ram_bytes) frame by frame, the first against ``last``."""
    counts, offsets, values = [], [], []
    for row in ram:
        changed = _changed(last, row)
        counts.append(len(changed))
        offsets.append(changed)
        values.append(row[changed])
        last = row
    return Differences(
        np.array(counts, np.int64),
        np.concatenate(offsets).astype(np.uint32),
        np.concatenate(values),
    )


def _changed(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Ascending offsets of differing bytes; whole words first, which are eight times fewer."""
    if before.size % 8 or not (before.flags.c_contiguous and after.flags.c_contiguous):
        return np.flatnonzero(before != after)
    words = np.flatnonzero(before.view(np.uint64) != after.view(np.uint64))
    offsets: NDArray[np.intp] = ((words * 8)[:, None] + np.arange(8)).ravel()
    differs: NDArray[np.bool_] = before[offsets] != after[offsets]
    return offsets[differs]


@dataclass(frozen=True, slots=True, eq=False)
class DecodedRam:
    """A block unpacked: ``base`` is RAM before it, ``ends[i]`` the end of frame i + 1's changes."""

    base: NDArray[np.uint8]
    ends: NDArray[np.int64]
    offsets: NDArray[np.integer]
    values: NDArray[np.uint8]

    def _span(self, start: int, stop: int) -> slice:
        begin = int(self.ends[start - 2]) if start > 1 else 0
        return slice(begin, int(self.ends[stop - 2]) if stop > 1 else 0)

    def ram(self, index: int) -> NDArray[np.uint8]:
        """RAM after the block's frame ``index``, a copy; the last of repeated offsets stays."""
        ram = self.base.copy()
        span = self._span(1, index + 1)
        ram[self.offsets[span]] = self.values[span]
        return ram

    def fill(self, out: NDArray[np.uint8], start: int, stop: int) -> None:
        """Write the RAM of frames ``start`` to ``stop - 1`` into ``out`` (frames, ram_bytes)."""
        out[0] = self.ram(start)
        for index in range(start + 1, stop):
            row = out[index - start]
            row[:] = out[index - start - 1]
            span = self._span(index, index + 1)
            row[self.offsets[span]] = self.values[span]

    def mark_changed(self, mask: NDArray[np.bool_], start: int, stop: int) -> None:
        """Set ``mask`` at bytes that one of the frames ``start`` to ``stop - 1`` changed."""
        mask[self.offsets[self._span(max(start, 1), max(stop, 1))]] = True

    def fill_picked(
        self, out: NDArray[np.uint8], picked: NDArray[np.intp], start: int, stop: int
    ) -> None:
        """As :meth:`fill`, but only the bytes at the ascending offsets ``picked``."""
        first = self.base[picked]
        before = self._span(1, start + 1)
        columns, hits = _find(picked, self.offsets[before])
        first[columns] = self.values[before][hits]
        out[:] = first
        span = self._span(start + 1, stop)
        columns, hits = _find(picked, self.offsets[span])
        if not len(hits):
            return
        frames = np.searchsorted(self.ends, hits + span.start, side="right") + 1 - start
        # Each changed cell notes its own row; carried down, the note says which row to copy from.
        source = np.zeros(out.shape, np.int32)
        source[frames, columns] = frames
        out[frames, columns] = self.values[span][hits]
        np.maximum.accumulate(source, axis=0, out=source)
        out[:] = np.take_along_axis(out, source, axis=0)


def _find(
    picked: NDArray[np.intp], offsets: NDArray[np.integer]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each of ``offsets`` that is in ``picked``: its index there, and its own index."""
    # A look-up is several times faster than searching for every change of a block.
    wanted = np.zeros(int(picked[-1]) + 1, np.bool_)
    wanted[picked] = True
    hits = np.flatnonzero(wanted.take(offsets, mode="clip") & (offsets <= picked[-1]))
    return np.searchsorted(picked, offsets[hits]), hits


class FirstRam:
    """The RAM before a block: given, or worked out of the full block before, in any thread."""

    __slots__ = ("_before", "_ram")

    def __init__(self, ram: NDArray[np.uint8] | None = None, before: "OpenRamBlock | None" = None):
        self._ram = ram
        self._before = before

    def ram(self) -> NDArray[np.uint8]:
        """The RAM, uint8 (ram_bytes,), not to be written to."""
        before = self._before
        if before is not None:
            self._ram = before.decode().ram(before.frames)
            # Last, so that a thread that finds no block before finds the RAM.
            self._before = None
        if self._ram is None:
            raise AssertionError("a block begins with a RAM, or after another block")
        return self._ram


class OpenRamBlock:
    """The block that is being written. ``base`` is kept, not copied."""

    __slots__ = ("_base", "_ends", "_offsets", "_values", "frames")

    def __init__(self, base: FirstRam, capacity_frames: int) -> None:
        self.frames = 0
        self._base = base
        self._ends = np.zeros(capacity_frames, np.int64)
        self._offsets = np.zeros(_FIRST_CAPACITY, np.uint32)
        self._values = np.zeros(_FIRST_CAPACITY, np.uint8)

    @classmethod
    def head_of(cls, decoded: DecodedRam, frames: int, capacity_frames: int) -> "OpenRamBlock":
        """A block to go on with after the first ``frames`` of another."""
        block = cls(FirstRam(decoded.base), capacity_frames)
        end = int(decoded.ends[frames - 1])
        counts = np.diff(decoded.ends[:frames], prepend=0)
        offsets = decoded.offsets[:end].astype(np.uint32)
        block.append(Differences(counts, offsets, decoded.values[:end]))
        return block

    @property
    def changes(self) -> int:
        return int(self._ends[self.frames - 1]) if self.frames else 0

    def append(self, changes: RamDifferences) -> None:
        """Add frames; the caller makes sure that they fit into the capacity."""
        frames = len(changes.counts)
        used = self.changes
        end = used + len(changes.offsets)
        if end > len(self._offsets):
            self._grow(used, max(end, 2 * len(self._offsets)))
        self._offsets[used:end] = changes.offsets
        self._values[used:end] = changes.values
        if frames == 1:
            self._ends[self.frames] = end
        else:
            self._ends[self.frames : self.frames + frames] = used + np.cumsum(changes.counts)
        self.frames += frames

    def _grow(self, used: int, size: int) -> None:
        offsets, values = np.empty(size, np.uint32), np.empty(size, np.uint8)
        offsets[:used], values[:used] = self._offsets[:used], self._values[:used]
        self._offsets, self._values = offsets, values

    def decode(self) -> DecodedRam:
        end = self.changes
        return DecodedRam(
            self._base.ram(), self._ends[: self.frames], self._offsets[:end], self._values[:end]
        )


def picked_offsets(ranges: Sequence[tuple[int, int]]) -> NDArray[np.intp]:
    parts = [np.arange(offset, offset + length) for offset, length in ranges]
    return np.concatenate([np.zeros(0, np.intp), *parts]).astype(np.intp)
