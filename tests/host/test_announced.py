"""Impossible rates that a core announces are replaced, and impossible sizes refused."""

from __future__ import annotations

import pytest
from toy_requests import ToyRequest, idle

from libretro_host.errors import CoreAnnouncementError, HostError, StateError
from libretro_host.host import CapturePlan, CoreHost, CoreLimits

NONSENSE = ["0", "-60", "nan", "inf", "-inf", "1e-9", "1e300"]


@pytest.mark.parametrize("rate", NONSENSE)
def test_a_rate_that_can_not_be_is_replaced_and_told_once(
    core_host: CoreHost, toy: ToyRequest, rate: str
) -> None:
    info = core_host.load(toy(fps=rate, rate=rate, aspect=rate if "n" in rate else 1))
    assert (info.av.fps, info.av.sample_rate) == (60.0, 44_100.0)
    assert info.av.aspect_ratio in {0.0, 1.0}
    told = core_host.run(idle(1), CapturePlan()).messages
    assert sum("frames a second" in text for text in told) == 1
    assert sum("samples of sound" in text for text in told) == 1
    assert core_host.run(idle(1), CapturePlan()).messages == ()


@pytest.mark.parametrize("rate", NONSENSE)
def test_a_rate_that_turns_bad_stays_as_it_was(
    core_host: CoreHost, toy: ToyRequest, rate: str
) -> None:
    core_host.load(toy(fps="59.5", fps2=rate, av_at=3))
    assert core_host.run(idle(2), CapturePlan()).messages == ()
    [told] = core_host.run(idle(2), CapturePlan()).messages
    assert told == (
        f"toycore announces {float(rate):g} frames a second, which is impossible; "
        "59.5 is used instead"
    )
    assert core_host.info.av.fps == 59.5


def test_rates_of_odd_machines_pass(core_host: CoreHost, toy: ToyRequest) -> None:
    info = core_host.load(toy(fps="128.5", rate="31400", aspect="-1", max="0x0"))
    assert (info.av.fps, info.av.sample_rate, info.av.aspect_ratio) == (128.5, 31400.0, -1.0)
    assert (info.av.max_width, info.av.max_height) == (160, 120)
    assert core_host.run(idle(1), CapturePlan()).messages == ()


@pytest.mark.parametrize("size", ["0x0", "0x240", "4294967295x4294967295", "65536x65536"])
def test_a_size_that_can_not_be_is_replaced_and_told(
    core_host: CoreHost, toy: ToyRequest, size: str
) -> None:
    info = core_host.load(toy(base=size))
    assert (info.av.base_width, info.av.base_height) == (320, 240)
    result = core_host.run(idle(1), CapturePlan())
    assert size.replace("x", " x ") in result.messages[0]
    assert result.frame is not None
    assert (result.frame.width, result.frame.height) == (160, 120)


@pytest.mark.parametrize(
    "drawn",
    ["100000x2x400000", "2x100000x4", "4294967295x4294967295x4", "160x120x319", "160x120x0",
     "160x120x4294967295", "3000x3000x6000"],
)  # fmt: skip
def test_a_picture_that_can_not_be_is_refused(
    core_host: CoreHost, toy: ToyRequest, drawn: str
) -> None:
    core_host.load(toy(draws=drawn, draws_at=3))
    assert core_host.run(idle(2), CapturePlan()).frames == 2
    width, height, pitch = drawn.split("x")
    with pytest.raises(
        CoreAnnouncementError, match=f"{width} x {height} pixels with {pitch} bytes a row"
    ):
        core_host.run(idle(2), CapturePlan())
    core_host.reset()
    assert core_host.run(idle(1), CapturePlan()).frames == 1


@pytest.mark.parametrize("size", ["18446744073709551615", "0x100000000000", "16777217"])
def test_states_beyond_the_cap_of_the_system_are_refused(
    core_host: CoreHost, toy: ToyRequest, size: str
) -> None:
    with pytest.raises(CoreAnnouncementError, match="announces states of"):
        core_host.load(toy(state_says=size))
    limits = CoreLimits(state_bytes=5000)
    core_host.load(toy(state_grow=1, request_limits=limits))
    state = core_host.serialize()
    with pytest.raises(StateError, match=r"5,001 bytes is more than the 5,000"):
        core_host.unserialize(state.ljust(5001, b"\0"))
    core_host.run(idle(100), CapturePlan())
    with pytest.raises(StateError, match=r"5,704 bytes is more than the 5,000"):
        core_host.serialize()
    core_host.unserialize(state)
    assert core_host.read_ram()[0] == 0


def test_pictures_and_memory_beyond_the_cap_of_the_system_are_refused(
    core_host: CoreHost, toy: ToyRequest
) -> None:
    with pytest.raises(CoreAnnouncementError, match="4,096 bytes of memory, more than the 4,095"):
        core_host.load(toy(request_limits=CoreLimits(ram_bytes=4095)))
    core_host.load(toy(request_limits=CoreLimits(picture_pixels=160 * 120 - 1)))
    with pytest.raises(HostError, match="160 x 120 pixels"):
        core_host.run(idle(1), CapturePlan())
