"""Series of recorded frames to plot: variables, rewards and terms, by the names that users see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.session.session import Session
from integrator.session.what_if.terms import TermCurves, TermKey

MOST_FRAMES = 216_000
"""An hour: earlier frames are not read."""


@dataclass(frozen=True, slots=True)
class Series:
    """Float64 arrays of shape (frames,) that begin at frame ``first``.

    Not ``complete``: terms are scored in slices, and the next read goes on.
    """

    first: int
    by_name: Mapping[str, NDArray[np.float64]]
    complete: bool


@dataclass(frozen=True, slots=True)
class SeriesNames:
    """Names of sums of rewards, with the player of each, and of sums of terms.

    Every other name is a variable's.
    """

    sums: Mapping[str, int] = field(default_factory=dict)
    terms: Mapping[str, TermKey] = field(default_factory=dict)

    def read(self, session: Session, chosen: tuple[str, ...], curves: TermCurves) -> Series:
        """Read the chosen series; names that nothing has are left out."""
        first = max(1, session.timeline.length - MOST_FRAMES + 1)
        complete = self.terms.keys().isdisjoint(chosen) or curves.update(session)
        found = {name: self._one(session, name, first, curves) for name in chosen}
        return Series(first, {n: each for n, each in found.items() if each is not None}, complete)

    def _one(
        self, session: Session, name: str, first: int, curves: TermCurves
    ) -> NDArray[np.float64] | None:
        if name in self.terms:
            return curves.summed(self.terms[name], first)
        try:
            if name in self.sums:
                rewards = session.timeline.log.rewards(first)[:, self.sums[name]]
                return np.cumsum(rewards, dtype=np.float64)
            return session.timeline.column(name, first).astype(np.float64)
        except TimelineError:
            return None  # renamed since it was chosen; the next documents say so
