"""Every comparison, over every type, against an address-by-address search in plain Python."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nightly import more_by_night

from integrator.domain.errors import DataTypeError
from integrator.domain.search.operators import OPERATORS
from integrator.domain.search.results import Activity
from integrator.domain.search.search import Search
from integrator.domain.sweep import sets
from integrator.domain.sweep.readings import (
    BIT_FIELDS,
    FLOATS,
    PLAIN,
    BitField,
    FloatType,
    Scale,
    SearchType,
    parse_type,
    scales_of,
)
from integrator.domain.values.memory import ENDIANS, KINDS, AddressSpace, DataType, Overlay, Region

U1 = DataType.parse("|u1")
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "equal": operator.eq,
    "not-equal": operator.ne,
    "less-than": operator.lt,
    "less-or-equal": operator.le,
    "greater-than": operator.gt,
    "greater-or-equal": operator.ge,
}


def every_type() -> list[DataType]:
    types = []
    for endian in ENDIANS:
        for kind in KINDS:
            for width in range(1, 9):
                try:
                    types.append(DataType.parse(f"{endian}{kind}{width}"))
                except DataTypeError:
                    continue
    return types


TYPES: list[SearchType] = [*every_type(), *BIT_FIELDS, BitField.of(0x1C), *FLOATS]
SPACES = (
    AddressSpace([Region(0xFF0000, 96)], Overlay.parse(["=", ">", 2])),
    AddressSpace([Region(0x80, 33), Region(0xC000, 50), Region(0xC032, 9)]),
)
Reading = tuple[Any, Any, int]
"""Current value, reference value and change count."""


def number_at(space: AddressSpace, ram: np.ndarray, address: int, kind: SearchType) -> float:
    """The number of a type at an address, read the plain way."""
    if isinstance(kind, BitField):
        return (space.read(ram, address, U1) & kind.mask) >> kind.shift
    if isinstance(kind, FloatType):
        raw = bytes(ram[space.offsets(address, 4)])
        return float(struct.unpack(f"{kind.endian}f", raw)[0])
    return space.read(ram, address, kind)


def is_shown_as(number: float, shown: int) -> bool:
    """True when a screen that rounds, either way, or cuts off shows a whole number."""
    if not math.isfinite(number):
        return False
    exact = Fraction(number)
    half = Fraction(1, 2)
    return shown in {math.floor(exact + half), math.ceil(exact - half), math.trunc(exact)}


def naive_real(op: str, value: Any, against_memory: bool, reading: Reading) -> bool:
    """As :func:`naive`, of a floating-point number."""
    current, reference, changes = reading
    if op == "changed-times":
        low, high = value if isinstance(value, tuple) else (value, value)
        return bool(low <= changes <= high)
    if math.isnan(current):
        return False
    if against_memory or op in {"changed", "unchanged", "increased", "decreased"}:
        names = {
            "changed": "not-equal",
            "unchanged": "equal",
            "increased": "greater-than",
            "decreased": "less-than",
        }
        return not math.isnan(reference) and RELATIONS[names.get(op, op)](current, reference)
    if op.endswith("-by"):
        sign = {"increased-by": (1,), "decreased-by": (-1,), "different-by": (1, -1)}[op]
        step = float(max(-(10**40), min(10**40, value)))
        return any(abs(current - reference - each * step) < 1 for each in sign)
    if op == "in-range":
        low, high = value
        return (current > low or is_shown_as(current, low)) and (
            current < high or is_shown_as(current, high)
        )
    checks: dict[str, Callable[[], bool]] = {
        "equal": lambda: is_shown_as(current, value),
        "not-equal": lambda: not is_shown_as(current, value),
        "less-than": lambda: current < value,
        "less-or-equal": lambda: current < value or is_shown_as(current, value),
        "greater-than": lambda: current > value,
        "greater-or-equal": lambda: current > value or is_shown_as(current, value),
    }
    return op in checks and checks[op]()


def naive(op: str, value: Any, against_memory: bool, scale: Scale, reading: Reading) -> bool:
    """One candidate's fate, written the slow and plain way, in shown numbers where they exist."""
    current, reference, changes = reading
    shown, before = scale.shown(current), scale.shown(reference)
    if op in RELATIONS:
        return RELATIONS[op](shown, before if against_memory else value)
    if op == "changed-times":
        low, high = value if isinstance(value, tuple) else (value, value)
        return bool(low <= changes <= high)
    checks: dict[str, Callable[[], bool]] = {
        "changed": lambda: current != reference,
        "unchanged": lambda: current == reference,
        "increased": lambda: shown > before,
        "decreased": lambda: shown < before,
        "increased-by": lambda: shown - before == value,
        "decreased-by": lambda: before - shown == value,
        "different-by": lambda: abs(shown - before) == value,
        "in-range": lambda: value[0] <= shown <= value[1],
        "modulo": lambda: current % value[0] == value[1] % value[0],
        "bit-set": lambda: current >> value & 1 == 1,
        "bit-clear": lambda: current >> value & 1 == 0,
    }
    return checks[op]()


