"""Memory outside of the chosen windows is in no region; the rest is as it would be without them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from toy_requests import ToyRequest

from libretro_host.errors import MemoryAccessError
from libretro_host.host import CapturePlan, CoreHost, CoreInfo, MemoryRegion, RunResult
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost

PLAN = CapturePlan(ram=True, changes=True, picture=False)
WINDOWS = ((0x1010, 0x20), (0x17F0, 0x20), (0x8000, 0x40), (0x90000, 0x10))
"""Inside the first region, over its end, at the start of the second, and where no memory is."""


def play(host: CoreHost, frames: int = 20) -> RunResult:
    inputs = np.random.default_rng(3).integers(0, 4096, (frames, 2)).astype(np.uint16)
    return host.run(inputs, PLAN)


def picks(info: CoreInfo, windows: tuple[tuple[int, int], ...]) -> NDArray[np.intp]:
    """Offsets in the flat RAM of ``info`` of all addresses in the windows."""
    addresses = np.concatenate([r.address + np.arange(r.size) for r in info.regions])
    inside = [(addresses >= start) & (addresses < start + size) for start, size in windows]
    return np.flatnonzero(np.logical_or.reduce(inside))


@pytest.fixture(params=[InProcessHost, RemoteHost])
def new_host(request: pytest.FixtureRequest) -> Callable[[], CoreHost]:
    make: Callable[[], CoreHost] = request.param
    return make


def test_windows_leave_the_rest_of_memory_out(
    new_host: Callable[[], CoreHost], toy: ToyRequest
) -> None:
    whole = new_host()
    info = whole.load(toy(memory="maps", ram=4096))
    all_of_it = play(whole)
    whole.close()
    assert info.whole_ram_bytes == info.ram_bytes == 4096

    host = new_host()
    seen = host.load(toy(memory="maps", ram=4096, request_windows=WINDOWS))
    assert seen.regions == (
        MemoryRegion(0x1010, 0x20, "first"),
        MemoryRegion(0x17F0, 0x10, "first"),
        MemoryRegion(0x8000, 0x40, "second"),
    )
    assert seen.whole_ram_bytes == 4096
    part, picked = play(host), picks(info, WINDOWS)
    assert part.ram is not None
    assert all_of_it.ram is not None
    np.testing.assert_array_equal(part.ram, all_of_it.ram[:, picked])
    assert part.changes is not None
    assert all_of_it.changes is not None
    inside = np.isin(all_of_it.changes.offsets, picked)
    np.testing.assert_array_equal(part.changes.values, all_of_it.changes.values[inside])
    np.testing.assert_array_equal(picked[part.changes.offsets], all_of_it.changes.offsets[inside])
    host.close()


def test_writing_goes_where_the_window_says(
    new_host: Callable[[], CoreHost], toy: ToyRequest
) -> None:
    host = new_host()
    host.load(toy(memory="system", request_rambase=0x100, request_windows=((0x180, 4),)))
    host.write_ram(0, b"\x09\x08")
    np.testing.assert_array_equal(host.read_ram()[:2], [9, 8])
    with pytest.raises(MemoryAccessError):
        host.write_ram(3, b"\x01\x02")
    host.close()


def test_windows_without_memory_leave_nothing(
    new_host: Callable[[], CoreHost], toy: ToyRequest
) -> None:
    host = new_host()
    assert host.load(toy(request_windows=((0x500000, 16),))).regions == ()
    host.close()
