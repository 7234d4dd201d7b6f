"""The kernel over larger memories, for all types and comparisons, against plain numpy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from plain_sweep import PlainSweep

from integrator.domain.errors import DataTypeError
from integrator.domain.search.operators import OPERATORS
from integrator.domain.search.results import Activity
from integrator.domain.search.search import Search
from integrator.domain.sweep import sets
from integrator.domain.sweep.readings import BIT_FIELDS, FLOATS, SearchType
from integrator.domain.values import memory
from integrator.domain.values.memory import (
    ENDIANS,
    KINDS,
    MAX_WIDTH,
    AddressSpace,
    DataType,
    NumberKind,
    Region,
)

Memory = NDArray[np.uint8]
SIZE = 3003
"""Several blocks of the kernel, and a part of one."""
VALUES: dict[str, tuple[Any, ...]] = {
    "in-range": ((-3, 300), (0, 10**9), (2, 2), (256, 70_000)),
    "modulo": ((10, 3), (1, 0), (256, 9), (2048, 200), (2049, 200), (2**62, 7)),
    "bit-set": (0, 7, 8, 15, 16, 63),
    "bit-clear": (0, 7, 8, 15, 16, 63),
    "changed-times": (0, 1, (0, 1), (1, 9), 10**12),
    "increased-by": (0, 1, 3, -1, 10, -256, 255, 256, 10**15),
    "decreased-by": (0, 1, 10, 257),
    "different-by": (0, 1, 10, 255, 10**15),
}
PLAIN_VALUES = (0, 1, 3, 255, 256, -1, -129, 65_535, 2**63 - 1, 2**64)
MEMORY_OPS = {"changed", "unchanged", "increased", "decreased"}


def every_type() -> list[SearchType]:
    types: list[SearchType] = [*BIT_FIELDS, *FLOATS]
    for endian, kind, width in product(ENDIANS, KINDS, range(1, MAX_WIDTH + 1)):
        try:
            types.append(DataType.parse(f"{endian}{kind}{width}"))
        except DataTypeError:
            continue
    return types


def memories(size: int, changed_share: float) -> tuple[Memory, Memory]:
    """Zeros, small numbers, floats and noise; some bytes differ, and some of them carry."""
    rng = np.random.default_rng(7)
    part = -(-size // 4)
    reals = rng.choice(np.array((0.5, 2.5, -1.0, 100.0, np.nan, np.inf, 3.0)), part).astype(">f4")
    parts = (
        np.zeros(part, np.uint8),
        rng.choice(np.array((0, 1, 2, 3, 9, 10, 0x10, 0x99, 0xFF, 0x7F, 0x80), np.uint8), part),
        reals.view(np.uint8)[:part],
        rng.integers(0, 256, part, np.uint8),
    )
    before = np.concatenate(parts)[:size]
    now = before.copy()
    changed = rng.random(size) < changed_share
    now[changed] += rng.choice(np.array((1, 255, 16, 3), np.uint8), int(changed.sum()))
    return before, now


def values_of(op: str) -> tuple[Any, ...]:
    if op in MEMORY_OPS:
        return (None,)
    return VALUES.get(op, PLAIN_VALUES)


def left_by(search: Search) -> dict[SearchType, NDArray[np.intp]]:
    return {kind: left.positions for kind, left in search._states[-1].sets.items()}


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("changed_share", [0.002, 0.4])
@pytest.mark.parametrize("as_lists", [False, True])
def test_every_type_agrees_with_plain_numpy(
    op: str, changed_share: float, as_lists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    types = every_type()
    before, now = memories(SIZE, changed_share)
    plain = PlainSweep(now, before)
    if as_lists:
        monkeypatch.setattr(sets, "_SPARSE_SHARE", 1)
    space = AddressSpace([Region(0, SIZE)])
    activity = Activity(space)
    seen = [before]
    search = Search(space, types, lambda: seen[-1], activity=activity)
    seen.append(now)
    activity.note(np.flatnonzero(before != now))
    for value in values_of(op):
        search.take(search.plan(op, value))
        found = left_by(search)
        for kind in types:
            expected = plain.positions(kind, op, value)
            assert np.array_equal(found[kind], expected), (str(kind), value)
        search.undo()


@pytest.fixture
def _made_up_kinds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    turned = NumberKind("c", "turned", "", 255 - np.arange(256), bytes(range(255, -1, -1)))
    sevens = NumberKind("s", "sevens", "", np.arange(256) // 3 % 7, bytes(range(0, 21, 3)))
    for kind in (turned, sevens):
        monkeypatch.setitem(KINDS, kind.letter, kind)
    yield
    memory._parse.cache_clear()


@pytest.mark.usefixtures("_made_up_kinds")
@pytest.mark.parametrize("as_lists", [False, True])
def test_a_kind_of_numbers_is_searched_as_its_row_says(
    as_lists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    types = [
        DataType.parse(f"{e}{kind}{width}") for e in "<>" for kind in "csu" for width in (1, 3)
    ]
    before, now = memories(SIZE, 0.4)
    plain = PlainSweep(now, before)
    if as_lists:
        monkeypatch.setattr(sets, "_SPARSE_SHARE", 1)
    space = AddressSpace([Region(0, SIZE)])
    activity = Activity(space)
    seen = [before]
    search = Search(space, types, lambda: seen[-1], activity=activity)
    seen.append(now)
    activity.note(np.flatnonzero(before != now))
    for op in OPERATORS:
        for value in values_of(op):
            search.take(search.plan(op, value))
            found = left_by(search)
            for kind in types:
                expected = plain.positions(kind, op, value)
                assert np.array_equal(found[kind], expected), (str(kind), op, value)
            search.undo()


@pytest.mark.parametrize("size", [1, 7, 63, 64, 65, 1016, 1024, 1025, 1087, 1088, 1089, 2049])
def test_the_ends_of_words_and_blocks_make_no_difference(size: int) -> None:
    types = [DataType.parse(spec) for spec in ("|u1", ">i2", "<u4", ">d8", "<u8")]
    before, now = memories(size, 0.1)
    plain = PlainSweep(now, before)
    seen = [before]
    search = Search(AddressSpace([Region(0, size)]), types, lambda: seen[-1])
    seen.append(now)
    for op, value in (
        ("equal", 255),
        ("less-than", 9),
        ("changed", None),
        ("unchanged", None),
        ("increased-by", 1),
    ):
        search.take(search.plan(op, value))
        found = left_by(search)
        for kind in types:
            assert np.array_equal(found[kind], plain.positions(kind, op, value)), (str(kind), op)
        search.undo()


def test_a_second_comparison_looks_only_at_what_the_first_left() -> None:
    types = every_type()
    before, now = memories(SIZE, 0.4)
    seen = [before]
    search = Search(AddressSpace([Region(0, SIZE)]), types, lambda: seen[-1])
    search.refine("greater-than", 2)
    seen.append(now)
    search.refine("decreased")
    for kind, found in left_by(search).items():
        above = PlainSweep(before, before).positions(kind, "greater-than", 2)
        fell = PlainSweep(now, before).positions(kind, "decreased", None)
        assert np.array_equal(found, np.intersect1d(above, fell))


@pytest.mark.parametrize("place", [0, 64, 1023, 1024, 1030, SIZE - 1])
def test_one_byte_that_changed_is_seen_by_all_numbers_that_use_it(place: int) -> None:
    kind = DataType.parse(">u4")
    before = np.zeros(SIZE, np.uint8)
    now = before.copy()
    now[place] = 1
    plain = PlainSweep(now, before)
    seen = [before]
    search = Search(AddressSpace([Region(0, SIZE)]), [kind], lambda: seen[-1])
    assert search.preview("changed") == 0
    assert search.preview("unchanged") == SIZE - 3
    seen.append(now)
    for op, value in (("changed", None), ("unchanged", None), ("increased-by", 256)):
        search.take(search.plan(op, value))
        assert np.array_equal(left_by(search)[kind], plain.positions(kind, op, value)), op
        search.undo()
