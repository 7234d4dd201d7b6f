"""Memory of a comparison, and the values and change counts at single positions of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.sets import Positions


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory at the time of a comparison, each uint8 or uint32 (counts) of shape (bytes,).

    ``current`` and ``reference`` are in logical byte order; ``reference`` is earlier memory, when
    the comparison needs it; ``counts`` says how often each byte changed.
    """

    current: NDArray[np.uint8]
    reference: NDArray[np.uint8] | None
    counts: NDArray[np.uint32] | None


def values_at(
    logical: NDArray[np.uint8], positions: Positions, data_type: SearchType
) -> NDArray[Any]:
    """Values of ``data_type`` at ``positions`` of memory in logical order; int64, or float64."""
    return data_type.decode_array(_spans(logical, positions, data_type.width))


def busiest(counts: NDArray[np.uint32], positions: Positions, width: int) -> NDArray[np.uint32]:
    """The number of changes of the busiest of ``width`` bytes at each position."""
    most: NDArray[np.uint32] = _spans(counts, positions, width).max(axis=1)
    return most


def _spans(logical: NDArray[Any], positions: Positions, width: int) -> NDArray[Any]:
    """Bytes at each position, shape (positions, width); gathered a column at a time for speed."""
    columns = np.empty((width, len(positions)), dtype=logical.dtype)
    for offset in range(width):
        # Positions are checked where candidates are made; "clip" only spares numpy a buffer.
        np.take(logical, positions + offset, out=columns[offset], mode="clip")
    return columns.T
