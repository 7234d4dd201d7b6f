"""Suggestions of numbers whose digits lie apart in memory."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.digits import digit_rows
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggest import suggest
from integrator.domain.values.memory import AddressSpace, Region

FRAMES = 1800
SPACE = AddressSpace([Region(0x200, 256)])
GAINS = (1, 1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 3, 1, 2, 1, 1, 1, 1)
"""The steps of a score, at uneven intervals: it grows from 0 to 25."""
LASTING = [50 + 37 * number % 71 for number in range(len(GAINS))]
SCORE: NDArray[np.int64] = np.repeat(np.cumsum((0, *GAINS)), (*LASTING, FRAMES - sum(LASTING)))


def played(ram: NDArray[np.uint8]) -> Play:
    changed = np.flatnonzero((ram[1:] != ram[:-1]).any(axis=0))
    still = np.zeros(FRAMES, np.int8)
    shown = np.ascontiguousarray(ram[:, changed])
    return Play(changed, shown, ram[-1], still, still, np.arange(FRAMES) > 0)


def memory(*places: int, zero: int) -> NDArray[np.uint8]:
    """Memory with the digits of the score at ``places``, the lowest one first."""
    ram = np.zeros((FRAMES, 256), np.uint8)
    ram[:, 250] = np.arange(FRAMES) // 4
    ram[:, 240] = np.arange(FRAMES) // 90 % 7
    for at, place in enumerate(places):
        ram[:, place] = SCORE // 10**at % 10 + zero
    return ram


@pytest.mark.parametrize(
    ("places", "zero"), [((9, 5, 1), 1), ((40, 140), 2), ((20, 21, 22), 0x1B), ((9, 73), 0x30)]
)
def test_a_score_of_digits_apart_is_suggested(places: tuple[int, ...], zero: int) -> None:
    ram = memory(*places, zero=zero)
    best = suggest(SPACE, played(ram), ["score"])[0]
    assert best.pieces is not None
    assert [each - 0x200 for each in best.addresses] == list(places)
    assert (best.numbers(ram[:, [*places]]) == SCORE).all()
    assert f"{len(places)} pieces" in best.reason
    assert not best.is_worth_a_proof


@pytest.mark.parametrize("order", [1, -1], ids=["lowest first", "highest first"])
@pytest.mark.parametrize("places", [(20, 21, 22), (9, 5)])
def test_a_game_may_write_a_digit_a_frame(places: tuple[int, ...], order: int) -> None:
    ram = memory(*places, zero=0x1B)
    for late, place in enumerate(places[::order]):
        ram[late:, place] = ram[: FRAMES - late, place].copy()
    best = suggest(SPACE, played(ram), ["score"])[0]
    assert [each - 0x200 for each in best.addresses] == list(places)
    assert "never falls" in best.reason


def test_a_blank_before_the_first_digit_counts_as_0() -> None:
    ram = memory(9, 5, zero=1)
    ram[SCORE < 10, 5] = 0
    [row] = digit_rows(played(ram))
    assert (row.coding.zero, row.places) == (1, (9, 5))
    assert (row.values(played(ram)) == SCORE).all()


def test_digits_that_a_type_reads_are_left_to_it() -> None:
    assert not list(digit_rows(played(memory(21, 20, zero=0x30))))


def test_a_copy_of_one_digit_is_no_piece_of_a_number_that_a_type_reads() -> None:
    ram = memory(21, 20, zero=0x30)
    ram[:, 90] = ram[:, 20]
    for prize in (200, 700, 1650, 1700):
        ram[prize:, 20] += np.uint8(1)
    assert not list(digit_rows(played(ram)))


def test_digits_that_change_without_a_carry_are_no_number() -> None:
    ram = memory(9, 5, zero=1)
    ram[:, 5] = np.roll(ram[:, 5], 200)
    assert not list(digit_rows(played(ram)))
