"""The timeline: everything that was played, kept so that any question can be asked afterwards.

Frame 0 is what is there before anything ran, frame k after k frames. So a line of n frames has n
rows of inputs, rewards, done and columns, of frames 1 to n, and n + 1 RAMs, of frames 0 to n.
Ranges are half-open in frame numbers. It is a store: it runs nothing, and one thread uses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.ramlog import RamDifferences, picked_offsets
from integrator.domain.timeline_block import Block, OpenBlock, check_shape
from integrator.domain.timeline_history import History
from integrator.domain.timeline_line import BranchInfo, Line, Marker, MarkerKind, make_keyframe
from integrator.domain.timeline_pool import BytePool
from integrator.domain.timeline_reader import BlockCache, RamPart, block_index, spans
from integrator.domain.timeline_tail import Shape, Tail

__all__ = ["BranchInfo", "Marker", "MarkerKind", "Timeline"]

DEFAULT_BUDGET_BYTES = 400 << 20
MAIN = "main"


class Timeline:
    """One current line of play and any number of kept ones, which share what they have in common.

    ``ram_bytes`` is the length of the flat RAM, ``ports`` the width of an input row. Compressed RAM
    and states stay within ``budget_bytes`` of memory, the oldest beyond that in a temporary file
    that :meth:`close` deletes. States that are not pinned are thinned out with age to stay within a
    quarter of the budget.
    """

    def __init__(
        self,
        ram_bytes: int,
        ports: int,
        *,
        players: int = 1,
        budget_bytes: int = DEFAULT_BUDGET_BYTES,
    ) -> None:
        self._shape = Shape(ram_bytes, ports, players)
        self._pool = BytePool(budget_bytes)
        self._state_budget_bytes = budget_bytes // 4
        self._cache = BlockCache(ram_bytes)
        self._tail = Tail(self._pool, self._shape)
        self._lines: dict[str, Line] = {}
        self._newest_run = 0
        self._line = Line(MAIN, runs=[(0, 0)], first_ram=np.zeros(ram_bytes, np.uint8))
        self._take_up(self._line.first_ram.copy())

    @property
    def ram_bytes(self) -> int:
        """Length of the flat RAM."""
        return self._shape.ram_bytes

    # ------------------------------------------------------------------ writing

    def append(
        self,
        inputs: ArrayLike,
        ram: NDArray[np.uint8] | RamDifferences,
        *,
        rewards: ArrayLike,
        done: ArrayLike,
        values: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        """Add n frames to the current line.

        ``inputs`` (n, ports); ``ram`` either whole, uint8 (n, ram_bytes), or the changes of each
        frame against the frame before, those of the first frame after a :meth:`discontinuity`
        against the RAM given there; ``rewards`` (n, players) of each frame, not summed; ``done``
        (n,); ``values`` name -> (n,) integers. For one frame the leading axis may be left out.
        Everything is copied. Raises TimelineError, and adds nothing, when shapes do not fit.
        """
        self._tail.append(inputs, ram, rewards, done, values or {})

    def discontinuity(
        self,
        kind: Literal["episode", "state", "poke", "reset"],
        state: bytes,
        ram: NDArray[np.uint8],
        *,
        label: str = "",
    ) -> None:
        """Leave the newest frame for ``state``: what is appended next starts from there.

        ``ram`` (ram_bytes,) is the RAM in that state. The frame keeps the RAM it ended with (see
        :meth:`ram`), except frame 0 of an empty line, which has no other. The state is pinned.
        A second discontinuity at the same frame replaces the state and adds its marker.
        """
        check_shape("ram", ram, (self.ram_bytes,))
        frame = self.length
        resumed = ram.astype(np.uint8)
        self._tail.resumed = resumed
        if frame == 0:
            self._line.first_ram = resumed
            self._tail.last = resumed.copy()
        keyframe = make_keyframe(self._pool, frame, state, pinned=True, ram=resumed)
        self._line.put_keyframe(keyframe)
        self._line.markers.append(Marker(frame, kind, label))

    def undo_discontinuity(self) -> None:
        """Let what is appended next follow the newest frame's own RAM after all."""
        frame = self.length
        line = self._line
        line.markers = [m for m in line.markers if m.frame < frame or m.kind == "user"]
        line.keyframes = [k for k in line.keyframes if k.frame < frame or k.ram is None]
        self._tail.resumed = None

    def add_keyframe(self, frame: int, state: bytes, *, pinned: bool = False) -> None:
        """Keep the state after ``frame``. A pinned one that is there already stays."""
        self._check(frame)
        found = self._line.keyframe_at(frame)
        if found is not None and found.pinned:
            return
        self._line.put_keyframe(make_keyframe(self._pool, frame, state, pinned=pinned))
        for dropped in self._line.thin(self._state_budget_bytes):
            for line in self._lines.values():
                line.keyframes = [k for k in line.keyframes if k is not dropped]

    def add_marker(self, frame: int, label: str) -> Marker:
        """Mark a frame by hand."""
        self._check(frame)
        marker = Marker(frame, "user", label)
        self._line.markers.append(marker)
        return marker

    def remove_marker(self, marker: Marker) -> None:
        """Remove a mark made by hand. Raises TimelineError for any other."""
        if marker.kind != "user" or marker not in self._line.markers:
            raise TimelineError(f"no marker of yours at frame {marker.frame}")
        self._line.markers.remove(marker)

    # ----------------------------------------------------------------- branches

    def truncate(self, frame: int) -> None:
        """Forget the current line after ``frame``; a discontinuity at ``frame`` stays in force."""
        self._check(frame)
        self._tail.seal()
        last = self.ram(frame)
        across = self._line.cut(frame)
        opened = None
        if across is not None:
            frames = frame - across.start
            decoded = self._cache.decode(across)
            opened = OpenBlock.head_of(across, frames, self._shape.block_frames, decoded)
        self._newest_run += 1
        self._line.runs.append((frame, self._newest_run))
        self._take_up(last, opened)

    def branch_at(self, frame: int, name: str | None = None) -> str:
        """Keep the line as it is under ``name``, and go on from ``frame`` without its future.

        The current line keeps its own name. Returns the name, by default "branch 1" and so on.
        Raises TimelineError for a name in use.
        """
        self._check(frame)
        name = self._free_name() if name is None else name
        self._check_free(name)
        self._tail.seal()
        self._lines[name] = self._line.copy(name)
        self.truncate(frame)
        return name

    def switch_to(self, name: str) -> None:
        """Make a kept line the current one; the current one is kept under its own name."""
        line = self._kept(name)
        self._tail.seal()
        del self._lines[name]
        self._lines[self._line.name] = self._line
        self._line = line
        self._take_up(self.ram(self.length))

    def delete_branch(self, name: str) -> None:
        """Forget a kept line."""
        del self._lines[self._kept(name).name]

    def rename_branch(self, name: str, new_name: str) -> None:
        """Rename a kept line. Raises TimelineError for a name in use."""
        line = self._kept(name)
        self._check_free(new_name)
        self._lines = {new_name if n == name else n: kept for n, kept in self._lines.items()}
        line.name = new_name

    @property
    def current(self) -> str:
        """Name of the current line."""
        return self._line.name

    @property
    def branches(self) -> tuple[BranchInfo, ...]:
        """The kept lines, oldest first."""
        return tuple(
            BranchInfo(
                name,
                line.length,
                self._line.shared_frames(line, self.length, line.length),
                line.totals(self._shape.players),
            )
            for name, line in self._lines.items()
        )

    # ------------------------------------------------------------------ reading

    @property
    def length(self) -> int:
        """Frames of the current line, and so the number of its newest frame."""
        opened = self._tail.open
        return self._line.length if opened is None else opened.start + opened.frames

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns that some frame of the current line has."""
        return tuple(dict.fromkeys(name for block in self._blocks() for name in block.columns))

    def inputs(self, start: int = 1, stop: int | None = None) -> NDArray[np.uint16]:
        """Input masks of frames ``start`` to ``stop - 1``, uint16 (frames, ports), a copy.

        Row k ran frame k: from a state of frame f on, run ``inputs(f + 1, g + 1)`` to get to g.
        """
        parts = [block.inputs[span] for block, span in self._spans(start, stop)]
        return np.concatenate([np.zeros((0, self._shape.ports), np.uint16), *parts])

    def rewards(self, start: int = 1, stop: int | None = None) -> NDArray[np.float32]:
        """Rewards of the frames, float32 (frames, players), a copy."""
        parts = [block.rewards[span] for block, span in self._spans(start, stop)]
        return np.concatenate([np.zeros((0, self._shape.players), np.float32), *parts])

    def done(self, start: int = 1, stop: int | None = None) -> NDArray[np.bool_]:
        """Done of the frames, bool (frames,), a copy."""
        parts = [block.done[span] for block, span in self._spans(start, stop)]
        return np.concatenate([np.zeros(0, np.bool_), *parts])

    def column(
        self, name: str, start: int = 1, stop: int | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """A variable's values, int64 (frames,), and where there are any, bool (frames,).

        Frames appended without the column are 0 and not valid; :meth:`ram_ranges` gives the bytes
        to compute them from. An unknown name is valid nowhere.
        """
        values: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        valid = [np.zeros(0, np.bool_)]
        for block, span in self._spans(start, stop):
            frames = span.stop - span.start
            found = block.columns.get(name)
            part = np.zeros(frames, np.int64) if found is None else found[span].astype(np.int64)
            values.append(part)
            valid.append(np.full(frames, found is not None))
        return np.concatenate(values), np.concatenate(valid)

    def ram(self, frame: int, *, resumed: bool = False) -> NDArray[np.uint8]:
        """RAM after ``frame``, uint8 (ram_bytes,), a copy.

        ``resumed``: instead what the next frame started from, which differs where there is a
        discontinuity.
        """
        self._check(frame)
        if resumed:
            found = self._line.keyframe_at(frame)
            if found is not None and found.ram is not None:
                return np.frombuffer(found.ram.load(), np.uint8).copy()
        if frame == 0:
            return self._line.first_ram.copy()
        blocks = self._blocks()
        block = blocks[block_index(blocks, frame)]
        return self._cache.decode(block).ram(frame - block.start)

    def ram_range(self, start: int, stop: int) -> NDArray[np.uint8]:
        """RAM of frames ``start`` (from 0) to ``stop - 1``, uint8 (frames, ram_bytes).

        Mind the size; :meth:`ram_chunks` goes through a long line in pieces.
        """
        out = np.empty((max(stop - start, 0), self.ram_bytes), np.uint8)
        for part in self._ram_parts(start, stop):
            part.decoded.fill(out[part.rows], part.begin, part.end)
        return out

    def ram_chunks(
        self, start: int = 0, stop: int | None = None, frames: int = 64
    ) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """Pairs of a first frame and RAM as of :meth:`ram_range`, at most ``frames`` at a time."""
        stop = self.length + 1 if stop is None else stop
        for first in range(start, stop, frames):
            yield first, self.ram_range(first, min(first + frames, stop))

    def ram_ranges(
        self, ranges: Sequence[tuple[int, int]], start: int = 0, stop: int | None = None
    ) -> NDArray[np.uint8]:
        """Some bytes of each RAM: uint8 (frames, total) of (offset, length) ranges in flat RAM.

        Much cheaper than whole RAM, and what VariableReader.read_ranges takes.
        """
        stop = self.length + 1 if stop is None else stop
        wanted = picked_offsets(ranges)
        if len(wanted) and not 0 <= wanted.min() <= wanted.max() < self.ram_bytes:
            raise TimelineError(f"a range lies outside of the {self.ram_bytes} bytes of RAM")
        picked, places = np.unique(wanted, return_inverse=True)
        out = np.empty((max(stop - start, 0), len(picked)), np.uint8)
        for part in self._ram_parts(start, stop) if len(picked) else ():
            part.decoded.fill_picked(out[part.rows], picked, part.begin, part.end)
        return out[:, places]

    def changed(self, start: int, stop: int) -> NDArray[np.bool_]:
        """Which bytes changed in frames ``start`` to ``stop - 1``, bool (ram_bytes,).

        Compared are neighbours within the range, so the change from ``start - 1`` does not count.
        """
        mask = np.zeros(self.ram_bytes, np.bool_)
        for part in self._ram_parts(start, stop):
            part.decoded.mark_changed(mask, part.begin + (part.row == 0), part.end)
        return mask

    def history(self) -> History:
        """The current line's RAM as it is now, for another thread to read."""
        return History(self._blocks(), self._line.first_ram)

    def keyframe_at_or_before(self, frame: int) -> tuple[int, bytes]:
        """The newest (frame, state) to get to ``frame`` from. Raises TimelineError without one."""
        self._check(frame)
        index = self._line.keyframe_index(frame)
        if index < 0:
            raise TimelineError(f"no state is kept at or before frame {frame}")
        found = self._line.keyframes[index]
        return found.frame, found.packed.load()

    def newest_state(self) -> tuple[int, bytes]:
        """The newest (frame, state) of all. Raises TimelineError without one."""
        return self.keyframe_at_or_before(self.length)

    @property
    def keyframes(self) -> tuple[int, ...]:
        """Frames of which a state is kept."""
        return tuple(keyframe.frame for keyframe in self._line.keyframes)

    def markers(self, *kinds: MarkerKind) -> tuple[Marker, ...]:
        """Markers of the current line by frame; of all kinds when none is named."""
        found = [m for m in self._line.markers if not kinds or m.kind in kinds]
        return tuple(sorted(found, key=lambda marker: marker.frame))

    # ------------------------------------------------------------------- memory

    @property
    def bytes_used(self) -> int:
        """Memory held, in bytes: all lines, without the temporary file and small objects."""
        lines = (self._line, *self._lines.values())
        blocks = {id(block): block for line in lines for block in line.blocks}
        return self._pool.memory_bytes + sum(block.plain_bytes for block in blocks.values())

    @property
    def disk_bytes(self) -> int:
        """Bytes in the temporary file."""
        return self._pool.disk_bytes

    def seconds_held(self, fps: float) -> float:
        """Length of the current line in seconds of play."""
        return self.length / fps

    def close(self) -> None:
        """Delete the temporary file; RAM and states can not be read any more. Idempotent."""
        self._cache.clear()
        self._pool.close()

    # ------------------------------------------------------------------ private

    def _take_up(self, last: NDArray[np.uint8], opened: OpenBlock | None = None) -> None:
        """Make ready to append after the newest frame, whose RAM is ``last``."""
        frame = self._line.length if opened is None else opened.start + opened.frames
        found = self._line.keyframe_at(frame)
        resumed = None
        if found is not None and found.ram is not None:
            resumed = np.frombuffer(found.ram.load(), np.uint8)
        self._tail.take_up(self._line.blocks, last, resumed, opened)

    def _check(self, frame: int) -> None:
        if not 0 <= frame <= self.length:
            raise TimelineError(f"frame {frame} is not held; there are frames 0 to {self.length}")

    def _kept(self, name: str) -> Line:
        if name not in self._lines:
            raise TimelineError(f"there is no branch {name!r}")
        return self._lines[name]

    def _check_free(self, name: str) -> None:
        if name in self._lines or name == self._line.name:
            raise TimelineError(f"there is a branch {name!r} already")

    def _free_name(self) -> str:
        number = 1
        while f"branch {number}" in self._lines or f"branch {number}" == self._line.name:
            number += 1
        return f"branch {number}"

    def _blocks(self) -> Sequence[Block]:
        opened = self._tail.open
        if opened is None or not opened.frames:
            return self._line.blocks
        return [*self._line.blocks, opened.view()]

    def _spans(self, start: int, stop: int | None) -> Iterator[tuple[Block, slice]]:
        stop = self.length + 1 if stop is None else stop
        if start < 1:
            raise TimelineError("frame 0 has only RAM and a state: this range begins at frame 1")
        if start < stop:
            self._check(stop - 1)
        return spans(self._blocks(), start, stop)

    def _ram_parts(self, start: int, stop: int) -> Iterator[RamPart]:
        if start < stop:
            self._check(start)
            self._check(stop - 1)
        return self._cache.parts(self._blocks(), self._line.first_ram, start, stop)
