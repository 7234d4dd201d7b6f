"""Reads numbers on the screen without a box, in cells that change as digits do. Adjacent cells that
show the same few looks in turn are digits. Memory decides which look is which digit: there must be
a byte whose digits each have one look. Then every number is read."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

CELL_PIXELS: Final = 8
_MOST_SAMPLES: Final = 48
AGREEMENT: Final = 0.9  # The rest is for moments at which a title or a pause hides the number.

Font = Mapping[int, int]  # The digit of each look.
Digits = Callable[[NDArray[np.intp]], Iterator[NDArray[np.uint8]]]
"""Yields tables of digits that memory has on given frames, each uint8 (frames, numbers)."""


@dataclass(frozen=True, eq=False)
class Looks:
    """Pictures of some play as cells: ``rows`` are their frames, ``ids`` int32 (pictures, cells).
    Cells that look the same have the same id. ``boxes`` (cells, 4) are x, y, width and height;
    cells of one line follow each other from left to right. A number is read only after it ``rests``
    for this many pictures, because it may be half drawn before."""

    rows: NDArray[np.intp]
    ids: NDArray[np.int32]
    boxes: NDArray[np.intp]
    rests: int = 3

    @classmethod
    def of(cls, rows: NDArray[np.intp], looks: NDArray[np.int64], boxes: NDArray[np.intp]) -> Self:
        """Make looks from numbers, int64 (pictures, cells), that are equal for equal cells.

        A cell that never changes, or always does, has the id -1 unless another cell looks like it.
        """
        fresh = np.ones(looks.shape[::-1], np.bool_)
        fresh[:, 1:] = (looks[1:] != looks[:-1]).T
        changes = np.count_nonzero(fresh, axis=1) - 1
        alive = np.flatnonzero((changes > 0) & (changes < len(looks) // 2))
        # The first picture of each cell begins a look, so no look continues into the next cell.
        fresh = fresh[alive]
        known, named = np.unique(looks[:, alive].T[fresh], return_inverse=True)
        ids = np.full(looks.shape, -1, np.int32)
        ids[:, alive] = named[np.cumsum(fresh) - 1].reshape(fresh.shape).T
        if len(known):
            # Cells that never change, and those that change all the time, as a running clock's do.
            for others, own in ((changes == 0, looks[:1]), (changes >= len(looks) // 2, looks)):
                shown = own[:, others]
                at = np.minimum(np.searchsorted(known, shown), len(known) - 1)
                ids[:, others] = np.where(known[at] == shown, at, -1)
        return cls(rows, ids, boxes)

    @cached_property
    def lines(self) -> NDArray[np.intp]:
        """The number of the line that each cell belongs to."""
        x, y, wide, _ = self.boxes.T
        goes_on = (x[1:] == x[:-1] + wide[:-1]) & (y[1:] == y[:-1])
        return np.concatenate([[0], np.cumsum(~goes_on)])


@dataclass(frozen=True, eq=False)
class ScreenNumber:
    """A number on the screen: its box in pixels, and its values on ``frames``. Frames count from
    the play's first. The value is -1 where a picture does not show the number. ``cells`` counts the
    cells of the number, and ``room`` also free ones on its left."""

    x: int
    y: int
    width: int
    height: int
    frames: NDArray[np.intp]
    values: NDArray[np.int64]
    least_rest: int = 3
    room: int = 9
    cells: int = 2

    @property
    def box(self) -> tuple[int, int, int, int]:
        return self.x, self.y, self.width, self.height

    def overlaps(self, other: "ScreenNumber") -> bool:
        across = self.x < other.x + other.width and other.x < self.x + self.width
        return across and self.y < other.y + other.height and other.y < self.y + self.height

    @cached_property
    def _spans(self) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
        """The middle of each time with one value, and a mask of the times that were a rest."""
        starts = np.flatnonzero(np.diff(self.values, prepend=-2))
        ends = np.append(starts[1:], len(self.values))
        rested = (ends - starts >= self.least_rest) & (self.values[starts] >= 0)
        return (starts + ends) // 2, rested

    @property
    def runs(self) -> bool:
        """True for a number that hardly ever rests, as a running clock does."""
        middles, rested = self._spans
        return 4 * int(rested.sum()) < len(middles)

    @cached_property
    def rests(self) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """Frames amid the number's rests, or all frames if it ``runs``, and its values there."""
        middles, rested = self._spans
        middles = np.flatnonzero(self.values >= 0) if self.runs else middles[rested]
        if len(middles) > _MOST_SAMPLES:
            middles = middles[np.linspace(0, len(middles) - 1, _MOST_SAMPLES).astype(np.intp)]
        return self.frames[middles], self.values[middles]


