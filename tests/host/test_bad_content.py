"""Bad content: every core of stable-retro says so or runs, and the parent lives on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.setup.roots import systems
from libretro_host.errors import ContentError, CoreCrashed, CoreHung
from libretro_host.host import CapturePlan
from libretro_host.remote import RemoteHost
from libretro_host.systems.descriptor import SystemDescriptor
from libretro_host.systems.discovery import (
    core_places,
    find_core,
    training_core,
    wheel_core_dir,
)

DEADLINE_MS = 3000
LOAD_DEADLINE_MS = 20_000
START_DEADLINE_MS = 10_000
DYING_DEADLINE_MS = 1_500
FRAMES = 60
NOISE = np.random.default_rng(1).bytes(1 << 20)


def one_system_a_core() -> dict[str, SystemDescriptor]:
    """The systems that between them use each core of stable-retro once."""
    chosen: dict[str, SystemDescriptor] = {}
    for descriptor in filter(training_core, systems().values()):
        chosen.setdefault(find_core(descriptor, core_places([], {})).core, descriptor)
    return chosen


CORES = one_system_a_core()
# A core's own mistake ends its process; these very files are known to cause such mistakes.
DIES = {"melonds", "parallel_n64"}


def bad_contents(system: str) -> dict[str, bytes]:
    roms = proof_roms()
    good = roms[system].path.read_bytes() if system in roms else NOISE
    other = roms["Nes" if system == "Genesis" else "Genesis"].path.read_bytes()
    return {
        "empty": b"",
        "truncated": good[:100],
        "half": good[: len(good) // 2],
        "wrong": other,
        "noise": NOISE,
    }


def try_content(core: str, content: Path, folder: Path) -> str:
    """The core's answer: "ran", or the text of the error."""
    descriptor = CORES[core]
    choice = find_core(descriptor, core_places([], {}))
    start_ms = DYING_DEADLINE_MS if core in DIES else START_DEADLINE_MS
    host = RemoteHost(DEADLINE_MS, load_deadline_ms=LOAD_DEADLINE_MS, start_deadline_ms=start_ms)
    try:
        host.load(
            descriptor.load_request(
                choice.core, choice.path, content, system_dir=folder, save_dir=folder
            )
        )
        host.run(np.zeros((FRAMES, 1), np.uint16), CapturePlan(ram=True))
    except ContentError as error:
        return str(error)
    except (CoreCrashed, CoreHung) as error:
        if core not in DIES:
            raise
        return str(error)
    finally:
        host.close()
        assert host.pid is None
    return "ran"


def test_every_core_of_the_wheel_is_tried() -> None:
    folder = wheel_core_dir()
    assert folder is not None
    names = {path.name.removesuffix("_libretro.so") for path in folder.glob("*_libretro.so")}
    assert names == set(CORES)


@pytest.mark.parametrize("core", CORES)
def test_bad_content_gives_an_error_or_runs(core: str, tmp_path: Path) -> None:
    descriptor = CORES[core]
    for kind, data in bad_contents(descriptor.name).items():
        content = tmp_path / f"{kind}.{descriptor.extensions[0]}"
        content.write_bytes(data)
        outcome = try_content(core, content, tmp_path)
        assert outcome == "ran" or str(content) in outcome, outcome


@pytest.mark.parametrize("core", ["fceumm", "genesis_plus_gx"])
def test_64_mib_of_noise(core: str, tmp_path: Path) -> None:
    content = tmp_path / f"noise.{CORES[core].extensions[0]}"
    content.write_bytes(NOISE * 64)
    outcome = try_content(core, content, tmp_path)
    assert outcome == "ran" or str(content) in outcome, outcome


def test_a_dead_core_does_not_keep_the_next_one_from_running(tmp_path: Path) -> None:
    content = tmp_path / "wrong.nds"
    content.write_bytes(NOISE)
    outcome = try_content("melonds", content, tmp_path)
    assert "crashed" in outcome
    assert f"{content} is probably damaged, or no game of this system" in outcome
    good = proof_roms()["NintendoDs"].path
    assert try_content("melonds", good, tmp_path) == "ran"


def test_a_rom_that_was_trimmed_runs(tmp_path: Path) -> None:
    # melonds reads a header of 4 KiB and a banner of 9 from its copy of any ROM, however small.
    rom = proof_roms()["NintendoDs"].path.read_bytes()
    content = tmp_path / "trimmed.nds"
    content.write_bytes(rom.rstrip(b"\xff").ljust(20_000, b"\0"))
    assert try_content("melonds", content, tmp_path) == "ran"


def test_missing_bios_is_named(tmp_path: Path) -> None:
    content = tmp_path / "game.chd"
    content.write_bytes(NOISE)
    assert "mpr-17933.bin" in try_content("mednafen_saturn", content, tmp_path)
