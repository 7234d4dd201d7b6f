"""Facts of ``bench_facts``, drawn at random as people state them: exact, off, late, and scaled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.facts import Equals, Fact, parse_fact

_MOST_FACTS: Final = 4
_REST_FRAMES: Final = 20
"""A number that rests for less is gone before a person has read it."""
_ERROR_FRAMES: Final = 8
_ROUND_CONSTANTS: Final = (5, 9, 10, 20, 50, 60, 99, 100, 200, 255, 500, 1000)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Facts of one draw, and the shown number on frames 1 to the newest, which they are about."""

    facts: tuple[Fact, ...]
    shown: NDArray[np.int64]


Draw = Callable[[NDArray[np.int64], np.random.Generator], Question | None]
"""Facts about a variable's numbers; None when it showed too few different ones."""


def _rests(numbers: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Runs of frames [first, stop) in which a number rests long enough to be read."""
    starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1)) + 1
    stops = [*starts[1:].tolist(), len(numbers) + 1]
    runs = zip(starts.tolist(), stops, strict=True)
    return [(first, stop) for first, stop in runs if stop - first >= _REST_FRAMES]


def _numbers(
    shown: NDArray[np.int64], rng: np.random.Generator, *, error: int = 0
) -> Question | None:
    """Up to four numbers, different ones first, each at a frame on which the number rested."""
    rests = _rests(shown)
    chosen: list[tuple[int, int]] = []
    for index in rng.permutation(len(rests)).tolist():
        values = {int(shown[first - 1]) for first, _ in chosen}
        if len(chosen) < _MOST_FACTS and int(shown[rests[index][0] - 1]) not in values:
            chosen.append(rests[index])
    if len(chosen) < len(("one", "another")):
        return None
    while len(chosen) < _MOST_FACTS:
        chosen.append(rests[int(rng.integers(len(rests)))])
    facts = []
    for first, stop in chosen:
        seen = int(rng.integers(first, stop))
        said = seen + int(rng.integers(-error, error + 1))
        facts.append(Equals(min(max(said, 1), len(shown)), int(shown[seen - 1])))
    return Question(tuple(facts), shown)


def clean(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Four numbers at their frames."""
    return _numbers(numbers, rng)


def off(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Four numbers at frames up to eight off."""
    return _numbers(numbers, rng, error=_ERROR_FRAMES)


def late(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Up to four steps, ``512: 3 -> 2``, typed up to eight frames late."""
    rests = _rests(numbers)
    steps = [
        (after[0], int(numbers[before[0] - 1]), int(numbers[after[0] - 1]))
        for before, after in pairwise(rests)
        if before[1] == after[0]
    ]
    if not steps:
        return None
    chosen = [steps[i] for i in rng.permutation(len(steps))[:_MOST_FACTS].tolist()]
    facts = [
        parse_fact(f"{frame + int(rng.integers(_ERROR_FRAMES + 1))}: {before} -> {after}")
        for frame, before, after in chosen
    ]
    return Question(tuple(facts), numbers)


def times(factor: int) -> Draw:
    """Four numbers that the screen shows so many times as high."""
    return lambda numbers, rng: _numbers(numbers * factor, rng)


def down(numbers: NDArray[np.int64], rng: np.random.Generator) -> Question | None:
    """Four numbers that count down from a round one while memory counts up."""
    greatest = int(numbers.max())
    return _numbers(next(n for n in (*_ROUND_CONSTANTS, 10**6) if n >= greatest) - numbers, rng)


CASES: Final[dict[str, Draw]] = {
    "clean": clean,
    "frames +-8": off,
    "late steps": late,
    "x5": times(5),
    "x25": times(25),
    "x50": times(50),
    "n - x": down,
}
"""Every way to draw facts, by its name in the table."""
