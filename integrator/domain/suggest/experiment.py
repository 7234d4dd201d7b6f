"""Judges experiments with a game: bytes that held directions move apart, and poked numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.placed import PicturePairs

Floats = NDArray[np.float32]

_FARTHEST_STEP: Final = 16
"""Two runs of one thing walk no farther away from each other in one frame."""
_LEAST_STEPS: Final = 2
"""A byte for the way that a thing faces makes only one step."""
_SHRINK: Final = 1
"""Few moments prove little, so shares are drawn towards 0 by so many."""
_SURE: Final = 0.7
_MOST_CELLS: Final = 24
_MOST_FOLLOWERS: Final = 12
"""Digits are drawn by pointers to their glyphs, which follow a number; so do copies."""
_UNTRIED: Final = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """The differences that one direction, held in place of its opposite, makes in bytes.

    ``across`` (RIGHT less LEFT) and ``down`` (DOWN less UP) are int8 (moments, frames, places), the
    shorter way round. ``pictures`` are those of both pairs of runs, None without any.
    """

    across: NDArray[np.int8]
    down: NDArray[np.int8]
    pictures: PicturePairs | None = None


@dataclass(frozen=True, slots=True)
class Poke:
    """The outcome of one poke of a number, some frames later.

    ``kept``: the number still differs. ``cells`` is the number of squares of the picture that
    changed, ``followers`` that of other bytes that did.
    """

    kept: bool
    cells: int
    followers: int


@dataclass(frozen=True, slots=True)
class Trusts:
    """The shares of a guess's weight that the outcomes of a poke leave.

    ``lost``: the number was written anew, as copies are. ``quiet``: it was kept, and nothing was
    drawn. ``shown``: it was drawn in a small place. ``upset``: much of the picture or of memory
    changed.
    """

    lost: float
    quiet: float
    shown: float
    upset: float

    def of(self, poke: Poke) -> float:
        """The share that one outcome leaves."""
        if not poke.kept:
            return self.lost
        if poke.cells > _MOST_CELLS or poke.followers > _MOST_FOLLOWERS:
            return self.upset
        return self.shown if poke.cells else self.quiet


NUMBERS: Final = Trusts(lost=0.25, quiet=0.6, shown=1.0, upset=0.4)
"""A number that people see moves little else; some games draw it later."""
POSITIONS: Final = Trusts(lost=0.25, quiet=0.35, shown=1.0, upset=0.8)
"""A position is drawn on each frame, and where the picture scrolls with it, it moves all of it."""


def trust(pokes: Sequence[Poke], trusts: Trusts = NUMBERS) -> float:
    """The share of a guess's weight that the pokes of its number leave."""
    return sum(map(trusts.of, pokes)) / len(pokes) if pokes else _UNTRIED


def with_apart(weights: Floats, own: NDArray[np.int8], other: NDArray[np.int8]) -> Floats:
    """Weights of positions by play, joined with those by directions of their axis, and the other.

    Experiments count the more, the better the best byte walks.
    """
    size, astray = np.abs(walks(own)), np.abs(walks(other))
    tried = size * np.clip(1.2 - astray / np.maximum(size, 0.05), 0.1, 1)
    sure = _SURE * tried.max(initial=0)
    likely: Floats = ((1 - sure) * weights + sure * tried).astype(np.float32)
    return likely


def walks(apart: NDArray[np.int8]) -> Floats:
    """For each place -1 to 1: the share of moments in which it walks away, and always one way.

    Moments in which no byte walks are left out, because play does not listen to buttons there.
    """
    grown = np.zeros((apart.shape[0], apart.shape[1] + 1, apart.shape[2]), np.int16)
    grown[:, 1:] = apart
    steps = np.diff(grown, axis=1)
    sign = np.sign(grown[:, -1])
    away = np.count_nonzero(np.sign(steps) == sign[:, np.newaxis], axis=1)
    back = np.count_nonzero(steps, axis=1) - away
    near = np.abs(steps).max(axis=1) <= _FARTHEST_STEP
    signs = np.where(near & (away >= _LEAST_STEPS) & (back <= away // 4), sign, 0)
    listens = (signs != 0).any(axis=1)
    differs = (apart != 0).any(axis=1)[listens].sum(axis=0)
    agree = signs.sum(axis=0)
    often = np.abs(agree) / max(int(listens.sum()), 1)
    both: Floats = (agree / (differs + _SHRINK) * np.sqrt(often)).astype(np.float32)
    return both
