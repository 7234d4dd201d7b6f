"""From a bare ROM to an integration that stable-retro runs alike, by mouse and keyboard alone."""

import json
import shutil
import sys
from collections.abc import Callable
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

import pytest
from real_window import NEEDS, Screen, wait_until
from seen_window import SeenWindow
from whole_job import (
    Place,
    begin_to_play,
    branch_rewards,
    draw_crop,
    find_by_facts,
    find_by_value,
    leave_a_branch,
    make_integration,
    play_back,
    record,
    reward_and_done,
    save,
    save_start_state,
    slider_reward,
    verify,
)

from integrator.commands.shared.options import airstriker, demo_game
from integrator.paths import user_integrations_dir
from integrator.session.library.checks.judge import judge

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(NEEDS), reason=NEEDS),
    pytest.mark.usefixtures("own_home"),
]

STEPS = 1000
MOST_CLICKS = 40
"""The whole job of a game takes about 30, with some 50 keys, and a minute of a quiet machine."""
MOTH_MODE, MOTH_IN_PLAY = Place(0x300, "|u1"), 1
MOTH_SCORE, MOTH_LIVES = Place(0x306, ">d3"), Place(0x302, "|u1")
STRIKER_SCORE, STRIKER_LIVES = Place(0xFF024E, ">u4"), Place(0xFF025A, ">u2")
SMALL, SHARP = Screen(1280, 720), Screen(2560, 1440, scale=2)


def written(directory: Path) -> tuple[Any, Any, Any]:
    """The variables, the scenario and the metadata."""
    data, scenario, metadata = (
        json.loads((directory / f"{name}.json").read_text())
        for name in ("data", "scenario", "metadata")
    )
    return data["info"], scenario, metadata


def judged(directory: Path) -> float:
    """stable-retro gives the same reward, done and info on random steps; the reward's sum.

    Some random players score nothing, wherever the start state is: then another plays."""
    total = 0.0
    for seed in range(1, 9):
        verdict = judge(directory, steps=STEPS, seed=seed)
        assert verdict.agrees, verdict.first_difference
        total += verdict.total_reward
        if total:
            break
    return total


def test_ember_moth_from_a_bare_rom(
    at_screen: Callable[..., SeenWindow], tmp_path: Path, screen: Screen
) -> None:
    rom = Path(shutil.copy(demo_game() / "rom.nes", tmp_path / "night flyer (v2).nes"))
    window = at_screen()

    def in_play() -> bool:
        return MOTH_MODE.read(window) == MOTH_IN_PLAY

    def score_again() -> None:
        before = MOTH_SCORE.read(window)
        window.play_until(lambda: MOTH_SCORE.read(window) != before, "another score", "Down")

    def lose_a_life() -> int:
        before = MOTH_LIVES.read(window)
        keys = ("Down", "space")
        return window.play_until(lambda: MOTH_LIVES.read(window) != before, "a hit", *keys)

    make_integration(window, rom, "NightFlyer-Nes")
    begin_to_play(window, in_play)
    save_start_state(window, "Flying")
    score_again()
    find_by_value(window, "score", MOTH_SCORE, score_again, looks=2)
    for _ in range(5):
        window.key("ctrl+r")
        hits = [begin_to_play(window, in_play), lose_a_life(), lose_a_life()]
        # Fast-forward may run into the next hits before it is let go, and so past the last life.
        if MOTH_LIVES.read(window) < 0x80:
            break
    facts = [f"{before}..{after} down" for before, after in pairwise(hits)]
    find_by_facts(window, "lives", MOTH_LIVES, facts)
    window.click_on("|u1", times=2, kind="cell", panel="Variables")
    window.key("ctrl+a")
    window.type("|i1")
    window.key("Return")
    window.find("|i1", kind="cell", panel="Variables")
    leave_a_branch(window, 0.6)
    wait_until(lambda: branch_rewards(window) == [0], "a branch that pays nothing yet")
    assert slider_reward(window) == 0
    reward_and_done(window, "score", "lives")
    wait_until(lambda: branch_rewards(window)[0] > 0, "the branch to pay by the new scenario")
    wait_until(lambda: slider_reward(window) > 0, "the slider's curve")
    # Game over is -1: with "zero" the last life would not be played.
    window.click_on("zero", times=2, kind="cell", panel="Done")
    window.click_on("negative", kind="cell", panel="Done", of="QListView")
    window.find("negative", kind="cell", panel="Done", of="DoneTree")
    crop = draw_crop(window)
    directory = user_integrations_dir() / "NightFlyer-Nes"
    save(window, directory)
    verify(window, directory.name)
    sys.stdout.write(f"{directory.name}, {screen}: {window.effort()}\n")
    assert window.acts["clicks"] <= MOST_CLICKS
    window.leave()
    variables, scenario, metadata = written(directory)
    assert variables["score"] == {"address": 0x306, "type": ">d3"}
    assert variables["lives"] == {"address": 0x302, "type": "|i1"}
    assert scenario["reward"] == {"variables": {"score": {"reward": 1.0}}}
    assert scenario["done"] == {"variables": {"lives": {"op": "negative"}}}
    assert scenario["crop"] == crop
    assert all(crop[2:])
    assert metadata == {"default_state": "Flying"}
    assert judged(directory) > 0


