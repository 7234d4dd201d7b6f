"""Button masks held down, as rows for a core."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError

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
