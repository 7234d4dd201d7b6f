"""Scores and lives that `integrator auto` finds in made-up recordings."""

import tracemalloc
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from made_up_play import Recorded, deaths_of, episodes_of
from numpy.typing import NDArray

from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.domain.values.variables import VariableReader
from integrator.unattended import finding
from integrator.unattended.ends import (
    seen_ends,
    sure_lives,
)
from integrator.unattended.finding import Found, Gathering, cut_at_restarts
from integrator.unattended.play import Episode, idle_looks


def test_digits_of_a_large_memory_are_looked_for_without_listing_it() -> None:
    space = AddressSpace([Region(0, 8 << 20)])
    session: Any = SimpleNamespace(memory=SimpleNamespace(space=space))
    guess = Suggestion("score", 1, DataType.parse("|u1"), 0.9, "")
    session.suggest = lambda _: [guess, replace(guess, address=(8 << 20) - 1)]
    looks = Gathering(session, np.zeros((1, 1), np.uint8))
    looks.add()
    tracemalloc.start()
    try:
        assert looks.places() == [*range(8), *range((8 << 20) - 4, 8 << 20)]
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_digits_are_looked_for_near_the_likeliest_scores_of_a_large_memory() -> None:
    space = AddressSpace([Region(0, 8 << 20)])
    session: Any = SimpleNamespace(memory=SimpleNamespace(space=space))
    kind = DataType.parse("|u1")
    session.suggest = lambda _: [
        Suggestion("score", 100 * number, kind, number / 100, "") for number in range(1, 100)
    ]
    looks = Gathering(session, np.zeros((1, 1), np.uint8))
    looks.add()
    assert looks.places() == [100 * number + by for number in range(68, 100) for by in range(-3, 7)]


@pytest.mark.parametrize(("size", "seconds"), [(0x2000, 60), (2 << 20, 32), (8 << 20, 15)])
def test_looks_at_idle_play_are_fewer_in_a_large_memory(size: int, seconds: int) -> None:
    host = MagicMock()
    host.read_ram.side_effect = (np.full(size, n, np.uint8) for n in range(seconds + 1))
    console: Any = SimpleNamespace(host=host, rows=lambda _: None)
    assert idle_looks(console, b"")[:, 0].tolist() == [*range(1, seconds + 1)]


def test_no_lives_come_back_in_episodes_of_less_than_a_second() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500)))
    assert sure_lives(session, [Episode(0, 40, np.zeros((40, 1), np.uint16))]) == []
    assert sure_lives(session, []) == []


def test_lives_that_jump_back_show_where_another_game_begins() -> None:
    first, again = deaths_of((300, 900, 1500)), deaths_of((800, 1400, 1900))
    rams = np.concatenate([first[:1560], again[:1950], first[:1890], again[:-1]])
    session: Any = Recorded(np.concatenate([rams, rams, rams[:1]]))
    length = len(rams)
    rows = np.zeros((length - 1, 1), np.uint16)
    episodes = [Episode(at, at + length - 1, rows) for at in (0, length)]
    [lives, *_] = sure_lives(session, episodes)
    assert (lives.address, lives.mask) == (1, None)
    # Three new games were seen in each episode.
    sure = [sure_lives(session, episodes[:count])[0].confidence for count in (1, 2)]
    assert sure == [0.75, 0.92]
    found = Found(lives, finding.values_of(session, lives), 1.0, "")
    games = [game for each in episodes for game in cut_at_restarts(each, found)]
    ends = (1559, 1559 + 1950, 1559 + 1950 + 1890, None)
    assert [(each.end, each.restarted) for each in games] == [
        (None if end is None else start + end, end is not None)
        for start in (0, length)
        for end in ends
    ]
    assert [len(each.inputs) for each in games[:2]] == [length - 1, length - 1 - 1559]


