"""Checks the replies of a core's process before the parent uses them. A core whose pointers go
astray can damage the host around it, which then sends well-formed but wrong replies. Each function
raises WireError for a result that its call cannot have."""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NoReturn, TypeVar, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from libretro_host import errors, host
from libretro_host.announced import AvCheck, check_info
from libretro_host.processes.wire import WireError

T = TypeVar("T")


def nothing(result: object) -> None:
    _demand(result is None, "a result of a call without one")


def core_info(result: object, limits: host.CoreLimits) -> host.CoreInfo:
    """Return the CoreInfo of a reply if a host could have sent it."""
    info = _of(host.CoreInfo, result, "no facts about the core")
    _demand(_are_whole([info], host.CoreInfo), "facts about the core of another kind")
    _demand(AvCheck("", limits).usable(info.av) == info.av, "impossible rates or sizes")
    try:
        check_info(info, limits)
    except errors.CoreAnnouncementError as error:
        raise WireError(str(error)) from error
    return info


def state(result: object, limits: host.CoreLimits) -> bytes:
    data = _of(bytes, result, "a malformed state")
    _demand(len(data) <= limits.state_bytes, f"a state of {len(data):,} bytes")
    return data


def core_options(result: object) -> tuple[host.CoreOption, ...]:
    options = tuple(one for one in _each(result) if isinstance(one, host.CoreOption))
    _demand(_are_whole(_each(result), host.CoreOption), "options of another kind")
    return options


def run_result(
    result: object, frames: int, plan: host.CapturePlan, ram_bytes: int, limits: host.CoreLimits
) -> host.RunResult:
    """Return a result if it has ``frames`` frames and the arrays that ``plan`` asked for."""
    run = _of(host.RunResult, result, "no frames")
    _demand(type(run.frames) is int and run.frames == frames, f"not {frames} frames")
    pictures = _each(run.pictures)
    wanted = frames // plan.picture_every if plan.picture_every else 0
    _demand(len(pictures) <= wanted, "pictures that nobody asked for")
    for one in pictures if run.frame is None else (run.frame, *pictures):
        _check_frame(one, limits)
    if plan.ram:
        array(run.ram, np.uint8, (frames, ram_bytes), "RAM")
    if plan.changes:
        _check_changes(run.changes, frames, ram_bytes)
    if plan.ranges:
        total = sum([length for _, length in plan.ranges])
        array(run.ranges, np.uint8, (frames, total), "ranges of RAM")
    if plan.hashes:
        array(run.hashes, np.uint32, (frames,), "hashes")
    if plan.audio:
        samples = len(run.audio) if isinstance(run.audio, np.ndarray) else 0
        array(run.audio, np.int16, (samples, 2), "sound")
    messages = _each(run.messages)
    _demand(len(messages) <= 10_000 and _are(str, messages), "messages of another kind")
    lag = _each(run.lag)
    _demand(len(lag) <= frames and _are(int, lag), "lag of another kind")
    _demand(not lag or 0 <= min(run.lag) <= max(run.lag) < frames, "lag outside of the run")
    return run


def raise_reported(error: object) -> NoReturn:
    parts = _each(error)
    _demand(len(parts) == 2 and _are(str, parts), "an error of another kind")
    kind, message = map(str, parts)
    known = getattr(errors, kind, None)
    # A child cannot report its own crash or hang; only the parent sees them.
    if isinstance(known, type) and kind not in {"CoreCrashed", "CoreHung"}:
        raise known(message) if issubclass(known, errors.HostError) else errors.HostError(message)
    raise errors.HostError(message)


def _check_frame(value: object, limits: host.CoreLimits) -> None:
    frame = _of(host.Frame, value, "a malformed picture")
    _demand(_are(int, (frame.width, frame.height, frame.rotation)), "a picture without a size")
    size = f"a picture of {frame.width} x {frame.height} pixels"
    _demand(frame.width > 0 and frame.height > 0, size)
    _demand(frame.width * frame.height <= limits.picture_pixels, size)
    row = frame.width * frame.pixel_format.bytes_per_pixel
    array(frame.pixels, np.uint8, (frame.height, -(-row // 4) * 4), "pixels")


def _check_changes(value: object, frames: int, ram_bytes: int) -> None:
    changes = _of(host.RamChanges, value, "no changes of RAM")
    counts = array(changes.counts, np.int64, (frames,), "changes of RAM")
    total = int(counts.sum())
    _demand(not frames or (counts.min() >= 0 and total >= 0), "changes of RAM that do not add up")
    offsets = array(changes.offsets, np.uint32, (total,), "changes of RAM")
    array(changes.values, np.uint8, (total,), "changes of RAM")
    _demand(not total or int(offsets.max()) < ram_bytes, "changes outside of RAM")


def _are_whole(values: Sequence[Any], kind: Any) -> bool:
    """True if all values and their fields have exactly the declared types (True is no int here).
    All values of a field are checked at once, because cores describe some hundred inputs."""
    if get_origin(kind) is tuple:
        held = [each for value in values if type(value) is tuple for each in value]
        return _are(tuple, values) and _are_whole(held, get_args(kind)[0])
    return _are(kind, values) and all(
        _are_whole([getattr(value, one.name) for value in values], one.type)
        for one in (fields(kind) if is_dataclass(kind) else ())
    )


def _of(kind: type[T], value: object, otherwise: str) -> T:
    if not isinstance(value, kind):
        raise WireError(f"it answered with {otherwise}")
    return value


def array(value: object, dtype: type, shape: tuple[int, ...], what: str) -> NDArray[Any]:
    if isinstance(value, np.ndarray) and value.dtype == dtype and value.shape == shape:
        return value
    raise WireError(f"it answered with no {what}, or of another shape")


def _each(values: object) -> Sequence[object]:
    if type(values) is tuple or type(values) is list:
        return values
    raise WireError("it answered with one where there are several")


def _are(kind: type, values: Sequence[object]) -> bool:
    """True if every value has exactly this type (True is no int here)."""
    return set(map(type, values)) <= {kind}


def _demand(fact: bool, what: str) -> None:
    if not fact:
        raise WireError(f"it answered with {what}")
