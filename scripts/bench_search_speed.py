"""Speed of the RAM search on 8 MiB, the memory of the largest console.

Times are processor time of the one thread that works, so that a busy machine changes them little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.commands.bench import quickest
from integrator.domain.search.search import Search
from integrator.domain.values.memory import AddressSpace, Region
from integrator.session.searches import query_types
from integrator.session.setup.roots import systems

LARGE_BYTES: Final = 8 << 20
COPIES: Final = 20
_REPEATS: Final = 3
_MILLISECONDS: Final = 1000

Step = tuple[str, Any]
FIRST: Final[tuple[Step, ...]] = (
    ("changed", None),
    ("unchanged", None),
    ("increased", None),
    ("equal", 1200),
    ("increased-by", 10),
)
AFTERWARDS: Final[tuple[Step, ...]] = (
    *FIRST,
    ("greater-than", 100),
    ("in-range", (1, 99)),
    ("different-by", 1),
    ("bit-set", 3),
    ("modulo", (10, 0)),
)


@dataclass(frozen=True, slots=True)
class LargeStep:
    """One comparison on 8 MiB: milliseconds, and the ratio to copying the memory 20 times.

    ``first`` ones have every address left, the others the addresses that "unchanged" leaves, nearly
    all."""

    op: str
    first: bool
    scales: bool
    milliseconds: float
    ratio: float


def measure_large() -> list[LargeStep]:
    """Comparisons over every type of the console with most memory, all of it in use."""
    descriptor = systems()["N64"]
    types = query_types(descriptor.types, LARGE_BYTES)
    space = AddressSpace([Region(0, LARGE_BYTES)])
    before, now = _memories()
    found = []
    for scales in (False, True):
        for first, steps in ((True, FIRST), (False, AFTERWARDS)):
            search = Search(space, types, lambda: now, scales=scales)
            search.start_from_now(before)
            if not first:
                search.refine("unchanged")
                search.start_from_now(before)
            found += [_large_step(search, step, before, first=first) for step in steps]
    return found


def _large_step(search: Search, step: Step, before: NDArray[np.uint8], *, first: bool) -> LargeStep:
    op, value = step
    copying = quickest(lambda: [before.copy() for _ in range(COPIES)], _REPEATS)
    seconds = quickest(lambda: search.plan(op, value).count, _REPEATS)
    milliseconds = round(seconds * _MILLISECONDS, 1)
    return LargeStep(op, first, search.has_scales, milliseconds, round(seconds / copying, 2))


def _memories() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A quarter empty, a quarter small numbers, half data; of the latter, some then changes."""
    rng = np.random.default_rng(3)
    quarter = LARGE_BYTES // 4
    before = np.zeros(LARGE_BYTES, np.uint8)
    before[quarter : 2 * quarter] = rng.integers(0, 8, quarter)
    before[2 * quarter :] = rng.integers(0, 256, 2 * quarter)
    now = before.copy()
    words = rng.integers(0, LARGE_BYTES // 8, LARGE_BYTES // 4000)[:, None] * 8 + np.arange(8)
    now[words] += rng.integers(0, 20, words.shape).astype(np.uint8)
    return before, now
