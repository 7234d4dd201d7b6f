"""Lives, stages and games within a play: the names that tell of them, and games begun anew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from integrator.domain.audit.play import ScoredPlay

LIVES: Final = re.compile(r"^(num_?)?(live|lives|life|ships?_left|men)\w*$", re.IGNORECASE)
OVER: Final = re.compile(r"game_?over|is_?dead|player_?dead", re.IGNORECASE)
STAGE: Final = re.compile(r"level|stage|round|act|zone|wave|mission", re.IGNORECASE)
ANEW_SECONDS: Final = 1.0
"""Within this time a new game sets score and lives back."""


def tells_of_ends(name: str) -> bool:
    """True for the name of a number that moves when a life, a stage or the game ends."""
    return any(kind.search(name) for kind in (LIVES, STAGE, OVER))


def new_games(play: ScoredPlay) -> Iterator[tuple[int, str]]:
    """The rows on which lives are set back, and what pays with them, each with its sign.

    Lives that rise by one, while the score stays, are won.
    """
    around = int(play.fps * ANEW_SECONDS)
    near = np.ones(2 * around + 1, np.intp)
    # Not the intersection of sets, whose order would be another in each process.
    for payer in filter(play.values.__contains__, play.payers):
        score = play.values[payer]
        is_low = score <= score[0]
        falls = is_low & (np.diff(score, prepend=score[:1]) < 0)
        # Not "same": of a play shorter than ``near``, that is as long as ``near``.
        fell = np.convolve(falls, near)[around : around + play.frames] > 0
        for name, lives in play.values.items():
            if LIVES.search(name) and name != payer:
                rise = np.diff(lives, prepend=lives[:1])
                back = (lives == lives[0]) & ((rise > 1) & is_low | (rise > 0) & fell)
                for row in np.flatnonzero(back):
                    yield int(row), f"{payer} and {name} begin anew"
