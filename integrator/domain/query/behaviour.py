"""The readings of a match, and their behaviour over recorded frames: numbers, equals, steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.ranges import Recording, bytes_of
from integrator.domain.sweep.readings import FloatType, Scale
from integrator.domain.sweep.refine import values_at
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace


@dataclass(frozen=True, slots=True)
class Reading:
    """An address, how its bytes are read, and how the screen shows the number.

    ``mask`` is that of a bit field. Masked numbers are not shifted, as in data.json; the scale says
    so. ``real`` is the floating-point type of which ``type`` holds the bytes.
    """

    address: int
    type: DataType
    scale: Scale
    mask: int | None = None
    real: FloatType | None = None

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


_WORD: Final = 1 << 64
_LOW_HALF, _HALF_BITS, _NINE, _BLANK = 0x0F, 4, 9, 10


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Readings of the same ``key`` show the same number on every frame.

    ``changes`` counts the frames on which the number changes, ``travel`` sums its steps up and
    down as the screen shows them, and ``miscoded`` is the share of rows that look unlike digits.
    ``returns`` counts the steps in the direction that is the rarer one.
    """

    key: bytes
    changes: int
    travel: float
    miscoded: float
    returns: int = 0


def behaviours(
    space: AddressSpace, readings: Sequence[Reading], recordings: Mapping[Recording, int]
) -> list[Behaviour]:
    """The behaviour of each reading in all recordings, from the given frame of each to its end."""
    if not readings:
        return []
    common = lcm(*(reading.scale.multiplier for reading in readings))
    parts = [
        Captured(space, readings, each, start, each.length + 1).without_rests()
        for each, start in recordings.items()
    ]
    return [
        _behaviour(reading, [part.raw(reading) for part in parts], common) for reading in readings
    ]


class Captured:
    """The bytes of some readings over frames [start, stop) of a recording."""

    def __init__(
        self,
        space: AddressSpace,
        readings: Sequence[Reading],
        recording: Recording,
        start: int,
        stop: int,
    ) -> None:
        self._space = space
        by_type: dict[DataType, list[int]] = {}
        for reading in readings:
            by_type.setdefault(reading.type, []).append(space.index_of(reading.address))
        positions = {kind: np.array(found, np.intp) for kind, found in by_type.items()}
        self._positions = bytes_of(positions)
        self._rows = recording.bytes_over(self._positions, start, stop)

    def without_rests(self) -> "Captured":
        """The same, of only those frames on which any of the bytes changed, and the first."""
        moved = (self._rows[1:] != self._rows[:-1]).any(axis=1)
        self._rows = self._rows[np.concatenate(([True], moved))]
        return self

    def raw(self, reading: Reading) -> NDArray[np.uint8]:
        """Bytes of a reading: uint8 (frames, width)."""
        place = int(np.searchsorted(self._positions, self._space.index_of(reading.address)))
        return self._rows[:, place : place + reading.type.width]

    def numbers(self, reading: Reading) -> NDArray[np.int64]:
        """Stored numbers of a reading, masked: int64 (frames,)."""
        return reading.decoded(self.raw(reading))


def _behaviour(reading: Reading, parts: Sequence[NDArray[np.uint8]], common: int) -> Behaviour:
    scale, digest = reading.scale, blake2b(digest_size=16)
    factor = scale.divisor * (common // scale.multiplier)
    added = scale.offset * common - scale.bias * factor
    changes, rises, travel, miscoded = 0, 0, 0.0, 0.0
    for raw in parts:
        numbers = reading.decoded(raw)
        # Shown numbers times their common denominator; they wrap alike for equal ones.
        shown = numbers.view(np.uint64) * np.uint64(factor % _WORD) + np.uint64(added % _WORD)
        digest.update(shown.tobytes())
        steps = np.diff(numbers.astype(np.float64))
        rises += int(np.count_nonzero(steps > 0))
        changes += int(np.count_nonzero(steps))
        travel += float(np.abs(steps).sum()) * abs(scale.divisor / scale.multiplier)
        miscoded = max(miscoded, _miscoded(reading.type, raw))
    return Behaviour(digest.digest(), changes, travel, miscoded, min(rises, changes - rises))


def _miscoded(data_type: DataType, raw: NDArray[np.uint8]) -> float:
    """Share of the rows that look unlike decimal digits.

    In a digit a byte, ten stands for a blank, and the high half rests.
    """
    low, high = raw & _LOW_HALF, raw >> _HALF_BITS
    if data_type.kind == "d":
        wrong = (low > _NINE) | (high > _NINE)
    elif data_type.kind == "n":
        wrong = (low > _BLANK) | (high != high[-1])
    else:
        return 0.0
    return float(wrong.any(axis=1).mean())
