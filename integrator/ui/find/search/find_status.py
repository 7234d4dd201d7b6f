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
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.translation import translate

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
