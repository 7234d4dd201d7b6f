"""Reward, done and info of every step are those of stable-retro."""

from __future__ import annotations

import pytest

from integrator.commands.shared.options import airstriker
from integrator.session.library.checks.judge import judge

pytestmark = pytest.mark.usefixtures("own_home")


def test_a_thousand_random_steps_agree() -> None:
    """As those of the demo game do in the test of verifications."""
    verdict = judge(airstriker(), steps=1000, seed=4)
    assert verdict.first_difference is None
    assert verdict.steps == 1000
    assert verdict.total_reward > 0
