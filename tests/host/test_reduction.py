"""Pictures made smaller in C are those of the plain code, byte for byte."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from libretro_host.stepper import Reduction

Picture = NDArray[np.uint8]
PICTURES = np.random.default_rng(2).integers(0, 256, (2, 57, 83, 3), dtype=np.uint8)


def plain_gray(picture: Picture) -> Picture:
    """ITU-R BT.601 in thousandths, as OpenCV's conversion to gray has it."""
    gray: Picture = ((picture @ np.array([299, 587, 114]) + 500) // 1000).astype(np.uint8)
    return gray


def plain_resize(picture: Picture, height: int, width: int) -> Picture:
    """Means of areas, rounded to the nearest; their sums are whole numbers."""
    rows, columns = shares(picture.shape[0], height), shares(picture.shape[1], width)
    sums = np.einsum("ij,jk...,lk->il...", rows, picture, columns, optimize=True)
    parts = picture.shape[0] * picture.shape[1]
    resized: Picture = ((2 * sums + parts) // (2 * parts)).astype(np.uint8)
    return resized


def shares(old: int, new: int) -> NDArray[np.int64]:
    """Parts that each of ``new`` pixels of a line has of each of ``old``: shape (new, old)."""
    edges, pixels = np.arange(new + 1) * old, np.arange(old + 1) * new
    covered = np.minimum(edges[1:, None], pixels[1:]) - np.maximum(edges[:-1, None], pixels[:-1])
    parts: NDArray[np.int64] = np.clip(covered, 0, None)
    return parts


def test_gray_is_the_brightness() -> None:
    picture = np.array([[[255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255]]], np.uint8)
    assert Reduction((1, 4), gray=True).reduce(picture).tolist() == [[255, 76, 150, 29]]


@pytest.mark.parametrize(
    ("size", "means"), [((2, 2), [[10, 30], [50, 70]]), ((1, 1), [[40]]), ((1, 2), [[30, 50]])]
)
def test_a_smaller_picture_has_the_means_of_areas(
    size: tuple[int, int], means: list[list[int]]
) -> None:
    halves = np.array([[10, 30], [50, 70]], np.uint8).repeat(3, axis=0).repeat(3, axis=1)
    picture = halves[:, :, None].repeat(3, axis=2)
    assert Reduction((6, 6), size).reduce(picture)[:, :, 1].tolist() == means


@pytest.mark.parametrize("gray", [False, True])
@pytest.mark.parametrize("size", [None, (84, 84), (20, 31), (1, 1), (57, 40), (60, 200)])
@pytest.mark.parametrize("two", [False, True])
def test_gray_size_and_the_brighter_of_two(
    size: tuple[int, int] | None, *, gray: bool, two: bool
) -> None:
    newest, older = PICTURES
    expected = np.maximum(newest, older) if two else newest
    expected = plain_gray(expected) if gray else expected
    expected = plain_resize(expected, *size) if size else expected
    reduction = Reduction((57, 83), size, gray=gray)
    out = np.empty(reduction.shape, np.uint8)
    assert reduction.reduce(newest, older if two else None, out) is out
    np.testing.assert_array_equal(out, expected)
