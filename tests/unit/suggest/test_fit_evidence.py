"""The fit of the weights by which kinds of numbers are known."""

import json
from dataclasses import replace

import numpy as np

from integrator.domain.ends.mining import END_TRAITS
from integrator.domain.suggest.counters import COUNTERS, TRAITS, weights_row
from integrator.domain.traits import WEIGHTS
from scripts.fit_evidence import Plays, bias_of, fit, kept, left_out, weights_of

NUMBERS, TELLS, NOISE = 20, 0, 1


def plays() -> list[Plays]:
    """Plays of nine games, in which one measure tells the right number and another nothing."""
    rng = np.random.default_rng(4)
    made = []
    for number in range(18):
        measures = rng.normal(size=(NUMBERS, 2))
        right = np.arange(NUMBERS) == number
        measures[right, TELLS] += 3
        made.append(Plays("score", f"made {number % 9}", measures, right))
    return made


def test_evidence_that_tells_the_score_gets_the_weight() -> None:
    weights = fit(plays())
    assert weights[TELLS] > 1
    assert abs(weights[NOISE]) < 0.3 * weights[TELLS]


def test_likelihoods_add_up_to_the_plays_with_a_right_number() -> None:
    lacking = [replace(each, right=np.zeros(NUMBERS, np.bool_)) for each in plays()[:7]]
    made = plays() + lacking
    weights = fit(made)
    bias = bias_of(made, weights)
    raised = [np.exp(each.rivals(weights) + bias).sum() for each in made]
    assert abs(sum(each / (1 + each) for each in raised) - len(plays())) < 0.1


def test_copies_of_the_right_number_are_one_rival() -> None:
    measures = np.array([[3.0, 0.0], [2.0, 0.0], [1.0, 0.0]])
    play = Plays("score", "made 0", measures, np.array([True, True, False]))
    assert play.rivals(np.array([1.0, 0.0])).tolist() == [3.0, 1.0]


def test_ranks_are_those_of_games_that_were_left_out() -> None:
    ranks = [play.rank(weights) for play, weights, _ in left_out(plays())]
    assert len(ranks) == len(plays())
    assert sum(rank <= 3 for rank in ranks) > 0.8 * len(ranks)


def test_the_shipped_weights_are_those_that_the_script_fits() -> None:
    shipped, fitted = json.loads(WEIGHTS.read_text()), weights_of(kept())
    rows = {weights_row(kind, pictures=pictures) for kind in COUNTERS for pictures in (True, False)}
    assert shipped.keys() == fitted.keys() == {*rows, "end"}
    for kind, weights in fitted.items():
        assert shipped[kind].keys() == weights.keys()
        for name, weight in weights.items():
            # Sums in another order differ in the last digit.
            assert abs(shipped[kind][name] - weight) < 0.02, (kind, name)


def test_each_trait_says_in_a_sentence_what_it_tells() -> None:
    for traits in (TRAITS, END_TRAITS):
        assert len({trait.name for trait in traits}) == len(traits)
        assert all(trait.sentence.endswith(".") for trait in traits)
