"""Address spaces: regions, word-swapped memory, reads and writes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrator.domain.errors import AddressError, DataTypeError
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region, merge_offsets

SWAPPED = Overlay.parse(["=", ">", 2])


def genesis(size: int = 16) -> AddressSpace:
    return AddressSpace([Region(0xFF0000, size)], SWAPPED)


def test_swapped_words_read_in_console_order_at_every_address() -> None:
    raw = np.frombuffer(bytes.fromhex("34127856bc9af1de"), dtype=np.uint8)
    space = genesis(8)
    assert space.read(raw, 0xFF0000, DataType.parse("|u1")) == 0x12
    assert space.read(raw, 0xFF0001, DataType.parse(">u2")) == 0x3456
    assert space.read(raw, 0xFF0001, DataType.parse(">u3")) == 0x345678
    assert space.read(raw, 0xFF0000, DataType.parse("<u4")) == 0x78563412
    assert space.logical(raw).tobytes().hex() == "123456789abcdef1"


@given(st.sampled_from([1, 2, 4, 8]), st.integers(0, 31), st.integers(1, 8), st.integers(0, 99))
def test_offsets_agree_with_the_logical_copy(width: int, at: int, length: int, seed: int) -> None:
    space = AddressSpace([Region(3, 20), Region(100, 24)], Overlay("<", ">", width))
    raw = np.random.default_rng(seed).integers(0, 256, (2, 44), dtype=np.uint8)
    address = space.address_of(min(at, 43))
    region = space.region_at(address)
    assert region is not None
    if address + length > region.end:
        with pytest.raises(AddressError, match="past the end"):
            space.offsets(address, length)
        return
    start = space.index_of(address)
    logical = space.logical(raw)
    assert (raw[:, space.offsets(address, length)] == logical[:, start : start + length]).all()


def test_writing_then_reading_gives_the_value_and_touches_nothing_else() -> None:
    space = genesis()
    for address in range(0xFF0000, 0xFF000C):
        for spec, value in ((">u2", 0x1234), ("<u3", 0x123456), (">d4", 12345678), ("|i1", -3)):
            ram = np.full(16, 0xEE, np.uint8)
            data_type = DataType.parse(spec)
            for offset, data in space.encode_write(address, data_type, value):
                ram[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
            assert space.read(ram, address, data_type) == value
            assert (ram != 0xEE).sum() <= data_type.width


def test_an_aligned_word_is_one_contiguous_write() -> None:
    word = DataType.parse(">u2")
    assert genesis().encode_write(0xFF0002, word, 0x1234) == [(2, bytes.fromhex("3412"))]
    assert [offset for offset, _ in genesis().encode_write(0xFF0001, word, 0x1234)] == [0, 3]


def test_regions_are_sorted_and_flat_ram_follows_addresses() -> None:
    space = AddressSpace([Region(0x100, 4, "high"), Region(0x10, 2, "low")])
    assert [region.name for region in space.regions] == ["low", "high"]
    assert space.size_bytes == 6
    assert [space.address_of(i) for i in range(6)] == [0x10, 0x11, 0x100, 0x101, 0x102, 0x103]
    assert [space.index_of(space.address_of(i)) for i in range(6)] == list(range(6))


@pytest.mark.parametrize("address", [0x0F, 0x12, 0xFF, 0x104, -1])
def test_unmapped_addresses_are_named(address: int) -> None:
    space = AddressSpace([Region(0x10, 2), Region(0x100, 4)])
    with pytest.raises(AddressError, match=r"is not mapped; memory is 0x10-0x11, 0x100-0x103"):
        space.index_of(address)
    with pytest.raises(AddressError, match="is not mapped"):
        space.offsets(address, 1)


def test_a_span_may_not_leave_its_region_even_into_a_neighbor() -> None:
    space = AddressSpace([Region(0, 4), Region(4, 4)])
    with pytest.raises(AddressError, match="past the end of memory region 0x0-0x3"):
        space.offsets(3, 2)


def test_bad_layouts_are_refused() -> None:
    with pytest.raises(AddressError, match="overlap"):
        AddressSpace([Region(0, 4), Region(3, 4)])
    with pytest.raises(AddressError, match="empty"):
        AddressSpace([Region(0, 0)])
    with pytest.raises(AddressError, match="exposes no memory"):
        AddressSpace([]).index_of(0)
    with pytest.raises(AddressError, match="outside"):
        AddressSpace([Region(0, 4)]).address_of(4)
    with pytest.raises(AddressError, match="of shape"):
        genesis().logical(np.zeros(15, np.uint8))


@pytest.mark.parametrize("value", [[], ["=", ">"], ["=", ">", 3], ["><", ">", 4], ["=", 1, 2]])
def test_malformed_overlays_are_refused(value: list[object]) -> None:
    with pytest.raises(AddressError, match="malformed"):
        Overlay.parse(value)


def test_a_value_that_does_not_fit_writes_nothing() -> None:
    with pytest.raises(DataTypeError):
        genesis().encode_write(0xFF0000, DataType.parse("|u1"), 300)


@given(st.lists(st.integers(0, 40)))
def test_merged_ranges_cover_exactly_the_offsets(offsets: list[int]) -> None:
    ranges = merge_offsets(offsets)
    covered = [at for start, length in ranges for at in range(start, start + length)]
    assert covered == sorted(set(offsets))
    assert all(sum(low) < high[0] for low, high in pairwise(ranges))
