"""The value that suggestions are told in, and the kinds of variable that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from integrator.domain.suggest.drawn import Drawn
from integrator.domain.values.datatype import DataType
from integrator.domain.words import QT_TRANSLATE_NOOP

Kind: TypeAlias = str
"""The name of a kind of variable, one of ``KINDS``."""


@dataclass(frozen=True, slots=True)
class KindOfVariable:
    """One kind of variable: its name, its words for people, and the name of a new variable.

    The context of ``words`` is ``SuggestionsModel``. ``rewarded``: rewards are made of such
    numbers, so the best suggestion is proven at once.
    """

    name: Kind
    words: str
    variable: str
    rewarded: bool = False


KINDS: Final = {
    kind.name: kind
    for kind in (
        KindOfVariable(
            "score", QT_TRANSLATE_NOOP("SuggestionsModel", "score"), "score", rewarded=True
        ),
        KindOfVariable(
            "lives", QT_TRANSLATE_NOOP("SuggestionsModel", "lives"), "lives", rewarded=True
        ),
        KindOfVariable(
            "timer", QT_TRANSLATE_NOOP("SuggestionsModel", "timer"), "time", rewarded=True
        ),
        KindOfVariable(
            "level", QT_TRANSLATE_NOOP("SuggestionsModel", "level"), "level", rewarded=True
        ),
        KindOfVariable(
            "health", QT_TRANSLATE_NOOP("SuggestionsModel", "health"), "health", rewarded=True
        ),
        KindOfVariable(
            "player-x", QT_TRANSLATE_NOOP("SuggestionsModel", "player x"), "x", rewarded=True
        ),
        KindOfVariable(
            "player-y", QT_TRANSLATE_NOOP("SuggestionsModel", "player y"), "y", rewarded=True
        ),
        KindOfVariable("speed-x", QT_TRANSLATE_NOOP("SuggestionsModel", "speed x"), "x_speed"),
        KindOfVariable("speed-y", QT_TRANSLATE_NOOP("SuggestionsModel", "speed y"), "y_speed"),
        KindOfVariable("game-mode", QT_TRANSLATE_NOOP("SuggestionsModel", "game mode"), "mode"),
        KindOfVariable("random", QT_TRANSLATE_NOOP("SuggestionsModel", "random"), "random"),
    )
}
"""Every kind by its name, in the order in which suggestions are listed."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A number that may be of a kind: ``place`` is the logical index of its first byte.

    ``weight`` orders the guesses of one kind and is a confidence from 0 to 1. ``reason`` says in
    words what speaks for it.
    """

    kind: Kind
    place: int
    type: DataType
    weight: float
    reason: str
    drawn: Drawn | None = None
    mask: int | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A likely variable. ``confidence`` is 0 to 1; ``reason`` says in words what speaks for it.

    ``drawn`` is the part of the picture that changes with it, where one was found. ``mask`` is that
    of a number which shares its byte with others.
    """

    kind: Kind
    address: int
    type: DataType
    confidence: float
    reason: str
    drawn: Drawn | None = None
    mask: int | None = None
