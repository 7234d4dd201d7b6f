"""Suggests variables from recorded play: the likely meaning of bytes, best first in each kind."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Final

from integrator.domain.errors import SearchError
from integrator.domain.suggest.counters import find_counters
from integrator.domain.suggest.motion import find_motion
from integrator.domain.suggest.others import find_modes, find_random
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import KINDS, Finding, Kind, Suggestion
from integrator.domain.values.memory import AddressSpace

_FINDERS: Final[tuple[tuple[frozenset[Kind], Callable[[Play], Iterator[Finding]]], ...]] = (
    (frozenset(("score", "lives", "timer", "level", "health")), find_counters),
    (frozenset(("player-x", "player-y", "speed-x", "speed-y")), find_motion),
    (frozenset(("game-mode",)), find_modes),
    (frozenset(("random",)), find_random),
)
"""Each finder, with the kinds that it finds."""
_LISTED: Final = 6
_LEAST: Final = 0.02
"""A suggestion below this confidence is none."""


def check_kinds(kinds: Collection[str] | None) -> frozenset[str]:
    """The kinds asked for, all without any. Raises SearchError for a kind that there is not."""
    asked = frozenset(KINDS if kinds is None else kinds)
    unknown = asked.difference(KINDS)
    if unknown:
        raise SearchError(f"no kind {min(unknown)!r} of variable; use one of {', '.join(KINDS)}")
    return asked


def suggest(space: AddressSpace, play: Play, kinds: Collection[str]) -> tuple[Suggestion, ...]:
    """Up to a few suggestions of each kind, best first, in the order of ``KINDS``."""
    if not len(play.places):
        return ()
    findings = [
        finding
        for found, finder in _FINDERS
        if found & frozenset(kinds)
        for finding in finder(play)
        if finding.kind in kinds and finding.weight >= _LEAST
    ]
    order = list(KINDS)
    findings.sort(key=lambda finding: (order.index(finding.kind), -finding.weight, finding.place))
    listed: list[Suggestion] = []
    counts = dict.fromkeys(KINDS, 0)
    for finding in findings:
        counts[finding.kind] += 1
        if counts[finding.kind] <= _LISTED:
            listed.append(_suggestion(space, finding))
    return tuple(listed)


def _suggestion(space: AddressSpace, finding: Finding) -> Suggestion:
    return Suggestion(
        finding.kind,
        space.address_of(finding.place),
        finding.type,
        round(min(finding.weight, 0.99), 2),
        finding.reason,
        finding.drawn,
    )
