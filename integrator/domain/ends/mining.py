"""Mines conditions that end episodes: tests of one number and pairs of tests, best first.

The cost of a condition is about the number of bits in which it is told: a condition costs more for
each mark that it misses and each false alarm, for bytes that nobody has named, for ops and values
that integrations seldom use, and for frames late. People mark an end after they have seen it, so
frames late count from the earliest change that comes with others at all marks alike.
"""

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.condition import EndCondition, EndTest, RecordedNumber
from integrator.domain.errors import SearchError
from integrator.domain.scenario.tree import OPS, Condition, Measurement, TestSpec
from integrator.domain.sweep.sets import Positions
from integrator.domain.values.datatype import DataType

Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]

BACK_FRAMES, AHEAD_FRAMES = 300, 30
"""An end lies at most so far before its mark, because people see an end before they mark it, or
after the mark, because they know that it comes."""
_AFTERMATH_FRAMES: Final = 600
"""For so long after an end, a condition may go on to hold: the title screen is no next episode."""


class MarkedPlay:
    """Frames 0, 1, ... of a line, its marks, and its jumps to other states.

    ``before`` is bool (frames,): frames on which no end may be. ``windows`` is intp (marks,
    frames around each): those in which the end lies; repeated where a jump or another mark is near.
    """

    def __init__(self, length: int, marks: Collection[int], jumps: Sequence[int]) -> None:
        """``jumps`` are the frames after which play went on from another state.

        Raises SearchError for a mark that is not on the line, or for none.
        """
        self.marks = tuple(sorted(set(marks)))
        if not self.marks:
            raise SearchError("no end is marked: mark a frame on which an episode ends")
        if not 1 <= self.marks[0] <= self.marks[-1] <= length:
            raise SearchError(f"an end must be one of the recorded frames, 1 to {length}")
        self.length = length
        self.before: Mask = np.ones(length + 1, np.bool_)
        self.steady: Mask = np.ones(length + 1, np.bool_)
        self.before[0] = self.steady[0] = False
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
            self.before[first : min(stop, mark + _AFTERMATH_FRAMES) + 1] = False

    def changes(self, values: Ints) -> Ints:
        """Each frame's change of a number, 0 where play jumped."""
        changed = np.zeros_like(values)
        changed[1:] = values[1:] - values[:-1]
        changed[~self.steady] = 0
        return changed

    def late(self, holds: Mask) -> tuple[int | None, ...]:
        """For each mark, the frames until a condition first holds near it; None if it does not."""
        found = holds[self.windows]
        first = self.windows[np.arange(len(self.marks)), found.argmax(axis=1)] - self.marks
        rows = range(len(self.marks))
        return tuple(int(first[row]) if found[row].any() else None for row in rows)

    def lasting(self, values: Ints | Mask, late: Sequence[int | None]) -> float:
        """The share of frames, from the first on which a condition holds, that a number rests.

        A countdown holds any of its values for a moment, and goes on.
        """
        spans = [
            values[mark + by : max(mark, mark + by + AHEAD_FRAMES) + 1]
            for mark, by in zip(self.marks, late, strict=True)
            if by is not None
        ]
        return float(np.mean([(span == span[0]).mean() for span in spans])) if spans else 0.0

    def share(self, holds: Mask) -> float:
        """The share of the frames before ends on which a condition holds."""
        return float(holds[self.before].mean()) if self.before.any() else 0.0

    def false_alarms(self, holds: Mask) -> tuple[int, ...]:
        """The first frames of the times that a condition holds before an end."""
        wrong = holds & self.before
        begins = wrong.copy()
        begins[1:] &= ~wrong[:-1]
        return tuple(np.flatnonzero(begins).tolist())


_MOST_VALUES: Final = 6
"""Values of one number that are tried; more of them are new near an end only in noise."""
_SIGNED: Final = DataType.parse("|i1")
_LOWEST: Final = 9
"""Lives and clocks run out near zero; a number that falls by one elsewhere may be a position."""


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """A test with the frames on which it holds, bool (frames,), and their fit to the marks.

    ``plain`` is the cost of the test by itself, and ``lasting`` the share of frames that it holds.
    """

    test: EndTest
    holds: Mask
    late: tuple[int | None, ...]
    false_alarms: tuple[int, ...]
    plain: float
    lasting: float
    share: float


