"""Without a display, or with a dead one, the window is refused in one line; Qt would abort."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrator.commands.shared.options import demo_game
from integrator.display import DisplayError, loading_libraries, require_display

DEAD = {"DISPLAY": ":7077", "WAYLAND_DISPLAY": "wayland-77", "XDG_RUNTIME_DIR": "/nonexistent"}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path: a socket's may have 107 bytes."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({}, "neither DISPLAY nor WAYLAND_DISPLAY"),
        ({"DISPLAY": ":7077"}, "DISPLAY=:7077"),
        ({"DISPLAY": "no display"}, "DISPLAY=no display"),
        (DEAD, "WAYLAND_DISPLAY=wayland-77"),
        ({**DEAD, "QT_QPA_PLATFORM": "xcb"}, "DISPLAY=:7077"),
        ({**DEAD, "QT_QPA_PLATFORM": "wayland-egl"}, "WAYLAND_DISPLAY=wayland-77"),
    ],
)
def test_a_missing_or_dead_display_is_named_with_the_cure(
    environment: dict[str, str], named: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DisplayError) as info:
        require_display(environment)
    assert named in str(info.value)
    assert "integrator demo" in str(info.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("platform", ["offscreen", "xcb;offscreen", "minimal:enable_fonts"])
def test_a_platform_that_needs_no_display_is_let_through(platform: str) -> None:
    require_display({**DEAD, "QT_QPA_PLATFORM": platform})


def test_a_living_compositor_is_enough(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(folder / "wayland-0"))
        compositor.listen()
        require_display({"DISPLAY": ":7077", "XDG_RUNTIME_DIR": str(folder)})
    with pytest.raises(DisplayError):  # the socket is still there, but nobody listens
        require_display({"XDG_RUNTIME_DIR": str(folder)})


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_server_that_refuses_us_is_not_taken_for_a_display(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # One entry of an authority file: any address, display and name are empty, then the key.
    key = b"MIT-MAGIC-COOKIE-1"
    entry = b"\xff\xff" + bytes(4) + len(key).to_bytes(2, "big") + key + b"\x00\x10" + bytes(16)
    (folder / "authority").write_bytes(entry)
    ours, theirs = os.pipe()
    command = ["Xvfb", "-displayfd", str(theirs), "-auth", str(folder / "authority")]
    with subprocess.Popen(command, pass_fds=[theirs], stderr=subprocess.DEVNULL) as server:
        os.close(theirs)
        with os.fdopen(ours) as told:
            display = f":{told.readline().strip()}"
        try:
            with pytest.raises(DisplayError, match=f"DISPLAY={display}"):
                require_display({"DISPLAY": display})
        finally:
            server.terminate()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libEGL.so.1", "libegl1"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libX11.so.6", "libx11-6"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ],
)
def test_a_missing_library_is_named_with_its_package(library: str, package: str) -> None:
    text = f"{library}: cannot open shared object file: No such file or directory"
    with pytest.raises(DisplayError) as info, loading_libraries({}):
        raise ImportError(text)
    assert f"system library {library}, which is missing" in str(info.value)
    assert f"apt-get install {package})" in str(info.value)


def test_another_fault_of_an_import_stays() -> None:
    with pytest.raises(ImportError, match="other"), loading_libraries({}):
        raise ImportError("some other fault")


@pytest.mark.usefixtures("own_home")
def test_the_window_is_refused_in_one_line_and_no_game_is_started() -> None:
    environment = {**os.environ, **DEAD}
    environment.pop("QT_QPA_PLATFORM", None)
    command = [sys.executable, "-m", "integrator", str(demo_game())]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("integrator: no display: ")
