"""Score, lives and done of a game that nobody looked into before, with next to nothing typed."""

import json
import shutil
import sys
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path

import pytest
from real_window import NEEDS, Screen, wait_until
from seen_window import MAIN, Seen, SeenWindow, middle
from whole_job import Place, begin_to_play

from integrator.commands.shared.options import demo_game
from integrator.paths import user_integrations_dir
from integrator.session.library.checks.judge import judge

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(NEEDS), reason=NEEDS),
    pytest.mark.usefixtures("own_home"),
]

MODE, SCORE, LIVES = Place(0x300, "|u1"), Place(0x306, ">d3"), Place(0x302, "|i1")
IN_PLAY, GAME_OVER = 1, 0x301
SCORE_BOX = ((5, 15), (57, 25))
"""Corners round the digits below the word SCORE, in pixels of the game's picture."""
MOST_TYPED, MOST_CLICKS = 9, 20
LISTED = 3
"""A byte that happened to change as the game ended may come before the condition."""
MOST_PLAYED = 5400
"""Frames of a minute and a half."""


@pytest.mark.parametrize("screen", [Screen(1280, 720)], indirect=True, ids=str)
def test_score_lives_and_done_of_a_new_game(
    at_screen: Callable[..., SeenWindow], tmp_path: Path, screen: Screen
) -> None:
    rom = Path(shutil.copy(demo_game() / "rom.nes", tmp_path / "night flyer (v2).nes"))
    window = at_screen(rom)
    window.wait_for_title("NightFlyer-Nes")
    wait_until(lambda: window.frame() == 1, "the first frame")
    window.click_on("Make integration", kind="button")
    window.wait_for_title("New integration")
    window.click_on("Make integration", kind="button", top="New integration")
    wait_until(lambda: window.is_gone("New integration"), "the integration")
    window.wait_for_title(MAIN)
    begin_to_play(window, lambda: MODE.read(window) == IN_PLAY)
    played = window.acts["keys"]
    window.key("ctrl+shift+s")
    window.wait_for_title("Save state")
    window.key("Return")
    wait_until(lambda: window.is_gone("Save state"), "the start state")
    window.wait_for_title(MAIN)
    played -= window.acts["keys"]
    over = play_to_the_end(window)
    assert over < MOST_PLAYED
    played += window.acts["keys"]
    window.click_on("Find", kind="button", panel="")
    window.click_on("Suggestions", kind="tab")
    point_at_the_score(window)
    accept(window, "score")
    window.click_on("Suggest", kind="button", panel="Suggestions")
    wait_until(lambda: is_quiet(window) and "lives" in kinds(window), "suggestions")
    window.click_on("lives", kind="cell", panel="Suggestions", of="DataTable")
    accept(window, "lives")
    find_the_end(window)
    window.click_on("Score", kind="button", panel="")
    window.choose("Add reward term", "score", panel="Reward", of="VariableButton")
    window.find("Reward term score", panel="Reward")
    window.click_on("Save integration", kind="button")
    wait_until(lambda: not window.check("window.controller.documents.modified"), "all saved")
    typed = window.acts["keys"] - played + window.acts["letters"]
    sys.stdout.write(f"{screen}: {typed} keys typed beside play; {window.effort()}\n")
    assert typed <= MOST_TYPED
    assert window.acts["clicks"] <= MOST_CLICKS
    directory = user_integrations_dir() / "NightFlyer-Nes"
    window.leave()
    variables = json.loads((directory / "data.json").read_text())["info"]
    assert variables["score"] == {"address": 0x306, "type": ">d3"}
    assert variables["lives"]["address"] == LIVES.address
    scenario = json.loads((directory / "scenario.json").read_text())
    assert scenario["reward"] == {"variables": {"score": {"reward": 1.0}}}
    (end,) = scenario["done"]["variables"]
    assert variables[end]["address"] in (LIVES.address, GAME_OVER)
    verdict = judge(directory, steps=500)
    assert verdict.agrees, verdict.first_difference


def play_to_the_end(window: SeenWindow) -> int:
    """Fly about and score, then run into something until the game is over; the frame of that."""
    ways = cycle((("Right", "Down"), ("Left",), ("Right", "Up"), ("Left", "Down")))
    window.resume()
    while window.frame() < MOST_PLAYED // 4 and LIVES.read(window) >= 1:
        with window.holding(*next(ways)):
            wait_until(partial(has_passed, window, window.frame() + 40), "some play")
    over = window.play_until(lambda: LIVES.read(window) < 0, "the end", "Down", "space")
    window.play_until(lambda: window.frame() > over + 90, "the screen after the end")
    return over


def has_passed(window: SeenWindow, frame: int) -> bool:
    """True when the game has gone on beyond a frame."""
    return window.frame() > frame


def point_at_the_score(window: SeenWindow) -> None:
    """*Number here*, and a box round the digits."""
    window.click_on("Number here", kind="button", panel="Suggestions")
    place = "window.screen_panel.game_screen"
    picture = f"[{place}.scale, {place}.picture_rect().x(), {place}.picture_rect().y()]"
    # The tool's hint takes room above the picture.
    scale, left, top = window.settled(lambda: window.check(picture), "the picture")
    x, y, *_ = window.find("Game screen", kind="other")["place"]
    corners = [(round(x + left + scale * a), round(y + top + scale * b)) for a, b in SCORE_BOX]
    window.drag(*corners)
    wait_until(lambda: is_quiet(window) and window.rows("Suggestions"), "the number in the box")


def is_quiet(window: SeenWindow) -> bool:
    """True when nothing is looked for or proven in the panel."""
    return bool(window.see("Suggest", kind="button", enabled=True))


def kinds(window: SeenWindow) -> set[str]:
    """The kinds of the suggestions in sight."""
    return {row[0] for row in window.rows("Suggestions")}


def accept(window: SeenWindow, name: str) -> None:
    """Enter makes the selected row a variable."""
    window.keep_picture(f"accept-{name}")
    window.key("Return")
    window.wait_for(name, kind="cell", panel="Variables")


def last_life(window: SeenWindow) -> Seen:
    """The condition on lives or the game's end that is among the first three."""
    cells = window.see(kind="cell", panel="Ends", column=0)
    return next(
        each
        for each in sorted(cells, key=lambda each: int(each["row"]))
        if each["row"] < LISTED
        and each["text"].startswith(("lives", f"0x{GAME_OVER:X}"))
        and " and " not in each["text"]
    )


def find_the_end(window: SeenWindow) -> None:
    """*Propose*, check the moment at which the last life went, *Find*, and make it done."""
    window.click_on("Ends", kind="tab")
    window.click_on("Propose", kind="button", panel="Ends")
    wait_until(lambda: window.see("Propose", enabled=True) and window.rows("Ends"), "moments")
    window.turn_wheel("Ends", "5", 5)
    rows = window.settled(lambda: window.rows("Ends"), "the moments")
    (end,) = (row[0] for row in rows if "lives 0 → -1" in row[1])
    x, y, _, height = window.find(end, kind="cell", panel="Ends")["place"]
    window.click(x + height // 2 + 4, y + height // 2)
    window.click_on("Find", kind="button", panel="Ends")
    window.find("Make done", kind="button", panel="Ends")
    window.keep_picture("ends")
    window.click(*middle(window.settled(lambda: last_life(window), "the conditions")))
    window.click_on("Make done", kind="button", panel="Ends")
    done = "window.controller.documents.scenario.get('done')"
    wait_until(lambda: window.check(done), "the done condition")
