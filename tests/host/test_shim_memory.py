"""The shim under cores that move RAM, change layouts, and draw more than they announced."""

from __future__ import annotations

import numpy as np
import pytest
from toy_requests import ToyRequest, idle

from libretro_host.errors import HostError
from libretro_host.host import CapturePlan
from libretro_host.inprocess import InProcessHost


def test_memory_that_moves_is_followed_within_a_chunk(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    inprocess.load(toy(memory="maps", move_at=5))
    result = inprocess.run(idle(10), CapturePlan(ram=True, changes=True, ranges=((0, 4),)))
    assert result.ram is not None
    assert result.ranges is not None
    assert result.changes is not None
    assert result.ram[:, 0].tolist() == list(range(1, 11))
    assert result.ranges[:, 0].tolist() == list(range(1, 11))
    assert result.changes.counts.max() < 16
    assert inprocess.read_ram()[0] == 10


def test_a_block_without_memory_is_zeroed_as_in_training(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    info = inprocess.load(toy(memory="blank", move_at=5))
    first = info.regions[0]
    assert (first.address, first.size) == (0x400, 16)
    inprocess.write_ram(2, b"\x07")
    result = inprocess.run(idle(10), CapturePlan(ram=True))
    assert result.ram is not None
    assert result.ram[:, :16].tolist() == [[0, 0, 7, *[0] * 13]] * 10
    assert result.ram[:, 16].tolist() == list(range(1, 11))


def test_a_changed_layout_is_an_error_not_a_crash(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    inprocess.load(toy(memory="maps", layout_at=5))
    with pytest.raises(HostError, match="moved or resized"):
        inprocess.run(idle(10), CapturePlan(ram=True))


def test_system_ram_is_kept_when_maps_come_late(inprocess: InProcessHost, toy: ToyRequest) -> None:
    inprocess.load(toy(layout_at=2))
    result = inprocess.run(idle(3), CapturePlan(ram=True))
    assert result.ram is not None
    assert result.ram.shape == (3, 4096)


def test_the_picture_may_outgrow_what_was_announced(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    inprocess.load(toy(resize_at=2, width2=640, height2=480))
    result = inprocess.run(idle(3), CapturePlan(picture_every=1))
    assert [picture.width for picture in result.pictures] == [160, 640, 640]


def test_a_first_duplicate_comes_unannounced(inprocess: InProcessHost, toy: ToyRequest) -> None:
    """A core that never asked GET_CAN_DUPE: pictures are kept from its first NULL on."""
    inprocess.load(toy(dupe_every=6, dupe_unasked=1))
    inprocess.run(idle(6), CapturePlan())
    result = inprocess.run(idle(6), CapturePlan())
    assert result.frame is not None
    assert result.frame.duplicate
    inprocess.close()
    inprocess.load(toy(dupe_every=6))
    drawn = inprocess.run(idle(11), CapturePlan()).frame
    assert drawn is not None
    np.testing.assert_array_equal(result.frame.pixels, drawn.pixels)


def test_changes_of_a_large_memory_match_numpy(inprocess: InProcessHost, toy: ToyRequest) -> None:
    inprocess.load(toy(ram=1 << 20))
    noise = np.random.default_rng(1).integers(0, 256, 1 << 20).astype(np.uint8)
    inprocess.write_ram(32, noise.tobytes()[32:])
    result = inprocess.run(idle(40), CapturePlan(ram=True, changes=True))
    assert result.ram is not None
    assert result.changes is not None
    frames, offsets = np.nonzero(result.ram[1:] != result.ram[:-1])
    counts = np.bincount(frames, minlength=39)
    np.testing.assert_array_equal(result.changes.counts[1:], counts)
    np.testing.assert_array_equal(result.changes.offsets[result.changes.counts[0] :], offsets)


def test_the_very_first_duplicate_of_a_core_that_asked(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    """Only the last picture is wanted, and it repeats the one before, which must be at hand."""
    inprocess.load(toy(dupe_every=6))
    duplicate = inprocess.run(idle(6), CapturePlan()).frame
    inprocess.reset()
    drawn = inprocess.run(idle(5), CapturePlan()).frame
    assert duplicate is not None
    assert drawn is not None
    assert (duplicate.duplicate, drawn.duplicate) == (True, False)
    np.testing.assert_array_equal(duplicate.pixels, drawn.pixels)
