"""Packing of states and RAM: every byte comes back, and empty pages cost nothing."""

from __future__ import annotations

import resource
from collections.abc import Callable

import numpy as np
import pytest

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.pool import BytePool
from integrator.domain.timeline.timeline import Timeline


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
    assert BytePool(1 << 20).add(raw).load() == raw


def noise(count: int, size: int = 10_000) -> list[bytes]:
    random = np.random.default_rng(size)
    return [random.bytes(size) for _ in range(count)]


def within_file_limit(room_bytes: int, work: Callable[[], None]) -> None:
    """Do ``work`` where no file can become longer: the last write stops early, the next fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room_bytes, before[1]))
    try:
        work()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room_bytes", [0, 1, 35_000, 100_001])
def test_a_full_disk_loses_nothing_and_is_told_once(room_bytes: int) -> None:
    told: list[str] = []
    pool = BytePool(50_000, tell=told.append)
    blocks = noise(40)
    kept: list = []  # type: ignore[type-arg] # Packed
    within_file_limit(room_bytes, lambda: kept.extend(pool.add(block) for block in blocks))
    assert [one.load() for one in kept] == blocks
    assert len(told) == 1
    assert "File too large" in told[0]
    in_memory = pool.memory_bytes
    more = noise(60, 9_999)
    kept += [pool.add(block) for block in more]
    assert [one.load() for one in kept] == blocks + more
    assert pool.memory_bytes < in_memory
    pool.close()


def test_beyond_its_size_the_file_gives_up_the_oldest_and_tells_once() -> None:
    told: list[str] = []
    pool = BytePool(50_000, disk_budget_bytes=205_000, tell=told.append)
    blocks = noise(200, 9_000)
    kept = [pool.add(block) for block in blocks]
    assert pool.disk_bytes <= 205_000
    gone = [index for index, one in enumerate(kept) if not readable(one.load)]
    assert gone == list(range(len(gone)))
    assert 200 - len(gone) > 23
    assert [one.load() for one in kept[len(gone) :]] == blocks[len(gone) :]
    assert len(told) == 1
    assert "the oldest frames are given up" in told[0]
    pool.set_disk_budget(100_000)
    left = [index for index, one in enumerate(kept) if readable(one.load)]
    assert pool.disk_bytes <= 100_000
    assert all(kept[index].load() == blocks[index] for index in left)
    again = noise(100, 8_000)
    kept_again = [pool.add(block) for block in again]
    assert pool.disk_bytes <= 100_000
    assert all(
        one.load() == block for one, block in zip(kept_again[-12:], again[-12:], strict=True)
    )
    pool.close()


def readable(load: Callable[[], bytes]) -> bool:
    try:
        load()
    except TimelineError as error:
        assert "Preferences" in str(error)  # noqa: PT017 - the cure
        return False
    return True


def test_frames_that_were_given_up_are_a_typed_error_and_the_rest_goes_on() -> None:
    told: list[str] = []
    timeline = Timeline(4096, 1, budget_bytes=30_000, tell=told.append)
    timeline.pool.set_disk_budget(1_000_000)
    random = np.random.default_rng(1)
    rams = random.integers(0, 256, (1200, 4096)).astype(np.uint8)
    for number, ram in enumerate(rams):
        timeline.append([0], ram, rewards=[0.0], done=[False])
        if number % 120 == 0:
            timeline.add_keyframe(timeline.length, ram.tobytes())
    with pytest.raises(TimelineError, match="Preferences"):
        timeline.ram(1)
    assert np.array_equal(timeline.ram(1200), rams[-1])
    assert len(told) == 1
    timeline.close()
