"""Rules of the audit about ends of episodes: they come in time, and not before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from audit_plays import FRAMES, LIVES, MORTAL, SCENE, SCORE, kinds, noise, play, rises
from numpy.typing import NDArray

from integrator.domain.audit.play import ScoredPlay
from integrator.domain.audit.rules import judge_game, judge_play


def over_at(row: int) -> Callable[[int], NDArray[np.uint8]]:
    """Memory in which but a clock moves from a frame on."""
    return lambda frame: np.append(noise(min(frame, row)), np.uint8(frame & 255))


def test_a_game_that_stands_still_until_the_end_is_over() -> None:
    ends = np.where(np.arange(FRAMES) < 1500, rises(SCORE), 0.0)
    judged = play({"score": ends}, {"score": SCORE})
    [trap] = judge_play(judged, over_at(1500), SCENE)
    assert trap.kind == "done-missed"
    assert abs(trap.frames[0] - 1500) <= 120
    assert kinds(judge_play(judged, over_at(FRAMES - 400), SCENE)) == set()
    done = replace(judged, done=np.arange(FRAMES) >= 1550)
    assert kinds(judge_play(done, over_at(1500), SCENE)) == set()
    idle = replace(judged, inputs=np.zeros(FRAMES, np.uint16))
    assert kinds(judge_play(idle, over_at(1500), SCENE)) == set()
    paid = play({"score": rises(SCORE)}, {"score": SCORE})
    assert kinds(judge_play(paid, over_at(1500), SCENE)) <= {"farming"}


def test_done_on_frames_that_pay_is_too_early_though_lives_are_lost_soon() -> None:
    def ended(row: int, **more: NDArray[np.integer]) -> ScoredPlay:
        pays = np.isin(np.arange(FRAMES), [row, row + 400]) * 1.0
        lives = np.where(np.arange(FRAMES) < row + 60, 3, 2)
        return play({"score": pays}, {"lives": lives, **more}, done=row, source="x" * row)

    rows = (100, 250, 700)
    [trap] = judge_game([ended(row) for row in rows], SCENE)
    assert (trap.kind, trap.frames) == ("done-alive", (101, 101))
    assert "3 of 3 plays" in trap.evidence
    passed = [ended(row, level=np.where(np.arange(FRAMES) < row, 1, 2)) for row in rows]
    assert kinds(judge_game(passed, SCENE)) == set()
    died = [replace(ended(row), done=np.arange(FRAMES) >= row + 60) for row in rows]
    assert kinds(judge_game(died, SCENE)) == set()
    assert kinds(judge_game([ended(100), ended(250), *died], SCENE)) == set()


def test_lives_that_are_gone_without_done() -> None:
    def missed(*plays: ScoredPlay) -> list[tuple[str, tuple[int, int]]]:
        found = judge_game(plays, SCENE)
        return [(trap.source, trap.frames) for trap in found if trap.kind == "done-missed"]

    lives = np.where(np.arange(FRAMES) < 2000, 2, 255)
    values = {"score": SCORE, "lives": lives}
    never = play({"score": rises(SCORE)}, values)
    assert missed(never) == [("movie.bk2", (2001, FRAMES))]
    assert missed(play({"score": rises(SCORE)}, values, done=2010)) == []
    last_is_below_zero = np.select(
        [np.arange(FRAMES) < 1000, np.arange(FRAMES) < 2000], [0, -1], -2
    )
    values = {"score": SCORE, "lives": last_is_below_zero}
    done = play({"score": rises(SCORE)}, values, done=2010)
    assert missed(done) == []
    # In a play that ends on the last life, another play tells that -1 is not the end.
    alive = {"score": SCORE, "lives": last_is_below_zero.clip(min=-1)}
    still_alive = play({"score": rises(SCORE)}, alive, source="alive.bk2")
    assert missed(still_alive) == [("alive.bk2", (1001, FRAMES))]
    assert missed(still_alive, done) == []


def test_a_new_game_without_done() -> None:
    frame = np.arange(FRAMES)
    score = np.where(frame < 1500, SCORE, SCORE - SCORE[1500])
    lives = np.select([frame < 800, frame < 1530], [3, 1], 3)
    values = {"score": score, "lives": lives}
    pressed = np.where(frame // 7 % 3, 16, 256).astype(np.uint16)
    anew = replace(play({"score": rises(score)}, values), inputs=pressed)
    [trap] = judge_game([anew], SCENE)
    assert (trap.kind, trap.frames) == ("done-missed", (1531, FRAMES))
    assert "score and lives restart" in trap.evidence
    assert judge_game([replace(anew, done=frame >= 1480)], SCENE) == []
    selected = (frame > 1490) & (frame < 1500)
    left = replace(anew, inputs=np.where(selected, 4, pressed).astype(np.uint16))
    assert judge_game([left], SCENE) == []
    won = replace(anew, values={"score": SCORE, "lives": lives})
    assert judge_game([won], SCENE) == []
    for rise, named in ((1, []), (2, ["done-missed"])):
        poor = {"score": np.zeros_like(SCORE), "lives": np.where(lives == 1, 3 - rise, 3)}
        judged = judge_game([replace(anew, values=poor)], SCENE)
        assert [trap.kind for trap in judged if trap.is_serious] == named


def test_done_while_nothing_is_lost() -> None:
    values = {"score": SCORE, "lives": LIVES}
    events = np.isin(np.arange(FRAMES), np.cumsum(np.arange(40, 110))) * 10.0
    [trap] = judge_game([play({"score": events}, values, done=500), MORTAL], SCENE)
    assert (trap.kind, trap.frames[0]) == ("done-alive", 501)
    level = np.where(np.arange(FRAMES) < 480, 1, 2)
    passed = play({"score": events}, {**values, "level": level}, done=500)
    assert judge_game([passed, MORTAL], SCENE) == []
    # Without another play, nothing shows that the number at rest counts lives.
    assert judge_game([play({"score": events}, values, done=500)], SCENE) == []


def test_done_on_the_last_life_may_be_death() -> None:
    frame = np.arange(FRAMES)
    events = np.isin(frame, np.cumsum(np.arange(40, 110))) * 10.0

    def named(lives: NDArray[np.integer]) -> list[str]:
        judged = play({"score": events}, {"score": SCORE, "lives": lives}, done=500)
        return [trap.kind for trap in judge_game([judged, MORTAL], SCENE)]

    # In many games 0 is the last life, and stays so when the game is over, until the next begins.
    assert named(np.select([frame < 200, frame < 800], [2, 0], 2)) == []
    assert named(np.select([frame < 200, frame < 800], [2, 1], 0)) == ["done-alive"]
    assert named(LIVES) == ["done-alive"]


def test_a_clock_that_pays_after_done_does_not_tell_of_life() -> None:
    drip = (np.arange(FRAMES) % 50 == 49) * 1.0
    events = np.isin(np.arange(FRAMES), [90, 190, 340]) * 10.0
    values = {"score": SCORE, "lives": LIVES}
    dripped = play({"script": drip + events}, values, done=500)
    assert "done-alive" not in kinds(judge_game([dripped, MORTAL], SCENE))
    earned = play({"script": drip, "score": np.roll(events, 400)}, values, done=500)
    assert "done-alive" in kinds(judge_game([earned, MORTAL], SCENE))
    ends = [
        play({"clock": np.ones(FRAMES)}, values, done=row, source="x" * row)
        for row in (100, 250, 700)
    ]
    assert "done-alive" not in kinds(judge_game([*ends, MORTAL], SCENE))


def test_done_that_tests_the_time_alone_though_lives_are_known() -> None:
    scene = replace(SCENE, done_tests=frozenset({"time"}))
    moments = np.arange(FRAMES)
    lives = np.where(moments < 400, 1, -1)
    time = 60 - moments // 60
    # The time stands still for a second, at another moment of each play.
    hit = [np.where(moments < 60 * n, time, np.roll(time, 60)) for n in (5, 11, 17)]
    seldom = 60 - np.searchsorted(np.cumsum(np.arange(20, 95)), moments)

    def game(times: list[NDArray[np.integer]], lives: NDArray[np.integer]) -> list[ScoredPlay]:
        return [
            play({"score": rises(SCORE)}, {"lives": lives, "time": each}, source="x" * (n + 1))
            for n, each in enumerate(times)
        ]

    [trap] = [t for t in judge_game(game([time] * 3, lives), scene) if t.kind == "clock-only"]
    assert "done tests time alone" in trap.evidence
    assert "not lives" in trap.evidence
    assert "clock-only" in kinds(judge_game(game(hit, lives), scene))
    for honest in (
        judge_game(game([time] * 3, lives), replace(scene, done_tests=frozenset())),
        judge_game(game([time] * 3, lives), replace(scene, done_tests=frozenset({"lives"}))),
        judge_game(
            game([time] * 3, lives), replace(scene, done_tests=scene.done_tests | {"lives"})
        ),
        judge_game(game([seldom] * 3, lives), scene),
        judge_game(game([60 - moments // each for each in (60, 45, 30)], lives), scene),
        judge_game(game([time + moments // 60 * (moments // 60 % 3) for _ in hit], lives), scene),
        judge_game(game([np.full(FRAMES, 60)] * 3, lives), scene),
        judge_game(game([time] * 2, lives), scene),
    ):
        assert "clock-only" not in kinds(honest)


def test_all_plays_end_on_one_frame() -> None:
    def ending(row: int, source: str) -> ScoredPlay:
        return play({"score": rises(SCORE)}, {"score": SCORE}, done=row, source=source)

    assert kinds(judge_game([ending(900, "a"), ending(900, "bb"), ending(901, "ccc")], SCENE)) == {
        "clock-only"
    }
    assert kinds(judge_game([ending(3, "a"), ending(3, "bb"), ending(3, "ccc")], SCENE)) == {
        "done-at-once"
    }
    assert judge_game([ending(900, "a"), ending(901, "bb"), ending(1200, "ccc")], SCENE) == []


def test_lives_that_are_lost_at_one_obstacle_are_no_clock() -> None:
    def ending(source: str, fall: int) -> ScoredPlay:
        lives = np.where(np.arange(FRAMES) < fall, 1, 0)
        values = {"score": SCORE, "lives": lives}
        return play({"score": rises(SCORE)}, values, done=900, source=source)

    asked = replace(SCENE, done_tests=frozenset({"lives"}))
    same = [ending(source, 900) for source in ("a", "bb", "ccc")]
    assert "clock-only" not in kinds(judge_game(same, asked))
    assert "clock-only" in kinds(judge_game(same, SCENE))
    other = [ending(source, 600) for source in ("a", "bb", "ccc")]
    assert "clock-only" in kinds(judge_game(other, asked))


def test_a_done_before_the_game_is_over_misses_nothing() -> None:
    lives = np.where(np.arange(FRAMES) < 2000, 2, -1)
    early = play({"score": rises(SCORE)}, {"lives": lives, "score": SCORE}, done=1500)
    early = replace(early, done=np.arange(FRAMES) == 1500)
    assert "done-missed" not in kinds(judge_game([early], SCENE))
    never = play({"score": rises(SCORE)}, {"lives": lives, "score": SCORE})
    assert "done-missed" in kinds(judge_game([never], SCENE))


def test_most_plays_that_end_together_end_by_the_clock() -> None:
    plays = [
        play({"score": rises(SCORE)}, {"score": SCORE}, done=400 + (50 if n == 4 else 0),
             source="x" * (n + 1))
        for n in range(5)
    ]  # fmt: skip
    [trap] = [t for t in judge_game(plays, SCENE) if t.kind == "clock-only"]
    assert "4 of 5 plays end on frame 401" in trap.evidence
    assert "clock-only" not in kinds(judge_game(plays[2:], SCENE))


def test_plays_that_end_together_in_the_midst_of_life_end_by_the_clock() -> None:
    def game(lives: NDArray[np.integer]) -> list[ScoredPlay]:
        values = {"score": SCORE, "lives": lives}
        ends = [400, 400, 400, 500, 600, 700]
        return [
            play({"score": rises(SCORE)}, values, done=row, source="x" * (n + 1))
            for n, row in enumerate(ends)
        ]

    later = np.where(np.arange(FRAMES) < 2900, 1, 0)
    [trap] = [t for t in judge_game(game(later), SCENE) if t.kind == "clock-only"]
    assert "3 of 6 plays end on frame 401" in trap.evidence
    lost = np.where(np.arange(FRAMES) < 400, 1, 0)
    assert "clock-only" not in kinds(judge_game(game(lost), SCENE))


def test_a_scenario_without_done_is_named_where_lives_fall() -> None:
    scene = replace(SCENE, has_done=False)
    falling = np.where(np.arange(FRAMES) < 1200, 3, np.where(np.arange(FRAMES) < 2400, 2, 1))
    mortal = play({"score": rises(SCORE)}, {"score": SCORE, "lives": falling})
    [trap] = [each for each in judge_game([mortal, MORTAL], scene) if each.kind == "done-missed"]
    assert trap.is_serious
    assert "although lives fell 2 times" in trap.evidence
    assert kinds(judge_game([mortal, MORTAL], SCENE)) == set()
    deathless = play({"score": rises(SCORE)}, {"score": SCORE})
    [trap] = [each for each in judge_game([deathless], scene) if each.kind == "done-missed"]
    assert not trap.is_serious
