"""The words of the Find panel, and a search as the panel shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search import Search
from integrator.domain.search_json import Step
from integrator.domain.search_results import Candidate, CandidateList

VALUE_OPS: tuple[tuple[str, str], ...] = (
    ("equal", "is"),
    ("not-equal", "is not"),
    ("less-than", "is less than"),
    ("less-or-equal", "is at most"),
    ("greater-than", "is greater than"),
    ("greater-or-equal", "is at least"),
    ("in-range", "is between"),
    ("increased-by", "increased by"),
    ("decreased-by", "decreased by"),
    ("different-by", "differs by"),
    ("modulo", "divided by, leaves"),
    ("bit-set", "has bit set"),
    ("bit-clear", "has bit clear"),
    ("changed-times", "changed, times"),
)
"""Comparisons that need a number, with the words shown."""

MEMORY_OPS: tuple[tuple[str, str, str], ...] = (
    ("changed", "changed", "Keep what differs from the last search"),
    ("unchanged", "unchanged", "Keep what is as at the last search"),
    ("increased", "increased", "Keep what grew since the last search"),
    ("decreased", "decreased", "Keep what shrank since the last search"),
)
"""Comparisons with memory at the last search: one click each."""

TWO_VALUES = frozenset(("in-range", "modulo"))
"""Comparisons with two numbers."""

STEP_OPS = frozenset(("increased-by", "decreased-by", "different-by"))
"""Comparisons by a number with memory at an earlier time."""

AGAINST: tuple[tuple[str, str], ...] = (
    ("previous", "since last search"),
    ("first", "since the beginning"),
    ("snapshot", "since the snapshot"),
)
"""What memory is compared with, with the words shown."""

_SIGNS = {
    "equal": "=",
    "not-equal": "≠",
    "less-than": "<",
    "less-or-equal": "≤",
    "greater-than": ">",
    "greater-or-equal": "≥",
    "increased-by": "+",
    "decreased-by": "-",
    "different-by": "±",
}


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """A search as the panel shows it; made on the runner's thread, immutable."""

    count: int
    steps: tuple[Step, ...]
    types: int
    ram_bytes: int
    candidates: Sequence[Candidate]

    @classmethod
    def of(cls, search: Search) -> SearchStatus:
        """Look at ``search``. Call it on the thread that owns the session."""
        size, kinds = search.space.size_bytes, len(search.types)
        return cls(search.count, search.history, kinds, size, search.candidates())

    def addresses(self) -> NDArray[np.int64]:
        """Distinct addresses of the candidates, ascending."""
        rows = self.candidates
        return rows.addresses() if isinstance(rows, CandidateList) else np.empty(0, np.int64)


SearchCommand = Callable[[Search], object]


def step_text(step: Step) -> str:
    """A step as a chip says it: ``= 20``, ``unchanged``, ``+ 3``."""
    if step.value is None:
        return step.op if step.against in ("previous", "value") else f"{step.op} ({step.against})"
    value = (
        "…".join(str(v) for v in step.value) if isinstance(step.value, tuple) else str(step.value)
    )
    return f"{_SIGNS.get(step.op, step.op)} {value}"
