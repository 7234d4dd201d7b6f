"""Pairs of tests of which both, or either, hold at marked ends and never before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.marked import MarkedPlay
from integrator.domain.ends.singles import Tested

_MOST_TESTS: Final = 500
_MOST_ROWS: Final = 20_000
_MOST_EITHER: Final = 40
_HITS_TOGETHER: Final = 4000


def both(tests: Sequence[Tested], play: MarkedPlay) -> Iterator[tuple[Tested, Tested]]:
    """Pairs that hold together near every mark, and on no frame before.

    ``tests`` are the likeliest first; the others are left out when there are very many. Neither
    test of a pair is exact by itself.
    """
    partial = [each for each in tests if each.false_alarms and None not in each.late]
    partial = partial[:_MOST_TESTS]
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
    order: NDArray[np.intp] = np.argsort(found.sum(axis=1), kind="stable")[:_HITS_TOGETHER]
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
