"""Where button masks come from: live ones, or a movie, which overrides them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.movie import Movie

Inputs = NDArray[np.uint16]


def input_rows(masks: Sequence[int], frames: int, ports: int) -> Inputs:
    """``frames`` rows of ``masks``, uint16 of shape (frames, ports); missing ports are idle."""
    if len(masks) > ports:
        raise SessionError(
            f"{len(masks)} button masks for {ports} player(s); open with players={len(masks)}"
        )
    if any(not 0 <= mask <= 0xFFFF for mask in masks):
        raise SessionError(f"a button mask has 16 bits, got {list(masks)}")
    row = np.zeros(ports, dtype=np.uint16)
    row[: len(masks)] = masks
    return np.broadcast_to(row, (frames, ports)).copy()


class MovieCursor:
    """Plays the rows of a movie once, from the first to the last."""

    def __init__(self, movie: Movie) -> None:
        self.movie = movie
        self.position = 0

    @property
    def remaining(self) -> int:
        """Rows not yet played."""
        return len(self.movie.inputs) - self.position

    def override(self, live: Inputs) -> Inputs:
        """``live`` with the movie's next rows in it; ports that the movie lacks stay live."""
        rows = self.movie.inputs[self.position : self.position + len(live)]
        self.position += len(rows)
        merged = live.copy()
        ports = min(live.shape[1], rows.shape[1])
        merged[: len(rows), :ports] = rows[:, :ports]
        return merged
