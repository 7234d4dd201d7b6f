"""Carries prove the bytes, the order and the base of a number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.numbers import slow_numbers, spans_of, whole_number, words_of
from integrator.domain.suggest.play import Play

FRAMES = 2000
PLACE = 20
STEPS = (10, 25, 10, 50, 10, 100)


def score() -> NDArray[np.int64]:
    gains = np.zeros(FRAMES, np.int64)
    gains[100::40] = np.resize(STEPS, len(gains[100::40]))
    return gains.cumsum()


def play_of(columns: list[NDArray[np.int64]]) -> Play:
    ram = np.zeros((FRAMES, 64), np.uint8)
    for offset, column in enumerate(columns):
        ram[:, PLACE + offset] = column
    changed = np.flatnonzero((ram[1:] != ram[:-1]).any(axis=0))
    still = np.zeros(FRAMES, np.int8)
    shown = np.ascontiguousarray(ram[:, changed])
    return Play(changed, shown, ram[-1], still, still, np.arange(FRAMES) > 0)


def digits(values: NDArray[np.int64], base: int, width: int) -> list[NDArray[np.int64]]:
    return [values // base**place % base for place in range(width)][::-1]


def packed(values: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    return [each // 10 * 16 + each % 10 for each in digits(values, 100, 3)]


CODES = {
    ">n6 as text": [each + 0x30 for each in digits(score(), 10, 6)],
    ">n6": digits(score(), 10, 6),
    "<n6 as text": [each + 0x30 for each in digits(score(), 10, 6)[::-1]],
    ">d3": packed(score()),
    "<d3": packed(score())[::-1],
    ">u2": digits(score(), 256, 2),
    "<u2": digits(score(), 256, 2)[::-1],
}


@pytest.mark.parametrize("code", CODES)
def test_the_best_proven_number_has_the_value_of_every_frame(code: str) -> None:
    play = play_of(CODES[code])
    best = spans_of(play, play.places)[0]
    values = next(
        each.values
        for each in slow_numbers(play)
        if (each.place, each.type) == (best.place, best.type)
    )
    assert (values == score()).all()
    assert str(best.type) == code.split(maxsplit=1)[0]
    assert best.proofs >= 2


def test_digits_of_text_are_not_read_as_packed_ones() -> None:
    found = list(slow_numbers(play_of(CODES[">n6 as text"])))
    assert {str(each.type) for each in found} == {">n6"}


def test_a_number_keeps_to_its_region() -> None:
    """A byte that may be two packed digits begins a region; zeros end the one before."""
    play = play_of([16 * (score() // 70 % 4)])
    kept = replace(play, borders=frozenset((0, PLACE)))
    wide, alone = ({str(each.type) for each in slow_numbers(part)} for part in (play, kept))
    assert wide == {"|u1", "|d1", ">d3"}
    assert alone == {"|u1", "|d1"}
    pair = play_of(CODES["<u2"])
    assert [each.place for each in words_of(pair)] == [PLACE]
    assert not list(words_of(replace(pair, borders=frozenset((0, PLACE + 1)))))


def test_bytes_that_move_apart_are_two_numbers() -> None:
    falls = 200 - np.arange(FRAMES) // 300
    play = play_of([falls, score() % 256])
    assert not [span for span in spans_of(play, play.places) if span.type.form.is_binary]


def test_a_position_that_passes_255_is_two_bytes_wide() -> None:
    x = 200 + np.abs(np.arange(FRAMES) % 400 - 200)
    play = play_of([x // 256, x % 256])
    span = whole_number(play, PLACE + 1)
    assert (span.place, str(span.type)) == (PLACE, ">u2")
    below = play_of([x * 0, x % 200])
    assert str(whole_number(below, PLACE + 1).type) == "|u1"
