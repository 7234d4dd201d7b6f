"""Single tests of one number: those that hold near marked ends and never before, and others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.condition import EndTest, RecordedNumber
from integrator.domain.ends.marked import MarkedPlay, Mask
from integrator.domain.scenario.ops import OPS
from integrator.domain.scenario.tree import Measurement, TestSpec
from integrator.domain.values.datatype import DataType

Ints = NDArray[np.int64]

_MOST_VALUES: Final = 6
"""So many values of one number are tried; more of them are new near an end only in noise."""
_SIGNED: Final = DataType.parse("|i1")
_OFTEN: Final = 0.9
_LOWEST: Final = 9
"""Lives and clocks run out near zero; a number that falls by one elsewhere may be a position."""


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """A test with the frames on which it holds, bool (frames,), and their fit to the marks."""

    test: EndTest
    holds: Mask
    late: tuple[int | None, ...]
    false_alarms: tuple[int, ...]
    variety: int
    """The number of different values that the number has before the ends."""
    counts_down: bool
    """The number fell by one to the tested value, a small one, at most marks."""

    @property
    def exact(self) -> bool:
        """True when the test holds at every mark and never before one."""
        return not self.false_alarms and None not in self.late


def single_tests(column: RecordedNumber, play: MarkedPlay) -> Iterator[Tested]:
    """Tests of a number's value and of its change that hold near some mark."""
    for measurement in (Measurement.ABSOLUTE, Measurement.DELTA):
        values = column.values
        if measurement is Measurement.DELTA:
            values = play.changes(values)
        before = values[play.before]
        if not len(before) or values.min() == values.max():
            continue
        variety = len(np.unique(before))
        asked = dict.fromkeys([*_new_values(values, before, play), *_values_at(values, play)])
        for op, reference in asked:
            spec = TestSpec(column.name, measurement, OPS[op], reference)
            holds = spec.op.apply(values, reference).astype(np.bool_)
            if np.count_nonzero(holds & play.before) > _OFTEN * len(before):
                continue
            late = play.late(holds)
            if any(each is not None for each in late):
                yield Tested(
                    _as_test(column, spec),
                    holds,
                    late,
                    play.false_alarms(holds),
                    variety,
                    measurement is Measurement.ABSOLUTE
                    and abs(reference) <= _LOWEST
                    and _counts_down(values, late, play),
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
