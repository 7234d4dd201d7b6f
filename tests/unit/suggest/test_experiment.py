"""Experiments, judged on made-up outcomes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from planted_play import CLOCK, SPACE, X, planted

from integrator.domain.suggest.play import (
    Apart,
    Poke,
    are_shown,
    trust,
    walks,
    with_apart,
)
from integrator.domain.suggest.suggest import suggest
from integrator.domain.suggest.suggestion import Guess
from integrator.domain.values.memory import BYTE

MOMENTS, FRAMES = 6, 16
WALKS, BACKWARDS, FACES, SPEED, JUMPS, RESTS, WAVERS = range(7)


def apart() -> NDArray[np.int8]:
    """Bytes that a direction moves in different ways; at the last moment, play does not listen."""
    found = np.zeros((MOMENTS, FRAMES, 7), np.int8)
    time = np.arange(1, FRAMES + 1)
    found[:-1, :, WALKS] = 2 * time
    found[:-1, :, BACKWARDS] = -time
    found[:-1, 2:, FACES] = 8
    found[:-1, :, SPEED] = np.minimum(time, 4)
    found[:-1, :, JUMPS] = 40 * (-1) ** time
    found[:-1, :, WAVERS] = time * (-1) ** np.arange(MOMENTS - 1)[:, np.newaxis]
    return found


def test_bytes_that_walk_apart_are_told_from_others() -> None:
    found = walks(apart())
    assert found[WALKS] > 0.8
    assert found[BACKWARDS] == pytest.approx(-found[WALKS])
    assert found[[FACES, JUMPS, RESTS]].tolist() == [0, 0, 0]
    assert abs(found[WAVERS]) < 0.2


def test_moments_without_control_tell_nothing() -> None:
    assert walks(apart())[WALKS] == walks(apart()[:-1])[WALKS]
    weights = np.linspace(0.1, 0.7, 7).astype(np.float32)
    still = np.zeros_like(apart())
    assert with_apart(weights, still, still) == pytest.approx(weights)


def test_a_byte_that_follows_both_axes_counts_less() -> None:
    weights, own = np.zeros(7, np.float32), apart()
    other = np.zeros_like(own)
    other[:, :, WALKS] = own[:, :, WALKS]
    found = with_apart(weights, own, other)
    assert 0 < found[WALKS] < 0.5 * found[BACKWARDS]


def poke(squares: int, *, kept: bool = True, followers: int = 0, at: int = 0) -> Poke:
    """A poke that changes squares of one row, from a column on."""
    return Poke(kept, np.array([(3, at + k) for k in range(squares)], np.intp), followers)


def test_a_position_that_is_drawn_is_trusted_most() -> None:
    drawn, scrolled, flood, quiet, copied = (
        poke(4, followers=6),
        poke(300, followers=2),
        poke(4, followers=60),
        poke(0),
        poke(4, kept=False),
    )
    trusts = [trust([each]) for each in (drawn, scrolled, quiet, copied)]
    assert trusts == sorted(trusts, reverse=True)
    assert len(set(trusts)) == 4
    assert trust([flood]) == trust([scrolled])
    assert trust([drawn, copied]) == pytest.approx((trust([drawn]) + trust([copied])) / 2)
    assert trust([copied]) < trust([]) < trust([drawn])


def test_directions_tell_a_position_that_play_hides() -> None:
    play = planted()
    across = np.zeros((MOMENTS, FRAMES, len(play.places)), np.int8)
    across[:, :, int(np.searchsorted(play.places, CLOCK))] = np.arange(1, FRAMES + 1)
    tried = replace(play, apart=Apart(across, np.zeros_like(across)))
    assert suggest(SPACE, play, ["player-x"])[0].address == 0x80 + X
    assert suggest(SPACE, tried, ["player-x"])[0].address == 0x80 + CLOCK


def test_a_poke_takes_trust_from_a_position_that_is_written_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("integrator.domain.suggest.suggest._MOST", 1.0)  # would hide the product
    copied = [poke(4, kept=False)]
    kinds = ["score", "lives", "player-x"]
    poked: list[str] = []

    def poke_of(guess: Guess) -> list[Poke]:
        poked.append(guess.kind)
        return copied

    watched, tried = (suggest(SPACE, planted(), kinds, each) for each in (None, poke_of))
    assert set(poked) == {"score", "player-x"}
    for kind, share in (("score", 1.0), ("lives", 1.0), ("player-x", trust(copied))):
        before, after = (
            next(each for each in found if each.kind == kind) for found in (watched, tried)
        )
        assert after.confidence == pytest.approx(before.confidence * share, abs=0.01)


SHOWN = [poke(1, at=20)] * 2


@pytest.mark.parametrize("other", [poke(1, at=12), poke(30), poke(0), poke(1, at=20, kept=False)])
def test_pokes_that_change_one_small_place_show_a_number(other: Poke) -> None:
    assert are_shown([*SHOWN, other])
    assert not are_shown([SHOWN[0], other])


def test_a_number_whose_pokes_are_drawn_comes_before_likelier_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guesses = [Guess("score", place, BYTE, weight, "") for place, weight in ((1, 0.4), (2, 0.3))]
    guesses += [replace(guesses[0], place=3, weight=0.88, box=(0, 0, 16, 8))]
    finder = frozenset(["score"]), lambda _play: iter(guesses)
    monkeypatch.setattr("integrator.domain.suggest.suggest._FINDERS", (finder,))

    def found(drawn: int) -> list[tuple[int, float]]:
        every = suggest(SPACE, planted(), ["score"], lambda each: SHOWN * (each.place == drawn))
        return [(SPACE.index_of(each.address), each.confidence) for each in every]

    assert found(2) == [(3, 0.88), (2, 0.65), (1, 0.4)]
    assert found(3) == [(3, 0.88), (1, 0.4), (2, 0.3)]  # Read digits prove more than pokes.
