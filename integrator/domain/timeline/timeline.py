"""The timeline: a record of all play, from which everything can be read afterwards. Frame 0 is the
RAM before anything ran, frame k the RAM after k frames. So a line of n frames has n rows of inputs,
rewards, done and columns, for frames 1 to n, and n + 1 RAMs, for frames 0 to n. Ranges are
half-open in frame numbers. The timeline runs nothing. Not thread-safe."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline import line as play_lines
from integrator.domain.timeline.block import (
    LAG,
    Block,
    FrameRows,
    FrameShape,
    OpenBlock,
    Scores,
    Tail,
    TermKey,
    check_shape,
    totals_of,
    two_axes,
)
from integrator.domain.timeline.lookup import BlockCache, History, LineReader
from integrator.domain.timeline.pool import BytePool
from integrator.domain.timeline.ramlog import BlockPacker, Differences


class Timeline(LineReader):
    """One current line of play and any number of kept ones, which share their common frames.
    ``ram_bytes`` is the length of the flat RAM, ``ports`` the width of an input row. Compressed RAM
    and states use up to ``budget_bytes`` of memory; beyond that, the oldest move to a temporary
    file that :meth:`close` deletes. ``tell`` is called if the file is full or cannot be written.
    Unpinned states are thinned out with age to stay within a quarter of the budget."""

    def __init__(
        self,
        ram_bytes: int,
        ports: int,
        *,
        players: int = 1,
        budget_bytes: int = 400 << 20,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        first = play_lines.Line("main", first_ram=np.zeros(ram_bytes, np.uint8))
        super().__init__(first, BlockCache(ram_bytes), FrameShape(ram_bytes, ports, players))
        self.pool = BytePool(budget_bytes, tell=tell)
        self._state_budget_bytes = budget_bytes // 4
        self._packer = BlockPacker(self.pool, ram_bytes)
        self._tail = Tail(self._packer, self._shape)
        self._lines: dict[str, play_lines.Line] = {}
        self._newest_run = 0
        self._listeners: tuple[play_lines.TimelineListener, ...] = ()
        self.revision = 0
        """Grows when a line is cut, left, renamed or deleted, but not when frames are added."""
        self._take_up(self._line.first_ram.copy())

    def listen(self, listener: play_lines.TimelineListener) -> None:
        """Call ``listener`` right after each write; the write raises the listener's exceptions."""
        self._listeners = (*self._listeners, listener)

    def append(
        self,
        inputs: ArrayLike,
        ram: NDArray[np.uint8] | Differences,
        *,
        rewards: ArrayLike,
        done: ArrayLike,
        values: Mapping[str, ArrayLike] | None = None,
        lag: Sequence[int] = (),
        hashes: ArrayLike | None = None,
        terms: Mapping[TermKey, ArrayLike] | None = None,
        written: int = 0,
    ) -> None:
        """Copy n frames to the current line; a single frame's arrays may lack the first axis.

        ``inputs`` (n, ports); ``ram`` uint8 (n, ram_bytes), or changes, which are against the RAM
        of a preceding :meth:`discontinuity`; ``rewards`` (n, players), not summed; ``done`` (n,);
        ``values`` name -> (n,) integers; ``lag``: the rows that read no button; ``hashes`` (n,) of
        pictures, 0: unknown; ``terms`` (n,) each, summands of the rewards; ``written`` are the
        flags REWRITTEN and HELD. Raises TimelineError, and adds nothing, if shapes do not fit."""
        masks = two_axes("inputs", np.asarray(inputs, np.uint16), self._shape.ports)
        earned = two_axes("rewards", np.asarray(rewards, np.float32), self._shape.players)
        ended, frames = np.asarray(done, np.bool_).reshape(-1), len(masks)
        drawn = np.asarray(0 if hashes is None else hashes, np.uint32).reshape(-1)
        if len(earned) != frames or len(ended) != frames:
            raise TimelineError(f"{frames} inputs, {len(earned)} rewards and {len(ended)} done")
        if frames != len(drawn) != 1:
            raise TimelineError(f"{frames} inputs and {len(drawn)} hashes of pictures")
        flags = np.full(frames, written, np.uint8)
        if lag:
            flags[np.array(lag)] |= LAG
        if frames != 1:
            drawn = np.broadcast_to(drawn, frames)
        rows = FrameRows(masks, earned, ended, flags, drawn)
        if frames:
            changes = self._tail.append(rows, ram, values or {}, terms or {})
            self._tell("input", inputs, changes=changes)

    def discontinuity(
        self,
        kind: play_lines.Jump,
        state: bytes,
        ram: NDArray[np.uint8],
        *,
        label: str = "",
        loaded: bool = True,
    ) -> None:
        """Continue from ``state``, with ``ram`` (ram_bytes,), after the newest frame; pin it.

        The kind ``restored`` means the newest frame's own state, which is no jump: inputs and plan
        stay. ``loaded`` is false if the core itself came to the state, as by a reset button."""
        check_shape("ram", ram, (self.ram_bytes,))
        frame = self.length
        resumed = ram.astype(np.uint8)
        self._tail.resumed = resumed
        if frame == 0:
            self._line.first_ram = resumed
            self._tail.last = resumed.copy()
        packed, kept = (self._packer.add(each) for each in (state, resumed.tobytes()))
        loaded = loaded or frame in self.loads(frame)
        keyframe = play_lines.Keyframe(frame, packed, pinned=True, ram=kept, loaded=loaded)
        self._line.keyframes[frame] = keyframe
        if kind not in {"poke", "restored"}:
            self._line.plan = None
            self._line.markers = [m for m in self._line.markers if m.frame <= frame]
        if kind != "restored":
            self._line.markers.append(play_lines.Marker(frame, kind, label))
        self._tell("jump", state, kind=kind, label=label)

    def undo_discontinuity(self) -> None:
        """Undo :meth:`discontinuity`: the next frame follows the newest frame's own RAM."""
        frame = self.length
        line = self._line
        line.markers = [m for m in line.markers if m.frame < frame or m.kind == "user"]
        if frame in line.keyframes and line.keyframes[frame].ram is not None:
            del line.keyframes[frame]
        if self._tail.resumed is not None:
            self._tail.resumed = None
            self._tell("back", frame=frame, keep=False, name=None)

    def add_keyframe(self, frame: int, state: bytes, *, pinned: bool = False) -> None:
        """Store the state after ``frame``, unless a pinned state of the frame exists."""
        self._check(frame)
        found = self._line.keyframes.get(frame)
        if found is None or not found.pinned:
            packed = self._packer.add(state)
            self._line.keyframes[frame] = play_lines.Keyframe(frame, packed, pinned)
            for dropped in self._line.thin(self._state_budget_bytes):
                for line in self._lines.values():
                    if line.keyframes.get(dropped.frame) is dropped:
                        del line.keyframes[dropped.frame]

    def plan(self, rows: NDArray[np.uint16]) -> None:
        """Set the planned inputs, uint16 (frames, ports), until they are played or dropped."""
        check_shape("rows", rows, (len(rows), self._shape.ports))
        self._line.plan = (self.length + 1, rows)
        self._tell("plan", rows)

    @property
    def ahead(self) -> NDArray[np.uint16]:
        """The planned inputs after the newest frame, uint16 (frames, ports)."""
        first, rows = self._line.plan or (1, np.zeros((0, self._shape.ports), np.uint16))
        return rows[self.length + 1 - first :]

    def add_marker(self, frame: int, label: str) -> play_lines.Marker:
        if not self.length < frame <= self.length + len(self.ahead):
            self._check(frame)
        marker = play_lines.Marker(frame, "user", label)
        self._line.markers.append(marker)
        self._tell("mark", frame=frame, label=label, gone=False)
        return marker

    def remove_marker(self, marker: play_lines.Marker) -> None:
        """Remove a mark that the user made. Raises TimelineError for other marks."""
        if marker.kind != "user" or marker not in self._line.markers:
            raise TimelineError(f"no marker of yours at frame {marker.frame}")
        self._line.markers.remove(marker)
        self._tell("mark", frame=marker.frame, label=marker.label, gone=True)

    def seal(self) -> None:
        """Seal the open block, so that :meth:`put_scores` can change all current frames."""
        self._tail.seal()

    def first_own_frame(self, name: str, others: Iterable[str]) -> int:
        """Return a line's first frame that it shares with none of the ``others``."""
        known = {id(block) for other in others for block in self._named(other).blocks}
        line = self._named(name)
        own = (block.start + 1 for block in line.blocks if id(block) not in known)
        return next(own, line.length + 1)

    def put_scores(self, name: str, first: int, scores: Scores) -> None:
        """Replace the scores of sealed frames from ``first`` on, in all lines that share them."""
        scores = scores.narrow()
        new = {
            id(block): block.scored(first, scores)
            for block in self._named(name).blocks
            if block.start + 1 >= first
        }
        for line in (self._line, *self._lines.values()):
            line.blocks[:] = [new.get(id(block), block) for block in line.blocks]

    def truncate(self, frame: int) -> None:
        """Drop the current line's frames after ``frame``; a discontinuity at ``frame`` stays."""
        self._check(frame)
        self._cut(frame)
        self._tell("back", frame=frame, keep=False, name=None)

    def _cut(self, frame: int) -> None:
        self._tail.seal()
        last = self.ram(frame)
        across = self._line.cut(frame)
        opened = None
        if across is not None:
            decoded = self._cache.decode(across)
            opened = OpenBlock.head_of(across, frame - across.start, self._shape, decoded)
        self._newest_run += 1
        self.revision += 1
        self._line.runs = play_lines.Runs((*self._line.runs, (frame, self._newest_run)))
        self._take_up(last, opened)

    def branch_at(self, frame: int, name: str | None = None) -> str:
        """Keep a copy of the current line as ``name``, then drop the frames after ``frame``.

        Returns ``name``, by default "branch 1" and so on. Raises TimelineError for a name in use.
        """
        self._check(frame)
        if name is None:
            free = (f"branch {number}" for number in count(1))
            name = next(each for each in free if each not in self._lines and each != self.current)
        self._check_free(name)
        self._tail.seal()
        self._lines[name] = self._line.copy(name)
        self._cut(frame)
        self._tell("back", frame=frame, keep=True, name=name)
        return name

    def switch_to(self, name: str, *, swap: bool = False) -> None:
        """Make a kept line current and keep the current one; ``swap`` exchanges their names."""
        line = self._kept(name)
        self.revision += 1
        self._tail.seal()
        del self._lines[name]
        if swap:
            line.name, self._line.name = self._line.name, line.name
        self._lines[self._line.name] = self._line
        self._line = line
        self._take_up(self.ram(self.length))
        self._tell("switch", name=name, swap=swap)

    def delete_branch(self, name: str) -> None:
        del self._lines[self._kept(name).name]
        self.revision += 1
        self._tell("line", name=name, new_name=None)

    def rename_branch(self, name: str, new_name: str) -> None:
        """Rename a kept line. Raises TimelineError for a name in use."""
        line = self._kept(name)
        self._check_free(new_name)
        self.revision += 1
        self._lines = {new_name if n == name else n: kept for n, kept in self._lines.items()}
        line.name = new_name
        self._tell("line", name=name, new_name=new_name)

    @property
    def current(self) -> str:
        return self._line.name

    @property
    def branches(self) -> tuple[play_lines.BranchInfo, ...]:
        return tuple(
            play_lines.BranchInfo(
                name,
                line.length,
                self._line.shared_frames(line, self.length, line.length),
                totals_of(line.blocks, self._shape.players),
            )
            for name, line in self._lines.items()
        )

    @property
    def length(self) -> int:
        opened = self._tail.open
        return self._line.length if opened is None else opened.start + opened.frames

    def line(self, name: str) -> LineReader:
        """Return a reader of a kept line, while the line is unchanged. Raises TimelineError."""
        return LineReader(self._kept(name), self._cache, self._shape)

    def history(self, name: str | None = None) -> History:
        """Return a line's current RAM history for another thread. Raises TimelineError."""
        if name in (None, self._line.name):
            return History(self._blocks(), self._line.first_ram)
        line = self._kept(name)
        return History(line.blocks, line.first_ram)

    @property
    def runs(self) -> play_lines.Runs:
        return self._line.runs

    @property
    def newest(self) -> play_lines.PlayedFrame:
        return self.runs.played(self.length)

    @property
    def ends(self) -> dict[str, play_lines.PlayedFrame]:
        """The newest frame of each line, by the line's name."""
        return {**self.kept_ends, self.current: self.newest}

    @property
    def kept_ends(self) -> dict[str, play_lines.PlayedFrame]:
        """The newest frame of each line but the current one."""
        return {name: line.runs.played(line.length) for name, line in self._lines.items()}

    def line_with(self, played: play_lines.PlayedFrame) -> str:
        """Return the name of a line that has the frame. Raises TimelineError."""
        for line in (self._line, *self._lines.values()):
            if line.runs.has(played):
                return line.name
        raise TimelineError(f"frame {played.frame} was played on a branch that is no longer kept")

    @property
    def bytes_used(self) -> int:
        """Memory used by all lines, in bytes, without the temporary file and small objects."""
        lines = (self._line, *self._lines.values())
        blocks = {id(block): block.plain_bytes for line in lines for block in line.blocks}
        plans = {id(line.plan): line.plan[1].nbytes for line in lines if line.plan is not None}
        kept = self.pool.memory_bytes + self._packer.ready_bytes
        return kept + sum(blocks.values()) + sum(plans.values())

    def settle(self) -> None:
        """Wait until all frames and states are packed, some of them on another thread."""
        self._packer.work.finish()

    def close(self) -> None:
        """Delete the temporary file; RAM and states become unreadable. Idempotent."""
        self._cache.clear()
        self._packer.work.give_up()
        self.pool.close()

    def _tell(self, kind: play_lines.EventKind, data: object = None, /, **values: object) -> None:
        event = play_lines.TimelineEvent(kind, values, data)
        for listener in self._listeners:
            listener(event)

    def _take_up(self, last: NDArray[np.uint8], opened: OpenBlock | None = None) -> None:
        self._tail.take_up(self._line.blocks, last, opened)
        found = self._line.keyframes.get(self.length)
        if found is not None and found.ram is not None:
            self._tail.resumed = np.frombuffer(found.ram.load(), np.uint8)

    def _kept(self, name: str) -> play_lines.Line:
        if name not in self._lines:
            raise TimelineError(f"there is no branch {name!r}")
        return self._lines[name]

    def _named(self, name: str) -> play_lines.Line:
        return self._line if name == self.current else self._kept(name)

    def _check_free(self, name: str) -> None:
        if name in self._lines or name == self._line.name:
            raise TimelineError(f"there is a branch {name!r} already")

    def _blocks(self) -> Sequence[Block]:
        opened = self._tail.open
        if opened is None or not opened.frames:
            return self._line.blocks
        return [*self._line.blocks, opened.view()]