def single_tests(column: RecordedNumber, play: MarkedPlay) -> Iterator[Tested]:
    """Tests of a number's value and of its change that hold near some mark."""
    for measurement in (Measurement.ABSOLUTE, Measurement.DELTA):
        values = column.values
        if measurement is Measurement.DELTA:
            values = play.changes(values)
        before = values[play.before]
        if not len(before) or values.min() == values.max():
            continue
        variety = 0.5 * math.log2(len(np.unique(before)))
        asked = dict.fromkeys([*_new_values(values, before, play), *_values_at(values, play)])
        for op, reference in asked:
            spec = TestSpec(column.name, measurement, OPS[op], reference)
            holds = spec.op.apply(values, reference).astype(np.bool_)
            late, share = play.late(holds), play.share(holds)
            if share <= 0.9 and any(each is not None for each in late):
                is_low = measurement is Measurement.ABSOLUTE and abs(reference) <= _LOWEST
                runs_out = is_low and _counts_down(values, late, play)
                yield Tested(
                    _as_test(column, spec),
                    holds,
                    late,
                    play.false_alarms(holds),
                    variety + _plain(spec) - 2.0 * runs_out,
                    play.lasting(values, late),
                    share,
                )


def _new_values(values: Ints, before: Ints, play: MarkedPlay) -> Iterator[tuple[str, int]]:
    """Questions to which only frames near marks say yes: ops with their references."""
    low, high = int(before.min()), int(before.max())
    near = values[play.windows]
    least, most = near.min(axis=1), near.max(axis=1)
    if (least < low).any():
        reference = int(least[least < low].max())
        if reference < 0 <= low:
            yield "negative", 0
        elif least.min() != reference or reference:
            yield "less-or-equal", reference
    if (most > high).any():
        yield "greater-or-equal", int(most[most > high].min())
    if low == high:
        yield ("not-equal", low) if low else ("nonzero", 0)
    new, counts = np.unique(near[~np.isin(near, before)], return_counts=True)
    hits = [int((near == value).any(axis=1).sum()) for value in new.tolist()]
    for place in np.lexsort((-counts, -np.array(hits)))[:_MOST_VALUES].tolist():
        yield _equal(int(new[place]))


def _values_at(values: Ints, play: MarkedPlay) -> Iterator[tuple[str, int]]:
    """Questions that the marked frames answer alike; other frames may say yes too."""
    at = values[list(play.marks)]
    if (at == at[0]).all():
        yield _equal(int(at[0]))
    elif (at < 0).all():
        yield "negative", 0
    elif (at > 0).all():
        yield "greater-or-equal", int(at.min())
    if (at != 0).all():
        yield "nonzero", 0


def _equal(value: int) -> tuple[str, int]:
    return ("equal", value) if value else ("zero", 0)


def _counts_down(values: Ints, late: tuple[int | None, ...], play: MarkedPlay) -> bool:
    """True when the number fell by one where the test began to hold, at most marks."""
    begins = [m + by for m, by in zip(play.marks, late, strict=True) if by is not None]
    falls = [values[frame - 1] - values[frame] == 1 for frame in begins if play.steady[frame]]
    return 2 * int(np.sum(falls)) > len(play.marks)


def _as_test(column: RecordedNumber, spec: TestSpec) -> EndTest:
    """A byte of 255 reads better as -1."""
    if column.name or spec.measurement is Measurement.DELTA or spec.reference != 255:
        return EndTest(spec, column.address, column.type)
    if spec.op.name != "equal":
        return EndTest(spec, column.address, column.type)
    signed = TestSpec("", spec.measurement, spec.op, -1)
    return EndTest(signed, column.address, _SIGNED)


_MOST_PAIRED, _MOST_EITHER, _MOST_ROWS, _MOST_PAIRS = 500, 40, 20_000, 4000
"""Tests and frames that pairs are made of, and pairs that are compared."""


