"""Facts about a number over recorded frames, as a person who watched the screen would state them.

Frames are numbered as in the timeline and ranges are half-open. Numbers are shown numbers: those on
the screen, which memory may keep at another scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.search.operators import Comparison
from integrator.domain.sweep.refine import NumberLayers
from integrator.domain.sweep.sets import difference, intersection, union

_SHORTEST: Final = 2


class RamHistory(Protocol):
    """Recorded RAM, such as a timeline's, on frames 0 to ``length``. Arrays hold raw flat RAM."""

    @property
    def length(self) -> int:
        """The newest frame."""
        ...

    def ram(self, frame: int) -> NDArray[np.uint8]:
        """RAM after ``frame``, uint8 of shape (ram_bytes,)."""
        ...

    def ram_ranges(
        self, ranges: Sequence[tuple[int, int]], start: int, stop: int, /
    ) -> NDArray[np.uint8]:
        """Bytes of (offset, length) ranges in frames [start, stop): uint8 (frames, total)."""
        ...

    def changed(self, start: int, stop: int) -> NDArray[np.bool_]:
        """True for bytes that change within frames [start, stop): bool (ram_bytes,)."""
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """A comparison of RAM at ``frame``, with RAM at ``reference`` where it needs one."""

    comparison: Comparison
    frame: int
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class Equals:
    """The number is ``value`` at ``frame``."""

    frame: int
    value: int

    @property
    def frames(self) -> tuple[int, ...]:
        """Frames that the fact names."""
        return (self.frame,)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The comparisons at single frames that make up the fact."""
        return (Check(Comparison("equal", self.value, "value"), self.frame),)

    def __str__(self) -> str:
        return f"{self.value} at frame {self.frame}"


@dataclass(frozen=True, slots=True)
class Transition:
    """The number goes from ``before`` at ``start`` to ``after`` at ``end``."""

    start: int
    end: int
    before: int
    after: int

    @property
    def frames(self) -> tuple[int, ...]:
        """Frames that the fact names."""
        return self.start, self.end

    @property
    def checks(self) -> tuple[Check, ...]:
        """The comparisons at single frames that make up the fact."""
        return (*Equals(self.start, self.before).checks, *Equals(self.end, self.after).checks)

    def __str__(self) -> str:
        return f"{self.before} at frame {self.start} becomes {self.after} at frame {self.end}"


@dataclass(frozen=True, slots=True)
class _TwoFrames:
    """A relation of the number at frame ``end`` to the number at frame ``start``."""

    start: int
    end: int

    @property
    def frames(self) -> tuple[int, ...]:
        """Frames that the fact names."""
        return self.start, self.end

    def _check(self, op: str) -> tuple[Check, ...]:
        return (Check(Comparison(op, None, "previous"), self.end, self.start),)


@dataclass(frozen=True, slots=True)
class Changed(_TwoFrames):
    """The number at ``end`` is another than at ``start``."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """The comparisons at single frames that make up the fact."""
        return self._check("changed")

    def __str__(self) -> str:
        return f"changed from frame {self.start} to {self.end}"


@dataclass(frozen=True, slots=True)
class Increases(_TwoFrames):
    """The number at ``end`` is above that at ``start``."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """The comparisons at single frames that make up the fact."""
        return self._check("increased")

    def __str__(self) -> str:
        return f"went up from frame {self.start} to {self.end}"


@dataclass(frozen=True, slots=True)
class Decreases(_TwoFrames):
    """The number at ``end`` is below that at ``start``."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """The comparisons at single frames that make up the fact."""
        return self._check("decreased")

    def __str__(self) -> str:
        return f"went down from frame {self.start} to {self.end}"


@dataclass(frozen=True, slots=True)
class _WholeRange:
    """A behaviour of the number from frame to frame within [start, stop)."""

    start: int
    stop: int

    def __post_init__(self) -> None:
        if self.stop - self.start < _SHORTEST:
            raise SearchError(
                f"frames {self.start} to {self.stop - 1} are no range: give at least two frames"
            )

    @property
    def frames(self) -> tuple[int, ...]:
        """Frames that the fact names."""
        return self.start, self.stop - 1


@dataclass(frozen=True, slots=True)
class Unchanged(_WholeRange):
    """The number is the same on every frame of the range."""

    op: ClassVar[str] = "equal"

    def __str__(self) -> str:
        return f"unchanged in frames {self.start} to {self.stop - 1}"


@dataclass(frozen=True, slots=True)
class OnlyGrows(_WholeRange):
    """The number never goes down from one frame of the range to the next."""

    op: ClassVar[str] = "greater-or-equal"

    def __str__(self) -> str:
        return f"never goes down in frames {self.start} to {self.stop - 1}"


@dataclass(frozen=True, slots=True)
class OnlyFalls(_WholeRange):
    """The number never goes up from one frame of the range to the next."""

    op: ClassVar[str] = "less-or-equal"

    def __str__(self) -> str:
        return f"never goes up in frames {self.start} to {self.stop - 1}"


PointFact = Equals | Transition | Changed | Increases | Decreases
RangeFact = Unchanged | OnlyGrows | OnlyFalls
Fact = PointFact | RangeFact
RANGE_FACTS: Final = (Unchanged, OnlyGrows, OnlyFalls)
"""Facts about a range of frames, for isinstance."""


class Tally:
    """Starts with every candidate of ``layers`` in the run."""

    def __init__(self, layers: NumberLayers) -> None:
        self._answers: list[tuple[Fact, NumberLayers]] = []
        self.exact = layers
        self.promising = layers

    def note(self, fact: Fact, holds: NumberLayers) -> None:
        """Count a fact; ``holds`` are the candidates of :attr:`promising` for which it holds."""
        failed_none = self.exact
        self.exact = {layer: intersection(failed_none[layer], holds[layer]) for layer in holds}
        self.promising = {
            # While every candidate may fail one fact, the set stays the same object.
            layer: before
            if failed_none[layer] is before
            else union([holds[layer], failed_none[layer]])
            for layer, before in self.promising.items()
        }
        self._answers.append((fact, holds))

    def near_misses(self) -> dict[Fact, NumberLayers]:
        """For each fact the candidates that fail it alone; empty when it is the only fact."""
        if len(self._answers) < len(("a fact to fail", "a fact to hold")):
            return {}
        return {
            fact: {
                layer: difference(candidates, holds[layer])
                for layer, candidates in self.promising.items()
            }
            for fact, holds in self._answers
        }
