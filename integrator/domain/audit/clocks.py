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
_SAME_SECONDS: Final = 10.0
_SHORTEST_SECONDS: Final = 4.0
_FEWEST_CHANGES: Final = 3
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
    for column in (play.earning or {"": play.rewards}).values():
        rows, period = ticks(column)
        if len(rows) * period >= LEAST_COVERED * play.frames:
            earned[rows] -= column[rows]
    return earned


def is_clock(name: str, plays: Sequence[ScoredPlay]) -> bool:
    """True when a variable changes in the same way in almost all plays, though buttons differ.

    The beginnings of plays are compared, until the first episode ends, or ten seconds.
    """
    long = [
        play
        for play in plays
        if name in play.values
        and len(play.rewards[play.until_done]) >= _SHORTEST_SECONDS * play.fps
    ]
    if not long:
        return False
    frames = min(len(play.rewards[play.until_done]) for play in long)
    frames = min(frames, int(_SAME_SECONDS * long[0].fps))
    different = {play.inputs[:frames].tobytes(): play.values[name][:frames] for play in long}
    courses = Counter(values.tobytes() for values in different.values())
    course, count = courses.most_common(1)[0]
    changes = np.count_nonzero(np.diff(np.frombuffer(course, np.int64)))
    return bool(
        count >= max(_FEWEST_PLAYS, _MOST_PLAYS * len(different)) and changes >= _FEWEST_CHANGES
    )
