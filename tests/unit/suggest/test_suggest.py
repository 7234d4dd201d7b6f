"""Suggestions from made-up play, in which every kind of variable was planted once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from planted_play import (
    LIVES,
    RANDOM,
    SCORE,
    SPACE,
    TIMER,
    X_COPY,
    X,
    Y,
    planted,
)

from integrator.domain.errors import SearchError
from integrator.domain.suggest import counters
from integrator.domain.suggest.counters import is_glyph, records_in
from integrator.domain.suggest.numbers import Number
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.screen import find_drawn
from integrator.domain.suggest.suggest import check_kinds, suggest
from integrator.domain.suggest.suggestion import KINDS, KindOfVariable, Suggestion
from integrator.domain.values.memory import BYTE, AddressSpace, Region


def first(play: Play, kind: str) -> Suggestion:
    found = suggest(SPACE, play, [kind])
    assert {each.kind for each in found} == {kind}
    return found[0]


@pytest.mark.parametrize(
    ("kind", "place", "data_type", "words"),
    [
        ("score", SCORE, ">d3", "+10, +50, +90, never falls, drawn at the top"),
        ("lives", LIVES, "|u1", "falls by 1, 3 times, from 3, drawn at the bottom"),
        ("timer", TIMER, "|d1", "-1 every 60 frames"),
        ("player-x", X, "|u1", "follows LEFT and RIGHT at once"),
        ("player-y", Y, "|u1", "follows UP and DOWN at once"),
        ("random", RANDOM, "|u1", "values, and no step is common"),
    ],
)
def test_the_planted_variable_comes_first(
    kind: str, place: int, data_type: str, words: str
) -> None:
    best = first(planted(), kind)
    assert (best.address, str(best.type)) == (0x80 + place, data_type)
    assert words in best.reason
    assert 0.1 < best.confidence < 1


def test_a_number_whose_digits_the_screen_does_not_show_is_never_very_sure() -> None:
    weights = [guess.weight for guess in counters.find_counters(planted())]
    assert 0.8 < max(weights) < 0.85


@pytest.mark.parametrize("kind", ["score", "lives", "timer"])
def test_a_number_is_not_less_likely_because_there_are_no_pictures(kind: str) -> None:
    blind = first(replace(planted(), cells=None), kind)
    seen = first(planted(), kind)
    assert (blind.address, blind.type) == (seen.address, seen.type)
    assert blind.confidence > 0.9 * seen.confidence


def test_a_position_may_count_in_its_high_half() -> None:
    play = planted()
    fine = np.cumsum(-16 * play.across.astype(np.int64)) % 256
    ram = play.ram.copy()
    for place in (X, *range(X_COPY, X_COPY + 9, 4)):
        ram[:, np.searchsorted(play.places, place)] = 0
    ram[:, np.searchsorted(play.places, X)] = fine
    found = first(replace(play, ram=ram), "player-x")
    assert (found.address, found.reason) == (
        0x80 + X,
        "follows LEFT and RIGHT at once, and grows with LEFT",
    )


def test_suggestions_of_a_kind_are_best_first_and_kinds_in_order() -> None:
    found = suggest(SPACE, planted(), KINDS)
    order = [(list(KINDS).index(each.kind), -each.confidence) for each in found]
    assert order == sorted(order)
    assert {"score", "lives", "timer", "player-x", "player-y", "random"} <= {
        each.kind for each in found
    }


def test_a_made_up_kind_is_suggested_in_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "prizes", KindOfVariable("prizes", "prizes", "prizes"))
    monkeypatch.setitem(counters.COUNTERS, "prizes", counters.COUNTERS["score"])
    found = suggest(SPACE, planted(), ["score", "prizes"])
    assert [each.kind for each in found] == sorted((e.kind for e in found), reverse=True)
    prize = next(each for each in found if each.kind == "prizes")
    assert prize.address == 0x80 + SCORE
    with pytest.raises(SearchError, match="random, prizes"):
        check_kinds(["prices"])


def test_pictures_tell_a_number_that_is_drawn_from_one_that_is_not() -> None:
    play = planted()
    blind = replace(play, cells=None)
    assert first(play, "score").confidence > first(blind, "score").confidence
    assert "drawn" not in first(blind, "score").reason
    drawn = first(play, "lives").drawn
    assert drawn is not None
    assert (drawn.x, drawn.y) == ((4 + 0.5) / 20, (19 + 0.5) / 20)


def test_a_jump_of_play_is_no_step_of_a_number() -> None:
    play = planted()
    ram, steady = play.ram.copy(), play.steady.copy()
    lives = int(np.flatnonzero(play.places == LIVES)[0])
    # A loaded state with nine lives, from which one is lost; then a loaded state with two.
    ram[1600:, lives] = 9
    ram[1700:, lives] = 8
    ram[1750:, lives] = 2
    steady[[1600, 1750]] = False
    best = first(replace(play, ram=ram, steady=steady), "lives")
    assert best.address == 0x80 + LIVES
    assert best.reason.startswith("falls by 1, 4 times")


def test_nothing_is_suggested_where_nothing_changed() -> None:
    play = planted()
    still = replace(play, places=play.places[:0], ram=play.ram[:, :0])
    assert suggest(SPACE, still, KINDS) == ()


def test_an_unknown_kind_is_refused_by_name() -> None:
    assert check_kinds(None) == set(KINDS)
    assert check_kinds(["score"]) == {"score"}
    with pytest.raises(SearchError, match="no kind 'points' of variable; use one of score, lives"):
        check_kinds(["points"])


def test_a_number_that_fell_once_is_sooner_health_than_a_timer_is() -> None:
    play = planted()
    assert play.cells is not None
    ram, cells, column = play.ram.copy(), play.cells.copy(), np.searchsorted(play.places, X_COPY)
    ram[:, column], ram[900:, column] = 100, 60
    cells[1:, 0, 12] = play.steps[:, np.searchsorted(play.places, TIMER)] != 0
    cells[900, 0, 2] = True
    shown = replace(play, ram=ram, cells=cells)
    assert first(shown, "timer").address == 0x80 + TIMER
    best = first(shown, "health")
    assert (best.address, best.reason[:28]) == (0x80 + X_COPY, "falls by 40, once, from 100,")


def test_a_number_does_not_reach_from_one_region_into_another() -> None:
    """The regions follow each other in a play, and in the last bytes of one a score begins."""
    play = planted()
    space = AddressSpace([Region(0x80, SCORE + 1), Region(0x100, 64 - SCORE - 1)])
    play = replace(play, borders=frozenset((0, SCORE + 1)))
    for each in suggest(space, play, ["score"]):
        assert len(space.offsets(each.address, each.type.width)) == each.type.width


def test_a_record_may_begin_lower_where_another_game_is_loaded() -> None:
    games = [np.searchsorted(times, np.arange(400)) for times in ((9, 40, 90, 300), (30, 60, 99))]
    score = np.concatenate(games)
    record = np.concatenate([np.maximum(1, game) for game in games])
    steady = np.arange(800) != 400
    numbers = [Number(at, BYTE, each, steady) for at, each in enumerate((score, record))]
    assert list(records_in(numbers)) == [False, True]
    # In one play, a best score does not fall.
    whole = [replace(each, steady=np.ones(800, np.bool_)) for each in numbers]
    assert list(records_in(whole)) == [False, False]


def test_a_byte_that_points_to_glyphs_of_digits_is_no_number_of_its_own() -> None:
    steady = np.ones(900, np.bool_)
    score = 25 * np.searchsorted((100, 250, 420, 600, 610, 800), np.arange(900))
    late = np.append([0, 0, 0], score[:-3])
    tens, ones, pairs = 202 + 5 * (late // 10 % 10), late % 10 * 8, 4 * (score // 25)
    numbers = [Number(at, BYTE, each, steady) for at, each in enumerate((score, tens, ones, pairs))]
    # The ones are 0 and 5 alone, so that their pointer has two values, like any switch.
    assert [is_glyph(each, numbers) for each in numbers] == [False, True, False, False]


def test_a_square_that_also_changes_with_all_others_still_shows_its_number() -> None:
    rng = np.random.default_rng(3)
    events, drawn = np.zeros(1199, np.bool_), np.zeros((1200, 10, 10), np.bool_)
    events[20::60] = True
    drawn[1:, 0, 4] = events
    # Elsewhere, a third of the picture changes as often as it does in long fades, or a bit of it.
    faded, busy = drawn.copy(), drawn.copy()
    frames = rng.choice(np.arange(1, 1200), 100, replace=False)
    faded[frames, :, 3:6] = True
    busy[frames, 0, 4] = True
    shown, hidden = (find_drawn(cells, [events])[0] for cells in (faded, busy))
    assert shown.agreement > 0.55
    assert hidden.agreement < 0.4


def test_a_change_in_a_fade_says_nothing_of_the_place_of_a_number() -> None:
    events, cells = np.zeros(1199, np.bool_), np.zeros((1200, 10, 10), np.bool_)
    events[20::60] = True
    cells[1:, 0, 4] = events
    # Half of the changes come as the picture fades out, so that they are never drawn.
    cells[21::120] = True
    cells[21::120, 0, 4] = False
    assert find_drawn(cells, [events])[0].agreement > 0.9


@pytest.mark.parametrize(
    ("ruling", "least", "most"),
    [("original", 0.03, 0.05), ("unknown", 0.02, 0.02), ("copy", 0.0, 0.01)],
)
def test_a_proof_says_little_of_a_number_that_is_hardly_of_its_kind(
    ruling: str, least: float, most: float
) -> None:
    unlikely, likely = (
        Suggestion("score", 0, BYTE, confidence, "").proven(ruling).confidence
        for confidence in (0.02, 0.9)
    )
    assert least <= unlikely <= most
    assert likely > 0.6
