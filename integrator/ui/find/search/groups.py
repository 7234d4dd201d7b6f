"""Groups of candidates that share bytes and numbers: they can not be told apart so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.query.matches.rank import Match, hypothesis_bits, led_by_widest
from integrator.domain.search.results import Candidate

MOST_GROUPED: Final = 4096
"""Rows that are grouped; of more, the search says little yet."""


@dataclass(frozen=True, slots=True)
class Group:
    """Places of candidates in their sequence: the widest plausible one, and those that agree."""

    lead: int
    others: tuple[int, ...]


class GroupedRows:
    """The rows of a table in which groups unfold: a row a group, and one for each listed member."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._groups = groups_of(candidates)
        # Of each row the number of its group, and the place of its candidate in it: 0 leads.
        self._rows = [(number, 0) for number in range(len(self._groups))]

    def __len__(self) -> int:
        return len(self._rows)

    def place(self, row: int) -> int:
        """The place of a row's candidate in the sequence."""
        number, member = self._rows[row]
        group = self._groups[number]
        return group.others[member - 1] if member else group.lead

    def others(self, row: int) -> int:
        """The number of candidates that agree with a row that leads a group."""
        number, member = self._rows[row]
        return 0 if member else len(self._groups[number].others)

    def lead_of(self, row: int) -> int:
        """The row that leads the group of a row."""
        return row - self._rows[row][1]

    def is_unfolded(self, row: int) -> bool:
        """True when the candidates that agree with this one are listed below it."""
        return self._rows[row + 1 : row + 2] == [(self._rows[row][0], 1)]

    def unfold(self, row: int) -> None:
        """List the candidates that agree with a row that leads."""
        number = self._rows[row][0]
        self._rows[row + 1 : row + 1] = [(number, n + 1) for n in range(self.others(row))]

    def fold(self, row: int) -> None:
        """Hide them again."""
        del self._rows[row + 1 : row + 1 + self.others(row)]


def reading_of(candidate: Candidate) -> Reading:
    """Address, type and scale of a candidate."""
    return Reading(candidate.address, candidate.type, candidate.scale)


def groups_of(candidates: Sequence[Candidate]) -> list[Group]:
    """Each candidate in one group, in the order of each group's first candidate.

    Candidates agree when they have bytes of the first one, and the same number on the screen now,
    at the last step and at the start. Bits and floats stand alone.
    """
    rows = list(candidates)
    members: list[list[int]] = []
    by_byte: dict[tuple[tuple[Fraction, ...], int], int] = {}
    for at, row in enumerate(rows):
        places = range(row.address, row.address + row.type.width)
        numbers = _numbers(row)
        group = next((by_byte[numbers, p] for p in places if (numbers, p) in by_byte), None)
        if group is not None and numbers:
            members[group].append(at)
            continue
        members.append([at])
        if numbers:
            by_byte.update({(numbers, place): len(members) - 1 for place in places})
    return [_group(rows, group) for group in members]


def _numbers(row: Candidate) -> tuple[Fraction, ...]:
    """Shown numbers of a whole number; empty for bits and floats."""
    if row.mask is not None or row.real is not None:
        return ()
    stored = (int(row.value), int(row.previous), int(row.first))
    return tuple(row.scale.shown(number) for number in stored)


def _group(rows: Sequence[Candidate], places: Sequence[int]) -> Group:
    if len(places) == 1:
        return Group(places[0], ())
    by_reading = {reading_of(rows[place]): place for place in places}
    # The order of rows is the user's; the lead is the likeliest, as among the matches of facts.
    first, *others = sorted(by_reading, key=_bits)
    match = Match(first.address, first.type, first.scale, None, tuple(others))
    lead = by_reading[led_by_widest(match).readings[0]]
    return Group(lead, tuple(place for place in places if place != lead))


def _bits(reading: Reading) -> float:
    return hypothesis_bits(Match(reading.address, reading.type, reading.scale, None))
