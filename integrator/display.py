"""Checks for a display before Qt does, because Qt aborts the process if there is none. X servers
are tried through libxcb, as Qt does, because only a complete handshake shows that the server is
alive and accepts us. A Wayland compositor is alive if its socket accepts a connection."""

import contextlib
import ctypes
import gc
import importlib.util
import os
import re
import socket
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from integrator.domain.errors import DomainError

_CURE: Final = (
    "start it in a desktop session; integrator demo, play and check need no window, and "
    "xvfb-run -a integrator opens one that nobody sees"
)
_PLUGINS: Final = {"xcb": "libqxcb.so", "wayland": "libqwayland.so"}
"""Qt's plugin for each of its platforms that need a display."""


class DisplayError(DomainError):
    """No window can be opened here; the message names the missing part."""


def require_display(environment: Mapping[str, str]) -> None:
    """Raise DisplayError if neither an X server nor a Wayland compositor answers."""
    problems = _problems(environment)
    if not problems or None in problems.values():
        return
    named = [text for text in problems.values() if text]
    text = " and ".join(named) or "neither DISPLAY nor WAYLAND_DISPLAY is set"
    raise DisplayError(f"no display: {text}; {_CURE}")


@contextlib.contextmanager
def loading_libraries(environment: Mapping[str, str]) -> Iterator[None]:
    """Import Qt within this context. Raises DisplayError if a system library of Qt is missing."""
    # Imports leave no garbage, but looking for some takes a tenth of their time.
    gc.disable()
    try:
        yield
        _load_plugin(environment)
    except (ImportError, OSError) as error:
        found = re.search(r"(lib[\w.+-]+?)\.so\.(\d+)", str(error))
        if found is None or "cannot open shared object" not in str(error):
            raise
        # Debian's naming rule; for example, libglib-2.0.so.0 is in the package libglib2.0-0.
        name = re.sub(r"-(?=\d)", "", found[1].lower())
        package = f"{name}{'-' * name[-1].isdigit()}{found[2]}"
        raise DisplayError(
            f"the window needs the system library {found[0]}, which is missing; install it (on "
            f"Debian and Ubuntu it is in the package {package}: sudo apt-get install {package})"
        ) from error
    finally:
        gc.enable()


def _problems(environment: Mapping[str, str]) -> dict[str, str | None]:
    """Return the problem of each platform that Qt would try; None: works, '': not configured."""
    if sys.platform in {"win32", "darwin"}:
        return {}
    chosen = environment.get("QT_QPA_PLATFORM", "")
    names = [name.partition(":")[0].partition("-")[0] for name in chosen.split(";") if name]
    tests = {"xcb": _x_problem, "wayland": _wayland_problem}
    # Other platforms, such as offscreen, need no display.
    return {name: tests[name](environment) if name in tests else None for name in names or tests}


def _x_problem(environment: Mapping[str, str]) -> str | None:
    display = environment.get("DISPLAY", "")
    if not display:
        return ""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return None  # loading Qt's plugin will report the missing library
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    with _no_stderr():  # libxcb prints the server's reason for a refusal
        connection = xcb.xcb_connect(display.encode(errors="surrogateescape"), None)
        failed = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return f"the X server of DISPLAY={display} does not answer or refuses" if failed else None


def _wayland_problem(environment: Mapping[str, str]) -> str | None:
    if sys.platform == "win32" or "WAYLAND_SOCKET" in environment:
        return None  # the process has inherited an open connection
    name = environment.get("WAYLAND_DISPLAY", "")
    path = Path(environment.get("XDG_RUNTIME_DIR", "/nonexistent"), name or "wayland-0")
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return f"the compositor of WAYLAND_DISPLAY={name} does not answer" if name else ""
    return None


def _load_plugin(environment: Mapping[str, str]) -> None:
    """Load the plugin that Qt will use, so that a missing library raises, and does not abort."""
    package = importlib.util.find_spec("PySide6")
    usable = [name for name, problem in _problems(environment).items() if problem is None]
    if package is None or package.origin is None or not set(usable) <= _PLUGINS.keys():
        return
    folder = Path(package.origin).parent / "Qt" / "plugins" / "platforms"
    errors = []
    for name in usable:
        path = folder / _PLUGINS[name]
        if not path.is_file():
            continue  # another build of Qt may have another layout
        try:
            ctypes.CDLL(str(path))
        except OSError as error:
            errors.append(error)
        else:
            return
    if errors:
        raise errors[0]


@contextlib.contextmanager
def _no_stderr() -> Iterator[None]:
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
