"""Clocks: payments at even pauses, and numbers that run the same whatever is pressed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import ScoredPlay

FEWEST_TICKS: Final = 8
LEAST_COVERED: Final = 0.5
"""A clock pays when its ticks make up so large a part of the time."""
PERIODS_HELD: Final = range(8, 121)
"""Frames between a held button's payments: progress pays sooner, and laps of a game later."""
_SHORTEST_SECONDS: Final = 4.0
_FEWEST_CHANGES: Final = 4
_EVEN: Final = 0.6
"""So large a part of a clock's steps is of one size, and so large a part of its pauses."""
_FEWEST_PLAYS: Final = 3
_MOST_PLAYS: Final = 0.75


def ticks(column: NDArray[np.floating]) -> tuple[NDArray[np.int64], int]:
    """Rows that pay as much as another one a period before or behind, and that period."""
    rows = np.flatnonzero(column > 0)
    if len(rows) < FEWEST_TICKS:
        return rows[:0], 0
    period = int(np.bincount(np.diff(rows)).argmax())
    slack = range(-1, 2) if period in PERIODS_HELD else range(1)
    padded = np.pad(column, period + 1)
    at = rows + period + 1
    near = [way * period + shift for way in (-1, 1) for shift in slack]
    return rows[np.any([padded[at + step] == column[rows] for step in near], axis=0)], period


def earned_by_events(play: ScoredPlay) -> NDArray[np.float64]:
    """Each frame's reward, without that of terms which pay by a clock through all of the play."""
    earned = play.earned
    for column in play.payers.values():
        rows, period = ticks(column)
        if len(rows) * period >= LEAST_COVERED * play.frames:
            earned[rows] -= column[rows]
    return earned


def is_clock(name: str, plays: Sequence[ScoredPlay]) -> bool:
    """True when a variable keeps the same beat in almost all plays, though buttons differ.

    A clock may stand still for a while, as when the player is hit.
    """
    different = {
        play.inputs.tobytes(): _beat(play.values[name][play.until_done])
        for play in plays
        if name in play.values
        and len(play.rewards[play.until_done]) >= _SHORTEST_SECONDS * play.fps
    }
    beats = Counter(beat for beat in different.values() if beat is not None)
    most = max(beats.values(), default=0)
    return most >= max(_FEWEST_PLAYS, _MOST_PLAYS * len(different))


def _beat(values: NDArray[np.int64]) -> tuple[int, int] | None:
    """The usual step of a number and the frames from one to the next; None: it keeps no beat."""
    steps = np.diff(values)
    rows = np.flatnonzero(steps)
    if len(rows) < _FEWEST_CHANGES:
        return None
    pauses = np.diff(rows)
    period = int(np.median(pauses))
    sizes, counts = np.unique(steps[rows], return_counts=True)
    if np.mean(np.abs(pauses - period) <= 1) < _EVEN or counts.max() < _EVEN * len(rows):
        return None
    return int(sizes[counts.argmax()]), period
