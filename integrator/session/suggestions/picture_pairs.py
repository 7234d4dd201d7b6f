"""Gathers pictures of two runs of one state, and the rows and columns in which they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.placed import PicturePairs
from integrator.session.suggestions.changed_cells import changed_pixels
from libretro_host.frame import Frame

PICTURE_EVERY: Final = 4
_LATE_FRAMES: Final = 2
"""A picture shows the bytes of its frame, or those of the frame before."""


@dataclass(frozen=True, slots=True)
class PairsOfRuns:
    """Pictures of each ``PICTURE_EVERY``-th frame, where both runs have one of the same size."""

    _rows: list[NDArray[np.bool_]] = field(default_factory=list)
    _columns: list[NDArray[np.bool_]] = field(default_factory=list)
    _bytes: tuple[list[NDArray[np.uint8]], ...] = field(default_factory=lambda: ([], []))

    def add(self, runs: Sequence[NDArray[np.uint8]], pictures: Sequence[tuple[Frame, ...]]) -> None:
        """Add two runs: their bytes, uint8 (frames, places), and their pictures."""
        for number, (one, other) in enumerate(zip(*pictures, strict=False), start=1):
            differs = changed_pixels(one, other)
            if differs is not None:
                shown = np.rot90(differs, one.rotation % 4)
                self._rows.append(np.any(shown, axis=1))
                self._columns.append(np.any(shown, axis=0))
                frame = number * PICTURE_EVERY
                for known, run in zip(self._bytes, runs, strict=True):
                    known.append(run[frame - _LATE_FRAMES : frame][::-1])

    def pairs(self) -> PicturePairs | None:
        """All pairs; None without any."""
        if not self._rows:
            return None
        one, other = (np.stack(each) for each in self._bytes)
        return PicturePairs(_even(self._rows), _even(self._columns), one, other)


def _even(lines: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """Lines as rows of one array, the shorter ones filled up with pixels that do not differ."""
    longest = max(map(len, lines))
    return np.stack([np.pad(line, (0, longest - len(line))) for line in lines])
