"""Numbers whose decimal digits are drawn in cells beside each other, always alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.glyphs import (
    EMPTY,
    MOST_CURTAINS,
    STRAY_SHARE,
    Digits,
    Grid,
    Samples,
    fit_of,
    grids_of,
    key_of,
)
from integrator.domain.suggest.numbers import decoded, words_of
from integrator.domain.suggest.play import Play
from integrator.domain.values.datatype import DataType

_MOST_BYTES: Final = 4
_USUAL_BYTES: Final = 3
"""Most scores have six digits, so zeros in front are counted in up to here."""
_MISSED_SHARE: Final = 0.3
"""A digit that moves more often without its cell is not drawn there."""
_ALIKE_BITS: Final = 2
_LooksOf = dict[int, tuple[int, ...]]
_BYTE: Final = DataType.parse("|u1")


@dataclass(frozen=True, slots=True)
class Told:
    """A number of which digits were told apart.

    ``place`` is the logical index of its first byte. ``cells`` are the cells of its digits that
    moved, ``bits`` their evidence; ``alike`` counts digits that rested, and looked like those that
    moved, and ``unseen`` those that moved outside the box. ``is_code`` is true for a byte that
    stands for one digit, ``pitch`` is the width of a cell.
    """

    place: int
    type: DataType
    cells: int
    bits: int
    alike: int = 0
    unseen: int = 0
    is_code: bool = False
    pitch: int = 0


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
    best: dict[tuple[int, DataType], Told] = {}
    for told in _Reader(play, samples).all():
        key = told.place, told.type
        if key not in best or (told.bits, told.alike) > (best[key].bits, best[key].alike):
            best[key] = told
    return list(best.values())


class _Reader:
    """Reads the digits of each byte that moves in the cells of all grids."""

    def __init__(self, play: Play, samples: Samples) -> None:
        self._play = play
        self._rows = samples.rows
        self._cells: dict[bytes, list[tuple[Grid, int]]] = {}
        grids = {key_of(grid.glyphs.ravel()): grid for grid in grids_of(samples.crops)}
        for grid in grids.values():
            for index, key in enumerate(grid.keys):
                if any(key):
                    self._cells.setdefault(key, []).append((grid, index))
        cells = [np.frombuffer(key, np.uint16).astype(np.int64) for key in self._cells]
        self._looks = np.array(cells, np.int64).reshape(len(cells), len(self._rows))
        self._moves = np.diff(self._looks) != 0
        self._fits: dict[bytes, dict[bytes, int]] = {}

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

    def _fits_of(self, digits: Digits) -> dict[bytes, int]:
        """The bits of each cell that shows a digit."""
        moves = np.diff(digits) != 0
        missed = np.count_nonzero(moves & ~self._moves, axis=1)
        likely = missed <= _MISSED_SHARE * np.count_nonzero(moves) + 1
        if not likely.any():
            return {}
        key = key_of(digits)
        if key not in self._fits:
            self._fits[key] = {
                cell: bits
                for cell, looks, may in zip(self._cells, self._looks, likely, strict=True)
                if may and (bits := fit_of(digits, looks))
            }
        return self._fits[key]

    def _shown(self, digits: Digits) -> Iterator[tuple[Grid, int]]:
        """The cells that show a digit."""
        for cell in self._fits_of(digits):
            yield from self._cells[cell]

    def _codes(self, place: int, raw: Digits) -> Iterator[Told]:
        """A byte that stands for one digit, such as a pointer to its picture."""
        bits = max(self._fits_of(raw).values(), default=0)
        if bits:
            yield Told(place, _BYTE, 1, bits, is_code=bool(raw.max() > 9))

    def _plain(self, place: int, data_type: DataType, values: Digits) -> Iterator[Told]:
        """A binary number whose decimal digits are drawn."""
        digits = [values // 10**k % 10 for k in range(len(str(values.max())))]
        for grid, first in self._shown(digits[0]):
            read = self._read(digits[: len(grid.keys) - first], grid, first)
            if len(read) == len(digits):
                yield Told(place, data_type, len(read), sum(read))

    def _coded(self, place: int, coding: _Coding) -> Iterator[Told]:
        """Digits from the byte at ``place``, which holds the lowest that moves, or from below."""
        skipped = 0
        while skipped < coding.per_byte and self._rests(self._digit(place, coding, skipped)):
            skipped += 1
        moving = self._digit(place, coding, skipped)
        if skipped == coding.per_byte or moving is None:
            return
        walks = [
            list(self._walk(place - below * coding.step, coding, grid, first, below))
            for grid, index in self._shown(moving)
            for below in (0, 1)
            for first in (index - skipped - below * coding.per_byte,)
            # A game may not draw the lowest digit, which is always zero.
            if first >= below - 1
        ]
        # The wider of two grids has the whole of each digit.
        yield from max(walks, key=lambda walk: _evidence(walk[-1:]), default=())

    def _walk(
        self, lowest: int, coding: _Coding, grid: Grid, first: int, below: int
    ) -> Iterator[Told]:
        """The numbers from a lowest byte on; the bytes below the first that moves have to show."""
        digits, size = [], coding.per_byte
        for number in range(_MOST_BYTES * size):
            digit = self._digit(lowest, coding, number)
            if digit is None or (first + number >= len(grid.keys) and number % size == 0):
                break
            digits.append(digit)
        read = self._read(digits, grid, first)
        if below and (len(read) <= size or min(read[:size]) <= 0):
            return
        for width in range(1 + below, len(read) // size + 1):
            resting = [self._rests(digit) for digit in digits[: width * size]]
            moved, rested = (
                sum(bits for bits, each in zip(read, resting, strict=False) if each is wanted)
                for wanted in (False, True)
            )
            last = resting[-size:]
            # Nobody knows how many zeros in front belong to the number.
            if width > _USUAL_BYTES * 2 // size and all(last):
                break
            if coding.letter == "n" and (width == 1 or (all(last) and not read[width - 1])):
                continue
            start = coding.first_of(lowest, width)
            moving = resting.count(False)
            unseen = sum(not rests and not fit for rests, fit in zip(resting, read, strict=False))
            found = coding.type_of(width)
            yield Told(start, found, moving - unseen, moved, rested, unseen, pitch=grid.width)

    def _digit(self, lowest: int, coding: _Coding, number: int) -> Digits | None:
        """A digit, the lowest has number 0; None outside the memory."""
        place = lowest + coding.step * (number // coding.per_byte)
        if not 0 <= place < len(self._play.rest):
            return None
        raw = self._column(place)
        if coding.letter == "n" and not self._rests(raw >> 4):
            return None
        return raw >> 4 if coding.letter == "d" and number % 2 else raw & 15

    def _rests(self, digit: Digits | None) -> bool:
        return digit is None or bool((digit == digit[0]).all())

    def _read(self, digits: Sequence[Digits], grid: Grid, first: int) -> list[int]:
        """The bits of each digit that its cell shows, up to the first one that it does not."""
        fits: list[int] = []
        for number, digit in enumerate(digits):
            cell = first + number
            # The box may leave out the highest digit of a packed byte.
            if self._rests(digit) or cell >= len(grid.keys):
                fits.append(0)
            elif cell >= 0 and (bits := self._fits_of(digit).get(grid.keys[cell], 0)):
                fits.append(bits)
            else:
                break
        book = _Book()
        looks = [
            _looks(digit, grid.glyphs[first + number])
            if 0 <= first + number < len(grid.keys)
            else {}
            for number, digit in enumerate(digits[: len(fits)])
        ]
        for number, bits in enumerate(fits):
            if bits:
                book.learn(number, looks[number])
        for number, digit in enumerate(digits[: len(fits)]):
            if self._rests(digit) and not _may_rest(digit, looks[number], grid, first + number):
                return fits[:number]
            extra = book.compare(number, looks[number])
            if not fits[number] and extra < 0:
                return fits[:number]
            fits[number] += extra
        return fits


def _evidence(walk: Sequence[Told]) -> tuple[int, ...]:
    return max(((told.bits, told.alike, told.pitch) for told in walk), default=(0,))


class _Book:
    """The looks of each digit, with the numbers of the digits of a number that showed them."""

    def __init__(self) -> None:
        self._owners: dict[tuple[int, int], int] = {}

    def learn(self, number: int, looks: _LooksOf) -> None:
        """Note the looks of a digit that moves."""
        for value, shown in looks.items():
            for look in shown:
                self._owners.setdefault((value, look), number)

    def compare(self, number: int, looks: _LooksOf) -> int:
        """The bits for and against a digit by the looks of others."""
        return sum(self._compare(number, value, looks[value]) for value in looks if value < 10)

    def _compare(self, number: int, value: int, shown: Sequence[int]) -> int:
        owners = [self._owners.get((value, look), number) for look in shown if look != EMPTY]
        if any(owner != number for owner in owners):
            return _ALIKE_BITS
        strange = any(each == shown[0] and other != value for other, each in self._owners)
        known = any(
            other == value and owner != number for (other, _), owner in self._owners.items()
        )
        # A zero in front may be drawn as nothing.
        return -_ALIKE_BITS if strange or (known and value) else 0


def _may_rest(digit: Digits, looks: _LooksOf, grid: Grid, cell: int) -> bool:
    """True when a cell without change shows a digit without change; zeros may have no cell."""
    if not looks:
        return bool(digit[0] == 0)
    moves = np.count_nonzero(np.diff(grid.glyphs[cell]))
    return bool(digit[0] < 10 and moves <= max(MOST_CURTAINS, STRAY_SHARE * len(digit)))


def _looks(digit: Digits, glyphs: NDArray[np.int64]) -> _LooksOf:
    """The commonest look of each value, of zero the two commonest."""
    found = {}
    for value in np.unique(digit).tolist():
        shown, counts = np.unique(glyphs[digit == value], return_counts=True)
        order = np.argsort(-counts, kind="stable")[: 1 if value else 2]
        found[value] = tuple(shown[order].tolist())
    return found
