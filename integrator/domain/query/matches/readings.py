"""Readings, and the numbers that they give in memory of one or several moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.gather import values_at
from integrator.domain.sweep.scale import Scale
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace


@dataclass(frozen=True, slots=True)
class Reading:
    """An address, how its bytes are read, and how the screen shows the number.

    ``mask`` is that of a bit field. Masked numbers are not shifted, as in data.json; the scale says
    so.
    """

    address: int
    type: DataType
    scale: Scale
    mask: int | None = None

    def shown(self, number: int) -> Fraction:
        """The number on the screen when the bytes hold ``number``."""
        return self.scale.shown(number if self.mask is None else number & self.mask)

    def decoded(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Stored numbers, int64 (frames,), of the bytes of frames, uint8 (frames, width)."""
        numbers = self.type.decode_array(raw)
        return numbers if self.mask is None else numbers & self.mask


def shown_numbers(
    space: AddressSpace, readings: Sequence[Reading], memories: Sequence[NDArray[np.uint8]]
) -> list[tuple[Fraction, ...]]:
    """For each reading its number on the screen in each of ``memories``, in logical order."""
    result: list[list[Fraction]] = [[] for _ in readings]
    for data_type in {reading.type for reading in readings}:
        rows = [row for row, reading in enumerate(readings) if reading.type == data_type]
        places = np.array([space.index_of(readings[row].address) for row in rows], dtype=np.intp)
        for memory in memories:
            stored = values_at(memory, places, data_type).tolist()
            for row, number in zip(rows, stored, strict=True):
                result[row].append(readings[row].shown(number))
    return [tuple(numbers) for numbers in result]
