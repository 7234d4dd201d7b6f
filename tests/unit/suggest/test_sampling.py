"""The choice of bytes worth a look, where far too many change."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.play import MOST_PLACES, choose_places, own_places
from integrator.domain.values.memory import AddressSpace, Region

FRAMES, BYTES = 1200, 3 * MOST_PLACES
LIVES, SCORE = 8321, 9432
X, Y = range(9800, 9820), range(9900, 9920)


def held(rng: np.random.Generator) -> NDArray[np.int8]:
    return np.repeat(rng.choice([-1, 1], FRAMES // 30), 30).astype(np.int8)


def test_numbers_and_positions_are_chosen_out_of_noise() -> None:
    rng = np.random.default_rng(3)
    across, down = held(rng), held(rng)
    across[FRAMES // 2 :] = down[: FRAMES // 2 + 30] = 0
    x, y = (100 + np.cumsum(way) for way in (across, down))

    def ram_at(frame: int) -> NDArray[np.uint8]:
        ram = rng.integers(0, 256, BYTES).astype(np.uint8)
        ram[SCORE], ram[LIVES] = frame // 40, 3 - frame // 350
        ram[X], ram[Y] = x[frame] & 255, -2 * y[frame] & 255
        return ram

    places = choose_places(ram_at, np.arange(BYTES), 0, (across, down))
    assert len(places) <= MOST_PLACES
    assert {LIVES, SCORE, *X, *Y} <= set(places.tolist())
    assert (np.diff(places) > 0).all()


def crowd(frame: int, kind: str) -> NDArray[np.uint8]:
    """RAM full of bytes of one kind, with a score and lives among them."""
    numbers = {
        "slow": frame // 75,
        "even": frame // 45,
        "far": frame // 75 * 99,
        "fast": frame // 2,
    }
    ram = np.full(BYTES, numbers[kind] & 255, np.uint8)
    ram[SCORE], ram[LIVES] = frame // 40, 3 - frame // 350
    return ram


@pytest.mark.parametrize("kind", ["slow", "far", "even"])
def test_numbers_of_one_pace_crowd_out_no_others(kind: str) -> None:
    still = np.zeros(FRAMES, np.int8)
    places = choose_places(lambda frame: crowd(frame, kind), np.arange(BYTES), 0, (still, still))
    assert {LIVES, SCORE} <= set(places.tolist())


@pytest.mark.parametrize("kind", ["fast", "far"])
def test_small_steps_now_and_then_come_before_far_and_fast_ones(kind: str) -> None:
    still, slow = np.zeros(FRAMES, np.int8), np.arange(BYTES - 2000, BYTES)

    def ram_at(frame: int) -> NDArray[np.uint8]:
        ram = crowd(frame, kind)
        ram[slow] = frame // 75
        return ram

    places = choose_places(ram_at, np.arange(BYTES), 0, (still, still))
    assert set(slow.tolist()) <= set(places.tolist())


def test_the_low_byte_of_a_number_with_large_steps_comes_with_its_high_byte() -> None:
    still = np.zeros(FRAMES, np.int8)

    def ram_at(frame: int) -> NDArray[np.uint8]:
        ram, score = crowd(frame, "far"), 150 * (frame // 300)
        ram[SCORE : SCORE + 2] = score & 255, score >> 8
        return ram

    places = choose_places(ram_at, np.arange(BYTES), 0, (still, still))
    assert {SCORE, SCORE + 1} <= set(places.tolist())


def test_few_bytes_are_all_chosen() -> None:
    few, still = np.arange(10), np.zeros(FRAMES, np.int8)
    assert choose_places(lambda _: np.zeros(BYTES, np.uint8), few, 0, (still, still)) is few


def test_a_region_that_shows_a_larger_one_again_is_left_out() -> None:
    space = AddressSpace([Region(0, 4), Region(0x7E0000, 8), Region(0x900000, 4)])
    looks = [np.array([k, 2, 3, 4, k, 2, 3, 4, 5, 6, k, 8, 9, 9, k, 9]) for k in (1, 7)]
    places = own_places(space, np.array([0, 4, 10, 14]), looks)
    assert [hex(space.address_of(place)) for place in places] == [
        "0x7e0000",
        "0x7e0006",
        "0x900002",
    ]


def test_memory_of_pictures_keeps_no_numbers() -> None:
    starts = (0x8000, 0xC000, 0xFE00, 0xFF80)
    space = AddressSpace([Region(start, 4) for start in starts])
    looks = [np.arange(16, dtype=np.uint8) + k for k in (1, 7)]
    assert own_places(space, np.arange(16), looks).tolist() == [4, 5, 6, 7, 12, 13, 14, 15]


def test_work_ram_where_another_console_has_pictures_keeps_numbers() -> None:
    virtual_boy = AddressSpace([Region(0x5000000, 4), Region(0x6000000, 2)])
    looks = [np.arange(6, dtype=np.uint8) + k for k in (1, 7)]
    assert own_places(virtual_boy, np.arange(6), looks).tolist() == [*range(6)]
