"""One line of play: its blocks, keyframes, markers, and the frames it shares with others."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.block import Block
from integrator.domain.timeline.pool import Packed

JumpMark = Literal["episode", "state", "poke", "reset"]
Jump = Literal[JumpMark, "restored"]
JUMPS: Final[tuple[JumpMark, ...]] = get_args(JumpMark)
"""The ways in which a run of frames can begin; see Timeline.discontinuity."""

EventKind = Literal["input", "plan", "jump", "back", "switch", "line", "mark"]


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """A write to a timeline, by its kind, with its ``data`` and ``values`` by name.

    - input: frames with these ``changes`` of RAM were added; ``data`` are inputs as in
      Timeline.append, not copied.
    - plan: the current line's planned inputs changed to ``data``, uint16 (frames, ports).
    - jump: play left the newest frame for the state ``data``, by ``kind`` with ``label``.
    - back: the current line continues after ``frame``; with ``keep``, its old future is kept in
      the line ``name``.
    - switch: the kept line ``name`` became the current one; with ``swap``, both exchanged names.
    - line: the kept line ``name`` was renamed to ``new_name``, or deleted if that is None.
    - mark: the user marked ``frame`` as ``label``, or removed the mark if ``gone`` is true."""

    kind: EventKind
    values: Mapping[str, Any]
    data: Any = None


TimelineListener: TypeAlias = Callable[[TimelineEvent], object]

MarkerKind = Literal[JumpMark, "user"]


@dataclass(frozen=True, slots=True, order=True)
class Marker:
    """A mark at a frame. All kinds except ``user`` come from Timeline.discontinuity."""

    frame: int
    kind: MarkerKind
    label: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Keyframe:
    """A state from which to resume ``frame``; ``loaded`` if play itself continued from the state.
    ``ram`` is stored only if it differs from the frame's own RAM."""

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
    """A kept line, the number of frames shared with the current line, each player's reward."""

    name: str
    length: int
    shared_frames: int
    rewards: tuple[float, ...]


class PlayedFrame(NamedTuple):
    """A frame with the run in which it was played: another line may have another such frame."""

    frame: int
    run: int


class Runs(tuple[tuple[int, int], ...]):
    """The runs of a line, each as (frame, id): the frames after that frame were played in run id.
    Two lines share the frames at which they have the same runs."""

    __slots__ = ()

    def played(self, frame: int) -> PlayedFrame:
        """Return the line's frame of that number; the newest run has those that are not played."""
        at = max(0, bisect_left(self, (frame,)) - 1)
        return PlayedFrame(frame, self[at][1])

    def has(self, played: PlayedFrame) -> bool:
        return self.played(played.frame) == played


FIRST_RUN: Final = Runs(((0, 0),))


@dataclass(slots=True, eq=False)
class Line:
    """A line of play. Copies have their own lists, but share all frames. ``keyframes`` are by
    frame. ``plan`` is (frame, rows): inputs to play from that frame on, uint16 (frames, ports),
    which copies share and nobody changes."""

    name: str
    blocks: list[Block] = field(default_factory=list)
    keyframes: dict[int, Keyframe] = field(default_factory=dict)
    markers: list[Marker] = field(default_factory=list)
    runs: Runs = FIRST_RUN
    first_ram: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    plan: tuple[int, NDArray[np.uint16]] | None = None

    def copy(self, name: str) -> "Line":
        return replace(
            self,
            name=name,
            blocks=list(self.blocks),
            keyframes=dict(self.keyframes),
            markers=list(self.markers),
        )

    @property
    def length(self) -> int:
        return self.blocks[-1].end if self.blocks else 0

    def cut(self, frame: int) -> Block | None:
        """Drop the plan and all frames after ``frame``; return a block that extends beyond it."""
        self.plan = None
        del self.blocks[bisect_left(self.blocks, frame, key=lambda block: block.start) :]
        self.keyframes = {f: kept for f, kept in self.keyframes.items() if f <= frame}
        self.markers = [marker for marker in self.markers if marker.frame <= frame]
        self.runs = Runs(run for run in self.runs if run[0] < frame)
        return self.blocks.pop() if self.length > frame else None

    def shared_frames(self, other: "Line", length: int, other_length: int) -> int:
        """Return the number of frames from the beginning that two lines have in common."""
        mine = Runs((*self.runs, (length, -1)))
        theirs = Runs((*other.runs, (other_length, -2)))
        for (start, run), (other_start, other_run) in zip(mine, theirs, strict=False):
            if run != other_run or start != other_start:
                return min(start, other_start)
        return min(length, other_length)

    def thin(self, budget_bytes: int) -> list[Keyframe]:
        """Drop and return unpinned keyframes until the rest fit; older ones get larger gaps."""
        dropped: list[Keyframe] = []
        excess = sum(k.size_bytes for k in self.keyframes.values() if not k.pinned) - budget_bytes
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
