"""Chooses, where very many bytes change, the ones worth a look on every frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.sets import Positions

MOST_PLACES: Final = 4000
_SAMPLES: Final = 160
_NEAR: Final = 64
"""A position moves less than this between two samples."""


def choose_places(
    ram_at: Callable[[int], NDArray[np.uint8]],
    changed: Positions,
    first: int,
    across: NDArray[np.int8],
) -> Positions:
    """At most ``MOST_PLACES`` of the ascending ``changed`` places, which are logical indexes.

    ``ram_at`` gives RAM after a frame, in logical order. ``across`` is the held direction of frames
    ``first``, ``first + 1``, ... Half of the places are those that change seldom, half those that
    move with the direction.
    """
    if len(changed) <= MOST_PLACES:
        return changed
    rows = np.unique(np.linspace(0, len(across) - 1, _SAMPLES).astype(np.intp))
    samples = np.stack([ram_at(first + int(row))[changed] for row in rows])
    steps = np.subtract(samples[1:], samples[:-1]).view(np.int8)
    held = np.cumsum(across)[rows]
    push = np.sign(np.diff(held)).astype(np.float32)
    near = (steps != 0) & (np.abs(steps.astype(np.int16)) < _NEAR)
    signs = np.where(near, np.sign(steps), 0).astype(np.float32)
    moves = np.abs(signs)
    follows = np.abs(push @ signs) / (np.abs(push) @ moves + 4)
    changes = np.count_nonzero(steps, axis=0)
    alike = near.sum(axis=0) / np.maximum(changes, 1)
    seldom = np.where(changes < 0.4 * len(steps), alike + 0.2 * (changes > 1), 0)
    half = MOST_PLACES // 2
    chosen = (np.argsort(-follows, kind="stable")[:half], np.argsort(-seldom, kind="stable")[:half])
    kept: NDArray[np.intp] = changed[np.unique(np.concatenate(chosen))]
    return kept
