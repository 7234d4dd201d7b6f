"""Facts about a whole range of frames, for many candidates, without decoding the whole range."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from integrator.domain.query.recorded.facts import OnlyGrows, RangeFact, Unchanged
from integrator.domain.query.recorded.recording import Recording, bytes_of
from integrator.domain.query.recorded.steps import Steps
from integrator.domain.search.operators import Comparison
from integrator.domain.sweep.gather import Memory
from integrator.domain.sweep.refine import Layer, NumberLayers, refine
from integrator.domain.sweep.scale import PLAIN
from integrator.domain.sweep.sets import CandidateSet, Mask, Positions, intersection, union
from integrator.domain.values.datatype import DataType

_SAMPLES: Final = 12
"""Frames looked at before candidates are followed frame by frame."""
_CHUNK_BYTES: Final = 2 << 20
_FIRST_CHUNK_FRAMES: Final = 128


def holding_over_range(fact: RangeFact, layers: NumberLayers, recording: Recording) -> NumberLayers:
    """The candidates of ``layers`` for which the fact holds. Scales make no difference to it."""
    touched = recording.changed(fact.start, fact.stop)
    by_type: dict[DataType, list[CandidateSet]] = {}
    for layer, candidates in layers.items():
        by_type.setdefault(layer.data_type, []).append(candidates)
    still, doubtful = {}, {}
    for data_type, sets in by_type.items():
        moves = widened(touched, data_type.width)
        everything = union(sets)
        still[data_type] = everything.keep(~moves)
        if not data_type.form.is_binary or not isinstance(fact, Unchanged):
            # Decimal digits ignore some bits: a byte may change and the number not.
            doubtful[data_type] = everything.keep(moves)
    followed = _follow(fact, _sampled(fact, doubtful, recording), recording)
    passed = {
        data_type: union([candidates, followed[data_type]]) if data_type in followed else candidates
        for data_type, candidates in still.items()
    }
    return {
        layer: intersection(candidates, passed[layer.data_type])
        for layer, candidates in layers.items()
    }


def widened(touched: Mask, width: int) -> Mask:
    """For each position, True when any of ``width`` bytes from it is touched: bool (bytes,)."""
    found = touched.copy()
    for offset in range(1, width):
        found[:-offset] |= touched[offset:]
    return found


def _sampled(
    fact: RangeFact, sets: dict[DataType, CandidateSet], recording: Recording
) -> dict[DataType, CandidateSet]:
    """The candidates that pass on a sample of frames, each compared with the frame before."""
    frames = np.unique(np.linspace(fact.start, fact.stop - 1, _SAMPLES).astype(int)).tolist()
    layers: NumberLayers = {Layer(data_type, PLAIN): found for data_type, found in sets.items()}
    asked = Comparison(fact.op, None, "previous")
    for before, frame in pairwise(frames):
        if not any(candidates.count for candidates in layers.values()):
            break
        memory = Memory(recording.logical(frame), recording.logical(before), None)
        layers = refine(layers, asked.predicate, memory)
    return {layer.data_type: candidates for layer, candidates in layers.items()}


def _follow(
    fact: RangeFact, sets: dict[DataType, CandidateSet], recording: Recording
) -> dict[DataType, CandidateSet]:
    """The candidates that pass on every frame of the range, each compared with the frame before."""
    left = {data_type: found.positions for data_type, found in sets.items()}
    start, frames = fact.start, _FIRST_CHUNK_FRAMES
    while start < fact.stop - 1:
        wanted = bytes_of(left)
        if not len(wanted):
            break
        # The first chunk drops most; one frame of overlap links each chunk with the next.
        stop = min(start + frames + 1, fact.stop)
        steps = Steps(wanted, recording.bytes_over(wanted, start, stop))
        left = {
            data_type: positions[_holds(fact, data_type, positions, steps)]
            for data_type, positions in left.items()
        }
        start = stop - 1
        frames = max(_FIRST_CHUNK_FRAMES, _CHUNK_BYTES // max(1, len(bytes_of(left))))
    return {
        data_type: CandidateSet.of_positions(positions, sets[data_type].size)
        for data_type, positions in left.items()
    }


def _holds(fact: RangeFact, data_type: DataType, positions: Positions, steps: Steps) -> Mask:
    """True for each of ``positions`` at which the fact holds in the captured frames."""
    if isinstance(fact, Unchanged):
        return steps.rests(data_type, positions)
    return steps.never(data_type, positions, "down" if isinstance(fact, OnlyGrows) else "up")
