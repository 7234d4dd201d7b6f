"""The parts of a scenario as frozen values: terms, tests, done nodes, crops."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.words import tr

Ints: TypeAlias = NDArray[np.int64]

_INT64_MIN, _INT64_MAX = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Op:
    """One op: its name in the files, and its function on measured numbers. ``apply`` takes int64
    numbers (n,) and the reference, and returns (n,) bool for a question, else numbers. ``words``
    explain the op to users. :meth:`span` tries an op only at the ends of a range and around 0, the
    reference and its negative, so ``apply`` must be monotonic in between."""

    name: str
    apply: Callable[[Ints, int], NDArray[Any]]
    words: str
    needs_reference: bool = False

    @property
    def asks(self) -> bool:
        return self.apply(np.zeros(1, np.int64), 0).dtype == np.bool_

    def of(self, value: int, reference: int) -> int:
        return int(self.apply(np.array([value], np.int64), reference)[0])

    def span(self, reference: int, low: float, high: float) -> tuple[int, int]:
        """Return the least and greatest result for ``low`` to ``high``, which may be infinite."""
        least, most = int(max(low, _INT64_MIN)), int(min(high, _INT64_MAX))
        turns = (at + step for at in (reference, -reference, 0) for step in (-1, 0, 1))
        tried = [least, most, *(turn for turn in turns if least <= turn <= most)]
        results = self.apply(np.array(tried, np.int64), reference)
        return int(results.min()), int(results.max())


def wrap_int64(value: int) -> int:
    """Wrap an int to signed 64 bits, as stable-retro's arithmetic does."""
    return (value - _INT64_MIN) % (1 << 64) + _INT64_MIN


NO_OP: Final = Op("", lambda values, _: values, tr("no op: the measured number itself"))

_COMPARED = (
    ("equal", np.equal, tr("1 when it is the reference, else 0")),
    ("not-equal", np.not_equal, tr("1 when it is not the reference, else 0")),
    ("less-than", np.less, tr("1 when it is below the reference, else 0")),
    ("less-or-equal", np.less_equal, tr("1 when it is the reference or below, else 0")),
    ("greater-than", np.greater, tr("1 when it is above the reference, else 0")),
    ("greater-or-equal", np.greater_equal, tr("1 when it is the reference or above, else 0")),
    (
        "negative-equal",
        lambda values, reference: values == wrap_int64(-reference),
        tr("1 when it is the reference with the opposite sign: with reference 1, a lost life (-1)"),
    ),
)
_PLAIN = (
    (
        "zero",
        lambda values, _: values == 0,
        tr("1 when it is 0. If the last life counts as 0, that is while it is played"),
    ),
    ("nonzero", lambda values, _: values != 0, tr("1 when it is anything but 0")),
    ("positive", lambda values, _: values > 0, tr("1 when it is above 0")),
    (
        "negative",
        lambda values, _: values < 0,
        tr("1 when it is below 0: needs a type with a sign, such as |i1"),
    ),
    ("sign", lambda values, _: np.sign(values), tr("-1, 0 or 1: the direction without the amount")),
)
OPS: Final = {  # in the order of menus and the help page
    "": NO_OP,
    **{name: Op(name, do, words, needs_reference=True) for name, do, words in _COMPARED},
    **{name: Op(name, do, words) for name, do, words in _PLAIN},
}


class Measurement(StrEnum):
    """The number to measure of a variable: its value, or its change since the last frame."""

    ABSOLUTE = "absolute"
    DELTA = "delta"


class Condition(StrEnum):
    """The way a done node combines its parts. Without parts, `all` is done and `any` is not."""

    ANY = "any"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Problem:
    """A value that stable-retro silently ignores, and a message with the value that it uses."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


@dataclass(frozen=True, slots=True)
class TestSpec:
    """One variable of a done node, which is done if op(measured, reference) > 0."""

    __test__ = False

    name: str
    measurement: Measurement = Measurement.ABSOLUTE
    op: Op = NO_OP
    reference: int = 0
    path: str = ""


@dataclass(frozen=True, slots=True)
class TermSpec(TestSpec):
    """One summand: op(measured, reference) in float32, times reward, or if negative, penalty."""

    measurement: Measurement = Measurement.DELTA
    reward: float = 0.0
    penalty: float = 0.0


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """A Lua function as a scenario names it: ``"lua:function"`` or ``"function"``."""

    function: str
    scope: str = ""

    def __str__(self) -> str:
        return f"{self.scope}:{self.function}" if self.scope else self.function


@dataclass(frozen=True, slots=True)
class RewardSpec:
    """One player's reward, with ``terms`` in summation order; a script replaces terms and time."""

    path: str
    terms: tuple[TermSpec, ...] = ()
    time: TermSpec | None = None
    script: ScriptCall | None = None

    @property
    def summands(self) -> tuple[TermSpec, ...]:
        """Time, if it counts, and all terms, in order of summation."""
        return self.terms if self.time is None else (self.time, *self.terms)

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts of a frame's reward: the script, or else all summands."""
        if self.script is not None:
            return (str(self.script),)
        return tuple(term.name for term in self.summands)


@dataclass(frozen=True, slots=True)
class DoneNode:
    """Tests and nodes under one condition, in stable-retro's order; ``path`` is a JSON path."""

    path: str
    condition: Condition = Condition.ANY
    tests: tuple[TestSpec, ...] = ()
    nodes: "tuple[DoneNode, ...]" = ()

    def walk(self) -> "Iterator[DoneNode]":
        yield self
        for node in self.nodes:
            yield from node.walk()


@dataclass(frozen=True, slots=True)
class Crop:
    """The part of the picture that an agent sees, in pixels; a size of 0 extends to the edge."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0

    def box(self, width: int, height: int) -> tuple[int, int, int, int]:
        """Return (left, top, right, bottom), where 0 extends to the edge as in stable-retro."""
        right = self.x + self.width if self.width and self.x + self.width <= width else width
        bottom = self.y + self.height if self.height and self.y + self.height <= height else height
        return self.x, self.y, right, bottom


def to_float32(value: float) -> np.float32:
    """Round as C++ does: integers directly to float32, numbers out of range to infinity."""
    if isinstance(value, int) and -(1 << 24) <= value <= 1 << 24:
        # This usual case, on every frame, needs no rounding and so no guard.
        return np.float32(value)
    with np.errstate(over="ignore"):
        if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
            return np.int64(value).astype(np.float32)
        try:
            return np.float32(value)
        except OverflowError:  # an integer beyond the range of a double
            return np.float32(math.inf if value > 0 else -math.inf)
