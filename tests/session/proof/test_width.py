"""The width of a number that overflows, told in memory that a function of the test counts in."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.session.proof.experiment import Target
from integrator.session.proof.proof import Overflow

STEP = 44


def counting(
    before: NDArray[np.uint8], kind: DataType, place: int, rest: Callable[[int], int]
) -> Callable[[list[tuple[int, bytes]]], NDArray[np.uint8]]:
    """A game that adds ``STEP``; ``rest`` makes a number of the sum that does not fit."""

    def run(writes: list[tuple[int, bytes]]) -> NDArray[np.uint8]:
        memory = before.copy()
        for offset, data in writes:
            memory[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        own = slice(place, place + kind.width)
        number = kind.decode(memory[own].tobytes()) + STEP
        number = number if number <= kind.maximum else rest(number)
        memory[own] = np.frombuffer(kind.encode(number), np.uint8)
        return memory

    return run


def test_a_number_that_does_not_start_again_at_zero_is_told_whole() -> None:
    kind, before = DataType.parse("<d3"), np.array([7, 0x88, 0, 0, 3], np.uint8)
    run = counting(before, kind, 1, lambda _: kind.maximum)
    found = Overflow(AddressSpace([Region(0, 5)]), before, run).probe(
        Target(1, DataType.parse("|d1"))
    )
    assert found is not None
    assert (str(found.type), found.address) == ("<d3", 1)


def test_a_number_at_the_edge_of_memory_is_told_whole() -> None:
    kind, before = DataType.parse(">d3"), np.array([0, 0, 0x63, 9], np.uint8)
    run = counting(before, kind, 0, lambda number: number - kind.maximum - 1)
    found = Overflow(AddressSpace([Region(0, 4)]), before, run).probe(
        Target(1, DataType.parse(">d2"))
    )
    assert found is not None
    assert (str(found.type), found.address) == (">d3", 0)


@pytest.mark.parametrize(("kind", "x"), [("|u1", 8), (">u2", 254), (">u2", 24)])
def test_a_position_within_bounds_is_no_number_of_other_digits(kind: str, x: int) -> None:
    """It never overflows, and one step may look like a longer one the other way round."""
    own = DataType.parse(kind)
    before = np.frombuffer(b"\x05" + own.encode(x) + b"\x07", np.uint8)

    def run(writes: list[tuple[int, bytes]]) -> NDArray[np.uint8]:
        memory = before.copy()
        for offset, data in writes:
            memory[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
        at = slice(1, 1 + own.width)
        number = own.decode(memory[at].tobytes())
        stepped = number + 2 if number < 40 * 6 * own.width else number
        memory[at] = np.frombuffer(own.encode(stepped), np.uint8)
        return memory

    form = Overflow(AddressSpace([Region(0, len(before))]), before, run).probe(Target(1, own))
    assert form is None or form.type in (None, own)
