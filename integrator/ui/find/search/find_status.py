"""The words of the Find panel, and a search as the panel shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.operators import OPERATORS, frame_of
from integrator.domain.search.order import BY_ADDRESS, RowOrder
from integrator.domain.search.results import Candidate
from integrator.domain.search.rows import CandidateList
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.searches.searches import TypeKind
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.translation import translate

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


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """A search as the panel shows it; made on the runner's thread, immutable."""

    count: int
    steps: tuple[SearchStep, ...]
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


def step_text(step: SearchStep) -> str:
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
    sign = OPERATORS[step.op].sign if step.op in OPERATORS else ""
    return f"{sign or name} {value}"
