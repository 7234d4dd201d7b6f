"""Packing of states and RAM: every byte comes back, and empty pages cost nothing."""

from __future__ import annotations

import numpy as np
import pytest

from integrator.domain.timeline_pool import BytePool, pack, unpack


@pytest.mark.parametrize("size", [0, 1, 1000, 65535, 65536, 65537, 66559, 70001, 1036288])
@pytest.mark.parametrize("filled", [0.0, 0.05, 1.0])
def test_what_is_packed_comes_back(size: int, filled: float) -> None:
    random = np.random.default_rng(size)
    data = random.integers(0, 256, size).astype(np.uint8)
    pages = random.random(size // 1024 + 1) < filled
    data[~np.repeat(pages, 1024)[:size]] = 0
    if size:
        data[-1] = 7
    raw = data.tobytes()
    assert unpack(pack(raw)) == raw
    assert BytePool(1 << 20).add(raw).load() == raw


def test_empty_pages_cost_next_to_nothing() -> None:
    state = bytearray(1 << 20)
    state[500_000:500_010] = b"some bytes"
    assert len(pack(bytes(state))) < 400
