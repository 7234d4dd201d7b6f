"""Chooses, where very many bytes change, the ones that may tell an end from other frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.marked import MarkedPlay
from integrator.domain.sweep.sets import Positions

MOST_PLACES: Final = 600
_SAMPLES: Final = 200


def likely_places(
    ram_at: Callable[[int], NDArray[np.uint8]], changed: Positions, play: MarkedPlay
) -> Positions:
    """At most ``MOST_PLACES`` of the ascending ``changed`` places, which are logical indexes.

    ``ram_at`` gives RAM after a frame, in logical order. The places kept are those that seldom have
    a value of the marked frames at other times.
    """
    if len(changed) <= MOST_PLACES:
        return changed
    ends = [ram_at(mark)[changed] for mark in play.marks]
    low, high = np.minimum.reduce(ends), np.maximum.reduce(ends)
    before = np.flatnonzero(play.before)
    rows = np.unique(before[np.linspace(0, len(before) - 1, _SAMPLES).astype(np.intp)])
    often = np.zeros(len(changed), np.int64)
    for row in rows.tolist():
        ram = ram_at(row)[changed]
        often += (low <= ram) & (ram <= high)
    chosen = np.argsort(often, kind="stable")[:MOST_PLACES]
    return changed[np.sort(chosen)]
