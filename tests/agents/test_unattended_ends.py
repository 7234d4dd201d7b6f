"""Ends of games that `integrator auto` finds in made-up recordings."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from made_up_play import NoEnds, Recorded, deaths_of, episodes_of, restarted, seen_from
from numpy.typing import NDArray

from integrator.domain.ends import signs
from integrator.domain.ends.marks import EndCondition, EndTest
from integrator.domain.ends.signs import EndSign
from integrator.domain.scenario.tree import OPS, Condition, Measurement, TestSpec
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import DataType
from integrator.unattended import finding, play
from integrator.unattended.ends import (
    find_end,
    seen_at_restarts,
    seen_ends,
    signs_of,
    without_odd_end,
)
from integrator.unattended.finding import Found, Gathering
from integrator.unattended.play import Episode
from integrator.unattended.reaching import Reached
from libretro_host.host import CapturePlan


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
    deaths = 2 * ((300, 900, 1000, 1900), (450, 700, 1700, 2100), (500, 600, 700, 1800))
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
    own = episodes_of(*2 * (1900, 2100, 1800))
    episodes = [restarted(each) for each in own]
    [best, *_] = find_end(session, episodes, [found], signs_of(session, episodes))
    assert str(best.condition) == "0x2 (|u1) nonzero and lives zero"
    assert best.confidence == 0.5, "the next game may wait for a press"
    # Play that was resumed after the end shows the sign all the time.
    rams[9000:, [1, 4]] = (0, 128)
    session = Recorded(rams)
    found = Found(lives, finding.values_of(session, lives), 1.0, "")
    wrong = [replace(each, resumed=True) for each in episodes_of(*6 * (1000,))[3:]]
    every = [*episodes_of(1920, 2160, 1920), *wrong]
    [best, *_] = find_end(session, every, [found], signs_of(session, every))
    assert str(best.condition) == "0x4 (|u1) nonzero and lives zero"


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


def balls_of(*ends: int) -> NDArray[np.uint8]:
    """Episodes of 6,000 frames: a ball in bytes 0 and 1 until the end, a player who always moves.

    Points in byte 3 pass 20 before the end, and byte 4 blinks after it."""
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
    # If all rest at the same time, they may be those of music.
    for others in (balls_of(3000, 5900, 3200), balls_of(3000, 3000, 3000)):
        session = Recorded(others)
        assert not any(each.end for each in seen_ends(session, looks, episodes)[0])


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
    sure = [
        find_end(session, episodes, [], [replace(passes, stays=share)])[0].confidence
        for share in (1.0, 0.1)
    ]
    assert sure[0] > sure[1]


def test_control_that_came_back_after_a_longer_wait_before_is_not_lost_for_good() -> None:
    episode = Episode(100, 1600, np.zeros((1500, 1), np.uint16), steered=500)
    assert episode.ended_by(960).end == 620
    assert episode.ended_by(960).ended_by(1440).end is None


def test_a_game_that_begins_after_a_long_wait_is_not_of_the_episode_before() -> None:
    rows = np.zeros((3600, 1), np.uint16)
    looks = (220, 340, 460, 580, 2800, 2920)
    episode = Episode(100, 3000, rows, steered=2920, controlled=looks).ended_by(1440)
    assert (episode.end, episode.last, episode.steered) == (700, 2799, 580)
    assert episode.controlled == looks[:4]
    # An end that comes too early to learn from hides no other end: nothing after it is play.
    early = replace(Episode(100, 3000, rows, steered=2920), controlled=(220, 2800, 2920))
    assert (early.ended_by(1440).end, early.ended_by(1440).doubtful) == (None, 220)


class _Seldom:
    """A session and its player in a game that is steered on some frames only."""

    host = property(lambda self: SimpleNamespace(serialize=lambda: self.timeline.length))

    def __init__(self, steered: Callable[[int], bool]) -> None:
        self.timeline = SimpleNamespace(length=0, lent=nullcontext)
        self.reacts, self.patience = steered, 960

    def load_state(self, *_: object) -> None: ...

    def run(self, rows: NDArray[np.uint16], _: CapturePlan) -> None:
        self.timeline.length += len(rows)


def test_a_wait_for_the_next_game_teaches_no_patience() -> None:
    """Frostbite's next game begins by itself after 2,400 frames, as a long stretch shows."""
    start = Reached(0, np.zeros((0, 1), np.uint16), 8)  # type: ignore[arg-type]  # a frame number

    def played(game: Any) -> Episode:
        rows = iter([np.zeros((6000, 1), np.uint16)])
        return play.play_episode(game, game, start, rows, 6000)

    game = _Seldom(lambda frame: frame <= 1200 or frame >= 3600)
    ended = played(game)
    assert (game.patience, ended.end, ended.last) == (960, 1320, 3599)
    # Waits in play are shorter than those for the next game, and lengthen what counts as one.
    slow = _Seldom(lambda frame: frame % 840 == 0)
    assert (played(slow).end, slow.patience) == (None, 1680)


