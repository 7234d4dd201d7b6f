"""Plays of any length are judged: agents may die within a moment."""

from __future__ import annotations

import numpy as np
import pytest
from audit_plays import SCENE, noise, play, rises
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from integrator.domain.audit.rules import judge_game, judge_play


def _numbers(random: np.random.Generator, frames: int) -> NDArray[np.int64]:
    """A number that moves now and then, up and down, and is set back."""
    steps = random.integers(-1, 3, frames) * (random.random(frames) < random.choice([0.02, 0.3]))
    values: NDArray[np.int64] = np.cumsum(steps) * random.choice([1, 10, 100])
    return np.where(random.random(frames) < 0.02, 0, values)


@given(st.lists(st.integers(1, 260), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_plays_of_any_length_are_judged(lengths: list[int], seed: int) -> None:
    random = np.random.default_rng(seed)
    plays = []
    for number, frames in enumerate(lengths):
        values = {name: _numbers(random, frames) for name in ("score", "lives", "level", "x")}
        terms = {"score": rises(values["score"]), "lua:reward": rises(values["x"]) - 0.5}
        done = int(random.integers(0, 300))
        held = None if random.random() < 0.5 else int(random.choice([0, 8, 256]))
        plays.append(play(terms, values, done=done, held=held, source="m" * number))
    for each in plays:
        judge_play(each, noise, SCENE)
    judge_game(plays, SCENE)


@pytest.mark.parametrize("frames", [60, 120, 121, 122])
def test_a_new_game_in_a_play_as_short_as_the_time_that_it_takes(frames: int) -> None:
    half = np.arange(frames) < frames // 2
    score, lives = np.where(half, 50, 0), np.where(half, 1, 3)
    score[0], lives[0] = 0, 3
    judge_game([play({"score": rises(score)}, {"score": score, "lives": lives})], SCENE)