def both(tests: Sequence[Tested], play: MarkedPlay) -> Iterator[tuple[Tested, Tested]]:
    """Pairs that hold together near every mark, and on no frame before.

    ``tests`` are the likeliest first; the others are left out when there are very many. Neither
    test of a pair is exact by itself: one without a false alarm begins at unequal times before the
    marks, as the last life does in short episodes.
    """
    partial = [
        each
        for each in tests
        if None not in each.late
        and (each.false_alarms or np.ptp(np.array(each.late, np.float64)) > AHEAD_FRAMES)
    ]
    partial = partial[:_MOST_PAIRED]
    if len(partial) < 2:
        return
    rows = np.flatnonzero(play.before & np.any([each.holds for each in partial], axis=0))
    if len(rows) > _MOST_ROWS:
        rows = rows[np.linspace(0, len(rows) - 1, _MOST_ROWS).astype(np.intp)]
    held = np.stack([each.holds[rows] for each in partial], axis=1).astype(np.float32)
    together = held.T @ held == 0
    met = np.ones_like(together)
    for window in play.windows:
        near = np.stack([each.holds[window] for each in partial], axis=1).astype(np.float32)
        met &= near.T @ near > 0
    places = np.array([each.test.address for each in partial])
    # A node of a scenario names a variable once.
    apart = places[:, np.newaxis] != places
    found = np.argwhere(np.triu(together & met & apart, 1))
    # The likeliest tests stand first, so a small sum of places is a likely pair.
    order: NDArray[np.intp] = np.argsort(found.sum(axis=1), kind="stable")[:_MOST_PAIRS]
    for one, other in found[order].tolist():
        yield partial[one], partial[other]


def either(tests: Sequence[Tested]) -> Iterator[tuple[Tested, Tested]]:
    """Pairs of which neither holds before an end, and each mark is met by one of the two."""
    partial = [each for each in tests if not each.false_alarms and None in each.late]
    for one, other in combinations(partial[:_MOST_EITHER], 2):
        both_late = zip(one.late, other.late, strict=True)
        if one.test.address != other.test.address and all(
            a is not None or b is not None for a, b in both_late
        ):
            yield one, other


MOST_PLACES: Final = 600
_SAMPLES: Final = 200


def likely_places(
    ram_at: Callable[[int], NDArray[np.uint8]], changed: Positions, play: MarkedPlay
) -> Positions:
    """At most ``MOST_PLACES`` of the ascending ``changed`` places, which are logical indexes.

    ``ram_at`` gives RAM after a frame, in logical order. The places kept are those that seldom have
    a value of the marked frames at other times.
    """
    if len(changed) <= MOST_PLACES:
        return changed
    ends = [ram_at(mark)[changed] for mark in play.marks]
    low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
    before = np.flatnonzero(play.before)
    rows = np.unique(before[np.linspace(0, len(before) - 1, _SAMPLES).astype(np.intp)])
    often = np.zeros(len(changed), np.int64)
    for row in rows.tolist():
        ram = ram_at(row)[changed]
        often += (low <= ram) & (ram <= high)
    chosen = np.argsort(often, kind="stable")[:MOST_PLACES]
    return changed[np.sort(chosen)]


LISTED: Final = 20
_MOST_TESTS: Final = 1500
"""Each keeps the frames on which it holds."""
_OPS: Final = {"zero": 0.0, "negative": 0.0, "equal": 1.5, "nonzero": 1.0, "positive": 1.5}
_TOGETHER_FRAMES, _A_PART = 8, 0.3
"""Numbers that change within so few frames change together, as this part of the most do."""
_MISS, _ALARM, _RAW, _PAIR, _DELTA = 8.0, 6.0, 4.0, 3.0, 2.0
_LATE, _FROM_MARK, _BRIEF, _HELD = 1.5, 0.5, 3.0, 6.0
"""Costs of frames late, of frames from the mark, of a test that holds for a moment only, and of a
false alarm that never stops."""


def mine(
    variables: Iterable[RecordedNumber], raw: Iterable[RecordedNumber], play: MarkedPlay
) -> list[EndCondition]:
    """The likeliest conditions, best first: of variables, and of raw bytes beside them."""
    made = (test for column in chain(variables, raw) for test in single_tests(column, play))
    rough = heapq.nsmallest(_MOST_TESTS, made, key=lambda each: _cost(each, np.zeros(0)))
    ends = _ends(rough, play)
    tests = sorted(rough, key=lambda each: _cost(each, ends))
    found: list[tuple[float, EndCondition, Mask]] = [
        (
            _cost(each, ends),
            EndCondition((each.test,), Condition.ANY, each.late, each.false_alarms),
            each.holds,
        )
        for each in tests
    ]
    found += _joined(both(tests, play), Condition.ALL, play, ends)
    found += _joined(either(tests), Condition.ANY, play, ends)
    found.sort(key=lambda each: each[0])
    return _distinct(found)


