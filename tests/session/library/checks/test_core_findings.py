"""Findings on a core: without memory, another one than training's, other options than training."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import integrator
from integrator.domain.findings import Finding
from integrator.session.library.checks.checking import check_integration, lint_options
from integrator.session.library.checks.live_check import core_findings, inexact_states
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import training_options
from scripts.campaign import toys

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def training(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of training's cores, empty; the toy's console with a core elsewhere."""
    folder = own_home / "training"
    folder.mkdir()
    for module in (
        "libretro_host.systems.discovery",
        "integrator.session.library.checks.live_check",
    ):
        monkeypatch.setattr(f"{module}.wheel_core_dir", lambda: folder)
    toys.build_toycore(own_home / "cores")
    monkeypatch.setenv("INTEGRATOR_CORES", str(own_home / "cores"))
    toys.describe_toy()
    return folder


@pytest.fixture
def check(own_home: Path, request: pytest.FixtureRequest) -> Callable[..., dict[str, Finding]]:
    """Checks a game of the toy; the findings on its core by their codes."""
    request.getfixturevalue("few_moments")

    def check(**keys: object) -> dict[str, Finding]:
        game = own_home / "Game-Toy-v0"
        toys.make_game(game, **keys)
        found = check_integration(game, lint_options())
        codes = ("core-", "option-", "game-", "live-")
        return {one.code: one for one in found if one.code.startswith(codes)}

    return check


def test_training_s_own_core_is_in_order(
    training: Path, check: Callable[..., dict[str, Finding]]
) -> None:
    (training / "toycore_libretro.so").write_bytes(
        (training.parent / "cores" / "toycore_libretro.so").read_bytes()
    )
    assert check() == {}


def test_a_core_that_training_has_not(
    training: Path, check: Callable[..., dict[str, Finding]]
) -> None:
    found = check()
    assert list(found) == ["core-not-training"]
    assert "stable-retro ships no core for " in found["core-not-training"].message
    assert found["core-not-training"].message.endswith(
        f"so training does not have {training.parent / 'cores' / 'toycore_libretro.so'}"
    )


def test_another_build_of_the_core_and_other_memory_in_training(
    training: Path, check: Callable[..., dict[str, Finding]]
) -> None:
    toys.build_toycore(training, "TOYCORE_FULLPATH=1")
    found = check()
    assert list(found) == ["core-not-training"]
    assert str(training / "toycore_libretro.so") in found["core-not-training"].message
    toys.build_toycore(training, "TOYCORE_RAM=8192")
    found = check()
    assert sorted(found) == ["core-not-training", "core-other-memory"]
    assert found["core-other-memory"].message.endswith(
        "only here: 4096 bytes at 0x0; only in training: 8192 bytes at 0x0"
    )


def test_training_s_core_that_does_not_run_is_not_compared(
    training: Path, check: Callable[..., dict[str, Finding]]
) -> None:
    toys.build_toycore(training, "TOYCORE_API=2")
    assert list(check()) == ["core-not-training"]


@pytest.mark.usefixtures("training")
def test_a_core_without_memory(check: Callable[..., dict[str, Finding]]) -> None:
    found = check(memory="none")
    assert sorted(found) == ["core-not-training", "core-without-memory"]
    assert found["core-without-memory"].severity == "warning"


@pytest.mark.usefixtures("training")
def test_options_other_than_trainings(check: Callable[..., dict[str, Finding]]) -> None:
    toys.describe_toy({"toycore_speed": "fast"})
    found = check()
    assert found["option-not-training"].message == "toycore_speed is 'fast', in training 'normal'"
    with integrator.open_session(found["option-not-training"].file) as session:
        session.game.set_core_option("toycore_speed", "normal")
        assert [one.code for one in core_findings(session)] == ["core-not-training"]
    # A value of the user's is kept, though training has it: the console's own is another.
    assert "option-not-training" not in check()


def test_training_sets_options_by_the_shipped_consoles() -> None:
    nes, genesis = training_options("Nes", "fceumm"), training_options("Genesis", "genesis_plus_gx")
    assert nes == {}
    assert genesis["genesis_plus_gx_bram"] == "per game"
    assert training_options("Sms", "genesis_plus_gx") == genesis
    assert training_options("Mine", "genesis_plus_gx") == genesis
    assert training_options("Mine", "toycore") == {}


def test_an_option_of_a_shipped_console(own_home: Path) -> None:
    assert own_home.is_dir()
    with integrator.open_session(proof_roms()["Sms"].path) as session:
        assert list(core_findings(session)) == []
        session.game.set_core_option("genesis_plus_gx_bram", "per bios")
        told = [one.message for one in core_findings(session)]
    assert told == ["genesis_plus_gx_bram is 'per bios', in training 'per game'"]


@pytest.mark.parametrize(("system", "found"), [("GbAdvance", ["states-inexact"]), ("Sms", [])])
def test_states_that_do_not_go_on_as_it_was_played(system: str, found: list[str]) -> None:
    with integrator.open_session(proof_roms()[system].path, isolated=False) as session:
        assert [finding.code for finding in inexact_states(session)] == found
