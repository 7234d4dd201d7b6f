"""Rows sorted by a column come in the order of Python's own sort."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from integrator.domain.search.results import MOST_SORTED, Activity, Candidate, RowOrder, SortBy
from integrator.domain.search.search import Search
from integrator.domain.sweep.readings import BIT_FIELDS, FLOATS, SearchType, scales_of
from integrator.domain.values.memory import AddressSpace, DataType, Region

SPACE = AddressSpace([Region(0x100, 400), Region(0x8000, 100)])
TYPES: tuple[SearchType, ...] = (
    *(DataType.parse(spec) for spec in ("|u1", "|i1", ">u2", "<d2", ">n4")),
    *BIT_FIELDS,
    *FLOATS,
)


@pytest.fixture(scope="module")
def search() -> Search:
    """Some thousand rows with several scales, values of either sign, and changes."""
    rng = np.random.default_rng(11)
    memories = rng.choice(np.array([0, 1, 2, 0x10, 0x20, 0x40, 0xC0], np.uint8), (5, 500))
    activity = Activity(SPACE)
    seen = [memories[0]]
    search = Search(SPACE, TYPES, lambda: seen[-1], scales=True, activity=activity)
    for before, memory in pairwise(memories):
        activity.note(np.flatnonzero(memory != before))
        seen.append(memory)
        search.refine("in-range", (-1000, 1000))
    assert 2000 < search.count < MOST_SORTED
    return search


def scale_place(row: Candidate) -> int:
    kind: SearchType = row.type
    shift = 0
    if row.mask is not None:
        kind = next(field for field in BIT_FIELDS if field.mask == row.mask)
        shift = kind.shift
    if row.real is not None:
        kind = row.real
    return [scale.shifted(shift) for scale in scales_of(kind)].index(row.scale)


KEYS: dict[SortBy, Callable[[Candidate], float]] = {
    SortBy.ADDRESS: lambda row: row.address,
    SortBy.TYPE: lambda row: [str(getattr(kind, "spec", kind)) for kind in TYPES].index(
        row.type_text
    ),
    SortBy.SCALE: scale_place,
    SortBy.VALUE: lambda row: row.value,
    SortBy.PREVIOUS: lambda row: row.previous,
    SortBy.CHANGES: lambda row: row.changes,
    SortBy.AGE: lambda row: row.age if row.age >= 0 else np.inf,
}


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("by", SortBy)
def test_rows_come_sorted(search: Search, by: SortBy, *, descending: bool) -> None:
    rows = list(search.candidates())
    keys = [KEYS[by](row) for row in rows]
    assert len(set(keys)) > 1, "nothing to sort"
    sign = -1 if descending else 1
    wanted = [rows[n] for n in sorted(range(len(rows)), key=lambda n: sign * keys[n])]
    found = search.candidates().sorted(RowOrder(by, descending))
    assert list(found) == wanted
    assert list(found[10:20]) == wanted[10:20]
    assert found[-1] == wanted[-1]
    assert found.addresses().tolist() == sorted({row.address for row in rows})


def test_what_is_left_of_a_search_may_be_nothing() -> None:
    empty = Search(SPACE, TYPES[:1], lambda: np.zeros(500, np.uint8))
    empty.refine("equal", 9)
    assert list(empty.candidates().sorted(RowOrder(SortBy.VALUE))) == []


def test_very_many_rows_stay_by_address() -> None:
    large = AddressSpace([Region(0, MOST_SORTED + 1)])
    memory = np.arange(MOST_SORTED + 1, dtype=np.uint32).astype(np.uint8)
    rows = Search(large, TYPES[:1], lambda: memory).candidates()
    assert rows.sorted(RowOrder(SortBy.VALUE, descending=True)) is rows
