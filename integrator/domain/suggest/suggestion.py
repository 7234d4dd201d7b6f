"""Suggestions of variables, and the kinds of variable that can be suggested."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.pieces import Pieces
from integrator.domain.suggest.numbers import DigitRow
from integrator.domain.suggest.screen import Drawn
from integrator.domain.values.memory import DataType
from integrator.domain.words import tr

KindName: TypeAlias = Literal[  # names of ``KINDS``, which a maintainer's table may extend
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

Kind: TypeAlias = str  # The name of a kind of variable, one of `KINDS`.


@dataclass(frozen=True, slots=True)
class KindOfVariable:
    """One kind of variable: its name, its words for people, and the name of a new variable."""

    name: Kind
    words: str
    variable: str
    rewarded: bool = True  # rewards are made of the kind, so its best suggestion is proven


KINDS: Final = {  # in the order in which suggestions are listed
    kind.name: kind
    for kind in (
        KindOfVariable("score", tr("score"), "score"),
        KindOfVariable("lives", tr("lives"), "lives"),
        KindOfVariable("timer", tr("timer"), "time"),
        KindOfVariable("level", tr("level"), "level"),
        KindOfVariable("health", tr("health"), "health"),
        KindOfVariable("player-x", tr("player x"), "x"),
        KindOfVariable("player-y", tr("player y"), "y"),
        KindOfVariable("speed-x", tr("speed x"), "x_speed", rewarded=False),
        KindOfVariable("speed-y", tr("speed y"), "y_speed", rewarded=False),
        KindOfVariable("game-mode", tr("game mode"), "mode", rewarded=False),
        KindOfVariable("random", tr("random"), "random", rewarded=False),
    )
}

PixelBox: TypeAlias = tuple[int, int, int, int]  # x, y, width and height in pixels


@dataclass(frozen=True, slots=True, eq=False)
class SeenNumber:
    """A picture of a number on a frame, uint8 (height, width, 3), and its ``value`` in memory."""

    frame: int
    value: int
    crop: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Guess:
    """A number that may be of a ``kind``; ``place`` is the logical index of its first byte.
    ``weight`` orders the guesses of one kind and is a confidence from 0 to 1. ``reason`` says in
    words what speaks for it. ``box`` is the place on the screen where the number is read. ``row``
    has the digits of a number whose bytes are not adjacent."""

    kind: Kind
    place: int
    type: DataType
    weight: float
    reason: str
    drawn: Drawn | None = None
    mask: int | None = None
    box: PixelBox | None = None
    row: DigitRow | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A likely variable. ``confidence`` is 0 to 1; ``reason`` says in words what speaks for it.

    ``drawn`` is the part of the picture that changes with the variable, if there is one. ``mask``
    has the bits of a number that shares its byte with others. ``box`` is the place on the screen
    where the number is read, and ``seen`` shows it there at up to three moments. ``ruling`` is the
    result of the proof: original, copy, inert or unknown; empty without a proof. ``pieces`` are
    those of a number whose bytes are not adjacent; ``address`` and ``type`` are its lowest digit's.
    """

    kind: Kind
    address: int
    type: DataType
    confidence: float
    reason: str
    drawn: Drawn | None = None
    mask: int | None = None
    box: PixelBox | None = None
    seen: tuple[SeenNumber, ...] = field(default=(), compare=False, repr=False)
    ruling: str = ""
    pieces: Pieces | None = None

    @property
    def addresses(self) -> list[int]:
        """The addresses of all bytes."""
        if self.pieces is not None:
            return [each.address for each in self.pieces.pieces]
        return list(range(self.address, self.address + self.type.width))

    def numbers(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the numbers, int64 (frames,), of bytes, uint8 (frames, bytes)."""
        if self.pieces is not None:
            return self.pieces.numbers(raw)
        values = self.type.decode_array(raw)
        return values if self.mask is None else (values & self.mask) // (self.mask & -self.mask)

    @property
    def is_worth_a_proof(self) -> bool:
        """True for a likely number of a rewarded kind: a proof of any other takes too long. A proof
        tests bytes that are adjacent."""
        return KINDS[self.kind].rewarded and self.confidence >= 0.2 and self.pieces is None

    def proven(self, ruling: str) -> "Suggestion":
        """Return the suggestion with the confidence that it has after its proof."""
        # Wrong numbers are originals as well, but more often copies.
        odds = {"original": 2.0, "copy": 0.2, "inert": 0.3}.get(ruling, 1.0) * self.confidence
        confidence = odds / (odds + 1 - self.confidence)
        return replace(self, confidence=round(confidence, 2), ruling=ruling)
