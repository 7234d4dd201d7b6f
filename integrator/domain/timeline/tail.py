"""The growing end of a line: takes frames, fills blocks, and holds the newest frame's RAM."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.block import Block, OpenBlock, check_shape
from integrator.domain.timeline.packing import BlockPacker
from integrator.domain.timeline.ramlog import (
    Differences,
    FirstRam,
    OpenRamBlock,
    RamDifferences,
    differences,
)

_BLOCK_FRAMES = 256
_LARGE_RAM_BYTES = 256 << 10
"""From here on blocks are longer, as each costs a whole snapshot."""

_Scalar = TypeVar("_Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class FrameShape:
    """Sizes that all frames of a timeline have in common."""

    ram_bytes: int
    ports: int
    players: int

    @property
    def block_frames(self) -> int:
        return _BLOCK_FRAMES * min(max(self.ram_bytes // _LARGE_RAM_BYTES, 1), 8)


@dataclass(frozen=True, slots=True)
class _Frames:
    """Frames to append, shapes checked."""

    inputs: NDArray[np.uint16]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    values: Mapping[str, ArrayLike]
    lag: Sequence[int]
    hashes: NDArray[np.uint32]


class Tail:
    """Appends to the current line, from RAM ``last``, or ``resumed`` after a discontinuity."""

    def __init__(self, packer: BlockPacker, shape: FrameShape) -> None:
        self._packer = packer
        self._shape = shape
        self._blocks: list[Block] = []
        self.open: OpenBlock | None = None
        self.last = np.zeros(shape.ram_bytes, np.uint8)
        self.resumed: NDArray[np.uint8] | None = None

    def take_up(
        self,
        blocks: list[Block],
        last: NDArray[np.uint8],
        resumed: NDArray[np.uint8] | None,
        opened: OpenBlock | None = None,
    ) -> None:
        """Go on at the end of ``blocks``, or of ``opened``; ``last`` is kept and written to."""
        self._blocks = blocks
        self.open = opened
        self.last = last
        self.resumed = resumed

    @property
    def length(self) -> int:
        opened = self.open
        if opened is not None:
            return opened.start + opened.frames
        return self._blocks[-1].end if self._blocks else 0

    def append(
        self,
        inputs: ArrayLike,
        ram: NDArray[np.uint8] | RamDifferences,
        rewards: ArrayLike,
        done: ArrayLike,
        values: Mapping[str, ArrayLike],
        lag: Sequence[int],
        hashes: ArrayLike | None,
    ) -> None:
        new = _Frames(
            _rows("inputs", np.asarray(inputs, np.uint16), self._shape.ports),
            _rows("rewards", np.asarray(rewards, np.float32), self._shape.players),
            np.asarray(done, np.bool_).reshape(-1),
            values,
            lag,
            np.asarray(0 if hashes is None else hashes, np.uint32).reshape(-1),
        )
        frames = len(new.inputs)
        if len(new.rewards) != frames or len(new.done) != frames:
            raise TimelineError(
                f"{frames} inputs, {len(new.rewards)} rewards and {len(new.done)} done"
            )
        if len(new.hashes) not in {1, frames}:
            raise TimelineError(f"{frames} inputs and {len(new.hashes)} hashes of pictures")
        for name, column in values.items() if frames != 1 else ():
            check_shape(f"column {name}", np.asarray(column), (frames,))
        if not frames:
            return
        changes = self._changes(ram, frames)
        opened = self.open
        if (
            opened is not None
            and opened.room >= frames
            and (frames == 1 or opened.changes_left >= len(changes.offsets))
            and opened.names == tuple(values)
        ):
            at = opened.frames
            opened.put(at, new.inputs, new.rewards, new.done, new.hashes, values)
            self._advance(changes)
            opened.add_ram(changes)
            if lag:
                opened.put_lag(np.array(lag) + at)
        else:
            self._spread(new, Differences(changes.counts, changes.offsets, changes.values))
        self.resumed = None

    def seal(self, following: FirstRam | None = None) -> None:
        """Close the open block; ``following`` is the RAM with which the next one begins."""
        if self.open is not None and self.open.frames:
            self._blocks.append(self.open.seal(self._packer, following))
        self.open = None

    def _spread(self, new: _Frames, changes: Differences) -> None:
        names, frames = tuple(new.values), len(new.inputs)
        ends = np.cumsum(changes.counts)
        at = 0
        while at < frames:
            opened = self.open
            if opened is None or not opened.room or opened.names != names:
                opened = self._new_block(names)
            limit = opened.changes_left + (int(ends[at - 1]) if at else 0)
            fitting = int(np.searchsorted(ends, limit, side="right"))
            end = min(frames, at + opened.room, max(fitting, at + 1))
            part = changes.part(at, end)
            lag = [row - at + opened.frames for row in new.lag if at <= row < end]
            columns = {
                name: column if frames == 1 else np.asarray(column)[at:end]
                for name, column in new.values.items()
            }
            hashes = new.hashes if len(new.hashes) == 1 else new.hashes[at:end]
            parts = (new.inputs[at:end], new.rewards[at:end], new.done[at:end], hashes)
            opened.put(opened.frames, *parts, columns)
            self._advance(part)
            opened.add_ram(part)
            opened.put_lag(np.array(lag, np.intp))
            at = end

    def _advance(self, changes: RamDifferences) -> None:
        """Take changes into ``last``; numpy looks at all offsets before it writes the first."""
        try:
            self.last[changes.offsets] = changes.values
        except IndexError as error:
            raise self._outside() from error

    def _outside(self) -> TimelineError:
        return TimelineError(
            f"a RAM change lies outside of the {self._shape.ram_bytes} bytes of RAM"
        )

    def _new_block(self, names: tuple[str, ...]) -> OpenBlock:
        before = self.open
        if before is not None and before.frames:
            first = before.after()
        else:
            first = FirstRam(self.last.copy())
        self.seal(first)
        capacity = self._shape.block_frames
        ram = OpenRamBlock(first, capacity)
        sizes = (self._shape.ports, self._shape.players)
        self.open = OpenBlock(self.length, capacity, sizes, names, ram)
        return self.open

    def _changes(self, ram: NDArray[np.uint8] | RamDifferences, frames: int) -> RamDifferences:
        ram_bytes = self._shape.ram_bytes
        if isinstance(ram, np.ndarray):
            whole = ram.reshape(1, -1) if ram.ndim == 1 else ram
            check_shape("ram", whole, (frames, ram_bytes))
            return differences(self.last, np.ascontiguousarray(whole, np.uint8))
        total = len(ram.offsets)
        told = ram.counts[0] if len(ram.counts) == 1 else ram.counts.sum()
        if len(ram.counts) != frames or total != len(ram.values) or total != told:
            raise TimelineError(f"RAM changes do not add up to those of {frames} frames")
        if frames > 1 and total and int(ram.offsets.max()) >= ram_bytes:
            raise self._outside()
        if self.resumed is None:
            return ram
        own = Differences(ram.counts, ram.offsets, ram.values)
        head, rest = own.part(0, 1), own.part(1, frames)
        if len(head.offsets) and int(head.offsets.max()) >= ram_bytes:
            raise self._outside()
        first = self.resumed.copy()
        first[head.offsets] = head.values
        jump = differences(self.last, first[None])
        return Differences(
            np.concatenate([jump.counts, rest.counts]),
            np.concatenate([jump.offsets, rest.offsets]),
            np.concatenate([jump.values, rest.values]),
        )


def _rows(what: str, array: NDArray[_Scalar], width: int) -> NDArray[_Scalar]:
    """``array`` as (n, width); one row, or the one column of a single player, may be flat."""
    if array.ndim < 2 and array.size % width == 0:
        array = array.reshape(-1, width)
    if array.ndim != 2 or array.shape[1] != width:
        raise TimelineError(f"{what} have shape {array.shape}, not (frames, {width})")
    return array
