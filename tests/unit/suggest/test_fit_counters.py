"""The fit of the weights by which a score or lives are known, on made-up plays."""

from __future__ import annotations

import numpy as np

from scripts.fit_counters import Plays, bias_of, fit, left_out

NUMBERS, TELLS, NOISE = 20, 0, 1


def plays() -> list[Plays]:
    """Plays of nine games, in which one measure tells the right number and another nothing."""
    rng = np.random.default_rng(4)
    made = []
    for number in range(18):
        measures = rng.normal(size=(NUMBERS, 2))
        right = np.arange(NUMBERS) == number
        measures[right, TELLS] += 3
        places = [frozenset((index,)) for index in range(NUMBERS)]
        made.append(Plays("score", f"game {number % 9}", measures, right, places))
    return made


def test_evidence_that_tells_the_score_gets_the_weight() -> None:
    weights = fit(plays())
    assert weights[TELLS] > 1
    assert abs(weights[NOISE]) < 0.3 * weights[TELLS]


def test_confidences_add_up_to_the_right_numbers() -> None:
    made = plays()
    weights = fit(made)
    odds = np.concatenate([play.measures @ weights for play in made]) + bias_of(made, weights)
    assert abs((1 / (1 + np.exp(-odds))).sum() - len(made)) < 0.1


def test_ranks_are_told_for_games_that_were_left_out() -> None:
    ranked = list(left_out(plays()))
    assert len(ranked) == len(plays())
    assert sum(rank <= 3 for _, rank in ranked) > 0.8 * len(ranked)


def test_a_reading_of_bytes_of_a_likelier_one_has_no_rank() -> None:
    measures = np.array([[3.0], [2.0], [1.0]])
    right = np.array([False, False, True])
    shared = [frozenset((1, 2)), frozenset((2,)), frozenset((5,))]
    assert Plays("lives", "one", measures, right, shared).rank(np.ones(1)) == 2
    assert (
        Plays("lives", "one", measures, np.array([False, True, False]), shared).rank(np.ones(1))
        == 0
    )
