"""Turns the codes of the compiled shim into the typed errors of a host."""

from typing import Any, NoReturn

from libretro_host.capture import text
from libretro_host.errors import (
    ContentError,
    CoreAnnouncementError,
    CoreLoadError,
    CoreThrewError,
    HostClosedError,
    HostError,
    MemoryAccessError,
    UnsupportedCoreError,
)
from libretro_host.host import LoadRequest

_HW_CONTEXTS = {
    1: "OpenGL",
    2: "OpenGL ES 2",
    3: "OpenGL core",
    4: "OpenGL ES 3",
    5: "OpenGL ES",
    6: "Vulkan",
    7: "Direct3D 11",
    8: "Direct3D 10",
    9: "Direct3D 12",
    10: "Direct3D 9",
}
"""Names of ``enum retro_hw_context_type``."""


_PACKAGES = {"libGL.so.1": "libgl1", "libEGL.so.1": "libegl1", "libGLESv2.so.2": "libgles2"}
"""Debian's packages of the libraries that cores with OpenGL are linked with."""


def check(lib: Any, code: int, action: str, core: str = "the core") -> None:
    """Turn a code of the shim into the error that fits it; ``core`` is the name of its file."""
    if code == lib.LH_OK:
        return
    if code == lib.LH_CLOSED:
        raise HostClosedError(f"the game was closed: could not {action}; open it again")
    if code == lib.LH_NO_MEMORY:
        raise HostError(f"out of memory: could not {action}")
    if code == lib.LH_LAYOUT:
        raise HostError(f"{core} moved or resized its memory: could not {action}; load it again")
    if code == lib.LH_OUT_OF_RANGE:
        raise MemoryAccessError(f"could not {action}: outside the core's RAM")
    if code == lib.LH_THREW:
        raise CoreThrewError(
            f"{core} threw an exception: could not {action} ({text(lib.lh_error())}); restore a "
            "good state, or load it again"
        )
    if code == lib.LH_ABSURD:
        raise CoreAnnouncementError(
            f"{core} handed over {text(lib.lh_error())}: could not {action}; use another core"
        )
    raise HostError(f"{core} could not {action} (code {code})")


def raise_open_error(lib: Any, code: int, request: LoadRequest) -> NoReturn:
    """The error of a library that could not be opened."""
    detail = text(lib.lh_error())
    if code == lib.LH_NO_LIBRARY:
        cure = next(
            (f"; on Debian, install {_PACKAGES[one]}" for one in _PACKAGES if one in detail), ""
        )
        raise CoreLoadError(f"{request.core} cannot be loaded: {detail}{cure}")
    if code == lib.LH_NOT_A_CORE:
        raise CoreLoadError(f"{request.core} is no libretro core: it has no {detail}")
    if code == lib.LH_WRONG_API:
        raise CoreLoadError(
            f"{request.core} speaks libretro API version {detail}, this host version 1"
        )
    if code == lib.LH_THREW:
        check(lib, code, "start it", request.core.name)
    raise CoreLoadError(f"{request.core} cannot be started (code {code}) {detail}")


def raise_load_error(
    lib: Any, code: int, request: LoadRequest, library: str, log: tuple[str, ...]
) -> NoReturn:
    """The error of content that could not be loaded; ``log`` holds the core's log lines."""
    hardware = lib.lh_hw_render()
    if hardware:
        context = _HW_CONTEXTS.get(hardware, f"a graphics card of kind {hardware}")
        raise UnsupportedCoreError(
            f"{library} ({request.core.name}) wants to draw with {context}, but "
            f"{text(lib.lh_hw_error())}; a software renderer in its options may do, or another core"
        )
    if code in {lib.LH_REFUSED, lib.LH_OK}:
        action = "refused it" if code == lib.LH_REFUSED else "asked to be shut down on loading it"
        raise ContentError(f"{request.content}: {library} {action}{last_line(log)}")
    check(lib, code, f"load {request.content}", request.core.name)
    raise HostError(f"{request.core.name} could not load {request.content}")


def last_line(log: tuple[str, ...]) -> str:
    """The last complaint of the core, as the tail of a message."""
    complaints = [line for line in log if line.startswith(("[ERROR]", "[WARN]"))] or list(log)
    return f"; the core said: {complaints[-1]}" if complaints else ""