def _pairs(
    looks: Looks, fewest: int, *, in_box: bool
) -> list[tuple[int, NDArray[np.intp], NDArray[np.int32]]]:
    """Return cells that may be digits because a neighbor has the same looks, the likeliest first.
    Each is a tuple: the line, the pictures in which cell and neighbors rest, and the cell's
    looks."""
    lines, ids = looks.lines, looks.ids
    # Digits that change all the time say nothing, and must not count as changes of their neighbors.
    changes = np.count_nonzero(ids[1:] != ids[:-1], axis=0)
    busy = changes >= len(ids) // 2
    ids = np.where(busy, -1, ids)
    # A look in many cells at once is the background. The last entry is for a cell without a look.
    dull = np.append(np.bincount(ids.ravel() + 1, minlength=2)[1:] > 24 * len(ids), True)
    found = []
    ids = np.asfortranarray(ids)
    for cell in np.flatnonzero(~busy & (changes >= fewest - 1)).tolist():
        own = ids[:, cell]
        if len(set(own[np.flatnonzero(own[1:] != own[:-1])].tolist())) < fewest - 1:
            continue
        neighbors = [each for each in (cell - 1, cell + 1) if 0 <= each < len(lines)]
        neighbors = [each for each in neighbors if lines[each] == lines[cell]]
        changed = np.logical_or.reduce(
            [ids[1:, each] != ids[:-1, each] for each in (cell, *neighbors)]
        )
        starts = np.append(0, np.flatnonzero(changed) + 1)
        ends = np.append(starts[1:], len(own))
        middles, lasting = (starts + ends) // 2, ends - starts
        resting = (lasting >= looks.rests) & ~dull[own[middles]]
        middles, lasting = middles[resting], lasting[resting]
        names, series = np.unique(own[middles], return_inverse=True)
        # Twelve looks count: ten digits, a blank for a leading zero, and one more. Titles, fades
        # and pauses show other looks in the same cells, but not for long.
        time = np.bincount(series, lasting, minlength=len(names))
        order = np.argsort(-time, kind="stable")[:12]
        often = np.zeros(len(names), np.bool_)
        often[order[time[order] > 0.01 * time.sum()]] = True
        usual, known = names[often], often[series]
        if len(usual) < fewest or lasting[known].sum() < AGREEMENT * lasting.sum():
            continue
        shared = max((_shared(usual, ids[middles, each]) for each in neighbors), default=0)
        middles = middles[known]
        if in_box or (shared and len(middles) >= 8):
            chosen = middles[np.linspace(0, len(middles) - 1, _MOST_SAMPLES).astype(np.intp)]
            pair = int(lines[cell]), np.unique(chosen), own
            # Long rests count more, because things that move past a cell rest there only briefly.
            found.append(((len(usual) + shared) * int(lasting.sum()), pair))
    found.sort(key=lambda each: -each[0])
    # The best two of each line are kept, so that movement on one line hides no digits on another.
    seen: Counter[int] = Counter()
    best = []
    for _, pair in found:
        seen[pair[0]] += 1
        best += [pair] if seen[pair[0]] <= 2 else []
    return best[:6]


def _shared(usual: NDArray[np.int32], other: NDArray[np.int32]) -> int:
    """Return how many looks a cell shares with its neighbor, 0 if too few. A neighbor that changes
    must share two looks; one that rests, such as a 0, may share one."""
    seen = np.unique(other)
    shared = np.intersect1d(usual, seen).size
    return shared if shared >= min(2, len(seen)) else 0


