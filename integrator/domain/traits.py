"""Traits are named measures of a case; their sum with fitted weights gives the case's odds."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.files.reading import SMALL_BYTES, read_text

Case = TypeVar("Case")
Measures = NDArray[np.float32]

WEIGHTS: Final = Path(__file__).with_name("weights.json")
"""The file of all weights by row, which ``scripts.fit_evidence`` fits."""
_FITTED: Final[Mapping[str, Mapping[str, float]]] = json.loads(read_text(WEIGHTS, SMALL_BYTES))


@dataclass(frozen=True, slots=True)
class Trait(Generic[Case]):
    """A column of a table: its name, the sentence that a high measure means, and the measure."""

    name: str
    sentence: str
    measure: Callable[[Case], float]


def measures_of(traits: Sequence[Trait[Case]], case: Case) -> Measures:
    return np.array([trait.measure(case) for trait in traits], np.float32)


def odds_of(traits: Sequence[Trait[Case]], row: str, table: Measures) -> Measures:
    """Return each case's log-odds to be of the kind for which the weights ``row`` were fitted."""
    own = _FITTED[row]
    weights = np.array([own.get(trait.name, 0.0) for trait in traits], np.float32)
    odds: Measures = table @ weights + np.float32(own.get("bias", 0.0))
    return odds
