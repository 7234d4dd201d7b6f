"""One line of play: its blocks, keyframes and markers, and where it parted from other lines."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.block import Block
from integrator.domain.timeline.pool import Packed

JumpMark = Literal["episode", "state", "poke", "reset"]
Jump = Literal[JumpMark, "restored"]
JUMPS: Final[tuple[JumpMark, ...]] = get_args(JumpMark)
"""Kinds of beginnings of a run of frames; see Timeline.discontinuity."""


EventKind = Literal["input", "plan", "jump", "keyframe", "back", "switch", "line", "mark"]


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """A write to a timeline, by its kind, with its ``data`` and ``values`` by name.

    - input: frames were added; ``data`` are inputs as in Timeline.append, not copied.
    - plan: the current line got other rows of inputs to go on with, uint16 (frames, ports).
    - jump: the newest frame was left for the state ``data``, by ``kind`` with ``label``.
    - keyframe: the core's state after ``frame`` of the current line is ``data``.
    - back: the current line goes on from ``frame``; with ``keep``, its future is kept as ``name``.
    - switch: the kept line ``name`` is the current one; ``swap``: they exchanged their names.
    - line: the kept line ``name`` is called ``new_name``, or was deleted where that is None.
    - mark: the user marked ``frame`` as ``label``, or took the mark away, if it is ``gone``.
    """

    kind: EventKind
    values: Mapping[str, Any]
    data: Any = None


TimelineListener: TypeAlias = Callable[[TimelineEvent], object]


MarkerKind = Literal[JumpMark, "user"]


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """A mark at a frame. All kinds but ``user`` are discontinuities: see Timeline.discontinuity."""

    frame: int
    kind: MarkerKind
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Keyframe:
    """A state to resume ``frame`` from, which play itself ``loaded`` or only passed.

    ``ram`` is kept where it differs from the frame's own.
    """

    frame: int
    packed: Packed
    pinned: bool
    ram: Packed | None = None
    loaded: bool = False

    @property
    def size_bytes(self) -> int:
        return self.packed.size_bytes + (self.ram.size_bytes if self.ram else 0)


@dataclass(frozen=True, slots=True)
class BranchInfo:
    """A kept line, the frames that it shares with the current one; each player's rewards."""

    name: str
    length: int
    shared_frames: int
    rewards: tuple[float, ...]


def run_at(runs: Sequence[tuple[int, int]], frame: int) -> int:
    """The id of the run of a line, one of its ``runs``, in which a frame was played.

    Beyond the newest frame, the newest run.
    """
    return runs[max(0, bisect_left(runs, frame, key=lambda run: run[0]) - 1)][1]


@dataclass(slots=True, eq=False)
class Line:
    """A line of play. Copies share all frames; each has lists of its own.

    ``keyframes`` are by frame. ``runs`` are (frame, id): from that frame on, frames were played in
    run id. Two lines share the frames where they have the same runs. ``plan`` is (frame, rows):
    inputs that are to be played from that frame on, uint16 (frames, ports), which copies share and
    nobody writes to.
    """

    name: str
    blocks: list[Block] = field(default_factory=list)
    keyframes: dict[int, Keyframe] = field(default_factory=dict)
    markers: list[Marker] = field(default_factory=list)
    runs: list[tuple[int, int]] = field(default_factory=list)
    first_ram: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    plan: tuple[int, NDArray[np.uint16]] | None = None

    def copy(self, name: str) -> "Line":
        return replace(
            self,
            name=name,
            blocks=list(self.blocks),
            keyframes=dict(self.keyframes),
            markers=list(self.markers),
            runs=list(self.runs),
        )

    @property
    def length(self) -> int:
        return self.blocks[-1].end if self.blocks else 0

    def cut(self, frame: int) -> Block | None:
        """Drop all frames after ``frame``, and the plan; returns a block that reaches across it."""
        self.plan = None
        keep = bisect_left(self.blocks, frame, key=lambda block: block.start)
        del self.blocks[keep:]
        self.keyframes = {f: kept for f, kept in self.keyframes.items() if f <= frame}
        self.markers = [marker for marker in self.markers if marker.frame <= frame]
        self.runs = [run for run in self.runs if run[0] < frame]
        return self.blocks.pop() if self.length > frame else None

    def shared_frames(self, other: "Line", length: int, other_length: int) -> int:
        """The number of frames from the beginning that two lines have in common."""
        mine = [*self.runs, (length, -1)]
        theirs = [*other.runs, (other_length, -2)]
        for (start, run), (other_start, other_run) in zip(mine, theirs, strict=False):
            if run != other_run or start != other_start:
                return min(start, other_start)
        return min(length, other_length)

    def thin(self, budget_bytes: int) -> list[Keyframe]:
        """Drop unpinned keyframes until the rest fit, so that gaps grow with age; returns them."""
        dropped: list[Keyframe] = []
        sizes = (k.size_bytes for k in self.keyframes.values() if not k.pinned)
        excess = sum(sizes) - budget_bytes
        while excess > 0:
            kept = sorted(self.keyframes)
            frames = np.array(kept, np.float64)
            gaps = frames[2:] - frames[:-2]
            cost = gaps / (frames[-1] - frames[1:-1] + 1)
            cost[[self.keyframes[frame].pinned for frame in kept[1:-1]]] = np.inf
            if not len(cost) or np.isinf(cost.min()):
                break
            dropped.append(self.keyframes.pop(kept[int(cost.argmin()) + 1]))
            excess -= dropped[-1].size_bytes
        return dropped
