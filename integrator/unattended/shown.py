"""Finds the numbers that the screen shows, by writing digits into memory. Many games draw their
numbers from memory on each frame. In such a game, each digit that is written into a byte changes
only one small cell of the picture. Adjacent cells of one font are a number, including the digits
that have not changed in play yet."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.domain.suggest.screen import CELL_PIXELS
from integrator.domain.values.memory import AddressSpace, DataType
from integrator.session.session import Session
from integrator.unattended.control import Explorer
from integrator.unattended.play import Episode
from integrator.unattended.reaching import Reached
from libretro_host.host import CapturePlan

LOW: Final = Coding(10, 1, 0x0F)
HIGH: Final = Coding(10, 16, 0xF0)
_TABLED: Final = Coding(10, 8, 0x78)  # The byte is the row of a digit's picture in a table.
# Frames from a poke to the second of two pictures, because a game may draw in every second one.
_FRAMES: Final = 4
_WIDEST, _HIGHEST = 2 * CELL_PIXELS + 2, 3 * CELL_PIXELS


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """The part of the picture that shows a digit of the byte at a logical index. ``font`` has the
    number of pixels that differ between each two digits."""

    place: int
    coding: Coding
    x: int
    y: int
    width: int
    height: int
    font: NDArray[np.int64]

    def is_before(self, other: "Cell") -> bool:
        """Return True if ``other`` may be the next digit, less than a digit's width further."""
        gap = other.x - self.x - self.width
        return -1 <= gap < 0.8 * self.width and self.is_like(other)

    def is_like(self, other: "Cell") -> bool:
        """Return True for the same font on the same line; a few pixels may be hidden."""
        alike = np.abs(self.font - other.font) <= 2 + 0.1 * self.font
        is_level = abs(self.y - other.y) <= 2 and abs(self.height - other.height) <= 2
        return is_level and bool(alike.all())


def cells_shown(
    console: Explorer, space: AddressSpace, state: bytes, places: Iterable[int]
) -> Iterator[Cell]:
    """Yield the cells of digits that bytes show some frames after a state."""
    host = console.host
    host.unserialize(state, fresh=False)
    ram = host.read_ram()
    plan = CapturePlan(picture=False, picture_every=1)

    def poked(offset: int, byte: int) -> NDArray[np.uint32]:
        host.unserialize(state, fresh=False)
        host.write_ram(offset, bytes([byte]))
        pictures = host.run(console.rows((0, _FRAMES)), plan).pictures[-2:]
        return np.stack([each.words.astype(np.uint32) for each in pictures])

    for place in places:
        offset = space.offset(space.address_of(place))
        kept = int(ram[offset])
        tried = [(each, kept & ~each.mask) for each in (LOW, HIGH, _TABLED)]
        # The byte of a blank digit has other bits as well, so they are also tried as 0.
        tried += [(_TABLED, 0)] if tried[-1][1] else []
        for coding, rest in tried:
            seen: list[NDArray[np.uint32]] = []
            # The digit 0 is left out, because leading zeros may be drawn as nothing.
            for digit in range(1, 10):
                seen.append(poked(offset, rest | coding.step * digit))
                if len({each.shape for each in seen}) > 1 or (
                    digit > 1 and _changed(seen[-2:]) is None
                ):
                    break
            else:
                if (cell := _cell(place, coding, seen)) is not None:
                    yield cell


def _changed(seen: Sequence[NDArray[np.uint32]]) -> tuple[int, slice, slice] | None:
    """Return which of two pictures differs in a small part, and the rows and columns of it."""
    for late in (0, 1):
        differs = np.any([each[late] != seen[0][late] for each in seen[1:]], axis=0)
        if not differs.any():
            continue
        rows, columns = (np.flatnonzero(differs.any(axis=axis)).tolist() for axis in (1, 0))
        area = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
        if rows[-1] - rows[0] < _HIGHEST and columns[-1] - columns[0] < _WIDEST:
            return late, *area
    return None


def _cell(place: int, coding: Coding, seen: Sequence[NDArray[np.uint32]]) -> Cell | None:
    if (area := _changed(seen)) is None:
        return None
    late, rows, columns = area
    looks = [each[late, rows, columns] for each in seen]
    font = np.array([(one != other).sum() for one, other in combinations(looks, 2)])
    high, wide = looks[0].shape
    if wide < 2 or high < 4 or not font.all():
        return None
    return Cell(place, coding, columns.start, rows.start, wide, high, font)


