"""Keeping only the candidates whose ones stand at given addresses."""

from __future__ import annotations

import numpy as np
import pytest

from integrator.domain.datatype import DataType
from integrator.domain.errors import AddressError
from integrator.domain.memory import AddressSpace, Overlay, Region
from integrator.domain.search import Search

TYPES = tuple(map(DataType.parse, ("|u1", ">u2", "<u2", ">d3", "<>u4")))


@pytest.mark.parametrize("overlay", [None, Overlay.parse(["=", ">", 2])])
def test_the_lowest_byte_decides(overlay: Overlay | None) -> None:
    space = AddressSpace([Region(0x100, 16), Region(0x400, 8)], overlay)
    search = Search(space, TYPES, ram=np.zeros(24, np.uint8))
    search.keep_at([0x104, 0x401])
    found = {(each.address, each.type.spec) for each in search.candidates()}
    expected = {
        (address - each.order[-1], each.spec)
        for address in (0x104, 0x401)
        for each in TYPES
        if address - each.order[-1] in range(0x100, 0x110 - each.width + 1)
        or address - each.order[-1] in range(0x400, 0x408 - each.width + 1)
    }
    assert found == expected
    assert (0x103, ">u2") in found
    assert (0x104, "<u2") in found
    assert search.undo()
    assert search.count > len(found)


def test_an_unmapped_address_is_refused() -> None:
    search = Search(AddressSpace([Region(0, 8)], None), TYPES, ram=np.zeros(8, np.uint8))
    with pytest.raises(AddressError):
        search.keep_at([9])
    assert not search.history