def test_lives_that_jump_back_are_believed_before_ends_by_lost_control() -> None:
    game = deaths_of((300, 900, 1500))[:1560]
    again = deaths_of((800, 1400, 1900))[:1950]
    rams = np.concatenate([game, again, game, again, game[:1]])
    session: Any = Recorded(rams)
    rows = np.zeros((3509, 1), np.uint16)
    # In the second game of both, some way to steer was not seen.
    episodes = [Episode(at, at + 3509, rows, at + 2700) for at in (0, 3510)]
    looks = Gathering(session, np.zeros((1, 6), np.uint8))
    every, lives = seen_ends(session, looks, episodes)
    assert lives[0].address == 1
    assert [each.end for each in every if each.restarted] == [1559, 5069]


def test_lives_may_be_set_by_the_press_that_begins_the_first_game() -> None:
    first, again = deaths_of((300, 700, 1500)), deaths_of((800, 1000, 1900))
    first[:100, 1] = 0
    again[:12, 1] = 2  # they are counted up
    games = np.concatenate([first[:1560], again[:1950], again[:1990], first[:1]])
    games[:, 2:] = 0
    length = len(games) - 1
    session: Any = Recorded(np.concatenate([games[:-1], games]))
    rows = np.zeros((length - 1, 1), np.uint16)
    episodes = [Episode(at, at + length - 1, rows) for at in (0, length)]
    assert {(each.address, each.mask) for each in sure_lives(session, episodes)} == {
        (1, None),
        (1, 0x0F),
    }


@pytest.mark.parametrize(("won", "most"), [(1, 3), (4, 3), (1, 10)])
def test_lives_are_not_won_as_often_as_they_are_lost(won: int, most: int) -> None:
    games = []
    for number in range(4):
        falls = [(300 + 370 * at) * (1 + 0.2 * (number % 2)) for at in range(most)]
        lives = most - np.searchsorted(falls, np.arange(600 * most), side="right")
        lives[450:600] += number < won
        games.append(lives)
    rams = np.concatenate(games).astype(np.uint8)[:, np.newaxis]
    session: Any = Recorded(rams)
    found = sure_lives(session, [Episode(0, len(rams) - 1, np.zeros((len(rams), 1), np.uint16))])
    assert [each.address for each in found if each.mask is None] == [0] * (won == 1)


@pytest.mark.parametrize("least", [-1, 0])
def test_a_direction_of_movement_is_no_count_of_lives(least: int) -> None:
    game = deaths_of((300, 900))[:1560, 1:2] - np.uint8(1 - least)
    again = deaths_of((800, 1400))[:1950, 1:2] - np.uint8(1 - least)
    rams = np.concatenate([game, again, game, again, game])
    session: Any = Recorded(rams)
    length = len(rams) - 1
    found = sure_lives(session, [Episode(0, length, np.zeros((length, 1), np.uint16))])
    assert [each.address for each in found if each.mask is None] == [0] * (least == 0)


@pytest.mark.parametrize(
    ("falls", "are_lives"),
    [
        ((849, 1391, 1857, 2677, 3073, 3661, 4265, 4709, 5075, 6007, 6583, 7035), True),
        ((600, 1200, 1800, 2420, 3020, 3620, 4420, 5020, 5620, 6300, 6900, 7500), False),
    ],
)
def test_lives_may_be_lost_after_nearly_equal_times_but_not_a_clocks_numbers(
    falls: tuple[int, ...], are_lives: bool
) -> None:
    rams = np.zeros((7700, 1), np.uint8)
    for each, following in pairwise((0, *falls, 7700)):
        rams[each:following] = 3 - np.searchsorted(falls, each, side="right") % 3
    for last in falls[2::3]:
        rams[last : last + 20] = 0
    session: Any = Recorded(rams)
    found = sure_lives(session, [Episode(0, 7698, np.zeros((7698, 1), np.uint16))])
    assert bool(found) == are_lives


