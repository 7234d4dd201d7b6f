"""Facts as people state them: at frames that are a little off, and late for a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from integrator.domain.query.recorded.facts import Equals, Fact, Transition
from integrator.domain.query.recorded.ranges import widened
from integrator.domain.query.recorded.recording import Recording
from integrator.domain.search.operators import Comparison
from integrator.domain.sweep.gather import Memory
from integrator.domain.sweep.readings import SearchType
from integrator.domain.sweep.refine import Layer, LayersOf, refine
from integrator.domain.sweep.sets import CandidateSet, difference, union

OFF_FRAMES: Final = 8
"""Frames by which people are off, at most, when they pause and read a number."""

T = TypeVar("T", bound=SearchType)


@dataclass(frozen=True, slots=True)
class Sighting:
    """The number is ``value`` at frame ``said``, or at any frame from ``first`` to ``last``."""

    value: int
    first: int
    said: int
    last: int


def off_frames(asked: Sequence[tuple[Recording, Fact]]) -> int:
    """The frames by which facts may be off: fewer than lie between any two different numbers.

    Otherwise a number that jumps about would fit whatever was said about these frames.
    """
    before: list[tuple[Recording, Sighting]] = []
    off = OFF_FRAMES
    for recording, fact in asked:
        for sighting in list(sightings(fact, 0))[-1:]:
            for other, known in before:
                if other is recording and known.value != sighting.value:
                    off = min(off, abs(known.said - sighting.said) - 1)
            before.append((recording, sighting))
    return max(0, off)


def sightings(fact: Fact, off: int) -> Iterator[Sighting]:
    """The numbers that a fact states, when frames may be so many off; none for a behaviour.

    Of a step that may be off, the old number stood somewhere before its end.
    """
    if isinstance(fact, Equals):
        at = fact.frame
        yield Sighting(fact.value, at - off, at, at + off)
    elif isinstance(fact, Transition):
        last_before = fact.end - 1 if off else fact.start
        yield Sighting(fact.before, fact.start - off, fact.start, last_before)
        yield Sighting(fact.after, fact.end, fact.end, fact.end + off)


def seen(sighting: Sighting, left: LayersOf[T], recording: Recording) -> LayersOf[T]:
    """The candidates of ``left`` that show the number on some frame of the sighting."""
    equal = Comparison("equal", sighting.value, "value")
    memory = Memory(recording.logical(sighting.said), None, None)
    found = refine(left, equal.predicate, memory)
    first, last = max(0, sighting.first), min(recording.length, sighting.last)
    if first == last:
        return found
    # Elsewhere in the window only numbers differ whose bytes change in it.
    touched = recording.changed(first, last + 1)
    moving: dict[tuple[int, int], CandidateSet] = {}
    open_still = {}
    for layer, candidates in left.items():
        key = (id(candidates), layer.data_type.width)
        if key not in moving:
            moving[key] = candidates.keep(widened(touched, layer.data_type.width))
        open_still[layer] = difference(moving[key], found[layer])
    hits: dict[Layer[T], list[CandidateSet]] = {}
    for frame in range(first, last + 1):
        open_still = {layer: each for layer, each in open_still.items() if each.count}
        if not open_still:
            break
        memory = Memory(recording.glance(frame), None, None)
        for layer, hit in refine(open_still, equal.predicate, memory).items():
            if hit.count:
                hits.setdefault(layer, [found[layer]]).append(hit)
                open_still[layer] = difference(open_still[layer], hit)
    return {**found, **{layer: union(sets) for layer, sets in hits.items()}}
