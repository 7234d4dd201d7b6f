"""Orders the bytes that a number may be computed from, by recorded play alone."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.sweep.layout import addresses_of
from integrator.domain.values.memory import AddressSpace, merge_offsets
from integrator.session.proof.lab import Target
from integrator.session.proof.leaders import byte_at
from integrator.session.session import Session

_CAUSE_FRAMES: Final = 3
"""A number that is computed from another changes within so many frames after it."""
_EVENTS: Final = 12
_SAMPLES: Final = 24
_OFTEN: Final = 0.5
_MOST_BYTES: Final = 1 << 18
_WEIGHED: Final = 64
_SUSPECTS: Final = 10
_LAGS: Final = (0, 1)
_MOST_LOOKS: Final = 256


def suspects_of(
    session: Session, target: Target, numbers: NDArray[np.int64], first: int
) -> tuple[Target, ...]:
    """Bytes that may lead the target, the likeliest first.

    ``numbers`` are those from frame ``first`` on.
    """
    log, space = session.timeline.log, session.memory.space
    changes = np.flatnonzero(np.diff(numbers)) + 1
    # The game waits for the plan, and in large memories looking for changes takes a while.
    if not len(changes) or space.size_bytes > _MOST_BYTES:
        return ()
    offsets = _beside(session, target, (first + changes).tolist())
    columns = log.ram_ranges(merge_offsets(offsets.tolist()), first)[-len(numbers) :]
    looks = np.unique(numbers, return_inverse=True)[1] % _MOST_LOOKS
    weights = np.array([_lead(columns[:, k], looks) for k in range(len(offsets))])
    order = [k for k in np.argsort(-weights, kind="stable").tolist() if weights[k] > 0]
    return tuple(byte_at(_address(space, int(offsets[k]))) for k in order[:_SUSPECTS])


def _beside(session: Session, target: Target, ends: list[int]) -> NDArray[np.intp]:
    """Offsets in flat RAM, ascending, of bytes that change with the target more than elsewhere."""
    log, space = session.timeline.log, session.memory.space

    def shares(frames: NDArray[np.intp]) -> NDArray[np.float64]:
        times = np.zeros(space.size_bytes, np.uint8)
        for frame in frames.tolist():
            times += log.changed(max(0, frame - _CAUSE_FRAMES), frame + 1)
        return times / len(frames)

    chosen = np.array(ends)[np.unique(np.linspace(0, len(ends) - 1, _EVENTS).astype(np.intp))]
    often = shares(chosen)
    usual = shares(np.linspace(_CAUSE_FRAMES, log.length, _SAMPLES).astype(np.intp))
    fits = (often >= _OFTEN) & (usual <= often)
    fits[space.offsets(target.address, target.type.width)] = False
    offsets = np.flatnonzero(fits)
    rank = np.argsort((usual - often)[offsets], kind="stable")[:_WEIGHED]
    return np.sort(offsets[rank])


def _lead(byte: NDArray[np.uint8], looks: NDArray[np.intp]) -> float:
    """The degree, 0 to 1, to which the byte tells the target's number a few frames later.

    A byte with another value on each frame tells nothing, so the first of each value is left out.
    """
    best, count = 0.0, int(looks.max()) + 1
    chance = np.bincount(looks).max() / len(looks)
    for lag in _LAGS:
        before, after = byte[: len(byte) - lag].astype(np.intp), looks[lag:]
        pairs = np.bincount(before * count + after, minlength=256 * count).reshape(256, count)
        told = np.maximum(pairs.max(axis=1) - 1, 0).sum() / len(after)
        best = max(best, float((told - chance) / max(1 - chance, 1e-9)))
    return best


def _address(space: AddressSpace, offset: int) -> int:
    mask = np.zeros(space.size_bytes, np.uint8)
    mask[offset] = 1
    return int(addresses_of(space, np.flatnonzero(space.logical(mask)))[0])
