"""Bytes that place the player on the screen, found in made-up pictures of two runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from planted_play import CLOCK, SPACE, planted

from integrator.domain.suggest.play import Apart, PicturePairs, placed, with_placed
from integrator.domain.suggest.suggest import suggest

PAIRS, HEIGHT, WIDTH = 48, 200, 160
Y, FALLING, STILL, RANDOM, ROOM = range(5)


def pairs(*, late: int = 0, height: int = 8, slope: int = -2) -> PicturePairs:
    """A player of some rows whose height a byte tells, and which RIGHT and LEFT move apart."""
    rng = np.random.default_rng(5)
    now = rng.integers(10, 80, PAIRS)
    ram = rng.integers(0, 256, (PAIRS, 2, 5)).astype(np.uint8)
    ram[:, late, Y] = now
    ram[:, 1 - late, Y] = now + rng.integers(20, 60, PAIRS)
    ram[:, :, FALLING] = 3 * np.arange(PAIRS)[:, np.newaxis]
    ram[:, :, STILL], ram[:, :, ROOM] = 50, (now > 40)[:, np.newaxis]
    rows = np.zeros((PAIRS, HEIGHT), np.bool_)
    for pair, y in enumerate(now.tolist()):
        first = (180 if slope < 0 else 10) + slope * y
        rows[pair, first : first + height] = True
    return PicturePairs(rows, np.zeros((PAIRS, WIDTH), np.bool_), ram, ram.copy())


@pytest.mark.parametrize(("late", "slope"), [(0, -2), (1, -2), (0, 1), (1, 2)])
def test_the_byte_that_tells_the_rows_is_found(late: int, slope: int) -> None:
    played = pairs(late=late, slope=slope)
    shares = placed(played.rows, played.one, played.other)
    assert shares[Y] > 0.6
    assert shares[[FALLING, STILL, RANDOM, ROOM]].max() < 0.3
    assert not placed(played.columns, played.one, played.other).any()


def test_a_player_that_moved_is_drawn_at_its_place_in_either_run() -> None:
    played = pairs()
    played.other[:, :, Y] += 30
    once = placed(played.rows, played.one, played.other)[Y]
    rows = played.rows | np.roll(played.rows, -60, axis=1)
    assert placed(rows, played.one, played.other)[Y] > once + 0.2


def test_a_picture_that_scrolls_tells_nothing() -> None:
    played = pairs(height=100)
    assert not placed(played.rows, played.one, played.other).any()


def test_rows_in_which_pictures_always_differ_explain_themselves() -> None:
    played = pairs()
    played.rows[:, 20:24] = True
    assert placed(played.rows, played.one, played.other).max() < 0.1


def test_a_byte_with_two_numbers_proves_little() -> None:
    played = pairs()
    for pair, number in enumerate(played.one[:, 0, ROOM].tolist()):
        played.rows[pair] = np.arange(HEIGHT) == 40 + 2 * number
    shares = placed(played.rows, played.one[:, :, [ROOM]], played.other[:, :, [ROOM]])
    assert 0 < shares[0] < 0.4


def test_few_pairs_tell_nothing() -> None:
    played = pairs()
    assert not placed(played.rows[:7], played.one[:7], played.other[:7]).any()


def test_a_true_place_is_found_among_very_many_bytes() -> None:
    played = pairs()
    more = np.random.default_rng(2).integers(0, 256, (PAIRS, 2, 900)).astype(np.uint8)
    one = np.concatenate([more, played.one], axis=2)
    assert placed(played.rows, one, one).argmax() == 900 + Y


def test_no_byte_loses_by_the_pictures() -> None:
    weights, shares = (np.array(each, np.float32) for each in ([0.9, 0.1, 0.1], [0, 0, 0.8]))
    found = with_placed(weights, shares)
    assert found[:2].tolist() == pytest.approx([0.9, 0.1])
    assert found[2] > 0.5


def test_a_height_that_follows_no_button_is_suggested() -> None:
    play = planted()
    still = np.zeros((6, 16, len(play.places)), np.int8)
    clock = int(np.searchsorted(play.places, CLOCK))
    made = pairs()
    one = np.full((PAIRS, 2, len(play.places)), 7, np.uint8)
    one[:, :, clock] = made.one[:, :, Y]
    shown = replace(made, one=one, other=one)
    tried = replace(play, apart=Apart(still, still, shown))
    without, found = (suggest(SPACE, each, ["player-y"]) for each in (play, tried))
    assert 0x80 + CLOCK not in [each.address for each in without]
    height = next(each for each in found if each.address == 0x80 + CLOCK)
    assert height.confidence > 0.4
    assert height.reason == "is the row of the screen in which the player is drawn"
