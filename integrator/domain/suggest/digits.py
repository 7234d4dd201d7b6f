"""Numbers whose decimal digits are drawn in cells beside each other, always alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.glyphs import Digits, Grid, Samples, fit_of, grids_of, key_of
from integrator.domain.suggest.numbers import decoded, words_of
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.weighing import Scales, Weight
from integrator.domain.values.datatype import DataType

_MOST_BYTES: Final = 4
_USUAL_BYTES: Final = 3
"""Most scores have six digits, so zeros in front are counted in up to here."""
_MISSED_SHARE: Final = 0.3
"""A digit that moves more often without its cell is not drawn there."""
_BYTE: Final = DataType.parse("|u1")
_CODE_BITS: Final = 4.0
_STEP_BITS: Final = 0.15
"""Pointers to glyphs jump about, and scores make steps of few sizes."""
_ODD_BITS: Final = {"d": 0.0, "n": 1.0, "u": 2.0}
"""Games that draw a number keep its decimal digits, most of them packed."""


@dataclass(frozen=True, slots=True)
class Told:
    """A number of which digits were told apart.

    ``place`` is the logical index of its first byte. ``weight`` tells how much of the picture its
    digits explain, and ``unrest`` are the bits of its steps. ``is_code`` is true for a byte that
    stands for one digit.
    """

    place: int
    type: DataType
    weight: Weight
    is_code: bool = False
    unrest: float = 0.0

    @property
    def bits(self) -> float:
        """The evidence, less the rarity of the type and the price of large steps."""
        odd = _ODD_BITS[self.type.kind] + _CODE_BITS * self.is_code
        return self.weight.bits - odd - _STEP_BITS * self.unrest


@dataclass(frozen=True, slots=True)
class _Coding:
    """Digits in the bytes that follow the lowest one, in steps of ``step``."""

    letter: str
    step: int
    per_byte: int

    def type_of(self, width: int) -> DataType:
        """The type of so many bytes."""
        sign = "|" if width == 1 else ">" if self.step < 0 else "<"
        return DataType.parse(f"{sign}{self.letter}{width}")

    def first_of(self, lowest: int, width: int) -> int:
        """The first byte of a number by its lowest one."""
        return lowest if self.step > 0 else lowest - width + 1


_CODINGS: Final = tuple(
    _Coding(letter, step, per_byte) for letter, per_byte in (("d", 2), ("n", 1)) for step in (-1, 1)
)


def tell_digits(play: Play, samples: Samples) -> list[Told]:
    """The numbers of which digits are drawn in the box, each address and type once."""
    drawn = samples.drawn
    best: dict[tuple[int, DataType], Told] = {}
    for told in _Reader(play, drawn).all():
        key = told.place, told.type
        if key not in best or told.weight.bits > best[key].weight.bits:
            best[key] = told
    return [
        replace(told, unrest=_unrest(decoded(play, told.place, told.type, drawn.rows)))
        for told in best.values()
    ]


def _unrest(values: NDArray[np.int64]) -> float:
    """The bits of a number's steps, in units of their greatest common divisor."""
    steps = np.abs(np.diff(values))
    steps = steps[steps != 0]
    return float(np.log2(steps / np.gcd.reduce(steps)).sum()) if len(steps) else 0.0


