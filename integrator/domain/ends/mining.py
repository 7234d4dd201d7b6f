"""Mines conditions that end episodes: tests of one number and pairs of tests, best first.
Conditions are ordered by the weighted sum of their traits. One trait is the distance from the
places where the ends may be."""

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.marks import (
    AHEAD_FRAMES,
    EndCondition,
    EndPlaces,
    EndTest,
    Ints,
    MarkedPlay,
    Mask,
    RecordedNumber,
)
from integrator.domain.scenario.tree import OPS, Condition, Measurement, TestSpec
from integrator.domain.sweep.sets import Positions
from integrator.domain.traits import Trait, measures_of, odds_of
from integrator.domain.values.memory import DataType


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tested(EndCondition):
    """A condition with the frames on which it holds, bool (frames,), and its fit to the marks.
    ``variety`` is the number of values that its numbers have before ends, in bits. ``runs_out`` is
    true if a number falls by one to the value of its test. ``lasting`` is the share of the next
    frames on which the number rests or, of two tests, the condition holds. ``away`` are the bits
    that the likely ends and delays speak against it."""

    holds: Mask
    lasting: float
    share: float
    variety: float
    runs_out: bool = False
    away: float = 0.0

    def ops(self, *names: str) -> int:
        return sum(test.spec.op.name in names for test in self.tests)


END_TRAITS: Final[tuple[Trait[Tested], ...]] = (
    Trait("misses", "It never holds near some marks.", lambda t: t.late.count(None)),
    Trait("alarms", "It also holds long before.", lambda t: math.log2(1 + len(t.false_alarms))),
    Trait("held", "It holds on a large share of the frames before ends.", lambda t: t.share),
    Trait("lasting", "Its number keeps its value after the end.", lambda t: t.lasting),
    Trait("away", "It begins far from the likely ends and delays (bits).", lambda t: t.away),
    Trait("second", "It has two tests.", lambda t: len(t.tests) - 1),
    Trait(
        "unnamed", "Its bytes are no variables.", lambda t: sum(not e.spec.name for e in t.tests)
    ),
    Trait(
        "change",
        "It tests the change of a number.",
        lambda t: sum(e.spec.measurement is Measurement.DELTA for e in t.tests),
    ),
    Trait("variety", "Its numbers have many values before ends.", lambda t: t.variety),
    Trait("runs_out", "A number falls by one to the tested value.", lambda t: t.runs_out),
    Trait("value", "It tests for one value that is not 0.", lambda t: t.ops("equal")),
    Trait(
        "bound",
        "It tests for values below, above or other than a number.",
        lambda t: t.ops("less-or-equal", "greater-or-equal", "not-equal"),
    ),
)
"""A value that lasts and a number that runs out, as lives do, speak for a condition. All other
traits speak against it: they are misses, false alarms, or less simple than what games test."""


def single_tests(column: RecordedNumber, play: MarkedPlay) -> Iterator[Tested]:
    for measurement in (Measurement.ABSOLUTE, Measurement.DELTA):
        is_delta = measurement is Measurement.DELTA
        values = play.changes(column.values) if is_delta else column.values
        before = values[play.before]
        if not len(before) or values.min() == values.max():
            continue
        variety = math.log2(len(np.unique(before)))
        asked = dict.fromkeys([*_new_values(values, before, play), *_values_at(values, play)])
        for op, reference in asked:
            spec = TestSpec(column.name, measurement, OPS[op], reference)
            holds = spec.op.apply(values, reference).astype(np.bool_)
            late, share = play.late(holds), play.share(holds)
            if share <= 0.9 and any(each is not None for each in late):
                is_low = not is_delta and abs(reference) < 10
                yield Tested(
                    tests=(_as_test(column, spec),),
                    condition=Condition.ANY,
                    holds=holds,
                    late=late,
                    false_alarms=play.false_alarms(holds),
                    lasting=play.lasting(values, late),
                    share=share,
                    variety=variety,
                    runs_out=is_low and _counts_down(values, late, play),
                )


def _new_values(values: Ints, before: Ints, play: MarkedPlay) -> Iterator[tuple[str, int]]:
    """Yield tests that hold only on frames near marks, as an operator and a reference."""
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
    # A number with more than six new values near ends is noise.
    for place in np.lexsort((-counts, -np.array(hits)))[:6].tolist():
        yield _equal(int(new[place]))


def _values_at(values: Ints, play: MarkedPlay) -> Iterator[tuple[str, int]]:
    """Yield tests that hold on all marked frames, and perhaps on others."""
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
    """Return True if, at over half of the marks, the number fell by one where the test begins."""
    begins = [m + by for m, by in zip(play.marks, late, strict=True) if by is not None]
    falls = [values[frame - 1] - values[frame] == 1 for frame in begins if play.steady[frame]]
    return 2 * int(np.sum(falls)) > len(play.marks)


def _as_test(column: RecordedNumber, spec: TestSpec) -> EndTest:
    is_byte = not column.name and spec.measurement is Measurement.ABSOLUTE
    if is_byte and spec.reference == 255 and spec.op.name == "equal":
        # A byte of 255 reads better as -1.
        return EndTest(replace(spec, reference=-1), column.address, DataType.parse("|i1"))
    return EndTest(spec, column.address, column.type)


