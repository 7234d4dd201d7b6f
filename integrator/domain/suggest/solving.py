"""Reads the screen of some play, and finds the bytes of memory that keep the numbers there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest import screen
from integrator.domain.suggest.numbers import WIDEST, ZEROS, is_code
from integrator.domain.suggest.play import Play
from integrator.domain.values.memory import BYTE, KINDS, DataType

_SCALES: Final = (1, 10, 100)


@dataclass(frozen=True, slots=True)
class KeptNumber:
    """Bytes whose number, times ``scale`` and plus ``offset``, the screen shows."""

    place: int
    type: DataType
    scale: int = 1
    offset: int = 0
    mask: int | None = None


def read_play(play: Play) -> list[screen.ScreenNumber]:
    """Return the numbers on the screen; of those that overlap, the one with the most values."""
    every = [number for looks in play.looks for number in _read(play, looks)]
    kept: list[screen.ScreenNumber] = []
    for number in sorted(every, key=lambda each: -len(np.unique(each.rests[1]))):
        if not any(number.overlaps(other) for other in kept):
            kept.append(number)
    return kept


def solutions_of(play: Play) -> dict[tuple[int, DataType, int | None], screen.ScreenNumber]:
    """Return the numbers on the screen that memory keeps, by place, type and mask of bits."""
    found: dict[tuple[int, DataType, int | None], screen.ScreenNumber] = {}
    for number in read_play(play):
        for kept in solve(play, number):
            found.setdefault((kept.place, kept.type, kept.mask), number)
    return found


def _read(play: Play, looks: screen.Looks) -> list[screen.ScreenNumber]:
    """Return numbers read with the fonts that agree best with memory."""
    ranked: list[tuple[int, screen.Font]] = []
    for number, (line, font) in enumerate(
        screen.fonts(looks, lambda frames: lowest_digits(play, frames))
    ):
        # A single digit may be a picture that moves. A leading zero counts as a second digit.
        read = (each for each in screen.read_screen(looks, font, line) if each.cells > 1)
        kept = (len(np.unique(each.rests[1])) for each in read if any(solve(play, each)))
        values = max(kept, default=0)
        # A font is right if memory keeps five different values of a number that is read with it.
        if values >= 5:
            ranked.append((values, font))
        if values >= 12 or number >= 24:
            break
    known: dict[int, int] = {}
    for _, font in sorted(ranked, key=lambda pair: -pair[0]):
        if all(known.get(look, digit) == digit for look, digit in font.items()):
            known |= font
    return list(screen.read_screen(looks, known)) if known else []


def lowest_digits(play: Play, frames: NDArray[np.intp]) -> Iterator[NDArray[np.uint8]]:
    """Yield the lowest decimal digits of numbers that have each paced byte as their lowest one."""
    lowest = play.places[play.paced]
    table = np.tile(play.rest, (len(frames), 1))
    table[:, play.places] = play.ram[frames]
    yield table[:, lowest] & np.uint8(15)
    yield table[:, lowest] >> np.uint8(4)
    for step in (1, -1):
        inside = lowest[(lowest + 2 * step >= 0) & (lowest + 2 * step < len(play.rest))]
        value = np.zeros((len(frames), len(inside)), np.int64)
        for width in range(3):
            value += table[:, inside + step * width].astype(np.int64) << 8 * width
            if width or step > 0:
                for scale in _SCALES:
                    yield (value // scale % 10).astype(np.uint8)


def solve(play: Play, number: screen.ScreenNumber) -> Iterator[KeptNumber]:
    """Yield all bytes that agree with the number, at the first offset and delay that fit any."""
    frames, shown = number.rests
    if len(frames) < 3:
        return
    # Pictures show memory of some frames ago, also of a number that rests if moves are drawn first.
    ways = [(0, late) for late in range(4)] if number.runs else [(0, 0), (0, 8), (1, 0), (-1, 0)]
    for offset, late in ways:
        found = False
        for scale in _SCALES:
            wanted = (shown - offset) // scale
            if ((shown - offset) % scale).any() or wanted.min() < 0 or len(set(wanted)) < 2:
                break
            at = np.maximum(frames - late, 0)
            for kept in _Solver(play, at, wanted, number.room, scale).all():
                found = True
                yield replace(kept, offset=offset)
        if found:
            return


@dataclass(frozen=True, slots=True, eq=False)
class _Solver:
    """Searches for a number that is ``wanted`` on the play's ``frames``."""

    play: Play
    frames: NDArray[np.intp]
    wanted: NDArray[np.int64]
    room: int  # cells of the number on the screen
    scale: int  # the screen shows the number times this

    def all(self) -> Iterator[KeptNumber]:
        """Yield whole bytes first, then bits of other bytes."""
        found: dict[KeptNumber, None] = {}
        table = self.play.ram[self.frames]
        for letter in "udn":
            digits = KINDS[letter].digits[table]
            for place in self.play.places[self._agrees(digits, letter, 0)].tolist():
                if is_code(self.play.column(place), letter):
                    spans = (self._extended(place, letter, step) for step in (-1, 1))
                    found.update(dict.fromkeys(filter(None, spans)))
        yield from found
        whole = {kept.place for kept in found}
        for mask in (0x0F, 0xF0, 0x07, 0x03) if self.wanted.max() < 16 else ():
            bits = (table & mask) // (mask & -mask)
            for place in self.play.places[self._agrees(bits, "u", 0)].tolist():
                if place not in whole:
                    whole.add(place)
                    yield KeptNumber(place, BYTE, self.scale, mask=mask)

    def _agrees(self, digits: NDArray[np.int64], letter: str, index: int) -> NDArray[np.bool_]:
        """Return a mask of columns that mostly are digit ``index`` of the number, 0 the lowest."""
        base = KINDS[letter].base
        wanted = self.wanted // base**index % base
        agrees: NDArray[np.bool_] = (wanted == digits.T).mean(axis=-1) >= screen.AGREEMENT
        return agrees

    def _extended(self, lowest: int, letter: str, step: int) -> KeptNumber | None:
        """Return the whole number from its lowest byte on, or None if higher bytes do not fit."""
        form, width, highest = KINDS[letter], 1, int(self.wanted.max())
        need = next(width for width in count(1) if form.base**width > highest)
        high = self.play.column(lowest)[0] & ~np.uint8(form.bits)
        usual = ZEROS[letter] * self.room // ZEROS["n"]
        zeros = self._zeros(lowest, letter, step)
        while width < max(need, min(usual, ZEROS[letter]) - zeros):
            place = lowest + step * width
            if not self.play.reaches(place, step):
                break
            column = self.play.column(place)
            digits = form.digits[column[self.frames]]
            if column[0] & ~np.uint8(form.bits) != high or not self._agrees(digits, letter, width):
                break
            width += 1
        if width < need or width + zeros > WIDEST[letter]:
            return None
        width, lowest = width + zeros, lowest - step * zeros
        sign = "|" if width == 1 else ">" if step < 0 else "<"
        place = lowest - width + 1 if step < 0 else lowest
        data_type = DataType.parse(f"{sign}{letter}{width}")
        return KeptNumber(place, data_type, self.scale // form.base**zeros)

    def _zeros(self, lowest: int, letter: str, step: int) -> int:
        """Return the count of digits below the lowest one that are always 0, as on the screen."""
        form, code = KINDS[letter], self.play.column(lowest)[0] & ~np.uint8(KINDS[letter].bits)
        zeros = 0
        # Binary numbers have no digits that the screen shows.
        while letter != "u" and self.scale % form.base ** (zeros + 1) == 0:
            place = lowest - step * (zeros + 1)
            if not self.play.reaches(place, -step) or (self.play.column(place) != code).any():
                break
            zeros += 1
        return zeros
