"""Pictures of two runs: the rows and columns that differ, and the bytes that go with them."""

from __future__ import annotations

import numpy as np

from integrator.session.suggestions.suggesting import PAIR_EVERY, PairsOfRuns
from libretro_host.host import Frame, PixelFormat

HEIGHT, WIDTH, FRAMES = 6, 10, 2 * PAIR_EVERY


def picture(*lit: tuple[int, int], rotation: int = 0, height: int = HEIGHT) -> Frame:
    """A dark picture with some lit (row, column) pixels, and more in memory than is shown."""
    pixels = np.zeros((height, WIDTH + 6), np.uint16)
    for row, column in lit:
        pixels[row, column] = 0xFFFF
    pixels[:, WIDTH:] = len(lit)
    return Frame(pixels.view(np.uint8), WIDTH, height, PixelFormat.RGB565, rotation)


def ram(first: int) -> np.ndarray:
    return np.arange(first, first + FRAMES, dtype=np.uint8)[:, np.newaxis]


def test_each_pair_has_the_bytes_of_its_frame_and_of_the_one_before() -> None:
    pairs = PairsOfRuns()
    assert pairs.pairs() is None
    dark = picture()
    pairs.add((ram(0), ram(100)), ((dark, dark), (picture((2, 3), (4, 3)), dark)))
    found = pairs.pairs()
    assert found is not None
    assert np.flatnonzero(found.rows[0]).tolist() == [2, 4]
    assert np.flatnonzero(found.columns[0]).tolist() == [3]
    assert not found.rows[1].any()
    last = PAIR_EVERY - 1
    assert found.one[:, :, 0].tolist() == [[last, last - 1], [FRAMES - 1, FRAMES - 2]]
    assert found.other[0, :, 0].tolist() == [100 + last, 100 + last - 1]


def test_a_turned_picture_is_told_as_it_is_shown() -> None:
    pairs = PairsOfRuns()
    pairs.add((ram(0), ram(0)), ((picture(rotation=1),), (picture((1, 2), rotation=1),)))
    found = pairs.pairs()
    assert found is not None
    assert np.flatnonzero(found.rows[0]).tolist() == [WIDTH - 1 - 2]
    assert np.flatnonzero(found.columns[0]).tolist() == [1]


def test_pictures_of_other_sizes_are_left_out_or_filled_up() -> None:
    pairs = PairsOfRuns()
    pairs.add((ram(0), ram(0)), ((picture(height=4),), (picture(),)))
    assert pairs.pairs() is None
    for height in (4, HEIGHT):
        pairs.add((ram(0), ram(0)), ((picture(height=height),), (picture((3, 1), height=height),)))
    found = pairs.pairs()
    assert found is not None
    assert found.rows.shape == (2, HEIGHT)
    assert np.flatnonzero(found.rows[0]).tolist() == [3]
