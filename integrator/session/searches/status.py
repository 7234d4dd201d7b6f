"""A search as it is shown: counts, steps, rows, and the comparisons that are asked of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from integrator.domain.search.operators import frame_of
from integrator.domain.search.order import BY_ADDRESS, RowOrder
from integrator.domain.search.results import Candidate
from integrator.domain.search.rows import CandidateList
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.session.frame.live_memory import LiveMemory

_FIRST_ROWS = 64


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """A search as the panel shows it; made on the runner's thread, immutable."""

    count: int
    steps: tuple[SearchStep, ...]
    types: int
    ram_bytes: int
    candidates: Sequence[Candidate]

    @classmethod
    def of(cls, search: Search, order: RowOrder = BY_ADDRESS) -> "SearchStatus":
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
        return search.take(search.plan(self.op, self.value, against=self.against))

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


def at_present(search: Search, memory: LiveMemory, rows: Sequence[Candidate]) -> list[Candidate]:
    """Candidates with their numbers between two frames."""
    counts, ages = search.changes_of(rows)
    return [
        replace(
            row, value=row.number_in(memory.read(row.address, row.type)), changes=changes, age=age
        )
        for row, changes, age in zip(rows, counts.tolist(), ages.tolist(), strict=True)
    ]
