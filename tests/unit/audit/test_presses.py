"""The audit's rules on presses that pay at once, and on losses that pay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from audit_plays import FRAMES, SCENE, SCORE, kinds, noise, play
from numpy.typing import NDArray

from integrator.domain.audit.play import ScoredPlay
from integrator.domain.audit.rules import judge_game, judge_play

A, SELECT = 256, 4
ROWS = np.arange(FRAMES)


def tapped(pressed: NDArray[np.integer], paid: NDArray[np.integer]) -> ScoredPlay:
    """A is pressed for three frames each, the directions at random; 10 points on some rows."""
    down = np.isin(ROWS, pressed[:, np.newaxis] + np.arange(3)) * A
    judged = play({"score": np.isin(ROWS, paid) * 10.0}, {"score": SCORE})
    return replace(judged, inputs=((judged.inputs & 240) | down).astype(np.uint16))


def test_presses_that_pay_at_once_are_farming_though_the_player_soon_dies() -> None:
    presses = 200 + np.cumsum([17, 31, 23, 40, 19, 28, 22, 35, 18, 25])
    [trap] = judge_play(tapped(presses, presses + 1), noise, SCENE)
    assert (trap.kind, trap.term) == ("farming", "score")
    assert "within two frames of 10 presses of A: 100%" in trap.evidence


def test_presses_that_pay_later_or_seldom_or_too_fast_are_play() -> None:
    presses = 200 + np.cumsum([17, 31, 23, 40, 19, 28, 22, 35, 18, 25])
    between = np.sort(np.concatenate((presses, presses + 8, presses - 9)))
    for judged in (
        tapped(presses, presses + 3),
        tapped(presses, presses + np.arange(10) % 3),
        tapped(between, presses),
        tapped(presses[:7], presses[:7]),
        tapped(presses, np.concatenate((presses, presses + 6, presses + 11))),
        tapped(np.arange(200, 320, 5), np.arange(200, 320, 5)),
        tapped(presses * 3, presses * 3 - 50),
    ):
        assert kinds(judge_play(judged, noise, SCENE)) == set()
    sizes = play({"score": np.isin(ROWS, presses) * (ROWS % 7 + 1.0)}, {"score": SCORE})
    different = replace(tapped(presses, presses), rewards=sizes.rewards, terms=sizes.terms)
    assert kinds(judge_play(different, noise, SCENE)) == set()


def test_a_menu_button_held_is_asked_for_clocks_alone() -> None:
    drip = (ROWS % 64 == 0) * 10.0
    held = play({"score": drip}, {"score": SCORE}, held=SELECT)
    [trap] = judge_play(held, noise, SCENE)
    assert trap.kind == "reward-without-input"
    assert "with SELECT held" in trap.evidence
    assert trap.cure.endswith("or leave SELECT out of the actions")
    over = np.where(ROWS < 500, 3, -1)
    paused = play({"score": np.zeros(FRAMES)}, {"lives": over}, held=SELECT)
    assert judge_play(paused, noise, SCENE) == []
    assert judge_game([paused], SCENE) == []
    both = play({"score": np.zeros(FRAMES)}, {"lives": over}, held=SELECT | A)
    assert kinds(judge_game([both], SCENE)) == {"done-missed"}


def hit(paid: int, *, others: int = 0, losses: int = 5, late: int = 3) -> ScoredPlay:
    """Health falls every 400 frames, of which some are paid, and some other payments."""
    falls = 300 + 400 * np.arange(losses)
    health = 9 - np.searchsorted(falls, ROWS, "right")
    pays = np.isin(ROWS, falls[:paid] + late) * 5.0
    pays += np.isin(ROWS, 450 + 100 * np.arange(others)) * 5.0
    return play({"points": pays}, {"health": health, "points": SCORE})


def test_losses_that_pay_are_a_trap() -> None:
    [trap] = [t for t in judge_game([hit(5), hit(5)], SCENE) if t.is_serious]
    assert (trap.kind, trap.term) == ("paid-loss", "points")
    assert "points paid 25 of its 25 in all when health fell, 5 of 5 times" in trap.evidence
    assert kinds(judge_game([hit(5, others=3)], SCENE)) == {"paid-loss"}


def test_losses_that_pay_seldom_or_less_than_play_are_none() -> None:
    for judged in (hit(3), hit(5, others=12), hit(3, losses=3), hit(5, late=30)):
        assert kinds(judge_game([judged], SCENE)) == set()
    fuel = np.maximum(0, 200 - ROWS // 10)
    burnt = play({"score": (ROWS % 10 == 0) * 1.0}, {"fuel": fuel})
    assert "paid-loss" not in kinds(judge_game([burnt], SCENE))


def test_losses_that_pay_an_amount_of_their_own_are_a_trap() -> None:
    falls = 300 + 250 * np.arange(10)
    health = 19 - np.searchsorted(falls, ROWS, "right")
    work = np.isin(ROWS, 170 + 40 * np.arange(60)) * 10.0

    def judged(size: float, paid: int) -> set[str]:
        pays = work + np.isin(ROWS, falls[:paid] + 1) * size
        return kinds(judge_game([play({"points": pays}, {"health": health})], SCENE))

    assert "paid-loss" in judged(25.0, 10)
    assert "paid-loss" not in judged(10.0, 10), "what the player runs into pays as when it is hit"
    assert "paid-loss" not in judged(25.0, 7)


def test_one_amount_that_comes_back_by_the_same_presses_is_farming_beside_others() -> None:
    way = np.where(ROWS // 56 % 2, 64, 128)
    laps = np.array([lap for lap in range(200, 2800, 112) if lap // 112 % 6])
    other = np.isin(ROWS, np.cumsum(np.random.default_rng(2).integers(20, 200, 25))) * 10.0
    column = np.isin(ROWS, laps) * 100.0 + other

    def looped(ways: NDArray[np.integer], paid: NDArray[np.floating]) -> set[str]:
        made = play({"score": paid}, {"score": SCORE})
        return kinds(judge_play(replace(made, inputs=ways.astype(np.uint16)), noise, SCENE))

    assert looped(way, column) == {"farming"}
    assert looped(np.random.default_rng(3).permutation(way), column) == set()
    assert looped(np.where(ROWS < 9, 64, 128), column) == set()
    assert looped(way, np.isin(ROWS, laps[:8]) * 100.0 + other) == set()
    assert looped(way, np.isin(ROWS, laps) * 1.0 + other * 50) == set()
