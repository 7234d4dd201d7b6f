"""The likelihood of lives, by the traits of a made-up number."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from planted_play import LIVES as PLACE
from planted_play import planted

from integrator.domain.suggest.counters import (
    COUNTERS,
    TRAITS,
    Side,
    Traits,
    find_counters,
    traits_of,
)
from integrator.domain.suggest.screen import Drawn, ScreenNumber
from integrator.domain.traits import measures_of, odds_of

THRICE, FOUR = Side(3, 1, 1.0, (1,)), Side(3, 4, 1.0, (4,))


def weigh(t: Traits) -> float:
    """The likelihood, 0 to 1, that the number is of lives."""
    if not COUNTERS["lives"].may_be(t):
        return 0.0
    return 1 / (1 + exp(-float(odds_of(TRAITS, "lives", measures_of(TRAITS, t)))))


@pytest.fixture(scope="module")
def lives() -> Traits:
    """Three lives that are all lost, drawn at the bottom."""
    return next(
        each
        for each in traits_of(planted())
        if each.number.place == PLACE and each.number.type.kind == "u"
    )


WORSE = {
    "rises as well": {"up": THRICE},
    "falls by four": {"down": FOUR},
    "is not drawn": {"drawn": Drawn(0.0, 0.5, 0.5)},
    "is drawn in the middle": {"drawn": Drawn(0.9, 0.5, 0.5)},
    "changes soon again": {"interval": 5.0},
    "starts again and again": {"restarts": 9},
}


@pytest.mark.parametrize("changed", WORSE.values(), ids=WORSE)
def test_each_trait_that_lives_lack_costs_confidence(
    lives: Traits, changed: dict[str, object]
) -> None:
    # mypy knows no fields of a dictionary's values.
    worse = replace(lives, **changed)  # type: ignore[arg-type]
    assert weigh(worse) < weigh(lives)


def test_digits_that_are_read_are_drawn_whatever_moves_behind_them(lives: Traits) -> None:
    values = np.repeat(np.arange(6), 5)
    digits = ScreenNumber(0, 0, 16, 8, np.arange(30), values)
    measured = [
        {
            trait.name: trait.measure(replace(lives, drawn=Drawn(0.1), screen=each))
            for trait in TRAITS
        }
        for each in (None, digits)
    ]
    assert [each["drawn"] for each in measured] == [0.1, measured[1]["read"]]
    assert measured[1]["always_drawn"] == measured[1]["read"] ** 2 > 0.9


def test_numbers_that_never_fall_or_are_wide_are_no_lives(lives: Traits) -> None:
    assert weigh(lives) > 0
    assert weigh(replace(lives, down=Side(0, 0, 0.0, ()))) == 0
    for each in traits_of(planted()):
        if each.number.type.width > 1:
            assert weigh(each) == 0


def test_lives_start_high_and_go_below_ten(lives: Traits) -> None:
    def raised(by: int, start: int = 0) -> Traits:
        values = lives.number.values + by
        values[0] += start
        return replace(lives, number=replace(lives.number, values=values))

    assert weigh(raised(20)) < weigh(raised(1)) == pytest.approx(weigh(lives))
    assert weigh(raised(0, start=-1)) < weigh(lives)
    part = replace(lives, number=replace(lives.number, mask=0x03))
    assert weigh(part) < weigh(lives)


def test_lives_that_are_set_after_a_title_start_with_what_games_begin_with() -> None:
    play = planted()
    column = play.places == PLACE
    play.ram[:200, column] = 0
    for begin in (200, 700, 1200):
        for left, late in ((3, 0), (2, 200), (1, 350), (0, 450)):
            play.ram[begin + late :, column] = left
    found = next(each for each in traits_of(play) if each.number.place == PLACE)
    assert (found.start, found.restarts) == (3, 3)
    assert (found.up.count, found.down.count) == (0, 9)


@pytest.fixture(scope="module")
def lost() -> Traits:
    """Three lost lives, counted from 0."""
    play = planted()
    column = play.places == PLACE
    play.ram[:, column] = 3 - play.ram[:, column]
    return next(each for each in traits_of(play) if each.number.place == PLACE)


def test_lost_lives_are_judged_as_those_that_are_left(lives: Traits, lost: Traits) -> None:
    row = COUNTERS["lives"]
    judged = row.judged(lost)
    assert row.may_be(lost)
    assert (judged.up, judged.down) == (lives.up, lives.down)
    # A number that rises is lives more seldom.
    assert 0 < weigh(judged) < weigh(lives)
    assert row.explain(judged).startswith("rises by 1, 3 times")


@pytest.mark.parametrize(
    "changed",
    [
        {"other_jumps": 0.5},
        {"interval": 30.0},
        {"up": FOUR},
        {"down": Side(1, 1, 1.0, (1,))},
    ],
    ids=["play goes on", "rises soon again", "rises by four", "falls as well"],
)
def test_other_numbers_that_rise_are_no_lost_lives(
    lost: Traits, changed: dict[str, object]
) -> None:
    # mypy knows no fields of a dictionary's values.
    other = replace(lost, **changed)  # type: ignore[arg-type]
    assert COUNTERS["lives"].judged(other) is other


def test_lost_lives_are_suggested_and_no_score_is_called_so() -> None:
    play = planted()
    column = play.places == PLACE
    play.ram[:, column] = 3 - play.ram[:, column]
    found = [each for each in find_counters(play) if each.kind == "lives"]
    assert (found[0].place, found[0].reason[:10]) == (PLACE, "rises by 1")
    assert all(each.place == PLACE for each in found if each.reason.startswith("rises"))


def test_a_score_starts_with_its_first_value() -> None:
    found = next(each for each in traits_of(planted()) if each.number.type.kind == "d")
    assert (found.start, found.restarts, found.up.count) == (0, 0, 8)
