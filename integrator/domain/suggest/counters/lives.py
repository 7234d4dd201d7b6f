"""The likelihood of a number to be lives: it falls by one now and then, while much else jumps."""

from __future__ import annotations

from math import log
from typing import Final

from integrator.domain.suggest.counters.evidence import EvidenceOfKind, WeighedEvidence
from integrator.domain.suggest.counters.traits import Traits, times_of

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
