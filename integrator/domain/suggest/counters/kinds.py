"""Judges numbers that change now and then: score, lives, timer, level and health."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from integrator.domain.suggest.counters.lives import LIVES, lives_words
from integrator.domain.suggest.counters.score import SCORE, score_words
from integrator.domain.suggest.counters.traits import Traits, times_of, traits_of
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import Guess, Kind

_LISTED: Final = 12


def find_counters(play: Play) -> Iterator[Guess]:
    """The likeliest numbers of each kind, a few of each."""
    traits = traits_of(play)
    for kind, (weigh, explain) in _KINDS.items():
        weighed = [(weigh(each), each) for each in traits if each.number.may_be(kind)]
        weighed.sort(key=lambda pair: -pair[0])
        for weight, each in _apart(weighed):
            drawn = each.drawn if each.is_seen else None
            place = f", drawn {drawn.place}" if drawn is not None else ""
            if each.shown is not None:
                place += ", the screen shows its digits"
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


def _apart(weighed: list[tuple[float, Traits]]) -> Iterator[tuple[float, Traits]]:
    """The best reading of each byte; in place of high digits the whole number."""
    likely = [pair for pair in weighed if pair[0] > 0]
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


# -- the kinds ------------------------------------------------------------------------------


def _timer(t: Traits) -> float:
    """A timer goes one way, by one, after even times."""
    side = max(t.up, t.down, key=lambda side: side.count)
    if t.count < 4 or t.interval < 2:
        return 0.0
    weight = t.even * side.count / t.count * side.same
    weight *= 0.4 + 0.6 * t.drawn.agreement
    weight *= 1.0 if t.interval >= 20 else 0.6
    weight *= 1.0 if t.number.type.width == 1 else 0.9
    weight *= 1.0 if t.number.type.kind == "d" else 0.8
    return weight * (1.0 if side.usual == 1 else 0.6)


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


def _timer_words(t: Traits) -> str:
    side, sign = (t.up, "+") if t.up.count > t.down.count else (t.down, "-")
    return f"{sign}{side.usual} every {t.interval:.0f} frames"


def _level_words(t: Traits) -> str:
    return f"+{t.up.usual}, {times_of(t.up.count)}, while much else changes"


def _health_words(t: Traits) -> str:
    refilled = f", filled up {times_of(t.restarts + t.up.count)}" if t.restarts + t.up.count else ""
    return f"falls by {t.down.usual}, {times_of(t.down.count)}{refilled}"


_KINDS: Final[dict[Kind, tuple[Callable[[Traits], float], Callable[[Traits], str]]]] = {
    "score": (SCORE.weigh, score_words),
    "lives": (LIVES.weigh, lives_words),
    "timer": (_timer, _timer_words),
    "level": (_level, _level_words),
    "health": (_health, _health_words),
}
