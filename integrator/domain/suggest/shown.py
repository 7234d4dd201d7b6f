"""Reads numbers on the screen: cells in which each digit of a number looks the same each time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

CELL_PIXELS: Final = 8
_REST_FRAMES: Final = 6
"""A number is drawn within that many frames."""
_MOST_SAMPLES: Final = 64
_AGREEMENT: Final = 0.85
"""At some moments, a title or a pause hides the number."""
_BLANK: Final = 10
"""The class of a zero in front, which may be drawn as nothing."""
_MOST_DIGITS: Final = 8

_LEARNED: Final = 5
"""A number that shows that many digits has learned their looks for all others."""

Glyphs = Mapping[int, int]
"""The look of each digit."""


@dataclass(frozen=True, eq=False)
class Looks:
    """Pictures of some play: ``rows`` are their frames, ``ids`` int32 (pictures, rows, columns).

    Cells of eight pixels that look the same have the same id.
    """

    rows: NDArray[np.intp]
    ids: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Shown:
    """A number on the screen: the cell of its lowest digit, and the digits that were seen.

    ``digits`` counts cells with digits that move, ``seen`` the different digits in them; ``zeros``
    are cells to the right that always show a zero.
    """

    row: int
    column: int
    digits: int
    seen: int
    zeros: int = 0
    glyphs: Glyphs = field(default_factory=dict, compare=False, repr=False)

    @property
    def proof(self) -> float:
        """0 to 1: by chance, few digits look the same each time and unlike the others."""
        return 1 - 0.5 ** max(0, self.seen - 1)


class NumberReader:
    """Finds the numbers of some play on its screen."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        _, self._high, self._wide = looks.ids.shape
        flat = looks.ids.reshape(len(looks.ids), -1)
        changes = np.count_nonzero(np.diff(flat, axis=0), axis=0)
        self._alive = np.flatnonzero((changes > 0) & (changes < len(flat) // 2))
        self._ids = flat[:, self._alive]
        self._flat = flat

    def find(self, values: NDArray[np.int64], changed: NDArray[np.intp]) -> Shown | None:
        """The place where all moving digits of a number are drawn next to each other.

        ``values`` are those of each frame, and ``changed`` the frames of its changes.
        """
        at = self._samples(changed, len(values))
        kept = np.abs(values[self._looks.rows[at]])
        if len(at) < 2 or not len(self._alive) or kept.max() >= 10**_MOST_DIGITS:
            return None
        classes = []
        for place in range(len(str(int(kept.max())))):
            digit = kept // 10**place % 10
            if place:
                digit = np.where(kept < 10**place, _BLANK, digit)
            classes.append(digit)
        moving = [place for place, digit in enumerate(classes) if (digit != digit[0]).any()]
        if not moving:
            return None
        tables = [self._tables(classes[place], at) for place in moving]
        best: Shown | None = None
        lowest, (fits, _) = moving[0], tables[0]
        for cell in self._alive[fits].tolist():
            found = self._walk(cell + lowest, cell, moving, tables)
            if found is not None and (best is None or found.seen > best.seen):
                best = found
        return best

    def _samples(self, changed: NDArray[np.intp], frames: int) -> NDArray[np.intp]:
        """Pictures at the end of each time in which a number rested for long enough."""
        ends = np.append(changed, frames) - 1
        starts = np.append(0, changed)
        at = np.searchsorted(self._looks.rows, ends, side="right") - 1
        at = at[(at >= 0) & (self._looks.rows[at] >= starts + _REST_FRAMES)]
        if len(at) > _MOST_SAMPLES:
            at = at[np.linspace(0, len(at) - 1, _MOST_SAMPLES).astype(np.intp)]
        return at

    def _tables(
        self, digit: NDArray[np.int64], at: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], dict[int, NDArray[np.int32]]]:
        """The live cells that agree with a digit, and the look of each of its values in all."""
        looks = self._ids[at]
        table, agree = {}, np.zeros(looks.shape[1], np.int64)
        for value in np.unique(digit).tolist():
            own = looks[digit == value]
            # Most moments agree on the middle one, where any do.
            table[value] = own[len(own) // 2]
            agree += np.count_nonzero(own == table[value], axis=0)
        fits = agree >= _AGREEMENT * len(at)
        names = sorted(table)
        for number, one in enumerate(names):
            for other in names[number + 1 :]:
                if (one, other) != (0, _BLANK):
                    fits &= table[one] != table[other]
        return np.flatnonzero(fits), table

    def _walk(
        self,
        last: int,
        first: int,
        moving: list[int],
        tables: list[tuple[NDArray[np.intp], dict[int, NDArray[np.int32]]]],
    ) -> Shown | None:
        """The number whose digit of place 0 is in cell ``last``, if all moving ones agree."""
        if last // self._wide != first // self._wide:
            return None
        glyphs: dict[int, int] = {}
        for place, (fits, table) in zip(moving, tables, strict=True):
            cell = last - place
            where = int(np.searchsorted(self._alive, cell))
            if where == len(self._alive) or self._alive[where] != cell or where not in fits:
                return None
            if cell // self._wide != first // self._wide:
                return None
            for value, looks in table.items():
                if value != _BLANK and glyphs.setdefault(value, int(looks[where])) != looks[where]:
                    return None
        zeros = 0
        edge = (last // self._wide + 1) * self._wide
        # Digits that always rest at zero, such as a last one that no game state keeps.
        while 0 in glyphs and last + zeros + 1 < edge and self._rests(last + zeros + 1, glyphs[0]):
            zeros += 1
        row, column = divmod(last, self._wide)
        return Shown(row, column, len(moving), len(glyphs), zeros, glyphs)

    def is_read(self, values: NDArray[np.int64], shown: Shown, font: Glyphs) -> bool:
        """False when a digit that never moves is another one on the screen."""
        last = shown.row * self._wide + shown.column
        lowest, highest = (str(int(each)).rjust(_MOST_DIGITS, "0") for each in _ends(values))
        # Digits above the first moving one are alike in the least and the greatest value.
        for place, (one, other) in enumerate(zip(lowest, highest, strict=True)):
            cell = last - (_MOST_DIGITS - 1 - place)
            if one != other:
                break
            outside = cell // self._wide != shown.row
            if int(one) and (outside or not self._rests(cell, font.get(int(one), -1))):
                return int(one) not in font
        return True

    def _rests(self, cell: int, look: int) -> bool:
        return bool((self._flat[:, cell] == look).mean() > 0.5)


def learned(every: Iterable[Shown | None]) -> Glyphs:
    """The looks of digits that numbers on the screen agree on."""
    font: dict[int, int] = {}
    for shown in sorted(filter(None, every), key=lambda each: -each.seen):
        if shown.seen >= _LEARNED:
            font = {**shown.glyphs, **font}
    return font


def _ends(values: NDArray[np.int64]) -> tuple[np.int64, np.int64]:
    size = np.abs(values)
    return size.min(), size.max()


def looks_of_cells(pixels: NDArray[np.uint32]) -> NDArray[np.float64]:
    """A number for the look of each whole cell of a picture: (rows, columns)."""
    high, wide = (length // CELL_PIXELS for length in pixels.shape)
    whole = pixels[: high * CELL_PIXELS, : wide * CELL_PIXELS].astype(np.float64)
    across = whole.reshape(-1, CELL_PIXELS) @ _WEIGHTS[0]
    down = across.reshape(high, CELL_PIXELS, wide)
    looks: NDArray[np.float64] = np.tensordot(_WEIGHTS[1], down, axes=(0, 1))
    return looks


# Sums of 24 bits of color by two weights of 10 bits stay exact.
_WEIGHTS: Final = np.random.default_rng(0).integers(1, 1024, (2, CELL_PIXELS)).astype(np.float64)
