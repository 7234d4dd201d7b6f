"""Every seed system against the judge: a real ROM, 600 frames of input, RAM equal on each frame.

N64, which takes half a minute for them, has 60 frames unless INTEGRATOR_FULL is set."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warm_children
from nightly import more_by_night
from numpy.typing import NDArray

from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import core_for
from integrator.session.setup.roots import systems
from libretro_host.host import CapturePlan, CoreInfo
from libretro_host.inprocess import without_chip
from libretro_host.remote import RemoteHost

FRAMES = more_by_night(300, 600)
HOLD_FRAMES = 4
CHUNK_FRAMES = 20
SEED_SYSTEMS = (
    *("Nes", "Snes", "Genesis", "Sms", "GameGear"),
    *("GameBoy", "GbColor", "GbAdvance", "PCEngine", "Atari2600"),
)

LARGE_SYSTEMS = ("32x", "NintendoDs", "N64")
FEWER_FRAMES = {} if os.environ.get("INTEGRATOR_FULL") else {"N64": 60}


def scripted_inputs(system: str) -> NDArray[np.uint16]:
    """Buttons at random, each held for some frames; the same in each run."""
    ids = [index for index, name in enumerate(systems()[system].buttons) if name]
    pressed = np.random.default_rng(7).random((FRAMES // HOLD_FRAMES, len(ids))) < 0.3
    masks = (pressed * (1 << np.array(ids))).sum(axis=1).astype(np.uint16)
    return np.repeat(masks, HOLD_FRAMES)


def checksums(info: CoreInfo, ram: NDArray[np.uint8], into: dict[int, list[int]]) -> None:
    offset = 0
    for region in info.regions:
        rows = np.ascontiguousarray(ram[:, offset : offset + region.size])
        offset += region.size
        into[region.address] += [zlib.crc32(row.data) for row in rows]


class Ours:
    """The proof ROM of a system in our host, in a child process of its own."""

    def __init__(self, system: str, folder: Path) -> None:
        descriptor = systems()[system]
        choice = core_for(descriptor)
        assert "stable-retro" in choice.reason
        self.rom = proof_roms()[system].path
        self.power_on_frames = 2 if system == "N64" else 1  # after one, its core refuses states
        self.host = RemoteHost(60_000)
        self.info = self.host.load(
            descriptor.load_request(
                choice.core, choice.path, self.rom, system_dir=folder, save_dir=folder
            )
        )

    def play(self, masks: NDArray[np.uint16]) -> dict[int, list[int]]:
        seen: dict[int, list[int]] = {region.address: [] for region in self.info.regions}
        for start in range(0, len(masks), CHUNK_FRAMES):
            part = masks[start : start + CHUNK_FRAMES, None]
            result = self.host.run(part, CapturePlan(ram=True, picture=False))
            assert result.ram is not None
            checksums(self.info, result.ram, seen)
        return seen


def judge(rom: Path, state: Path | None, masks: NDArray[np.uint16], folder: Path) -> dict[str, Any]:
    np.save(folder / "inputs.npy", masks)
    output = folder / "seen.json"
    command = [Path(__file__).with_name("retro_ram_blocks.py"), rom, state or "-"]
    # A core that begins without a state may read memory that only a new process finds empty.
    run = warm_children.run if state else subprocess.run
    run(
        [sys.executable, *command, folder / "inputs.npy", output],
        check=True,
        capture_output=True,
    )
    seen: dict[str, Any] = json.loads(output.read_text())
    return seen


def assert_equal(ours: dict[int, list[int]], info: CoreInfo, theirs: dict[str, Any]) -> None:
    mapped = {int(address): block for address, block in theirs.items()}
    sizes = {region.address: region.size for region in info.regions}
    for address in mapped.keys() - sizes.keys():
        # gambatte announces the cartridge's RAM without memory behind it when there is none.
        assert mapped[address]["empty"], hex(address)
        del mapped[address]
    assert sizes == {address: block["length"] for address, block in mapped.items()}
    for address, block in mapped.items():
        wrong = [
            n
            for n, pair in enumerate(zip(ours[address], block["checksums"], strict=True))
            if pair[0] != pair[1]
        ]
        assert not wrong, f"block {address:#x} differs on {len(wrong)} frames from {wrong[0]} on"


@pytest.mark.parametrize("system", [*SEED_SYSTEMS, *LARGE_SYSTEMS])
def test_ram_equals_stable_retro(system: str, tmp_path: Path) -> None:
    masks = scripted_inputs(system)[: FEWER_FRAMES.get(system, FRAMES)]
    ours = Ours(system, tmp_path)
    try:
        ours.host.run(np.zeros((30, 1), np.uint16), CapturePlan(picture=False))
        state = tmp_path / "start.raw"
        state.write_bytes(without_chip(ours.host.serialize()))
        # Training's states have no save chip: there, too, it is as the first frames left it.
        ours.host.close()
        ours = Ours(system, tmp_path)
        ours.host.run(np.zeros((ours.power_on_frames, 1), np.uint16), CapturePlan(picture=False))
        ours.host.unserialize(state.read_bytes())
        seen = ours.play(masks)
    finally:
        ours.host.close()
    assert len(set(zip(*seen.values(), strict=True))) > len(masks) * 0.9
    assert_equal(seen, ours.info, judge(ours.rom, state, masks, tmp_path))


@pytest.mark.parametrize("system", SEED_SYSTEMS)
def test_ram_equals_stable_retro_from_power_on(system: str, tmp_path: Path) -> None:
    masks = scripted_inputs(system)[:120]
    ours = Ours(system, tmp_path)
    try:
        # stable-retro runs a frame before it hands out an emulator.
        ours.host.run(np.zeros((1, 1), np.uint16), CapturePlan(picture=False))
        seen = ours.play(masks)
    finally:
        ours.host.close()
    assert_equal(seen, ours.info, judge(ours.rom, None, masks, tmp_path))