Row = tuple[Cell, ...]


def rows_of(cells: Sequence[Cell]) -> list[Row]:
    """Return rows of digits that may be numbers, from left to right, the likeliest row first.

    ``cells`` may be of several moments, and a byte may be in several rows. A single digit is a
    number only if there is another one of the same font on its line; such digits come last."""
    # The smallest cell is kept: if a score rises at that moment, more of the picture changes.
    cells = sorted(cells, key=lambda each: each.width * each.height, reverse=True)
    cells = list({(each.place, each.coding): each for each in cells}.values())
    rows: list[Row] = []
    for family in ((LOW,), (LOW, HIGH), (HIGH,), (_TABLED,)):
        left = [each for each in cells if each.coding in family]
        left.sort(key=lambda each: (each.x, each.place))
        while left:
            row = [left.pop(0)]
            while after := [each for each in left if row[-1].is_before(each)]:
                row.append(after[0])
                left.remove(after[0])
            rows.append(tuple(row))
    lone = [row for row in rows if len(row) == 1 and row[0].coding == LOW]
    pairs = [row for row in lone if any(row[0].is_like(one[0]) for one in lone if one[0] != row[0])]
    longest = sorted((row for row in rows if len(row) > 1), key=len, reverse=True)
    return longest + list(dict.fromkeys(pairs))


def rows_shown(
    session: Session,
    console: Explorer,
    start: Reached,
    episodes: Sequence[Episode],
    places: Sequence[int],
) -> list[Row]:
    cells: list[Cell] = []
    ended = [each for each in episodes if each.end is not None][:1]
    with session.timeline.lent():
        # Moment 0 is after an end, because some games show the score only while nobody plays.
        for number, each in enumerate([*ended, *episodes[:3]], start=1 - len(ended)):
            frames = min((each.doubtful - each.first) // 2, 600 * number)
            played = each.inputs[: frames if number else each.stop - each.first]
            state, _ = console.go(start.state, played)
            cells += cells_shown(console, session.memory.space, state, places)
    return rows_of(cells)


def digits_are_seen(row: Row, raw: NDArray[np.uint8]) -> bool:
    """Return True if bytes are digits on nearly all frames; ``raw`` is uint8 (frames, digits).

    A byte may have one further value, for a blank."""
    for at, cell in enumerate(row):
        own = [each.coding for each in row if each.place == cell.place]
        is_digit = np.logical_and.reduce([each.is_digit(raw[:, at]) for each in own])
        others = raw[:, at] & ~np.uint8(sum(each.mask for each in own))
        if is_digit.any():
            is_digit &= others == np.bincount(others[is_digit]).argmax()
        blanks = np.bincount(raw[~is_digit, at], minlength=1)
        if blanks.sum() - blanks.max() > 0.05 * len(raw):
            return False
    return True


def number_of(row: Row, space: AddressSpace) -> tuple[int, DataType, Pieces | None] | None:
    """Return the address and type of a number, and its pieces if its bytes are not adjacent.

    Return None if the digits are in an order that no type has."""
    places = list(dict.fromkeys(each.place for each in row))
    coding, letter = row[0].coding, "n" if row[0].coding == LOW else ""
    if len({each.coding for each in row}) > 1 or (len(row) == 1 and coding == LOW):
        both = [(place, each) for place in places for each in (HIGH, LOW)]
        digits = [(each.place, each.coding) for each in row]
        first, last = both.index(digits[0]), both.index(digits[-1]) if digits[-1] in both else -1
        if both[first : last + 1] != digits:
            return None
        coding, letter = Coding(100), "d"
    steps = set(np.diff(places).tolist())
    if letter and len(steps) < 2 and steps <= {1, -1}:
        sign = "|" if not steps else ">" if steps == {1} else "<"
        address = space.address_of(min(places))
        return address, DataType.parse(f"{sign}{letter}{len(places)}"), None
    pieces = tuple(
        Piece(space.address_of(place), coding.base**at) for at, place in enumerate(places[::-1])
    )
    return pieces[0].address, coding.type, Pieces(coding, pieces)
