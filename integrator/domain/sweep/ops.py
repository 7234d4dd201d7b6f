"""Predicates: the tests of stored numbers that the kernel knows.

`search/operators.py` makes the comparisons of a search out of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Predicate:
    """A comparison in terms of stored numbers of one scale; equal tests give equal answers.

    ``subject`` is the object of ``op``: the stored value, value and reference, their difference, or
    the number of changes of the bytes. ``never`` and ``always`` need no look.
    """

    subject: Literal["value", "memory", "step", "count", "never", "always"]
    op: str = ""
    low: int = 0
    high: int = 0


NEVER: Final = Predicate("never")
ALWAYS: Final = Predicate("always")
