"""The words of the Find panel, and a search as the panel shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.order import BY_ADDRESS, RowOrder
from integrator.domain.search.results import Candidate
from integrator.domain.search.rows import CandidateList
from integrator.domain.search.saved import Step
from integrator.domain.search.search import Search
from integrator.domain.sweep.ops import frame_of
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.searches.searches import TypeKind
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.translation import translate

VALUE_OPS: tuple[tuple[str, str], ...] = (
    ("equal", QT_TRANSLATE_NOOP("FindForm", "is")),
    ("not-equal", QT_TRANSLATE_NOOP("FindForm", "is not")),
    ("less-than", QT_TRANSLATE_NOOP("FindForm", "is less than")),
    ("less-or-equal", QT_TRANSLATE_NOOP("FindForm", "is at most")),
    ("greater-than", QT_TRANSLATE_NOOP("FindForm", "is greater than")),
    ("greater-or-equal", QT_TRANSLATE_NOOP("FindForm", "is at least")),
    ("in-range", QT_TRANSLATE_NOOP("FindForm", "is between")),
    ("increased-by", QT_TRANSLATE_NOOP("FindForm", "increased by")),
    ("decreased-by", QT_TRANSLATE_NOOP("FindForm", "decreased by")),
    ("different-by", QT_TRANSLATE_NOOP("FindForm", "differs by")),
    ("modulo", QT_TRANSLATE_NOOP("FindForm", "divided by, leaves")),
    ("bit-set", QT_TRANSLATE_NOOP("FindForm", "has bit set")),
    ("bit-clear", QT_TRANSLATE_NOOP("FindForm", "has bit clear")),
    ("changed-times", QT_TRANSLATE_NOOP("FindForm", "changed, times")),
)
"""Comparisons that need a number, with the words shown."""

MEMORY_OPS: tuple[tuple[str, str, str], ...] = (
    (
        "changed",
        QT_TRANSLATE_NOOP("FindForm", "changed"),
        QT_TRANSLATE_NOOP("FindForm", "Keep what differs from the last search"),
    ),
    (
        "unchanged",
        QT_TRANSLATE_NOOP("FindForm", "unchanged"),
        QT_TRANSLATE_NOOP("FindForm", "Keep what is as at the last search"),
    ),
    (
        "increased",
        QT_TRANSLATE_NOOP("FindForm", "increased"),
        QT_TRANSLATE_NOOP("FindForm", "Keep what grew since the last search"),
    ),
    (
        "decreased",
        QT_TRANSLATE_NOOP("FindForm", "decreased"),
        QT_TRANSLATE_NOOP("FindForm", "Keep what shrank since the last search"),
    ),
)
"""Comparisons with memory at the last search: one click each."""

TWO_VALUES = frozenset(("in-range", "modulo"))
"""Comparisons with two numbers."""

STEP_OPS = frozenset(("increased-by", "decreased-by", "different-by"))
"""Comparisons by a number with memory at an earlier time."""

AGAINST: tuple[tuple[str, str], ...] = (
    ("previous", QT_TRANSLATE_NOOP("FindForm", "since last search")),
    ("first", QT_TRANSLATE_NOOP("FindForm", "since the start")),
    ("snapshot", QT_TRANSLATE_NOOP("FindForm", "since snapshot")),
    ("last-frame", QT_TRANSLATE_NOOP("FindForm", "since last frame")),
    ("frame", QT_TRANSLATE_NOOP("FindForm", "since frame…")),
)
"""Memories to compare with, and their texts."""

WHENS: tuple[tuple[str, str, str], ...] = (
    ("once", QT_TRANSLATE_NOOP("FindForm", "once"), QT_TRANSLATE_NOOP("FindForm", "Compare now")),
    (
        "frame",
        QT_TRANSLATE_NOOP("FindForm", "each frame"),
        QT_TRANSLATE_NOOP("FindForm", "After every frame, with the one before"),
    ),
    (
        "idle",
        QT_TRANSLATE_NOOP("FindForm", "no buttons"),
        QT_TRANSLATE_NOOP("FindForm", "After every frame on which no button is held"),
    ),
    (
        "press",
        QT_TRANSLATE_NOOP("FindForm", "per press"),
        QT_TRANSLATE_NOOP("FindForm", "After each press of a button, with memory before it"),
    ),
)
"""Times to compare, and their texts; the first is by hand."""

_RULES = {
    "frame": QT_TRANSLATE_NOOP("FindForm", "{0} on each frame · stop"),
    "idle": QT_TRANSLATE_NOOP("FindForm", "{0} while no button is held · stop"),
    "press": QT_TRANSLATE_NOOP("FindForm", "{0} from press to release · stop"),
}


def rule_text(op: str, when: str) -> str:
    """A comparison made while the game runs, as its chip says it."""
    return translate("FindForm", _RULES[when]).format(op)


KINDS: tuple[tuple[tuple[TypeKind, ...], str, str], ...] = (
    (
        ("numbers",),
        QT_TRANSLATE_NOOP("FindOptions", "numbers"),
        QT_TRANSLATE_NOOP("FindOptions", "All data types of the console"),
    ),
    (
        ("bits",),
        QT_TRANSLATE_NOOP("FindOptions", "bits"),
        QT_TRANSLATE_NOOP(
            "FindOptions",
            "Single bits of a byte, its halves and some fields; they become variables with a mask",
        ),
    ),
    (
        ("numbers", "bits"),
        QT_TRANSLATE_NOOP("FindOptions", "numbers and bits"),
        QT_TRANSLATE_NOOP("FindOptions", "Both at once"),
    ),
    (
        ("floats",),
        QT_TRANSLATE_NOOP("FindOptions", "floats"),
        QT_TRANSLATE_NOOP(
            "FindOptions",
            "Floating-point numbers of four bytes; 12 is found as 11.5 up to 13, as a screen shows",
        ),
    ),
    (
        ("numbers", "floats"),
        QT_TRANSLATE_NOOP("FindOptions", "numbers and floats"),
        QT_TRANSLATE_NOOP("FindOptions", "Both at once"),
    ),
)
"""Kinds of numbers, and their texts; the first is usual."""

_FIRST_ROWS = 64

_NAMES = {
    "keep-at": QT_TRANSLATE_NOOP("FindView", "draws the mark"),
    "start-from-now": QT_TRANSLATE_NOOP("FindView", "from here"),
    "limit-to": QT_TRANSLATE_NOOP("FindView", "within"),
    "exclude": QT_TRANSLATE_NOOP("FindView", "without"),
    "align": QT_TRANSLATE_NOOP("FindView", "every"),
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
    def of(cls, search: Search, order: RowOrder = BY_ADDRESS) -> SearchStatus:
        """Look at ``search``. Call it on the thread that owns the session."""
        size, kinds = search.space.size_bytes, len(search.types)
        return cls(search.count, search.history, kinds, size, search.candidates().sorted(order))

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
        """Keep the candidates that satisfy the comparison."""
        return search.refine(self.op, self.value, against=self.against)

    @property
    def frames(self) -> tuple[int, ...]:
        """Recorded frames that the comparison needs."""
        recorded = self.against is not None and (
            self.against == "last-frame" or self.against.startswith("frame ")
        )
        return (frame_of(self.against or ""),) if recorded else ()


def warm(search: Search, order: RowOrder = BY_ADDRESS) -> SearchStatus:
    """The search as the panel shows it, with its first rows made, so that showing it is quick."""
    status = SearchStatus.of(search, order)
    list(status.candidates[:_FIRST_ROWS])
    return status


def step_text(step: Step) -> str:
    """A step as a chip says it: ``= 20``, ``unchanged``, ``+ 3``."""
    if step.op in ("limit-to", "exclude") and isinstance(step.value, tuple):
        low, high = step.value
        last = high - 1 if step.op == "limit-to" else low + high - 1
        span = address_text(low) if last == low else f"{address_text(low)}…{last:X}"
        return f"{translate('FindView', _NAMES[step.op])} {span}"
    name = translate("FindView", _NAMES[step.op]) if step.op in _NAMES else step.op
    if step.value is None:
        return name if step.against in ("previous", "value") else f"{name} ({step.against})"
    value = (
        "…".join(str(v) for v in step.value) if isinstance(step.value, tuple) else str(step.value)
    )
    return f"{_SIGNS.get(step.op, name)} {value}"
