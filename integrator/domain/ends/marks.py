"""Done conditions and their tests, play with marked ends, and moments that may be ends. A mark is
exact, or it is late by a delay of its own, because people mark an end after they have seen it. So
there are several places where the ends may be. Numbers that change there at every mark and seldom
elsewhere decide how likely each place is."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.scenario.tree import Condition, Measurement, TestSpec
from integrator.domain.values.memory import DataType

Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RecordedNumber:
    """A number over all recorded frames: ``values`` is int64 (frames,). ``name`` is the name of the
    variable, empty for a raw byte that is no variable."""

    name: str
    address: int
    type: DataType
    values: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class EndTest:
    """A test of a number. ``spec.name`` is empty for a byte that is no variable."""

    spec: TestSpec
    address: int
    type: DataType

    def __str__(self) -> str:
        name = self.spec.name or f"0x{self.address:X} ({self.type})"
        if self.spec.measurement is Measurement.DELTA:
            name = f"change of {name}"
        op = self.spec.op.name or "positive"
        reference = f" {self.spec.reference}" if self.spec.op.needs_reference else ""
        return f"{name} {op}{reference}"


@dataclass(frozen=True, slots=True)
class EndCondition:
    """A likely done condition: ``tests``, of which any or all have to hold. ``late`` has, for each
    mark, the frames from the mark to the first frame near it on which the condition holds. The
    number is negative if that frame is before the mark, and None if there is no such frame.
    ``false_alarms`` are the first frames of the times in which the condition holds long before any
    mark. ``alike`` counts further conditions that hold on the same frames."""

    tests: tuple[EndTest, ...]
    condition: Condition
    late: tuple[int | None, ...]
    false_alarms: tuple[int, ...]
    alike: int = 0

    @property
    def exact(self) -> bool:
        """True if the condition holds at every mark, and never long before one."""
        return not self.false_alarms and None not in self.late

    @property
    def frames_late(self) -> int:
        """The median of ``late``, 0 if the condition holds near no mark."""
        met = sorted(late for late in self.late if late is not None)
        return met[len(met) // 2] if met else 0

    def __str__(self) -> str:
        joint = " and " if self.condition is Condition.ALL else " or "
        return joint.join(map(str, self.tests))


def undecided(found: Sequence[EndCondition]) -> int:
    """Return the number of exact conditions if the marks are too few to choose one, else 0.

    Fewer than three marks are too few, because by chance some bytes fit any two ends. The
    conditions all hold on different frames."""
    exact = [each for each in found if each.exact]
    return len(exact) if len(exact) > 1 and len(exact[0].late) < 3 else 0


BACK_FRAMES, AHEAD_FRAMES = 300, 30
"""Most frames from an end back to its mark, because people mark an end after they have seen it, and
most frames ahead, because they may mark an end that they expect."""


class MarkedPlay:
    """A line of play from frame 0 on, with marks at its ends and jumps to other states. ``before``
    is a mask, bool (frames,), of the frames on which no episode ends. ``windows`` has the frames
    around each mark among which its end is, intp (marks, frames); where a jump or another mark is
    near, a frame is repeated. ``steady`` is false on frames that follow a jump."""

    def __init__(
        self, length: int, marks: Collection[int], jumps: Sequence[int], begin: int = 1
    ) -> None:
        """``jumps`` are the frames after which play went on from another state. The frames before
        ``begin`` may show a title, like those after an end, so they are left out of ``before``.

        Raises SearchError for a mark that is not on the line, or if there are no marks."""
        self.marks = tuple(sorted(set(marks)))
        if not self.marks:
            raise SearchError("no end is marked: name a frame on which an episode ends")
        if not 1 <= self.marks[0] <= self.marks[-1] <= length:
            raise SearchError(f"an end must be one of the recorded frames, 1 to {length}")
        self.length = length
        self.before: Mask = np.ones(length + 1, np.bool_)
        self.steady: Mask = np.ones(length + 1, np.bool_)
        self.before[: min(begin, 1 + self.marks[0] // 2)] = self.steady[0] = False
        starts = [frame + 1 for frame in jumps if frame < length]
        self.steady[starts] = False
        around = np.arange(-BACK_FRAMES, AHEAD_FRAMES + 1)
        self.windows = np.empty((len(self.marks), len(around)), np.intp)
        for row, mark in enumerate(self.marks):
            stop = min((frame for frame in jumps if frame >= mark), default=length)
            earlier = [each + AHEAD_FRAMES for each in self.marks[:row]]
            begin = max((each for each in starts if each <= mark), default=1)
            first = max(begin, mark - BACK_FRAMES, *earlier)
            self.windows[row] = np.clip(mark + around, min(first, mark), stop)
            # For ten seconds after an end, a condition may go on to hold: a title is no play.
            self.before[first : min(stop, mark + 600) + 1] = False

    def changes(self, values: Ints) -> Ints:
        """Return the change of a number since the frame before, 0 where play jumped."""
        changed = np.diff(values, prepend=values[:1])
        changed[~self.steady] = 0
        return changed

    def late(self, holds: Mask) -> tuple[int | None, ...]:
        """Return, for each mark, the frames to the first near frame that ``holds``, or None."""
        found = holds[self.windows]
        first = self.windows[np.arange(len(self.marks)), found.argmax(axis=1)] - self.marks
        return tuple(int(by) if near.any() else None for by, near in zip(first, found, strict=True))

    def lasting(self, values: Ints | Mask, late: Sequence[int | None]) -> float:
        """Return the share of frames on which a number keeps the value with which a test begins.

        The frames are those up to the mark, but at least 30. A countdown keeps no value for long.
        """
        spans = [
            values[mark + by : max(mark, mark + by + AHEAD_FRAMES) + 1]
            for mark, by in zip(self.marks, late, strict=True)
            if by is not None
        ]
        return float(np.mean([(span == span[0]).mean() for span in spans])) if spans else 0.0

    def share(self, holds: Mask) -> float:
        return float(holds[self.before].mean()) if self.before.any() else 0.0

    def false_alarms(self, holds: Mask) -> tuple[int, ...]:
        """Return the first frame of each time in which a condition holds before an end."""
        wrong = holds & self.before
        return tuple((np.flatnonzero(wrong[1:] & ~wrong[:-1]) + 1).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class EndPlaces:
    """Places where the ends may be, and how unlikely each place is. A place is a number of frames
    from each mark: ``late`` is int64 (places, marks). ``bits`` (places,) are the bits that speak
    against each place."""

    late: Ints
    bits: NDArray[np.float64]

    @classmethod
    def of(
        cls, begun: Sequence[tuple[int | None, ...]], moved: Sequence[Mask], play: MarkedPlay
    ) -> Self:
        """Return the places at which tests begin to hold, and the marks themselves as a place.

        ``begun`` has, for each test, the frames from the marks to where it begins to hold.
        ``moved`` are masks of the frames on which each number changes."""
        met = {each for each in begun if None not in each}
        late = np.array(sorted({(0,) * len(play.marks), *met}), np.int64)
        changes = np.stack(moved, axis=1)
        often = np.array([np.count_nonzero(each & play.before) for each in moved])
        seldom = -np.log2((often + 1) / (np.count_nonzero(play.before) + 1)) - 1
        at = np.clip(np.array(play.marks) + late, 0, play.length)
        gains = changes[at].all(axis=1) * seldom.clip(0)
        # Three numbers count, each half as much as the one before. A number counts for 7 bits at
        # most: one that changed only once is no surer than lives.
        best = np.sort(gains, axis=1)[:, :-4:-1].clip(max=7.0)
        bits = -best @ 0.5 ** np.arange(len(best.T)) * len(play.marks)
        rows, own = zip(*_first_events(late, gains.sum(axis=1), bits), strict=True)
        return cls(late[list(rows)], np.array(own))

    def away(self, late: Sequence[int | None]) -> float:
        """Return the bits against a condition that begins ``late`` frames from the marks."""
        met = [n for n, each in enumerate(late) if each is not None]
        if not met:
            return 0.0
        own = np.array([late[n] for n in met])
        apart = own - self.late[:, met]
        middle, spread = np.abs(np.median(apart, axis=1)), np.ptp(apart, axis=1)
        # Each doubling of the distance from the ends, or of its spread, costs a bit.
        bits = np.log2(1 + middle) + np.log2(1 + spread)
        away = np.logaddexp2.reduce(-self.bits) - np.logaddexp2.reduce(-self.bits - bits)
        return float(away + _delay_bits(own))


def _delay_bits(late: Ints) -> float:
    """Return the bits against marks of one person whose ends are ``late`` frames from them. People
    mark an end about 45 frames after it, by delays that differ as much, and seldom before it. All
    marks are exact more often than they have any other single combination of delays."""
    if not late.any():
        return -6.0
    mean = late.mean()
    apart = np.log2(1 + ((late - mean) / 45) ** 2).sum()
    return float(4 * np.log2(1 + ((mean + 45) / 45) ** 2) + 2 * apart + 6 * (late > 0).sum())


def _first_events(
    late: Ints, sizes: NDArray[np.float64], bits: NDArray[np.float64]
) -> Iterator[tuple[int, float]]:
    """Yield the row in ``late`` of each likely end, and its bits. Places that follow each other at
    the same pauses at all marks are a group, which has one end. At an end, many numbers change
    within 16 frames, while a countdown before it changes few. The end gets the fewest bits of any
    place within these 16 frames."""
    groups: dict[bytes, list[int]] = {}
    for row in np.argsort(late[:, 0], kind="stable").tolist():
        groups.setdefault((late[row] - late[row, 0]).tobytes(), []).append(row)
    for rows in groups.values():
        first, sums = late[rows, 0], np.append(0, np.cumsum(sizes[rows]))
        stops = np.searchsorted(first, first + 16, "right")
        together = sums[stops] - sums[:-1]
        # The end is where 16 frames first have at least 60% of the bits of the best 16 frames.
        at = int(np.argmax(together >= 0.6 * together.max()))
        yield rows[at], float(bits[rows[at : stops[at]]].min())


@dataclass(frozen=True, slots=True)
class EndMoment:
    """A frame on which an episode may have ended, the signs of it in words, and their weight."""

    frame: int
    reason: str
    weight: float


def propose(
    lives: dict[str, Ints], across: Ints | None, held: Mask, steady: Mask, dark: Mask
) -> list[EndMoment]:
    """Return the 12 likeliest moments of ends, in order of frames; the arrays begin with frame 0.

    ``lives`` are numbers by name, and ``across`` is the player's x. ``held`` is true while a
    direction is held, ``steady`` false where play jumped, and ``dark`` true for black pictures."""
    groups: list[list[EndMoment]] = []
    for sign in sorted(_signs(lives, across, held, steady, dark), key=lambda sign: sign.frame):
        # Signs of one end follow each other: lives fall, the picture goes black, the player jumps.
        if groups and sign.frame - groups[-1][-1].frame <= 90:
            groups[-1].append(sign)
        else:
            groups.append([sign])
    moments = []
    for group in groups:
        reasons = dict.fromkeys(sign.reason for sign in group)
        weight = sum(sign.weight for sign in group)
        moments.append(EndMoment(group[0].frame, ", ".join(reasons), weight))
    best = sorted(moments, key=lambda moment: -moment.weight)[:12]
    return sorted(best, key=lambda moment: moment.frame)


def _signs(
    lives: dict[str, Ints], across: Ints | None, held: Mask, steady: Mask, dark: Mask
) -> Iterator[EndMoment]:
    for name, values in lives.items():
        fell = np.flatnonzero((np.diff(values) < 0) & steady[1:]) + 1
        for frame in fell.tolist():
            before, after = int(values[frame - 1]), int(values[frame])
            # The last life counts most.
            weight = 4.0 if after == values.min() else 2.0
            yield EndMoment(frame, f"{name} {before} → {after}", weight)
    for frame in (np.flatnonzero(dark[1:] & ~dark[:-1]) + 1).tolist():
        yield EndMoment(frame, "the picture goes black", 2.0)
    if across is None:
        return
    far = np.flatnonzero((np.abs(np.diff(across)) >= 16) & steady[1:]) + 1  # At least 16 pixels.
    # A position that jumps more often than every 180 frames wraps around the screen.
    if len(far) * 180 <= len(across):
        for frame in far.tolist():
            yield EndMoment(frame, "the position jumps", 1.0)
    turns = np.flatnonzero(np.diff(across)) + 1
    for begin, end in pairwise([*turns.tolist(), len(across)]):
        # The player rests for 90 frames, although a direction is held on a third of them.
        if end - begin >= 90 and held[begin:end].mean() >= 1 / 3:
            yield EndMoment(begin, "input stops mattering", 1.5)