class _BegunByPress:
    """A session and its player in a game that is over after 1,000 frames; then a press restarts
    it. A state is the number of the game's frames."""

    host = property(lambda self: SimpleNamespace(serialize=lambda: self.state))

    def __init__(self) -> None:
        self.timeline = SimpleNamespace(length=0, lent=nullcontext)
        self.state, self.seen = 0, [0]

    def load_state(self, state: int, _: str) -> None:
        self.state = state

    def run(self, rows: NDArray[np.uint16], _: CapturePlan) -> None:
        for row in rows[:, 0]:
            self.state = 0 if row and self.state >= 1000 else self.state + 1
            self.seen.append(self.state)
        self.timeline.length += len(rows)

    def go(self, state: int, rows: NDArray[np.uint16]) -> tuple[int, None]:
        other = _BegunByPress()
        other.state = state
        other.run(rows, CapturePlan())
        return other.state, None

    def rows(self, *holds: tuple[int, int]) -> NDArray[np.uint16]:
        return np.zeros((sum(frames for _, frames in holds), 1), np.uint16)


def test_games_that_a_press_restarted_are_played_without_it() -> None:
    game: Any = _BegunByPress()
    rows = np.zeros((3000, 1), np.uint16)
    rows[[1039, 2139]] = 1
    game.run(rows, CapturePlan())
    one, other = (
        restarted(Episode(at, 0, rows[at - 1 :], at + 1039 + 61 * (at > 1))) for at in (1, 1040)
    )
    rest = Episode(2140, 3000, rows[2139:])
    assert [game.seen[each.stop - 1] for each in (one, other)] == [0, 0]
    start = Reached(0, rows[:0], 8)  # type: ignore[arg-type]  # a number of frames
    first, *played = play.without_restarts(game, game, start, [one, other, rest])
    assert first is rest
    assert [each.stop - each.first for each in played] == [1040, 1101]
    for each, begin in zip(played, (1, 0), strict=True):
        shown = game.seen[each.first : each.last + 1]
        assert shown == list(range(begin, begin + each.last + 1 - each.first))
    assert play.without_restarts(game, game, start, [replace(one, resumed=True)]) == []


def test_lives_begin_the_next_game_and_numbers_that_are_set_before_do_not() -> None:
    rams, at = np.zeros((9001, 3), np.uint8), np.arange(9001)
    fallen = np.searchsorted((700, 1500, 2100), at % 3000, side="right")
    rams[:, 0] = np.where(fallen < 3, 2 - fallen, 2)  # Set to its first value by the last death.
    rams[:, 1] = 3 - fallen
    rams[:, 2] = (at > 2100) & (fallen == 3)
    rams[:, :2][at % 3000 < 300] = (2, 3)
    session: Any = Recorded(rams)
    looks = Gathering(session, np.zeros((1, 3), np.uint8))
    looks.add()
    whole = Episode(0, 9000, np.zeros((9001, 1), np.uint16), steered=9000)
    games, [lives] = seen_ends(session, looks, [whole])
    assert lives.address == 1
    assert [each.end for each in games] == [2999, 5999, 8999, None]


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
    episodes = [restarted(each) for each in episodes_of(1800, 2400, 2200)]
    assert ends_of(session, episodes) == ["0x0 (|u1) nonzero"]


def test_the_sign_bit_of_a_byte_of_many_values_is_a_sign() -> None:
    rams, at = np.zeros((9001, 2), np.uint8), np.arange(3000)
    ends = (1500, 2100, 1900)
    for number, end in enumerate(ends):
        counted = at // 7 % 100
        rams[3000 * number : 3000 * (number + 1), 0] = np.where(at < end, counted, counted + 128)
        rams[3000 * number : 3000 * (number + 1), 1] = np.where(at < end, counted + 128, counted)
    session: Any = Recorded(rams)
    assert set(ends_of(session, episodes_of(1520, 2120, 1920))) == {
        "0x0 (|i1) negative",
        "0x1 (|i1) greater-or-equal 0",
    }


