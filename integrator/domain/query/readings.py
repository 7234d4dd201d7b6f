"""Numbers that readings give in memory of one or several moments."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.gather import values_at
from integrator.domain.sweep.scale import Scale
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace


class Scaled(Protocol):
    """An address, how its bytes are read, and how the screen shows the number."""

    @property
    def address(self) -> int:
        """The first byte's address."""
        ...

    @property
    def type(self) -> DataType:
        """The data type of its bytes."""
        ...

    @property
    def scale(self) -> Scale:
        """The scale between memory and screen."""
        ...


def shown_numbers(
    space: AddressSpace, readings: Sequence[Scaled], memories: Sequence[NDArray[np.uint8]]
) -> list[tuple[Fraction, ...]]:
    """For each reading its number on the screen in each of ``memories``, in logical order."""
    result: list[list[Fraction]] = [[] for _ in readings]
    for data_type in {reading.type for reading in readings}:
        rows = [row for row, reading in enumerate(readings) if reading.type == data_type]
        places = np.array([space.index_of(readings[row].address) for row in rows], dtype=np.intp)
        for memory in memories:
            stored = values_at(memory, places, data_type).tolist()
            for row, number in zip(rows, stored, strict=True):
                result[row].append(readings[row].scale.shown(number))
    return [tuple(numbers) for numbers in result]
