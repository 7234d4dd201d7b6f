"""Finds bytes without a number that people would read: game modes, and random bytes."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from integrator.domain.suggest.play import BYTE, Play
from integrator.domain.suggest.suggestion import Guess

_LISTED: Final = 6
_MOST_MODES: Final = 12
_RANDOM_VALUES: Final = 128
"""A random byte has at least so many values in a minute."""
_RANDOM_SHARE: Final = 0.25


def find_modes(play: Play) -> Iterator[Guess]:
    """Bytes with few values that change only when much else does."""
    few = (play.distinct <= _MOST_MODES) & (play.changes > 0) & (play.changes <= 2 * _MOST_MODES)
    columns = np.flatnonzero(few)
    changed = play.steps[:, columns] != 0
    turmoil = (changed * play.turmoil[:, None]).sum(axis=0) / np.maximum(changed.sum(axis=0), 1)
    several = 1 - 0.5 / play.changes[columns]
    weights = 0.8 * np.clip(turmoil - 0.5, 0, None) * 2 * several
    for index in np.argsort(-weights, kind="stable")[:_LISTED].tolist():
        column = columns[index]
        values = int(play.distinct[column])
        reason = f"has {values} values, and changes only when much else does"
        place = int(play.places[column])
        yield Guess("game-mode", place, BYTE, float(weights[index]), reason)


def find_random(play: Play) -> Iterator[Guess]:
    """Bytes that take nearly all values, by steps of which none is common."""
    often = play.changes > _RANDOM_SHARE * len(play.ram)
    for column in np.flatnonzero(often & (play.distinct >= _RANDOM_VALUES)).tolist():
        steps = play.steps[:, column]
        steps = steps[steps != 0]
        common = np.bincount(steps.view(np.uint8), minlength=256).max() / len(steps)
        weight = float(play.distinct[column] / 256 * max(0.0, 1 - 8 * common))
        if weight > 0:
            values = int(play.distinct[column])
            reason = f"has {values} values, and no step is common"
            place = int(play.places[column])
            yield Guess("random", place, BYTE, weight, reason)
