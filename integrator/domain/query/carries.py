"""Numbers in pieces that play alone shows: a digit rises whenever the one below starts again."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.domain.suggest.numbers import carried
from integrator.domain.values.memory import AddressSpace

_CODINGS: Final = (Coding(100), Coding(10, 8, 0x78), Coding(10, 8), Coding(10, 1, 0x0F))
_FURTHEST: Final = 64  # bytes from a piece to the next higher one
_MOST_PIECES: Final = 6
_SLOW_SHARE: Final = 0.05  # of the frames, on which a digit changes


def pieces_by_carries(
    space: AddressSpace,
    places: NDArray[np.intp],
    ram: NDArray[np.uint8],
    steady: NDArray[np.bool_],
) -> Iterator[tuple[Pieces, int]]:
    """Numbers of which each digit carries into the next, with their carries, of two or more.

    ``ram`` is uint8 (frames, places), and ``steady`` bool (frames,), false where play jumped. The
    lowest digit counts one.
    """
    changes = np.diff(ram, axis=0) != 0
    slow = (changes.sum(axis=0) > 1) & (changes.sum(axis=0) < _SLOW_SHARE * len(ram))
    places, ram = places[slow], ram[:, slow]
    for coding in _CODINGS:
        valid = np.flatnonzero(coding.is_digit(ram).mean(axis=0) > 0.9)
        digits = np.maximum(coding.digits(ram[:, valid]), 0).astype(np.int16)
        steps = np.diff(digits, axis=0)
        falls, rises = (steps < 0) & steady[1:, np.newaxis], steps > 0
        for lowest in np.flatnonzero(falls.sum(axis=0) > 1).tolist():
            row, carries = _row(places[valid], digits, falls, rises, coding.base, lowest, steady)
            if carries > 1:
                made = [space.address_of(int(places[valid[each]])) for each in row]
                weights = [coding.base**at for at in range(len(row))]
                yield Pieces(coding, tuple(map(Piece, made, weights))), carries


def _row(
    places: NDArray[np.intp],
    digits: NDArray[np.int16],
    falls: NDArray[np.bool_],
    rises: NDArray[np.bool_],
    base: int,
    lowest: int,
    steady: NDArray[np.bool_],
) -> tuple[list[int], int]:
    """The columns of a number's digits from its lowest on, and the carries between them."""
    row, carries, value = [lowest], 0, digits[:, lowest].astype(np.int64)
    # A digit seldom rises without a carry.
    times = rises.sum(axis=0)
    while len(row) < _MOST_PIECES:
        last = row[-1]
        again = np.flatnonzero(falls[:, last])
        near = np.abs(places - places[last]) <= _FURTHEST
        near &= rises[again].sum(axis=0) >= max(1, 0.8 * len(again))
        near &= times <= 3 * len(again)
        sizes = base ** len(row), base
        tried = [
            (
                carried(value, digits[:, each].astype(np.int64), sizes, steady) or 0,
                -abs(each - last),
                each,
            )
            for each in np.flatnonzero(near).tolist()
            if each not in row
        ]
        proofs, _, best = max(tried, default=(0, 0, 0))
        if not proofs:
            break
        value = value + digits[:, best].astype(np.int64) * base ** len(row)
        row.append(best)
        carries += proofs
    return row, carries
