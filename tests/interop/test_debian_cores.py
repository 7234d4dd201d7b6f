"""Cores out of Debian's packages: other builds than training's, with habits of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

import integrator
from integrator import paths
from integrator.session.library.consoles.console_check import check_console, proof_roms
from integrator.session.setup.roots import systems
from libretro_host.remote import RemoteHost

FOLDERS = [
    *Path("/usr/lib").glob("*-linux-gnu*/libretro"),
    *(Path(folder) for folder in ("/usr/lib/libretro", "/usr/lib64/libretro")),
]


def packaged(core: str) -> Path:
    for folder in FOLDERS:
        path = folder / f"{core}_libretro.so"
        if path.is_file():
            return path
    pytest.skip(f"libretro-{core} is not installed")


@pytest.mark.parametrize(("core", "system"), [("nestopia", "Nes"), ("mgba", "GbAdvance")])
def test_a_packaged_core_is_proven(core: str, system: str, tmp_path: Path) -> None:
    path, rom = packaged(core), proof_roms()[system]
    request = systems()[system].load_request(
        core, path, rom.path, system_dir=tmp_path, save_dir=tmp_path
    )
    report = check_console(rom, systems()[system], request, RemoteHost)
    assert report.faults == ()


def test_input_reaches_the_demo_game_on_nestopia() -> None:
    # nestopia ignores inputs until retro_set_controller_port_device is called.
    core = packaged("nestopia")
    game = paths.shipped("data") / "EmberMoth-Nes-v0"
    with integrator.open_session(game / "rom.nes", core=core, state=integrator.POWER_ON) as session:
        assert session.game.core.library_name == "Nestopia"
        start = 1 << session.system.buttons.index("START")
        session.advance((), 60)
        assert session.memory.read(0x0300, "|u1") == 0
        session.advance((start,), 4)
        session.advance((), 4)
        assert session.memory.read(0x0300, "|u1") != 0


def test_mgba_from_debian_has_memory_in_maps_only() -> None:
    path, rom = packaged("mgba"), proof_roms()["GbAdvance"]
    host = RemoteHost()
    try:
        info = host.load(systems()["GbAdvance"].load_request("mgba", path, rom.path))
    finally:
        host.close()
    assert {region.address: region.size for region in info.regions}[0x02000000] == 256 << 10
    assert len(info.regions) > 1
