"""Data types: parsing, decoding, encoding, and arrays that agree with scalars."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrator import paths
from integrator.domain.errors import DataTypeError
from integrator.domain.files.reading import TEXT_BYTES, read_text
from integrator.domain.values.memory import ENDIANS, KINDS, MAX_WIDTH, DataType


def all_types() -> list[DataType]:
    single = [e for e in ENDIANS if len(e) == 1]
    mixed = [e for e in ENDIANS if len(e) == 2]
    specs = [f"{e}{k}{w}" for e in single for k in KINDS for w in range(1, 9)]
    specs += [f"{e}{k}{w}" for e in mixed for k in KINDS for w in (4, 6, 8)]
    return [DataType.parse(spec) for spec in specs]


TYPES = st.sampled_from(all_types())


@pytest.mark.parametrize(
    "spec",
    ["?u4", ">q2", "=i0", "><u3", "<=u2", "", "u2", ">u", ">u9", ">u2x", " >u2", "|u1\n", ">>u4"],
)
def test_malformed_specs_are_refused_with_their_text(spec: str) -> None:
    with pytest.raises(DataTypeError, match=r"data type|write it as") as caught:
        DataType.parse(spec)
    assert repr(spec) in str(caught.value)


def test_a_width_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(DataTypeError, match="malformed"):
        DataType.parse(">u" + "9" * 5000)


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [("<u1", "|u1"), ("|i2", "<i2"), ("=u4", "<u4"), (">=u4", "><u4"), ("<=d8", "<d8"),
     (">d3", ">d3"), ("<>n6", "<>n6")],
)  # fmt: skip
def test_spelling_is_kept_and_canonical_spelling_means_the_same(spec: str, canonical: str) -> None:
    data_type = DataType.parse(spec)
    assert data_type.spec == spec
    assert str(data_type) == canonical
    raw = bytes(range(0x11, 0x11 + 0x11 * data_type.width, 0x11))
    assert DataType.parse(canonical).decode(raw) == data_type.decode(raw)


@pytest.mark.parametrize(
    ("spec", "raw", "value"),
    [
        (">u2", "1234", 0x1234),
        ("<u2", "1234", 0x3412),
        (">u3", "123456", 0x123456),
        ("><u4", "12345678", 0x34127856),
        ("<>u4", "12345678", 0x56781234),
        ("><u6", "123456789abc", 0x563412BC9A78),
        ("><u8", "123456789abcdef1", 0x78563412F1DEBC9A),
        (">d2", "1234", 1234),
        ("><d4", "12345678", 34127856),
        (">n3", "123456", 246),
        ("|d1", "ff", 55),
        ("|d1", "9a", 90),
        ("|n1", "af", 5),
        (">i2", "fffe", -2),
        (">u8", "ffffffffffffffff", -1),
    ],
)
def test_values_as_stable_retro_computes_them(spec: str, raw: str, value: int) -> None:
    assert DataType.parse(spec).decode(bytes.fromhex(raw)) == value


@given(TYPES, st.data())
def test_encode_then_decode_is_identity(data_type: DataType, data: st.DataObject) -> None:
    value = data.draw(st.integers(data_type.minimum, data_type.maximum))
    assert data_type.decode(data_type.encode(value)) == value


@given(TYPES, st.data())
def test_decode_then_encode_is_identity_for_binary(
    data_type: DataType, data: st.DataObject
) -> None:
    raw = data.draw(st.binary(min_size=data_type.width, max_size=data_type.width))
    value = data_type.decode(raw)
    assert data_type.minimum <= value <= data_type.maximum
    if data_type.kind in "ui":
        assert data_type.encode(value) == raw


@given(TYPES, st.integers(0, 2**32))
def test_arrays_agree_with_scalars(data_type: DataType, seed: int) -> None:
    raw = np.random.default_rng(seed).integers(0, 256, (3, 5, data_type.width), dtype=np.uint8)
    values = data_type.decode_array(raw)
    assert values.dtype == np.int64
    assert values.shape == (3, 5)
    assert values.tolist() == [[data_type.decode(cell.tobytes()) for cell in row] for row in raw]


@pytest.mark.parametrize("spec", ["|u1", ">u4", "<d4", ">n3"])
def test_sliding_windows_decode_every_address_without_a_copy_of_the_input(spec: str) -> None:
    data_type = DataType.parse(spec)
    ram = np.random.default_rng(5).integers(0, 256, 1000, dtype=np.uint8)
    ram.setflags(write=False)
    windows = np.lib.stride_tricks.sliding_window_view(ram, data_type.width)
    values = data_type.decode_array(windows)
    assert values[500] == data_type.decode(ram[500 : 500 + data_type.width].tobytes())


@pytest.mark.parametrize(
    ("spec", "value"),
    [("|u1", 256), ("|u1", -1), ("|i1", 128), ("|i1", -129), ("|d1", 100), ("|d1", -1),
     (">n2", 100), (">u8", 2**64), (">u8", -(2**63) - 1)],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused(spec: str, value: int) -> None:
    with pytest.raises(DataTypeError, match="does not fit"):
        DataType.parse(spec).encode(value)


def test_unsigned_eight_bytes_take_both_spellings_of_a_large_number() -> None:
    data_type = DataType.parse(">u8")
    assert data_type.encode(2**64 - 1) == data_type.encode(-1) == b"\xff" * 8


def test_wrong_lengths_are_refused() -> None:
    data_type = DataType.parse(">u2")
    with pytest.raises(DataTypeError, match="takes 2 bytes"):
        data_type.decode(b"\0")
    with pytest.raises(DataTypeError, match="takes 2 bytes"):
        data_type.decode_array(np.zeros((4, 3), np.uint8))
    with pytest.raises(DataTypeError, match="takes 2 bytes"):
        data_type.decode_array(np.array(0, np.uint8))


def test_the_schema_of_consoles_names_every_kind() -> None:
    text = read_text(paths.shipped("resources") / "schemas" / "system.schema.json", TEXT_BYTES)
    assert f"[{''.join(KINDS)}][1-{MAX_WIDTH}]" in text