@pytest.mark.parametrize("is_played", [True, False], ids=["played", "over"])
def test_lives_at_0_are_no_end_while_the_last_of_them_is_played(is_played: bool) -> None:
    falls = ((300, 900, 1500), (450, 700, 2100), (800, 1400, 1900))
    session: Any = Recorded(deaths_of(*falls)[:, :2])
    session.ends_run = lambda _: NoEnds({})
    episodes = [
        restarted(each, end=each.first + last + 390, controlled=seen_from(each.first, stop))
        for each, (*_, last) in zip(episodes_of(0, 0, 0), falls, strict=True)
        for stop in [each.first + last + 300 * is_played]
    ]
    assert bool(ends_of(session, episodes)) is not is_played


def test_a_sign_that_a_press_hides_is_dropped() -> None:
    rams, ends = np.zeros((9001, 2), np.uint8), (1500, 2100, 1900)
    for number, end in enumerate(ends):
        rams[3000 * number + end - 2 : 3000 * number + end + 1, 0] = 0x85
    session: Any = Recorded(rams)
    late = (0, 0, 0)
    shown = EndSign(0, signs.SIGN_BIT, 0x80, late, 2, counts=False, stays=1.0)
    hidden = EndSign(1, None, 0, late, 1, counts=False, stays=1.0)
    episodes = [restarted(each) for each in episodes_of(*ends)]
    assert seen_at_restarts(session, [shown, hidden], episodes) == [shown]
    assert seen_at_restarts(session, [], episodes) == []


def test_a_sign_may_come_ten_seconds_after_control_was_lost() -> None:
    rams = np.zeros((9001, 1), np.uint8)
    ends = (1500, 2100, 1900)
    for number, end in enumerate(ends):
        rams[3000 * number + end : 3000 * (number + 1)] = 1
    session: Any = Recorded(rams)
    assert ends_of(session, episodes_of(900, 2040, 1840)) == ["0x0 (|u1) nonzero"]


def test_a_game_may_be_over_long_before_a_press_begins_the_next() -> None:
    rams, ends = np.zeros((9001, 1), np.uint8), (1500, 2100, 1900)
    for number, end in enumerate(ends):
        rams[3000 * number + end : 3000 * number + end + 700] = 1
    session: Any = Recorded(rams)
    episodes = [
        restarted(each, end=each.first + end + 700, controlled=seen)
        for each, end in zip(episodes_of(*ends), ends, strict=True)
        for seen in [seen_from(each.first, each.first + end)]
    ]
    session.ends_run = lambda _: NoEnds({})
    found = find_end(session, episodes, [], signs_of(session, episodes))
    assert [(str(each.condition), each.confidence) for each in found] == [
        ("0x0 (|u1) nonzero", 0.63)
    ]


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


def test_wrong_ends_of_play_that_was_resumed_hide_no_sign_of_the_other_ends() -> None:
    rams = np.zeros((15001, 1), np.uint8)
    for number, end in enumerate((1500, 2100, 1900)):
        rams[3000 * number + end : 3000 * (number + 1)] = 1
    session: Any = Recorded(rams)
    played, resumed = np.split(np.array(episodes_of(1560, 2160, 1960, 800, 500)), [3])
    episodes = [*played, *(replace(each, resumed=True) for each in resumed)]
    assert ends_of(session, episodes) == ["0x0 (|u1) nonzero"]


def test_a_condition_that_holds_in_play_is_no_end() -> None:
    session: Any = Recorded(np.zeros((6001, 1), np.uint8))
    spec = TestSpec("", Measurement.ABSOLUTE, OPS["zero"], 0)
    tests = (EndTest(spec, 0, DataType.parse("|u1")),)
    mined = EndCondition(tests, Condition.ANY, (), ())
    run = NoEnds({})
    session.ends_run = lambda _: run
    found = []
    for alarms in ((), (700,)):
        run.found = [replace(mined, false_alarms=alarms)]
        found.append(ends_of(session, episodes_of(1560, 2160)))
    assert found == [["0x0 (|u1) zero"], []]


def test_a_sign_is_clear_that_comes_before_the_next_look_for_control() -> None:
    rams = np.zeros((15001, 1), np.uint8)
    for number, end in enumerate((1500, 2100, 1900, 1700, 3000)):
        rams[3000 * number + end : 3000 * (number + 1)] = 1
    session: Any = Recorded(rams)
    session.ends_run = lambda _: NoEnds({})
    assert ends_of(session, episodes_of(1400, 2000, 1800, 1600, 2000)) == ["0x0 (|u1) nonzero"]


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
        restarted(
            each,
            # A player who goes on with the last life has control.
            controlled=tuple(range(each.first, each.first + fall + long * (not is_over), 30)),
            end=each.first + fall + long + 300,
        )
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
