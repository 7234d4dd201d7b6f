"""Child process of test_every_system: plays inputs in stable-retro and reports its RAM.

Usage: retro_ram_blocks.py ROM STATE INPUTS OUTPUT. Loads the raw STATE (a path, or ``-`` for none)
and runs one frame for each mask in INPUTS, an .npy of uint16 (frames,). OUTPUT becomes JSON: for
each memory block, by its address as text, the ``length``, the ``checksums`` of its bytes on each
frame, and ``empty``: true when it was all zeros on each of them."""

from __future__ import annotations

import json
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro
from stable_retro.data import GameData


def main(rom: str, state: str, inputs: str, output: str) -> None:
    emulator = stable_retro.RetroEmulator(rom)
    data = GameData()
    emulator.configure_data(data)
    if state != "-":
        # Not before a second frame, which stable-retro's environment runs: N64 refuses it earlier.
        emulator.step()
        emulator.set_state(Path(state).read_bytes())
    seen: dict[int, dict[str, Any]] = {}
    for mask in np.load(inputs):
        emulator.set_button_mask((mask >> np.arange(16) & 1).astype(np.uint8), 0)
        emulator.step()
        for address, block in data.memory.blocks.items():
            content = bytes(block)
            entry = seen.setdefault(address, {"length": len(block), "checksums": [], "empty": True})
            entry["checksums"].append(zlib.crc32(content))
            entry["empty"] &= not any(content) if entry["empty"] else False
    Path(output).write_text(json.dumps(seen))


main(*sys.argv[1:])
