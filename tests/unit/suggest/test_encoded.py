"""Suggestions of lives that share their byte, and of scores by their steps."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.counters import Side
from integrator.domain.suggest.numbers import lit_bits
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggest import suggest
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import AddressSpace, Region

FRAMES = 1800
SPACE = AddressSpace([Region(0x80, 32)])
PLACE = 9
DEATHS = (500, 950, 1500)
GAINS = (100, 260, 400, 620, 800, 1000, 1200, 1710)
DRAWN = 5


def play_of(ram: NDArray[np.uint8], *drawn: int) -> Play:
    """Play in which a part of the picture changes a frame after each frame of ``drawn``."""
    cells = np.zeros((FRAMES, 20, 20), np.bool_)
    cells[[frame + 1 for frame in drawn], 0, DRAWN] = True
    changed = np.flatnonzero((ram[1:] != ram[:-1]).any(axis=0))
    still = np.zeros(FRAMES, np.int8)
    shown = np.ascontiguousarray(ram[:, changed])
    return Play(changed, shown, ram[-1], still, still, np.arange(FRAMES) > 0, cells)


def memory() -> NDArray[np.uint8]:
    """Memory in which a byte counts frames and others are random."""
    ram = np.zeros((FRAMES, 32), np.uint8)
    ram[:, 30] = np.arange(FRAMES) & 255
    ram[:, 24:30] = np.random.default_rng(3).integers(0, 256, (FRAMES, 6))
    return ram


def stepped(start: int, by: int, frames: tuple[int, ...]) -> NDArray[np.int64]:
    """A number that moves by ``by`` at each of the frames."""
    passed: NDArray[np.int64] = (np.arange(FRAMES)[:, None] >= np.array(frames)).sum(axis=1)
    return start + by * passed


def first(play: Play, kind: str) -> Suggestion:
    return next(each for each in suggest(SPACE, play, [kind]) if each.kind == kind)


@pytest.mark.parametrize(("mask", "shift"), [(0xF0, 4), (0x03, 0), (0xC0, 6)])
def test_lives_are_found_in_bits_beside_others(mask: int, shift: int) -> None:
    ram = memory()
    others = np.arange(FRAMES) // 7 % 256 & ~mask
    ram[:, PLACE] = others | stepped(3, -1, DEATHS) << shift
    best = first(play_of(ram, *DEATHS), "lives")
    assert (best.address, str(best.type), best.mask) == (0x80 + PLACE, "|u1", mask)
    assert f"in the bits 0x{mask:02X} of its byte" in best.reason


def test_bits_that_rise_now_and_then_are_no_lives() -> None:
    ram = memory()
    risen = stepped(2, -1, DEATHS[:2]) + (np.arange(FRAMES) >= 1200)
    ram[:, PLACE] = np.arange(FRAMES) // 7 % 16 | risen << 4
    found = suggest(SPACE, play_of(ram, *DEATHS), ["lives"])
    assert all(each.mask is None for each in found)


ICONS = (0xA8, 0xA0, 0x80, 0x00)


def test_bits_that_go_out_one_by_one_are_lives() -> None:
    ram = memory()
    ram[:, PLACE] = np.array(ICONS)[3 - stepped(3, -1, DEATHS)]
    best = first(play_of(ram, *DEATHS), "lives")
    assert (best.address, str(best.type), best.mask) == (0x80 + PLACE, "|u1", None)
    assert best.reason.startswith("its bits go out one by one, 3 times")


@pytest.mark.parametrize(
    "icons",
    [(0xA8, 0xA1, 0x80, 0x00), (0xA8, 0x80, 0x00, 0x00), (7, 6, 5, 4), (0xA8, 0x88, 0x80, 0x00)],
)
def test_bits_that_come_or_go_otherwise_are_no_row_of_icons(icons: tuple[int, ...]) -> None:
    ram = memory()
    ram[:, PLACE] = np.array(icons)[3 - stepped(3, -1, DEATHS)]
    assert not any(each.place == PLACE for each in lit_bits(play_of(ram, *DEATHS)))


def test_a_new_game_lights_all_bits_again() -> None:
    ram = memory()
    ram[:, PLACE] = np.array([*ICONS[:3], *ICONS])[stepped(0, 1, (*DEATHS, 1600, 1700, 1750))]
    number = next(each for each in lit_bits(play_of(ram, *DEATHS)) if each.place == PLACE)
    assert number.values[[0, 600, 1000, 1550, 1650, 1720, 1799]].tolist() == [3, 2, 1, 3, 2, 1, 0]


def test_a_score_may_start_again_after_its_first_points() -> None:
    ram = memory()
    ram[260:1000, PLACE] = 0x10
    ram[1000:, 12:20] = np.arange(8)
    best = first(play_of(ram, 260, 1000), "score")
    assert (best.address, str(best.type)) == (0x80 + PLACE - 2, ">d3")
    assert best.reason.startswith("+10, never falls")


@pytest.mark.parametrize("late", [0, 2])
def test_a_high_score_is_not_taken_for_the_score(late: int) -> None:
    """It starts higher, and becomes the score soon after that is higher still."""
    ram = memory()
    score = stepped(0, 10, GAINS)
    for again in (300, 450):
        score[again:] -= score[again]
    high = np.maximum.accumulate(np.maximum(score, 10))
    high[late:] = high[: len(high) - late].copy()
    for place, number in ((PLACE, score), (PLACE + 6, high)):
        ram[:, place] = number // 10 * 16
    rises = np.flatnonzero(np.diff(high)) + 1
    best = first(play_of(ram, *rises.tolist()), "score")
    assert (best.address, str(best.type)) == (0x80 + PLACE - 2, ">d3")


def test_steps_of_points_are_told_from_noise() -> None:
    assert Side.of(np.array([100, 250, 100])).step_bits < 2
    assert Side.of(np.array([670, 1450, 2550])).step_bits > 7
    assert Side.of(np.array([7])).step_bits == 0


def test_a_number_with_wild_steps_is_hardly_a_score() -> None:
    ram = memory()
    odds = []
    for step in (10, 1):
        wild = np.arange(len(GAINS)) % 5 * 12 * (step == 1) + step
        number = np.repeat([0, *wild.cumsum()], np.diff([0, *GAINS, FRAMES]))
        ram[:, PLACE] = number
        sure = first(play_of(ram, *GAINS), "score").confidence
        odds.append(sure / (1 - sure))
    assert odds[1] < 0.7 * odds[0]


def test_a_copy_does_not_hide_another_number() -> None:
    ram, later = memory(), tuple(gain + 40 for gain in GAINS)
    for place in (PLACE, PLACE + 2, PLACE + 4):
        ram[:, place] = stepped(0, 10, GAINS)
    ram[:, PLACE + 6] = stepped(0, 10, later)
    # Flags that change with it make the other number less likely.
    ram[:, PLACE + 8 : PLACE + 11] = stepped(0, 1, later)[:, np.newaxis] & 1
    play = play_of(ram, *GAINS)
    assert play.cells is not None
    play.cells[[gain + 1 for gain in later], 0, DRAWN + 6] = True
    found = suggest(SPACE, play, ["score"])
    assert [each.address - 0x80 for each in found[:2]] == [PLACE, PLACE + 6]
    # Of different numbers, at most one is the score.
    assert found[0].confidence + found[1].confidence <= 1
