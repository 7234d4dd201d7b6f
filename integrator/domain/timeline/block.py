"""Blocks of frames in a timeline, and the growing end of a line, which fills blocks."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline import ramlog
from integrator.domain.values.variables import Columns

MOST_CHANGES = 1 << 19  # changed bytes that fill a block; unpacking takes some milliseconds
UNKNOWN = np.int64(np.iinfo(np.int64).min)  # no value of a variable: a script's own may begin late
LAG, REWRITTEN, HELD = 1, 2, 4
"""Flags of a frame: the game read no button on it; scripts or held values wrote RAM after it, which
inputs alone do not repeat; a held value changed RAM."""
_NARROW = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32)

_Scalar = TypeVar("_Scalar", bound=np.generic)

TermKey: TypeAlias = tuple[int, str]
"""The player, from 0, and a term: a variable's name, ``TIME_TERM``, or a script's function."""
ColumnKey: TypeAlias = str | TermKey  # the name of a variable, or a term of a reward


@dataclass(frozen=True, slots=True)
class FrameShape:
    """Sizes that all frames of a timeline have in common."""

    ram_bytes: int
    ports: int
    players: int

    @property
    def block_frames(self) -> int:
        """Frames of a block; blocks of large RAM are longer, because each stores a whole RAM."""
        return 256 * min(max(self.ram_bytes // (256 << 10), 1), 8)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of recorded frames: float32 (frames, players), bool (frames,), columns (frames,). A
    variable's column has integers, UNKNOWN where it did not exist, and a term's column float32."""

    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    columns: Mapping[ColumnKey, NDArray[Any]]

    def narrow(self) -> "Scores":
        """Return the same scores with each column in its smallest integer type."""
        return replace(self, columns={name: narrowest(c) for name, c in self.columns.items()})


