"""Pokes candidates in a laboratory and reports the course that each took."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DataTypeError
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace
from integrator.session.proof.judge import Course, course_of
from integrator.session.proof.lab import Fork, ForkReader, Laboratory, Moment, Series, Target
from integrator.session.proof.picture import FirstDifference, difference
from libretro_host.errors import CoreCrashed, CoreHung

_AWAY = (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Distances from a number at which it is poked; more of them than a fork has steps."""
_POKES = 3


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One poke of ``target``, and the numbers of all watched targets, beside the base's.

    ``spread`` is the share of the other bytes of memory that are different in the end.
    """

    target: Target
    moment: Moment
    base: Series
    poked: Series
    course: Course
    drawn: FirstDifference | None
    spread: float


class Bench:
    """Makes trials on some targets; each reports the ``watched`` ones besides the poked one.

    Without ``pictures`` trials are cheaper, and nothing is drawn.
    """

    def __init__(
        self, lab: Laboratory, watched: Sequence[Target], *, pictures: bool = True
    ) -> None:
        self._lab = lab
        self._pictures = pictures
        self._forks = ForkReader(watched, lab.space)
        self._bases: dict[Moment, tuple[Fork, Series]] = {}

    def trials(
        self, target: Target, moment: Moment, values: Sequence[int] | None = None
    ) -> list[Trial]:
        """Poke ``target`` in several ways, or ``values``; pokes that end the core are left out."""
        if values is None:
            values = _pokes(target.type, self._base(moment)[1][target])
        trials = (self._trial(moment, target, value) for value in values)
        return [trial for trial in trials if trial is not None]

    def _base(self, moment: Moment) -> tuple[Fork, Series]:
        if moment not in self._bases:
            fork = self._lab.fork(moment, self._forks.ranges, pictures=self._pictures)
            self._bases[moment] = (fork, self._forks.series(fork))
        return self._bases[moment]

    def _trial(self, moment: Moment, target: Target, value: int) -> Trial | None:
        base, before = self._base(moment)
        writes = _writes(self._lab.space, moment, target, value)
        try:
            fork = self._lab.fork(moment, self._forks.ranges, writes, pictures=self._pictures)
        except (CoreCrashed, CoreHung):
            # The laboratory starts a new core for the next fork.
            return None
        poked = self._forks.series(fork)
        drawn = difference(base.pictures, fork.pictures)
        elsewhere = base.ram != fork.ram
        elsewhere[self._lab.space.offsets(target.address, target.type.width)] = False
        effect = drawn is not None or bool(elsewhere.any())
        numbers = before[target], poked[target]
        course = course_of(moment.frame, target.type, *numbers, effect=effect)
        spread = float(elsewhere.mean())
        return Trial(target, moment, before, poked, course, drawn, spread)


def _writes(
    space: AddressSpace, moment: Moment, target: Target, value: int
) -> list[tuple[int, bytes]]:
    """Writes that store ``value``; bits that tell nothing of the number are left alone."""
    offsets = space.offsets(target.address, target.type.width)
    data = np.frombuffer(target.type.encode(value), np.uint8)
    data = np.bitwise_or(data, moment.ram[offsets] & np.uint8(0xFF & ~target.type.form.bits))
    pairs = zip(offsets.tolist(), data.tolist(), strict=True)
    return [(offset, bytes([byte])) for offset, byte in pairs]


def _pokes(data_type: DataType, numbers: NDArray[np.int64]) -> list[int]:
    """Values to poke: a little more and less than the number, and one with all digits changed.

    The difference is not the step that the game itself takes, so that the two can be told apart.
    """
    value = int(numbers[0])
    steps = np.unique(np.abs(np.diff(numbers)))
    away = next(k for k in _AWAY if k not in steps)
    found = []
    ways = (value + away, value - away, _other_digits(value), value + away + 1)
    for other in dict.fromkeys(ways):
        try:
            data_type.encode(other)
        except DataTypeError:
            continue
        found.append(other)
    return found[:_POKES]


def _other_digits(value: int) -> int:
    """A number of as many decimal digits, all others."""
    digits = str(abs(value))
    changed = int("".join(str(int(digit) + 1 if digit < "9" else 8) for digit in digits))
    return -changed if value < 0 else changed
