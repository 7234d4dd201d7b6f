"""Boxes that are a few pixels off, snapped to digits that anybody can read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.pointing import Span, snapped

GLYPHS = np.random.default_rng(5).integers(0, 2, (10, 7, 7)).astype(np.uint32)
AROUND, HEIGHT, DIGITS = 6, 7, 4
WIDTH = 8 * DIGITS
WHOLE = Span(AROUND, AROUND + HEIGHT, AROUND, AROUND + WIDTH - 1)
"""The rows of the digits, and their columns but for the gap behind the last."""
EVERYTHING = Span(0, HEIGHT + 2 * AROUND, 1, WIDTH + 2 * AROUND - 1)
NUMBERS = np.cumsum(np.random.default_rng(7).integers(1, 60, 30))


def crops(beside: Callable[[int, NDArray[np.uint32]], None] | None = None) -> NDArray[np.uint32]:
    """Samples of a number that grows; ``beside`` draws more into the picture of each."""
    pictures = np.zeros((len(NUMBERS), HEIGHT + 2 * AROUND, WIDTH + 2 * AROUND), np.uint32)
    for sample, number in enumerate(NUMBERS.tolist()):
        for place, digit in enumerate(f"{number:0{DIGITS}d}"):
            left = AROUND + 8 * place
            pictures[sample, AROUND : AROUND + HEIGHT, left : left + 7] = GLYPHS[int(digit)]
        if beside is not None:
            beside(sample, pictures[sample])
    return pictures


def label(_: int, picture: NDArray[np.uint32]) -> None:
    picture[:AROUND] = np.random.default_rng(9).integers(0, 2, picture[:AROUND].shape)


def rows(span: Span) -> tuple[int, int]:
    return span.top, span.bottom


@pytest.mark.parametrize("by", [0, 1, 2, 3])
def test_rows_of_a_label_are_left_out(by: int) -> None:
    box = replace(WHOLE, top=WHOLE.top - by)
    assert rows(snapped(crops(label), box, EVERYTHING)) == rows(WHOLE)


def test_a_label_that_a_title_replaces_twice_is_left_out() -> None:
    def with_title(sample: int, picture: NDArray[np.uint32]) -> None:
        label(sample, picture)
        if sample in (10, 11):
            picture[:] = np.random.default_rng(11).integers(0, 2, picture.shape)

    box = replace(WHOLE, top=WHOLE.top - 3)
    assert rows(snapped(crops(with_title), box, EVERYTHING)) == rows(WHOLE)


@pytest.mark.parametrize(
    "box",
    [
        pytest.param(replace(WHOLE, top=WHOLE.top + 3), id="the top"),
        pytest.param(replace(WHOLE, bottom=WHOLE.bottom - 3), id="the bottom"),
        pytest.param(replace(WHOLE, right=WHOLE.right - 3), id="the last digit"),
        pytest.param(Span(WHOLE.top + 2, WHOLE.bottom - 2, AROUND, WHOLE.right - 2), id="all"),
    ],
)
def test_cut_digits_are_made_whole(box: Span) -> None:
    assert snapped(crops(label), box, EVERYTHING) == WHOLE


def test_a_box_grows_no_further_than_the_picture() -> None:
    box = Span(WHOLE.top + 3, WHOLE.bottom, AROUND, WHOLE.right - 3)
    limits = replace(EVERYTHING, top=WHOLE.top + 1)
    assert snapped(crops(), box, limits) == replace(WHOLE, top=WHOLE.top + 1)


def test_digits_beside_the_box_are_not_taken_in() -> None:
    box = replace(WHOLE, right=AROUND + 16)
    assert snapped(crops(), box, EVERYTHING) == box


def test_digits_that_touch_others_are_left_as_they_are() -> None:
    def line(_: int, picture: NDArray[np.uint32]) -> None:
        picture[AROUND + 3] = 1

    box = replace(WHOLE, left=AROUND + 3, right=WHOLE.right - 3)
    assert snapped(crops(line), box, EVERYTHING) == box


def test_a_number_below_moves_by_itself() -> None:
    pictures = np.repeat(crops(), 2, axis=0)
    for sample, picture in enumerate(pictures):
        below = GLYPHS[(sample + 1) // 2 % 10]
        picture[AROUND + HEIGHT :, AROUND : AROUND + 7] = below[:AROUND]
    assert rows(snapped(pictures, WHOLE, EVERYTHING)) == rows(WHOLE)


def test_rows_of_a_bar_that_rises_stay() -> None:
    pictures = np.zeros((8, 20, 20), np.uint32)
    for sample in range(8):
        pictures[sample, 14 - sample : 15, 8:12] = 1
    box = Span(7, 15, 6, 14)
    assert rows(snapped(pictures, box, Span(0, 20, 1, 19))) == (7, 14)


def test_a_box_in_which_nothing_changes_stays_as_it_is() -> None:
    still = np.repeat(crops(label)[:1], 5, axis=0)
    assert snapped(still, WHOLE, EVERYTHING) == WHOLE
    # Other colors alone are no other shapes.
    tinted = still + np.arange(5, dtype=np.uint32)[:, np.newaxis, np.newaxis] * 16
    assert snapped(tinted, WHOLE, EVERYTHING) == WHOLE