def _ends(tests: Sequence[Tested], play: MarkedPlay) -> NDArray[np.float64]:
    """For each mark, the frames to the end that it means, by the tests that hold at all ends alike.

    At an end, many numbers change one after another, always with the same pauses. By chance, a
    number changes at each end with another pause. In the largest such group, the end is the
    earliest moment at which a good part of them change, unless some change at the very marks: such
    marks are exact.
    """
    groups: dict[tuple[int, ...], dict[int, int]] = {}
    for each in tests:
        met = [late for late in each.late if late is not None]
        if len(met) == len(each.late) and not each.false_alarms and each.lasting > 0.9:
            pauses = tuple(late - met[0] for late in met)
            first = groups.setdefault(pauses, {})
            first[each.test.address] = min(met[0], first.get(each.test.address, met[0]))
    if not groups:
        return np.zeros(len(play.marks))
    pauses, firsts = max(groups.items(), key=lambda each: len(each[1]))
    began = np.array(sorted(firsts.values()))
    together = np.searchsorted(began, began + _TOGETHER_FRAMES, "right") - np.arange(len(began))
    earliest = began[np.argmax(together >= _A_PART * together.max())]
    is_exact = not any(pauses) and 0 in began
    return np.array(pauses) + (0.0 if is_exact else float(earliest))


def _joined(
    pairs: Iterator[tuple[Tested, Tested]],
    condition: Condition,
    play: MarkedPlay,
    ends: NDArray[np.float64],
) -> Iterator[tuple[float, EndCondition, Mask]]:
    for one, other in pairs:
        every = condition is Condition.ALL
        holds = one.holds & other.holds if every else one.holds | other.holds
        late = play.late(holds)
        if None not in late:
            alarms, plain = play.false_alarms(holds), _PAIR + one.plain + other.plain
            lasting, share = play.lasting(holds, late), play.share(holds)
            joint = Tested(one.test, holds, late, alarms, plain, lasting, share)
            tests = (one.test, other.test)
            yield _cost(joint, ends), EndCondition(tests, condition, late, alarms), holds


def _distinct(found: Sequence[tuple[float, EndCondition, Mask]]) -> list[EndCondition]:
    """The first conditions that hold on different frames, each with the number of those alike."""
    kept: dict[tuple[object, ...], EndCondition] = {}
    alike: dict[tuple[object, ...], int] = {}
    for _, condition, holds in found:
        key = (np.packbits(holds).tobytes(), *sorted({each.address for each in condition.tests}))
        if key in kept:
            alike[key] += 1
        elif len(kept) < LISTED:
            kept[key], alike[key] = condition, 0
    return [
        EndCondition(each.tests, each.condition, each.late, each.false_alarms, alike[key])
        for key, each in kept.items()
    ]


def _cost(tested: Tested, ends: NDArray[np.float64]) -> float:
    """The cost of a condition: of misses, false alarms, frames late, and of the tests themselves.

    ``ends`` are the frames from each mark to its end; without any, only marks count.
    """
    met = np.array([n for n, each in enumerate(tested.late) if each is not None], np.intp)
    late = np.array([each for each in tested.late if each is not None], np.float64)
    from_end = late - (ends[met] if len(ends) else 0.0)
    cost = tested.plain + _MISS * (len(tested.late) - len(late)) + _HELD * tested.share
    cost += _ALARM * math.log2(1 + len(tested.false_alarms)) + _BRIEF * (1 - tested.lasting)
    if len(late):
        cost += _LATE * math.log2(1 + abs(float(np.median(from_end))))
        cost += _FROM_MARK * math.log2(1 + abs(float(np.median(late))))
        cost += math.log2(1 + float(np.ptp(from_end)))
    return cost


def _plain(spec: TestSpec) -> float:
    """The cost of a test by its op, measurement, and a number that nobody has named."""
    cost = _OPS.get(spec.op.name, 2.5)
    return cost + _DELTA * (spec.measurement is Measurement.DELTA) + _RAW * (not spec.name)
