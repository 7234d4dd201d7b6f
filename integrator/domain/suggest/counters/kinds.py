"""Judges numbers that change now and then: score, lives, timer, level and health."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log
from typing import Final

import numpy as np

from integrator.domain.suggest.counters.traits import (
    EvidenceOfKind,
    Traits,
    WeighedEvidence,
    times_of,
    traits_of,
)
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import Guess, Kind

_MOST_CHANGES: Final = 40
_MOST_LIVES: Final = 9
_SOON_FRAMES: Final = 60
_MOST_RESTARTS: Final = 3.0
_DECIMAL: Final = -0.1
"""Plain and decimal bytes are the same below ten, and plain ones are simpler."""
_READ: Final = 0.5
"""Games for tuning have no tiles, in which digits are read; many draw lives as icons."""


def _highest(t: Traits) -> int:
    """The most lives, for games that count down to -1 too."""
    return t.high - min(t.low, 0)


def _may_be(t: Traits) -> bool:
    return 0 < t.down.count <= t.count <= _MOST_CHANGES and t.number.type.width == 1


LIVES: Final = EvidenceOfKind(
    {
        "goes one way": WeighedEvidence(
            0.69, lambda t: log((t.down.count + 0.5) / (t.up.count + 0.5))
        ),
        "changes several times": WeighedEvidence(-0.94, lambda t: log(1 + t.count)),
        "is drawn": WeighedEvidence(0.97, lambda t: t.drawn.agreement),
        "is drawn inside of the picture": WeighedEvidence(
            -0.96, lambda t: t.is_seen and t.drawn.is_inside
        ),
        "changes while much else does": WeighedEvidence(0.43, lambda t: t.upheaval),
        "is high": WeighedEvidence(-1.58, lambda t: _highest(t) > _MOST_LIVES),
        "has two values": WeighedEvidence(-2.8, lambda t: _highest(t) <= 1),
        "falls by ones": WeighedEvidence(2.36, lambda t: (t.down.usual == 1) * t.down.same),
        "starts at its highest": WeighedEvidence(1.02, lambda t: t.start == t.high),
        "changes soon again": WeighedEvidence(-1.42, lambda t: 0 < t.interval < _SOON_FRAMES),
        "is bits of a byte": WeighedEvidence(-1.97, lambda t: t.number.is_part),
        "starts again as often as it falls": WeighedEvidence(
            -1.01, lambda t: min(_MOST_RESTARTS, t.restarts / t.down.count)
        ),
    },
    -3.41,
    _may_be,
    lambda t: _DECIMAL * (t.number.type.kind == "d") + _READ * t.read,
)
"""Measures and weights, of which the latter and the bias come from ``scripts.fit_counters``."""


def lives_words(t: Traits) -> str:
    """The reason for lives in words."""
    number = t.number
    if number.counts_bits:
        return f"its bits go out one by one, {times_of(t.down.count)}"
    kept = "" if number.mask is None else f", in the bits 0x{number.mask:02X} of its byte"
    return f"falls by {t.down.usual}, {times_of(t.down.count)}, from {t.start}{kept}"


_CALM_BITS: Final = 3.0
"""Scores grow by few units of points at a time; more bits look like noise."""


def _one_way(t: Traits) -> float:
    return log((t.up.count + 0.5) / (t.down.count + 0.5))


def _decimal(t: Traits) -> float:
    if t.number.type.form.is_binary:
        return 0.0
    return log(len(np.unique(t.number.values)))


_RECORD: Final = 3.0
"""No game for tuning shows its high score, so this weight is not fitted."""
_PER_BYTE: Final = 0.01
"""Zeros in front say nothing of a number, and most scores have some. A byte with one digit counts
half, so that an unpacked copy without its last zero does not come before the number."""
_READ_SCORE: Final = 2.0
_FALLS: Final = 3.0
"""Games for tuning have no tiles, in which digits are read, and few timers that are drawn."""


def _unfitted(t: Traits) -> float:
    read = _READ_SCORE * t.read * (t.high > 9)
    falls = _FALLS * t.down.count / t.count
    packed = t.number.type.width * (0.5 if t.number.type.kind == "n" else 1.0)
    return _PER_BYTE * packed - _RECORD * t.is_record + read - falls


SCORE: Final = EvidenceOfKind(
    {
        "goes one way": WeighedEvidence(0.33, _one_way),
        "is drawn": WeighedEvidence(2.25, lambda t: t.drawn.agreement),
        "is drawn at nearly every change": WeighedEvidence(2.97, lambda t: t.drawn.agreement**2),
        "is drawn inside of the picture": WeighedEvidence(
            -1.06, lambda t: t.is_seen and t.drawn.is_inside
        ),
        "has new values": WeighedEvidence(1.76, lambda t: min(1.0, t.fresh * (t.restarts + 1))),
        "is binary": WeighedEvidence(-1.44, lambda t: t.number.type.form.is_binary),
        "always has decimal digits": WeighedEvidence(1.01, _decimal),
        "steps like noise": WeighedEvidence(-0.26, lambda t: max(0.0, t.up.unrest - _CALM_BITS)),
        "changes at even times": WeighedEvidence(-1.29, lambda t: t.even > 0.8 and t.count > 8),
        "starts again as often as it rises": WeighedEvidence(
            -0.88, lambda t: min(1.0, t.restarts / t.up.count)
        ),
        "starts again while much else changes": WeighedEvidence(-1.34, lambda t: t.renewal),
        "changes while much else does": WeighedEvidence(1.15, lambda t: t.upheaval),
    },
    -7.08,
    lambda t: t.up.count > 0,
    _unfitted,
)
"""Measures and weights, of which the latter and the bias come from ``scripts.fit_counters``."""


def score_words(t: Traits) -> str:
    """The reason for a score in words."""
    falls = "never falls" if not t.down.count else f"falls {times_of(t.down.count)}"
    steps = ", ".join(f"+{step}" for step in t.up.steps)
    return f"{steps}, {falls}"


_LISTED: Final = 12


def find_counters(play: Play) -> Iterator[Guess]:
    """The likeliest numbers of each kind, a few of each."""
    traits = traits_of(play)
    for kind, (weigh, explain) in _KINDS.items():
        weighed = [(weigh(each), each) for each in traits if each.number.may_be(kind)]
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
