"""Counts, for every candidate at once, the failed facts: none, one, or more."""

from __future__ import annotations

from integrator.domain.query.recorded.facts import Fact
from integrator.domain.sweep.refine import NumberLayers
from integrator.domain.sweep.sets import difference, intersection, union


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
