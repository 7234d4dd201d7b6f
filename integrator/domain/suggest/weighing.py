"""Weighs told numbers: the bits of the box's changes that the digits of a number explain.

A number has to explain the whole box by few glyphs, because another byte, such as a pointer to the
glyph of one digit, may agree with a part of the picture at every moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.glyphs import EMPTY, Digits, Grid, Samples, columns_of

_LOOK_BITS: Final = 3.0
"""One of ten digits, about: the price of a glyph to learn, and of a change that is not drawn."""
_CHANGE_BITS: Final = 6.0
"""A change of the picture that comes with one of the number, and to a known glyph."""
_ALIKE_BITS: Final = 1.5
"""A digit at rest that looks like those that move."""
_DIGIT_COLUMNS: Final = 6.0
"""Columns of pixels that another digit changes, in the usual cell of eight."""
_NO_DIGITS: Final = (0, 10, 15)
"""Digits that are drawn as nothing: zeros in front, and values that mean none."""
_LEAST_PROMISE: Final = 0.3
"""A number that can explain no more than this share of the best one's bits is left out."""

_Glyphs = Mapping[int, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Weight:
    """``bits`` for a number in its cells. ``cells`` are those whose changes it explains."""

    bits: float
    cells: int


@dataclass(frozen=True, slots=True, eq=False)
class _DrawnCell:
    """A cell's looks, and at each change of the box: if it changed, and in how many columns."""

    looks: Digits
    redrawn: NDArray[np.bool_]
    columns: NDArray[np.int64]
    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class _MovingDigit:
    """A digit, its changes, and the changes of the box at which it changes too."""

    digit: Digits
    changes: int
    moved: NDArray[np.bool_]

    @property
    def counts(self) -> bool:
        """False for a zero in front, which need not be drawn."""
        return self.changes > 0 or int(self.digit[0]) not in _NO_DIGITS


class Scales:
    """Weighs numbers by the pictures of a box."""

    def __init__(self, samples: Samples) -> None:
        columns = columns_of(samples.crops)
        changed = columns[1:] != columns[:-1]
        self._before = np.flatnonzero(changed.any(axis=1))
        self._changed = changed[self._before]
        counts = self._changed.sum(axis=1)
        self._usual = min(_DIGIT_COLUMNS, float(np.median(counts))) if len(counts) else 1.0
        self._cells: dict[tuple[int, int], _DrawnCell] = {}
        self._moves: dict[int, _MovingDigit] = {}
        self._best = 0.0

    def weigh(self, digits: Sequence[Digits], grid: Grid, first: int) -> Weight | None:
        """The bits of the picture's changes that digits explain, the lowest in cell ``first``.

        None for digits that explain too little to be looked at.
        """
        moves = [self._moves_of(digit) for digit in digits]
        shown = [
            (each, self._cell(grid, first + number))
            for number, each in enumerate(moves)
            if 0 <= first + number < len(grid.keys)
        ]
        moving = [(each, cell) for each, cell in shown if each.changes]
        changes = sum(each.changes for each, _ in moving)
        if self._promise(moving, changes) <= _LEAST_PROMISE * self._best:
            return None
        glyphs = _learn(moving)
        explained, drawn, cells = np.zeros_like(self._changed), 0, 0
        for each, cell in moving:
            right = self._right(each, cell, glyphs)
            explained[:, cell.start : cell.stop] |= right[:, np.newaxis]
            drawn += int(right.sum())
            cells += bool(right.any())
        told, alike, strange = explained.any(axis=1), 0, 0
        for each, cell in shown:
            if not each.changes:
                known, score = _at_rest(int(each.digit[0]), cell.looks, glyphs)
                alike += score
                astray = ~(known[self._before] & known[self._before + 1])
                strange += int((told & astray & cell.redrawn).sum())
        learned = sum(look != EMPTY for looks in glyphs.values() for look in looks)
        gained = _CHANGE_BITS * float((self._changed & explained).sum()) / self._usual
        # The box may leave out digits, but people draw it round the whole number.
        outside = sum(each.counts for each in moves) - sum(each.counts for each, _ in shown)
        lost = _LOOK_BITS * (learned + changes - drawn + strange + outside)
        bits = gained - lost + _ALIKE_BITS * alike
        self._best = max(self._best, bits)
        return Weight(bits, cells)

    def _moves_of(self, digit: Digits) -> _MovingDigit:
        # The digit is kept with its moves, so that no other one gets its id.
        if id(digit) not in self._moves:
            moved = digit[self._before] != digit[self._before + 1]
            changes = int(np.count_nonzero(np.diff(digit)))
            self._moves[id(digit)] = _MovingDigit(digit, changes, moved)
        return self._moves[id(digit)]

    def _cell(self, grid: Grid, index: int) -> _DrawnCell:
        key = id(grid), index
        if key not in self._cells:
            looks = grid.glyphs[index]
            start, stop = grid.columns_of(index)
            redrawn = looks[self._before] != looks[self._before + 1]
            columns = self._changed[:, start:stop].sum(axis=1)
            self._cells[key] = _DrawnCell(looks, redrawn, columns, start, stop)
        return self._cells[key]

    def _promise(self, moving: Iterable[tuple[_MovingDigit, _DrawnCell]], changes: int) -> float:
        """An upper bound of the bits, which is quick to tell."""
        columns = drawn = 0
        for each, cell in moving:
            both = each.moved & cell.redrawn
            columns += int(cell.columns @ both)
            drawn += int(np.count_nonzero(both))
        return _CHANGE_BITS * columns / self._usual - _LOOK_BITS * (changes - drawn)

    def _right(self, each: _MovingDigit, cell: _DrawnCell, glyphs: _Glyphs) -> NDArray[np.bool_]:
        """The changes of the box at which a digit changes, and looks as it always does."""
        pairs = zip(each.digit.tolist(), cell.looks.tolist(), strict=True)
        shown = np.array([look in glyphs[value] for value, look in pairs])
        before, after = self._before, self._before + 1
        right: NDArray[np.bool_] = shown[before] & shown[after] & cell.redrawn & each.moved
        return right


def _learn(moving: Sequence[tuple[_MovingDigit, _DrawnCell]]) -> _Glyphs:
    """The look of each digit, the same in all cells; zeros in front may have another one."""
    counts: Counter[tuple[int, int]] = Counter()
    for each, cell in moving:
        digit = each.digit
        starts = np.flatnonzero(np.diff(digit) | np.diff(cell.looks)) + 1
        runs = [0, *starts.tolist()]
        counts.update(zip(digit[runs].tolist(), cell.looks[runs].tolist(), strict=True))
    owners: dict[int, int] = {}
    for (value, look), count in sorted(counts.items()):
        if look not in owners or count > counts[owners[look], look]:
            owners[look] = value
    looks: dict[int, list[tuple[int, int]]] = {}
    for (value, look), count in counts.items():
        looks.setdefault(value, []).append((count, look))
    glyphs = {}
    for value, seen in looks.items():
        drawn = [pair for pair in seen if pair[1] != EMPTY and owners[pair[1]] == value]
        known = {look for _, look in sorted(drawn)[-2 if value == 0 else -1 :]}
        if any(look == EMPTY for _, look in seen) and (value in _NO_DIGITS or not drawn):
            known.add(EMPTY)
        glyphs[value] = frozenset(known)
    return glyphs


def _at_rest(value: int, looks: Digits, glyphs: _Glyphs) -> tuple[NDArray[np.bool_], int]:
    """Moments at which a digit at rest is drawn well; 1 if it is known, less than 0 if not."""
    own = glyphs.get(value, frozenset()) - {EMPTY}
    shown = np.isin(looks, list(own))
    may = shown | (looks == EMPTY) if value == 0 else shown
    if shown.any() and may.mean() > 0.5:
        return may, 1
    if value not in _NO_DIGITS and (looks == EMPTY).mean() > 0.5:
        return may, -2
    others = frozenset().union(*(seen for each, seen in glyphs.items() if each != value)) - {EMPTY}
    strange = np.isin(looks, list(others)).mean() > 0.5 or (own and value and may.mean() <= 0.5)
    if not own or not value:
        seen, counts = np.unique(looks, return_counts=True)
        may = may | (looks == seen[counts.argmax()])
    return may, -1 if strange else 0
