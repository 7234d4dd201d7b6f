"""Numbers whose change pays with the wrong sign, and those that pay while they last."""

from __future__ import annotations

import numpy as np
from audit_plays import FRAMES, SCENE, SCORE, kinds, noise, play, rises
from numpy.typing import NDArray

from integrator.domain.audit.rules import judge_play

_STAGE = np.arange(FRAMES) // 900


def test_a_stage_that_is_passed_must_not_cost_beside_a_score_that_pays() -> None:
    def judged(name: str, reward: float) -> set[str]:
        terms = {"score": rises(SCORE), name: rises(_STAGE, reward)}
        return kinds(judge_play(play(terms, {"score": SCORE, name: _STAGE}), noise, SCENE))

    assert "wrong-sign" in judged("level", -50.0)
    assert "wrong-sign" in judged("current_stage", -50.0)
    assert "wrong-sign" not in judged("level", 50.0)
    # The water's level is no stage, and neither is the other player's.
    assert "wrong-sign" not in judged("water_level", -50.0)
    assert "wrong-sign" not in judged("level_2p", -50.0)


def test_the_score_alone_is_judged_beside_a_stage() -> None:
    terms = {"score": rises(SCORE, -1.0), "level": rises(_STAGE, 50.0)}
    [trap] = [
        each
        for each in judge_play(play(terms, {"score": SCORE, "level": _STAGE}), noise, SCENE)
        if each.kind == "wrong-sign"
    ]
    assert trap.term == "score"


def test_lives_that_pay_while_they_last_pay_for_no_loss() -> None:
    # Most of the play is spent with the last life, which is 0 and pays nothing.
    lives = 3 - np.digitize(np.arange(FRAMES), [200, 400, 600])
    lasting = play({"lives": lives.astype(np.float64)}, {"lives": lives})
    assert "wrong-sign" not in kinds(judge_play(lasting, noise, SCENE))
    lost = play({"lives": rises(-lives)}, {"lives": lives})
    assert "wrong-sign" in kinds(judge_play(lost, noise, SCENE))


def test_a_script_must_not_cost_when_every_score_rises() -> None:
    def judged(sign: float, *, drip: float = 0.0, **scores: NDArray[np.integer]) -> set[str]:
        paid = sign * rises(next(iter(scores.values()))) + drip
        return kinds(judge_play(play({"lua:reward": paid}, scores), noise, SCENE))

    assert "wrong-sign" in judged(-1.0, score=SCORE, high_score=SCORE + 50)
    assert "wrong-sign" not in judged(1.0, score=SCORE)
    # A cost of each frame is no matter of the score, and of two scores one is the opponent's.
    assert "wrong-sign" not in judged(1.0, score=SCORE, drip=-20.0)
    assert "wrong-sign" not in judged(-1.0, score2=SCORE, score1=np.zeros_like(SCORE))
    other = np.cumsum(np.arange(FRAMES) % 131 == 0)
    assert "wrong-sign" not in judged(-1.0, score2=SCORE, score1=other)
