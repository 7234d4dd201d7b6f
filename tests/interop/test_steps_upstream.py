"""Reward, done and info of every step are those of stable-retro."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrator.commands.shared.options import airstriker, demo_game
from integrator.session.library.checks.judge import judge

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.mark.parametrize("game", [airstriker, demo_game], ids=["Airstriker", "EmberMoth"])
def test_a_thousand_random_steps_agree(game: object) -> None:
    assert callable(game)
    directory: Path = game()
    verdict = judge(directory, steps=1000, seed=4)
    assert verdict.first_difference is None
    assert verdict.steps == 1000
    assert verdict.total_reward > 0
