"""Judges experiments with a game: bytes that held directions move or place, and poked numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_SURE: Final = 0.7  # the part of a weight that experiments can give


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
    # The picture scrolls or flashes where more rows differ.
    told = lit.any(axis=1) & (lit.mean(axis=1) <= 0.25)
    pairs = int(told.sum())
    if pairs < 8:  # too few to say anything
        return shares
    lit, runs = lit[told], [each[told].astype(np.int64) for each in (one, other)]
    fixed = float(lit.mean(axis=0).max())
    chosen = _promising(lit, runs[0][:, 0] + runs[1][:, 0])
    best = np.zeros(len(chosen))
    for late in range(one.shape[1]):
        shown = [run[:, late, chosen] for run in runs]
        # Pixels for each unit of a position.
        for slope in (1.0, -1.0, 2.0, -2.0, 0.5, -0.5):
            pixels = [np.floor(slope * run).astype(np.int64) for run in shown]
            best = np.maximum(best, _explained(lit, pixels))
    both = np.sort(np.concatenate([run[:, 0, chosen] for run in runs]), axis=0)
    values = 1 + np.count_nonzero(np.diff(both, axis=0), axis=0)
    # Little is left to explain when a fixed row differs in nearly all pairs.
    gained = np.clip(best - fixed, 0, None) / (1 - fixed + 0.1)
    # Few pairs prove little, and so do fewer than six values.
    shares[chosen] = gained * (pairs / (pairs + 8)) * np.minimum(1, values / 6)
    return shares


def with_placed(weights: Floats, shares: Floats) -> Floats:
    """Weights of positions, joined with the shares of pictures that each byte explains."""
    # Some consoles keep positions in pieces that no slope explains, so none loses by its share.
    joined: Floats = 1 - (1 - weights) * (1 - _SURE * shares)
    return joined


def _promising(lit: NDArray[np.bool_], sums: NDArray[np.int64]) -> NDArray[np.intp]:
    """The 128 places whose numbers, summed over both runs, go best with the difference's middle."""
    middle = lit @ np.arange(lit.shape[1]) / lit.sum(axis=1)
    spread = sums - sums.mean(axis=0)
    size = np.sqrt((spread**2).sum(axis=0))
    alike = np.abs((middle - middle.mean()) @ spread) / np.maximum(size, 1e-6)
    best = np.argsort(-alike, kind="stable")[:128]
    return np.asarray(best[size[best] > 0])


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


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """The differences that one direction, held in place of its opposite, makes in bytes.

    ``across`` (RIGHT less LEFT) and ``down`` (DOWN less UP) are int8 (moments, frames, places), the
    shorter way round. ``pictures`` are those of both pairs of runs, None without any.
    """

    across: NDArray[np.int8]
    down: NDArray[np.int8]
    pictures: PicturePairs | None = None


@dataclass(frozen=True, slots=True)
class Poke:
    """The outcome of one poke of a number, some frames later.

    ``kept``: the number still differs. ``cells`` is the number of squares of the picture that
    changed, ``followers`` that of other bytes that did.
    """

    kept: bool
    cells: int
    followers: int


def trust(pokes: Sequence[Poke], *, position: bool = False) -> float:
    """The share of a guess's weight that the pokes of its number leave.

    A number that people see moves little else; some games draw it later. A position is drawn on
    each frame, and where the picture scrolls with it, it moves all of it.
    """
    if not pokes:
        return 0.7  # untried
    quiet, upset = (0.35, 0.8) if position else (0.6, 0.4)
    total = 0.0
    for poke in pokes:
        if not poke.kept:  # written again, as copies are
            total += 0.25
        elif poke.cells > 24 or poke.followers > 12:
            # More than digits are drawn, or more follows than pointers to glyphs and copies.
            total += upset
        else:
            total += 1.0 if poke.cells else quiet
    return total / len(pokes)


def with_apart(weights: Floats, own: NDArray[np.int8], other: NDArray[np.int8]) -> Floats:
    """Weights of positions by play, joined with those by directions of their axis, and the other.

    Experiments count the more, the better the best byte walks.
    """
    size, astray = np.abs(walks(own)), np.abs(walks(other))
    tried = size * np.clip(1.2 - astray / np.maximum(size, 0.05), 0.1, 1)
    sure = _SURE * tried.max(initial=0)
    likely: Floats = ((1 - sure) * weights + sure * tried).astype(np.float32)
    return likely


def walks(apart: NDArray[np.int8]) -> Floats:
    """For each place -1 to 1: the share of moments in which it walks away, and always one way.

    Moments in which no byte walks are left out, because play does not listen to buttons there.
    """
    grown = np.zeros((apart.shape[0], apart.shape[1] + 1, apart.shape[2]), np.int16)
    grown[:, 1:] = apart
    steps = np.diff(grown, axis=1)
    sign = np.sign(grown[:, -1])
    away = np.count_nonzero(np.sign(steps) == sign[:, np.newaxis], axis=1)
    back = np.count_nonzero(steps, axis=1) - away
    # Two runs of one thing walk no farther away from each other in one frame.
    near = np.abs(steps).max(axis=1) <= 16
    # A byte for the way that a thing faces makes only one step.
    signs = np.where(near & (away >= 2) & (back <= away // 4), sign, 0)
    listens = (signs != 0).any(axis=1)
    differs = (apart != 0).any(axis=1)[listens].sum(axis=0)
    agree = signs.sum(axis=0)
    often = np.abs(agree) / max(int(listens.sum()), 1)
    # Few moments prove little, so one more that agrees with nothing draws shares towards 0.
    both: Floats = (agree / (differs + 1) * np.sqrt(often)).astype(np.float32)
    return both
