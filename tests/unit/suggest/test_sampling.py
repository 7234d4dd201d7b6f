"""The choice of bytes worth a look, where far too many change."""

from __future__ import annotations

import numpy as np

from integrator.domain.suggest.sampling import MOST_PLACES, choose_places

FRAMES, BYTES = 1200, 3 * MOST_PLACES
SCORE, X = 4321, 9876


def test_a_score_and_a_position_are_chosen_out_of_noise() -> None:
    rng = np.random.default_rng(3)
    across = np.repeat(rng.integers(-1, 2, FRAMES // 30), 30).astype(np.int8)
    position = 100 + np.cumsum(across)

    def ram_at(frame: int) -> np.ndarray:
        ram = rng.integers(0, 256, BYTES).astype(np.uint8)
        ram[SCORE] = frame // 200
        ram[X] = position[frame] & 255
        return ram

    places = choose_places(ram_at, np.arange(BYTES), 0, across)
    assert len(places) <= MOST_PLACES
    assert {SCORE, X} <= set(places.tolist())
    assert (np.diff(places) > 0).all()
    few = np.arange(10)
    assert choose_places(ram_at, few, 0, across) is few
