"""Made-up play in which every kind of variable was planted once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.play import Play
from integrator.domain.values.memory import AddressSpace, Region

FRAMES = 1800
SPACE = AddressSpace([Region(0x80, 64)])
SCORE, LIVES, TIMER, X, Y, X_COPY, RANDOM, CLOCK = 4, 9, 12, 20, 31, 40, 50, 55
DEATHS = (500, 950, 1500)
GAINS = {100: 50, 260: 10, 400: 10, 620: 90, 800: 50, 1000: 10, 1200: 90, 1710: 10}


def held(rng: np.random.Generator) -> NDArray[np.int8]:
    return np.repeat(rng.integers(-1, 2, FRAMES // 20), 20).astype(np.int8)


def decimal(number: int) -> list[int]:
    return list(bytes.fromhex(f"{number:06d}"))


def planted() -> Play:
    """A minute of 30 frames a second with a known variable of each kind, and a copy of x."""
    rng = np.random.default_rng(7)
    across, down = held(rng), held(rng)
    ram = np.zeros((FRAMES, 64), np.uint8)
    score, lives, x, y = 0, 3, 80, 90
    cells = np.zeros((FRAMES, 20, 20), np.bool_)
    for frame in range(FRAMES):
        if frame in DEATHS:
            lives, x, y = lives - 1, 80, 90
            cells[frame + 1, 19, 4] = True
        elif frame:
            x = int(np.clip(x + int(across[frame]), 8, 150))
            y = int(np.clip(y + 2 * int(down[frame]), 8, 180))
        if frame in GAINS:
            score += GAINS[frame]
            cells[frame + 1, 0, 10] = True
        ram[frame, SCORE : SCORE + 3] = decimal(score)
        ram[frame, LIVES] = lives
        ram[frame, TIMER] = int(str(99 - frame // 60), 16)
        ram[frame, [X, Y]] = x, y
        ram[frame, X_COPY : X_COPY + 9 : 4] = x + 3
        ram[frame, RANDOM] = rng.integers(256)
        ram[frame, CLOCK] = frame & 255
    changed = np.flatnonzero((ram[1:] != ram[:-1]).any(axis=0))
    steady = np.arange(FRAMES) > 0
    shown = np.ascontiguousarray(ram[:, changed])
    return Play(changed, shown, ram[-1], across, down, steady, cells)
