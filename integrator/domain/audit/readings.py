"""Numbers that are read other than the game writes them, so that totals differ from the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Scene, ScoredPlay, Trap
from integrator.domain.audit.terms import GAINS, trap_of

_FEWEST_NUMBERS: Final = 8
_NIBBLES: Final = 12
_UNITS: Final = {100: 10, 256: 16}
"""The numbers of lower halves of a byte, by the base in which bytes are read."""
_HIGHEST_DIGIT: Final = 9
_FEWEST_FALLS: Final = 3


def misread(play: ScoredPlay, scene: Scene) -> Iterator[Trap]:
    """A score of decimal digits that is read as a number of another kind."""
    for name, column in play.terms.items():
        if name not in play.values or not GAINS.search(name):
            continue
        values = play.values[name]
        steps = np.diff(values, prepend=values[:1])
        rows = (steps > 0) & (column != 0)
        if len(np.unique(values)) < _FEWEST_NUMBERS or values.min() < 0:
            continue
        for digits, told, cure in _as_decimal(values, *scene.digits.get(name, (0, 1))):
            shown = digits @ 10 ** np.arange(digits.shape[1])
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
                f"{name} is {values[last]:,} on frame {last + 1:,}, but its {told}: the screen "
                f"shows {shown[last]:,}, and the total of rewards differs from it",
                f"give the variable a type of {cure}",
            )
            break


def _as_decimal(
    values: NDArray[np.int64], base: int, width: int
) -> Iterator[tuple[NDArray[np.int64], str, str]]:
    """The decimal digits that numbers may hold, lowest first: (values, digits); words and a cure.

    ``base`` and ``width`` are those of the digits as they are read.
    """
    nibbles = values[:, np.newaxis] >> 4 * np.arange(_NIBBLES) & 15
    if nibbles.max() <= _HIGHEST_DIGIT:
        yield (
            nibbles,
            "hexadecimal digits are decimal",
            "packed decimal digits, such as >d3",
        )
    unit = _UNITS.get(base)
    if unit is not None and width > 1:
        read = _digits(values, base, width)
        # Tiles of digits begin at any tile, so that the upper half is the same in each byte.
        if not np.ptp(read // unit) and (read % unit).max() <= _HIGHEST_DIGIT:
            yield read % unit, "bytes hold a decimal digit each", "one digit a byte, such as >n6"


def _digits(values: NDArray[np.int64], base: int, width: int) -> NDArray[np.int64]:
    """The digits of numbers in a base, lowest first: (values, width)."""
    digits: NDArray[np.int64] = values[:, np.newaxis] // base ** np.arange(width) % base
    return digits


def swapped(play: ScoredPlay, scene: Scene) -> Iterator[Trap]:
    """A score that falls again and again, and only rises when its bytes are read the other way."""
    for name, column in play.terms.items():
        base, width = scene.digits.get(name, (0, 1))
        if name not in play.values or not GAINS.search(name) or width == 1:
            continue
        read = play.values[name][play.until_done]
        if read.min() < 0:
            continue
        shown = _digits(read, base, width) @ base ** np.arange(width)[::-1]
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
