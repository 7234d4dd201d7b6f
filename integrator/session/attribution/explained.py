"""A frame or range explained: each term's share, and its sum over the frames, to be drawn."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.session.attribution.attribution import Attribution, Origins, Share
from integrator.session.scoring.recorded import SLICE_S
from integrator.session.session import Session

STACK_POINTS = 600
"""Most frames at which the sums are given."""


@dataclass(frozen=True, slots=True)
class RangeExplained:
    """The parts of a frame or range, and each term's sum (terms, k) up to ``frames`` (k,)."""

    first: int
    last: int
    reward: float
    shares: tuple[Share, ...]
    frames: NDArray[np.int64]
    sums: NDArray[np.float64]

    @classmethod
    def of(cls, found: Attribution, first: int, last: int) -> RangeExplained | None:
        """None for frames that are not there yet."""
        if not found.first <= first <= last <= found.last:
            return None
        count = len(found.rewards)
        picked = np.unique(np.linspace(0, count - 1, min(count, STACK_POINTS)).astype(np.int64))
        sums = [np.cumsum(each.parts, dtype=np.float64)[picked] for each in found.columns]
        return cls(
            first,
            last,
            found.reward(first, last),
            found.shares(first, last),
            picked + found.first,
            np.array(sums).reshape(len(sums), len(picked)),
        )


def explain(
    session: Session, origins: Origins, chosen: tuple[int, int] | None
) -> tuple[RangeExplained | None, bool]:
    """Explain a range, or the frame shown; false while there are more frames to score."""
    complete = origins.update(session, time.perf_counter() + SLICE_S)
    position = session.timeline.position
    return RangeExplained.of(origins.found(), *(chosen or (position, position))), complete
