"""The Dreamcast's descriptor with the toy core in Flycast's place: found, opened, and played.

This shows what a core is told, and nothing about Flycast."""

from __future__ import annotations

from pathlib import Path

import pytest

import integrator
from integrator.domain.errors import DocumentError
from integrator.domain.integration.directory import create_integration
from integrator.session.opening import core_for
from integrator.session.session import Session
from integrator.session.setup.roots import systems
from scripts.campaign import toys

BASE = 0x0C000000


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.build_toycore(tmp_path_factory.mktemp("toy"))


@pytest.fixture
def game(own_home: Path, core: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game, with the toy as RetroArch's core."""
    monkeypatch.setenv("HOME", str(own_home))
    folder = own_home / ".config" / "retroarch" / "cores"
    folder.mkdir(parents=True)
    (folder / "flycast_libretro.so").symlink_to(core)
    path = own_home / "game.elf"
    path.write_text("axes=1\n")
    return path


def told(session: Session) -> list[int]:
    """Answers to the core: stick x and y, and a trigger."""
    values: list[int] = session.memory.ram[32:38].copy().view("<i2").tolist()
    return values


def test_retroarchs_core_plays_with_the_options_of_a_frame_a_run(game: Path) -> None:
    assert core_for(systems()["Dreamcast"]).reason == "found in RetroArch's core folder"
    with integrator.open_session(game, isolated=False) as session:
        assert session.memory.space.regions[0].address == BASE
    descriptor = systems()["Dreamcast"]
    request = descriptor.load_request("flycast", Path("flycast.so"), game)
    assert request.options == {
        "reicast_threaded_rendering": "disabled",
        "reicast_emulate_framebuffer": "enabled",
        "reicast_hle_bios": "enabled",
        "reicast_analog_stick_deadzone": "0%",
    }


def test_the_first_state_is_saved_when_the_pads_are_plugged_in(game: Path) -> None:
    with integrator.open_session(game, isolated=False) as session:
        assert session.memory.ram[:4].view("<u4").tolist() == [12]


def test_a_chd2_is_a_chd_for_the_core(game: Path, own_home: Path) -> None:
    (own_home / "other").mkdir()
    disc = game.rename(own_home / "other" / "game.chd2")
    with integrator.open_session(disc, isolated=False) as session:
        path = session.game.plan.request.content
        assert path.name == "game.chd"
        assert path.resolve() == disc
    disc.rename(own_home / "game.chd2")
    with integrator.open_session(own_home / "game.chd2", isolated=False) as session:
        assert session.game.plan.request.content.resolve() == own_home / "game.chd2"


def test_stick_and_triggers_reach_the_core(game: Path) -> None:
    with integrator.open_session(game, isolated=False) as session:
        names = [each.name for each in session.game.axes]
        assert names == ["P1 X Axis", "P1 Y Axis", "P1 L Trigger", "P1 R Trigger"]
        held = {"P1 X Axis": 100, "P1 Y Axis": 127, "P1 L Trigger": 255, "P1 R Trigger": 255}
        session.advance((), 2, axes=held)
        assert told(session) == [25600, -32512, 32640]


def test_a_disc_of_several_files_makes_no_integration(tmp_path: Path) -> None:
    disc = tmp_path / "game.gdi"
    disc.write_text("3\n")
    with pytest.raises(DocumentError, match=r"game\.gdi names other files"):
        create_integration(disc, tmp_path / "root", None, "Dreamcast", "chd2")


def test_no_integration_is_made_of_a_program(game: Path, own_home: Path) -> None:
    with pytest.raises(DocumentError, match=r"game\.elf is a program without a disc"):
        create_integration(game, own_home / "root", None, "Dreamcast", "chd2")


def test_a_chd_opens_by_the_consoles_name(game: Path) -> None:
    disc = game.rename(game.with_suffix(".chd"))
    with integrator.open_session(disc, isolated=False, system="Dreamcast") as session:
        assert session.game.axes