def test_no_game_begins_again_where_the_score_is_kept() -> None:
    first, again = deaths_of((300, 700, 1500)), deaths_of((800, 1000, 1900))
    games = np.concatenate([first[:1560], again[:1950], again[:1990], first[:1]])
    games[:, 2:] = 0
    length = len(games) - 1
    rows = np.zeros((length - 1, 1), np.uint16)
    episodes = [Episode(at, at + length - 1, rows, steered=at) for at in (0, length)]
    counts = []
    for kept in (False, True):
        rams = np.concatenate([games[:-1], games])
        at = np.arange(len(rams)) % length
        begun = np.array((0, 1560, 3510))[np.searchsorted((1560, 3510), at, side="right")]
        played = at if kept else at - begun
        rams[:, 0] = 2 + played // 100 + played // 170
        session: Any = Recorded(rams, scores=1)
        looks = Gathering(session, rams[:20])
        looks.add()
        counts.append(len(seen_ends(session, looks, episodes)[1]))
    assert counts == [1, 0]


def test_a_doubtful_score_is_believed_where_lives_restart_with_it() -> None:
    at = np.arange(6001)
    begun = np.array((0, 2000, 4000))[np.searchsorted((2000, 4000), at, side="right")]
    score = (at - begun) // 300
    # The first game ends with lives left, as if by a lack of fuel.
    lives = 4 - np.minimum((at - begun) // 400, np.where(begun, 4, 2))
    session: Any = Recorded(np.stack([score, lives], axis=1).astype(np.uint8))
    episode = Episode(0, 6000, np.zeros((6000, 1), np.uint16), steered=6000)

    def best(of_lives: NDArray[np.int64]) -> Any:
        found = {
            kind: [Found(Suggestion(kind, at, DataType.parse("|u1"), sure, ""), values, 1.0, "")]
            for at, (kind, sure, values) in enumerate(
                (("score", 0.4, score), ("lives", 0.35, of_lives))
            )
        }
        return SimpleNamespace(best=lambda kind, *_, **__: found[kind])

    games, _ = seen_ends(session, best(lives), [episode])
    assert [each.end for each in games] == [1999, 3999, None]
    assert seen_ends(session, best(3 - at // 2000), [episode]) == ([episode], [])


@pytest.mark.parametrize("blank", [False, True])
def test_a_score_whose_digits_lie_apart_is_found(blank: bool) -> None:
    at = np.arange(3000)
    score = at // 97 + at // 230
    rams = np.zeros((3000, 12), np.uint8)
    rams[:, 9], rams[:, 5] = score % 10 + 1, score // 10 + 1
    if blank:
        rams[score < 10, 5] = 0
    pieces = Pieces(Coding(10, zero=1), (Piece(9, 1), Piece(5, 10)))
    apart = Suggestion("score", 9, pieces.coding.type, 0.9, "", pieces=pieces)
    session: Any = Recorded(rams)
    session.suggest = lambda _: [apart, replace(apart, kind="level")]
    looks = Gathering(session, rams[:20])
    looks.add()
    episodes = [Episode(0, 2999, np.zeros((2999, 1), np.uint16), steered=2999)]
    [found] = looks.best("score", episodes)
    assert (found.values == score).all()
    assert found.blanks == blank
    assert len(found.named("score")) == 2
    assert looks.best("level", episodes) == []


def test_a_mask_leaves_a_number_where_its_bits_are_as_training_does() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500)))
    lives = Suggestion("lives", 5, DataType.parse("|u1"), 0.9, "", mask=0xF0)
    values = finding.values_of(session, lives)
    [spec] = Found(lives, values, 1.0, "").named("lives")
    reader = VariableReader({"lives": spec}, session.space)
    rams = session.log.ram_ranges(reader.ranges, 0)
    np.testing.assert_array_equal(values, reader.read_ranges(rams)["lives"])
    assert set(values[:2000].tolist()) == {0, 16, 32, 48}


def test_a_number_that_falls_at_the_same_times_in_all_episodes_is_doubted_as_lives() -> None:
    rams = deaths_of((300, 1900), (300, 1900))
    rams[3000:, 5] = deaths_of((400, 1500))[:, 5]
    session: Any = Recorded(rams)
    looks = Gathering(session, rams[:20])
    kind = DataType.parse("|u1")
    looks.add_lives(
        [Suggestion("lives", at, kind, 0.9, "", mask=mask) for at, mask in ((1, None), (5, 0xF0))]
    )
    lives, minutes = looks.best("lives", episodes_of(2999, 2999), prove=False)
    assert (lives.suggestion.address, lives.confidence) == (5, 0.9)
    assert (minutes.suggestion.address, minutes.confidence) == (1, 0.27)


