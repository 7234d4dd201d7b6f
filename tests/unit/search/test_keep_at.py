"""Keeping only the candidates that use bytes at given addresses."""

from __future__ import annotations

import numpy as np
import pytest

from integrator.domain.errors import AddressError
from integrator.domain.search.search import Search
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region

TYPES = tuple(map(DataType.parse, ("|u1", ">u2", "<u2", ">d3", "<>u4")))


@pytest.mark.parametrize("overlay", [None, Overlay.parse(["=", ">", 2])])
def test_those_that_use_one_of_the_bytes_stay(overlay: Overlay | None) -> None:
    space = AddressSpace([Region(0x100, 16), Region(0x400, 8)], overlay)
    search = Search(space, TYPES, lambda: np.zeros(24, np.uint8))
    everything = {(each.address, each.type) for each in search.candidates()}
    wanted = {0x10F, 0x401}
    search.keep_at(sorted(wanted))
    found = {(each.address, each.type) for each in search.candidates()}
    expected = {
        (start, kind)
        for start, kind in everything
        if wanted & set(range(start, start + kind.width))
    }
    assert found == expected
    assert len(found) > 8
    assert search.undo()
    assert search.count == len(everything)


def test_an_unmapped_address_is_refused() -> None:
    search = Search(AddressSpace([Region(0, 8)], None), TYPES, lambda: np.zeros(8, np.uint8))
    with pytest.raises(AddressError):
        search.keep_at([9])
    assert not search.history