class _Reader:
    """Reads the digits of each byte that moves in the cells of all grids."""

    def __init__(self, play: Play, samples: Samples) -> None:
        self._play = play
        self._rows = samples.rows
        self._scales = Scales(samples)
        self._cells: dict[bytes, list[tuple[Grid, int]]] = {}
        grids = {key_of(grid.glyphs.ravel()): grid for grid in grids_of(samples.crops)}
        for grid in grids.values():
            for index, key in enumerate(grid.keys):
                if any(key):
                    self._cells.setdefault(key, []).append((grid, index))
        cells = [np.frombuffer(key, np.uint16).astype(np.int64) for key in self._cells]
        self._looks = np.array(cells, np.int64).reshape(len(cells), len(self._rows))
        self._moves = np.diff(self._looks) != 0
        self._fits: dict[bytes, list[bytes]] = {}
        self._digits: dict[tuple[int, str, int], Digits] = {}

    def all(self) -> Iterator[Told]:
        """Every number that some grid tells; the same one by several grids."""
        for place in self._play.places.tolist():
            raw = self._column(place)
            if (raw != raw[0]).any():
                yield from self._codes(place, raw)
                yield from self._plain(place, _BYTE, raw)
                for coding in _CODINGS:
                    yield from self._coded(place, coding)
        for place, data_type in words_of(self._play):
            values = decoded(self._play, place, data_type, self._rows)
            yield from self._plain(place, data_type, values)

    def _column(self, place: int) -> Digits:
        return self._play.column(place)[self._rows].astype(np.int64)

    def _shown(self, digits: Digits) -> Iterator[tuple[Grid, int]]:
        """The cells that may show a digit."""
        key = key_of(digits)
        if key not in self._fits:
            moves = np.diff(digits) != 0
            missed = np.count_nonzero(moves & ~self._moves, axis=1)
            likely = missed <= _MISSED_SHARE * np.count_nonzero(moves) + 1
            self._fits[key] = [
                cell
                for cell, looks, may in zip(self._cells, self._looks, likely, strict=True)
                if may and fit_of(digits, looks)
            ]
        for cell in self._fits[key]:
            yield from self._cells[cell]

    def _codes(self, place: int, raw: Digits) -> Iterator[Told]:
        """A byte that stands for one digit, such as a pointer to its picture."""
        for grid, cell in self._shown(raw):
            if weight := self._scales.weigh([raw], grid, cell):
                yield Told(place, _BYTE, weight, is_code=bool(raw.max() > 9))

    def _plain(self, place: int, data_type: DataType, values: Digits) -> Iterator[Told]:
        """A binary number whose decimal digits are drawn."""
        digits = [values % 10]
        for grid, first in self._shown(digits[0]):
            if len(digits) == 1:
                digits += [values // 10**k % 10 for k in range(1, len(str(values.max())))]
            if len(grid.keys) - first < len(digits):
                continue
            if weight := self._scales.weigh(digits, grid, first):
                yield Told(place, data_type, weight)

    def _coded(self, place: int, coding: _Coding) -> Iterator[Told]:
        """Digits from the byte at ``place``, which holds the lowest that moves, or from below."""
        skipped = 0
        while skipped < coding.per_byte and self._rests(self._digit(place, coding, skipped)):
            skipped += 1
        moving = self._digit(place, coding, skipped)
        if skipped == coding.per_byte or moving is None:
            return
        for grid, index in self._shown(moving):
            for below in (0, 1):
                first = index - skipped - below * coding.per_byte
                # A game may not draw the lowest digit, which is always zero.
                if first >= below - 1:
                    yield from self._walk(place - below * coding.step, coding, grid, first, below)

    def _walk(
        self, lowest: int, coding: _Coding, grid: Grid, first: int, below: int
    ) -> Iterator[Told]:
        """The numbers from a lowest byte on, of so many bytes as the box has cells for."""
        digits: list[Digits] = []
        size = coding.per_byte
        for number in range(_MOST_BYTES * size):
            digit = self._digit(lowest, coding, number)
            if digit is None or (first + number >= len(grid.keys) and number % size == 0):
                break
            digits.append(digit)
        for width in range(1 + below, len(digits) // size + 1):
            last = [self._rests(digit) for digit in digits[(width - 1) * size : width * size]]
            # Nobody knows how many zeros in front belong to the number.
            if width > _USUAL_BYTES * 2 // size and all(last):
                break
            if coding.letter == "n" and width == 1:
                continue
            if weight := self._scales.weigh(digits[: width * size], grid, first):
                yield Told(coding.first_of(lowest, width), coding.type_of(width), weight)

    def _digit(self, lowest: int, coding: _Coding, number: int) -> Digits | None:
        """A digit, the lowest has number 0; None outside the memory."""
        place = lowest + coding.step * (number // coding.per_byte)
        if not 0 <= place < len(self._play.rest):
            return None
        half = number % 2 if coding.letter == "d" else 0
        key = place, coding.letter, half
        if key not in self._digits:
            raw = self._column(place)
            if coding.letter == "n" and not self._rests(raw >> 4):
                return None
            self._digits[key] = raw >> 4 if half else raw & 15
        return self._digits[key]

    def _rests(self, digit: Digits | None) -> bool:
        return digit is None or bool((digit == digit[0]).all())