def both(tests: Sequence[Tested], play: MarkedPlay) -> Iterator[tuple[Tested, Tested]]:
    """Yield pairs of tests that hold together near every mark, and on no frame before.

    ``tests`` are in order of likelihood, and only the first 500 that qualify are paired. Neither
    test of a pair may be exact alone: it has false alarms, or it begins at unequal times before
    the marks, as a test for the last life does in short episodes."""
    partial = [
        each
        for each in tests
        if None not in each.late
        and (each.false_alarms or np.ptp(np.array(each.late, np.float64)) > AHEAD_FRAMES)
    ]
    # The number of pairs, and of frames on which they are compared, is limited.
    partial = partial[:500]
    if len(partial) < 2:
        return
    rows = np.flatnonzero(play.before & np.any([each.holds for each in partial], axis=0))
    if len(rows) > 20_000:
        rows = rows[np.linspace(0, len(rows) - 1, 20_000).astype(np.intp)]
    held = np.stack([each.holds[rows] for each in partial], axis=1).astype(np.float32)
    together = held.T @ held == 0
    met = np.ones_like(together)
    for window in play.windows:
        near = np.stack([each.holds[window] for each in partial], axis=1).astype(np.float32)
        met &= near.T @ near > 0
    places = np.array([each.tests[0].address for each in partial])
    # A node of a scenario can name a variable only once.
    apart = places[:, np.newaxis] != places
    found = np.argwhere(np.triu(together & met & apart, 1))
    # The likeliest tests come first, so a pair with a small sum of indexes is likely.
    order: NDArray[np.intp] = np.argsort(found.sum(axis=1), kind="stable")[:4000]
    for one, other in found[order].tolist():
        yield partial[one], partial[other]


def either(tests: Sequence[Tested]) -> Iterator[tuple[Tested, Tested]]:
    """Yield pairs of tests without false alarms of which one or the other holds near each mark."""
    partial = [each for each in tests if not each.false_alarms and None in each.late]
    for one, other in combinations(partial[:40], 2):  # The 40 likeliest tests make 780 pairs.
        if one.tests[0].address != other.tests[0].address and all(
            a is not None or b is not None for a, b in zip(one.late, other.late, strict=True)
        ):
            yield one, other


MOST_PLACES: Final = 600


def likely_places(
    ram_at: Callable[[int], NDArray[np.uint8]], changed: Positions, play: MarkedPlay
) -> Positions:
    """Return at most ``MOST_PLACES`` of the ascending logical indexes ``changed``.

    ``ram_at`` returns RAM after a frame, in logical order. Places are kept if their values on the
    marked frames are rare on frames before."""
    if len(changed) <= MOST_PLACES:
        return changed
    ends = [ram_at(mark)[changed] for mark in play.marks]
    low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
    before = np.flatnonzero(play.before)
    rows = np.unique(before[np.linspace(0, len(before) - 1, 200).astype(np.intp)])
    often = np.zeros(len(changed), np.int64)
    for row in rows.tolist():
        ram = ram_at(row)[changed]
        often += (low <= ram) & (ram <= high)
    return changed[np.sort(np.argsort(often, kind="stable")[:MOST_PLACES])]


def mine(columns: Iterable[RecordedNumber], play: MarkedPlay) -> list[EndCondition]:
    """Return the likeliest conditions on variables and on raw bytes, best first."""
    return _distinct([condition for _, condition in weighed(columns, play)])


def weighed(columns: Iterable[RecordedNumber], play: MarkedPlay) -> list[tuple[float, Tested]]:
    """Return all conditions that were tried, with their log-odds, the likeliest first."""
    moved: list[Mask] = []

    def tested() -> Iterator[Tested]:
        for column in columns:
            moved.append(play.changes(column.values) != 0)
            yield from single_tests(column, play)

    # The number is limited, because each condition stores a mask of frames.
    made = heapq.nlargest(1500, tested(), key=_odds)
    if not made:
        return []
    begun = [each.late for each in made]
    likely = [each for _, each in _ordered(made, EndPlaces.of(begun, moved, play))]
    pairs = [(Condition.ALL, *each) for each in both(likely, play)]
    pairs += [(Condition.ANY, *each) for each in either(likely)]
    joint = list(filter(None, (_joined(*each, play) for each in pairs)))
    # A test for the last life may begin to hold long before the end. Together with another test,
    # it begins at the end, so pairs add further places.
    places = EndPlaces.of([*begun, *(each.late for each in joint)], moved, play)
    return _ordered([*made, *joint], places)


def _odds(condition: Tested) -> float:
    return float(odds_of(END_TRAITS, "end", measures_of(END_TRAITS, condition)))


def _ordered(conditions: Iterable[Tested], places: EndPlaces) -> list[tuple[float, Tested]]:
    placed = (replace(each, away=places.away(each.late)) for each in conditions)
    return sorted(((_odds(each), each) for each in placed), key=lambda each: -each[0])


def _joined(condition: Condition, one: Tested, other: Tested, play: MarkedPlay) -> Tested | None:
    """Return two tests as one condition, or None if it misses a mark."""
    join = np.logical_and if condition is Condition.ALL else np.logical_or
    holds = join(one.holds, other.holds)
    late = play.late(holds)
    if None in late:
        return None
    return Tested(
        tests=one.tests + other.tests,
        condition=condition,
        holds=holds,
        late=late,
        false_alarms=play.false_alarms(holds),
        lasting=play.lasting(holds, late),
        share=play.share(holds),
        variety=one.variety + other.variety,
        runs_out=one.runs_out or other.runs_out,
    )


def _distinct(found: Sequence[Tested]) -> list[EndCondition]:
    """Return the 20 likeliest different conditions, each with the number of those like it.
    Conditions are alike if they test the same addresses and hold on the same frames."""
    kept: dict[tuple[object, ...], Tested] = {}
    alike: Counter[tuple[object, ...]] = Counter()
    for each in found:
        key = (np.packbits(each.holds).tobytes(), *sorted({e.address for e in each.tests}))
        if key in kept:
            alike[key] += 1
        elif len(kept) < 20:
            kept[key] = each
    return [
        EndCondition(each.tests, each.condition, each.late, each.false_alarms, alike[key])
        for key, each in kept.items()
    ]
