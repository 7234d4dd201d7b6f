"""Finds the number that explains the picture in a box: equal numbers look equal, others differ.
First, the digits of a number are searched for, in adjacent cells. Bars, rows of icons and other
pictures have no digits: there, boxes must look the same for equal numbers, and only for these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.grids import Looks, grids_of, likely, looks_of, shapes_of
from integrator.domain.suggest.numbers import Number, number_at, slow_numbers, words_of
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.screen import ScreenNumber, fonts, read_screen
from integrator.domain.suggest.solving import lowest_digits, solve
from integrator.domain.values.memory import BYTE, DataType


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Moments at which the box rested. ``rows`` are ascending rows of the play; ``crops`` (samples,
    height, width) are their pixels."""

    rows: NDArray[np.intp]
    crops: NDArray[np.uint32]

    @property
    def looks(self) -> Looks:
        return looks_of(self.crops)

    @property
    def drawn(self) -> "Samples":
        """The moments at which the box is not empty, and shows no interlude such as a title."""
        shapes = shapes_of(self.crops)
        shown = np.flatnonzero(shapes.any(axis=(1, 2)))
        shown = shown[~_interludes(looks_of(shapes[shown]))] if len(shown) else shown
        return Samples(self.rows[shown], self.crops[shown]) if len(shown) else self

    @property
    def pictures(self) -> int:
        """The number of different pictures; colors only count if all shapes are the same."""
        shapes = int(looks_of(shapes_of(self.crops)).max()) + 1
        return shapes if shapes > 1 else int(self.looks.max()) + 1


def _interludes(looks: Looks) -> NDArray[np.bool_]:
    """Return a mask of pictures that usually interrupt another picture, and several different ones.
    Some games show a title every few seconds in the place of the number."""
    starts = np.flatnonzero(np.diff(looks, prepend=-1))
    runs = looks[starts]
    result = np.zeros(len(looks), np.bool_)
    for look in np.unique(runs).tolist():
        places = np.flatnonzero(runs[1:-1] == look) + 1
        returned = runs[places - 1] == runs[places + 1]
        around = np.unique(runs[places - 1][returned])
        # Two pictures that alternate may be a number that goes up and down.
        if len(around) > 1 and returned.mean() > 0.5:
            result |= looks == look
    return result


def fit_of(digits: NDArray[np.int64], looks: Looks) -> int:
    """Return the bits of evidence that a cell shows a digit, 0 if it does not.

    Each digit must have a look of its own; 0 may have two, because it may be drawn as nothing. For
    one stretch of the play, the cell may show something else."""
    starts = np.flatnonzero(np.diff(digits) | np.diff(looks)) + 1
    runs = np.concatenate([[0], starts])
    values, first = np.unique(digits[runs], return_inverse=True)
    second = np.unique(looks[runs], return_inverse=True)[1]
    if not 2 <= len(values) <= 12:
        return 0
    counts = np.zeros((len(values), int(second.max()) + 1), np.int64)
    np.add.at(counts, (first, second), 1)
    owner = counts.argmax(axis=0)
    owned = np.where(owner == np.arange(len(values))[:, np.newaxis], counts, 0)
    chosen = owned.argmax(axis=1)
    shown = chosen[first] == second
    if values[0] == 0:
        owned[0, chosen[0]] = 0
        shown |= (first == 0) & (second == owned[0].argmax()) & (owned[0].max() > 0)
    shown &= owner[second] == first
    kept = len(np.unique(first[shown]))
    switches = np.count_nonzero(np.diff(shown))
    # A moment may fall into the frames between a number's change and its drawing.
    agreed = shown.mean() >= 0.9 and kept >= 2
    # For the rest of the play, something else may be drawn in the box, such as a title.
    curtain = shown.mean() >= 0.4 and switches <= 2 and kept >= 3
    return kept - 1 + 2 * (int(shown.sum()) - kept) if agreed or curtain else 0


@dataclass(frozen=True, slots=True)
class Span:
    """Rows and columns of pixels, from the first to the one after the last."""

    top: int
    bottom: int
    left: int
    right: int


