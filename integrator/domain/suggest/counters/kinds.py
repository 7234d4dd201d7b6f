"""Judges numbers that change now and then: score, lives, timer, level and health.

A kind is a row: the numbers that it may be, its words, and the fitted weights of all traits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp
from typing import Final

import numpy as np

from integrator.domain.suggest.counters.traits import TRAITS, Traits, times_of, traits_of
from integrator.domain.suggest.numbers import MOST_CHANGES
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import Guess, Kind
from integrator.domain.traits import measures_of, odds_of


@dataclass(frozen=True, slots=True)
class CounterKind:
    """A kind of number that changes now and then."""

    name: Kind
    may_be: Callable[[Traits], bool]
    explain: Callable[[Traits], str]

    def weigh(self, t: Traits) -> float:
        """The likelihood, 0 to 1, that the number is of the kind."""
        if not self.may_be(t):
            return 0.0
        return 1 / (1 + exp(-float(odds_of(TRAITS, self.name, measures_of(TRAITS, t)))))


def lives_words(t: Traits) -> str:
    """The reason for lives in words."""
    number = t.number
    if number.counts_bits:
        return f"its bits go out one by one, {times_of(t.down.count)}"
    kept = "" if number.mask is None else f", in the bits 0x{number.mask:02X} of its byte"
    return f"falls by {t.down.usual}, {times_of(t.down.count)}, from {t.start}{kept}"


def score_words(t: Traits) -> str:
    """The reason for a score in words."""
    falls = "never falls" if not t.down.count else f"falls {times_of(t.down.count)}"
    steps = ", ".join(f"+{step}" for step in t.up.steps)
    return f"{steps}, {falls}"


def _timer_words(t: Traits) -> str:
    side, sign = (t.up, "+") if t.up.count > t.down.count else (t.down, "-")
    return f"{sign}{side.usual} every {t.interval:.0f} frames"


def _level_words(t: Traits) -> str:
    return f"+{t.up.usual}, {times_of(t.up.count)}, while much else changes"


def _health_words(t: Traits) -> str:
    refilled = f", filled up {times_of(t.restarts + t.up.count)}" if t.restarts + t.up.count else ""
    return f"falls by {t.down.usual}, {times_of(t.down.count)}{refilled}"


_MOST_LEVELS: Final = 20
_FEWEST_SECONDS: Final = 4
_LEAST_HEALTH: Final = 4

COUNTERS: Final[dict[Kind, CounterKind]] = {
    row.name: row
    for row in (
        CounterKind("score", lambda t: t.up.count > 0 and not t.number.is_part, score_words),
        CounterKind(
            "lives",
            lambda t: 0 < t.down.count <= t.count <= MOST_CHANGES and t.number.type.width == 1,
            lives_words,
        ),
        CounterKind(
            "timer",
            lambda t: t.count >= _FEWEST_SECONDS and t.interval > 1 and not t.number.is_part,
            _timer_words,
        ),
        CounterKind(
            "level",
            lambda t: 0 < t.up.count <= t.count <= _MOST_LEVELS and not t.number.is_part,
            _level_words,
        ),
        CounterKind(
            "health",
            lambda t: t.down.count > 1 and t.high >= _LEAST_HEALTH and not t.number.is_part,
            _health_words,
        ),
    )
}


_LISTED: Final = 12
_LEAST: Final = 0.001


def find_counters(play: Play) -> Iterator[Guess]:
    """The likeliest numbers of each kind, a few of each."""
    traits = traits_of(play)
    table = np.array([measures_of(TRAITS, each) for each in traits]).reshape(
        len(traits), len(TRAITS)
    )
    for kind, row in COUNTERS.items():
        odds = odds_of(TRAITS, row.name, table)
        weighed = [
            (1 / (1 + exp(-each_odds)), each)
            for each_odds, each in zip(odds.tolist(), traits, strict=True)
            if row.may_be(each)
        ]
        weighed.sort(key=lambda pair: -pair[0])
        for weight, each in _apart(weighed):
            drawn = each.drawn if each.is_seen else None
            what = "drawn" if each.screen is None else "its digits"
            place = f", {what} {drawn.place}" if drawn is not None else ""
            if drawn is None and each.screen is not None:
                place = ", its digits on the screen"
            number = each.number
            yield Guess(
                kind,
                number.place,
                number.type,
                min(weight, 0.99),
                row.explain(each) + place,
                drawn,
                number.mask,
                None if each.screen is None else each.screen[0].box,
            )


def _apart(weighed: list[tuple[float, Traits]]) -> Iterator[tuple[float, Traits]]:
    """The best reading of each byte; in place of high digits the whole number."""
    likely = [pair for pair in weighed if pair[0] > _LEAST]
    taken: set[int] = set()
    listed = 0
    for weight, best in likely:
        if listed < _LISTED and not best.number.places & taken:
            free = (each for _, each in likely if not each.number.places & taken)
            whole = (each for each in free if _carries(each, best))
            each = max(whole, key=lambda each: each.number.type.width, default=best)
            taken |= each.number.places
            listed += 1
            yield weight, each


def _carries(whole: Traits, part: Traits) -> bool:
    """True when ``part`` has the high digits of ``whole``, whose low ones carry into them."""
    one, other = whole.number, part.number
    lower = one.type.width - other.type.width
    if lower < 1 or one.type.kind != other.type.kind or not other.places < one.places:
        return False
    if whole.count <= part.count or whole.down.count > part.down.count:
        return False
    unit = one.type.form.base**lower
    if (one.values // unit != other.values).any():
        return False
    moved = np.diff(one.values % unit)[other.rows - 1]
    return bool(2 * np.count_nonzero(moved < 0) > len(moved))
