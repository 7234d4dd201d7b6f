"""Sets of candidates behave like sets, however they are kept and made."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.sweep.sets import (
    CandidateSet,
    difference,
    intersection,
    union,
)

SIZE = 700
position_sets = st.one_of(
    st.sets(st.integers(0, SIZE - 1), max_size=12),
    st.sets(st.integers(0, SIZE - 1), min_size=100),
    st.just(set(range(SIZE))),
)


def in_both_forms(members: set[int]) -> list[CandidateSet]:
    mask = np.zeros(SIZE, dtype=np.bool_)
    mask[list(members)] = True
    return [
        CandidateSet.of_mask(mask),
        CandidateSet.of_positions(np.array(sorted(members), dtype=np.intp), SIZE),
    ]


@given(first=position_sets, second=position_sets, cut=st.integers(0, SIZE // 8 - 1))
def test_sets_behave_like_sets(first: set[int], second: set[int], cut: int) -> None:
    every = np.arange(SIZE)
    for one in in_both_forms(first):
        assert one.count == len(first)
        assert one.within(cut * 8, SIZE).tolist() == [p for p in sorted(first) if p >= cut * 8]
        assert np.flatnonzero(one.contains(every)).tolist() == sorted(first)
        for size in (64, 128, 4096):
            assert one.counts(size).tolist() == [
                len([p for p in first if p // size == block]) for block in range(-(-SIZE // size))
            ]
        for other in in_both_forms(second):
            assert union([one, other]).positions.tolist() == sorted(first | second)
            assert intersection(one, other).positions.tolist() == sorted(first & second)
            assert difference(one, other).positions.tolist() == sorted(first - second)
            assert one.keep(other.mask()).positions.tolist() == sorted(first & second)
        assert one.positions.tolist() == sorted(first)
        assert np.flatnonzero(one.mask()).tolist() == sorted(first)
