"""Reads one line of play: inputs, outcomes, columns, RAM, states and markers by frame."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.block import (
    HELD,
    LAG,
    REWRITTEN,
    UNKNOWN,
    Block,
    ColumnKey,
    FrameRows,
    FrameShape,
    TermKey,
    totals_of,
)
from integrator.domain.timeline.line import Line, Marker, MarkerKind
from integrator.domain.timeline.ramlog import DecodedRam, OpenRamBlock, RamBlock, picked_offsets


class BlockCache:
    """Unpacks blocks, and caches some of them."""

    def __init__(self, ram_bytes: int) -> None:
        # The cache has 2 to 8 blocks, of about 32 MiB.
        capacity = max(2, min(8, (32 << 20) // max(ram_bytes, 1)))
        self._decode = lru_cache(capacity)(RamBlock.decode)
        self.clear = self._decode.cache_clear

    def decode(self, block: Block) -> DecodedRam:
        """Return the RAM of a block. Raises TimelineError after the pool was closed."""
        ram = block.ram
        return ram.decode() if isinstance(ram, OpenRamBlock) else self._decode(ram)


def spans(blocks: Sequence[Block], start: int, stop: int) -> list[tuple[Block, slice]]:
    """Return the blocks of frames ``start`` (from 1) to ``stop - 1``, each with its wanted rows."""
    found: list[tuple[Block, slice]] = []
    begin = bisect_left(blocks, start, key=attrgetter("start")) - 1
    for block in blocks[begin:] if start < stop else ():
        if block.start + 1 >= stop:
            break
        first = max(start - 1 - block.start, 0)
        found.append((block, slice(first, min(stop - 1 - block.start, block.frames))))
    return found


class LineReader:
    """Reads a line that does not grow; the subclass Timeline reads a line that grows."""

    def __init__(self, line: Line, cache: BlockCache, shape: FrameShape) -> None:
        self._line, self._cache = line, cache
        self._shape, self._no_rows = shape, FrameRows.zeros(0, shape)

    @property
    def ram_bytes(self) -> int:
        return self._shape.ram_bytes

    @property
    def length(self) -> int:
        """The number of frames of the line, which is also the number of its newest frame."""
        return self._line.length

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that any frame of the line has."""
        return tuple(key for key in self._keys(1, None) if isinstance(key, str))

    def inputs(self, start: int = 1, stop: int | None = None) -> NDArray[np.uint16]:
        """Copy the input masks of frames ``start`` to ``stop - 1``, uint16 (frames, ports)."""
        return self._rows("inputs", start, stop)

    def rewards(self, start: int = 1, stop: int | None = None) -> NDArray[np.float32]:
        return self._rows("rewards", start, stop)

    def totals(self) -> tuple[float, ...]:
        return totals_of(self._blocks(), self._shape.players)

    def done(self, start: int = 1, stop: int | None = None) -> NDArray[np.bool_]:
        return self._rows("done", start, stop)

    def lag(self, start: int = 1, stop: int | None = None) -> NDArray[np.bool_]:
        """Return True for each frame in which the game read no button, bool (frames,), a copy."""
        return (self._rows("flags", start, stop) & LAG).astype(np.bool_)

    def hashes(self, start: int = 1, stop: int | None = None) -> NDArray[np.uint32]:
        """Copy the pictures' hashes, uint32 (frames,); 0 is unknown, or no picture was drawn."""
        return self._rows("hashes", start, stop)

    def rewritten(self, start: int, stop: int) -> list[int]:
        """Return the frames from ``start`` to ``stop - 1`` whose RAM scripts or cheats wrote."""
        flags = self._rows("flags", start, stop) & REWRITTEN
        return [start + row for row in np.flatnonzero(flags).tolist()]

    def held_before(self, stop: int) -> int:
        """Return the last frame before ``stop`` on which a held value changed RAM, or 0.

        No movie can go over such a frame, because nothing is held when it is played."""
        held = np.flatnonzero(self._rows("flags", 1, stop) & HELD)
        return int(held[-1]) + 1 if len(held) else 0

    def _rows(self, name: str, start: int, stop: int | None) -> NDArray[Any]:
        """Copy one of the arrays of FrameRows."""
        parts = [getattr(block.rows, name)[span] for block, span in self._spans(start, stop)]
        return np.concatenate([getattr(self._no_rows, name), *parts])

    def column(
        self, name: str, start: int = 1, stop: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return a variable's values, int64 (frames,), and which frames have it, bool (frames,)."""
        values: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        valid = [np.zeros(0, np.bool_)]
        for block, span in self._spans(start, stop):
            found = block.columns.get(name, np.zeros(block.frames, np.int64))
            values.append(found[span].astype(np.int64))
            valid.append((values[-1] != UNKNOWN) & (name in block.columns))
        return np.concatenate(values), np.concatenate(valid)

    def values(self, frame: int) -> dict[str, int]:
        """Return the variables that were recorded on a frame, the scripts' own included."""
        ((block, row),) = self._spans(frame, frame + 1)
        found = {name: column[row.start] for name, column in block.columns.items()}
        named = ((name, value) for name, value in found.items() if isinstance(name, str))
        return {name: int(value) for name, value in named if value != UNKNOWN}

    def terms(self, start: int = 1, stop: int | None = None) -> dict[TermKey, NDArray[np.float32]]:
        """Return the summands of the rewards, float32 (frames,); 0 on frames without a term."""
        keys = [key for key in self._keys(start, stop) if not isinstance(key, str)]
        parts: dict[TermKey, list[NDArray[np.float32]]] = {key: [] for key in keys}
        for block, span in self._spans(start, stop):
            nothing = np.zeros(block.frames, np.float32)
            for key, found in parts.items():
                found.append(block.columns.get(key, nothing)[span])
        return {key: np.concatenate(found) for key, found in parts.items()}

    def _keys(self, start: int, stop: int | None) -> dict[ColumnKey, None]:
        return dict.fromkeys(chain(*(block.columns for block, _ in self._spans(start, stop))))

    def columns(
        self, names: Sequence[str], start: int, stop: int
    ) -> dict[str, NDArray[np.number[Any]]]:
        parts: dict[str, list[NDArray[Any]]] = {name: [np.zeros(0, np.int64)] for name in names}
        for block, span in self._spans(start, stop):
            for name in parts.keys() & block.columns.keys():
                column = block.columns[name][span]
                parts[name].append(column[column != UNKNOWN])
        return {name: np.concatenate(found) for name, found in parts.items()}

    def ram(self, frame: int, *, resumed: bool = False) -> NDArray[np.uint8]:
        """Return RAM after ``frame``, or, if ``resumed``, RAM from which the next frame began."""
        self._check(frame)
        if resumed:
            found = self._line.keyframes.get(frame)
            if found is not None and found.ram is not None:
                return np.frombuffer(found.ram.load(), np.uint8).copy()
        if frame == 0:
            return self._line.first_ram.copy()
        ((block, row),) = spans(self._blocks(), frame, frame + 1)
        return self._cache.decode(block).ram(row.stop)

    def ram_range(self, start: int, stop: int) -> NDArray[np.uint8]:
        """Return the RAM of frames ``start`` to ``stop - 1``, uint8 (frames, ram_bytes)."""
        out = np.empty((max(stop - start, 0), self.ram_bytes), np.uint8)
        for decoded, rows, begin, end in self._ram_parts(start, stop):
            decoded.fill(out[rows], begin, end)
        return out

    def ram_ranges(
        self, ranges: Sequence[tuple[int, int]], start: int = 0, stop: int | None = None
    ) -> NDArray[np.uint8]:
        """Return (offset, length) ranges of RAM, uint8 (frames, total), for ``read_ranges``."""
        stop = self.length + 1 if stop is None else stop
        wanted = picked_offsets(ranges)
        if len(wanted) and not 0 <= wanted.min() <= wanted.max() < self.ram_bytes:
            raise TimelineError(f"a range lies outside of the {self.ram_bytes} bytes of RAM")
        picked, places = np.unique(wanted, return_inverse=True)
        out = np.empty((max(stop - start, 0), len(picked)), np.uint8)
        for decoded, rows, begin, end in self._ram_parts(start, stop) if len(picked) else ():
            decoded.fill_picked(out[rows], picked, begin, end)
        return out[:, places]

    def changed(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Return which bytes changed within frames ``start`` to ``stop - 1``, bool (ram_bytes,)."""
        mask = np.zeros(self.ram_bytes, np.bool_)
        for decoded, rows, begin, end in self._ram_parts(start, stop):
            decoded.mark_changed(mask, begin + (rows.start == 0), end)
        return mask

    def keyframe_at_or_before(self, frame: int) -> tuple[int, bytes]:
        """Return the newest state (frame, bytes) at or before ``frame``. Raises TimelineError."""
        self._check(frame)
        kept = self.keyframes
        count = bisect_right(kept, frame)
        if not count:
            raise TimelineError(f"no state is kept at or before frame {frame}")
        newest = kept[count - 1]
        return newest, self._line.keyframes[newest].packed.load()

    def forget_state(self, frame: int) -> None:
        found = self._line.keyframes.get(frame)
        if found is not None and not found.pinned:
            del self._line.keyframes[frame]

    @property
    def keyframes(self) -> tuple[int, ...]:
        """The frames whose states are stored, ascending."""
        return tuple(sorted(self._line.keyframes))

    def loads(self, start: int = 0, stop: int | None = None) -> list[int]:
        """Return the frames in ``start`` to ``stop - 1`` after which a state was loaded."""
        stop = self.length + 1 if stop is None else stop
        kept = self._line.keyframes.items()
        return sorted(frame for frame, k in kept if k.loaded and start <= frame < stop)

    def load_before(self, frame: int) -> int:
        """Return the newest frame before ``frame`` after which a state was loaded, or 0."""
        return max(self.loads(0, frame), default=0)

    def markers(self, *kinds: MarkerKind) -> tuple[Marker, ...]:
        """Return the line's markers sorted by frame, of these ``kinds``, or of all kinds."""
        found = [m for m in self._line.markers if not kinds or m.kind in kinds]
        return tuple(sorted(found, key=attrgetter("frame")))

    def _blocks(self) -> Sequence[Block]:
        return self._line.blocks

    def _check(self, frame: int) -> None:
        if not 0 <= frame <= self.length:
            raise TimelineError(f"frame {frame} is not held; there are frames 0 to {self.length}")

    def _spans(self, start: int, stop: int | None) -> list[tuple[Block, slice]]:
        if start < 1:
            raise TimelineError("frame 0 has only RAM and a state: this range begins at frame 1")
        if stop is None:
            stop = self.length + 1
        elif start < stop:
            self._check(stop - 1)
        return spans(self._blocks(), start, stop)

    def _ram_parts(self, start: int, stop: int) -> Iterator[tuple[DecodedRam, slice, int, int]]:
        """Yield the RAM of frames ``start`` (from 0) to ``stop - 1``: (decoded, rows, begin, end).
        Frames ``begin`` to ``end - 1`` of the block ``decoded`` fill ``rows`` of the result."""
        if start < stop:
            self._check(start)
            self._check(stop - 1)
        if start == 0 < stop:
            nothing = np.zeros(0, np.int64)
            first = DecodedRam(self._line.first_ram, nothing, nothing, np.zeros(0, np.uint8))
            yield first, slice(0, 1), 0, 1
        for block, span in spans(self._blocks(), max(start, 1), stop):
            before = block.start + 1 - start
            rows = slice(before + span.start, before + span.stop)
            yield self._cache.decode(block), rows, span.start + 1, span.stop + 1


class History(LineReader):
    """The RAM of frames 0 to ``length``, for one thread, until the timeline is closed."""

    def __init__(self, blocks: Sequence[Block], first_ram: NDArray[np.uint8]) -> None:
        line = Line("", list(blocks), first_ram=first_ram)
        super().__init__(line, BlockCache(first_ram.size), FrameShape(first_ram.size, 0, 0))
