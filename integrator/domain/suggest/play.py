"""Recorded play as suggestions see it: bytes that changed, held directions, and the pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.experiment import Apart
from integrator.domain.suggest.shown import Looks

SMALL_STEP = 8
"""The farthest that a thing on the screen walks in one frame, in its own units."""


@dataclass(frozen=True, eq=False)
class Play:
    """Some consecutive frames of play; row i of each array is frame i of them.

    ``places`` are logical indexes of bytes that changed, ascending; ``ram`` uint8 (frames, places)
    has their values, and ``rest`` uint8 (ram_bytes,) all RAM after the last frame, in logical
    order. ``across`` (-1 LEFT, 1 RIGHT), ``down`` (-1 UP, 1 DOWN) and ``pressed`` (any other
    button) are int8 (frames,). ``steady`` is false for frames that do not follow the frame before.
    ``cells`` is bool (frames, rows, columns): the parts of the picture that changed, of equal
    size; None without pictures, as ``looks``. ``apart`` has experiments with directions, None
    without.
    """

    places: NDArray[np.intp]
    ram: NDArray[np.uint8]
    rest: NDArray[np.uint8]
    across: NDArray[np.int8]
    down: NDArray[np.int8]
    pressed: NDArray[np.int8]
    steady: NDArray[np.bool_]
    cells: NDArray[np.bool_] | None = None
    apart: Apart | None = None
    looks: Looks | None = None

    @cached_property
    def steps(self) -> NDArray[np.int8]:
        """Each byte's step into rows 1, 2, ..., the shorter way round; 0 where play jumped."""
        steps = np.subtract(self.ram[1:], self.ram[:-1]).view(np.int8)
        steps[~self.steady[1:]] = 0
        return steps

    @cached_property
    def changes(self) -> NDArray[np.int64]:
        """The number of changes of each byte."""
        changes: NDArray[np.int64] = np.count_nonzero(self.steps, axis=0)
        return changes

    @cached_property
    def distinct(self) -> NDArray[np.int64]:
        """The number of different values of each byte."""
        seen = np.zeros((256, len(self.places)), np.bool_)
        seen[self.ram, np.arange(len(self.places))] = True
        values: NDArray[np.int64] = np.count_nonzero(seen, axis=0)
        return values

    @cached_property
    def upheaval(self) -> NDArray[np.float64]:
        """For rows 1, 2, ...: the share of bytes that jump, spread over half a second around."""
        far = np.abs(self.steps.astype(np.int16)) > SMALL_STEP
        share = far.mean(axis=1)
        return np.array([share[max(0, i - 8) : i + 24].max() for i in range(len(share))])

    def column(self, place: int) -> NDArray[np.uint8]:
        """The values of the byte at a logical index, uint8 (frames,)."""
        found = self._columns.get(place)
        if found is None:
            return np.full(len(self.ram), self.rest[place], np.uint8)
        return self.ram[:, found]

    @cached_property
    def _columns(self) -> dict[int, int]:
        return {place: column for column, place in enumerate(self.places.tolist())}
