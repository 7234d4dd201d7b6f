"""Variables of single frames, read out of bytes captured in their own order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.values.memory import ENDIANS, KINDS, AddressSpace, DataType, Overlay, Region
from integrator.domain.values.variables import PackedReader, VariableReader, VariableSpec

SIZE = 64
REGIONS = [Region(0xFF0000, 40), Region(0xFF8000, SIZE - 40)]
_types = st.sampled_from(
    [
        DataType.parse(f"{endian}{kind}{width}")
        for endian in ENDIANS
        for kind in KINDS
        for width in range(1, 9)
        if len(endian) == 1 or width in (4, 6, 8)
    ]
)
_addresses = st.one_of(st.integers(0xFF0000, 0xFF0028), st.integers(0xFF8000, 0xFF8020))
_masks = st.one_of(st.none(), st.integers(-(1 << 63), (1 << 64) - 1))


@given(
    variables=st.lists(st.tuples(_addresses, _types, _masks), max_size=12),
    swapped=st.booleans(),
    seed=st.integers(0, 1 << 16),
)
def test_values_are_those_of_the_reader_of_recordings(
    variables: list[tuple[int, DataType, int | None]], swapped: bool, seed: int
) -> None:
    space = AddressSpace(REGIONS, Overlay.parse(["=", ">", 2]) if swapped else None)
    specs = {str(i): VariableSpec(str(i), *each) for i, each in enumerate(variables)}
    ram = np.random.default_rng(seed).integers(0, 256, SIZE, dtype=np.uint8)
    packed = PackedReader(specs, space)
    captured = b"".join(ram[at : at + length].tobytes() for at, length in packed.ranges)
    assert packed.read(captured) == VariableReader(specs, space).read(ram)


def test_neighbors_are_captured_together() -> None:
    specs = {
        name: VariableSpec(name, address, DataType.parse(spec))
        for name, address, spec in (("a", 0xFF0000, "<u2"), ("b", 0xFF0002, ">u2"))
    }
    assert PackedReader(specs, AddressSpace(REGIONS)).ranges == ((0, 2), (3, 1), (2, 1))