class FrameRows(NamedTuple):
    """Frames without their RAM and columns. ``inputs`` are uint16 (frames, ports), ``rewards``
    float32 (frames, players), ``done`` bool (frames,), ``flags`` uint8 (frames,), ``hashes`` of the
    pictures uint32 (frames,)."""

    inputs: NDArray[np.uint16]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    flags: NDArray[np.uint8]
    hashes: NDArray[np.uint32]

    @classmethod
    def zeros(cls, frames: int, shape: FrameShape) -> "FrameRows":
        inputs = np.zeros((frames, shape.ports), np.uint16)
        rewards = np.zeros((frames, shape.players), np.float32)
        done, flags = np.zeros(frames, np.bool_), np.zeros(frames, np.uint8)
        return cls(inputs, rewards, done, flags, np.zeros(frames, np.uint32))

    def part(self, start: int, stop: int) -> "FrameRows":
        arrays: tuple[NDArray[Any], ...] = self
        return FrameRows(*[array[start:stop] for array in arrays])


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Frames ``start + 1`` to ``start + frames``. Immutable; lines share blocks. ``columns`` are
    arrays (frames,): integers of any width for a variable, float32 for a term."""

    start: int
    frames: int
    rows: FrameRows
    columns: Mapping[ColumnKey, NDArray[Any]]
    ram: ramlog.RamBlock | ramlog.OpenRamBlock

    @property
    def end(self) -> int:
        return self.start + self.frames

    @property
    def plain_bytes(self) -> int:
        columns = sum(column.nbytes for column in self.columns.values())
        return columns + sum(array.nbytes for array in self.rows)

    def scored(self, first: int, scores: Scores) -> "Block":
        """Return the block with other scores; row 0 of the scores is frame ``first``."""
        own = slice(self.start + 1 - first, self.end + 1 - first)
        rows = self.rows._replace(rewards=scores.rewards[own], done=scores.done[own])
        columns = {name: column[own] for name, column in scores.columns.items()}
        return replace(self, rows=rows, columns=columns)


def totals_of(blocks: Iterable[Block], players: int) -> tuple[float, ...]:
    totals = np.zeros(players, np.float64)
    for block in blocks:
        totals += block.rows.rewards.sum(axis=0, dtype=np.float64)
    return tuple(totals.tolist())


class OpenBlock:
    """The last block of the line, with room for ``capacity`` frames of one set of columns."""

    __slots__ = ("_columns", "_rows", "_table", "capacity", "frames", "names", "ram", "start")

    def __init__(
        self,
        start: int,
        capacity: int,
        shape: FrameShape,
        names: tuple[ColumnKey, ...],
        ram: ramlog.OpenRamBlock,
    ) -> None:
        self.start = start
        self.capacity = capacity
        self.names = names
        self.ram = ram
        self.frames = ram.frames
        self._rows = FrameRows.zeros(capacity, shape)
        variables = [name for name in names if isinstance(name, str)]
        self._table = np.zeros((len(variables), capacity), np.int64)
        terms = np.zeros((len(names) - len(variables), capacity), np.float32)
        # The variables come first, as in a chunk's own table.
        self._columns = dict(zip(names, [*self._table, *terms], strict=True))

    @classmethod
    def head_of(
        cls, block: Block, frames: int, shape: FrameShape, decoded: ramlog.DecodedRam
    ) -> "OpenBlock":
        """Make an open block with the first ``frames`` frames of a sealed block."""
        capacity = max(shape.block_frames, frames)
        ram = ramlog.OpenRamBlock.head_of(decoded, frames, capacity)
        opened = cls(block.start, capacity, shape, tuple(block.columns), ram)
        columns = {name: values[:frames] for name, values in block.columns.items()}
        opened.put(0, block.rows.part(0, frames), columns)
        return opened

    @property
    def room(self) -> int:
        """The number of frames that still fit; 0 once the frames changed MOST_CHANGES bytes."""
        return 0 if self.ram.changes >= MOST_CHANGES else self.capacity - self.ram.frames

    @property
    def changes_left(self) -> int:
        return MOST_CHANGES - self.ram.changes

    def put(self, at: int, rows: FrameRows, *columns: Mapping[Any, ArrayLike]) -> None:
        """Write everything except RAM from row ``at`` on; frames count once their RAM is added."""
        end = at + len(rows.inputs)
        arrays: tuple[NDArray[Any], ...] = self._rows
        for array, new in zip(arrays, rows, strict=True):
            array[at:end] = new
        for values in columns:
            if isinstance(values, Columns):
                self._table[:, at:end] = values.table
                continue
            for name, column in values.items():
                self._columns[name][at:end] = column

    def view(self) -> Block:
        frames = self.frames
        columns = {name: column[:frames] for name, column in self._columns.items()}
        return Block(self.start, frames, self._rows.part(0, frames), columns, self.ram)

    def seal(self, packer: ramlog.BlockPacker, following: ramlog.FirstRam | None) -> Block:
        """Return the finished block; this open block must not be used afterwards."""
        block = self.view()
        # Copy arrays, so that a short block does not keep the whole capacity in memory.
        return replace(
            block,
            rows=FrameRows._make(each.copy() for each in block.rows),
            columns={name: narrowest(column) for name, column in block.columns.items()},
            ram=packer.seal(self.ram, following),
        )


def narrowest(values: NDArray[Any]) -> NDArray[Any]:
    """Copy integers to the smallest type that holds all; copy other numbers unchanged."""
    if not values.size or values.dtype.kind not in "iu":
        return values.copy()
    low, high = int(values.min()), int(values.max())
    fitting = (t for t in _NARROW if np.iinfo(t).min <= low and high <= np.iinfo(t).max)
    return values.astype(next(fitting, values.dtype))


def check_shape(what: str, array: NDArray[np.generic], shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise TimelineError(f"{what} has shape {array.shape}, not {shape}")


class Tail:
    """Appends frames to the current line. ``last`` is its last RAM, ``resumed`` a jump's RAM."""

    def __init__(self, packer: ramlog.BlockPacker, shape: FrameShape) -> None:
        self._packer, self._shape = packer, shape
        self._blocks: list[Block] = []
        self.open: OpenBlock | None = None
        self.last = np.zeros(shape.ram_bytes, np.uint8)
        self.resumed: NDArray[np.uint8] | None = None

    def take_up(
        self, blocks: list[Block], last: NDArray[np.uint8], opened: OpenBlock | None
    ) -> None:
        """Continue at the end of ``blocks`` or ``opened``; this object now owns ``last``."""
        self._blocks, self.open, self.last = blocks, opened, last
        self.resumed = None

    def append(
        self,
        rows: FrameRows,
        ram: NDArray[np.uint8] | ramlog.Differences,
        *columns: Mapping[Any, ArrayLike],
    ) -> ramlog.Differences:
        """Append one frame or more; return their changes of RAM."""
        frames = len(rows.inputs)
        for name, column in chain(*(each.items() for each in columns)) if frames != 1 else ():
            check_shape(f"column {name}", np.asarray(column), (frames,))
        changes = self._changes(ram, frames)
        opened = self.open
        if (
            opened is not None
            and opened.room >= frames
            and (frames == 1 or opened.changes_left >= len(changes.offsets))
            and opened.names == tuple(chain(*columns))
        ):
            self._put(opened, rows, changes, *columns)
        else:
            self._spread(rows, changes, *columns)
        self.resumed = None
        return changes

    def seal(self, following: ramlog.FirstRam | None = None) -> None:
        """Seal the open block; ``following`` is the RAM with which the next block begins."""
        if self.open is not None and self.open.frames:
            self._blocks.append(self.open.seal(self._packer, following))
        self.open = None

    def _spread(
        self, rows: FrameRows, changes: ramlog.Differences, *columns: Mapping[Any, ArrayLike]
    ) -> None:
        names, frames = tuple(chain(*columns)), len(rows.inputs)
        ends = np.cumsum(changes.counts)
        at = 0
        while at < frames:
            opened = self.open
            if opened is None or not opened.room or opened.names != names:
                opened = self._new_block(names)
            limit = opened.changes_left + (int(ends[at - 1]) if at else 0)
            fitting = int(np.searchsorted(ends, limit, side="right"))
            end = min(frames, at + opened.room, max(fitting, at + 1))
            values = {
                name: column if frames == 1 else np.asarray(column)[at:end]
                for name, column in chain(*(each.items() for each in columns))
            }
            self._put(opened, rows.part(at, end), changes.part(at, end), values)
            at = end

    def _put(
        self,
        opened: OpenBlock,
        rows: FrameRows,
        changes: ramlog.Differences,
        *columns: Mapping[Any, ArrayLike],
    ) -> None:
        opened.put(opened.frames, rows, *columns)
        try:
            # numpy checks all offsets before it writes the first byte.
            self.last[changes.offsets] = changes.values
        except IndexError as error:
            raise self._outside() from error
        opened.ram.append(changes)
        opened.frames = opened.ram.frames

    def _outside(self) -> TimelineError:
        return TimelineError(
            f"a RAM change lies outside of the {self._shape.ram_bytes} bytes of RAM"
        )

    def _new_block(self, names: tuple[ColumnKey, ...]) -> OpenBlock:
        before = self.open
        first = ramlog.FirstRam(before.ram if before and before.frames else self.last.copy())
        self.seal(first)
        capacity = self._shape.block_frames
        ram = ramlog.OpenRamBlock(first, capacity)
        start = self._blocks[-1].end if self._blocks else 0
        self.open = OpenBlock(start, capacity, self._shape, names, ram)
        return self.open

    def _changes(
        self, ram: NDArray[np.uint8] | ramlog.Differences, frames: int
    ) -> ramlog.Differences:
        ram_bytes = self._shape.ram_bytes
        if isinstance(ram, np.ndarray):
            whole = ram.reshape(1, -1) if ram.ndim == 1 else ram
            check_shape("ram", whole, (frames, ram_bytes))
            return ramlog.differences(self.last, np.ascontiguousarray(whole, np.uint8))
        total = len(ram.offsets)
        counted = ram.counts[0] if len(ram.counts) == 1 else ram.counts.sum()
        if len(ram.counts) != frames or total != len(ram.values) or total != counted:
            raise TimelineError(f"RAM changes do not add up to those of {frames} frames")
        if frames > 1 and total and int(ram.offsets.max()) >= ram_bytes:
            raise self._outside()
        if self.resumed is None:
            return ram
        head, rest = ram.part(0, 1), ram.part(1, frames)
        if len(head.offsets) and int(head.offsets.max()) >= ram_bytes:
            raise self._outside()
        first = self.resumed.copy()
        first[head.offsets] = head.values
        jump = ramlog.differences(self.last, first[None])
        return ramlog.Differences(
            np.concatenate([jump.counts, rest.counts]),
            np.concatenate([jump.offsets, rest.offsets]),
            np.concatenate([jump.values, rest.values]),
        )


def two_axes(what: str, array: NDArray[_Scalar], width: int) -> NDArray[_Scalar]:
    """Return ``array`` as (n, width); a single row or a single column may be flat."""
    if array.ndim < 2 and array.size % width == 0:
        array = array.reshape(-1, width)
    if array.ndim != 2 or array.shape[1] != width:
        raise TimelineError(f"{what} have shape {array.shape}, not (frames, {width})")
    return array
