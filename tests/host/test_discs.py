"""Discs of a game of several: columns of inputs change them, and states remember them."""

from __future__ import annotations

import numpy as np
import pytest
from toy_requests import ToyRequest, idle

from libretro_host.host import AxisColumn, CapturePlan, CoreHost, LoadRequest
from libretro_host.inprocess import disc_mark, parted_state

RAM = CapturePlan(ram=True, picture=False)
DRIVE = tuple(AxisColumn(1 + id_, 0, 255, 0, id_) for id_ in range(3))
NOTHING, OPEN = (0, 0, 0), (1, 0, 0)
TRAY, DISC = 48, 49


@pytest.fixture
def three_discs(toy: ToyRequest) -> LoadRequest:
    return toy(discs=3, request_axes=DRIVE)


def seen(host: CoreHost, *rows: tuple[int, int, int]) -> list[tuple[int, int]]:
    """The tray and the disc after each row of the drive's columns."""
    inputs = np.array([(0, *row) for row in rows], np.int16).view(np.uint16)
    ram = host.run(inputs, RAM).ram
    assert ram is not None
    return [(int(row[TRAY]), int(row[DISC])) for row in ram]


def insert(index: int) -> tuple[int, int, int]:
    return (0, 1, index)


def test_a_tray_opens_and_closes_with_a_disc(core_host: CoreHost, three_discs: LoadRequest) -> None:
    core_host.load(three_discs)
    rows = [NOTHING, OPEN, NOTHING, insert(2), NOTHING, insert(1), insert(-1), insert(0)]
    assert seen(core_host, *rows) == [
        *[(0, 0), (1, 0), (1, 0), (0, 2)],
        *[(0, 2), (0, 1), (0, 3), (0, 0)],
    ]


def test_a_state_brings_its_disc_back(core_host: CoreHost, three_discs: LoadRequest) -> None:
    core_host.load(three_discs)
    states = []
    for row in (NOTHING, OPEN, insert(1), OPEN, insert(2)):
        found = seen(core_host, row, NOTHING)[-1]
        states.append((core_host.serialize(), found))
    for state, found in [*reversed(states), *states]:
        core_host.unserialize(state)
        assert seen(core_host, NOTHING) == [found]


def test_a_state_of_the_first_disc_is_the_core_s_own(
    core_host: CoreHost, three_discs: LoadRequest, toy: ToyRequest
) -> None:
    core_host.load(three_discs)
    core_host.run(idle(1, 1), RAM)
    own = core_host.serialize()
    assert parted_state(own) == (own, 0)
    seen(core_host, insert(2))
    assert core_host.serialize() == parted_state(core_host.serialize())[0] + disc_mark(2)
    core_host.close()
    core_host.load(toy(discs=3))
    assert seen(core_host, insert(2)) == [(0, 0)], "no column is the drive's without its axes"


@pytest.mark.parametrize("disc", [0, 1, -1, 15, -16])
def test_a_mark_tells_its_disc(disc: int) -> None:
    for state in (b"", b"short", bytes(100)):
        assert parted_state(state + disc_mark(disc)) == (state, disc)
