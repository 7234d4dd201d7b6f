"""Steps with carries, and floats in memory of which little changed: rare in drawn memory."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from integrator.domain.search.search import Search
from integrator.domain.sweep.readings import FLOATS
from integrator.domain.values.memory import AddressSpace, DataType, Region

SPECS = ("|u1", "|i1", "|d1", ">u2", "<u2", ">i2", ">u3", "<u4", "><u4", "<i4", ">d2", "<d4")
WIDE = (">n4", "<n6", ">u8", "<>i6")
NUMBERS = (0, 1, 9, 10, 99, 100, 127, 128, 255, 256, 999, 4095, 9999, 65535, 65536, 10**7)


@pytest.mark.parametrize("spec", [*SPECS, *WIDE])
@pytest.mark.parametrize("step", [1, -1, 3, 10, -10, 100, 156, 256, -300, 65535, 65536])
def test_numbers_that_made_a_step_are_found_carries_included(spec: str, step: int) -> None:
    kind = DataType.parse(spec)
    signs = (1, -1) if kind.minimum < 0 else (1,)
    pairs = [
        (sign * number + off, sign * number + off + step)
        for number in NUMBERS
        for off in (0, -2, -5, 7)
        for sign in signs
    ]
    fits = range(kind.minimum, kind.maximum + 1)
    pairs = [(before, now) for before, now in pairs if before in fits and now in fits]
    pairs.append((kind.maximum, kind.minimum))
    before, now = (
        np.frombuffer(b"".join(kind.encode(pair[side]) for pair in pairs), np.uint8)
        for side in (0, 1)
    )
    seen = [before]
    search = Search(AddressSpace([Region(0, len(now))]), [kind], lambda: seen[-1])
    seen.append(now)
    search.refine("increased-by", step)
    found = {row.address for row in search.candidates()}
    expected = {n * kind.width for n, (old, new) in enumerate(pairs) if new - old == step}
    assert {at for at in found if at % kind.width == 0} == expected
    assert len(expected) >= len(pairs) - 1


@pytest.mark.parametrize("op", ["increased-by", "different-by", "less-or-equal"])
@pytest.mark.parametrize("kind", FLOATS, ids=str)
def test_what_is_no_number_is_dropped_though_it_rests(op: str, kind: object) -> None:
    float_type = next(each for each in FLOATS if each == kind)
    size = 1 << 14
    numbers = np.full(size // 4, 2.5, np.float32)
    numbers[::2] = np.nan
    before = numbers.astype(f"{float_type.endian}f4").view(np.uint8)
    now = before.copy()
    now[8:12] = before[4:8]
    seen = [before]
    search = Search(AddressSpace([Region(0, size)]), FLOATS, lambda: seen[-1], alignment=4)
    seen.append(now)
    by_step = op.endswith("-by")
    search.take(search.plan(op, 0 if by_step else None, against="previous"))
    left = {row.address for row in search.candidates() if row.real == float_type}
    assert left == set(range(4, size, 8))


@pytest.mark.parametrize("number", [-(2**127), 2**127, -(2**60), 2**60, -(10**40)])
def test_a_whole_number_that_only_a_float_can_hold_is_found_as_itself_alone(number: int) -> None:
    kind = next(each for each in FLOATS if each.endian == ">")
    held = struct.pack(">f", max(-(2.0**127), float(number)))
    ram = np.frombuffer(held + bytes(28), np.uint8).copy()
    space = AddressSpace([Region(0, len(ram), "ram")])
    search = Search(space, [kind], lambda: ram, scales=False)
    fits = abs(number) <= 2**127
    assert search.preview("equal", number) == fits
    assert search.preview("in-range", (number, number)) == fits
    for other in (number - 1, number + 1):
        assert search.preview("equal", other) == 0
