"""The contract of CoreHost, over every host: all can do the same, with the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fake_host import FakeHost
from numpy.typing import NDArray
from toy_requests import ToyRequest, idle, wait_until

from libretro_host.errors import (
    ContentError,
    CoreNotFoundError,
    HostClosedError,
    HostError,
    MemoryAccessError,
    StateError,
    UnsupportedCoreError,
)
from libretro_host.host import CapturePlan, CoreHost, RunResult

EVERYTHING = CapturePlan(
    ram=True, changes=True, ranges=((0, 4), (12, 8)), picture=True, picture_every=7, audio=True
)
RAM_ONLY = CapturePlan(ram=True, picture=False)


def scripted(frames: int) -> NDArray[np.uint16]:
    return np.random.default_rng(5).integers(0, 4096, (frames, 2)).astype(np.uint16)


def assert_same(one: RunResult, other: RunResult) -> None:
    assert one.frames == other.frames
    assert (one.messages, one.lag) == (other.messages, other.lag)
    for name in ("ram", "ranges", "audio"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    assert one.changes is not None
    assert other.changes is not None
    for name in ("counts", "offsets", "values"):
        np.testing.assert_array_equal(getattr(one.changes, name), getattr(other.changes, name))
    pairs = list(zip(one.pictures, other.pictures, strict=True))
    for mine, theirs in [*pairs, (one.frame, other.frame)]:
        assert mine is not None
        assert theirs is not None
        np.testing.assert_array_equal(mine.pixels, theirs.pixels)
        assert (mine.width, mine.rotation, mine.duplicate) == (
            theirs.width, theirs.rotation, theirs.duplicate,
        )  # fmt: skip


@pytest.mark.parametrize("memory", ["system", "maps", "overlap"])
@pytest.mark.parametrize("pixel_format", ["rgb565", "xrgb8888", "0rgb1555"])
def test_all_hosts_agree_on_everything(
    host: CoreHost, toy: ToyRequest, memory: str, pixel_format: str
) -> None:
    request = toy(
        memory=memory, format=pixel_format, pitch_extra=6, resize_at=20, rotate=1, dupe_every=5,
        message_at=9, ram=8192, request_rambase=0xFF0000,
    )  # fmt: skip
    twin = FakeHost()
    assert host.load(request) == twin.load(request)
    for chunk in (1, 13, 40):
        inputs = scripted(chunk)
        assert_same(host.run(inputs, EVERYTHING), twin.run(inputs, EVERYTHING))
        assert host.info == twin.info


def test_a_chunk_is_the_same_as_single_frames(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    start, inputs = host.serialize(), scripted(30)
    whole = host.run(inputs, RAM_ONLY).ram
    host.unserialize(start)
    single = [host.run(inputs[i : i + 1], RAM_ONLY).ram for i in range(30)]
    np.testing.assert_array_equal(whole, np.concatenate([ram for ram in single if ram is not None]))


def test_a_restored_state_runs_on_as_before(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(state_grow=3))
    host.run(scripted(10), RAM_ONLY)
    state, ram = host.serialize(), host.read_ram()
    first = host.run(scripted(60), EVERYTHING)
    host.unserialize(state)
    np.testing.assert_array_equal(host.read_ram(), ram)
    assert_same(first, host.run(scripted(60), EVERYTHING))


def test_states_grow_and_may_have_another_length(host: CoreHost, toy: ToyRequest) -> None:
    info = host.load(toy(state_grow=2))
    host.run(idle(20), RAM_ONLY)
    state = host.serialize()
    assert len(state) == info.state_bytes + 160
    host.run(idle(20), RAM_ONLY)
    host.unserialize(state + b"trailing bytes of another version")
    assert host.read_ram()[0] == 20


def test_a_refused_state_is_an_error_and_changes_nothing(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    host.run(idle(3), RAM_ONLY)
    with pytest.raises(StateError, match="refused a state of 13 bytes"):
        host.unserialize(b"not our state")
    assert host.read_ram()[0] == 3


def test_a_core_without_states_says_so(host: CoreHost, toy: ToyRequest) -> None:
    assert host.load(toy(state=0)).state_bytes == 0
    with pytest.raises(StateError, match="cannot save states"):
        host.serialize()


def test_inputs_reach_every_port(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    ram = host.run(np.array([[0xF0F, 0xFFFF, 0x8001, 1]], np.uint16), RAM_ONLY).ram
    assert ram is not None
    assert ram[0, 4:12].view("<u2").tolist() == [0xF0F, 0xFFFF, 0x8001, 1]


def test_port_devices_reach_the_core(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(request_port_devices=(1, 0)))
    assert host.read_ram()[26:28].tolist() == [1, 0]


def test_buttons_of_a_run_are_up_again_in_the_next(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    host.run(np.full((1, 2), 0xFFF, np.uint16), RAM_ONLY)
    ram = host.run(idle(1, ports=1), RAM_ONLY).ram
    assert ram is not None
    assert not ram[0, 4:12].any()


def test_changes_rebuild_the_ram(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(ram=1003, memory="maps"))
    host.run(idle(5), RAM_ONLY)
    ram = host.read_ram()
    result = host.run(scripted(50), CapturePlan(ram=True, changes=True))
    assert result.changes is not None
    assert result.ram is not None
    ends = np.cumsum(result.changes.counts)
    for frame, end in enumerate(ends):
        begin = end - result.changes.counts[frame]
        offsets = result.changes.offsets[begin:end]
        assert (np.diff(offsets.astype(int)) > 0).all()
        ram[offsets] = result.changes.values[begin:end]
        np.testing.assert_array_equal(ram, result.ram[frame])


def test_changes_count_from_what_was_written_before_the_run(
    host: CoreHost, toy: ToyRequest
) -> None:
    host.load(toy())
    host.run(idle(2), CapturePlan(changes=True))
    host.write_ram(100, b"\x77\x78")
    before = host.read_ram()
    changes = host.run(idle(1), CapturePlan(changes=True)).changes
    assert changes is not None
    assert not {100, 101} & set(changes.offsets.tolist())
    before[changes.offsets] = changes.values
    np.testing.assert_array_equal(before, host.read_ram())


def test_ranges_may_cross_regions_and_overlap(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(memory="maps", ram=4096))
    ranges = ((2040, 16), (0, 8), (4, 8), (4095, 1), (7, 0))
    result = host.run(scripted(9), CapturePlan(ram=True, ranges=ranges))
    assert result.ram is not None
    expected = [result.ram[:, offset : offset + size] for offset, size in ranges]
    np.testing.assert_array_equal(result.ranges, np.concatenate(expected, axis=1))


@pytest.mark.parametrize("bad", [(4095, 2), (4097, 0), (-1, 1), (0, 1 << 40)])
def test_ranges_outside_ram_are_refused(
    host: CoreHost, toy: ToyRequest, bad: tuple[int, int]
) -> None:
    host.load(toy())
    with pytest.raises(MemoryAccessError):
        host.run(idle(1), CapturePlan(ranges=(bad,)))
    assert host.read_ram()[0] == 0


def test_written_ram_is_read_back_and_used(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(memory="maps"))
    host.write_ram(2046, b"abcd")
    assert bytes(host.read_ram()[2046:2050]) == b"abcd"
    host.write_ram(0, b"\xff\x00\x00\x00")
    host.run(idle(1), RAM_ONLY)
    assert host.read_ram()[:2].tolist() == [0, 1]


@pytest.mark.parametrize(("offset", "size"), [(4095, 2), (-1, 1), (5000, 0), (0, 4097)])
def test_writes_outside_ram_are_refused(
    host: CoreHost, toy: ToyRequest, offset: int, size: int
) -> None:
    host.load(toy())
    with pytest.raises(MemoryAccessError):
        host.write_ram(offset, bytes(size))


def test_what_the_plan_leaves_out_is_none(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    result = host.run(idle(3), CapturePlan(picture=False))
    assert (result.frame, result.ram, result.changes, result.ranges, result.audio) == (None,) * 5
    assert (result.frames, result.pictures, result.messages) == (3, (), ())


def test_no_frames_is_no_error(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    result = host.run(idle(0), CapturePlan(ram=True, changes=True, audio=True))
    assert result.frames == 0
    assert result.ram is not None
    assert result.ram.shape == (0, 4096)
    assert result.audio is not None
    assert result.audio.shape == (0, 2)


def test_results_belong_to_the_caller(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    first = host.run(idle(3), EVERYTHING)
    assert first.frame is not None
    assert first.audio is not None
    copies = first.frame.pixels.copy(), first.audio.copy()
    host.run(scripted(50), EVERYTHING)
    np.testing.assert_array_equal(first.frame.pixels, copies[0])
    np.testing.assert_array_equal(first.audio, copies[1])


@pytest.mark.parametrize("mode", ["batch", "single", "none"])
def test_audio(host: CoreHost, toy: ToyRequest, mode: str) -> None:
    host.load(toy(audio=mode))
    host.run(idle(1), CapturePlan(audio=False))
    audio = host.run(idle(2), CapturePlan(audio=True)).audio
    assert audio is not None
    assert audio.dtype == np.int16
    assert audio.shape == (0 if mode == "none" else 2 * 735, 2)
    if mode != "none":
        assert audio[0].tolist() == [2 * 735, -2 * 735]


def test_lag_names_the_frames_that_asked_for_no_button(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(lag_every=3))
    assert host.run(scripted(7), CapturePlan()).lag == (2, 5)
    assert host.run(scripted(1), CapturePlan()).lag == ()
    assert host.run(scripted(1), CapturePlan()).lag == (0,)


def test_a_duplicate_shows_the_picture_before_it(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(dupe_every=5))
    result = host.run(idle(5), CapturePlan(picture_every=4))
    assert result.frame is not None
    assert result.frame.duplicate
    assert not result.pictures[0].duplicate
    np.testing.assert_array_equal(result.frame.pixels, result.pictures[0].pixels)


def test_no_picture_before_the_first_one_is_drawn(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(dupe_every=1))
    assert host.run(idle(2), CapturePlan(picture_every=1)).frame is None


def test_pictures_are_readable_whatever_the_pitch(host: CoreHost, toy: ToyRequest) -> None:
    for pixel_format, pitch, gray in (("xrgb8888", 516, 8), ("rgb565", 260, 8)):
        host.load(toy(format=pixel_format, width=129, pitch_extra=3))
        frame = host.run(idle(1), CapturePlan()).frame
        assert frame is not None
        assert (frame.width, frame.height, frame.pitch) == (129, 120, pitch)
        assert frame.rgb().shape == (120, 129, 3)
        assert set(np.unique(frame.rgb())) == {gray, 255}
        host.close()


def test_geometry_and_timing_follow_the_core(host: CoreHost, toy: ToyRequest) -> None:
    av = host.load(toy(resize_at=3, width2=200, height2=100, av_at=4)).av
    assert (av.base_width, av.base_height, av.max_width, av.fps) == (160, 120, 200, 60.0)
    assert host.run(idle(2), CapturePlan()).frame is not None
    frame = host.run(idle(1), CapturePlan()).frame
    assert frame is not None
    assert (frame.width, frame.height) == (200, 100)
    assert (host.info.av.base_width, host.info.av.fps) == (200, 60.0)
    host.run(idle(1), CapturePlan())
    assert host.info.av.fps == 50.0


@pytest.mark.parametrize("version", ["0", "1", "1i", "2", "2i"])
def test_options_are_declared_changed_and_seen(
    host: CoreHost, toy: ToyRequest, version: str
) -> None:
    host.load(toy(options=version, request_options={"toycore_speed": "fast"}))
    speed, tint = host.options()
    assert (speed.key, speed.title, speed.value, speed.default) == (
        "toycore_speed", "Speed", "fast", "normal",
    )  # fmt: skip
    assert set(speed.values) == {"slow", "normal", "fast"}
    assert (tint.values, tint.value) == (("off", "on"), "off")
    assert speed.help == ("" if version == "0" else "How fast things move.")
    assert host.read_ram()[22] == 2
    host.set_option("toycore_speed", "slow")
    host.run(idle(1), RAM_ONLY)
    assert host.read_ram()[22] == 0
    assert host.options()[0].value == "slow"


def test_an_undeclared_option_is_answered_false_and_null(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    assert host.read_ram()[23] == 0


def test_an_undeclared_option_that_the_request_sets_is_answered(
    host: CoreHost, toy: ToyRequest
) -> None:
    host.load(toy(options="none", request_options={"toycore_undeclared": "x"}))
    assert host.read_ram()[23] == 2
    assert host.options() == ()


@pytest.mark.parametrize(("key", "value"), [("toycore_speed", "warp"), ("unknown", "on")])
def test_impossible_options_are_refused(
    host: CoreHost, toy: ToyRequest, key: str, value: str
) -> None:
    host.load(toy())
    with pytest.raises(HostError, match=key):
        host.set_option(key, value)


def test_the_log_is_formatted(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(log_every=30))
    host.run(idle(60), RAM_ONLY)
    lines = (
        "[INFO] frame 30 of toycore,  0.50 seconds",
        "[INFO] frame 60 of toycore,  1.00 seconds",
    )
    wait_until(lambda: host.log()[-2:] == lines)


def test_reset_is_the_consoles_button(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    host.run(scripted(20), RAM_ONLY)
    host.reset()
    ram = host.read_ram()
    assert (ram[0], ram[20], ram[21], ram[25]) == (0, 3, 1, 80)


def test_a_core_may_have_no_memory(host: CoreHost, toy: ToyRequest) -> None:
    assert host.load(toy(memory="none")).regions == ()
    assert host.read_ram().shape == (0,)
    result = host.run(idle(4), CapturePlan(ram=True, changes=True))
    assert result.ram is not None
    assert result.ram.shape == (4, 0)


def test_select_masks_give_the_length(host: CoreHost, toy: ToyRequest) -> None:
    (region,) = host.load(toy(memory="select", ram=131072)).regions
    assert (region.address, region.size, region.name) == (0x7E0000, 131072, "work")


def test_missing_core_and_content(host: CoreHost, toy: ToyRequest, tmp_path: Path) -> None:
    with pytest.raises(CoreNotFoundError, match="nowhere"):
        host.load(toy(core=tmp_path / "nowhere.so"))
    request = toy()
    request.content.unlink()
    with pytest.raises(ContentError, match="cannot read"):
        host.load(request)


def test_refused_content_leaves_the_host_usable(host: CoreHost, toy: ToyRequest) -> None:
    with pytest.raises(ContentError, match="refused"):
        host.load(toy(refuse=1))
    with pytest.raises(HostClosedError):
        host.read_ram()
    host.load(toy())
    assert host.read_ram().shape == (4096,)


def test_vulkan_is_unsupported(host: CoreHost, toy: ToyRequest) -> None:
    with pytest.raises(UnsupportedCoreError, match=r"toycore.*Vulkan"):
        host.load(toy(hw=1))
    host.load(toy(hw=2))
    assert host.run(idle(1), CapturePlan()).frame is not None


def test_a_core_may_ask_to_be_shut_down(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy(shutdown_at=5))
    with pytest.raises(HostError, match=r"\.toy: toycore\S* asked to be shut down"):
        host.run(idle(10), RAM_ONLY)


def test_use_before_load_and_after_close(host: CoreHost, toy: ToyRequest) -> None:
    with pytest.raises(HostClosedError):
        host.run(idle(1), RAM_ONLY)
    host.load(toy())
    host.close()
    host.close()
    for use in (host.read_ram, host.serialize, host.reset, host.options, lambda: host.info):
        with pytest.raises(HostClosedError):
            use()


def test_a_second_load_needs_a_close(host: CoreHost, toy: ToyRequest) -> None:
    host.load(toy())
    with pytest.raises(HostError, match="close"):
        host.load(toy())
    host.close()
    host.load(toy())


@pytest.mark.parametrize("shape", [(4,), (1, 9), (1, 1, 1)])
def test_inputs_of_a_wrong_shape_are_refused(
    host: CoreHost, toy: ToyRequest, shape: tuple[int, ...]
) -> None:
    host.load(toy())
    with pytest.raises(HostError, match="inputs"):
        host.run(np.zeros(shape, np.uint16), RAM_ONLY)
