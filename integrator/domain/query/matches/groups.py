"""Groups of candidates that share bytes and numbers: they cannot be distinguished so far."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.query.matches.rank import Match, hypothesis_bits, led_by_widest
from integrator.domain.search.results import Candidate

MOST_GROUPED: Final = 4096
"""Rows that are grouped; of more, the search says little yet."""


def groups_of(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Each candidate in one group, which the widest plausible one leads.

    Groups are in the order of their first candidates.
    Candidates agree when they have bytes of the first one, and the same number on the screen now,
    at the last step and at the start. Bits and floats stand alone.
    """
    members: list[list[Candidate]] = []
    by_byte: dict[tuple[tuple[Fraction, ...], int], int] = {}
    for row in candidates:
        places = range(row.address, row.address + row.type.width)
        numbers = _numbers(row)
        group = next((by_byte[numbers, p] for p in places if (numbers, p) in by_byte), None)
        if group is not None and numbers:
            members[group].append(row)
            continue
        members.append([row])
        if numbers:
            by_byte.update({(numbers, place): len(members) - 1 for place in places})
    return [_led(group) for group in members]


def _numbers(row: Candidate) -> tuple[Fraction, ...]:
    """Shown numbers of a whole number; empty for bits and floats."""
    if row.mask is not None or row.real is not None:
        return ()
    stored = (int(row.value), int(row.previous), int(row.first))
    return tuple(row.scale.shown(number) for number in stored)


def _led(group: list[Candidate]) -> list[Candidate]:
    """A group with the likeliest first, as among the matches of facts; others keep their order."""
    if len(group) == 1:
        return group
    first, *others = sorted((_reading(row) for row in group), key=_bits)
    match = Match(first.address, first.type, first.scale, None, tuple(others))
    lead = led_by_widest(match).readings[0]
    return sorted(group, key=lambda row: _reading(row) != lead)


def _reading(candidate: Candidate) -> Reading:
    return Reading(candidate.address, candidate.type, candidate.scale)


def _bits(reading: Reading) -> float:
    return hypothesis_bits(Match(reading.address, reading.type, reading.scale, None))
