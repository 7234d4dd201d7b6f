"""Solves the ticked facts on a thread of their own; the answer has every number to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Final

from integrator.domain.query.matches.lead import led_by_widest
from integrator.domain.query.matches.rank import Match
from integrator.domain.query.matches.readings import Reading, shown_numbers
from integrator.domain.query.pieces.pieces import Pieces
from integrator.domain.query.recorded.facts import Equals, Transition
from integrator.domain.query.solve import Evidence, Fact
from integrator.domain.timeline.history import History
from integrator.session.hidden.recorded_movies import MovieLibrary
from integrator.session.searches.queries import as_facts

_MOST_MATCHES: Final = 200


@dataclass(frozen=True, slots=True)
class FactFrame:
    """A frame that a fact names, of a movie or of the play in the window (None).

    ``number`` is the fact's number at this frame; None for facts that name none.
    """

    movie: Path | None
    frame: int
    number: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The solution of facts; counts are of addresses times types, before any limit.

    ``numbers`` has for each reading of the matches its number on the screen at each of ``frames``.
    ``all_zero`` and ``in_pieces`` are Solution's.
    """

    matches: tuple[Match, ...]
    exact_count: int
    near_count: int
    frames: tuple[FactFrame, ...] = ()
    numbers: Mapping[Reading, tuple[Fraction, ...]] = field(default_factory=dict)
    all_zero: bool = False
    in_pieces: tuple[Pieces, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that solving needs, taken between two frames."""

    history: History
    library: MovieLibrary


def answer(asked: Asked, lines: Mapping[Path | None, str]) -> Answer:
    """The matches of facts in lines of text, by movie. Raises SearchError, TimelineError."""
    facts = {path: as_facts(text) for path, text in lines.items()}
    movies = {path: given for path, given in facts.items() if path is not None}
    also = [Evidence(asked.history, facts[None])] if None in facts else []
    solution = asked.library.query(movies, also=also, limit=_MOST_MATCHES)
    frames = frames_of(facts)
    readings = [reading for match in solution.matches for reading in match.readings]
    memories = [asked.library.logical(each.movie or asked.history, each.frame) for each in frames]
    numbers = shown_numbers(asked.library.space, readings, memories)
    return Answer(
        tuple(map(led_by_widest, solution.matches)),
        solution.exact_count,
        solution.near_count,
        frames,
        dict(zip(readings, numbers, strict=True)),
        solution.all_zero,
        solution.in_pieces,
    )


def frames_of(facts: Mapping[Path | None, tuple[Fact, ...]]) -> tuple[FactFrame, ...]:
    """Each frame that facts name, once, from the first of each recording on."""
    found: dict[tuple[Path | None, int], FactFrame] = {}
    for movie, given in facts.items():
        named = [each for fact in given for each in _named(fact).items()]
        for frame, number in sorted(named, key=lambda each: each[0]):
            known = found.get((movie, frame))
            if known is None or known.number is None:
                found[movie, frame] = FactFrame(movie, frame, number)
    return tuple(found.values())


def _named(fact: Fact) -> dict[int, int | None]:
    """The frames of a fact, with its number where it says one."""
    if isinstance(fact, Equals):
        return {fact.frame: fact.value}
    if isinstance(fact, Transition):
        return {fact.start: fact.before, fact.end: fact.after}
    return dict.fromkeys(fact.frames)
