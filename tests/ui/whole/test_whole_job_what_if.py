"""A scenario that is wrong in two ways, seen and corrected on recorded play."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from real_window import NEEDS, wait_until
from seen_window import MAIN, SeenWindow
from whole_job import save

from integrator.commands.shared.options import demo_game
from integrator.session.library.checks.judge import judge

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(NEEDS), reason=NEEDS),
    pytest.mark.usefixtures("own_home"),
]

LIVES = (0x302, "|i1")
WRONG = {
    "reward": {"variables": {"high_score": {"reward": 1.0}}},
    "done": {"variables": {"lives": {"op": "zero"}}},
}
"""The first 50 points pay nothing, as the high score begins there; the last life is not played."""


def test_a_wrong_scenario_is_corrected(
    at_screen: Callable[..., SeenWindow], tmp_path: Path
) -> None:
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    (game / "scenario.json").write_text(json.dumps(WRONG, indent=2) + "\n")
    window = at_screen(game)
    window.wait_for_title(MAIN)
    window.key("ctrl+3")
    wait_until(lambda: window.frame() == 1, "the first frame")
    window.play_until(lambda: window.ram(*LIVES) == 0, "the last life", "Down", "space")
    window.play_until(lambda: window.ram(*LIVES) < 0, "the end of the game", "Down", "space")
    wait_until(lambda: totals(window)[3] != "—", "what was played to be scored")
    window.wait_for("no difference", kind="label", panel="What-if")
    before = totals(window)
    assert before[0] == before[1]
    assert before[2] == before[3]

    window.click_on("Remove high_score", kind="button", panel="Reward")
    window.choose("Add reward term", "score", panel="Reward", of="VariableButton")
    window.wait_for("Changed episodes: 1 of 1", kind="label", panel="What-if")
    wait_until(lambda: number(totals(window)[1]) == number(before[0]) + 50, "the first 50 points")

    window.click_on("zero", times=2, kind="cell", panel="Done")
    window.click_on("negative", kind="cell", panel="Done", of="QListView")
    window.wait_for("no longer done", kind="label", panel="What-if")
    wait_until(lambda: number(totals(window)[3]) > number(before[3]), "the end to be later")
    window.keep_picture("what-if")
    moved = window.find(kind="cell", panel="What-if", of="QListWidget")["text"]
    window.click_on(moved)
    wait_until(
        lambda: window.frame() == number(moved.split("-")[0]), "the frame on which done moved"
    )
    assert window.ram(*LIVES) == 0

    save(window, game)
    window.wait_for("no difference", kind="label", panel="What-if")
    window.leave()
    scenario = json.loads((game / "scenario.json").read_text())
    assert scenario["reward"] == {"variables": {"score": {"reward": 1.0}}}
    assert scenario["done"]["variables"] == {"lives": {"op": "negative"}}
    verdict = judge(game, steps=500)
    assert verdict.agrees, verdict.first_difference


def totals(window: SeenWindow) -> list[str]:
    """Of the first episode: reward before and now, the frame that ended it and ends it now."""
    window.find("1", kind="cell", panel="What-if", column=0)
    return window.rows("What-if")[0][1:5]


def number(text: str) -> int:
    """A number as panels show it."""
    return round(float(text.replace(",", "")))
