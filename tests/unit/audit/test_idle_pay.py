"""Frames in a row that pay though nothing is pressed."""

from __future__ import annotations

import numpy as np
import pytest
from audit_plays import FRAMES, SCENE, kinds, noise, play

from integrator.domain.audit.rules import judge_play


@pytest.mark.parametrize(("frames", "held", "is_trap"), [(330, 0, 1), (250, 0, 0), (330, 16, 0)])
def test_lives_that_pay_until_the_last_one_are_a_trap(frames: int, held: int, is_trap: int) -> None:
    lives = np.where(np.arange(FRAMES) < frames, 1, 0)
    paid = play({"lives": lives}, {"lives": lives}, held=held)
    assert ("reward-without-input" in kinds(judge_play(paid, noise, SCENE))) == bool(is_trap)