def fonts(looks: Looks, digits: Digits, *, in_box: bool = False) -> Iterator[tuple[int, Font]]:
    """Yield fonts, in which the looks of cells on a line are digits in memory, and their lines."""
    seen: set[tuple[tuple[int, int], ...]] = set()
    fewest = 2 if in_box else 4
    common = np.bincount(looks.ids.ravel() + 1)[1:]
    for line, rows, own_looks in _pairs(looks, fewest, in_box=in_box):
        names, series = np.unique(own_looks[rows], return_inverse=True)
        # Of two looks of a digit that are as frequent here, the common one is rather a background.
        order = np.argsort(common[names], kind="stable")
        names, series = names[order], np.argsort(order)[series]
        hot = np.eye(len(names), dtype=np.float32)[series].T
        need = max(fewest, len(names) - 2)
        for every in digits(looks.rows[rows]):
            table = every[:, np.count_nonzero(every[1:] != every[:-1], axis=0) >= need - 1]
            counts = np.stack([hot @ (table == digit).astype(np.float32) for digit in range(10)])
            best = counts.max(axis=0).sum(axis=0)
            own = counts[:, :, best >= AGREEMENT * len(rows)]
            looked = own.argmax(axis=1)
            # If a digit has two looks, one is a title or a blank, so the more frequent one counts.
            kept = np.take_along_axis(own.argmax(axis=0), looked, axis=0) == np.arange(10)[:, None]
            kept &= own.max(axis=1) > 0
            for each in np.flatnonzero(kept.sum(axis=0) >= need).tolist():
                digits_seen = np.flatnonzero(kept[:, each])
                looks_seen = names[looked[digits_seen, each]].tolist()
                font = dict(zip(looks_seen, digits_seen.tolist(), strict=True))
                key = tuple(font.items())
                if key not in seen:
                    seen.add(key)
                    yield line, font


def read_screen(looks: Looks, font: Font, line: int | None = None) -> Iterator[ScreenNumber]:
    """Yield each number that changes in cells with looks of digits; with ``line``, only there."""
    digit_of = np.full(int(looks.ids.max(initial=-1)) + 2, -1, np.int8)
    digit_of[list(font)] = list(font.values())
    cells = np.arange(len(looks.lines)) if line is None else np.flatnonzero(looks.lines == line)
    digits = digit_of[looks.ids[:, cells]]
    share = (digits >= 0).mean(axis=0)
    ends = np.flatnonzero(np.diff(looks.lines[cells], append=-1))
    # A cell of a number shows digits in this share of the pictures, a cell of a title in fewer.
    usual = share >= 0.3
    usual_after = np.append(usual[1:], False)
    usual_after[ends] = False
    last = -1
    # Numbers end with the last cell that usually shows a digit, and grow to the left.
    for right in np.flatnonzero(usual & ~usual_after).tolist():
        left = right
        while left > last + 1 and share[left - 1] > 0 and left - 1 not in ends:
            left -= 1
        last = right
        shown = digits[:, left : right + 1]
        # A cell that shows only one digit, and other looks, is part of the scenery.
        counts = np.where(shown < 0, shown.max(axis=0), shown).min(axis=0) < shown.max(axis=0)
        if right - left < 12 and counts.any():
            values = _joined(shown)
            # Without its usual last digit, a number is covered, or the font lacks this digit.
            values[(shown[:, -1] < 0) & (share[right] > 0.5)] = -1
            room = right - int(np.max(ends[ends < right], initial=-1))
            (x, y, _, high), (end, _, wide, _) = looks.boxes[cells[[left, right]]].tolist()
            size = end + wide - x, high
            rests = looks.rests, room, right + 1 - left
            yield ScreenNumber(x, y, *size, looks.rows, values, *rests)


