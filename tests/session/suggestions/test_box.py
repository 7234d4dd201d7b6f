"""Boxes on the screen, at the edges of the picture."""

from __future__ import annotations

import numpy as np
import pytest

from integrator.domain.suggest.pointing import Span
from integrator.session.suggestions.recorded_play import Box
from libretro_host.host import Frame, PixelFormat

HEIGHT, WIDTH = 6, 8
SHOWN = np.arange(HEIGHT * WIDTH, dtype=np.uint32).reshape(HEIGHT, WIDTH)


def frame(rotation: int = 0) -> Frame:
    drawn = np.ascontiguousarray(np.rot90(SHOWN, -rotation))
    pixels = drawn.view(np.uint8).reshape(len(drawn), -1)
    return Frame(pixels, drawn.shape[1], len(drawn), PixelFormat.XRGB8888, rotation)


@pytest.mark.parametrize("rotation", [0, 1, 2])
@pytest.mark.parametrize("box", [Box(2, 2, 3, 2), Box(0, 0, 3, 2), Box(5, 4, 3, 2)])
def test_pixels_around_a_box_repeat_the_edge_of_the_picture(box: Box, rotation: int) -> None:
    padded = np.pad(SHOWN, 3, mode="edge")
    expected = padded[box.y : box.y + 2 + 6, box.x : box.x + 3 + 6]
    np.testing.assert_array_equal(box.cut_around(frame(rotation), 3), expected)
    np.testing.assert_array_equal(box.cut_around(frame(rotation), 1), expected[2:6, 2:7])


def test_nothing_is_cut_of_a_box_that_leaves_the_picture() -> None:
    for box in (Box(-1, 0, 3, 2), Box(6, 0, 3, 2), Box(0, 5, 3, 2)):
        assert box.cut_around(frame(), 3) is None
        assert box.cut_around(frame(), 1) is None


@pytest.mark.parametrize("rotation", [0, 1])
def test_limits_are_those_of_the_picture(rotation: int) -> None:
    shown = frame(rotation)
    # Two pixels around a box of 3 x 2 are 7 x 6; the outermost columns are kept back.
    assert Box(3, 2, 3, 2).limits_around(shown, 2) == Span(0, 6, 1, 6)
    assert Box(0, 0, 3, 2).limits_around(shown, 2) == Span(2, 6, 2, 6)
    assert Box(5, 4, 3, 2).limits_around(shown, 2) == Span(0, 4, 1, 5)
