"""Sticks, triggers, mouse, pointer and light gun reach the core from columns behind the masks."""

from __future__ import annotations

import numpy as np
import pytest
from toy_requests import ToyRequest, idle

from libretro_host.errors import HostError
from libretro_host.host import AxisColumn, CapturePlan, CoreHost

RAM = CapturePlan(ram=True, picture=False)
AXES = (
    AxisColumn(2, 0, 5, 0, 0, scale=258),
    AxisColumn(3, 0, 5, 0, 1, scale=-258),
    AxisColumn(4, 0, 5, 2, 12),
    AxisColumn(5, 0, 6, 0, 0, scale=256, shift=-32639),
    AxisColumn(6, 0, 6, 0, 1),
    AxisColumn(7, 0, 6, 0, 2),
    AxisColumn(8, 1, 2, 0, 0),
    AxisColumn(9, 1, 4, 0, 2),
)


def told(host: CoreHost, *rows: list[int]) -> list[list[int]]:
    """The toy core's answers for each row: (x, y, trigger, x, y, press, mouse, gun)."""
    ram = host.run(np.array(rows, np.int16).view(np.uint16), RAM).ram
    assert ram is not None
    values: list[list[int]] = ram[:, 32:48].copy().view("<i2").tolist()
    return values


def test_each_axis_has_its_column_scale_and_shift(core_host: CoreHost, toy: ToyRequest) -> None:
    core_host.load(toy(axes=1, request_axes=AXES))
    assert told(
        core_host,
        [0xFF, 1, 100, 127, 30000, 0, -5, 1, -7, 1],
        [0, 0, -128, -128, 0, 255, 8, 0, 7, 0],
    ) == [
        [25800, -32766, 30000, -32639, -5, 1, -7, 1],
        [-32768, 32767, 0, 32641, 8, 0, 7, 0],
    ]


def test_masks_end_where_axes_begin(core_host: CoreHost, toy: ToyRequest) -> None:
    core_host.load(toy(axes=1, request_axes=AXES))
    told(core_host, [0xF0F, 3, 9, 9, 9, 9, 9, 9, 9, 9])
    assert core_host.read_ram()[4:12].view("<u2").tolist() == [0xF0F, 3, 0, 0]


def test_a_row_that_ends_before_the_axes_leaves_them_at_rest(
    core_host: CoreHost, toy: ToyRequest
) -> None:
    core_host.load(toy(axes=1, request_axes=AXES))
    told(core_host, [0, 0, 9, 9, 9, 9, 9, 9, 9, 9])
    assert told(core_host, [1, 0]) == [[0] * 8]
    assert told(core_host, [1, 0, 1]) == [[258, 0, 0, 0, 0, 0, 0, 0]]


def test_a_held_button_is_a_trigger_pulled_to_its_end(core_host: CoreHost, toy: ToyRequest) -> None:
    core_host.load(toy(axes=1, request_axes=AXES))
    assert told(core_host, [1 << 12, 0, 0, 0, 5, 0, 0, 0, 0, 0])[0][2] == 32767


def test_without_axes_all_are_at_rest_and_no_column_is_one(
    core_host: CoreHost, toy: ToyRequest
) -> None:
    core_host.load(toy(axes=1))
    assert told(core_host, [0, 0, 7, 7, 7, 7, 7, 7]) == [[0] * 8]
    with pytest.raises(HostError, match="inputs"):
        core_host.run(idle(1, 9), RAM)
