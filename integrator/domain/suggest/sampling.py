"""Chooses, where very many bytes change, the ones worth a look on every frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.sets import Positions

MOST_PLACES: Final = 4000
_SAMPLES: Final = 160
_NEAR: Final = 64
"""A position moves less than this between two samples."""
_SELDOM: Final = 0.4
"""Numbers that people read change between fewer samples than this share."""
_SELDOM_PART: Final = 0.6
"""The part of the places for bytes that change seldom; each axis of positions has half the rest."""


def choose_places(
    ram_at: Callable[[int], NDArray[np.uint8]],
    changed: Positions,
    first: int,
    ways: Sequence[NDArray[np.int8]],
) -> Positions:
    """At most ``MOST_PLACES`` of the ascending ``changed`` places, which are logical indexes.

    ``ram_at`` gives RAM after a frame, in logical order. ``ways`` are the held directions of frames
    ``first``, ``first + 1``, ... along each axis. Places are those that change seldom, and those
    that move with a direction.
    """
    if len(changed) <= MOST_PLACES:
        return changed
    rows = np.unique(np.linspace(0, len(ways[0]) - 1, _SAMPLES).astype(np.intp))
    samples = np.stack([ram_at(first + int(row))[changed] for row in rows])
    steps = np.subtract(samples[1:], samples[:-1]).view(np.int8)
    near = (steps != 0) & (np.abs(steps.astype(np.int16)) < _NEAR)
    signs = np.where(near, np.sign(steps), 0).astype(np.float32)
    moves = np.abs(signs)
    turn = _ranks(_seldom(steps, near)) / _SELDOM_PART
    for way in ways:
        push = np.sign(np.diff(np.cumsum(way)[rows])).astype(np.float32)
        follows = np.abs(push @ signs) / (np.abs(push) @ moves + 4)
        turn = np.minimum(turn, _ranks(follows) * len(ways) / (1 - _SELDOM_PART))
    kept: NDArray[np.intp] = changed[np.sort(np.argsort(turn, kind="stable")[:MOST_PLACES])]
    return kept


def _seldom(steps: NDArray[np.int8], near: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Merits of bytes as numbers that people read, each pace getting its share of the best.

    Lives change a few times a minute and scores often, and neither is to crowd out the other.
    """
    changes = np.count_nonzero(steps, axis=0)
    alike = near.sum(axis=0) / np.maximum(changes, 1)
    alike[changes >= _SELDOM * len(steps)] = 0
    pace = np.log2(np.maximum(changes, 1)).astype(np.int64)
    merits = np.zeros(len(changes))
    for each in np.unique(pace).tolist():
        own = np.flatnonzero(pace == each)
        merits[own] = 1 / (1 + _ranks(alike[own]))
    return merits


def _ranks(merits: NDArray[np.floating]) -> NDArray[np.float64]:
    """The rank of each merit, from 0 for the highest on; infinite without any merit."""
    ranks = np.empty(len(merits))
    ranks[np.argsort(-merits, kind="stable")] = np.arange(len(merits))
    ranks[merits <= 0] = np.inf
    return ranks
