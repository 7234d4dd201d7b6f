"""Converts a run's plan and result between Python and the shim, and its codes to errors."""

from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from libretro_host import errors
from libretro_host._shim import ffi
from libretro_host.host import CapturePlan, Frame, LoadRequest, PixelFormat, RamChanges, RunResult
from libretro_host.shims import text


class Capture:
    """One run: its C plan, the arrays that the shim fills, and the conversion of its result."""

    def __init__(
        self, own: Any, masks: NDArray[np.uint16], plan: CapturePlan, ram_bytes: int
    ) -> None:
        frames = len(masks)
        self._masks, self._wanted = masks, plan
        self._ram = np.empty((frames, ram_bytes), np.uint8) if plan.ram else None
        self._counts = np.zeros(frames, np.int64) if plan.changes else None
        for offset, length in plan.ranges:
            if not 0 <= offset <= offset + length <= ram_bytes:
                raise errors.MemoryAccessError(
                    f"range {(offset, length)} lies outside the {ram_bytes} bytes of RAM"
                )
        self._pairs = own.new("lh_range[]", list(plan.ranges))
        total = sum(length for _, length in plan.ranges)
        self._ranges = np.empty((frames, total), np.uint8) if plan.ranges else None
        self._hashes = np.zeros(frames, np.uint32) if plan.hashes else None
        self.plan = own.new("lh_plan *")
        self.plan.inputs = _pointer("uint16_t[]", masks)
        self.plan.frames, self.plan.ports = masks.shape
        self.plan.ram = _pointer("uint8_t[]", self._ram)
        self.plan.change_counts = _pointer("int64_t[]", self._counts)
        self.plan.ranges, self.plan.range_count = self._pairs, len(plan.ranges)
        self.plan.ranges_out = _pointer("uint8_t[]", self._ranges)
        self.plan.picture, self.plan.audio = plan.picture, plan.audio
        self.plan.picture_every = plan.picture_every
        self.plan.picture_hashes = _pointer("uint32_t[]", self._hashes)

    def result(self, out: Any, messages: tuple[str, ...]) -> RunResult:
        """Copy the shim's buffers into a RunResult, because the next run reuses them."""
        frame = changes = audio = None
        if self._wanted.picture and out.has_screen:
            frame = _frame(out.screen, out.screen_pixels)
        if self._counts is not None:
            offsets = _copy(out.change_offsets, out.change_total, np.uint32)
            values = _copy(out.change_values, out.change_total, np.uint8)
            changes = RamChanges(self._counts, offsets, values)
        if self._wanted.audio:
            audio = _copy(out.audio, out.audio_frames * 2, np.int16).reshape(-1, 2)
        pictures = (out.pictures[index] for index in range(out.picture_count))
        return RunResult(
            frames=out.frames,
            frame=frame,
            pictures=tuple(_frame(picture, out.picture_pixels) for picture in pictures),
            ram=self._ram,
            changes=changes,
            ranges=self._ranges,
            audio=audio,
            messages=messages,
            lag=tuple(out.lag[0 : out.lag_count]) if out.lag_count else (),
            hashes=self._hashes,
        )


def _pointer(kind: str, array: NDArray[Any] | None) -> Any:
    return ffi.NULL if array is None else ffi.from_buffer(kind, array)


def _copy(pointer: Any, count: int, dtype: type[np.generic]) -> NDArray[Any]:
    """Return a numpy copy of ``count`` items at a C pointer, which may be NULL if count is 0."""
    if not count:
        return np.empty(0, dtype)
    return np.frombuffer(ffi.buffer(pointer, count * np.dtype(dtype).itemsize), dtype).copy()


def _frame(picture: Any, pixels: Any) -> Frame:
    flat = _copy(pixels + picture.offset, picture.height * picture.pitch, np.uint8)
    return Frame(
        pixels=flat.reshape(picture.height, picture.pitch),
        width=picture.width,
        height=picture.height,
        pixel_format=PixelFormat(picture.pixel_format),
        rotation=picture.rotation,
        duplicate=bool(picture.duplicate),
    )


