"""The traits of numbers that change now and then: steps, times, and the place on the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import exp
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.drawn import Drawn, find_drawn
from integrator.domain.suggest.numbers import (
    Number,
    bit_fields,
    decoded,
    lit_bits,
    slow_numbers,
)
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.screen import ScreenNumber
from integrator.domain.suggest.solving import KeptNumber, solutions_of
from integrator.domain.values.datatype import DataType

_FEWEST_RECORDS: Final = 3
_SEEN: Final = 0.4
"""From this agreement on, a number is seen to be drawn in one place."""


@dataclass(frozen=True, slots=True)
class Side:
    """The changes of a number in one direction: the commonest step, and its share of them.

    ``unrest`` is the middle size of a step in bits, in units of what all steps are multiples of.
    """

    count: int
    usual: int
    same: float
    steps: tuple[int, ...]
    unrest: float = 0.0

    @staticmethod
    def of(steps: NDArray[np.int64]) -> Side:
        """The side of these steps, all positive."""
        if not len(steps):
            return Side(0, 0, 0.0, ())
        values, counts = np.unique(steps, return_counts=True)
        common = values[np.argsort(-counts, kind="stable")]
        share = float(counts.max() / len(steps))
        unrest = float(np.log2(np.median(steps) / np.gcd.reduce(values)))
        return Side(len(steps), int(common[0]), share, tuple(common[:3].tolist()), unrest)


@dataclass(frozen=True, slots=True)
class Traits:
    """The way in which a number moves.

    ``up`` and ``down`` leave out ``restarts``, which put the number back to its first value.
    ``interval`` is the middle one between changes in frames, ``even`` the share of intervals that
    are as long. ``upheaval`` tells how much else jumps around the changes: 0 to 1, and ``renewal``
    around restarts. ``fresh`` is the share of changes to a value that the number did not have
    before. ``is_record``: the number keeps the highest value of another one, as high scores do.
    ``screen`` is the number on the screen that it explains.
    """

    number: Number
    drawn: Drawn
    up: Side
    down: Side
    restarts: int
    interval: float
    even: float
    upheaval: float
    fresh: float
    renewal: float = 0.0
    is_record: bool = False
    screen: tuple[ScreenNumber, KeptNumber] | None = None

    @property
    def read(self) -> float:
        """0 to 1: the share of proof in the digits that the screen shows of the number."""
        if self.screen is None:
            return 0.0
        return 1 - 0.5 ** (len(np.unique(self.screen[0].rests[1])) - 1)

    @property
    def is_seen(self) -> bool:
        """True for a number with a place on the screen."""
        return self.drawn.agreement >= _SEEN

    @property
    def count(self) -> int:
        """All changes."""
        return len(self.number.rows)

    @property
    def start(self) -> int:
        """The first value."""
        return int(self.number.values[0])

    @property
    def high(self) -> int:
        """The greatest value."""
        return int(self.number.values.max())

    @property
    def low(self) -> int:
        """The least value."""
        return int(self.number.values.min())


def traits_of(play: Play) -> list[Traits]:
    """The traits of each number that changes in the play, or that the screen shows."""
    every = chain(slow_numbers(play), bit_fields(play), lit_bits(play))
    numbers = [number for number in every if len(number.rows)]
    solved = solutions_of(play)
    known = {(number.place, number.type, number.mask) for number in numbers}
    numbers += [_number(play, *key) for key in solved if key not in known]
    places = find_drawn(play.cells, [number.events for number in numbers])
    rank = np.searchsorted(np.sort(play.upheaval), play.upheaval) / max(len(play.upheaval), 1)
    records = _Records(numbers)
    return [
        replace(
            _traits(number, place, rank),
            is_record=records.has(number),
            screen=solved.get((number.place, number.type, number.mask)),
        )
        for number, place in zip(numbers, places, strict=True)
    ]


def _number(play: Play, place: int, data_type: DataType, mask: int | None) -> Number:
    values = decoded(play, place, data_type)
    if mask is not None:
        values = (values & mask) // (mask & -mask)
    return Number(place, data_type, values, play.steady, mask)


class _Records:
    """Tells numbers that keep the highest value of another one from all others."""

    def __init__(self, numbers: Sequence[Number]) -> None:
        self._numbers = numbers
        self._counts = np.array([len(number.rows) for number in numbers])
        # One row a frame, so that all numbers of a frame lie together.
        values = [number.values.astype(np.int32) for number in numbers]
        self._table = np.stack(values, axis=1) if values else np.zeros((0, 0), np.int32)

    def has(self, number: Number) -> bool:
        """True for a number that only ever rises to what another, at most as high, has become."""
        rows = number.rows
        if len(rows) < _FEWEST_RECORDS or (number.steps < 0).any():
            return False
        after = number.values[rows]
        alike = self._counts > len(rows)
        for row, value in ((rows[0], after[0]), (rows[-1], after[-1])):
            alike &= self._table[row] == value
        others = (self._numbers[index].values for index in np.flatnonzero(alike).tolist())
        return any((each[rows] == after).all() and (each <= number.values).all() for each in others)


def _traits(number: Number, drawn: Drawn, upheaval: NDArray[np.float64]) -> Traits:
    rows, steps = number.rows, number.steps
    after = number.values[rows]
    back = (after == number.values[0]) & (np.abs(steps) > 1)
    gaps = np.diff(rows)
    middle = float(np.median(gaps)) if len(gaps) else 0.0
    alike = np.abs(gaps - middle) <= max(1.0, 0.02 * middle)
    _, first = np.unique(after, return_index=True)
    fresh = len(first) - bool((after == number.values[0]).any())
    return Traits(
        number,
        drawn,
        Side.of(steps[(steps > 0) & ~back]),
        Side.of(-steps[(steps < 0) & ~back]),
        int(back.sum()),
        middle,
        float(alike.mean()) if len(gaps) >= 3 else 0.0,
        float(upheaval[rows - 1].mean()),
        fresh / len(rows),
        float(upheaval[rows[back] - 1].mean()) if back.any() else 0.0,
    )


def times_of(count: int) -> str:
    """A count in words."""
    return "once" if count == 1 else f"{count} times"


@dataclass(frozen=True, slots=True)
class WeighedEvidence:
    """One measure of a number, and the log-odds that each unit of it adds."""

    weight: float
    measure: Callable[[Traits], float]


@dataclass(frozen=True, slots=True)
class EvidenceOfKind:
    """All evidence for one kind, by name. ``bias`` is the log-odds without any.

    ``may_be`` is false for numbers that are never of the kind. ``unfitted`` are log-odds that no
    game for tuning tells of.
    """

    evidence: Mapping[str, WeighedEvidence]
    bias: float
    may_be: Callable[[Traits], bool]
    unfitted: Callable[[Traits], float]

    def weigh(self, t: Traits) -> float:
        """The likelihood, 0 to 1, that the number is of the kind."""
        if not self.may_be(t):
            return 0.0
        odds = self.bias + self.unfitted(t)
        odds += sum(each.weight * each.measure(t) for each in self.evidence.values())
        return 1 / (1 + exp(-odds))
