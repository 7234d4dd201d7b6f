"""InProcessHost with a real core: Genesis Plus GX and the homebrew game of the wheel."""

from __future__ import annotations

import gzip
import importlib.util
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from libretro_host.host import CapturePlan, LoadRequest, MemoryRegion
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost

OPTIONS = {
    "genesis_plus_gx_addr_error": "disabled",
    "genesis_plus_gx_bram": "per game",
    "genesis_plus_gx_render": "single field",
    "genesis_plus_gx_blargg_ntsc_filter": "disabled",
}


@pytest.fixture
def airstriker(tmp_path: Path) -> tuple[LoadRequest, bytes]:
    spec = importlib.util.find_spec("stable_retro")
    assert spec is not None
    assert spec.submodule_search_locations
    wheel = Path(spec.submodule_search_locations[0])
    game = wheel / "data" / "stable" / "Airstriker-Genesis-v0"
    request = LoadRequest(
        core=wheel / "cores" / "genesis_plus_gx_libretro.so",
        content=game / "rom.md",
        rambase=0xFF0000,
        options=OPTIONS,
        save_dir=tmp_path,
    )
    return request, gzip.decompress((game / "Level1.state").read_bytes())


def test_600_frames_are_the_same_after_a_restore(
    inprocess: InProcessHost, airstriker: tuple[LoadRequest, bytes]
) -> None:
    request, state = airstriker
    info = inprocess.load(request)
    assert info.library_name == "Genesis Plus GX"
    assert info.need_fullpath
    assert info.regions == (MemoryRegion(0xFF0000, 65536),)
    assert len(state) == 1_036_288
    inputs = np.random.default_rng(2).integers(0, 4096, (600, 2)).astype(np.uint16)
    plan = CapturePlan(ram=True, changes=True, audio=True)
    inprocess.unserialize(state)
    first = inprocess.run(inputs, plan)
    inprocess.unserialize(state)
    second = inprocess.run(inputs, plan)
    np.testing.assert_array_equal(first.ram, second.ram)
    np.testing.assert_array_equal(first.audio, second.audio)
    assert first.frame is not None
    assert second.frame is not None
    assert (first.frame.width, first.frame.height) == (320, 224)
    np.testing.assert_array_equal(first.frame.pixels, second.frame.pixels)
    assert len(np.unique(first.frame.rgb().reshape(-1, 3), axis=0)) > 4


def test_the_game_plays(inprocess: InProcessHost, airstriker: tuple[LoadRequest, bytes]) -> None:
    """Firing scores: the score is a big-endian u4 at 0xFF010E, in byte-swapped memory."""
    request, state = airstriker
    inprocess.load(request)
    inprocess.unserialize(state)
    fire = np.ones((1200, 1), np.uint16)
    ram = inprocess.run(fire, CapturePlan(ram=True, picture=False)).ram
    assert ram is not None
    words = ram[-1].view("<u2").astype(int)
    assert (words[0x10E // 2] << 16 | words[0x110 // 2]) > 0


def test_options_come_from_the_core(
    inprocess: InProcessHost, airstriker: tuple[LoadRequest, bytes]
) -> None:
    request, _ = airstriker
    inprocess.load(request)
    options = {option.key: option for option in inprocess.options()}
    assert options["genesis_plus_gx_addr_error"].value == "disabled"
    assert options["genesis_plus_gx_addr_error"].default == "enabled"
    assert options["genesis_plus_gx_addr_error"].title
    assert all(option.value for option in options.values())


def test_a_link_s_suffix_counts_where_it_is_another(
    inprocess: InProcessHost, airstriker: tuple[LoadRequest, bytes], tmp_path: Path
) -> None:
    file, link = tmp_path / "proof.bin", tmp_path / "proof.gg"
    roms = Path(__file__).resolve().parents[2] / "resources" / "proof-roms"
    file.write_bytes((roms / "gamegear" / "proof.gg").read_bytes())
    link.symlink_to(file)
    request = replace(airstriker[0], content=link, rambase=0)
    assert inprocess.load(request).av.base_width == 160


@pytest.mark.usefixtures("cold_children")
def test_a_state_is_the_same_in_each_process(airstriker: tuple[LoadRequest, bytes]) -> None:
    """The core copies pointers into its states, and its library lies elsewhere each time."""
    assert len(states_of_processes(airstriker[0])) == 2


@pytest.mark.usefixtures("cold_children")
def test_a_state_has_no_memory_that_the_core_never_wrote(
    airstriker: tuple[LoadRequest, bytes], tmp_path: Path
) -> None:
    """Stella's states have some bytes of the heap as it was before."""
    rom = tmp_path / "loop.a26"
    jump, reset = b"\x4c\x00\xf0", b"\x00\xf0"
    rom.write_bytes(b"\xea" * 0xFF9 + jump + reset * 2)
    core = airstriker[0].core.with_name("stella_libretro.so")
    assert len(states_of_processes(LoadRequest(core, rom, rambase=0))) == 2


def states_of_processes(request: LoadRequest) -> set[bytes]:
    """States after one and after two seconds, in three processes."""
    states = set()
    for _ in range(3):
        with closing(RemoteHost()) as host:
            host.load(request)
            for _ in range(2):
                host.run(np.zeros((60, 1), np.uint16), CapturePlan())
                states.add(host.serialize())
                host.unserialize(host.serialize())
    return states