def test_a_clock_and_a_number_that_needs_no_press_are_doubted_as_a_score() -> None:
    at = np.arange(3000)
    rams = np.zeros((3001, 3), np.uint8)
    rams[:3000, 0] = at // 60
    rams[:3000, 1] = rams[:3000, 2] = np.searchsorted((7, 95, 300, 340, 700, 1200), at)
    idle = np.array([[20, 5, 0]], np.uint8)
    session: Any = Recorded(rams, scores=3)
    looks = Gathering(session, idle)
    looks.add()
    sure = {
        each.spec[0]: each.confidence
        for each in looks.best("score", episodes_of(2900), prove=False)
    }
    assert sure[2] == 0.9
    assert sure[0] < 0.3
    assert sure[1] < 0.3


def test_a_score_that_rises_until_the_player_dies_needs_presses_to_rise_for_long() -> None:
    rams = (np.arange(3001) % 300 // 2).astype(np.uint8)[:, np.newaxis]
    session: Any = Recorded(rams, scores=1)
    looks = Gathering(session, np.minimum(np.arange(30, 1830, 30), 40).astype(np.uint8)[:, None])
    looks.add()
    [score] = looks.best("score", episodes_of(2900), prove=False)
    assert score.confidence >= 0.7


def test_a_score_that_falls_to_its_first_value_began_again_and_is_hardly_doubted() -> None:
    at = np.arange(3001)
    rams = np.zeros((3001, 2), np.uint8)
    rams[:, 0] = np.searchsorted((20, 60, 190, 260), at % 300)
    rams[:, 1] = rams[:, 0] + (at >= 300)  # It never falls to its first value.
    session: Any = Recorded(rams, scores=2)
    looks = Gathering(session, np.zeros((1, 2), np.uint8))
    looks.add()
    [score, other] = looks.best("score", episodes_of(2900), prove=False)
    assert (score.spec[0], other.spec[0]) == (0, 1)
    assert score.confidence >= 0.7
    assert other.confidence < 0.5


def test_a_best_score_of_any_play_is_no_score() -> None:
    """In one of two windows, no game begins again, so that the best looks like the score."""
    rams = np.zeros((6001, 2), np.uint8)
    rams[:, 0] = np.searchsorted((100, 250, 400, 3100, 3180, 3400), np.arange(6001))
    rams[600:, 0] -= np.uint8(3)
    rams[:, 1] = np.maximum.accumulate(rams[:, 0])
    rams[3000:, 1] = np.maximum.accumulate(rams[3000:, 0])
    rams[4000:, 0] = 0
    session: Any = Recorded(rams, scores=2)
    looks = Gathering(session, rams[:60])
    looks.add()
    found = looks.best("score", episodes_of(2900, 2900), prove=False)
    assert [each.spec for each in found] == [(0, "|u1")]


def test_a_number_that_carries_into_a_wider_one_is_no_score() -> None:
    """The low byte of a score falls twice in 40 rises, and looks surer than the score."""
    score = np.searchsorted(np.sort(np.arange(40) * 997 % 2800), np.arange(3001)) * 20
    rams = score.astype(">u2")[:, np.newaxis].view(np.uint8)
    session: Any = Recorded(rams)
    sure = (("|u1", 1, 0.95), (">u2", 0, 0.6))
    session.suggest = lambda _: [
        Suggestion("score", at, DataType.parse(spec), each, "+20") for spec, at, each in sure
    ]
    looks = Gathering(session, np.zeros((1, 2), np.uint8))
    looks.add()
    found = looks.best("score", episodes_of(2900), prove=False)
    assert [each.spec for each in found] == [(0, ">u2")]
