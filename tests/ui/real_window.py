"""The application in a real window of an X server of its own, driven by keyboard and mouse only."""

import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scripts.recording import FILM, Camera

TIMEOUT_S = 60.0
"""More than a loaded machine needs for anything here."""


class Screen(NamedTuple):
    """A screen: its pixels, and how many of them each of the program's pixels has on a side."""

    width: int = 1680
    height: int = 1050
    scale: int = 1

    def __str__(self) -> str:
        return f"{self.width}x{self.height} at scale {self.scale}"


SCREEN = Screen()


_MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]
NEEDS = f"needs {' and '.join(_MISSING)}" if _MISSING else ""
"""The reason why these tests cannot run here; empty when they can."""


def wait_until(holds: Callable[[], object], what: str, timeout_s: float = TIMEOUT_S) -> float:
    """Poll until ``holds``; returns the seconds it took. Fails the test when it never does."""
    start = time.monotonic()
    while not holds():
        if time.monotonic() - start > timeout_s:
            raise AssertionError(f"waited {timeout_s:.0f} s in vain for {what}")
        time.sleep(0.05)
    return time.monotonic() - start


@contextmanager
def x_server(folder: Path, screen: Screen = SCREEN) -> Iterator[tuple[str, Path]]:
    """An X server: its display, and the file that its screen is in (XWD format)."""
    read_end, write_end = os.pipe()
    size = f"{screen.width}x{screen.height}x24"
    command = ["Xvfb", "-displayfd", str(write_end), "-screen", "0", size, "-fbdir", str(folder)]
    command += ["-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, pass_fds=(write_end,), stderr=subprocess.DEVNULL) as server:
        os.close(write_end)
        try:
            with os.fdopen(read_end) as answer:
                display = answer.readline().strip()
            assert display, "Xvfb did not start"
            yield f":{display}", folder / "Xvfb_screen0"
        finally:
            server.terminate()


class RealWindow:
    """The running program. ``errors`` is the file with its stderr."""

    program: Sequence[str] = ("-m", "integrator")
    """The code that Python runs."""

    def __init__(
        self, display: str, screen: Path, folder: Path, *arguments: str, scale: int = 1
    ) -> None:
        self._screen = screen
        self.errors = folder / "stderr.txt"
        self.acts: Counter[str] = Counter()
        self._began_s = time.monotonic()
        film = os.environ.get(FILM)
        self._camera = Camera(self.picture, Path(film)) if film else None
        self.environment = dict(os.environ, DISPLAY=display, QT_QPA_PLATFORM="xcb")
        self.environment["QT_SCALE_FACTOR"] = str(scale)
        for variable in ("CONFIG", "DATA", "CACHE", "STATE"):
            self.environment[f"XDG_{variable}_HOME"] = str(folder / variable.lower())
        with self.errors.open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, *self.program, "open", *arguments],
                env=self.environment,
                stderr=stderr,
                cwd=folder,
            )

    # -- looking ------------------------------------------------------------------------------

    def wait_for_title(self, part: str) -> str:
        """Wait for a visible window whose title has ``part``, give it the keyboard; its id."""
        found: list[str] = []

        def look() -> bool:
            assert self.process.poll() is None, self.errors.read_text()
            found[:] = self._xdotool("search", "--onlyvisible", "--name", part).split()
            return bool(found)

        wait_until(look, f"a window called {part!r}")
        self._xdotool("windowfocus", found[-1])
        return found[-1]

    def window_height(self) -> int:
        """Pixels of the main window, which stands at the top left of the screen."""
        main = self.wait_for_title("— Integrator")
        fields = self._xdotool("getwindowgeometry", "--shell", main).split()
        return next(int(f.removeprefix("HEIGHT=")) for f in fields if f.startswith("HEIGHT="))

    def has_class(self, name: str) -> bool:
        """True when a visible window has this class, by which desktops find its entry."""
        return bool(self._xdotool("search", "--onlyvisible", "--class", f"^{name}$"))

    def is_gone(self, part: str) -> bool:
        """True when no visible window has ``part`` in its title."""
        return not self._xdotool("search", "--onlyvisible", "--name", part)

    def picture(self) -> NDArray[np.uint8]:
        """The screen, uint8 of shape (height, width, 4)."""
        raw = self._screen.read_bytes()
        header = struct.unpack(">25I", raw[:100])
        offset = header[0] + header[19] * 12
        width, height, stride = header[4], header[5], header[12]
        rows = np.frombuffer(raw, np.uint8, height * stride, offset).reshape(height, stride)
        return rows[:, : width * 4].reshape(height, width, 4).copy()

    def moves(self) -> bool:
        """True when the middle of the game's picture changes within a third of a second."""
        first = self.picture()[150:650, 200:700]
        time.sleep(0.3)
        return not np.array_equal(first, self.picture()[150:650, 200:700])

    def workers(self) -> list[int]:
        """Process ids of the program's core processes."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        try:
            children = [int(p) for t in tasks.iterdir() for p in _read(t / "children").split()]
        except FileNotFoundError:
            return []
        return [p for p in children if "libretro_host.worker" in _read(Path(f"/proc/{p}/cmdline"))]

    # -- acting -------------------------------------------------------------------------------

    def key(self, *keys: str) -> None:
        """Press and release keys, such as ``ctrl+p``."""
        self.acts["keys"] += len(keys)
        self._xdotool("key", "--delay", "60", *keys)

    def hold(self, key: str, seconds: float) -> None:
        """Keep a key down for a while."""
        self.acts["keys"] += 1
        self._xdotool("keydown", key)
        time.sleep(seconds)
        self._xdotool("keyup", key)

    def type(self, text: str) -> None:
        """Type a text."""
        self.acts["letters"] += len(text)
        self._xdotool("type", "--delay", "25", text)

    def drag(
        self, start: tuple[int, int], *stops: tuple[int, int], rests: Sequence[str] = ()
    ) -> None:
        """Press the left button at ``start``, move over ``stops``, let go.

        ``rests`` follows each move: between programs, a drag takes time."""
        self.acts["drags" if stops else "clicks"] += 1
        moves = [text for stop in stops for text in ("mousemove", *map(str, stop), *rests)]
        self._xdotool("mousemove", *map(str, start), "mousedown", "1", *moves, "mouseup", "1")

    def click(self, x: int, y: int) -> None:
        """Click the left button."""
        self.drag((x, y))

    def command(self, words: str) -> None:
        """Run a command by its name, from the palette."""
        self.key("ctrl+k")
        self.wait_for_title("Command palette")
        self.type(words)
        self.key("Return")
        wait_until(lambda: self.is_gone("Command palette"), "the palette to close")
        # Without a window manager nobody gives the keyboard back to the window.
        self.wait_for_title("— Integrator")

    def effort(self) -> str:
        """The clicks, drags, turns of the wheel, keys and letters so far, and the time."""
        acts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.acts.items()))
        return f"{acts}; {time.monotonic() - self._began_s:.0f} s"

    @contextmanager
    def time_lapse(self, times: int) -> Iterator[None]:
        """Let the film, if one is taken, go ``times`` as fast meanwhile."""
        if self._camera is not None:
            self._camera.lapse = times
        yield
        if self._camera is not None:
            self._camera.lapse = 1

    def end_film(self) -> None:
        """Write the film, if one is taken."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def end(self) -> None:
        """Kill what is left after a failed test."""
        self.end_film()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def _xdotool(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        return done.stdout


def is_alive(pid: int) -> bool:
    """True when a process runs; one that only waits to be reaped does not."""
    status = _read(Path(f"/proc/{pid}/stat"))
    return bool(status) and status.rpartition(")")[2].split()[0] != "Z"


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
