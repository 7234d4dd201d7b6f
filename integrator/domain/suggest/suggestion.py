"""The value that suggestions are told in, and the kinds of variable that there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from integrator.domain.suggest.drawn import Drawn
from integrator.domain.values.datatype import DataType

Kind = Literal[
    "score",
    "lives",
    "timer",
    "level",
    "health",
    "player-x",
    "player-y",
    "speed-x",
    "speed-y",
    "game-mode",
    "random",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""Every kind, in the order in which suggestions are listed."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A number that may be of a kind: ``place`` is the logical index of its first byte.

    ``weight`` orders the findings of one kind and is a confidence from 0 to 1. ``reason`` says in
    words what speaks for it.
    """

    kind: Kind
    place: int
    type: DataType
    weight: float
    reason: str
    drawn: Drawn | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A likely variable. ``confidence`` is 0 to 1; ``reason`` says in words what speaks for it.

    ``drawn`` is the part of the picture that changes with it, where one was found.
    """

    kind: Kind
    address: int
    type: DataType
    confidence: float
    reason: str
    drawn: Drawn | None = None
