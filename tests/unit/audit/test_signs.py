"""Numbers whose change pays with the wrong sign, and those that pay while they last."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from audit_plays import FRAMES, SCENE, SCORE, kinds, play, rises
from numpy.typing import NDArray

from integrator.domain.audit.play import ScoredPlay
from integrator.domain.audit.rules import judge_game

_ROWS = np.arange(FRAMES)
_WON = np.isin(_ROWS, np.cumsum(np.random.default_rng(4).integers(60, 160, 40)))
_POINTS = np.cumsum(_WON) * 10
_STAGE = np.cumsum(_WON & (np.cumsum(_WON) % 5 == 0)).astype(np.int64)
"""A stage is passed by each fifth payment."""


def _turned(*plays: ScoredPlay, **rewarded: bool) -> set[str]:
    scene = replace(SCENE, rewarded=frozenset(rewarded))
    return {trap.term for trap in judge_game(plays, scene) if trap.kind == "wrong-sign"}


def _play(**numbers: tuple[NDArray[np.integer], float]) -> ScoredPlay:
    """A play in which the rises of numbers pay, each as many points as are given with it."""
    terms = {name: rises(values, reward) for name, (values, reward) in numbers.items()}
    return play(terms, {name: values for name, (values, _) in numbers.items()})


def test_a_stage_that_is_passed_must_not_cost_beside_a_score_that_pays() -> None:
    late = np.roll(_STAGE, 20)
    late[:20] = 0
    for stage in (_STAGE, late):
        assert _turned(_play(a=(_POINTS, 1.0), b=(stage, -50.0))) == {"b"}
        assert _turned(_play(a=(_POINTS, 1.0), b=(stage, 50.0))) == set()
    # A number that rises at moments of its own may be the opponent's.
    other = np.cumsum(_ROWS % 333 == 332)
    assert _turned(_play(a=(_POINTS, 1.0), b=(other, -50.0))) == set()


def test_the_score_alone_is_judged_beside_a_stage() -> None:
    assert _turned(_play(a=(_POINTS, -1.0), x=(_ROWS // 7 % 90 + 1 - (_ROWS == 0), 50.0))) == {"a"}


def test_a_score_in_two_variables_is_turned_if_neither_pays() -> None:
    low, high = _POINTS % 50, _POINTS // 50
    assert _turned(_play(low=(low, -1.0), high=(high, -50.0))) == {"low", "high"}
    assert _turned(_play(low=(low, 1.0), high=(high, 50.0))) == set()


def test_a_player_who_never_scored_has_a_score() -> None:
    rests = np.zeros_like(_POINTS)
    lost = _play(a=(_POINTS, -1.0), b=(rests, 1.0))
    assert _turned(lost, b=True) == set()
    assert _turned(lost) == {"a"}


def test_lives_that_pay_while_they_last_pay_for_no_loss() -> None:
    # Most of the play is spent with the last life, which is 0 and pays nothing.
    lives = 3 - np.digitize(np.arange(FRAMES), [200, 400, 600])
    lasting = play({"lives": lives.astype(np.float64)}, {"lives": lives})
    assert _turned(lasting) == set()
    lost = play({"lives": rises(-lives)}, {"lives": lives})
    assert _turned(lost) == {"lives"}


def test_a_script_must_not_cost_when_every_score_rises() -> None:
    def judged(sign: float, *, drip: float = 0.0, **scores: NDArray[np.integer]) -> set[str]:
        paid = sign * rises(next(iter(scores.values()))) + drip
        return kinds(judge_game([play({"lua:reward": paid}, scores)], SCENE))

    assert "wrong-sign" in judged(-1.0, score=SCORE, high_score=SCORE + 50)
    assert "wrong-sign" not in judged(1.0, score=SCORE)
    # A cost of each frame is no matter of the score, and of two scores one is the opponent's.
    assert "wrong-sign" not in judged(1.0, score=SCORE, drip=-20.0)
    assert "wrong-sign" not in judged(-1.0, score2=SCORE, score1=np.zeros_like(SCORE))
    other = np.cumsum(np.arange(FRAMES) % 131 == 0)
    assert "wrong-sign" not in judged(-1.0, score2=SCORE, score1=other)


def test_a_score_in_two_variables_is_judged_as_one_number() -> None:
    points = np.cumsum(np.isin(_ROWS, np.flatnonzero(_WON)[:12])) * 21
    low, high = points % 100, points // 100
    scene = replace(SCENE, digits={"low": (100, 1), "high": (100, 2)})
    other = np.cumsum(_ROWS % 333 == 332)

    def turned(sign: float, *numbers: NDArray[np.integer]) -> set[str]:
        scores = zip(("low", "high"), numbers, (sign, 100 * sign), strict=True)
        judged = _play(**{name: (values, reward) for name, values, reward in scores})
        traps = judge_game([judged, judged], scene)
        return {trap.term for trap in traps if trap.kind == "wrong-sign"}

    assert turned(-1.0, low, high) == {"high"}
    assert turned(1.0, low, high) == set()
    # Numbers of their own are no parts of one.
    assert turned(-1.0, low, other[::-1].copy()) == set()
