"""InProcessHost: failures of loading, the one-core rule, and reloading."""

from __future__ import annotations

import ctypes
import platform
import subprocess
from pathlib import Path

import numpy as np
import pytest
from toy_requests import BuildToycore, ToyRequest

from libretro_host.errors import CoreLoadError, HostError
from libretro_host.host import CapturePlan
from libretro_host.inprocess import InProcessHost


def test_a_file_that_is_no_library(
    inprocess: InProcessHost, toy: ToyRequest, tmp_path: Path
) -> None:
    text = tmp_path / "notes.so"
    text.write_text("not a library")
    with pytest.raises(CoreLoadError, match=r"notes\.so cannot be loaded"):
        inprocess.load(toy(core=text))


def test_a_library_that_is_no_core(
    inprocess: InProcessHost, toy: ToyRequest, tmp_path: Path
) -> None:
    source, library = tmp_path / "other.c", tmp_path / "other.so"
    source.write_text("int retro_api_version(void) { return 1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    with pytest.raises(CoreLoadError, match="is no libretro core: it has no retro_init"):
        inprocess.load(toy(core=library))


def test_another_api_version(
    inprocess: InProcessHost, toy: ToyRequest, build_toycore: BuildToycore
) -> None:
    with pytest.raises(CoreLoadError, match="API version 2"):
        inprocess.load(toy(core=build_toycore("TOYCORE_API=2")))


def test_a_core_that_needs_the_path_gets_it(
    inprocess: InProcessHost, toy: ToyRequest, build_toycore: BuildToycore
) -> None:
    info = inprocess.load(toy(core=build_toycore("TOYCORE_FULLPATH=1"), ram=512))
    assert info.need_fullpath
    assert info.ram_bytes == 512


def test_the_folder_of_saves_is_made(
    inprocess: InProcessHost, toy: ToyRequest, tmp_path: Path
) -> None:
    folder = tmp_path / "saves" / "game"
    inprocess.load(toy(request_save_dir=folder))
    assert folder.is_dir()


def test_one_core_a_process(inprocess: InProcessHost, toy: ToyRequest) -> None:
    inprocess.load(toy())
    second = InProcessHost()
    with pytest.raises(HostError, match="another core is open in this process"):
        second.load(toy())
    second.close()
    inprocess.run(np.zeros((1, 1), np.uint16), CapturePlan())
    assert inprocess.read_ram()[0] == 1
    inprocess.close()
    second.load(toy())
    second.close()


def test_a_failed_load_frees_the_place(inprocess: InProcessHost, toy: ToyRequest) -> None:
    with pytest.raises(HostError):
        inprocess.load(toy(refuse=1))
    second = InProcessHost()
    second.load(toy())
    second.close()


def test_reload_on_restore_starts_from_a_fresh_library(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    """A plain reset counts in toycore's RAM; after a reload each reset is the first."""
    inprocess.load(toy(request_reload_on_restore=True, request_options={"toycore_speed": "fast"}))
    info = inprocess.info
    for _ in range(3):
        inprocess.reset()
    assert inprocess.read_ram()[21] == 1
    inprocess.set_option("toycore_tint", "on")
    inprocess.run(np.zeros((7, 1), np.uint16), CapturePlan())
    state = inprocess.serialize()
    inprocess.run(np.zeros((7, 1), np.uint16), CapturePlan())
    inprocess.unserialize(state)
    ram = inprocess.read_ram()
    assert (ram[0], ram[22]) == (7, 2)
    assert [option.value for option in inprocess.options()] == ["fast", "on"]
    assert inprocess.info == info


def test_a_state_that_need_not_be_fresh_leaves_the_library_open(
    inprocess: InProcessHost, toy: ToyRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    inprocess.load(toy(request_reload_on_restore=True))
    state = inprocess.serialize()
    opened: list[None] = []
    monkeypatch.setattr(inprocess, "_reload", lambda: opened.append(None))
    inprocess.unserialize(state, fresh=False)
    assert not opened
    inprocess.unserialize(state)
    assert len(opened) == 1


def test_a_reused_state_has_nothing_of_the_state_before(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    inprocess.load(toy(state_grow=8))
    inprocess.run(np.zeros((20, 1), np.uint16), CapturePlan(picture=False))
    size = len(inprocess.serialize())
    used = np.full(size, 0xFF, np.uint8)
    state = inprocess.core_state(used)
    assert state.raw is used
    assert bytes(state) == bytes(inprocess.core_state())


def test_a_mask_can_crash_only_through_the_core(inprocess: InProcessHost, toy: ToyRequest) -> None:
    """Every mask below the trigger is harmless: the trigger compares port 0 exactly."""
    inprocess.load(toy(crash_mask=0xFFFF))
    masks = np.arange(0, 0xFFFF, 257, dtype=np.uint16)[:, None]
    assert inprocess.run(masks, CapturePlan(picture=False)).frames == 255


def use_memory(size: int) -> None:
    """Leave many used blocks of memory for those who allocate next."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    blocks = [libc.malloc(size) for _ in range(200)]
    for block in blocks:
        ctypes.memset(block, 0xA5, size)
    for block in blocks[::2]:
        libc.free(block)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only there new memory is cleared")
@pytest.mark.parametrize("size", [96, 512, 2048])
def test_memory_that_a_core_never_cleared_is_zero(
    inprocess: InProcessHost, toy: ToyRequest, build_toycore: BuildToycore, size: int
) -> None:
    request = toy(core=build_toycore(f"TOYCORE_UNCLEARED={size}"), ram=1024 + 5 * size)
    use_memory(size)
    inprocess.load(request)
    assert not inprocess.read_ram()[1024:].any()
