"""Frames that change much: blocks stay short, packing goes on during play, nothing is lost."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from integrator.domain.timeline import ramlog
from integrator.domain.timeline.block import MOST_CHANGES
from integrator.domain.timeline.ramlog import DecodedRam, Differences, OrderedWork, decode, encode
from integrator.domain.timeline.timeline import Timeline

RAM_BYTES = 1 << 20
CHANGED = 60_000


def frames(count: int, seed: int = 1) -> list[Differences]:
    random = np.random.default_rng(seed)
    return [
        Differences(
            np.array([CHANGED]),
            np.sort(random.choice(RAM_BYTES, CHANGED, replace=False)).astype(np.uint32),
            random.integers(0, 256, CHANGED).astype(np.uint8),
        )
        for _ in range(count)
    ]


@given(
    rows=st.lists(
        st.lists(st.tuples(st.integers(0, 2**20), st.integers(0, 255)), max_size=6), min_size=1
    )
)
def test_changes_come_back_in_any_order_of_offsets(rows: list[list[tuple[int, int]]]) -> None:
    ends = np.cumsum([len(row) for row in rows])
    offsets = np.array([offset for row in rows for offset, _ in row], np.uint32)
    values = np.array([value for row in rows for _, value in row], np.uint8)
    base = np.zeros(1, np.uint8)
    found = decode(encode(ends, offsets, values), len(rows), base)
    assert found.ends.tolist() == ends.tolist()
    assert found.offsets.tolist() == offsets.tolist()
    assert found.values.tolist() == values.tolist()
    assert found.base is base


def test_offsets_of_equal_frames_take_little_room() -> None:
    one = frames(1)[0].offsets
    raw = encode(np.arange(1, 9) * CHANGED, np.tile(one, 8), np.zeros(8 * CHANGED, np.uint8))
    assert len(raw) < 8 * CHANGED * 2.1


@pytest.mark.parametrize("at_once", [1, 25])
def test_a_block_is_full_of_changes_and_not_only_of_frames(at_once: int) -> None:
    log = Timeline(RAM_BYTES, 1)
    played = frames(25)
    ram = np.zeros(RAM_BYTES, np.uint8)
    for start in range(0, 25, at_once):
        chunk = played[start : start + at_once]
        log.append(
            np.zeros((at_once, 1), np.uint16),
            Differences(
                np.full(at_once, CHANGED),
                np.concatenate([each.offsets for each in chunk]),
                np.concatenate([each.values for each in chunk]),
            ),
            rewards=np.zeros(at_once),
            done=np.zeros(at_once, np.bool_),
        )
    kept = log._blocks()
    assert sum(block.frames for block in kept) == 25
    assert all(len(block.ram.decode().values) < MOST_CHANGES + CHANGED for block in kept)
    assert len(kept) >= 25 * CHANGED // (MOST_CHANGES + CHANGED)
    rams = []
    for changes in played:
        ram[changes.offsets] = changes.values
        rams.append(ram.copy())
    for frame in (1, 8, 9, 17, 25):
        assert np.array_equal(log.ram(frame), rams[frame - 1])
    log.settle()
    assert all(np.array_equal(log.ram(frame), rams[frame - 1]) for frame in range(1, 26))
    log.close()


def test_large_parts_are_packed_on_another_thread_and_can_be_read_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_pack = threading.Event()
    packed_on: list[str] = []
    pack_block = ramlog.RamBlock.pack

    def wait(block: ramlog.RamBlock, *args: object) -> None:
        assert may_pack.wait(30)
        packed_on.append(threading.current_thread().name)
        pack_block(block, *args)  # type: ignore[arg-type] # passed on

    monkeypatch.setattr(ramlog.RamBlock, "pack", wait)
    log = Timeline(RAM_BYTES, 1)
    ram = np.zeros(RAM_BYTES, np.uint8)
    for changes in frames(20):
        ram[changes.offsets] = changes.values
        log.append([0], changes, rewards=[0.0], done=[False])
    state = np.random.default_rng(3).bytes(2 << 20)
    log.add_keyframe(20, state)
    assert np.array_equal(log.ram(20), ram)
    assert log.ram(3).any()
    assert log.keyframe_at_or_before(log.length) == (20, state)
    may_pack.set()
    log.settle()
    assert set(packed_on) == {"pack-timeline_0"}
    assert np.array_equal(log.ram(20), ram)
    assert log.keyframe_at_or_before(log.length) == (20, state)
    log.close()
    assert not [each for each in threading.enumerate() if each.name == "pack-timeline_0"]


def test_the_thread_that_packs_works_out_the_ram_that_a_block_begins_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made_on: list[str] = []
    made = DecodedRam.ram

    def noted(decoded: DecodedRam, index: int) -> NDArray[np.uint8]:
        made_on.append(threading.current_thread().name)
        return made(decoded, index)

    monkeypatch.setattr(DecodedRam, "ram", noted)
    log = Timeline(RAM_BYTES, 1)
    ram = np.zeros(RAM_BYTES, np.uint8)
    for changes in frames(20):
        ram[changes.offsets] = changes.values
        log.append([0], changes, rewards=[0.0], done=[False])
    log.settle()
    assert len(made_on) == len(log._blocks()) - 1 > 0
    assert set(made_on) == {"pack-timeline_0"}
    assert np.array_equal(log.ram(20), ram)
    log.close()


def test_first_rams_are_told_by_what_differs() -> None:
    log = Timeline(RAM_BYTES, 1)
    noise = np.random.default_rng(2).integers(0, 256, RAM_BYTES).astype(np.uint8)
    log.discontinuity("state", b"", noise)
    places = np.arange(500, dtype=np.uint32) * 2
    for number in range(3 * 1024):
        values = np.full(500, number % 256, np.uint8)
        log.append([0], Differences(np.array([500]), places, values), rewards=[0.0], done=[False])
        if number % 256 == 255:
            log.seal()
    log.settle()
    # The state's RAM, the first block's, and the same kept ready; not one for each block.
    assert log.bytes_used < 3.1 * RAM_BYTES
    for frame in (1, 256, 257, 1500, 3072):
        expected = noise.copy()
        expected[places] = (frame - 1) % 256
        assert np.array_equal(log.ram(frame), expected)
    log.close()


def test_work_beside_keeps_its_order_and_its_thread_ends() -> None:
    work, begin, done = OrderedWork(), threading.Event(), list[int]()
    work.do(lambda: done.append(0 if begin.wait(30) else -1), is_long=True)
    for number in range(1, 10):
        work.do(lambda number=number: done.append(number), is_long=False)  # type: ignore[misc] # a default binds the loop's value
    assert done == []
    begin.set()
    work.finish()
    assert done == list(range(10))
    work.do(lambda: done.append(10), is_long=False)
    assert done[-1] == 10


def test_who_gives_more_work_than_can_wait_waits() -> None:
    work, done = OrderedWork(), list[int]()
    for number in range(100):
        work.do(lambda number=number: done.append(number), is_long=True)  # type: ignore[misc] # a default binds the loop's value
    work.finish()
    assert done == list(range(100))
