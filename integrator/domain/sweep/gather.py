"""Looks at single positions of memory: values, change counts, whether a predicate holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.ops import Predicate
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.sets import Mask, Positions


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory at the time of a comparison, each uint8 or uint32 (counts) of shape (bytes,).

    ``current`` and ``reference`` are in logical byte order; ``reference`` is earlier memory, when
    the comparison needs it; ``counts`` says how often each byte changed.
    """

    current: NDArray[np.uint8]
    reference: NDArray[np.uint8] | None
    counts: NDArray[np.uint32] | None


def holds_at(
    data_type: SearchType, predicate: Predicate, positions: Positions, memory: Memory
) -> Mask:
    """Whether the predicate holds at each of ``positions``, bool of the same shape."""
    if predicate.subject == "count":
        if memory.counts is None:
            raise AssertionError("change counts were not passed")
        return predicate.holds(busiest(memory.counts, positions, data_type.width), None)
    current = values_at(memory.current, positions, data_type)
    if memory.reference is None:
        return predicate.holds(current, None)
    return predicate.holds(current, values_at(memory.reference, positions, data_type))


def values_at(
    logical: NDArray[np.uint8], positions: Positions, data_type: SearchType
) -> NDArray[Any]:
    """Values of ``data_type`` at ``positions`` of memory in logical order; int64, or float64."""
    return data_type.decode_array(_spans(logical, positions, data_type.width))


def busiest(counts: NDArray[np.uint32], positions: Positions, width: int) -> NDArray[np.uint32]:
    """How often the busiest of ``width`` bytes at each position changed."""
    most: NDArray[np.uint32] = _spans(counts, positions, width).max(axis=1)
    return most


def _spans(logical: NDArray[Any], positions: Positions, width: int) -> NDArray[Any]:
    """Bytes at each position, shape (positions, width); gathered a column at a time for speed."""
    columns = np.empty((width, len(positions)), dtype=logical.dtype)
    for offset in range(width):
        # Positions are checked where candidates are made; "clip" only spares numpy a buffer.
        np.take(logical, positions + offset, out=columns[offset], mode="clip")
    return columns.T
