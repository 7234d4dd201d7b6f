"""RAM as changes: found, packed and unpacked without loss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from integrator.domain.timeline.pool import BytePool
from integrator.domain.timeline.ramlog import (
    BlockPacker,
    FirstRam,
    OpenRamBlock,
    differences,
    picked_offsets,
)


@st.composite
def rams(draw: st.DrawFn) -> NDArray[np.uint8]:
    """Some frames of a RAM of any length, with few changes."""
    size, frames = draw(st.integers(1, 70)), draw(st.integers(2, 12))
    ram = np.zeros((frames, size), np.uint8)
    ram[0] = draw(st.integers(0, 255))
    for i in range(1, frames):
        ram[i] = ram[i - 1]
        for at in draw(st.lists(st.integers(0, size - 1), max_size=5)):
            ram[i, at] ^= draw(st.integers(0, 255))
    return ram


@given(ram=rams(), split=st.integers(0, 12), data=st.data())
def test_round_trip(ram: NDArray[np.uint8], split: int, data: st.DataObject) -> None:
    frames = len(ram) - 1
    split = min(split, frames)
    block = OpenRamBlock(FirstRam(ram[0]), frames)
    for part in (ram[: split + 1], ram[split:]):
        if len(part) > 1:
            block.append(differences(part[0], part[1:]))
    pool = BytePool(1 << 20)
    sealed = BlockPacker(pool, ram.shape[1]).seal(block)
    start = data.draw(st.integers(0, frames))
    stop = data.draw(st.integers(start + 1, frames + 1))
    offset = data.draw(st.integers(0, ram.shape[1] - 1))
    picked = np.unique(np.array([offset, ram.shape[1] - 1], np.intp))
    for decoded in (block.decode(), sealed.decode()):
        np.testing.assert_array_equal(decoded.ram(start), ram[start])
        out = np.empty((stop - start, ram.shape[1]), np.uint8)
        decoded.fill(out, start, stop)
        np.testing.assert_array_equal(out, ram[start:stop])
        some = np.empty((stop - start, len(picked)), np.uint8)
        decoded.fill_picked(some, picked, start, stop)
        np.testing.assert_array_equal(some, ram[start:stop][:, picked])
        mask = np.zeros(ram.shape[1], np.bool_)
        decoded.mark_changed(mask, start, stop)
        expected = (ram[max(start, 1) - 1 : stop - 1] != ram[max(start, 1) : stop]).any(axis=0)
        np.testing.assert_array_equal(mask, expected)
    pool.close()


@given(ram=rams())
def test_differences_are_ascending_and_true(ram: NDArray[np.uint8]) -> None:
    found = differences(ram[0], ram[1:])
    for i in range(len(ram) - 1):
        part = found.part(i, i + 1)
        assert part.offsets.tolist() == np.flatnonzero(ram[i] != ram[i + 1]).tolist()
        assert part.values.tolist() == ram[i + 1][part.offsets].tolist()


def test_ranges_in_their_order() -> None:
    assert picked_offsets([(5, 2), (0, 1)]).tolist() == [5, 6, 0]
    assert picked_offsets([]).tolist() == []


def test_the_pool_forgets_what_nobody_holds() -> None:
    pool = BytePool(10_000)
    data = np.random.default_rng(0).bytes(3000)
    for _ in range(50):
        pool.add(data)
    assert pool.memory_bytes == 0
    assert pool.disk_bytes <= 3100
    kept = [pool.add(data) for _ in range(5)]
    assert pool.memory_bytes <= 10_000
    assert [packed.load() for packed in kept] == [data] * 5
    assert not kept[0].in_memory
    assert kept[-1].in_memory
    pool.close()
    with pytest.raises(ValueError, match="closed"):
        kept[0].load()
