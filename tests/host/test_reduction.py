"""Pictures made smaller in C are those of the plain code, byte for byte."""

from __future__ import annotations

import numpy as np
import pytest

from integrator.domain.frames.observation import shrink, to_gray
from libretro_host.reduction import Reduction

PICTURES = np.random.default_rng(2).integers(0, 256, (2, 57, 83, 3), dtype=np.uint8)


@pytest.mark.parametrize("gray", [False, True])
@pytest.mark.parametrize("size", [None, (84, 84), (20, 31), (1, 1), (57, 40), (60, 200)])
@pytest.mark.parametrize("two", [False, True])
def test_gray_size_and_the_brighter_of_two(
    size: tuple[int, int] | None, *, gray: bool, two: bool
) -> None:
    newest, older = PICTURES
    expected = np.maximum(newest, older) if two else newest
    expected = to_gray(expected) if gray else expected
    expected = shrink(expected, size[1], size[0]) if size else expected
    reduction = Reduction((57, 83), size, gray=gray)
    out = np.empty(reduction.shape, np.uint8)
    reduction.reduce(newest, older if two else None, out)
    np.testing.assert_array_equal(out, expected)
