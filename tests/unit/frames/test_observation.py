"""The rule of observations: size, colors, crop and turn; then stacked."""

from __future__ import annotations

import numpy as np
import pytest

from integrator.domain.frames.observation import ObservationRule, stack
from integrator.domain.scenario.tree import Crop

RGB565 = (5, 6, 5)
WIDE = np.random.default_rng(1).integers(0, 256, (242, 512, 3), dtype=np.uint8)


def test_a_wide_picture_is_cut_to_its_left_half_before_it_is_cropped() -> None:
    rule = ObservationRule(256, 242, Crop(200, 10, 100, 30))
    seen = rule.observe(WIDE, (8, 8, 8))
    assert seen.shape == (30, 56, 3)
    assert np.array_equal(seen, WIDE[10:40, 200:256])


def test_short_channels_lose_their_low_bits() -> None:
    seen = ObservationRule(512, 242).observe(WIDE, RGB565)
    assert np.array_equal(seen, WIDE & np.array([0xF8, 0xFC, 0xF8], np.uint8))
    assert np.array_equal(ObservationRule(512, 242).observe(WIDE, (8, 8, 8)), WIDE)


def test_a_small_picture_has_black_right_and_below() -> None:
    small = np.maximum(WIDE[:100, :160], 1)
    seen = ObservationRule(200, 120).observe(small, (8, 8, 8))
    assert seen.shape == (120, 200, 3)
    assert np.array_equal(seen[:100, :160], small)
    assert not seen[100:].any()
    assert not seen[:, 160:].any()
    assert ObservationRule(200, 120, Crop(170, 0, 9, 9)).observe(small, RGB565).shape == (9, 9, 3)


def test_a_crop_is_cut_before_the_picture_is_turned() -> None:
    rule = ObservationRule(512, 242, Crop(2, 5, 4, 3))
    seen = rule.observe(WIDE, (8, 8, 8), quarter_turns=1)
    assert np.array_equal(seen, np.rot90(WIDE[5:8, 2:6]))


@pytest.mark.parametrize("turns", range(4))
def test_a_box_in_the_turned_picture_is_the_crop_that_shows_it(turns: int) -> None:
    whole = ObservationRule(512, 242)
    box = (20, 30, 50, 7)
    wanted = whole.observe(WIDE, RGB565, turns)[30:37, 20:70]
    rule = ObservationRule(512, 242, Crop(*whole.crop_of(box, 512, 242, turns)))
    assert np.array_equal(rule.observe(WIDE, RGB565, turns), wanted)


@pytest.mark.parametrize("turns", range(4))
def test_the_place_of_an_observation_in_a_larger_turned_picture(turns: int) -> None:
    rule = ObservationRule(256, 200, Crop(200, 30, 100, 7))
    left, top, width, height = rule.place_in(512, 242, turns)
    turned = np.rot90(WIDE, turns)
    assert np.array_equal(
        turned[top : top + height, left : left + width], rule.observe(WIDE, (8, 8, 8), turns)
    )
    crop = Crop(*rule.crop_of((left, top, width, height), 512, 242, turns))
    assert crop == Crop(200, 30, 56, 7)


def test_a_crop_outside_of_the_picture_leaves_nothing() -> None:
    assert ObservationRule(256, 242, Crop(300, 0, 9, 9)).observe(WIDE, RGB565).size == 0


@pytest.mark.parametrize(
    ("drawn", "words"),
    [((256, 242), ""), ((512, 242), "upper left 256 x 242"), ((256, 224), "old memory")],
)
def test_a_difference_of_sizes_is_told(drawn: tuple[int, int], words: str) -> None:
    told = ObservationRule(256, 242).lost(*drawn)
    assert bool(told) == bool(words)
    assert words in told


def test_a_stack_begins_with_its_first_picture() -> None:
    pictures = [np.full((1, 1), n, np.uint8) for n in range(6)]
    assert [p.item() for p in stack(pictures, 4)] == [2, 3, 4, 5]
    assert [p.item() for p in stack(pictures[:2], 4)] == [0, 0, 0, 1]
