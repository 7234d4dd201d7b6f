"""Chooses the reading that stands for a group of readings with the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from integrator.domain.query.matches.behaviour import Behaviour
from integrator.domain.query.matches.rank import Match
from integrator.domain.query.matches.readings import Reading

_WIDTHS: Final[Mapping[str, Sequence[int]]] = {
    "u": (1, 2, 4),
    "i": (1, 2, 4),
    "d": (1, 2, 3, 4),
    "n": range(1, 9),
}
"""Bytes of numbers that games keep, by the kind of their types."""


def led_by_widest(match: Match) -> Match:
    """The match with its widest plausible reading in front.

    Its bytes are those of the first reading and higher ones, which were 0 so far: games keep a
    score in more bytes than its first points need, and a narrow type starts again at their end.
    """
    first, *others = match.readings
    plausible = [other for other in others if _widens(first, other)]
    if not plausible:
        return match
    # Of equally wide ones the first, because readings stand in the order of their likeliness.
    lead = max(plausible, key=lambda reading: reading.type.width)
    copies = tuple(reading for reading in match.readings if reading != lead)
    return replace(match, address=lead.address, type=lead.type, scale=lead.scale, copies=copies)


def carried_first(groups: Sequence[tuple[Match, Behaviour]]) -> list[tuple[Match, Behaviour]]:
    """The groups in their order, but for a first one that is a number's low bytes.

    Low bytes start again where the whole number carries on, so the whole one turns less often.
    """
    for place, (match, behaviour) in enumerate(groups[1:], start=1):
        first, moves = groups[0]
        turns_less = behaviour.returns < moves.returns
        if turns_less and behaviour.changes <= 2 * moves.changes and _widens(first, match):
            return [groups[place], *groups[:place], *groups[place + 1 :]]
    return list(groups)


def _widens(first: Match | Reading, other: Match | Reading) -> bool:
    """True when ``other`` has the low bytes of ``first`` and further high ones."""
    kind, width = other.type.kind, other.type.width
    if kind != first.type.kind or other.scale != first.scale or width not in _WIDTHS[kind]:
        return False
    if width <= first.type.width or first.mask is not None or other.mask is not None:
        return False
    ends_alike = other.address + width == first.address + first.type.width
    starts_alike = other.address == first.address
    by_endian = {">": ends_alike, "<": starts_alike}
    alike_order = first.type.width == 1 or first.type.endian == other.type.endian
    return alike_order and by_endian.get(other.type.endian, False)
