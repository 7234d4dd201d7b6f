"""Random actions, the same on both sides of a comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

HELD = 4


def random_masks(steps: int, players: int, buttons: int, seed: int) -> NDArray[np.uint16]:
    """Button masks, uint16 of shape (steps, players).

    Few buttons at once, held for some steps: a handful at random is filtered to nothing."""
    generator = np.random.default_rng(seed)
    shape = (steps // HELD + 1, players)
    first, second = (1 << generator.integers(0, buttons, size=shape) for _ in range(2))
    pressed = np.where(generator.random(shape) < 0.5, first, first | second)
    pressed[generator.random(shape) < 0.2] = 0
    return np.repeat(pressed.astype(np.uint16), HELD, axis=0)[:steps]


def random_indices(steps: int, sizes: list[int], seed: int) -> NDArray[np.int64]:
    """Actions of the spaces Discrete (one size) and MultiDiscrete, of shape (steps, sizes)."""
    generator = np.random.default_rng(seed)
    drawn = generator.integers(0, np.array(sizes), size=(steps // HELD + 1, len(sizes)))
    return np.repeat(drawn, HELD, axis=0)[:steps]


def random_actions(space: Any, steps: int, seed: int) -> list[Any]:
    """Actions of one of Gymnasium's spaces: an array of bits, a number, or a row of digits."""
    if hasattr(space, "nvec"):
        return list(random_indices(steps, space.nvec.tolist(), seed))
    if not space.shape:
        return list(random_indices(steps, [int(space.n)], seed)[:, 0])
    bits = int(space.shape[0])
    masks = random_masks(steps, 1, bits, seed).astype(np.int64)
    return list((masks >> np.arange(bits) & 1).astype(np.int8))
