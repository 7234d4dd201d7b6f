"""Child process of test_ram_equals_upstream: plays inputs in stable-retro and saves RAM and screen.

Usage: retro_ram.py ROM STATE INPUTS OUTPUT. STATE is a raw state, INPUTS an .npy of uint16
(frames,), OUTPUT an .npz with ``addresses`` (and lengths), ``ram`` (frames, bytes), ``screen``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import stable_retro
from stable_retro.data import GameData


def main(rom: str, state: str, inputs: str, output: str) -> None:
    emulator = stable_retro.RetroEmulator(rom)
    data = GameData()
    emulator.configure_data(data)
    emulator.set_state(Path(state).read_bytes())
    rows = []
    for mask in np.load(inputs):
        emulator.set_button_mask((mask >> np.arange(12) & 1).astype(np.uint8), 0)
        emulator.step()
        rows.append(b"".join(bytes(block) for _, block in sorted(data.memory.blocks.items())))
    screen = emulator.get_screen()
    np.savez(
        output,
        addresses=[[address, len(block)] for address, block in sorted(data.memory.blocks.items())],
        ram=np.array([np.frombuffer(row, np.uint8) for row in rows]),
        screen=screen,
    )


main(*sys.argv[1:])
