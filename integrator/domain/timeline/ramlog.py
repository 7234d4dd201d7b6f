"""The RAM of every frame: blocks of a whole snapshot and each frame's changes, open or packed."""

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
    """Changed bytes: ``counts`` (frames,), ``offsets`` uint32 and ``values`` uint8 of their sum."""

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

    __slots__ = ("_given",)

    def __init__(self, given: "NDArray[np.uint8] | OpenRamBlock") -> None:
        self._given = given

    def ram(self) -> NDArray[np.uint8]:
        """The RAM, uint8 (ram_bytes,), not to be written to."""
        given = self._given
        if isinstance(given, OpenRamBlock):
            self._given = given = given.decode().ram(given.frames)
        return given


class OpenRamBlock:
    """The block that is being written. ``base`` is kept, not copied."""

    __slots__ = ("_base", "_ends", "_offsets", "_values", "frames")

    def __init__(self, base: FirstRam, capacity_frames: int) -> None:
        self.frames = 0
        self._base = base
        self._ends = np.zeros(capacity_frames, np.int64)
        self._offsets = np.zeros(4096, np.uint32)
        self._values = np.zeros(4096, np.uint8)

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

    def append(self, changes: Differences) -> None:
        """Add frames; the caller makes sure that they fit into the capacity."""
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
    """Does work in the order in which one thread gives it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pack-timeline")
        self._pending: deque[Future[object]] = deque()

    def do(self, work: Callable[[], object], *, is_long: bool) -> None:
        """Do ``work`` now, or on the thread when it is long or other work is still under way."""
        # The caller waits for the thread, so that memory stays bounded.
        while self._pending and (self._pending[0].done() or len(self._pending) > 16):
            self._pending.popleft().result()
        if is_long or self._pending:
            self._pending.append(self._thread.submit(work))
        else:
            work()

    def finish(self) -> None:
        wait(tuple(self._pending))

    def give_up(self) -> None:
        """Drop the work that waits, wait for what is under way, and take no more."""
        self._thread.shutdown(cancel_futures=True)


_FAR = 255  # in the place of a gap: the offset itself stands among the far offsets


def encode(
    ends: NDArray[np.integer], offsets: NDArray[np.integer], values: NDArray[np.uint8]
) -> bytes:
    """Changes in DecodedRam's order: a number, ends and far offsets (uint32), gaps, values."""
    wide = offsets.astype(np.int64)
    gaps = np.diff(wide, prepend=-1)
    far = (gaps < 0) | (gaps >= _FAR)
    far[:1] = True
    head = np.array([int(far.sum())], "<u4")
    parts = (head, ends.astype("<u4"), wide[far].astype("<u4"))
    return b"".join(
        part.tobytes() for part in (*parts, np.where(far, _FAR, gaps).astype("u1"), values)
    )


def decode(raw: bytes, frames: int, base: NDArray[np.uint8]) -> DecodedRam:
    """The changes of this many frames after ``base``, which is kept."""
    count = int(np.frombuffer(raw, "<u4", 1)[0])
    ends = np.frombuffer(raw, "<u4", frames, 4).astype(np.int64)
    total = int(ends[-1]) if frames else 0
    at = 4 * (1 + frames)
    far_offsets = np.frombuffer(raw, "<u4", count, at).astype(np.int64)
    gaps = np.frombuffer(raw, np.uint8, total, at + 4 * count)
    values = np.frombuffer(raw, np.uint8, total, at + 4 * count + total)
    far = np.flatnonzero(gaps == _FAR)
    # A running sum over all gaps; each far offset then moves the sum of the gaps that follow it.
    sums = np.cumsum(gaps, dtype=np.int64)
    sums += np.repeat(far_offsets - sums[far], np.diff(far, append=total))
    return DecodedRam(base, ends, sums, values)


_LONG_BYTES: Final = 1 << 20  # packing as many takes longer than a frame may: a thread does it


