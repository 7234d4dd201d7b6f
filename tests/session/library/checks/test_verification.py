"""Verifications: the check and the comparison of an integration, and their report."""

from __future__ import annotations

import json
import shutil
from itertools import count
from pathlib import Path

import pytest
from nightly import more_by_night

from integrator.commands.shared.options import demo_game
from integrator.session.frame.result import FrameResult
from integrator.session.library.checks import checking, live_check
from integrator.session.library.checks.checking import RANDOM_STEPS, Verification, verify
from integrator.session.library.checks.judge import Agreement, MomentComparison
from integrator.session.library.consoles.console_check import proof_roms

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a verification, where a test needs no more of it."""
    monkeypatch.setattr(checking, "RANDOM_STEPS", RANDOM_STEPS // 10)


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No check before the comparison, where the comparison is tried."""
    monkeypatch.setattr(checking, "check_integration", lambda *_, **__: ())


@pytest.fixture
def game(tmp_path: Path) -> Path:
    pytest.importorskip("stable_retro")
    return Path(shutil.copytree(demo_game(), tmp_path / "Copy-Nes-v0"))


def test_a_sound_integration_agrees_on_every_step(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = more_by_night(RANDOM_STEPS // 5, RANDOM_STEPS)
    monkeypatch.setattr(checking, "RANDOM_STEPS", steps)
    played = more_by_night(240, live_check._PLAYED_FRAMES)
    monkeypatch.setattr(live_check, "_PLAYED_FRAMES", played)
    told: list[tuple[int, int]] = []
    result = verify(game, lambda *progress: told.append(progress), lambda: False)
    assert result.passed
    assert result.text.startswith("Copy-Nes-v0: verified (integrator ")
    assert "agrees on reward, done, info, RAM (" in result.text
    assert f"), pictures (240 x 224) of {steps:,} random steps" in result.text
    assert result.text.endswith("restored states went on as they were played")
    assert told[0] == (0, steps)
    assert told[-1] == (steps, steps)
    assert told == sorted(told)


@pytest.mark.usefixtures("few_moments", "few_steps")
def test_a_fault_of_the_check_is_in_the_report(game: Path) -> None:
    scenario = json.loads((game / "scenario.json").read_text())
    scenario["reward"]["variables"]["nothing"] = {"reward": 1}
    (game / "scenario.json").write_text(json.dumps(scenario))
    result = verify(game, lambda *_: None, lambda: False)
    assert not result.passed
    assert "not verified" in result.text
    assert "scenario.json" in result.text
    assert "\ncheck: 1 error" in result.text


@pytest.mark.usefixtures("few_moments", "few_steps")
def test_an_integration_that_defines_nothing_is_not_verified(game: Path) -> None:
    (game / "data.json").write_text('{"info": {}}')
    (game / "scenario.json").write_text("{}")
    result = verify(game, lambda *_: None, lambda: False)
    assert result.agreement is not None
    assert result.agreement.agrees
    assert not result.passed
    assert "not verified" in result.text
    assert "it defines no variables, reward and done" in result.text
    assert "agrees on RAM (" in result.text


@pytest.mark.usefixtures("unchecked", "few_steps")
@pytest.mark.parametrize("what", ["RAM", "picture"])
def test_a_byte_or_a_pixel_that_differs_is_named(
    game: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault is injected where stable-retro's moment is read."""
    real = MomentComparison.difference

    def faulty(self: MomentComparison, result: FrameResult) -> str:
        if self._count == 3:
            at = 5 if what == "RAM" else self._ram_bytes + (20 * self._shape[1] + 30) * 3
            self._moment[at] ^= 0xFF
        return real(self, result)

    monkeypatch.setattr(MomentComparison, "difference", faulty)
    result = verify(game, lambda *_: None, lambda: False)
    assert not result.passed
    place = {
        "RAM": "RAM at 0x5:",
        "picture": "picture: the first pixel that differs is at x 30, y 20",
    }
    assert f"differs at step 3: {place[what]}" in result.text


@pytest.mark.usefixtures("unchecked", "few_steps")
def test_bytes_that_nothing_wrote_may_begin_otherwise(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a core leaves new memory as the heap had it; 0x7FF is unused by the game."""
    real = MomentComparison.difference

    def other_heap(self: MomentComparison, result: FrameResult) -> str:
        if self._count == 0:
            self._moment[0x7FF] ^= 0xFF
        return real(self, result)

    monkeypatch.setattr(MomentComparison, "difference", other_heap)
    result = verify(game, lambda *_: None, lambda: False)
    assert result.passed
    assert "not compared: RAM that nothing wrote, which begins otherwise (1 bytes)" in result.text


@pytest.mark.usefixtures("few_moments", "few_steps")
def test_inexact_states_are_said(tmp_path: Path) -> None:
    pytest.importorskip("stable_retro")
    game = Path(tmp_path / "Proof-GbAdvance-v0")
    game.mkdir()
    shutil.copy(proof_roms()["GbAdvance"].path, game / "rom.gba")
    (game / "metadata.json").write_text("{}")
    (game / "scenario.json").write_text("{}")
    (game / "data.json").write_text('{"info": {"x": {"address": 33554432, "type": "|u1"}}}')
    result = verify(game, lambda *_: None, lambda: False)
    assert "states: States of this core are not exact in this game" in result.text


@pytest.mark.usefixtures("unchecked", "few_steps")
@pytest.mark.parametrize("looks", [0, 1])
def test_a_stopped_verification_says_so(game: Path, looks: int) -> None:
    looked = count()
    result = verify(game, lambda *_: None, lambda: next(looked) >= looks)
    assert not result.complete
    assert not result.passed
    assert "stopped" in result.text


def test_a_difference_is_quoted() -> None:
    difference = "step 7: reward: 1.0 here, 0.0 in stable-retro"
    result = Verification(Path("Some-Nes-v0"), (), Agreement(8, difference, 1.0, 1))
    assert result.complete
    assert not result.passed
    assert f"stable-retro: differs at {difference}" in result.text


def test_a_game_that_stable_retro_can_not_load_is_a_problem(tmp_path: Path) -> None:
    pytest.importorskip("stable_retro")
    (tmp_path / "Empty-Nes-v0").mkdir()
    shutil.copy(demo_game() / "scenario.json", tmp_path / "Empty-Nes-v0")
    result = verify(tmp_path / "Empty-Nes-v0", lambda *_: None, lambda: False)
    assert result.agreement is None
    assert "stable-retro cannot run it" in result.problem
    assert not result.passed