def snapped(crops: NDArray[np.uint32], box: Span, limits: Span) -> Span:
    """Return the rows and columns of the number in ``box``, within ``limits``.

    Both are parts of ``crops``, which are pixels: (samples, rows, columns). Rows that rest are left
    out, and rows and columns of digits that the box cuts are added. No columns are left out,
    because leading zeros never change."""
    shapes = shapes_of(crops)
    sideways, upwards = shapes & 1, shapes & 2
    # Only differences from the left pixel count here, because a row at rest may be below digits.
    changed = (sideways[1:] ^ sideways[:-1])[:, :, box.left : box.right]
    rows: NDArray[np.bool_] = np.logical_or.reduce(changed, axis=2)
    live = np.flatnonzero(np.count_nonzero(rows[:, box.top : box.bottom], axis=0)) + box.top
    middle = live[len(live) // 3 : len(live) - len(live) // 3]
    core: NDArray[np.bool_] = np.logical_or.reduce(rows[:, middle], axis=1)
    both = (rows & core[:, np.newaxis]).sum(axis=0)
    # The rows of a number change when its middle rows do. A title that comes and goes changes all
    # rows, and columns next to the number, but seldom.
    together = both >= 0.8 * rows.sum(axis=0)
    seldom = both < max(1.0, 0.2 * core.sum())
    moving = np.flatnonzero(~(together & seldom)[box.top : box.bottom]) + box.top
    if not len(moving):
        return box
    belonging = together & ~seldom
    top, bottom = int(moving[0]), int(moving[-1]) + 1
    if top == box.top:
        top = _grown(belonging, top, limits.top)
    if bottom == box.bottom:
        bottom = _grown(belonging, bottom - 1, limits.bottom - 1) + 1
    # The first row is left out, because all of it differs from a label directly above it.
    edges = np.logical_or.reduce(upwards[:, top + 1 : bottom + 1], axis=1)
    drawn: NDArray[np.bool_] = edges.mean(axis=0) >= 0.2
    left = _grown(drawn, box.left, limits.left)
    right = _grown(drawn, box.right - 1, limits.right - 1) + 1
    # Without a gap up to the limit, the end of the digits is unknown, so the box keeps its edge.
    if drawn[left] and left == limits.left:
        left = box.left
    if drawn[right - 1] and right == limits.right:
        right = box.right
    return Span(top, bottom, left, right)


def _grown(belonging: NDArray[np.bool_], edge: int, limit: int) -> int:
    """Return the last line from ``edge`` towards ``limit`` up to which all lines belong."""
    step = 1 if limit > edge else -1
    while edge != limit and belonging[edge] and belonging[edge + step]:
        edge += step
    return edge


@dataclass(frozen=True, slots=True)
class Explanation:
    """A number that explains the box. ``cells`` counts the digits that changed in cells of it."""

    number: Number
    cells: int
    is_code: bool = False  # a byte that stands for one digit, such as a pointer to its picture
    bits: float = 0.0  # the evidence that the number does not fit by chance


def explain(
    play: Play, samples: Samples, numbers: Sequence[ScreenNumber] = ()
) -> list[Explanation]:
    """Return numbers that explain all samples of the box, best first; the box shows ``numbers``."""
    read = [each for number in numbers for each in _explained(play, number)]
    found = read or list(_read(play, samples.drawn))
    found.sort(key=lambda each: _doubt(play, each, samples.rows))
    whole = _explain_whole(play, samples)
    # With few bits, digits that were read may be a coincidence.
    sure = [each for each in found if each.bits >= 4]
    every = [*sure, *whole, *found[len(sure) :]]
    first = {(each.number.place, each.number.type): each for each in reversed(every)}
    return [each for each in every if first[each.number.place, each.number.type] is each]


def _doubt(play: Play, found: Explanation, rows: NDArray[np.intp]) -> tuple[float, ...]:
    """Return a sort key for numbers that were read: by evidence, then by likelihood of the type."""
    place, data_type = found.number.place, found.number.type
    return (
        -found.bits,
        _is_padded(play, place, data_type, rows),
        found.is_code,
        data_type.kind != "d",
        -data_type.width,
        data_type.endian == "<",
    )


def _read(play: Play, samples: Samples) -> Iterator[Explanation]:
    # Few digits fit thousands of fonts, most of which read the same number.
    seen: set[tuple[bytes, int]] = set()
    for grid in likely(grids_of(samples.crops), 24):
        height = samples.crops.shape[1]
        looks = grid.looks(samples.rows, (0, 0, height), 1)
        for _, font in fonts(looks, lambda frames: lowest_digits(play, frames), in_box=True):
            for number in read_screen(looks, font):
                if (reading := (number.values.tobytes(), number.room)) not in seen:
                    seen.add(reading)
                    yield from _explained(play, number)
        for index, key in enumerate(grid.keys):
            if any(key):
                yield from _codes(play, samples.rows, grid.glyphs[index])


def _explained(play: Play, read: ScreenNumber) -> Iterator[Explanation]:
    digits = np.char.zfill(read.values.astype(str), 9)
    table = np.array([list(each) for each in digits.tolist()])
    known = read.values >= 0
    changed = (table[1:] != table[:-1]) & (known[1:] & known[:-1])[:, np.newaxis]
    cells = int(changed.any(axis=0).sum())
    # Each change of a digit is evidence, and each glyph that had to be learned costs some of it.
    bits = 6.0 * float(changed.sum()) - 3.0 * len(np.unique(table[known]))
    for each in solve(play, read):
        if each.mask is None:
            # Games that draw a number usually store its decimal digits, and most games pack them.
            is_shown = (each.scale, each.offset) == (1, 0)
            odd = {"d": 0, "n": 1}.get(each.type.kind, 2) + 2 * (not is_shown)
            yield Explanation(number_at(play, each.place, each.type), cells, bits=bits - odd)


def _codes(play: Play, rows: NDArray[np.intp], looks: Looks) -> Iterator[Explanation]:
    """Yield bytes that stand for one digit, such as pointers to its picture."""
    for place in play.places.tolist():
        raw = play.column(place)[rows].astype(np.int64)
        if bits := fit_of(raw, looks):
            # Pointers to glyphs jump about, so large and odd steps speak against a byte.
            steps = np.abs(np.diff(raw))
            step_bits = np.log2(steps[steps > 0] / np.gcd.reduce(steps)).sum()
            number = number_at(play, place, BYTE)
            yield Explanation(number, 1, is_code=True, bits=bits - 4.0 - 0.15 * step_bits)


def _explain_whole(play: Play, samples: Samples) -> list[Explanation]:
    """Return numbers whose every value has its own look of the box, by color or else by shape."""
    every = [*slow_numbers(play, slow_share=1.0), *words_of(play)]
    moving = [each for each in every if np.ptp(each.values[samples.rows])]
    for looks in (samples.looks, looks_of(shapes_of(samples.crops))):
        fitting = [each for each in moving if _bijective(each.values[samples.rows], looks)]
        if fitting:
            fitting.sort(key=lambda number: _oddness(play, number, samples.rows))
            return [Explanation(number, 0) for number in fitting]
    return []


def _is_padded(play: Play, place: int, data_type: DataType, rows: NDArray[np.intp]) -> bool:
    """Return True if several bytes change, but one alone distinguishes as many samples as all."""
    raw = np.stack([play.column(place + k)[rows] for k in range(data_type.width)])
    counts = [len(np.unique(byte)) for byte in raw]
    return sum(count > 1 for count in counts) > 1 and max(counts) == len(np.unique(raw, axis=1).T)


def _oddness(play: Play, number: Number, rows: NDArray[np.intp]) -> tuple[int, ...]:
    """Return a sort key for numbers that explain the box: usual types, then few changes."""
    width = number.type.width
    padded = _is_padded(play, number.place, number.type, rows)
    # The code of a tile has a digit in its low half, but its high half never changes.
    decimal = number.type.kind in "dn" and len(np.unique(number.values // 10)) > 1
    # The characters 0 to 9 are the bytes 0x30 to 0x39.
    text = number.type.kind == "n" and bool((play.column(number.place)[rows] >> 4 == 3).all())
    wide = number.type.kind == "u" and width > 1
    return wide, padded, not (decimal or text), len(number.rows), -width if decimal else width


def _bijective(values: NDArray[np.int64], looks: Looks) -> bool:
    """Return True if each number has its own look, and each look its own number."""
    _, first = np.unique(looks, return_inverse=True)
    _, second = np.unique(values, return_inverse=True)
    counts = np.zeros((first.max() + 1, second.max() + 1), np.int64)
    np.add.at(counts, (first, second), 1)
    if max(counts.shape) > 2 * min(counts.shape):
        return False
    # Count the samples that agree with the most common partner of each look, and of each number.
    agreed = min(counts.max(axis=axis).sum() for axis in (0, 1))
    # A sample may fall into the frames between a number's change and its drawing.
    return bool(agreed >= 0.95 * len(values))
