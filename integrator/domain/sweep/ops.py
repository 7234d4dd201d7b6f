"""Predicates: the tests of stored numbers that a sweep knows, and their meaning on arrays.

`search/operators.py` makes the comparisons of a search out of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep import real as search_real
from integrator.domain.sweep.planes import Plane
from integrator.domain.sweep.sets import Mask

_BIT_OPS: Final = ("bit-set", "bit-clear")

_COMPARE: Final[dict[str, Callable[[Any, Any], Mask]]] = {
    "equal": np.equal,
    "not-equal": np.not_equal,
    "less-than": np.less,
    "less-or-equal": np.less_equal,
    "greater-than": np.greater,
    "greater-or-equal": np.greater_equal,
}
_BYTE_BITS: Final = 8


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