def naive_search(
    space: AddressSpace,
    types: list[SearchType],
    scaled: bool,
    step: tuple[str, Any, str | None],
    rams: tuple[np.ndarray, np.ndarray],
) -> set[tuple[int, SearchType, Scale]]:
    op, value, against = step
    before, now = rams
    kept: set[tuple[int, SearchType, Scale]] = set()
    for region in space.regions:
        for address in range(region.address, region.end):
            for kind in types:
                if address + kind.width > region.end:
                    continue
                offsets = space.offsets(address, kind.width)
                changes = int((before[offsets] != now[offsets]).any())
                reading = (
                    number_at(space, now, address, kind),
                    number_at(space, before, address, kind),
                    changes,
                )
                if isinstance(kind, FloatType):
                    memory = against in {"previous", "first"}
                    if naive_real(op, value, memory, reading):
                        kept.add((address, kind, PLAIN))
                    continue
                for scale in scales_of(kind) if scaled else (PLAIN,):
                    if naive(op, value, against in {"previous", "first"}, scale, reading):
                        kept.add((address, kind, scale))
    return kept


def found(search: Search) -> set[tuple[int, SearchType, Scale]]:
    """As :func:`naive_search`; rows of bit fields count, as variables do, without a shift."""
    kept: set[tuple[int, SearchType, Scale]] = set()
    for row in search.candidates():
        if row.real is not None:
            kept.add((row.address, row.real, row.scale))
            continue
        field = None if row.mask is None else BitField.of(row.mask)
        for scale in row.scales:
            if field is None:
                kept.add((row.address, row.type, scale))
                continue
            (plain,) = (each for each in scales_of(field) if each.shifted(field.shift) == scale)
            kept.add((row.address, field, plain))
            assert row.type == U1
            assert isinstance(row.value, int)
            assert row.value & ~field.mask == 0
    return kept


