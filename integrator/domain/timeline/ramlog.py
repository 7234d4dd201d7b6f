"""The RAM of every frame, in open or packed blocks: a whole RAM, then each frame's changes."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.pool import BytePool, Packed


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """Changed bytes: ``counts`` (frames,); ``offsets`` uint32, ``values`` uint8 of all frames."""

    counts: NDArray[np.int64]
    offsets: NDArray[np.uint32]
    values: NDArray[np.uint8]

    def part(self, start: int, stop: int) -> "Differences":
        begin, end = int(self.counts[:start].sum()), int(self.counts[:stop].sum())
        return Differences(self.counts[start:stop], self.offsets[begin:end], self.values[begin:end])


def differences(last: NDArray[np.uint8], ram: NDArray[np.uint8]) -> Differences:
    """Return the changes of each row of ``ram`` (frames, ram_bytes), the first against ``last``."""
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
    """Return ascending offsets of differing bytes; 8-byte words are compared first for speed."""
    if before.size % 8 or not (before.flags.c_contiguous and after.flags.c_contiguous):
        return np.flatnonzero(before != after)
    words = np.flatnonzero(before.view(np.uint64) != after.view(np.uint64))
    offsets: NDArray[np.intp] = ((words * 8)[:, None] + np.arange(8)).ravel()
    differs: NDArray[np.bool_] = before[offsets] != after[offsets]
    return offsets[differs]


@dataclass(frozen=True, slots=True, eq=False)
class DecodedRam:
    """An unpacked block: ``base`` is RAM before it; frame i + 1's changes end at ``ends[i]``."""

    base: NDArray[np.uint8]
    ends: NDArray[np.int64]
    offsets: NDArray[np.integer]
    values: NDArray[np.uint8]

    def _span(self, start: int, stop: int) -> slice:
        begin = int(self.ends[start - 2]) if start > 1 else 0
        return slice(begin, int(self.ends[stop - 2]) if stop > 1 else 0)

    def ram(self, index: int) -> NDArray[np.uint8]:
        """Return RAM after the block's frame ``index``, a copy; later changes overwrite earlier."""
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
        """Set ``mask`` at the bytes that frames ``start`` to ``stop - 1`` changed."""
        mask[self.offsets[self._span(max(start, 1), max(stop, 1))]] = True

    def fill_picked(
        self, out: NDArray[np.uint8], picked: NDArray[np.intp], start: int, stop: int
    ) -> None:
        """Do what :meth:`fill` does, but only for the bytes at the ascending offsets ``picked``."""
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
        # Each changed cell holds its row; the running maximum says from which row to copy a cell.
        source = np.zeros(out.shape, np.int32)
        source[frames, columns] = frames
        out[frames, columns] = self.values[span][hits]
        np.maximum.accumulate(source, axis=0, out=source)
        out[:] = np.take_along_axis(out, source, axis=0)


