"""The table of a search's comparisons, from which menus, help and the search are built."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Final, Literal, TypeAlias

import numpy as np

from integrator.domain.errors import SearchError
from integrator.domain.sweep.questions import ALWAYS, NEVER, Predicate
from integrator.domain.sweep.readings import Scale
from integrator.domain.words import tr

Numbers = tuple[int, ...]
Check = Callable[[str, Numbers], Numbers] | None
Value = int | tuple[int, int] | None  # operands of a comparison: none, a number or a pair

SearchOp: TypeAlias = Literal[  # the names of ``OPERATORS``
    "equal", "not-equal", "less-than", "less-or-equal", "greater-than", "greater-or-equal",
    "in-range", "increased-by", "decreased-by", "different-by", "modulo", "bit-set", "bit-clear",
    "changed-times", "changed", "unchanged", "increased", "decreased",
]  # fmt: skip
MEMORIES: Final = ("previous", "first", "snapshot", "last-frame")
"""Names of earlier memory to compare with, in addition to frames such as ``frame 300``."""
_FRAME: Final = re.compile(r"frame (\d+)")


@dataclass(frozen=True, slots=True)
class Operator:
    """One comparison: its name in saved searches, its operands, and its test.

    ``operands`` name its numbers. ``against`` is the other side of the comparison: these numbers,
    earlier memory, or either. ``test`` returns the predicate on stored numbers for the operands
    (empty if only memory is compared) and a scale. ``check`` raises SearchError for numbers that
    make no sense, and may replace numbers. ``words`` are the menu entry, ``tip`` explains a button,
    ``sign`` begins a chip. With ``counts``, the comparison is about how often bytes changed."""

    name: str
    words: str
    test: Callable[[Numbers, Scale], Predicate]
    operands: tuple[str, ...] = ("number",)
    against: Literal["value", "memory", "either"] = "value"
    sign: str = ""
    tip: str = ""
    check: Check = None
    counts: bool = False

    def numbers(self, value: object) -> Value:
        """Return the checked numbers. Raises SearchError if they are missing or make no sense."""
        if len(self.operands) > 1 or (self.counts and isinstance(value, (tuple, list))):
            names = self.operands if len(self.operands) > 1 else ("lowest", "highest")
            if not isinstance(value, (tuple, list)) or len(value) != len(names):
                wanted = ", ".join(names)
                raise SearchError(f"{self.name} needs two whole numbers ({wanted}), not {value!r}")
            numbers = tuple(_whole(self.name, number) for number in value)
        else:
            numbers = (_whole(self.name, value),)
        if self.check is not None:
            numbers = self.check(self.name, numbers)
        return numbers[0] if len(numbers) == 1 else (numbers[0], numbers[1])


@dataclass(frozen=True, slots=True)
class Comparison:
    """A checked comparison with a value or earlier memory; :func:`comparison` makes it."""

    op: str
    value: Value
    against: str

    def predicate(self, scale: Scale) -> Predicate:
        value = self.value
        numbers = value if isinstance(value, tuple) else () if value is None else (value,)
        return OPERATORS[self.op].test(numbers, scale)


def comparison(op: str, value: object = None, against: str | None = None) -> Comparison:
    """Check a comparison. Raises SearchError for a missing or wrong operand."""
    operator = OPERATORS.get(op)
    if operator is None:
        raise SearchError(f"unknown comparison {op!r}; use one of {', '.join(OPERATORS)}")
    other = _other_side(operator, value, against)
    if operator.against == "either" and other != "value":
        return Comparison(op, None, other)
    if operator.operands:
        return Comparison(op, operator.numbers(value), other)
    if value is not None:
        instead = f"{op}-by" if f"{op}-by" in OPERATORS else "equal or not-equal"
        raise SearchError(f"{op} takes no value; use {instead} to give one")
    return Comparison(op, None, other)


def frame_of(against: str) -> int:
    """Return the recorded frame to compare with; -1 for the frame before the current one."""
    named = _FRAME.fullmatch(against)
    return int(named[1]) if named else -1


def _other_side(operator: Operator, value: object, against: str | None) -> str:
    op, sees_memory = operator.name, operator.against == "memory"
    chosen = against or ("previous" if sees_memory else "value")
    if chosen not in ("value", *MEMORIES) and not _FRAME.fullmatch(chosen):
        known = ", ".join(MEMORIES)
        raise SearchError(f"cannot compare against {chosen!r}; use value, {known} or frame 300")
    if sees_memory and chosen == "value":
        raise SearchError(f"{op} compares with earlier memory; use against={MEMORIES}")
    if chosen != "value" and not sees_memory:
        if operator.against == "value":
            raise SearchError(f"{op} compares with a value, not with {chosen} memory")
        if value is not None:
            raise SearchError(f"{op} against {chosen} takes no value; leave one of the two out")
    return chosen


def _whole(op: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise SearchError(f"{op} needs a whole number, not {value!r}")
    return int(value)


def _not_negative(op: str, numbers: Numbers) -> Numbers:
    if min(numbers) < 0:
        raise SearchError(f"{op} needs a number of zero or more, not {min(numbers)}")
    return numbers


def _bit(op: str, numbers: Numbers) -> Numbers:
    if not 0 <= numbers[0] <= 63:
        raise SearchError(f"{op} needs a bit number from 0 (lowest) to 63, not {numbers[0]}")
    return numbers


def _ascending(op: str, numbers: Numbers) -> Numbers:
    if numbers[0] > numbers[-1]:
        raise SearchError(f"{op} needs the lower number first, not {numbers[0]} and {numbers[1]}")
    return numbers


def _times(op: str, numbers: Numbers) -> Numbers:
    return _ascending(op, _not_negative(op, numbers))


def _division(op: str, numbers: Numbers) -> Numbers:
    divisor, remainder = numbers
    if divisor <= 0 or divisor > np.iinfo(np.int64).max:
        raise SearchError(f"{op} needs a divisor above zero, not {divisor}")
    return divisor, remainder % divisor


def _relation(op: str, numbers: Numbers, scale: Scale) -> Predicate:
    if not numbers:
        return Predicate("memory", op)
    threshold: Fraction = scale.stored(numbers[0])
    if op in {"less-than", "greater-or-equal"}:
        return Predicate("value", op, ceil(threshold))
    if op in {"less-or-equal", "greater-than"}:
        return Predicate("value", op, floor(threshold))
    if threshold.denominator != 1:
        return NEVER if op == "equal" else ALWAYS
    return Predicate("value", op, int(threshold))


def _within(numbers: Numbers, scale: Scale) -> Predicate:
    low, high = (scale.stored(number) for number in numbers)
    return Predicate("value", "in-range", ceil(low), floor(high))


def _step(op: str, sign: int, numbers: Numbers, scale: Scale) -> Predicate:
    step = Fraction(sign * numbers[0] * scale.multiplier, scale.divisor)
    return Predicate("step", op, int(step)) if step.denominator == 1 else NEVER


def _stored(op: str, numbers: Numbers, _scale: Scale) -> Predicate:
    """Make a test of bits or remainders, which are of stored numbers at every scale."""
    return Predicate("value", op, *numbers)


def _counted(numbers: Numbers, _scale: Scale) -> Predicate:
    return Predicate("count", "equal" if len(numbers) == 1 else "in-range", *numbers)


def _related(name: str, words: str, sign: str) -> Operator:
    return Operator(name, words, partial(_relation, name), against="either", sign=sign)


def _remembered(name: str, words: str, tip: str, relation: str) -> Operator:
    return Operator(name, words, partial(_relation, relation), (), against="memory", tip=tip)


def _moved(name: str, words: str, sign: str, check: Check = None) -> Operator:
    op = "different-by" if sign == "±" else "increased-by"
    test = partial(_step, op, -1 if sign == "-" else 1)
    return Operator(name, words, test, against="memory", sign=sign, check=check)


def _of_value(name: str, words: str, check: Check, *operands: str) -> Operator:
    return Operator(name, words, partial(_stored, name), operands, check=check)


_EVERY: Final = (
    _related("equal", tr("is"), "="),
    _related("not-equal", tr("is not"), "≠"),
    _related("less-than", tr("is less than"), "<"),
    _related("less-or-equal", tr("is at most"), "≤"),
    _related("greater-than", tr("is greater than"), ">"),
    _related("greater-or-equal", tr("is at least"), "≥"),
    Operator("in-range", tr("is between"), _within, ("lowest", "highest"), check=_ascending),
    _moved("increased-by", tr("increased by"), "+"),
    _moved("decreased-by", tr("decreased by"), "-"),
    _moved("different-by", tr("differs by"), "±", _not_negative),
    _of_value("modulo", tr("divided by, leaves"), _division, "divisor", "remainder"),
    _of_value("bit-set", tr("has bit set"), _bit, "bit"),
    _of_value("bit-clear", tr("has bit clear"), _bit, "bit"),
    Operator("changed-times", tr("changed, times"), _counted, check=_times, counts=True),
    _remembered(
        "changed", tr("changed"), tr("Keep what differs from the last search"), "not-equal"
    ),
    _remembered(
        "unchanged", tr("unchanged"), tr("Keep what is the same as at the last search"), "equal"
    ),
    _remembered(
        "increased", tr("increased"), tr("Keep what grew since the last search"), "greater-than"
    ),
    _remembered(
        "decreased", tr("decreased"), tr("Keep what shrank since the last search"), "less-than"
    ),
)
OPERATORS: Final = {operator.name: operator for operator in _EVERY}
"""Every comparison by its name, in the order of menus and the help page."""
