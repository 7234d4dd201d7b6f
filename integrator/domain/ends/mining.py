"""Mines done conditions: single tests and pairs of variables, then of raw bytes, likeliest first.

The cost of a condition is about the number of bits in which it is told: a condition costs more for
each mark that it misses and each false alarm, for bytes that nobody has named, for ops and values
that integrations seldom use, and for frames late.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

import numpy as np

from integrator.domain.ends.condition import EndCondition, RecordedNumber
from integrator.domain.ends.marked import MarkedPlay, Mask
from integrator.domain.ends.pairs import both, either
from integrator.domain.ends.singles import Tested, single_tests
from integrator.domain.scenario.tree import Condition, Measurement

LISTED: Final = 20
_MOST_TESTS: Final = 1500
"""Each keeps the frames on which it holds."""
_OPS: Final = {"zero": 0.0, "negative": 0.0, "equal": 1.5, "nonzero": 1.0, "positive": 1.5}
_OTHER_OP: Final = 2.5
_WORDS: Final = (
    "live", "life", "dead", "death", "over", "done", "end", "terminal", "health", "energy", "hp",
    "time", "second", "minute", "flag", "state", "win", "won", "clear", "round",
)  # fmt: skip
_SELDOM: Final = ("score", "x", "y", "ball", "pos", "coin", "combo")
_MISS, _ALARM, _RAW, _PAIR, _DELTA, _LATE = 8.0, 6.0, 4.0, 3.0, 2.0, 1.5
_HELD: Final = 6.0
"""One false alarm may last for most of the play; this is the cost of one that never stops."""


def mine(
    variables: Iterable[RecordedNumber], raw: Iterable[RecordedNumber], play: MarkedPlay
) -> list[EndCondition]:
    """The likeliest conditions, best first: of variables, and of raw bytes beside them."""
    made = (test for column in chain(variables, raw) for test in single_tests(column, play))
    tests = heapq.nsmallest(_MOST_TESTS, made, key=lambda each: _rank(each, play))
    found: list[tuple[float, EndCondition, Mask]] = [
        (
            _rank(each, play),
            EndCondition((each.test,), Condition.ANY, each.late, each.false_alarms),
            each.holds,
        )
        for each in tests
    ]
    found += _joined(both(tests, play), Condition.ALL, play)
    found += _joined(either(tests), Condition.ANY, play)
    found.sort(key=lambda each: each[0])
    return _distinct(found)


def _joined(
    pairs: Iterator[tuple[Tested, Tested]], condition: Condition, play: MarkedPlay
) -> Iterator[tuple[float, EndCondition, Mask]]:
    for one, other in pairs:
        every = condition is Condition.ALL
        holds = one.holds & other.holds if every else one.holds | other.holds
        late, false_alarms = play.late(holds), play.false_alarms(holds)
        if None in late:
            continue
        fit = _fit(late, false_alarms, play.share(holds))
        cost = _PAIR + fit + _plain(one) + _plain(other)
        made = EndCondition((one.test, other.test), condition, late, false_alarms)
        yield cost, made, holds


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


def _rank(tested: Tested, play: MarkedPlay) -> float:
    return _fit(tested.late, tested.false_alarms, play.share(tested.holds)) + _plain(tested)


def _fit(late: Sequence[int | None], false_alarms: Sequence[int], share: float) -> float:
    """The cost of misses, false alarms, frames late and marks that are met unequally late.

    ``share`` is the part of the frames before ends that is false alarms.
    """
    met = [each for each in late if each is not None]
    middle = abs(sorted(met)[len(met) // 2]) if met else 0
    spread = max(met) - min(met) if met else 0
    wrong = math.log2(1 + len(false_alarms)) if false_alarms else 0.0
    return (
        _MISS * (len(late) - len(met))
        + _ALARM * wrong
        + _LATE * math.log2(1 + middle)
        + math.log2(1 + spread)
        + _HELD * share
    )


def _plain(tested: Tested) -> float:
    """The cost of a test by itself: its number, op, value and measurement."""
    spec = tested.test.spec
    cost = _OPS.get(spec.op.name, _OTHER_OP)
    if spec.measurement is Measurement.DELTA:
        cost += _DELTA
    if tested.counts_down:
        cost -= 2.0
    cost += 0.5 * math.log2(max(tested.variety, 1))
    name = spec.name.lower()
    if not name:
        return cost + _RAW
    if any(word in name for word in _WORDS):
        return cost - 1.0
    return cost + 3.0 * any(name.startswith(word) for word in _SELDOM)
