"""Checks the replies of a core's process before the parent uses them.

A core whose pointers go astray can damage the host beside it, which then sends well-formed but
wrong replies. Each function raises WireError for a result that its call cannot have.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretro_host import host
from libretro_host.announced import AvCheck, check_info
from libretro_host.errors import CoreAnnouncementError
from libretro_host.processes.wire import WireError

_MOST_MESSAGES = 10_000


def nothing(result: object) -> None:
    _demand(result is None, "a result of a call without one")


def core_info(result: object, limits: host.CoreLimits) -> host.CoreInfo:
    """The CoreInfo of a reply, when a host could have sent it."""
    _demand(isinstance(result, host.CoreInfo), "no facts about the core")
    assert isinstance(result, host.CoreInfo)  # noqa: S101 - for the type checker: just looked at
    texts = (result.library_name, result.library_version, *_each(result.valid_extensions))
    numbers = (result.state_bytes, result.whole_ram_bytes)
    _demand(_are(str, texts) and _are(int, numbers), "facts about the core of another kind")
    _demand(all(_is_region(one) for one in _each(result.regions)), "regions of another kind")
    _demand(all(_is_input(one) for one in _each(result.inputs)), "inputs of another kind")
    _demand(_is_av_info(result.av), "rates and sizes of another kind")
    check = AvCheck("", limits)
    _demand(check.usable(result.av) == result.av, "impossible rates or sizes")
    try:
        check_info(result, limits)
    except CoreAnnouncementError as error:
        raise WireError(str(error)) from error
    return result


def state(result: object, limits: host.CoreLimits) -> bytes:
    _demand(isinstance(result, bytes), "a malformed state")
    assert isinstance(result, bytes)  # noqa: S101 - for the type checker: just looked at
    _demand(len(result) <= limits.state_bytes, f"a state of {len(result):,} bytes")
    return result


def flat_ram(result: object, ram_bytes: int) -> NDArray[np.uint8]:
    ram: NDArray[np.uint8] = _array(result, np.uint8, (ram_bytes,), "RAM")
    return ram


def core_options(result: object) -> tuple[host.CoreOption, ...]:
    options = tuple(one for one in _each(result) if isinstance(one, host.CoreOption))
    _demand(len(options) == len(_each(result)), "options of another kind")
    for one in options:
        texts = (one.key, one.title, one.default, one.value, one.help, *_each(one.values))
        _demand(_are(str, texts), "options of another kind")
    return options


def run_result(
    result: object, frames: int, plan: host.CapturePlan, ram_bytes: int, limits: host.CoreLimits
) -> host.RunResult:
    """The result of ``frames`` frames, in the shape that ``plan`` asked for."""
    _demand(isinstance(result, host.RunResult), "no frames")
    assert isinstance(result, host.RunResult)  # noqa: S101 - for the type checker: just looked at
    _demand(type(result.frames) is int and result.frames == frames, f"not {frames} frames")
    pictures = _each(result.pictures)
    wanted = frames // plan.picture_every if plan.picture_every else 0
    _demand(len(pictures) <= wanted, "pictures that nobody asked for")
    for one in pictures if result.frame is None else (result.frame, *pictures):
        _check_frame(one, limits)
    if plan.ram:
        _array(result.ram, np.uint8, (frames, ram_bytes), "RAM")
    if plan.changes:
        _check_changes(result.changes, frames, ram_bytes)
    if plan.ranges:
        total = sum(length for _, length in plan.ranges)
        _array(result.ranges, np.uint8, (frames, total), "ranges of RAM")
    if plan.hashes:
        _array(result.hashes, np.uint32, (frames,), "hashes")
    if plan.audio:
        samples = len(result.audio) if isinstance(result.audio, np.ndarray) else 0
        _array(result.audio, np.int16, (samples, 2), "sound")
    messages = _each(result.messages)
    _demand(len(messages) <= _MOST_MESSAGES and _are(str, messages), "messages of another kind")
    lag = _each(result.lag)
    _demand(len(lag) <= frames and _are(int, lag), "lag of another kind")
    _demand(not lag or 0 <= min(result.lag) <= max(result.lag) < frames, "lag outside of the run")
    return result


def reported_error(error: object) -> tuple[str, str]:
    parts = _each(error)
    _demand(len(parts) == 2 and _are(str, parts), "an error of another kind")
    return str(parts[0]), str(parts[1])


def _check_frame(frame: object, limits: host.CoreLimits) -> None:
    _demand(isinstance(frame, host.Frame), "a malformed picture")
    assert isinstance(frame, host.Frame)  # noqa: S101 - for the type checker: just looked at
    _demand(_are(int, (frame.width, frame.height, frame.rotation)), "a picture without a size")
    size = f"a picture of {frame.width} x {frame.height} pixels"
    _demand(frame.width > 0 and frame.height > 0, size)
    _demand(frame.width * frame.height <= limits.picture_pixels, size)
    row = frame.width * frame.pixel_format.bytes_per_pixel
    _array(frame.pixels, np.uint8, (frame.height, -(-row // 4) * 4), "pixels")


def _check_changes(changes: object, frames: int, ram_bytes: int) -> None:
    _demand(isinstance(changes, host.RamChanges), "no changes of RAM")
    assert isinstance(changes, host.RamChanges)  # noqa: S101 - for the type checker: just looked at
    counts = _array(changes.counts, np.int64, (frames,), "changes of RAM")
    total = int(counts.sum())
    _demand(not frames or (counts.min() >= 0 and total >= 0), "changes of RAM that do not add up")
    offsets = _array(changes.offsets, np.uint32, (total,), "changes of RAM")
    _array(changes.values, np.uint8, (total,), "changes of RAM")
    _demand(not total or int(offsets.max()) < ram_bytes, "changes outside of RAM")


def _is_region(region: object) -> bool:
    return (
        isinstance(region, host.MemoryRegion)
        and _are(int, (region.address, region.size))
        and isinstance(region.name, str)
    )


def _is_input(value: object) -> bool:
    return (
        isinstance(value, host.InputName)
        and _are(int, (value.port, value.device, value.index, value.id))
        and isinstance(value.text, str)
    )


def _is_av_info(av: object) -> bool:
    return (
        isinstance(av, host.AvInfo)
        and _are(int, (av.base_width, av.base_height, av.max_width, av.max_height))
        and _are(float, (av.aspect_ratio, av.fps, av.sample_rate))
    )


def _array(value: object, dtype: type, shape: tuple[int, ...], what: str) -> NDArray[Any]:
    _demand(isinstance(value, np.ndarray), f"no {what}")
    assert isinstance(value, np.ndarray)  # noqa: S101 - for the type checker: just looked at
    _demand(value.dtype == dtype and value.shape == shape, f"{what} of another shape")
    return value


def _each(values: object) -> Sequence[object]:
    _demand(type(values) in {tuple, list}, "one where there are several")
    return values  # type: ignore[return-value] # just looked at


def _are(kind: type, values: Sequence[object]) -> bool:
    """True when every value has exactly this type: True is no int here."""
    return set(map(type, values)) <= {kind}


def _demand(fact: bool, what: str) -> None:
    if not fact:
        raise WireError(f"it answered with {what}")
