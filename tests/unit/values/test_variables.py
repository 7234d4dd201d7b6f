"""Reading variables from one RAM, from a recording, and from captured byte ranges."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.errors import AddressError
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region
from integrator.domain.values.variables import VariableReader, VariableSpec

SPACE = AddressSpace([Region(0xFF0000, 64)], Overlay.parse(["=", ">", 2]))


def reader(**entries: tuple[int, str, int | None]) -> VariableReader:
    specs = {
        name: VariableSpec(name, address, DataType.parse(spec), mask)
        for name, (address, spec, mask) in entries.items()
    }
    return VariableReader(specs, SPACE)


def example() -> VariableReader:
    return reader(
        score=(0xFF0011, ">d3", None),
        lives=(0xFF0002, "|u1", 0x0F),
        x=(0xFF0012, ">i2", -113),
        big=(0xFF0020, ">u8", 2**64 - 2),
        gone=(0x10, "|u1", None),
        edge=(0xFF003F, ">u2", None),
    )


def test_one_frame_many_frames_and_ranges_agree() -> None:
    r = example()
    ram = np.random.default_rng(1).integers(0, 256, (50, 64), dtype=np.uint8)
    columns = r.read_array(ram)
    captured = np.concatenate([ram[:, a : a + n] for a, n in r.ranges], axis=1)
    from_ranges = r.read_ranges(captured)
    assert tuple(columns) == r.names == ("score", "lives", "x", "big")
    for name in r.names:
        assert columns[name].dtype == np.int64
        assert columns[name].tolist() == from_ranges[name].tolist()
        assert columns[name].tolist() == [r.read(row)[name] for row in ram]


def test_ranges_hold_no_byte_that_is_not_needed() -> None:
    r = example()
    # score is logical 0x11-0x13 and x 0x12-0x13; logical byte 2 is raw byte 3.
    assert r.ranges == ((0x03, 1), (0x10, 1), (0x12, 2), (0x20, 8))


def test_unmapped_variables_are_left_out_with_a_reason() -> None:
    r = example()
    assert set(r.skipped) == {"gone", "edge"}
    assert "0x10 is not mapped" in r.skipped["gone"]
    assert "past the end" in r.skipped["edge"]


@pytest.mark.parametrize(
    ("spec", "mask", "value"),
    # Each value was computed by stable-retro for the bytes F5 8F.
    [("|u1", 15, 5), ("|u1", -113, 133), ("|i1", 15, 5), ("|i1", -113, -123), ("|d1", -113, 7),
     (">i2", -113, -2673), ("<u2", -113, 36741), ("|i1", 2**40, 2**40), ("|u1", 0, 0)],
)  # fmt: skip
def test_masks_work_on_the_decoded_value(spec: str, mask: int, value: int) -> None:
    ram = np.zeros(64, np.uint8)
    ram[:2] = (0x8F, 0xF5)
    r = reader(v=(0xFF0000, spec, mask))
    assert r.read(ram) == {"v": value}
    assert r.read_array(ram[np.newaxis])["v"].tolist() == [value]


def test_no_variables_is_fine() -> None:
    r = VariableReader({}, SPACE)
    assert r.read(np.zeros(64, np.uint8)) == {}
    assert r.read_ranges(np.zeros((3, 0), np.uint8)) == {}
    assert r.ranges == ()


def test_memory_of_another_size_is_refused() -> None:
    with pytest.raises(AddressError, match="needed"):
        example().read(np.zeros(63, np.uint8))
    with pytest.raises(AddressError, match="needed"):
        example().read_array(np.zeros(64, np.uint8))


def test_variables_of_one_type_are_decoded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = ("|u1", ">u2", ">d2")
    entries = {f"v{i}": (0xFF0000 + i, specs[i % 3], i if i % 2 else None) for i in range(60)}
    decoded: list[str] = []
    decode = DataType.decode_array

    def count(self: DataType, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        decoded.append(str(self))
        return decode(self, raw)

    monkeypatch.setattr(DataType, "decode_array", count)
    r = reader(**entries)
    ram = np.random.default_rng(2).integers(0, 256, (5, 64), dtype=np.uint8)
    columns = r.read_array(ram)
    assert sorted(decoded) == sorted(specs)
    assert list(columns) == list(entries)
    assert [columns.row(frame) for frame in range(5)] == [r.read(row) for row in ram]
