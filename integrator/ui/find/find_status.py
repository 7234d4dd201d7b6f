"""The words of the Find panel, and a search as the panel shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search import Search
from integrator.domain.search_json import Step
from integrator.domain.search_ops import frame_of
from integrator.domain.search_results import Candidate, CandidateList
from integrator.session.searches import TypeKind
from integrator.ui.models.fields import address_text

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
    ("first", "since the start"),
    ("snapshot", "since snapshot"),
    ("last-frame", "since last frame"),
    ("frame", "since frame…"),
)
"""What memory is compared with, with the words shown."""

WHENS: tuple[tuple[str, str, str], ...] = (
    ("once", "once", "Compare now"),
    ("frame", "each frame", "After every frame, with the one before"),
    ("idle", "no buttons", "After every frame on which no button is held"),
    ("press", "per press", "After each press of a button, with memory before it"),
)
"""When to compare, with the words shown; the first is by hand."""

_RULES = {
    "frame": "{0} on each frame · stop",
    "idle": "{0} while no button is held · stop",
    "press": "{0} from press to release · stop",
}


def rule_text(op: str, when: str) -> str:
    """A comparison made while the game runs, as its chip says it."""
    return _RULES[when].format(op)


KINDS: tuple[tuple[tuple[TypeKind, ...], str, str], ...] = (
    (("numbers",), "numbers", "All data types of the console"),
    (
        ("bits",),
        "bits",
        "Single bits of a byte, its halves and some fields; they become variables with a mask",
    ),
    (("numbers", "bits"), "numbers and bits", "Both at once"),
)
"""What is searched for, with the words shown; the first is usual."""

_FIRST_ROWS = 64

_NAMES = {
    "keep-at": "draws the mark",
    "start-from-now": "from here",
    "limit-to": "within",
    "exclude": "without",
    "align": "every",
}

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


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison as a command; ``frames`` are recorded frames it looks at, -1 is the last."""

    op: str
    value: object
    against: str | None

    def __call__(self, search: Search) -> object:
        """Keep what fits."""
        return search.refine(self.op, self.value, against=self.against)

    @property
    def frames(self) -> tuple[int, ...]:
        """What has to be at hand of the recording."""
        recorded = self.against is not None and (
            self.against == "last-frame" or self.against.startswith("frame ")
        )
        return (frame_of(self.against or ""),) if recorded else ()


def warm(search: Search) -> SearchStatus:
    """The search as the panel shows it, with its first rows made, so that showing it is quick."""
    status = SearchStatus.of(search)
    list(status.candidates[:_FIRST_ROWS])
    return status


def step_text(step: Step) -> str:
    """A step as a chip says it: ``= 20``, ``unchanged``, ``+ 3``."""
    if step.op in ("limit-to", "exclude") and isinstance(step.value, tuple):
        low, high = step.value
        last = high - 1 if step.op == "limit-to" else low + high - 1
        span = address_text(low) if last == low else f"{address_text(low)}…{last:X}"
        return f"{_NAMES[step.op]} {span}"
    name = _NAMES.get(step.op, step.op)
    if step.value is None:
        return name if step.against in ("previous", "value") else f"{name} ({step.against})"
    value = (
        "…".join(str(v) for v in step.value) if isinstance(step.value, tuple) else str(step.value)
    )
    return f"{_SIGNS.get(step.op, name)} {value}"