_HW_CONTEXTS = (  # values of ``enum retro_hw_context_type``, in order
    *("", "OpenGL", "OpenGL ES 2", "OpenGL core", "OpenGL ES 3", "OpenGL ES", "Vulkan"),
    *("Direct3D 11", "Direct3D 10", "Direct3D 12", "Direct3D 9"),
)


def check(lib: Any, code: int, action: str, core: str = "the core") -> None:
    """Raise the error that fits a code of the shim, if any; ``core`` is the core's file name."""
    if code == lib.LH_OK:
        return
    failed, detail = f"could not {action}", text(lib.lh_error())
    threw = (
        f"{core} threw an exception: {failed} ({detail}); restore a good state, or load it again"
    )
    absurd = f"{core} handed over {detail}: {failed}; use another core"
    moved = f"{core} moved or resized its memory: {failed}; load it again"
    known = {
        lib.LH_CLOSED: errors.HostClosedError(f"the game was closed: {failed}; open it again"),
        lib.LH_NO_MEMORY: errors.HostError(f"out of memory: {failed}"),
        lib.LH_LAYOUT: errors.HostError(moved),
        lib.LH_OUT_OF_RANGE: errors.MemoryAccessError(f"{failed}: outside the core's RAM"),
        lib.LH_THREW: errors.CoreThrewError(threw),
        lib.LH_ABSURD: errors.CoreAnnouncementError(absurd),
    }
    raise known.get(code) or errors.HostError(f"{core} {failed} (code {code})")


def raise_open_error(lib: Any, code: int, request: LoadRequest) -> NoReturn:
    if code == lib.LH_THREW:
        check(lib, code, "start it", request.core.name)
    detail, cure = text(lib.lh_error()), ""
    # Debian packages of the libraries that OpenGL cores are linked with.
    for library, package in (("GL.so.1", "gl1"), ("EGL.so.1", "egl1"), ("GLESv2.so.2", "gles2")):
        if f"lib{library}" in detail:
            cure = f"; on Debian, install lib{package}"
    known = {
        lib.LH_NO_LIBRARY: f"cannot be loaded: {detail}{cure}",
        lib.LH_NOT_A_CORE: f"is no libretro core: it has no {detail}",
        lib.LH_WRONG_API: f"speaks libretro API version {detail}, this host version 1",
    }
    fault = known.get(code, f"cannot be started (code {code}) {detail}")
    raise errors.CoreLoadError(f"{request.core} {fault}")


def raise_load_error(
    lib: Any, code: int, request: LoadRequest, library: str, log: tuple[str, ...]
) -> NoReturn:
    """Raise the error for content that could not be loaded; ``log`` holds the core's log lines."""
    hardware = lib.lh_hw_render()
    if hardware:
        known = hardware < len(_HW_CONTEXTS)
        context = _HW_CONTEXTS[hardware] if known else f"a graphics card of kind {hardware}"
        raise errors.UnsupportedCoreError(
            f"{library} ({request.core.name}) wants to draw with {context}, but "
            f"{text(lib.lh_hw_error())}; a software renderer in its options may do, or another core"
        )
    if code in {lib.LH_REFUSED, lib.LH_OK}:
        action = "refused it" if code == lib.LH_REFUSED else "asked to be shut down on loading it"
        raise errors.ContentError(f"{request.content}: {library} {action}{last_line(log)}")
    check(lib, code, f"load {request.content}", request.core.name)
    raise errors.HostError(f"{request.core.name} could not load {request.content}")


def last_line(log: tuple[str, ...]) -> str:
    """Return the core's last error or warning, else its last log line, to end a message with."""
    complaints = [line for line in log if line.startswith(("[ERROR]", "[WARN]"))] or list(log)
    return f"; the core said: {complaints[-1]}" if complaints else ""