@st.composite
def ram_pairs(draw: st.DrawFn, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Two memories that often differ little, with bytes that make carries and bad digits."""
    byte = st.sampled_from((0, 1, 2, 9, 10, 0x0F, 0x10, 0x7F, 0x80, 0x99, 0x9A, 0xFF, 0x12, 100))
    before = np.array(draw(st.lists(byte, min_size=size, max_size=size)), dtype=np.uint8)
    now = before.copy()
    for at in draw(st.lists(st.integers(0, size - 1), max_size=size)):
        now[at] = (int(now[at]) + draw(st.sampled_from((1, 255, 16, 128)))) % 256
    return before, now


def values_for(op: str, types: list[SearchType], now: np.ndarray) -> st.SearchStrategy[Any]:
    """Values that memory holds, values near the limits of types, and any others."""
    seen = [
        int(np.nan_to_num(kind.decode_array(now[at : at + kind.width][np.newaxis])[0], posinf=0))
        for kind in types
        for at in (0, 5)
    ]
    limits = [limit for kind in types for limit in (kind.minimum, kind.maximum)]
    number = st.one_of(
        st.sampled_from(seen or [0]),
        st.sampled_from(limits or [1]),
        st.integers(-300, 300),
        st.sampled_from((2**63 - 1, -(2**63), 2**64, 10**30, -1)),
    )
    if op in {"changed", "unchanged", "increased", "decreased"}:
        return st.none()
    if op in {"increased-by", "decreased-by"}:
        return st.one_of(st.sampled_from((0, 1, -1, 16, -128, 256, 10)), number)
    if op == "different-by":
        return st.sampled_from((0, 1, 10, 16, 128, 256, 65536, 2**40))
    if op == "in-range":
        return st.tuples(number, number).map(lambda pair: (min(pair), max(pair)))
    if op == "modulo":
        return st.tuples(st.sampled_from((1, 2, 3, 10, 300, 2**40)), st.integers(-5, 400))
    if op in {"bit-set", "bit-clear"}:
        return st.integers(0, 63)
    if op == "changed-times":
        return st.sampled_from((0, 1, 2, (0, 1), (1, 9)))
    return number


@pytest.mark.parametrize("op", OPERATORS)
@settings(max_examples=more_by_night(12, 100))
@given(data=st.data())
def test_one_refinement_agrees_with_plain_python(op: str, data: st.DataObject) -> None:
    space = data.draw(st.sampled_from(SPACES))
    types = data.draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=4, unique=True))
    before, now = data.draw(ram_pairs(space.size_bytes))
    against = None
    value = data.draw(values_for(op, types, now))
    if op in RELATIONS and data.draw(st.booleans()):
        value, against = None, "previous"
    scaled = data.draw(st.booleans())
    expected = naive_search(
        space, types, scaled=scaled, step=(op, value, against), rams=(before, now)
    )
    with pytest.MonkeyPatch.context() as patch:
        if data.draw(st.booleans()):
            # Few candidates are looked at one by one: here, however many there are.
            patch.setattr(sets, "_SPARSE_SHARE", 1)
        activity = Activity(space)
        seen = [before]
        search = Search(space, types, lambda: seen[-1], scales=scaled, activity=activity)
        seen.append(now)
        activity.note(np.flatnonzero(before != now))
        assert search.plan(op, value, against=against).count == len(
            {(address, kind) for address, kind, _ in expected}
        )
        search.take(search.plan(op, value, against=against))
        assert found(search) == expected


@given(data=st.data())
def test_a_chain_of_refinements_agrees_with_plain_python(data: st.DataObject) -> None:
    space = SPACES[0]
    types = data.draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=4, unique=True))
    before, now = data.draw(ram_pairs(space.size_bytes))
    seen = [before]
    search = Search(space, types, lambda: seen[-1])
    expected = found(search)
    plain_ops = ("unchanged", "greater-or-equal", "not-equal", "increased", "equal", "increased-by")
    for op in data.draw(st.lists(st.sampled_from(plain_ops), min_size=1, max_size=4)):
        value = data.draw(values_for(op, types, now))
        expected &= naive_search(
            space, types, scaled=False, step=(op, value, None), rams=(before, now)
        )
        seen.append(now)
        search.take(search.plan(op, value))
        assert found(search) == expected
        before, now = now, data.draw(ram_pairs(space.size_bytes))[1]


FLOAT_OPS = set(OPERATORS) - {"modulo", "bit-set", "bit-clear", "changed-times"}
real_numbers = st.one_of(
    st.integers(-300, 300).map(float),
    st.integers(-600, 600).map(lambda half: half / 2),
    st.sampled_from((math.nan, math.inf, -math.inf, -0.0, 1e-40, -1e-40, 3e38, -3e38, 0.999999)),
    st.floats(width=32),
)


@pytest.mark.parametrize("op", sorted(FLOAT_OPS))
@settings(max_examples=more_by_night(12, 100))
@given(data=st.data())
def test_floats_agree_with_plain_python(op: str, data: st.DataObject) -> None:
    """Of memory that is full of floats, some of which changed a little."""
    numbers = data.draw(st.lists(real_numbers, min_size=24, max_size=24))
    later = list(numbers)
    for at in data.draw(st.lists(st.integers(0, 23), max_size=12)):
        step = data.draw(st.sampled_from((0.25, 0.5, 1.0, -1.0, 3.5)))
        later[at] = data.draw(real_numbers) if data.draw(st.booleans()) else later[at] + step
    kind = data.draw(st.sampled_from(FLOATS))
    with np.errstate(over="ignore"):
        before, now = (
            np.array(each, np.float32).astype(f"{kind.endian}f4").view(np.uint8)
            for each in (numbers, later)
        )
    value = data.draw(values_for(op, [], now))
    against = None
    if op in RELATIONS and data.draw(st.booleans()):
        value, against = None, "previous"
    space = SPACES[0]
    raw = space.logical(before), space.logical(now)
    seen = [raw[0]]
    search = Search(space, [kind], lambda: seen[-1], scales=True)
    seen.append(raw[1])
    search.take(search.plan(op, value, against=against))
    assert found(search) == naive_search(
        space, [kind], scaled=True, step=(op, value, against), rams=raw
    )


@pytest.mark.parametrize("mask", [0, 5, 256, -1, 0x101])
def test_only_neighboring_bits_of_a_byte_are_a_field(mask: int) -> None:
    with pytest.raises(DataTypeError, match="neighboring"):
        BitField.of(mask)


def test_a_type_is_named_as_it_is_spelled() -> None:
    every: tuple[SearchType, ...] = (*BIT_FIELDS, *FLOATS)
    for each in every:
        assert parse_type(str(each)) == each
    assert parse_type(">u2") == DataType.parse(">u2")
