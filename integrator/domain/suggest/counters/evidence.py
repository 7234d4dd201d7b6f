"""Evidence for a kind of number, whose weights were fitted to known games.

``python -m scripts.fit_counters`` fits them on the games for tuning, and prints the tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp

from integrator.domain.suggest.counters.traits import Traits


@dataclass(frozen=True, slots=True)
class WeighedEvidence:
    """One measure of a number, and the log-odds that each unit of it adds."""

    weight: float
    measure: Callable[[Traits], float]


@dataclass(frozen=True, slots=True)
class EvidenceOfKind:
    """All evidence for one kind, by name. ``bias`` is the log-odds without any.

    ``may_be`` is false for numbers that are never of the kind. ``unfitted`` are log-odds that no
    game for tuning tells of.
    """

    evidence: Mapping[str, WeighedEvidence]
    bias: float
    may_be: Callable[[Traits], bool]
    unfitted: Callable[[Traits], float]

    def weigh(self, t: Traits) -> float:
        """The likelihood, 0 to 1, that the number is of the kind."""
        if not self.may_be(t):
            return 0.0
        odds = self.bias + self.unfitted(t)
        odds += sum(each.weight * each.measure(t) for each in self.evidence.values())
        return 1 / (1 + exp(-odds))