def _joined(digits: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the numbers of adjacent digits between blanks; -1 if the digits are not adjacent."""
    values = np.zeros(len(digits), np.int64)
    for column in digits.T:
        values = np.where(column >= 0, values * 10 + column, values)
    known = digits >= 0
    pieces = np.count_nonzero(np.diff(known.astype(np.int8), prepend=0, axis=1) > 0, axis=1)
    values[pieces != 1] = -1
    return values


_WEIGHTS: Final = np.random.default_rng(0).integers(1, 1024, CELL_PIXELS)


class StripTable:
    """Numbers for strips of 8 pixels, by which equal strips are equal; ``pixels`` has the strips. A
    table has 65,536 numbers. As it fills, more strips share one: of 40,000 random strips, 2 %."""

    def __init__(self) -> None:
        self.pixels = np.zeros((1 << 16, CELL_PIXELS), np.uint32)
        self._keys = np.zeros(1 << 16, np.uint64)

    def strips_of(self, picture: NDArray[np.unsignedinteger]) -> NDArray[np.uint16]:
        """Return the number of each strip of a picture, (rows, columns)."""
        wide = picture.shape[1] // CELL_PIXELS
        whole = picture[:, : wide * CELL_PIXELS].reshape(-1, CELL_PIXELS)
        # Sums of 24-bit colors by 10-bit weights are exact floats.
        sums = whole.astype(np.float64) @ _WEIGHTS.astype(np.float64)
        keys = (sums.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B1)
        numbers = (keys >> np.uint64(16)).astype(np.uint16)
        left = np.flatnonzero(self._keys[numbers] != keys)
        for _ in range(8):
            fresh = left[self._keys[numbers[left]] == 0]
            self._keys[numbers[fresh]] = keys[fresh]
            self.pixels[numbers[fresh]] = whole[fresh]
            left = left[self._keys[numbers[left]] != keys[left]]
            if not len(left):
                break
            numbers[left] += np.uint16(1)
        return numbers.reshape(-1, wide)


def cells_of(strips: NDArray[np.uint16]) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """Return a number for the look of each cell of 8 by 8 pixels, and the boxes of the cells.

    ``strips`` are (pictures, rows, columns) by :class:`StripTable`."""
    high, wide = strips.shape[1] // CELL_PIXELS, strips.shape[2]
    looks = np.zeros((len(strips), high, wide), np.int64)
    for row, weight in enumerate(_WEIGHTS.tolist()):
        every = strips[:, row : high * CELL_PIXELS : CELL_PIXELS]
        looks += every.astype(np.int64) * weight
    x, y = np.meshgrid(np.arange(wide) * CELL_PIXELS, np.arange(high) * CELL_PIXELS)
    boxes = np.stack([x, y, np.full_like(x, CELL_PIXELS), np.full_like(x, CELL_PIXELS)], axis=-1)
    return looks.reshape(len(strips), -1), boxes.reshape(-1, 4)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The part of the picture that changes with a number."""

    agreement: float = 0.0  # 1 if the part changes whenever the number does, and never otherwise
    x: float = 0.5  # the middle of its cells, as a share of the picture's width
    y: float = 0.5  # the same, of the height

    @property
    def is_inside(self) -> bool:
        """True away from the upper and lower edge; few games show numbers inside the picture."""
        return 0.2 <= self.y <= 0.8

    @property
    def place(self) -> str:
        """The place in words, such as "at the top"."""
        if self.is_inside:
            return "in the picture"
        return "at the top" if self.y < 0.5 else "at the bottom"


def find_drawn(cells: NDArray[np.bool_] | None, events: Sequence[NDArray[np.bool_]]) -> list[Drawn]:
    """Return the place of each number on the screen, with agreement 0 without pictures."""
    if cells is None or not events:
        return [Drawn()] * len(events)
    frames, rows, columns = cells.shape
    flat = cells.reshape(frames, -1)
    # The more of the picture changes, the less it says. Above 40%, it flashes or scrolls.
    quiet = 1 - np.minimum(1, flat[1:].mean(axis=1, dtype=np.float32) / 0.4)
    busy = flat.mean(axis=0)
    # A number's cells rest most of the time.
    alive = np.flatnonzero((busy > 0) & (busy < 0.5))[:1500]
    # Readings of one byte often change on the same frames, so these are looked at only once.
    different = {each.tobytes(): each for each in events}
    changed = flat[1:, alive].astype(np.float32)
    hits = np.stack(list(different.values()), axis=1).astype(np.float32)
    moved, count = changed.any(axis=1), hits.sum(axis=0)
    # A change of a number counts as much as the least quiet of the frames that may draw it.
    heard = hits * (1 - _spread(1 - quiet[::-1])[::-1, np.newaxis])
    soon = _spread(changed[::-1])[::-1]
    recall = heard.T @ soon / np.maximum(heard.sum(axis=0), 1e-6)[:, None]
    after, changed = _spread(hits)[moved], changed[moved] * quiet[moved, np.newaxis]
    precision = after.T @ changed / np.maximum(changed.sum(axis=0), 1e-6)
    both = 2 * recall * precision / np.maximum(recall + precision, 1e-6)
    both *= (count / (count + 0.5))[:, None]  # few changes may agree by chance
    found = {}
    for key, agreement in zip(different, both, strict=True) if both.size else ():
        best = float(agreement.max())
        down, across = np.divmod(alive[agreement >= 0.9 * best], columns)
        x, y = (across.mean() + 0.5) / columns, (down.mean() + 0.5) / rows
        found[key] = Drawn(best, float(x), float(y))
    return [found.get(each.tobytes(), Drawn()) for each in events]


def _spread(changed: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return 1 where a row or one of the three rows before has a change: games draw later."""
    result = changed.copy()
    for shift in range(1, 4):
        np.maximum(result[shift:], changed[:-shift], out=result[shift:])
    return result
