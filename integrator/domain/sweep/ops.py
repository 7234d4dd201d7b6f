"""Comparisons that a search knows: their names, what they need, and how arrays are compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.sweep import real as search_real
from integrator.domain.sweep.planes import Plane
from integrator.domain.sweep.scale import Scale
from integrator.domain.sweep.sets import Mask

Value = int | tuple[int, int] | None

RELATIONS: Final = (
    "equal",
    "not-equal",
    "less-than",
    "less-or-equal",
    "greater-than",
    "greater-or-equal",
)
_MEMORY_OPS: Final = {
    "changed": "not-equal",
    "unchanged": "equal",
    "increased": "greater-than",
    "decreased": "less-than",
}
_STEP_OPS: Final = ("increased-by", "decreased-by", "different-by")
_PAIR_OPS: Final = ("in-range", "modulo")
_BIT_OPS: Final = ("bit-set", "bit-clear")
COUNT_OP: Final = "changed-times"
OPS: Final = (*RELATIONS, *_MEMORY_OPS, *_STEP_OPS, *_PAIR_OPS, *_BIT_OPS, COUNT_OP)
"""Names of all comparisons."""
MEMORIES: Final = ("previous", "first", "snapshot", "last-frame")
"""Times at which there is memory to compare with, besides ``frame 300`` of the recording."""
_FRAME: Final = re.compile(r"frame (\d+)")

_COMPARE: Final[dict[str, Callable[[Any, Any], Mask]]] = {
    "equal": np.equal,
    "not-equal": np.not_equal,
    "less-than": np.less,
    "less-or-equal": np.less_equal,
    "greater-than": np.greater,
    "greater-or-equal": np.greater_equal,
}
_LAST_BIT: Final = 63
_BYTE_BITS: Final = 8


@dataclass(frozen=True, slots=True)
class Comparison:
    """One checked comparison as the user asked for it. Build it with :func:`comparison`.

    ``against`` is the other side: ``value``, or memory at an earlier time.
    """

    op: str
    value: Value
    against: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """A comparison in terms of stored numbers of one scale; equal tests give equal answers.

    ``subject`` is what ``op`` looks at: the stored value, value and reference, their difference, or
    how often the bytes changed. ``never`` and ``always`` need no look.
    """

    subject: Literal["value", "memory", "step", "count", "never", "always"]
    op: str = ""
    low: int = 0
    high: int = 0

    @property
    def on_same(self) -> bool:
        """What a test against memory says of a value that is what it was."""
        if self.subject == "step":
            return self.low == 0
        return self.op in {"equal", "less-or-equal", "greater-or-equal"}

    @property
    def is_identity(self) -> bool:
        """Whether only "same or not" matters, not by how much."""
        return self.subject == "memory" and self.op in {"equal", "not-equal"}

    @property
    def is_equality(self) -> bool:
        """Whether it asks if a number is, or is not, a certain one."""
        return self.subject == "value" and self.op in {"equal", "not-equal"}

    @property
    def is_bit(self) -> bool:
        """Whether it asks for one bit of a number."""
        return self.op in _BIT_OPS

    def needs_values(self, kind: str) -> bool:
        """Whether digits of numbers of a kind are not enough to tell."""
        if kind == "f":
            return self.subject != "count"
        return self.op == "modulo" or (self.is_bit and kind not in "ui")

    def sees_only_change(self, kind: str) -> bool:
        """Whether numbers whose bytes are what they were all pass, or all fail."""
        # Of floats, what is not a number passes nothing.
        return not (kind == "f" and self.on_same)

    def within(self, minimum: int, maximum: int) -> bool | None:
        """What it says of all numbers from ``minimum`` to ``maximum``; None: not the same."""
        if self.op == "equal" and self.subject == "value":
            return None if minimum <= self.low <= maximum else False
        if self.subject != "value" or (self.op not in _COMPARE and self.op != "in-range"):
            return {"never": False, "always": True}.get(self.subject)
        high = self.high if self.op == "in-range" else self.low
        if self.op in {"equal", "not-equal", "in-range"} and (
            high < minimum or self.low > maximum or high < self.low
        ):
            return self.op == "not-equal"
        if self.op == "in-range":
            return True if self.low <= minimum and high >= maximum else None
        if self.op in {"equal", "not-equal"}:
            return None
        ends = {bool(_COMPARE[self.op](end, self.low)) for end in (minimum, maximum)}
        return ends.pop() if len(ends) == 1 else None

    def holds(self, current: Plane, reference: Plane | None) -> Mask:
        """Where the test holds; ``current`` and ``reference`` have one shape and dtype."""
        if current.dtype.kind == "f":
            return self._holds_real(current, reference)
        if self.subject in {"value", "count"}:
            return self._holds_value(current)
        if reference is None:
            raise AssertionError(f"{self} needs a reference")
        if self.subject == "memory":
            return _COMPARE[self.op](current, reference)
        found = _stepped(current, reference, self.low)
        if self.op == "different-by" and self.low:
            found |= _stepped(current, reference, -self.low)
        return found

    def _holds_real(self, current: Plane, reference: Plane | None) -> Mask:
        if self.subject == "value":
            return search_real.compares(self.op, self.low, self.high, current)
        if reference is None:
            raise AssertionError(f"{self} needs a reference")
        if self.subject == "memory":
            return search_real.relates(self.op, current, reference)
        found = search_real.steps(current, reference, self.low)
        if self.op == "different-by" and self.low:
            found |= search_real.steps(current, reference, -self.low)
        return found

    def _holds_value(self, current: Plane) -> Mask:
        if self.op in _COMPARE:
            return _COMPARE[self.op](current, self.low)
        if self.op == "in-range":
            above: Mask = current >= self.low
            return above & (current <= self.high)
        if self.op == "modulo":
            fits: Mask = _remainder(current, self.low) == self.high
            return fits
        # Shifted as the widest, so that a bit above a narrow number is its sign.
        wide = current if self.low < _BYTE_BITS * current.dtype.itemsize else current.astype("i8")
        bit = (wide >> wide.dtype.type(self.low)) & wide.dtype.type(1)
        agrees: Mask = bit == (1 if self.op == "bit-set" else 0)
        return agrees


NEVER: Final = Predicate("never")
ALWAYS: Final = Predicate("always")


def comparison(op: str, value: object = None, against: str | None = None) -> Comparison:
    """Check what was asked. Raises SearchError that says what is missing or makes no sense."""
    if op not in OPS:
        raise SearchError(f"unknown comparison {op!r}; use one of {', '.join(OPS)}")
    other = _other_side(op, value, against)
    if op in RELATIONS and other != "value":
        return Comparison(op, None, other)
    if op in _MEMORY_OPS:
        if value is not None:
            raise SearchError(f"{op} takes no value; use {_with_value(op)} to give one")
        return Comparison(op, None, other)
    if op in _PAIR_OPS:
        return Comparison(op, _pair(op, value), other)
    if op == COUNT_OP and isinstance(value, (tuple, list)):
        return Comparison(op, _pair(op, value), other)
    return Comparison(op, _number(op, value), other)


def _with_value(op: str) -> str:
    return f"{op}-by" if op in {"increased", "decreased"} else "equal or not-equal"


def frame_of(against: str) -> int:
    """The number of a recorded frame to compare with; -1 for the one before the present one."""
    named = _FRAME.fullmatch(against)
    return int(named[1]) if named else -1


def _other_side(op: str, value: object, against: str | None) -> str:
    """The other side of the comparison, checked against the op."""
    looks_at_memory = op in _MEMORY_OPS or op in _STEP_OPS
    chosen = against or ("previous" if looks_at_memory else "value")
    if chosen not in ("value", *MEMORIES) and not _FRAME.fullmatch(chosen):
        known = ", ".join(MEMORIES)
        raise SearchError(f"can not compare against {chosen!r}; use value, {known} or frame 300")
    if looks_at_memory and chosen == "value":
        raise SearchError(f"{op} compares with earlier memory; use against={MEMORIES}")
    if chosen != "value" and not looks_at_memory:
        if op not in RELATIONS:
            raise SearchError(f"{op} compares with a value, not with {chosen} memory")
        if value is not None:
            raise SearchError(f"{op} against {chosen} takes no value; leave one of the two out")
    return chosen


def _number(op: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise SearchError(f"{op} needs a whole number, not {value!r}")
    number = int(value)
    if op in _BIT_OPS and not 0 <= number <= _LAST_BIT:
        raise SearchError(f"{op} needs a bit number from 0 (lowest) to {_LAST_BIT}, not {number}")
    if op in {"different-by", COUNT_OP} and number < 0:
        raise SearchError(f"{op} needs a number of zero or more, not {number}")
    return number


def _pair(op: str, value: object) -> tuple[int, int]:
    names = "(divisor, remainder)" if op == "modulo" else "(lowest, highest)"
    if not isinstance(value, (tuple, list)) or len(value) != len(("low", "high")):
        raise SearchError(f"{op} needs two whole numbers {names}, not {value!r}")
    low, high = _number(op, value[0]), _number(op, value[1])
    if op == "modulo":
        if low <= 0 or low > np.iinfo(np.int64).max:
            raise SearchError(f"modulo needs a divisor above zero, not {low}")
        return low, high % low
    if low > high:
        raise SearchError(f"{op} needs the lower number first, not {low} and {high}")
    return low, high


def predicate_for(asked: Comparison, scale: Scale) -> Predicate:
    """The comparison in stored numbers of ``scale``.

    Bits, remainders and change counts speak of what is stored, whatever the scale.
    """
    value = asked.value
    if asked.op in _MEMORY_OPS:
        return Predicate("memory", _MEMORY_OPS[asked.op])
    if isinstance(value, tuple):
        return _pair_test(asked.op, value, scale)
    if value is None:
        return Predicate("memory", asked.op)
    if asked.op in _STEP_OPS:
        step = scale.stored_step(-value if asked.op == "decreased-by" else value)
        if step.denominator != 1:
            return NEVER
        op = "different-by" if asked.op == "different-by" else "increased-by"
        return Predicate("step", op, int(step))
    if asked.op == COUNT_OP:
        return Predicate("count", "equal", value)
    if asked.op in _BIT_OPS:
        return Predicate("value", asked.op, value)
    return _relation_test(asked.op, scale.stored(value))


def _pair_test(op: str, value: tuple[int, int], scale: Scale) -> Predicate:
    if op == COUNT_OP:
        return Predicate("count", "in-range", *value)
    if op == "modulo":
        return Predicate("value", op, *value)
    return Predicate("value", op, ceil(scale.stored(value[0])), floor(scale.stored(value[1])))


def _relation_test(op: str, threshold: Fraction) -> Predicate:
    """A relation to a threshold that may lie between two stored numbers."""
    if op in {"less-than", "greater-or-equal"}:
        return Predicate("value", op, ceil(threshold))
    if op in {"less-or-equal", "greater-than"}:
        return Predicate("value", op, floor(threshold))
    if threshold.denominator != 1:
        return NEVER if op == "equal" else ALWAYS
    return Predicate("value", op, int(threshold))


def _remainder(current: Plane, divisor: int) -> Plane:
    """Remainders, in the numbers' own dtype where the divisor fits: narrow division is faster."""
    narrow = divisor <= np.iinfo(current.dtype).max
    wide = current if narrow else current.astype(np.int64)
    # Ten times as fast as numpy's own remainder.
    whole = wide // wide.dtype.type(divisor)
    whole *= wide.dtype.type(divisor)
    remainder: Plane = wide - whole
    return remainder


def _stepped(current: Plane, reference: Plane, step: int) -> Mask:
    """Where ``current - reference == step``, exactly, also where the difference wraps the dtype."""
    above, below = (current, reference) if step >= 0 else (reference, current)
    unsigned = f"u{current.dtype.itemsize}"
    distance: NDArray[Any] = above.view(unsigned) - below.view(unsigned)
    return cast("Mask", (distance == abs(step)) & (above >= below))
