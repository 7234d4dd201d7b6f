"""Judges numbers that change now and then: score, lives, timer, level and health."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.drawn import Drawn, find_drawn
from integrator.domain.suggest.encoded import bit_fields, pointed_digits
from integrator.domain.suggest.numbers import Number, fast_decimals, slow_numbers
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import Guess, Kind

_LISTED: Final = 12
_USUAL_DIGITS: Final = 6
_FEWEST_PARTS: Final = 20
_DRAWN_LATE: Final = 8
_WITH_SHARE: Final = 0.7
_CALM_BITS: Final = 3.0
"""Scores grow by few units of points at a time; more bits look like noise."""
_SEEN: Final = 0.4
"""From this agreement on, a reason says where a number is drawn."""


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
    are as long. ``upheaval`` tells how much else jumps around the changes: 0 to 1. ``fresh`` is the
    share of changes to a value that the number did not have before.
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

    @property
    def is_rising(self) -> bool:
        """False for a decimal number that mostly falls, and borrows."""
        return not self.number.borrows or self.up.count > self.down.count

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


def find_counters(play: Play) -> Iterator[Guess]:
    """The likeliest numbers of each kind, a few of each."""
    every = chain(slow_numbers(play), fast_decimals(play), bit_fields(play), pointed_digits(play))
    numbers = _without_drawn([number for number in every if len(number.rows)])
    places = find_drawn(play.cells, [number.events for number in numbers])
    rank = np.searchsorted(np.sort(play.upheaval), play.upheaval) / max(len(play.upheaval), 1)
    traits = [_traits(*each, rank) for each in zip(numbers, places, strict=True)]
    for kind, (weigh, explain) in _KINDS.items():
        weighed = [(weigh(each), each) for each in traits if each.number.may_be(kind)]
        weighed.sort(key=lambda pair: -pair[0])
        for weight, each in _apart(weighed):
            drawn = each.drawn if each.drawn.agreement >= _SEEN else None
            place = f", drawn {drawn.place}" if drawn is not None else ""
            number = each.number
            yield Guess(
                kind,
                number.place,
                number.type,
                min(weight, 0.99),
                explain(each) + place,
                drawn,
                number.mask,
            )


def _without_drawn(numbers: Sequence[Number]) -> list[Number]:
    """All numbers but rows of pointers that move with a decimal number: it is drawn by them."""
    pointers = {number.place for number in numbers if number.unit > 1}
    decimals = [
        number
        for number in numbers
        if number.type.kind in "dn"
        and pointers.isdisjoint(range(number.place, number.place + number.type.width))
    ]

    def is_drawn(row: Number) -> bool:
        soon = np.zeros(len(row.values), np.bool_)
        soon[np.maximum(row.rows[:, None] - np.arange(_DRAWN_LATE), 0)] = True
        return any(
            len(each.rows) <= 2 * len(row.rows)
            and soon[each.rows].sum() >= _WITH_SHARE * len(row.rows)
            for each in decimals
        )

    return [each for each in numbers if each.unit == 1 or not each.carries or not is_drawn(each)]


def _apart(weighed: list[tuple[float, Traits]]) -> Iterator[tuple[float, Traits]]:
    """The best reading of each byte."""
    taken: set[int] = set()
    listed = 0
    for weight, each in weighed:
        number = each.number
        if weight > 0 and listed < _LISTED and not number.places & taken:
            taken |= number.places
            listed += 1
            yield weight, each


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
    )


# -- the kinds ------------------------------------------------------------------------------


def _score(t: Traits) -> float:
    """A score goes up, in few different steps, at no even times; a restart puts it back to 0.

    A decimal number that falls and borrows may be one that play costs.
    """
    runs = t.restarts + 1
    side, other = (t.up, t.down) if t.is_rising else (t.down, t.up)
    if not side.count or side.count < 2 * t.restarts:
        return 0.0
    weight = side.count / (side.count + 3 * other.count + 0.5)
    weight *= side.count / (side.count + 1)
    weight *= 0.3 + 0.7 * t.drawn.agreement
    weight *= 0.3 + 0.7 * min(1.0, t.fresh * runs)
    tens = [step % 5 == 0 for step in side.steps]
    weight *= 0.85 + 0.15 * sum(tens) / len(tens)
    weight *= 1.0 if t.number.type.kind != "u" else 0.75
    weight *= 1.0 + 0.2 * min(t.number.carries, 2)
    digits = t.number.type.width * (1 if t.number.type.kind == "n" else 2)
    weight *= 0.9 + 0.1 * min(1.0, digits / _USUAL_DIGITS)
    weight *= 1.0 if t.start == 0 else 0.6
    weight *= 1.0 if t.is_rising else 0.8
    weight *= _CALM_BITS / max(_CALM_BITS, side.unrest)
    weight *= 0.5 if t.even > 0.8 and t.count > 8 else 1.0
    weight *= 0.5 if t.restarts and t.high < 10 else 1.0
    weight *= 0.8 if t.drawn.agreement >= _SEEN and t.drawn.is_inside else 1.0
    weight *= 0.7 if t.count > 0.05 * len(t.number.values) else 1.0
    return weight * (0.8 if t.high <= 2 else 1.0)


def _lives(t: Traits) -> float:
    """Lives fall by one now and then, from their highest number, while much else jumps."""
    if not t.down.count or t.count > 40 or t.number.type.width > 1:
        return 0.0
    high = t.high - t.low if t.low < 0 else t.high
    weight = t.down.same * t.down.count / (t.down.count + 0.5)
    weight *= t.down.count / (t.down.count + 1.5 * t.up.count)
    weight *= min(1.0, t.down.count / (1.6 * max(t.restarts, 1)))
    weight *= 0.35 + 0.65 * t.drawn.agreement
    weight *= 0.5 + 0.5 * t.upheaval
    weight *= 1.0 if high <= 9 else 0.4
    weight *= 0.4 if high <= 1 else 1.0
    weight *= 1.0 if t.down.usual == 1 else 0.5
    weight *= 1.0 if t.start == t.high else 0.5
    weight *= 0.5 if 0 < t.interval < 60 else 1.0
    weight *= 0.6 if t.even > 0.7 else 1.0
    weight *= 1.0 if t.number.mask is None else 0.5
    return weight * (1.0 if t.number.type.kind != "d" else 0.9)


def _timer(t: Traits) -> float:
    """A timer goes one way, by one, after even times."""
    side = max(t.up, t.down, key=lambda side: side.count)
    if t.number.is_fast:
        return _fast_timer(t)
    if t.count < 4 or t.interval < 2:
        return 0.0
    weight = t.even * side.count / t.count * side.same
    weight *= 0.4 + 0.6 * t.drawn.agreement
    weight *= 1.0 if t.interval >= 20 else 0.6
    weight *= 1.0 if t.number.type.width == 1 else 0.9
    weight *= 1.0 if t.number.type.kind == "d" else 0.8
    return weight * (1.0 if side.usual == 1 else 0.6)


def _fast_timer(t: Traits) -> float:
    """Parts of a second are decimal, and move on by one or two on most frames."""
    if len(np.unique(t.number.values)) < _FEWEST_PARTS:
        return 0.0
    steps = t.number.steps
    even = max(float(np.isin(way * steps % 100, (1, 2)).mean()) for way in (1, -1))
    return even * (0.4 + 0.6 * t.drawn.agreement) * 0.8


def _level(t: Traits) -> float:
    """A level goes up by one, seldom, while much else jumps."""
    if not t.up.count or t.count > 10:
        return 0.0
    weight = t.up.same * t.up.count / (t.up.count + 3 * t.down.count + 0.5)
    weight *= 1.0 if t.up.usual == 1 and t.high <= 99 else 0.3
    weight *= 0.4 + 0.6 * t.upheaval
    weight *= 0.5 if t.restarts > t.up.count else 1.0
    return weight * (0.6 + 0.4 * t.drawn.agreement) * 0.8


def _health(t: Traits) -> float:
    """Health falls in small steps more often than lives, and is filled up again."""
    if t.down.count < 4 or t.down.count <= t.up.count or t.high < 8:
        return 0.0
    weight = t.down.count / (t.down.count + 2 * t.up.count + 1)
    weight *= 1.0 if t.start == t.high else 0.5
    weight *= 0.3 + 0.7 * t.drawn.agreement
    weight *= 0.6 if t.even > 0.8 else 1.0
    return weight * t.down.same * 0.8


def _steps(sign: str, side: Side) -> str:
    return ", ".join(f"{sign}{step}" for step in side.steps)


def _score_words(t: Traits) -> str:
    if not t.is_rising:
        return f"{_steps('-', t.down)}, falls with all its digits"
    falls = "never falls" if not t.down.count else f"falls {_times(t.down.count)}"
    unit = t.number.unit
    digits = f"; one digit of several, each kept times {unit}" if unit > 1 else ""
    return f"{_steps('+', t.up)}, {falls}{digits}"


def _lives_words(t: Traits) -> str:
    unit, mask = t.number.unit, t.number.mask
    kept = "" if mask is None else f", in the bits 0x{mask:02X} of its byte"
    kept = f", kept times {unit}" if unit > 1 else kept
    return f"falls by {t.down.usual}, {_times(t.down.count)}, from {t.start}{kept}"


def _timer_words(t: Traits) -> str:
    if t.number.is_fast:
        return "parts of a second, which move on nearly each frame"
    side, sign = (t.up, "+") if t.up.count > t.down.count else (t.down, "-")
    return f"{sign}{side.usual} every {t.interval:.0f} frames"


def _level_words(t: Traits) -> str:
    return f"+{t.up.usual}, {_times(t.up.count)}, while much else changes"


def _health_words(t: Traits) -> str:
    refilled = f", filled up {_times(t.restarts + t.up.count)}" if t.restarts + t.up.count else ""
    return f"falls by {t.down.usual}, {_times(t.down.count)}{refilled}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


_KINDS: Final[dict[Kind, tuple[Callable[[Traits], float], Callable[[Traits], str]]]] = {
    "score": (_score, _score_words),
    "lives": (_lives, _lives_words),
    "timer": (_timer, _timer_words),
    "level": (_level, _level_words),
    "health": (_health, _health_words),
}