def _find(
    picked: NDArray[np.intp], offsets: NDArray[np.integer]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return, for all of ``offsets`` in ``picked``, the index in ``picked`` and their own index."""
    # A lookup table is several times faster than a binary search for every change of a block.
    wanted = np.zeros(int(picked[-1]) + 1, np.bool_)
    wanted[picked] = True
    hits = np.flatnonzero(wanted.take(offsets, mode="clip") & (offsets <= picked[-1]))
    return np.searchsorted(picked, offsets[hits]), hits


class FirstRam:
    """The RAM before a block: given, or computed lazily from the previous block, in any thread."""

    __slots__ = ("_given",)

    def __init__(self, given: "NDArray[np.uint8] | OpenRamBlock") -> None:
        self._given = given

    def ram(self) -> NDArray[np.uint8]:
        """Return the RAM, uint8 (ram_bytes,), which must not be changed."""
        given = self._given
        if isinstance(given, OpenRamBlock):
            self._given = given = given.decode().ram(given.frames)
        return given


class OpenRamBlock:
    """The RAM of the block that is being written. ``base`` is not copied."""

    __slots__ = ("_base", "_ends", "_offsets", "_values", "frames")

    def __init__(self, base: FirstRam, capacity_frames: int) -> None:
        self.frames = 0
        self._base = base
        self._ends = np.zeros(capacity_frames, np.int64)
        self._offsets = np.zeros(4096, np.uint32)
        self._values = np.zeros(4096, np.uint8)

    @classmethod
    def head_of(cls, decoded: DecodedRam, frames: int, capacity_frames: int) -> "OpenRamBlock":
        """Make a block that continues after the first ``frames`` frames of another block."""
        block = cls(FirstRam(decoded.base), capacity_frames)
        end = int(decoded.ends[frames - 1])
        counts = np.diff(decoded.ends[:frames], prepend=0)
        offsets = decoded.offsets[:end].astype(np.uint32)
        block.append(Differences(counts, offsets, decoded.values[:end]))
        return block

    @property
    def changes(self) -> int:
        return int(self._ends[self.frames - 1]) if self.frames else 0

    def append(self, changes: Differences) -> None:
        """Add frames; the caller ensures that they fit into the capacity."""
        frames = len(changes.counts)
        used = self.changes
        end = used + len(changes.offsets)
        if end > len(self._offsets):
            size = max(end, 2 * len(self._offsets))
            self._offsets = np.resize(self._offsets, size)
            self._values = np.resize(self._values, size)
        self._offsets[used:end] = changes.offsets
        self._values[used:end] = changes.values
        if frames == 1:
            self._ends[self.frames] = end
        else:
            self._ends[self.frames : self.frames + frames] = used + np.cumsum(changes.counts)
        self.frames += frames

    def decode(self) -> DecodedRam:
        end = self.changes
        return DecodedRam(
            self._base.ram(), self._ends[: self.frames], self._offsets[:end], self._values[:end]
        )


def picked_offsets(ranges: Sequence[tuple[int, int]]) -> NDArray[np.intp]:
    parts = [np.arange(offset, offset + length) for offset, length in ranges]
    return np.concatenate([np.zeros(0, np.intp), *parts]).astype(np.intp)


class OrderedWork:
    """Does work in the order in which one thread submits it, at once or on another thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pack-timeline")
        self._pending: deque[Future[object]] = deque()

    def do(self, work: Callable[[], object], *, is_long: bool) -> None:
        """Do ``work`` now, or on the other thread if it is long or earlier work is pending."""
        # With more than 16 pending jobs, the caller waits, so that memory stays bounded.
        while self._pending and (self._pending[0].done() or len(self._pending) > 16):
            self._pending.popleft().result()
        if is_long or self._pending:
            self._pending.append(self._thread.submit(work))
        else:
            work()

    def finish(self) -> None:
        wait(tuple(self._pending))

    def give_up(self) -> None:
        """Drop the pending work, wait for the running work, and accept no more."""
        self._thread.shutdown(cancel_futures=True)


_FAR = 255  # marks a gap that does not fit a byte; its offset is in the list of far offsets


def encode(
    ends: NDArray[np.integer], offsets: NDArray[np.integer], values: NDArray[np.uint8]
) -> bytes:
    """Encode changes: number of far offsets, ends, far offsets (all uint32), gaps, values."""
    wide = offsets.astype(np.int64)
    gaps = np.diff(wide, prepend=-1)
    far = (gaps < 0) | (gaps >= _FAR)
    far[:1] = True
    parts = (np.array([int(far.sum())], "<u4"), ends.astype("<u4"), wide[far].astype("<u4"))
    near = np.where(far, _FAR, gaps).astype("u1")
    return b"".join(part.tobytes() for part in (*parts, near, values))


def decode(raw: bytes, frames: int, base: NDArray[np.uint8]) -> DecodedRam:
    """Decode the changes of this many frames after ``base``, which is not copied."""
    count = int(np.frombuffer(raw, "<u4", 1)[0])
    ends = np.frombuffer(raw, "<u4", frames, 4).astype(np.int64)
    total = int(ends[-1]) if frames else 0
    at = 4 * (1 + frames)
    far_offsets = np.frombuffer(raw, "<u4", count, at).astype(np.int64)
    gaps = np.frombuffer(raw, np.uint8, total, at + 4 * count)
    values = np.frombuffer(raw, np.uint8, total, at + 4 * count + total)
    far = np.flatnonzero(gaps == _FAR)
    # Sum up all gaps; then each far offset shifts the sums from its place on.
    sums = np.cumsum(gaps, dtype=np.int64)
    sums += np.repeat(far_offsets - sums[far], np.diff(far, append=total))
    return DecodedRam(base, ends, sums, values)


_LONG_BYTES: Final = 1 << 20  # packing more takes too long for a frame, so a thread does it


class Snapshot:
    """A RAM, packed whole or as the difference from a whole one; ``ready`` may cache the RAM."""

    __slots__ = ("_packed", "_parent", "ready")

    def __init__(self, pool: BytePool, ram: NDArray[np.uint8], parent: "Snapshot | None") -> None:
        self._parent = parent
        self.ready = ram if parent is None else None
        if parent is None:
            self._packed = pool.add(ram.tobytes())
        else:
            found = differences(parent.ram(), ram[None])
            self._packed = pool.add(encode(found.counts, found.offsets, found.values))

    def ram(self) -> NDArray[np.uint8]:
        """Return the RAM, uint8 (ram_bytes,), which must not be changed. Raises TimelineError."""
        ready = self.ready
        if ready is not None:
            return ready
        if self._parent is None:
            return np.frombuffer(self._packed.load(), np.uint8)
        return decode(self._packed.load(), 1, self._parent.ram()).ram(1)


class RamBlock:
    """The RAM of a full block, which is packed or will be soon. Its frames never change."""

    __slots__ = ("_unpack",)

    def __init__(self, full: OpenRamBlock) -> None:
        self._unpack: Callable[[], DecodedRam] = full.decode

    def decode(self) -> DecodedRam:
        """Unpack the block. Raises TimelineError after the pool was closed."""
        return self._unpack()

    def pack(self, pool: BytePool, decoded: DecodedRam, base: Snapshot) -> None:
        """Store the block packed: ``base``, and the changes of its frames ``decoded``."""
        changes = pool.add(encode(decoded.ends, decoded.offsets, decoded.values))
        frames = len(decoded.ends)
        # The function must not refer to the open block, so that the block's memory is freed.
        self._unpack = lambda: decode(changes.load(), frames, base.ram())


class BlockPacker:
    """Packs the blocks of one timeline in their order; long work runs on a thread."""

    def __init__(self, pool: BytePool, ram_bytes: int) -> None:
        self._pool, self._ram_bytes = pool, ram_bytes
        self.work = OrderedWork()
        self._whole: Snapshot | None = None
        self._since_whole = 0
        self._ready: deque[Snapshot] = deque()

    def seal(self, full: OpenRamBlock, following: FirstRam | None = None) -> RamBlock:
        """Return a full block, packed soon; ``following``, the RAM after it, is computed then."""
        block = RamBlock(full)
        long = self._ram_bytes + full.changes >= _LONG_BYTES
        self.work.do(lambda: self._pack(block, full, following), is_long=long)
        return block

    def add(self, data: bytes) -> Packed:
        """Store bytes in the pool; many bytes are packed on the packer's thread."""
        if len(data) < _LONG_BYTES:
            return self._pool.add(data)
        packed = Packed(self._pool, data)
        self.work.do(lambda: self._pool.pack(packed), is_long=True)
        return packed

    @property
    def ready_bytes(self) -> int:
        return sum(each.ready.size for each in tuple(self._ready) if each.ready is not None)

    def _pack(self, block: RamBlock, full: OpenRamBlock, following: FirstRam | None) -> None:
        decoded = full.decode()
        if following is not None:
            following.ram()
        block.pack(self._pool, decoded, self._snapshot(decoded.base))

    def _snapshot(self, base: NDArray[np.uint8]) -> Snapshot:
        whole = self._whole
        self._since_whole += 1
        # When the pool gives up a whole RAM, all blocks that rely on it are lost, so at most 512
        # do. A RAM that differs in more than an eighth of its bytes is also stored whole.
        if (
            whole is None
            or self._since_whole > 512
            or 8 * np.count_nonzero(whole.ram() != base) > base.size
        ):
            self._whole = snapshot = Snapshot(self._pool, base, None)
            self._since_whole = 0
            self._ready.append(snapshot)
            # Some stay unpacked, because unpacking 8 MiB takes most of the time of a read.
            while len(self._ready) > 1 and self.ready_bytes > 128 << 20:
                self._ready.popleft().ready = None
            return snapshot
        return Snapshot(self._pool, base, whole)
