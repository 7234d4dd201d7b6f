"""Attacks on a reward: loops of buttons that farm are found, and their honest twins left alone."""

import json
import shutil
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
from nightly import more_by_night

from integrator import paths
from integrator.commands.shared.options import demo_game
from integrator.domain.audit.play import Trap
from integrator.session.opening import plan_session
from integrator.unattended import attack as attacks
from integrator.unattended.attack import attack, attack_alone

# Settings of whoever runs the tests have no effect.
pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize(("penalty", "is_farmed"), [(0.0, True), (1.0, False)])
def test_an_attack_finds_a_loop_that_farms_and_leaves_its_twin_alone(
    tmp_path: Path, penalty: float, is_farmed: bool
) -> None:
    game = tmp_path / "EmberMoth-Nes-v0"
    shutil.copytree(paths.shipped("data") / game.name, game)
    scenario = {
        "actions": [[[], ["LEFT"], ["RIGHT"]]],
        "done": {"variables": {"game_over": {"op": "equal", "reference": 1}}},
        "reward": {"variables": {"x": {"reward": 1.0, "penalty": penalty}}},
    }
    (game / "scenario.json").write_text(json.dumps(scenario))
    found = attack(game, frames=more_by_night(1200, 3000), record=tmp_path)
    assert bool(found) == is_farmed
    if found:
        assert found[0].movie is not None
        assert found[0].movie.is_file()


@pytest.mark.parametrize(("taken", "is_farmed"), [(-8.0, False), (0.0, True)])
def test_a_gain_that_penalties_mostly_take_back_is_no_farming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: float, is_farmed: bool
) -> None:
    trap = Trap(kind="jump", term="x", source="", frames=(0, 1), evidence="", cure="")
    rewards = np.tile([9.0, taken], 600)
    play = Mock(rewards=rewards, terms={"x": rewards}, until_done=slice(0, 1200), fps=60)
    monkeypatch.setattr(attacks, "audit_as", lambda *_: [Mock(play=play, traps=[trap])])
    found = attacks._findings(
        plan_session(demo_game(), isolated=False), tmp_path, np.zeros(9, "u2")
    )
    assert bool(found) == is_farmed


def test_an_attack_on_a_scenario_with_one_button_changes_the_few_loops_that_there_are(
    tmp_path: Path,
) -> None:
    game = tmp_path / demo_game().name
    shutil.copytree(demo_game(), game)
    scenario = {"reward": {"variables": {}}, "actions": [[[], ["RIGHT"]]]}
    (game / "scenario.json").write_text(json.dumps(scenario))
    assert attack(game, frames=4500, seed=1) == []


def test_an_attack_from_the_window_judges_the_documents_as_they_are_there(tmp_path: Path) -> None:
    plan = plan_session("EmberMoth-Nes-v0")
    with plan.integration.scenario.edit() as scenario:
        scenario["reward"] = {"variables": {"x": {"reward": 1.0}}}
    [result] = attack_alone(plan, tmp_path, lambda: False)
    assert not result.error
    assert "repaid" in {trap.kind for trap in result.traps}
    assert all(Path(trap.source).parent == tmp_path for trap in result.traps)
    assert Path(result.traps[0].source).is_file()
