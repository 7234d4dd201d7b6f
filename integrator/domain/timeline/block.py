"""A run of frames in a timeline: inputs, outcomes, columns and RAM, first open, then immutable."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.packing import BlockPacker, RamBlock
from integrator.domain.timeline.ramlog import DecodedRam, FirstRam, OpenRamBlock, RamDifferences
from integrator.domain.values.variables import Columns

MOST_CHANGES = 1 << 19
"""Changed bytes after which a block is full: so many are unpacked in some milliseconds."""
_NARROW = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of recorded frames: float32 (frames, players), bool (frames,), integer columns."""

    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    columns: Mapping[str, NDArray[np.integer]]

    def narrow(self) -> "Scores":
        """The same in as few bytes a frame as each variable takes."""
        return replace(self, columns={name: narrowest(c) for name, c in self.columns.items()})


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Frames ``start + 1`` to ``start + frames``. Immutable; lines share blocks.

    ``inputs`` uint16 (frames, ports), ``rewards`` float32 (frames, players), ``done`` and
    ``lag`` bool (frames,), ``hashes`` of the pictures uint32 (frames,), ``columns`` integer arrays
    (frames,) of any width.
    """

    start: int
    frames: int
    inputs: NDArray[np.uint16]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    lag: NDArray[np.bool_]
    hashes: NDArray[np.uint32]
    columns: Mapping[str, NDArray[np.integer]]
    ram: RamBlock | OpenRamBlock

    @property
    def end(self) -> int:
        return self.start + self.frames

    @property
    def plain_bytes(self) -> int:
        columns = sum(column.nbytes for column in self.columns.values())
        small = self.done.nbytes + self.lag.nbytes + self.hashes.nbytes
        return self.inputs.nbytes + self.rewards.nbytes + small + columns

    def scored(self, first: int, scores: Scores) -> "Block":
        """The same frames with other scores, of which row 0 is frame ``first``."""
        rows = slice(self.start + 1 - first, self.end + 1 - first)
        return replace(
            self,
            rewards=scores.rewards[rows],
            done=scores.done[rows],
            columns={name: column[rows] for name, column in scores.columns.items()},
        )


class OpenBlock:
    """The block at the end of the line, with room for ``capacity`` frames of one set of columns."""

    __slots__ = (
        "_columns",
        "_done",
        "_hashes",
        "_inputs",
        "_lag",
        "_ram",
        "_rewards",
        "_table",
        "capacity",
        "frames",
        "names",
        "start",
    )

    def __init__(
        self,
        start: int,
        capacity: int,
        shape: tuple[int, int],
        names: tuple[str, ...],
        ram: OpenRamBlock,
    ) -> None:
        ports, players = shape
        self.start = start
        self.capacity = capacity
        self.names = names
        self._inputs = np.zeros((capacity, ports), np.uint16)
        self._rewards = np.zeros((capacity, players), np.float32)
        self._done = np.zeros(capacity, np.bool_)
        self._lag = np.zeros(capacity, np.bool_)
        self._hashes = np.zeros(capacity, np.uint32)
        self._table = np.zeros((len(names), capacity), np.int64)
        self._columns = dict(zip(names, self._table, strict=True))
        self._ram = ram
        self.frames = ram.frames

    @classmethod
    def head_of(cls, block: Block, frames: int, capacity: int, decoded: DecodedRam) -> "OpenBlock":
        """An open block with the first ``frames`` of a sealed one."""
        shape = (block.inputs.shape[1], block.rewards.shape[1])
        capacity = max(capacity, frames)
        ram = OpenRamBlock.head_of(decoded, frames, capacity)
        opened = cls(block.start, capacity, shape, tuple(block.columns), ram)
        opened.put(
            0,
            block.inputs[:frames],
            block.rewards[:frames],
            block.done[:frames],
            block.hashes[:frames],
            {name: values[:frames] for name, values in block.columns.items()},
        )
        opened.put_lag(np.flatnonzero(block.lag[:frames]))
        return opened

    @property
    def room(self) -> int:
        """Frames that still fit; none once they changed many bytes."""
        return 0 if self._ram.changes >= MOST_CHANGES else self.capacity - self._ram.frames

    @property
    def changes_left(self) -> int:
        return MOST_CHANGES - self._ram.changes

    def put(
        self,
        at: int,
        inputs: NDArray[np.uint16],
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
        hashes: NDArray[np.uint32],
        values: Mapping[str, ArrayLike],
    ) -> None:
        """Write all but RAM from frame ``at`` of the block on; it counts once RAM is added."""
        end = at + len(inputs)
        self._inputs[at:end] = inputs
        self._rewards[at:end] = rewards
        self._done[at:end] = done
        self._hashes[at:end] = hashes
        if isinstance(values, Columns):
            self._table[:, at:end] = values.table
            return
        for name, column in self._columns.items():
            column[at:end] = values[name]

    def put_lag(self, places: NDArray[np.intp]) -> None:
        """Note frames of the block, counted from 0, in which the game asked for no button."""
        self._lag[places] = True

    def add_ram(self, changes: RamDifferences) -> None:
        self._ram.append(changes)
        self.frames = self._ram.frames

    def view(self) -> Block:
        return self._block(self._ram, narrow=False)

    def after(self) -> FirstRam:
        """The RAM after the newest frame, for the block that follows once this one is sealed."""
        return self._ram.after()

    def seal(self, packer: BlockPacker, following: FirstRam | None) -> Block:
        """The finished block; the open one must not be used any more."""
        return self._block(packer.seal(self._ram, following), narrow=True)

    def _block(self, ram: RamBlock | OpenRamBlock, *, narrow: bool) -> Block:
        frames = self.frames
        block = Block(
            self.start,
            frames,
            self._inputs[:frames],
            self._rewards[:frames],
            self._done[:frames],
            self._lag[:frames],
            self._hashes[:frames],
            {name: column[:frames] for name, column in self._columns.items()},
            ram,
        )
        if not narrow:
            return block
        # Copies, so that a short block does not keep the whole capacity alive.
        return replace(
            block,
            inputs=block.inputs.copy(),
            rewards=block.rewards.copy(),
            done=block.done.copy(),
            lag=block.lag.copy(),
            hashes=block.hashes.copy(),
            columns={name: narrowest(column) for name, column in block.columns.items()},
        )


def narrowest(values: NDArray[Any]) -> NDArray[Any]:
    """A copy of integers in the smallest type that holds all; of other numbers as they are."""
    if not values.size or values.dtype.kind not in "iu":
        return values.copy()
    low, high = int(values.min()), int(values.max())
    fitting = (t for t in _NARROW if np.iinfo(t).min <= low and high <= np.iinfo(t).max)
    return values.astype(next(fitting, values.dtype))


def check_shape(what: str, array: NDArray[np.generic], shape: tuple[int, ...]) -> None:
    """Raises TimelineError when an array to append has another shape."""
    if array.shape != shape:
        raise TimelineError(f"{what} has shape {array.shape}, not {shape}")
