"""Solves facts about recorded play for the variable: every address, type and scale at once.

Facts at single frames need only the RAM of those frames. Facts about a range drop candidates whose
bytes did not change in it at all, then compare a few frames of it, and follow frame by frame only
the few candidates that remain. One wrong fact does not hide the answer: candidates that fail a
single fact are listed after those that fit all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import RANGE_FACTS, Fact, RamHistory
from integrator.domain.query.pieces import Pieces
from integrator.domain.query.ranges import Recording, holding_over_range
from integrator.domain.query.rank import Match, best_scales, count, rank
from integrator.domain.sweep.refine import Memory, NumberLayers, full_layers, refine
from integrator.domain.sweep.sets import difference, intersection, union
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

_BOOT_FRAMES = 90
_NEAR_LIMIT = 2000
"""When more candidates than this fail one fact alone, the other facts say little."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts about one recording; several recordings of a game make several pieces of evidence."""

    history: RamHistory
    facts: tuple[Fact, ...]


Asked = Sequence[tuple[Recording, Fact]]
"""All facts, each with its recording."""


@dataclass(frozen=True, slots=True)
class Solution:
    """Matches, best first: exact matches, then near misses.

    Counts are of addresses times types, before the limit and before copies are grouped. ``vague``
    are facts that very many candidates fail alone: their near misses are not listed. ``all_zero``
    warns that facts name no number but 0, which most of memory holds. ``in_pieces`` are numbers
    whose digits do not touch, looked for if no likely match fits.
    """

    matches: tuple[Match, ...]
    exact_count: int
    near_count: int
    vague: tuple[Fact, ...]
    all_zero: bool = False
    in_pieces: tuple[Pieces, ...] = ()


@dataclass(frozen=True, slots=True)
class Strict:
    """Matches of facts taken at their word, best first and not grouped; counts as in Solution."""

    exact: list[Match]
    near: list[Match]
    exact_count: int
    near_count: int
    vague: tuple[Fact, ...]


def asked_of(space: AddressSpace, evidence: Sequence[Evidence]) -> Asked:
    """The facts, quick ones first. Raises SearchError when there are none."""
    asked = []
    for piece in evidence:
        recording = Recording(space, piece.history)
        asked += [(recording, fact) for fact in piece.facts]
    if not asked:
        raise SearchError("state at least one fact about the number")
    # Facts about ranges are slow to check, so they are asked last, of the fewest candidates.
    asked.sort(key=lambda each: isinstance(each[1], RANGE_FACTS))
    return asked


def recordings_of(asked: Asked) -> dict[Recording, int]:
    """The recordings that facts are about, and the frame of each from which on numbers count.

    Until the first fact, at most a second and a half, memory may hold garbage of power-on.
    """
    found: dict[Recording, int] = {}
    for recording, fact in asked:
        found[recording] = min(found.get(recording, _BOOT_FRAMES), *fact.frames, recording.length)
    return found


def solve_strictly(
    space: AddressSpace, types: Sequence[DataType], asked: Asked, *, scales: bool, limit: int
) -> Strict:
    """Every address, type and scale for which the facts hold, and those that fail one fact.

    Lists at most ``limit`` of each; of several scales of one address and type, the simplest.
    """
    fits = promising = full_layers(space, types, scales=scales)
    answers: list[tuple[Fact, NumberLayers]] = []
    for recording, fact in asked:
        holds = answer(fact, promising, recording)
        # While every candidate may fail one fact, the set stays the same object.
        promising = {
            layer: each if fits[layer] is each else union([holds[layer], fits[layer]])
            for layer, each in promising.items()
        }
        fits = {layer: intersection(fits[layer], holds[layer]) for layer in holds}
        answers.append((fact, holds))
    exact = best_scales(fits)
    near = {
        fact: best_scales({layer: difference(promising[layer], holds[layer]) for layer in holds})
        for fact, holds in (answers if len(answers) > 1 else ())
    }
    vague = tuple(fact for fact, found in near.items() if count(found) > _NEAR_LIMIT)
    missed = [
        match
        for fact, layers in near.items()
        if fact not in vague
        for match in rank(space, types, layers, fact, limit)
    ]
    return Strict(
        rank(space, types, exact, None, limit),
        missed[:limit],
        count(exact),
        sum(count(layers) for layers in near.values()),
        vague,
    )


def answer(fact: Fact, left: NumberLayers, recording: Recording) -> NumberLayers:
    """The candidates of ``left`` for which the fact holds."""
    if isinstance(fact, RANGE_FACTS):
        return holding_over_range(fact, left, recording)
    for check in fact.checks:
        reference = None if check.reference is None else recording.logical(check.reference)
        memory = Memory(recording.logical(check.frame), reference, None)
        left = refine(left, check.comparison.predicate, memory)
    return left