@pytest.mark.parametrize("screen", [SMALL, SHARP], indirect=True, ids=str)
def test_airstriker_from_a_bare_rom_on_other_screens(
    at_screen: Callable[..., SeenWindow], tmp_path: Path, screen: Screen
) -> None:
    rom = Path(shutil.copy(airstriker() / "rom.md", tmp_path / "Some Shooter (U).md"))
    window = at_screen()

    def score_again() -> None:
        before, sides = STRIKER_SCORE.read(window), cycle(("Right", "Left"))

        def shoot() -> bool:
            with window.holding(next(sides)):
                window.key(*("x",) * 8)
            return STRIKER_SCORE.read(window) > before

        window.play_until(shoot, "another score")

    def lose_a_life() -> None:
        before = STRIKER_LIVES.read(window)
        window.play_until(lambda: STRIKER_LIVES.read(window) != before, "a hit", "space")

    make_integration(window, rom, "SomeShooter-Genesis")
    begin_to_play(window, lambda: STRIKER_LIVES.read(window) == 3, "Return", "x")
    save_start_state(window, "Level1")
    score_again()
    find_by_value(window, "score", STRIKER_SCORE, score_again, looks=2)
    window.click_on("New", kind="button", panel="Find")
    window.key("ctrl+r")
    wait_until(lambda: STRIKER_LIVES.read(window) == 3, "a new episode, at the start state")
    find_by_value(window, "lives", STRIKER_LIVES, lose_a_life, looks=2)
    reward_and_done(window, "score", "lives")
    window.key("ctrl+r")
    wait_until(lambda: STRIKER_LIVES.read(window) == 3, "a new episode, at the start state")
    movie = tmp_path / "flight.bk2"
    record(window, movie, score_again)
    assert play_back(window, movie) == str(STRIKER_SCORE.read(window))
    directory = user_integrations_dir() / "SomeShooter-Genesis"
    save(window, directory)
    verify(window, directory.name)
    sys.stdout.write(f"{directory.name}, {screen}: {window.effort()}\n")
    assert window.acts["clicks"] <= MOST_CLICKS
    window.leave()
    variables, scenario, metadata = written(directory)
    assert variables["score"] == {"address": 0xFF024E, "type": ">u4"}
    assert variables["lives"] == {"address": 0xFF025A, "type": ">u2"}
    assert scenario["reward"] == {"variables": {"score": {"reward": 1.0}}}
    assert scenario["done"] == {"variables": {"lives": {"op": "zero"}}}
    assert metadata == {"default_state": "Level1"}
    assert judged(directory) > 0
