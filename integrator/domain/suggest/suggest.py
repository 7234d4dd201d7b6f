"""Suggests variables from recorded play: the likely meaning of bytes, best first in each kind."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from integrator.domain.errors import SearchError
from integrator.domain.suggest.counters import find_counters
from integrator.domain.suggest.motion import find_motion
from integrator.domain.suggest.play import BYTE, Play, Poke, trust
from integrator.domain.suggest.suggestion import KINDS, Guess, Kind, Suggestion
from integrator.domain.values.memory import AddressSpace

_LISTED: Final = 6


def find_modes(play: Play) -> Iterator[Guess]:
    """Bytes with few values that change only when much else does."""
    # At most a dozen modes, each entered twice.
    few = (play.distinct <= 12) & (play.changes > 0) & (play.changes <= 24)
    columns = np.flatnonzero(few)
    changed = play.steps[:, columns] != 0
    turmoil = (changed * play.turmoil[:, None]).sum(axis=0) / np.maximum(changed.sum(axis=0), 1)
    several = 1 - 0.5 / play.changes[columns]
    weights = 0.8 * np.clip(turmoil - 0.5, 0, None) * 2 * several
    for index in np.argsort(-weights, kind="stable")[:_LISTED].tolist():
        column = columns[index]
        reason = f"has {play.distinct[column]} values, and changes only when much else does"
        yield Guess("game-mode", int(play.places[column]), BYTE, float(weights[index]), reason)


def find_random(play: Play) -> Iterator[Guess]:
    """Bytes that take nearly all values, by steps of which none is common."""
    often = play.changes > 0.25 * len(play.ram)
    # Within a minute, a random byte has at least half of all values.
    for column in np.flatnonzero(often & (play.distinct >= 128)).tolist():
        steps = play.steps[:, column]
        steps = steps[steps != 0]
        common = np.bincount(steps.view(np.uint8), minlength=256).max() / len(steps)
        values = int(play.distinct[column])
        weight = float(values / 256 * max(0.0, 1 - 8 * common))
        if weight > 0:
            reason = f"has {values} values, and no step is common"
            yield Guess("random", int(play.places[column]), BYTE, weight, reason)


_FINDERS: Final[tuple[tuple[frozenset[Kind], Callable[[Play], Iterator[Guess]]], ...]] = (
    (frozenset(("score", "lives", "timer", "level", "health")), find_counters),
    (frozenset(("player-x", "player-y", "speed-x", "speed-y")), find_motion),
    (frozenset(("game-mode",)), find_modes),
    (frozenset(("random",)), find_random),
)
"""Each finder, with the kinds that it finds."""
_MOST: Final = 0.9  # only a proof says more: of what is suggested with it, one in ten may be wrong

Poker = Callable[[Guess], Sequence[Poke]]  # pokes the number of a guess at some moments of play


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

    ``poke`` returns the outcomes of pokes of a guess; None: nothing is poked.
    """
    if not len(play.places):
        return ()
    guesses = [
        guess
        for found, finder in _FINDERS
        if found & frozenset(kinds)
        for guess in finder(play)
        if guess.kind in kinds and guess.weight >= 0.02  # less is no suggestion
    ]
    if poke is not None:
        guesses = [_tried(guess, poke) for guess in _best(guesses, 8)]
    return tuple(
        Suggestion(
            kind=guess.kind,
            address=space.address_of(guess.place),
            type=guess.type,
            confidence=round(min(guess.weight, _MOST), 2),
            reason=guess.reason,
            drawn=guess.drawn,
            mask=guess.mask,
            box=guess.box,
        )
        for guess in _best(guesses, _LISTED)
    )


def _tried(guess: Guess, poke: Poker) -> Guess:
    """A guess by its pokes, too, if its kind is one of numbers that games draw."""
    # Many games draw a score only when it changes: a poke of its digits would look better.
    if guess.kind == "score" or not KINDS[guess.kind].rewarded:
        return guess
    share = trust(poke(guess), position=guess.kind in ("player-x", "player-y"))
    return replace(guess, weight=guess.weight * share)


def _best(guesses: Sequence[Guess], most: int) -> list[Guess]:
    """The best guesses of each kind, in the order of ``KINDS``."""
    found: list[Guess] = []
    for kind in KINDS:
        own = [guess for guess in guesses if guess.kind == kind]
        found += sorted(own, key=lambda guess: (-guess.weight, guess.place))[:most]
    return found
