"""Scores, lives and ends that `integrator auto` finds in made-up recordings."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.ends import signs
from integrator.domain.ends.marks import EndCondition
from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace, Region
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.unattended import finding
from integrator.unattended.ends import (
    find_end,
    seen_ends,
    signs_of,
    sure_lives,
    without_odd_end,
)
from integrator.unattended.finding import Found, Gathering, cut_at_restarts
from integrator.unattended.play import Episode, idle_looks


class Recorded:
    """A session with a recording, uint8 (frames, bytes), and likely scores at its first bytes."""

    def __init__(self, rams: NDArray[np.uint8], scores: int = 0) -> None:
        self.timeline = self.memory = self
        self.space = AddressSpace([Region(0, rams.shape[1])])
        self.log = Timeline(rams.shape[1], 1)
        self.log.discontinuity("state", b"", rams[0])
        count = len(rams) - 1
        still = np.zeros((count, 1), np.uint16)
        rewards, done = np.zeros((count, 1), np.float32), np.zeros(count, np.bool_)
        self.log.append(still, rams[1:], rewards=rewards, done=done)
        self.scores = scores

    def suggest(self, _: object) -> list[Suggestion]:
        places = range(self.scores)
        return [Suggestion("score", at, DataType.parse("|u1"), 0.9, "+1") for at in places]


def episodes_of(*ends: int) -> list[Episode]:
    firsts = range(0, 3000 * len(ends), 3000)
    rows = np.zeros((2999, 1), np.uint16)
    pairs = zip(firsts, ends, strict=True)
    return [
        Episode(first, first + 2999, rows, first + end, controlled=seen_from(first, first + end))
        for first, end in pairs
    ]


def seen_from(first: int, stop: int) -> tuple[int, ...]:
    """The frames of samples at which the player has control."""
    return tuple(range(first + 120, stop, 120))


def deaths_of(*deaths: tuple[int, ...]) -> NDArray[np.uint8]:
    """Episodes of 3,000 frames: lives in byte 1 and in the high half of 5, with what looks alike.

    Byte 4 is 7 from 100 frames after the last death on.
    """
    rams = np.zeros((3000 * len(deaths) + 1, 6), np.uint8)
    at = np.arange(3000)
    for number, frames in enumerate(deaths):
        game = rams[3000 * number : 3000 * (number + 1)]
        game[:, 1] = 3 - np.searchsorted(frames, at, side="right")
        game[:, 2] = 200 - at // 500  # a clock
        game[:, 3] = np.searchsorted(frames, at, side="right")  # deaths, which rise
        game[:, 4] = np.where(at < frames[-1] + 100, 0, 7)
        game[:, 5] = game[:, 1] << 4 | at // 7 % 16
    return rams


def test_the_end_is_where_lives_count_down_and_further_signs_confirm_it() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500), (450, 700, 2100), (800, 1400, 1900)))
    episodes = episodes_of(1560, 2160, 1920)
    found = signs_of(session, episodes)
    assert [(each.address, each.mask, each.value) for each in found if each.counts] == [
        (1, None, 0),
        (5, 0xF0, 0),
    ]
    assert found[0].late == (-60, -60, -20)
    assert (4, 0, 1) in {(each.address, each.value, each.variety) for each in found}
    [best, *_] = find_end(session, episodes, [], found)
    assert str(best.condition) == "0x1 (|u1) zero"
    assert best.confidence == 0.75
    assert signs_of(session, episodes_of(1560)) == []
    # A sign that comes while the player is in control marks no end.
    goes_on = replace(episodes[2], end=None, steered=8500)
    assert signs_of(session, [*episodes[:2], goes_on]) == []


def test_play_that_begins_shortly_before_an_end_is_no_whole_count_of_lives() -> None:
    rams = deaths_of((300, 900, 1500), (450, 700, 2100), (1,))
    rams[6000:, 1] = np.where(np.arange(3001) < 500, 1, 0)
    rams[6000:, 4] = np.where(np.arange(3001) < 560, 0, 7)
    session: Any = Recorded(rams)
    episodes = episodes_of(1560, 2160, 560)
    assert not any(each.counts for each in signs_of(session, episodes))
    resumed = [*episodes[:2], replace(episodes[2], resumed=True)]
    assert any(each.counts for each in signs_of(session, resumed))
    # Ends that share the play before them are no further evidence.
    twice = [episodes[0], *(replace(each, resumed=True) for each in episodes[1:])]
    sure = [
        find_end(session, each, [], signs_of(session, each))[0].confidence
        for each in (twice, episodes)
    ]
    assert sure[0] < sure[1]


def test_a_sign_of_two_ends_is_no_likely_end() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500), (450, 700, 2100), (800, 1400, 1900)))
    episodes = episodes_of(1560, 2160, 1920)
    sure = [
        find_end(session, each, [], signs_of(session, each))[0].confidence
        for each in (
            [replace(each, rested=True) for each in episodes[:2]],
            episodes[:2],
            episodes,
        )
    ]
    assert sure == [0.3, 0.5, 0.75]


def test_the_last_life_may_be_counted_after_control_was_lost() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500), (450, 700, 2100), (800, 1400, 1900)))
    lives = Suggestion("lives", 1, DataType.parse("|u1"), 0.9, "")
    found = Found(lives, finding.values_of(session, lives), 1.0, "")
    episodes = episodes_of(1440, 2040, 1840)
    [best, *_] = find_end(session, episodes, [found], signs_of(session, episodes))
    assert str(best.condition) == "lives zero"


def test_a_sign_of_each_death_ends_a_game_together_with_the_last_life() -> None:
    deaths = ((300, 900, 1000, 1900), (450, 700, 1700, 2100), (500, 600, 700, 1800))
    rams = deaths_of(*(each[:3] for each in deaths))
    rams[:, [2, 5]] = 0
    at = np.arange(3000)
    for number, frames in enumerate(deaths):
        dying = np.any([(at >= frame - 90) & (at < frame) for frame in frames], axis=0)
        rams[3000 * number : 3000 * (number + 1), 4] = np.where(dying, 128, 0)
        falls = np.any([(at >= frame - 20) & (at < frame) for frame in frames], axis=0)
        rams[3000 * number : 3000 * (number + 1), 2] = np.where(falls, 9, 0)
    session: Any = Recorded(rams)
    lives = Suggestion("lives", 1, DataType.parse("|u1"), 0.9, "")
    found = Found(lives, finding.values_of(session, lives), 1.0, "")
    episodes = episodes_of(1920, 2160, 1920)
    [best, *_] = find_end(session, episodes, [found], signs_of(session, episodes))
    assert str(best.condition) == "0x4 (|u1) nonzero and lives zero"
    # The next game shows the end, so the sign right before it is the one.
    episodes = [replace(each, restarted=True) for each in episodes_of(1900, 2100, 1800)]
    [best, *_] = find_end(session, episodes, [found], signs_of(session, episodes))
    assert str(best.condition) == "0x2 (|u1) nonzero and lives zero"


@pytest.mark.parametrize("controlled", [2899, 920], ids=["to the last frame", "before a long wait"])
def test_lives_that_nobody_saw_run_out_are_no_sure_end(controlled: int) -> None:
    session: Any = Recorded(deaths_of((300, 900, 2950)))
    lives = Suggestion("lives", 1, DataType.parse("|u1"), 0.9, "")
    found = Found(lives, finding.values_of(session, lives)[:2900], 1.0, "")
    rows = np.zeros((2899, 1), np.uint16)
    [end] = find_end(
        session,
        [Episode(0, 2899, rows, steered=2899, controlled=seen_from(0, controlled))],
        [found],
        [],
    )
    assert str(end.condition) == "lives zero"
    assert end.confidence < 0.3


@pytest.mark.parametrize("last", [2900, 2999])
def test_no_play_that_ends_with_its_lives_says_that_they_end_no_game(last: int) -> None:
    session: Any = Recorded(deaths_of((300, 900, 2950)))
    kind, rows = DataType.parse("|u1"), np.zeros((last, 1), np.uint16)
    lives = Found(
        Suggestion("lives", 1, kind, 0.9, ""),
        session.log.ram_ranges([(1, 1)], 0)[:, 0].astype(np.int64),
        1.0,
        "",
    )
    episode = Episode(0, last, rows, controlled=seen_from(0, 2900))
    [end] = find_end(session, [episode], [lives], [])
    assert str(end.condition) == "lives zero"
    assert end.confidence < 0.3


def test_the_last_life_is_not_over_at_0_while_it_is_played() -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500)))
    lives = Suggestion("lives", 1, DataType.parse("|u1"), 0.9, "")
    rows = np.zeros((2999, 1), np.uint16)
    found = Found(lives, finding.values_of(session, lives), 1.0, "")
    ends = [
        find_end(session, [Episode(0, 2999, rows, controlled=seen)], [found], [])
        for seen in (seen_from(0, 1500), seen_from(0, 2999))
    ]
    # Nobody has control any more, or it goes on.
    assert [[str(each.condition) for each in own] for own in ends] == [["lives zero"], []]


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


def balls_of(*ends: int) -> NDArray[np.uint8]:
    """Episodes of 6,000 frames: a ball in bytes 0 and 1 until the end, a player who always moves.

    Points in byte 3 pass 20 before the end, and byte 4 blinks after it.
    """
    rams = np.zeros((6000 * len(ends) + 1, 5), np.uint8)
    at = np.arange(6000)
    for number, end in enumerate(ends):
        game = rams[6000 * number : 6000 * (number + 1)]
        game[:, 0], game[:, 1] = np.minimum(at, end) // 3, np.minimum(at, end) // 5
        game[:, 2] = at // 7
        game[:, 3] = np.searchsorted(np.arange(1, 22) * 140 + end - 21 * 140, at, side="right")
        game[:, 4] = np.where((at >= end) & (at // 70 % 2 == end // 70 % 2), 9, at // 50 % 4)
    return rams


def test_a_game_whose_player_still_moves_is_over_where_its_ball_rests() -> None:
    session: Any = Recorded(balls_of(3000, 3500, 3200))
    rows = np.zeros((5999, 1), np.uint16)
    episodes = [Episode(at, at + 5999, rows, steered=at + 5999) for at in (0, 6000, 12000)]
    looks = Gathering(session, np.zeros(5, np.uint8))
    seen, lives = seen_ends(session, looks, episodes)
    assert not lives
    assert [each.rested for each in seen] == [True, True, True]
    ends = np.array([each.end for each in seen]) - (3000, 9500, 15200)
    assert (ends >= 0).all()
    assert (ends < 60).all()
    [best, *_] = find_end(session, seen, [], signs_of(session, seen))
    assert str(best.condition) == "0x3 (|u1) equal 21"
    # In an episode without a rest, the others may be those of a player who is stuck.
    goes_on: Any = Recorded(balls_of(3000, 5900, 3200))
    assert not any(each.end for each in seen_ends(goes_on, looks, episodes)[0])


def test_a_sign_that_stays_comes_before_one_that_comes_and_goes() -> None:
    rams, at = np.zeros((9001, 2), np.uint8), np.arange(3000)
    for number, end in enumerate((1500, 2100, 1900)):
        game = rams[3000 * number : 3000 * (number + 1)]
        game[:, 0] = np.where((at >= end) & ((at - end) // 128 % 2 == 0), 5, at // 60 % 2)
        game[:, 1] = np.where(at < end + 100, 0, 7)
    session: Any = Recorded(rams)
    episodes = episodes_of(1460, 2060, 1860)
    [stays, passes, *_] = signs_of(session, episodes)
    assert (stays.address, stays.value, stays.variety) == (1, 0, 1)
    assert (passes.address, passes.value) == (0, 5)
    assert passes.late < stays.late
    assert passes.stays < 0.7


def test_control_that_came_back_after_a_longer_wait_before_is_not_lost_for_good() -> None:
    episode = Episode(100, 1600, np.zeros((1500, 1), np.uint16), steered=500)
    assert episode.ended_by(960).end == 620
    assert episode.ended_by(960).ended_by(1440).end is None


def test_control_that_was_seen_once_has_no_end_to_learn_from() -> None:
    episode = Episode(100, 1600, np.zeros((1500, 1), np.uint16), steered=220)
    assert episode.ended_by(960).end is None
    assert replace(episode, steered=340).ended_by(960).end == 460


def test_signs_are_the_same_in_blocks_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    session: Any = Recorded(deaths_of((300, 900, 1500), (450, 700, 2100), (800, 1400, 1900)))
    episodes = episodes_of(1560, 2160, 1920)
    whole = [(each.address, each.value, each.cost) for each in signs_of(session, episodes)]
    monkeypatch.setattr(signs, "_BLOCK", 2)
    parts = [(each.address, each.value, each.cost) for each in signs_of(session, episodes)]
    assert parts == whole


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


@dataclass
class NoEnds:
    """A line in which nothing marks an end."""

    specs: dict[str, VariableSpec]

    def run(self) -> list[EndCondition]:
        return []


def test_lost_lives_that_are_counted_up_end_no_game() -> None:
    at = np.arange(9001)
    # Each game loses four lives, and the next one counts from 0 again.
    lost = np.minimum(at % 3000 // 500, 4)
    session: Any = Recorded(lost[:, np.newaxis].astype(np.uint8))
    named = Suggestion("lives", 0, DataType.parse("|u1"), 0.85, "rises by 1")
    session.suggest = lambda _: [named]
    session.ends_run = lambda _: NoEnds({})
    looks = Gathering(session, np.zeros((1, 1), np.uint8))
    looks.add()
    episodes = episodes_of(2400, 2400, 2400)
    lives = looks.best("lives", episodes, prove=False)
    assert [each.confidence for each in lives] == [0.0]
    assert find_end(session, episodes, lives, []) == []


def ends_of(session: Any, episodes: list[Episode], lives: Sequence[Found] = ()) -> list[str]:
    every, found = without_odd_end(session, episodes)
    return [str(each.condition) for each in find_end(session, every, lives, found)]


def test_a_clock_is_no_sign_of_ends_at_other_times() -> None:
    rams = np.zeros((9001, 2), np.uint8)
    ends = (1500, 1750, 1990)
    for number, end in enumerate(ends):
        rams[3000 * number : 3000 * (number + 1), 0] = np.arange(3000) // 256  # 7 from 1792 on
        rams[3000 * number + end + 200 : 3000 * (number + 1), 1] = 1
    session: Any = Recorded(rams)
    episodes = episodes_of(*(end + 60 for end in ends))
    assert ends_of(session, episodes) == ["0x1 (|u1) nonzero"]


def test_a_byte_that_changes_only_after_the_ends_is_a_sign_whatever_its_values() -> None:
    rams, at = np.zeros((9001, 1), np.uint8), np.arange(3000)
    ends = (1500, 2100, 1900)
    for number, end in enumerate(ends):
        rams[3000 * number : 3000 * (number + 1), 0] = np.where(at < end, 0, 1 + (at - end) // 7)
    session: Any = Recorded(rams)
    episodes = [replace(each, restarted=True) for each in episodes_of(1800, 2400, 2200)]
    assert ends_of(session, episodes) == ["0x0 (|u1) nonzero"]


def test_a_sign_may_come_ten_seconds_after_control_was_lost() -> None:
    rams = np.zeros((9001, 1), np.uint8)
    ends = (1500, 2100, 1900)
    for number, end in enumerate(ends):
        rams[3000 * number + end : 3000 * (number + 1)] = 1
    session: Any = Recorded(rams)
    assert ends_of(session, episodes_of(900, 2040, 1840)) == ["0x0 (|u1) nonzero"]


def test_a_player_who_is_stuck_hides_no_sign_of_the_other_ends() -> None:
    rams = np.zeros((15001, 1), np.uint8)
    ends = (1500, 2100, 1900, 1700, 3000)  # The last game goes on, but nobody can move.
    for number, end in enumerate(ends):
        rams[3000 * number + end : 3000 * (number + 1)] = 1
    session: Any = Recorded(rams)
    session.ends_run = lambda _: NoEnds({})
    episodes = episodes_of(1540, 2140, 1940, 1740, 2000)
    assert ends_of(session, episodes) == ["0x0 (|u1) nonzero"]
    # Two of them are too many.
    assert ends_of(session, [*episodes, replace(episodes[4], last=14998)]) == []


@pytest.mark.parametrize(
    ("lasting", "is_over"), [((240, 250, 245), True), ((140, 240, 330), False)]
)
def test_the_last_life_has_no_end_where_a_later_sign_comes_at_other_times(
    lasting: tuple[int, ...], is_over: bool
) -> None:
    rams, falls = np.zeros((9001, 2), np.uint8), (1500, 2100, 1900)
    for number, (fall, long) in enumerate(zip(falls, lasting, strict=True)):
        game = rams[3000 * number : 3000 * (number + 1)]
        game[:, 0] = np.where(np.arange(3000) < fall, 1, 0)
        game[fall + long :, 1] = 64
    lives = Suggestion("lives", 0, DataType.parse("|u1"), 0.9, "")
    session: Any = Recorded(rams)
    found = Found(lives, rams[:, 0].astype(np.int64), 1.0, "")
    episodes = [
        replace(each, restarted=True, controlled=(), end=each.first + fall + long + 300)
        for each, fall, long in zip(episodes_of(*falls), falls, lasting, strict=True)
    ]
    assert ("lives zero" in ends_of(session, episodes, [found])) == is_over
    assert "0x1 (|u1) nonzero" in ends_of(session, episodes, [found])


def test_what_a_demo_counts_down_are_no_lives() -> None:
    rams, at = np.zeros((9001, 1), np.uint8), np.arange(3000)
    for number, end in enumerate((1500, 1100, 1300)):
        counted = 5 - np.clip((at - end) // 200, -1, 3)
        rams[3000 * number : 3000 * (number + 1), 0] = counted
    session: Any = Recorded(rams)
    assert not any(each.counts for each in signs_of(session, episodes_of(1560, 1160, 1360)))
