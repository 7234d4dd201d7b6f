"""Moments that may be ends, in made-up play with one sign of each kind."""

from __future__ import annotations

import numpy as np

from integrator.domain.ends.marks import propose

FRAMES = 2000


def test_each_sign_proposes_its_moment() -> None:
    none = np.zeros(FRAMES, np.bool_)
    steady = ~none
    lives = np.full(FRAMES, 3)
    lives[300:] = 2
    lives[1200:] = 0
    across = np.arange(FRAMES) % 120
    across = np.abs(across - 60)
    across[700:] = 100 + across[700:] // 2
    across[1600:1750] = across[1600]
    dark = none.copy()
    dark[340:380] = True
    held = steady.copy()
    found = propose({"lives": lives}, across, held, steady, dark)
    assert [(each.frame, each.reason) for each in found] == [
        (300, "lives 3 → 2, the picture goes black"),
        (700, "the position jumps"),
        (1200, "lives 2 → 0"),
        (1599, "input stops mattering"),
    ]
    assert found[2].weight > found[1].weight
    unheld = propose({}, across, none, steady, none)
    assert [each.frame for each in unheld] == [700]


def test_play_that_jumps_proposes_nothing() -> None:
    none = np.zeros(FRAMES, np.bool_)
    lives = np.full(FRAMES, 3)
    lives[500:] = 1
    steady = ~none
    steady[500] = False
    across = lives * 40
    assert propose({"lives": lives}, across, none, steady, none) == []


def test_a_thing_that_wraps_round_the_screen_does_not_jump_back() -> None:
    none = np.zeros(FRAMES, np.bool_)
    across = np.arange(FRAMES) * 2 % 160
    assert propose({}, across, ~none, ~none, none) == []
