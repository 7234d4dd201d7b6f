"""Finds bytes that place things on the screen, by pictures of two runs that began alike.

Two runs with other buttons held differ where the player is drawn. A byte is a position when its
numbers, times a slope, tell the rows (or columns) of that difference in most pairs of pictures.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_SLOPES: Final = (1.0, -1.0, 2.0, -2.0, 0.5, -0.5)
"""Pixels for each unit of a position."""
_MOST_LIT: Final = 0.25
"""The picture scrolls or flashes where more rows differ."""
_FEWEST_PAIRS: Final = 8
_MANY_VALUES: Final = 6
_SHRINK: Final = 0.1
"""Little is left to explain when a fixed row differs in nearly all pairs."""
_SURE: Final = 0.7
_MOST_PLACES: Final = 128
"""The places that are looked at closely: those that go best with the middle of the difference."""


@dataclass(frozen=True, slots=True, eq=False)
class PicturePairs:
    """Pictures of two runs on the same frame, and the bytes of both runs.

    ``rows`` and ``columns`` are bool (pairs, pixels): those in which the pictures differ. ``one``
    and ``other`` are uint8 (pairs, 2, places): on the frame of the picture, and on the one before.
    """

    rows: NDArray[np.bool_]
    columns: NDArray[np.bool_]
    one: NDArray[np.uint8]
    other: NDArray[np.uint8]


def placed(lit: NDArray[np.bool_], one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Floats:
    """For each place 0 to 1: its share of the pairs that no fixed row or column explains.

    ``lit`` is ``rows`` or ``columns`` of :class:`PicturePairs`.
    """
    shares = np.zeros(one.shape[2], np.float32)
    told = lit.any(axis=1) & (lit.mean(axis=1) <= _MOST_LIT)
    pairs = int(told.sum())
    if pairs < _FEWEST_PAIRS:
        return shares
    lit, runs = lit[told], [each[told].astype(np.int64) for each in (one, other)]
    fixed = float(lit.mean(axis=0).max())
    chosen = _promising(lit, runs[0][:, 0] + runs[1][:, 0])
    best = np.zeros(len(chosen))
    for late in range(one.shape[1]):
        shown = [run[:, late, chosen] for run in runs]
        for slope in _SLOPES:
            best = np.maximum(best, _explained(lit, [_scaled(run, slope) for run in shown]))
    both = np.sort(np.concatenate([run[:, 0, chosen] for run in runs]), axis=0)
    values = 1 + np.count_nonzero(np.diff(both, axis=0), axis=0)
    gained = np.clip(best - fixed, 0, None) / (1 - fixed + _SHRINK)
    enough = pairs / (pairs + _FEWEST_PAIRS)
    shares[chosen] = gained * enough * np.minimum(1, values / _MANY_VALUES)
    return shares


def with_placed(weights: Floats, shares: Floats) -> Floats:
    """Weights of positions, joined with the shares of pictures that each byte tells."""
    # Some consoles keep positions in pieces that no slope explains, so none loses by its share.
    joined: Floats = 1 - (1 - weights) * (1 - _SURE * shares)
    return joined


def _promising(lit: NDArray[np.bool_], sums: NDArray[np.int64]) -> NDArray[np.intp]:
    """Places whose numbers, summed over both runs, go best with the middle of what differs."""
    middle = lit @ np.arange(lit.shape[1]) / lit.sum(axis=1)
    middle -= middle.mean()
    spread = sums - sums.mean(axis=0)
    size = np.sqrt((spread**2).sum(axis=0))
    alike = np.abs(middle @ spread) / np.maximum(size, 1e-6)
    best: NDArray[np.intp] = np.argsort(-alike, kind="stable")[:_MOST_PLACES]
    moving: NDArray[np.intp] = best[size[best] > 0]
    return moving


def _scaled(run: NDArray[np.int64], slope: float) -> NDArray[np.int64]:
    pixels: NDArray[np.int64] = np.floor(slope * run).astype(np.int64)
    return pixels


def _explained(lit: NDArray[np.bool_], runs: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """For each place: the most pairs whose difference lies at one distance from its numbers.

    ``runs`` are pixels (pairs, places) of both runs, each of which counts half.
    """
    pair, pixel = np.nonzero(lit)
    places = runs[0].shape[1]
    lowest = min(int(run.min(initial=0)) for run in runs)
    highest = max(int(run.max(initial=0)) for run in runs)
    wide = lit.shape[1] + highest - lowest + 1
    first = np.arange(places) * wide + highest
    counts = np.zeros(places * wide, np.int64)
    for run in runs:
        at = pixel[:, np.newaxis] - run[pair] + first
        counts += np.bincount(at.ravel(), minlength=len(counts))
    most: NDArray[np.float64] = counts.reshape(places, wide).max(axis=1) / (2 * len(lit))
    return most
