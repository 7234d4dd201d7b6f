"""Prepared runs: the picture as training has it, captured bytes, and cores side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from toy_requests import ToyRequest, idle

from libretro_host import doubles
from libretro_host.doubles import DoubledHost
from libretro_host.errors import CoreNotFoundError, HostClosedError, HostError
from libretro_host.host import CapturePlan, Frame, LoadRequest, PixelFormat
from libretro_host.inprocess import InProcessHost
from libretro_host.shims import ORIGINAL, Shim
from libretro_host.stepper import Stepper, View

WHOLE = View(0, 0, 160, 120)


@pytest.fixture
def doubled() -> Iterator[DoubledHost]:
    host = DoubledHost()
    yield host
    host.close()


def as_in_training(frame: Frame) -> NDArray[np.uint8]:
    """The picture without the low bits, which a 16-bit color does not have."""
    rgb = frame.rgb()
    if frame.pixel_format is PixelFormat.XRGB8888:
        return rgb
    green = 0xFC if frame.pixel_format is PixelFormat.RGB565 else 0xF8
    return rgb & np.array([0xF8, green, 0xF8], np.uint8)


def pictures(host: InProcessHost, request: LoadRequest, frames: int) -> list[NDArray[np.uint8]]:
    """The pictures of single frames by the plain run of a host."""
    host.load(request)
    found = [host.run(idle(1), CapturePlan()).frame for _ in range(frames)]
    host.close()
    return [as_in_training(frame) for frame in found if frame is not None]


@pytest.mark.parametrize("pixel_format", ["rgb565", "0rgb1555", "xrgb8888"])
@pytest.mark.parametrize("box", [WHOLE, View(3, 5, 157, 119), View(100, 100, 200, 150)])
def test_every_format_and_box(
    toy: ToyRequest, inprocess: InProcessHost, doubled: DoubledHost, pixel_format: str, box: View
) -> None:
    request = toy(format=pixel_format, pitch_extra=6)
    expected = pictures(inprocess, request, 5)
    doubled.load(request)
    stepper = doubled.stepper(ports=2, ranges=(), view=box)
    for picture in expected:
        pixels = np.full(box.shape, 7, np.uint8)
        assert not stepper.run(pixels)
        shown = np.zeros((max(box.bottom, 120), max(box.right, 160), 3), np.uint8)
        shown[:120, :160] = picture
        np.testing.assert_array_equal(pixels, shown[box.top : box.bottom, box.left : box.right])
    assert expected[0].any()


def test_a_picture_that_is_not_drawn_again_is_repeated(
    toy: ToyRequest, doubled: DoubledHost
) -> None:
    doubled.load(toy(dupe_every=3))
    stepper = doubled.stepper(ports=2, ranges=(), view=WHOLE)
    pixels = np.empty(WHOLE.shape, np.uint8)
    assert [stepper.run(pixels) for _ in range(6)] == [False, False, True] * 2


def test_bytes_come_in_the_order_of_the_ranges(
    toy: ToyRequest, inprocess: InProcessHost, doubled: DoubledHost
) -> None:
    request = toy()
    inprocess.load(request)
    ram = inprocess.run(idle(2), CapturePlan(ram=True)).ram
    assert ram is not None
    doubled.load(request)
    stepper = doubled.stepper(ports=2, ranges=((1, 1), (0, 1), (12, 8)), view=WHOLE)
    for row in ram:
        stepper.run(np.empty(WHOLE.shape, np.uint8))
        np.testing.assert_array_equal(stepper.captured, row[[1, 0, *range(12, 20)]])


def test_a_range_outside_of_memory_is_refused(toy: ToyRequest, doubled: DoubledHost) -> None:
    info = doubled.load(toy())
    stepper = doubled.stepper(ports=2, ranges=((info.ram_bytes, 1),), view=WHOLE)
    with pytest.raises(HostError, match="outside"):
        stepper.run(np.empty(WHOLE.shape, np.uint8))


def test_cores_side_by_side_do_not_disturb_each_other(
    toy: ToyRequest, inprocess: InProcessHost
) -> None:
    request = toy()
    masks = np.random.default_rng(3).integers(0, 4096, (3, 20, 2)).astype(np.uint16)
    plan = CapturePlan(ram=True)
    alone = []
    for rows in masks:
        inprocess.load(request)
        alone.append(inprocess.run(rows, plan).ram)
        inprocess.close()
    hosts = [DoubledHost() for _ in masks]
    together: list[list[NDArray[np.uint8]]] = [[] for _ in masks]
    for host in hosts:
        host.load(request)
    for frame in range(20):
        for host, rows, found in zip(hosts, masks, together, strict=True):
            ram = host.run(rows[frame : frame + 1], plan).ram
            assert ram is not None
            found.append(ram[0])
    for host, ours, expected in zip(hosts, together, alone, strict=True):
        assert expected is not None
        np.testing.assert_array_equal(np.array(ours), expected)
        host.close()


def test_a_copy_goes_when_its_host_is_closed(toy: ToyRequest, doubled: DoubledHost) -> None:
    doubled.load(toy())
    maps = Path("/proc/self/maps")
    assert "integrator-core-" in maps.read_text()
    doubled.close()
    doubled.close()
    assert "integrator-core-" not in maps.read_text()


def test_an_error_names_its_own_core(toy: ToyRequest, doubled: DoubledHost) -> None:
    with pytest.raises(CoreNotFoundError, match="no core at"):
        doubled.load(toy(core=Path("/nowhere/core.so")))


def test_a_host_that_another_thread_leaves_no_shim_makes_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Taken(list[Shim]):
        """A list out of which another thread takes each shim at once."""

        def append(self, _: Shim) -> None:
            pass

    monkeypatch.setattr(doubles, "_UNUSED_SHIMS", Taken())
    DoubledHost().close()


def run_ahead(stepper: Stepper) -> None:
    """Do as a crew of one thread."""
    crew = ORIGINAL.lib.lh_crew_new(1, 0)
    assert ORIGINAL.lib.lh_crew_run(crew, ORIGINAL.ffi.new("lh_task *[]", [stepper.task]), 1)
    ORIGINAL.lib.lh_crew_free(crew)


@pytest.mark.parametrize("dupe_every", [0, 2, 3])
def test_frames_ahead_are_those_that_follow(
    toy: ToyRequest, inprocess: InProcessHost, doubled: DoubledHost, dupe_every: int
) -> None:
    request = toy(dupe_every=dupe_every)
    expected = pictures(inprocess, request, 26)
    doubled.load(request)
    stepper = doubled.stepper(ports=2, ranges=((0, 4),), view=WHOLE, frames=4)
    last = np.zeros(WHOLE.shape, np.uint8)
    for frame, picture in enumerate(expected):
        if frame >= 2 and frame % 4 == 2:
            assert stepper.look_ahead(None)
            run_ahead(stepper)
        pixels = np.full(WHOLE.shape, 7, np.uint8)
        if stepper.run(pixels):
            pixels[:] = last
        assert int.from_bytes(stepper.captured.tobytes(), "little") == frame + 1
        if frame < 2 or frame % 4 < 2:  # the earlier ones have no view
            np.testing.assert_array_equal(pixels, picture)
        last = pixels


def test_no_frame_is_run_after_one_that_changes_what_is_watched(
    toy: ToyRequest, doubled: DoubledHost
) -> None:
    doubled.load(toy())
    pixels = np.empty(WHOLE.shape, np.uint8)
    stepper = doubled.stepper(ports=2, ranges=((0, 4),), view=WHOLE, frames=4, watched=((1, 1),))

    def run() -> int:
        stepper.run(pixels)
        return int.from_bytes(stepper.captured.tobytes(), "little")

    assert not stepper.look_ahead(None), "nothing is known of the frame before"
    while run() != 253:
        pass
    assert stepper.look_ahead(None)
    run_ahead(stepper)
    assert stepper.task.ran == 3
    assert [run() for _ in range(3)] == [254, 255, 256]
    assert not stepper.look_ahead(None), "the change may be undone"
    assert run() == 257
    assert stepper.look_ahead(None)
    stepper.follow()
    assert not stepper.look_ahead(None), "another moment was restored"
    run_ahead(stepper)
    assert run() == 258


def test_an_error_ahead_is_raised_after_the_frames_before_it(
    toy: ToyRequest, doubled: DoubledHost
) -> None:
    doubled.load(toy(shutdown_at=6))
    pixels = np.empty(WHOLE.shape, np.uint8)
    stepper = doubled.stepper(ports=2, ranges=((0, 4),), view=WHOLE, frames=4)
    for _ in range(3):
        stepper.run(pixels)
    assert stepper.look_ahead(None)
    run_ahead(stepper)
    stepper.run(pixels)
    stepper.run(pixels)
    assert stepper.captured[0] == 5
    with pytest.raises(HostError, match=r"\.toy: toycore\S* asked to be shut down"):
        stepper.run(pixels)


def test_a_closed_stepper_runs_nothing_ahead(toy: ToyRequest, doubled: DoubledHost) -> None:
    doubled.load(toy())
    stepper = doubled.stepper(ports=2, ranges=(), view=WHOLE)
    pixels = np.empty(WHOLE.shape, np.uint8)
    assert stepper.look_ahead(pixels)
    stepper.close()
    run_ahead(stepper)
    with pytest.raises(HostClosedError):
        stepper.run(pixels)
