"""Numbers whose digits are read in the cells of the screen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.shown import Looks, NumberReader, learned, looks_of_cells

FRAMES = 1200
GLYPH = 100
"""The look of the digit 0 on the made-up screen."""


def points() -> NDArray[np.int64]:
    return np.arange(FRAMES) // 20 * 35


def screen(values: NDArray[np.int64], late: int = 2) -> Looks:
    """Five digits at row 1, columns 4 to 8, and a zero that no memory keeps behind them."""
    ids = np.zeros((FRAMES, 3, 12), np.int32)
    drawn = np.concatenate([np.zeros(late, np.int64), values[:-late]])
    for place in range(5):
        ids[:, 1, 8 - place] = GLYPH + drawn // 10**place % 10
    ids[:, 1, 9] = GLYPH
    return Looks(np.arange(0, FRAMES, 2), ids[::2])


def changed(values: NDArray[np.int64]) -> NDArray[np.intp]:
    return np.flatnonzero(np.diff(values)) + 1


def test_a_number_is_found_where_its_digits_are_drawn() -> None:
    values = points()
    shown = NumberReader(screen(values)).find(values, changed(values))
    assert shown is not None
    assert (shown.row, shown.column, shown.digits, shown.zeros) == (1, 8, 4, 1)
    assert shown.seen == 10
    assert shown.proof > 0.9


def test_another_reading_of_the_same_bytes_is_not_on_the_screen() -> None:
    values = points()
    reader = NumberReader(screen(values))
    assert reader.find(values % 256, changed(values)) is None
    assert reader.find(values + 7, changed(values)) is None


def test_a_digit_that_rests_has_to_be_drawn_as_well() -> None:
    values = points()
    lives = 3 - np.arange(FRAMES) // 500
    looks = screen(values)
    looks.ids[:, 0, 1], looks.ids[:, 0, 2] = GLYPH, GLYPH + lives[::2]
    reader = NumberReader(looks)
    score = reader.find(values, changed(values))
    small = reader.find(lives, changed(lives))
    assert small is not None
    font = learned([score, small])
    assert reader.is_read(lives, small, font)
    # The byte 0x33 shows a 3 as text; as a number it would show 51.
    assert not reader.is_read(lives + 50, small, font)


def test_cells_that_look_the_same_have_the_same_look() -> None:
    rng = np.random.default_rng(3)
    glyphs = rng.integers(0, 1 << 24, (40, 8, 8)).astype(np.uint32)
    pixels = np.concatenate([*glyphs[:20], *glyphs[:20]], axis=1)
    looks = looks_of_cells(pixels)
    assert (looks[0, :20] == looks[0, 20:]).all()
    assert len(np.unique(looks)) == 20


def test_digits_beyond_the_edge_of_the_screen_are_not_drawn() -> None:
    values = points()
    ids = np.zeros((FRAMES, 3, 9), np.int32)
    for place in range(5):
        ids[:, 2, 8 - place] = GLYPH + values // 10**place % 10
    looks = Looks(np.arange(0, FRAMES, 2), ids[::2])
    reader = NumberReader(looks)
    assert reader.find(values, changed(values)) is not None
    assert reader.find(values * 10, changed(values)) is None
