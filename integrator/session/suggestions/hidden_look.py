"""Looks at recorded play in a core of their own, on a thread beside the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.moments import EndMoment
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.variables import VariableSpec
from integrator.session.setup.plan import SessionPlan, start_core
from integrator.session.suggestions.box import Box
from integrator.session.suggestions.end_moments import MomentsRun
from integrator.session.suggestions.pointing import PointRun
from integrator.session.suggestions.recorded_play import Cancelled, Progress, RecordedPlay
from integrator.session.suggestions.suggesting import SuggestRun
from libretro_host.host import CoreHost

_CURVE_POINTS: Final = 100


@dataclass(frozen=True, slots=True, eq=False)
class Suggested:
    """A suggestion, and the course of its number in what was played."""

    suggestion: Suggestion
    curve: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class HiddenLook:
    """A copy of recorded play; ``plan`` is that of the hidden core which runs it again."""

    plan: SessionPlan
    recorded: RecordedPlay

    @contextmanager
    def _core(self) -> Iterator[CoreHost]:
        host, _ = start_core(self.plan)
        try:
            yield host
        finally:
            host.close()

    def suggest(
        self, progress: Progress, stopped: Cancelled, early: Callable[[list[Suggested]], None]
    ) -> list[Suggested] | None:
        """Suggestions, or None when stopped; ``early`` gets those of memory alone."""
        with self._core() as host:
            run = SuggestRun(self.recorded)
            found = run.run(host, progress, stopped, lambda first: early(self._with_curves(first)))
        return None if stopped() else self._with_curves(found)

    def point(self, box: Box, stopped: Cancelled) -> tuple[list[Suggested], bool]:
        """Numbers that explain the box, and false while too few digits were seen."""
        with self._core() as host:
            pointed = PointRun(self.recorded, box).look(host, stopped)
        return self._with_curves(pointed.suggestions), pointed.enough

    def moments(self, specs: Mapping[str, VariableSpec], stopped: Cancelled) -> list[EndMoment]:
        """Moments that may be ends of episodes."""
        with self._core() as host:
            return MomentsRun(self.recorded, specs).run(host, stopped)

    def _with_curves(self, found: Sequence[Suggestion]) -> list[Suggested]:
        readings = [(each.address, each.type) for each in found]
        curves = self.recorded.numbers(readings, _CURVE_POINTS)
        return [
            Suggested(each, curve if each.mask is None else curve & each.mask)
            for each, curve in zip(found, curves, strict=True)
        ]
