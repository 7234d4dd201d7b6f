"""Suggests variables from recorded play: the likely meaning of bytes, best first in each kind."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from integrator.domain.errors import SearchError
from integrator.domain.suggest.counters.kinds import find_counters
from integrator.domain.suggest.experiment import NUMBERS, POSITIONS, Poke, trust
from integrator.domain.suggest.motion import find_motion
from integrator.domain.suggest.others import find_modes, find_random
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import KINDS, Guess, Kind, Suggestion
from integrator.domain.values.memory import AddressSpace

_FINDERS: Final[tuple[tuple[frozenset[Kind], Callable[[Play], Iterator[Guess]]], ...]] = (
    (frozenset(("score", "lives", "timer", "level", "health")), find_counters),
    (frozenset(("player-x", "player-y", "speed-x", "speed-y")), find_motion),
    (frozenset(("game-mode",)), find_modes),
    (frozenset(("random",)), find_random),
)
"""Each finder, with the kinds that it finds."""
_POSITIONS: Final[tuple[Kind, ...]] = ("player-x", "player-y")
_LISTED: Final = 6
_POKED: Final = 8
_LEAST: Final = 0.02
"""A suggestion below this confidence is none."""
_MOST: Final = 0.9
"""Only a proof says more: of what is suggested with it, one in ten may be wrong."""

Poker = Callable[[Guess], Sequence[Poke]]
"""Pokes the number of a guess at some moments of play."""


def check_kinds(kinds: Collection[str] | None) -> frozenset[str]:
    """The kinds asked for, all without any. Raises SearchError for a kind that there is not."""
    asked = frozenset(KINDS if kinds is None else kinds)
    unknown = asked.difference(KINDS)
    if unknown:
        raise SearchError(f"no kind {min(unknown)!r} of variable; use one of {', '.join(KINDS)}")
    return asked


def suggest(
    space: AddressSpace, play: Play, kinds: Collection[str], poke: Poker | None = None
) -> tuple[Suggestion, ...]:
    """Up to a few suggestions of each kind, best first, in the order of ``KINDS``.

    ``poke`` tells the outcomes of pokes of a guess; None: nothing is poked.
    """
    if not len(play.places):
        return ()
    guesses = [
        guess
        for found, finder in _FINDERS
        if found & frozenset(kinds)
        for guess in finder(play)
        if guess.kind in kinds and guess.weight >= _LEAST
    ]
    if poke is not None:
        guesses = [_tried(guess, poke) for guess in _best(guesses, _POKED)]
    return tuple(_suggestion(space, guess) for guess in _best(guesses, _LISTED))


def _tried(guess: Guess, poke: Poker) -> Guess:
    """A guess by its pokes, too, if its kind is one of numbers that games draw."""
    # Many games draw a score only when it changes: a poke of its digits would look better.
    if guess.kind == "score" or not KINDS[guess.kind].rewarded:
        return guess
    trusts = POSITIONS if guess.kind in _POSITIONS else NUMBERS
    return replace(guess, weight=guess.weight * trust(poke(guess), trusts))


def _best(guesses: Sequence[Guess], most: int) -> list[Guess]:
    """The best guesses of each kind, in the order of ``KINDS``."""
    found: list[Guess] = []
    for kind in KINDS:
        own = [guess for guess in guesses if guess.kind == kind]
        found += sorted(own, key=lambda guess: (-guess.weight, guess.place))[:most]
    return found


def _suggestion(space: AddressSpace, guess: Guess) -> Suggestion:
    return Suggestion(
        guess.kind,
        space.address_of(guess.place),
        guess.type,
        round(min(guess.weight, _MOST), 2),
        guess.reason,
        guess.drawn,
        guess.mask,
        guess.box,
    )
