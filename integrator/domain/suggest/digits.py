"""Finds digits that lie apart in memory: one in each byte, with other bytes between them. Games
keep digits so in tables of sprites, in rows of tiles and in records of objects. Carries prove that
two bytes are digits of one number: the higher one moves when the lower one passes 9."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.pieces import Coding
from integrator.domain.suggest.numbers import DigitRow, carried
from integrator.domain.suggest.play import SLOW_SHARE, Play

_FURTHEST: Final = 2048  # Most bytes between two digits.
_MOST_DIGITS: Final = 8


def digit_rows(play: Play) -> Iterator[DigitRow]:
    """Yield rows of digits that no data type reads, at the nearest distance that carries prove."""
    slow = np.flatnonzero(play.alone & (play.changes < SLOW_SHARE * len(play.ram)))
    zeros = _zeros(play.seen[:, slow])
    lows = np.flatnonzero(zeros >= 0)
    moves = play.steps[:, slow] != 0
    steps = np.sign(np.diff(play.ram[:, slow[lows]].astype(np.int16), axis=0)) * moves[:, lows]
    # The lowest digit passes 9, or 0, by a step against its usual direction.
    passes = steps == -np.sign(steps.sum(axis=0))
    often = np.count_nonzero(passes, axis=0)
    rows = passes.any(axis=1)
    # Some games write a digit a frame, the lowest or the highest one first.
    soon = moves | np.roll(moves, 1, axis=0) | np.roll(moves, -1, axis=0)
    shared = passes[rows].T.astype(np.float32) @ soon[rows].astype(np.float32)
    # At a restart, all digits change at once, and higher ones may be 0 already.
    most = np.maximum(often[:, np.newaxis], np.count_nonzero(moves, axis=0))
    likely = (shared >= 1) & (shared >= 0.6 * most)
    for index, low in enumerate(lows.tolist()):
        coding, place = Coding(10, zero=int(zeros[low])), int(play.places[slow[low]])
        higher = play.places[slow[likely[index]]]
        apart = higher[np.argsort(np.abs(higher - place), kind="stable")] - place
        # Prizes of several digits change adjacent digits, too, without a pass of the lowest one.
        found = (_grown(play, coding, place, each) for each in (-1, 1, *apart.tolist()))
        row = next(filter(None, found), None)
        # Adjacent digits have a data type if their low halves are the digits.
        if row is not None and (abs(row.places[1] - place) > 1 or coding.zero % 16):
            yield row


def _zeros(seen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the byte that stands for 0 in each column, -1 for columns that are not digits.
    ``seen`` are the values of each column, bool (256, columns). Digits are 3 to 10 values within
    10, and at most one other value, such as a blank."""
    total = np.cumsum(np.pad(seen, ((1, 9), (0, 0))), axis=0)
    inside: NDArray[np.int64] = total[10:] - total[:-10]
    fits = seen[: len(inside)] & (inside >= np.maximum(3, total[-1] - 1))
    # The other value is usually below the digits, such as 0.
    last = len(fits) - 1 - fits[::-1].argmax(axis=0)
    whole = fits & (inside == total[-1])
    zeros = np.where(whole.any(axis=0), whole.argmax(axis=0), last)
    return np.where(fits.any(axis=0), zeros, -1)


def _grown(play: Play, coding: Coding, place: int, stride: int) -> DigitRow | None:
    """Return the digits from the lowest one on, or None if the second one has no carries."""
    if not 0 < abs(stride) <= _FURTHEST:
        return None
    row = DigitRow(coding, (place,))
    while len(row.places) < _MOST_DIGITS:
        further = place + stride * len(row.places)
        if not 0 <= further < len(play.rest):
            break
        column = play.column(further)
        digits = coding.digits(column)
        # Games draw a zero in front as a blank, which is always the same byte.
        if len(np.unique(column[digits < 0])) > 1:
            break
        moves = np.ptp(digits) > 0
        # A digit that rests at 0 belongs to the row only if its byte is not an ordinary 0.
        if not moves and (digits[0] or not coding.zero):
            break
        longer, size = DigitRow(coding, (*row.places, further)), 10 ** len(row.places)
        high, low = np.divmod(longer.values(play), size)
        proofs = carried(low, high, (size, 10), play.steady)
        if moves and (proofs is None or (len(row.places) == 1 and not proofs)):
            break
        row = longer
    # Zeros in front alone prove nothing.
    moving = [np.ptp(play.column(each)) > 0 for each in row.places]
    return row if sum(moving) > 1 else None
