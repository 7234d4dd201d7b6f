"""The values in which done conditions are found: tests of variables and of bytes, and their fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.scenario.tree import Condition, Measurement, TestSpec
from integrator.domain.values.datatype import DataType

ENOUGH_MARKS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class RecordedNumber:
    """A number over all recorded frames: ``values`` is int64 (frames,).

    ``name`` is the variable's; a raw byte has none, until a variable is made of it.
    """

    name: str
    address: int
    type: DataType
    values: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class EndTest:
    """A test of a number. ``spec.name`` is empty for a byte that is no variable."""

    spec: TestSpec
    address: int
    type: DataType

    def __str__(self) -> str:
        name = self.spec.name or f"0x{self.address:X} ({self.type})"
        if self.spec.measurement is Measurement.DELTA:
            name = f"change of {name}"
        op = self.spec.op.name or "positive"
        reference = f" {self.spec.reference}" if self.spec.op.needs_reference else ""
        return f"{name} {op}{reference}"


@dataclass(frozen=True, slots=True)
class EndCondition:
    """A likely done condition: ``tests``, of which any or all have to hold.

    ``late`` has for each mark the frames from it to the first frame on which the condition holds,
    negative ones before it, and None for a mark that it misses. ``false_alarms`` are the first
    frames of the times that it holds long before any mark. ``alike`` counts further conditions that
    hold on the same recorded frames.
    """

    tests: tuple[EndTest, ...]
    condition: Condition
    late: tuple[int | None, ...]
    false_alarms: tuple[int, ...]
    alike: int = 0

    @property
    def exact(self) -> bool:
        """True when the condition holds at every mark and never before one."""
        return not self.false_alarms and None not in self.late

    @property
    def frames_late(self) -> int:
        """The middle one of the frames late; 0 without any mark met."""
        met = sorted(late for late in self.late if late is not None)
        return met[len(met) // 2] if met else 0

    def __str__(self) -> str:
        joint = " and " if self.condition is Condition.ALL else " or "
        return joint.join(map(str, self.tests))


def undecided(found: Sequence[EndCondition]) -> int:
    """The number of conditions that fit as well, where marks are too few to choose; 0: enough.

    Each hold on other frames than the rest. By chance, some bytes fit any two ends.
    """
    exact = [each for each in found if each.exact]
    return len(exact) if len(exact) > 1 and len(exact[0].late) < ENOUGH_MARKS else 0
