"""Rewards that come by themselves soon after the start."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from audit_plays import FRAMES, SCENE, kinds, play, rises

from integrator.domain.audit.play import ScoredPlay
from integrator.domain.audit.rules import judge_game


def _plays(welcome: int, frames: tuple[int, ...]) -> list[ScoredPlay]:
    """Plays that earn at moments of their own, and once at each of frames; the first is idle."""
    made = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        score = np.cumsum(random.random(FRAMES) < 0.01) * 10
        score += np.isin(np.arange(FRAMES), frames).cumsum() * welcome
        held = None if seed else 0
        made.append(play({"score": rises(score)}, {"score": score}, source="m" * seed, held=held))
    return made


def test_a_reward_that_comes_early_in_every_play_is_no_doing_of_the_player() -> None:
    plays = _plays(500, (87,))
    [trap] = [each for each in judge_game(plays, SCENE) if each.kind == "reward-at-start"]
    assert "frame 88 pays +5" in trap.evidence
    assert trap.frames == (88, 88)
    for honest in (_plays(500, (900,)), _plays(0, ()), _plays(500, (20, 60, 100, 140))):
        assert "reward-at-start" not in kinds(judge_game(honest, SCENE))
    same = [replace(each, inputs=plays[0].inputs) for each in plays]
    assert "reward-at-start" not in kinds(judge_game(same, SCENE))
    # All of these press something, perhaps the same button, and one that presses nothing gets none.
    assert "reward-at-start" not in kinds(judge_game(plays[1:], SCENE))
    [unpaid, *_] = _plays(0, ())
    assert "reward-at-start" not in kinds(judge_game([unpaid, *plays[1:]], SCENE))
