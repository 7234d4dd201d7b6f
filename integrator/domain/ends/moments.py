"""Proposes frames on which an episode may have ended, from numbers and from how dark it was."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class EndMoment:
    """A frame on which an episode may have ended, and the signs of it in words."""

    frame: int
    reason: str
    weight: float


def propose(
    lives: dict[str, Ints], across: Ints | None, held: Mask, steady: Mask, dark: Mask
) -> list[EndMoment]:
    """The likeliest moments, by frame; each array has frames 0, 1, ...

    ``lives`` are numbers by their names, ``across`` the player's x, ``held`` is true while a
    direction is held, ``steady`` false where play jumped, and ``dark`` true for black pictures.
    """
    groups: list[list[EndMoment]] = []
    for sign in sorted(_signs(lives, across, held, steady, dark), key=lambda sign: sign.frame):
        # Signs of one end follow each other: lives fall, the picture goes black, the player jumps.
        if groups and sign.frame - groups[-1][-1].frame <= 90:
            groups[-1].append(sign)
        else:
            groups.append([sign])
    moments = []
    for group in groups:
        reasons = dict.fromkeys(sign.reason for sign in group)
        weight = sum(sign.weight for sign in group)
        moments.append(EndMoment(group[0].frame, ", ".join(reasons), weight))
    best = sorted(moments, key=lambda moment: -moment.weight)[:12]
    return sorted(best, key=lambda moment: moment.frame)


def _signs(
    lives: dict[str, Ints], across: Ints | None, held: Mask, steady: Mask, dark: Mask
) -> Iterator[EndMoment]:
    for name, values in lives.items():
        fell = np.flatnonzero((np.diff(values) < 0) & steady[1:]) + 1
        for frame in fell.tolist():
            before, after = int(values[frame - 1]), int(values[frame])
            # The last life counts most.
            weight = 4.0 if after == values.min() else 2.0
            yield EndMoment(frame, f"{name} {before} → {after}", weight)
    for frame in (np.flatnonzero(dark[1:] & ~dark[:-1]) + 1).tolist():
        yield EndMoment(frame, "the picture goes black", 2.0)
    if across is None:
        return
    far = np.flatnonzero((np.abs(np.diff(across)) >= 16) & steady[1:]) + 1
    # A thing that jumps oftener wraps round the screen.
    if len(far) * 180 <= len(across):
        for frame in far.tolist():
            yield EndMoment(frame, "the position jumps", 1.0)
    turns = np.flatnonzero(np.diff(across)) + 1
    for begin, end in pairwise([*turns.tolist(), len(across)]):
        if end - begin >= 90 and held[begin:end].mean() >= 1 / 3:
            yield EndMoment(begin, "input stops mattering", 1.5)