class Snapshot:
    """A RAM: packed whole, or as the difference from ``parent``. ``ready`` spares the unpacking."""

    __slots__ = ("_packed", "_parent", "ready")

    def __init__(self, pool: BytePool, ram: NDArray[np.uint8], parent: "Snapshot | None") -> None:
        self._parent = parent
        self.ready: NDArray[np.uint8] | None = ram
        if parent is None:
            self._packed = pool.add(ram.tobytes())
        else:
            found = differences(parent.ram(), ram[None])
            self._packed = pool.add(encode(found.counts, found.offsets, found.values))

    def ram(self) -> NDArray[np.uint8]:
        """The RAM, uint8 (ram_bytes,), not to be written to. Raises TimelineError."""
        ready = self.ready
        if ready is not None:
            return ready
        if self._parent is None:
            return np.frombuffer(self._packed.load(), np.uint8)
        return decode(self._packed.load(), 1, self._parent.ram()).ram(1)


class RamBlock:
    """A full block: packed, or about to be. Its frames never change."""

    __slots__ = ("_unpack",)

    def __init__(self, full: OpenRamBlock) -> None:
        self._unpack: Callable[[], DecodedRam] = full.decode

    def decode(self) -> DecodedRam:
        """Unpack the block. Raises TimelineError after the pool was closed."""
        return self._unpack()

    def pack(self, pool: BytePool, decoded: DecodedRam, base: Snapshot) -> None:
        """Keep the block packed, after ``base``; ``decoded`` are its frames."""
        changes = pool.add(encode(decoded.ends, decoded.offsets, decoded.values))
        frames = len(decoded.ends)
        # Without the block itself, whose bytes go with its last reference.
        self._unpack = lambda: decode(changes.load(), frames, base.ram())


class BlockPacker:
    """Packs the blocks of one timeline in their order; long work is done on its own thread."""

    def __init__(self, pool: BytePool, ram_bytes: int) -> None:
        self._pool = pool
        self._ram_bytes = ram_bytes
        self.work = OrderedWork()
        self._whole: Snapshot | None = None
        self._anchor: Snapshot | None = None
        self._since_whole = self._since_anchor = 0
        self._ready: deque[Snapshot] = deque()

    def seal(self, full: OpenRamBlock, following: FirstRam | None = None) -> RamBlock:
        """The block of these frames; ``following``, RAM after it, is worked out off the thread."""
        block = RamBlock(full)
        long = self._ram_bytes + full.changes >= _LONG_BYTES
        self.work.do(lambda: self._pack(block, full, following), is_long=long)
        return block

    def add(self, data: bytes) -> Packed:
        """Keep bytes in the pool; many are packed on the packer's thread."""
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
        whole, anchor = self._whole, self._anchor
        self._since_whole += 1
        self._since_anchor += 1
        # All blocks that rely on one whole RAM go when the pool gives it up. A RAM of which more
        # than an eighth is other than before is kept whole, too.
        if (
            whole is None
            or self._since_whole > 512
            or 8 * np.count_nonzero(whole.ram() != base) > base.size
        ):
            self._whole = self._anchor = snapshot = Snapshot(self._pool, base, None)
            self._since_whole = self._since_anchor = 0
            self._ready.append(snapshot)
            # Some are kept ready: unpacking 8 MiB takes longer than all the rest of a reading.
            while len(self._ready) > 1 and self.ready_bytes > 128 << 20:
                self._ready.popleft().ready = None
            return snapshot
        # Bases are kept as differences from an anchor; each 16 blocks there is another one.
        if anchor is None or self._since_anchor >= 16:
            if anchor is not None and anchor is not whole:
                anchor.ready = None
            self._anchor = snapshot = Snapshot(self._pool, base, whole)
            self._since_anchor = 0
            return snapshot
        snapshot = Snapshot(self._pool, base, anchor)
        snapshot.ready = None
        return snapshot
