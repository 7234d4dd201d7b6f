"""Numbers that are read other than the game writes them, so that totals differ from the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Scene, ScoredPlay, Trap
from integrator.domain.audit.terms import GAINS, trap_of

_FEWEST_NUMBERS: Final = 8
_DIGITS: Final = 12
_HIGHEST_DIGIT: Final = 9
_FEWEST_FALLS: Final = 3


def misread(play: ScoredPlay, _: Scene) -> Iterator[Trap]:
    """A score of decimal digits, one in four bits, that is read as a binary number."""
    for name, column in play.terms.items():
        if name not in play.values or not GAINS.search(name):
            continue
        values = play.values[name]
        steps = np.diff(values, prepend=values[:1])
        rows = (steps > 0) & (column != 0)
        met = np.unique(values)
        if len(met) < _FEWEST_NUMBERS or met[0] < 0 or (_digits(met) > _HIGHEST_DIGIT).any():
            continue
        shown = _digits(values) @ 10 ** np.arange(_DIGITS)
        kinds = np.unique(np.diff(shown, prepend=shown[:1])[rows])
        # Without a carry, both readings rise by as many different amounts.
        if len(kinds) >= len(np.unique(steps[rows])):
            continue
        last = int(np.flatnonzero(rows)[-1])
        yield trap_of(
            "misread",
            play,
            name,
            rows,
            f"{name} is {values[last]:,} on frame {last + 1:,}, but its hexadecimal digits are "
            f"decimal: the screen shows {shown[last]:,}, and the total of rewards differs from it",
            "give the variable a type of packed decimal digits, such as >d3",
        )


def _digits(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The hexadecimal digits of each number, lowest first: (values, digits)."""
    return values[:, np.newaxis] >> 4 * np.arange(_DIGITS) & 15


def swapped(play: ScoredPlay, scene: Scene) -> Iterator[Trap]:
    """A score that falls again and again, and only rises when its bytes are read the other way."""
    for name, column in play.terms.items():
        base, width = scene.digits.get(name, (0, 1))
        if name not in play.values or not GAINS.search(name) or width == 1:
            continue
        read = play.values[name][play.until_done]
        if read.min() < 0:
            continue
        powers = base ** np.arange(width)
        shown = read[:, np.newaxis] // powers % base @ powers[::-1]
        falls, rises = np.diff(read) < 0, np.diff(shown) > 0
        if falls.sum() < _FEWEST_FALLS or (np.diff(shown) < 0).any():
            continue
        if not rises[falls].all() or len(np.unique(shown)) < _FEWEST_NUMBERS:
            continue
        rows = column != 0
        rows[len(read) :] = False
        if not rows.any():
            continue
        last = int(np.flatnonzero(falls)[-1]) + 1
        yield trap_of(
            "misread",
            play,
            name,
            rows,
            f"{name} falls {int(falls.sum())} times; with its bytes in the other order it only "
            f"rises: on frame {last + 1:,} it is {shown[last]:,} and not {read[last]:,}",
            "turn the byte order of the variable's type, < or >",
        )
