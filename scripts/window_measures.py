"""The window measured from inside, in a process of its own: ``scripts.bench_window``.

Run as ``python -m scripts.window_measures native|fast|build|calls GAME SECONDS``, or
``start GAME BEGAN`` with time.monotonic() at the process's launch. Prints one JSON line."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

import integrator.cli  # part of the cost of a start from the command line
import libretro_host
from integrator.session.frame.result import FrameResult
from integrator.session.opening import begin_opening, open_session
from scripts.late_frames import late_share, lateness
from scripts.stall_watch import StallWatch

if TYPE_CHECKING:
    from integrator.ui.shell.main_window import MainWindow

SIZE: Final = (1680, 1020)
_WARM_UP_S: Final = 3.0
_PATIENCE_S: Final = 60.0
_SETTLED_S: Final = 1.0
_HEADLESS_CHUNK: Final = 240

COLUMNS: Final = (
    (("variables", "states"), ("plots", "lint", "log")),
    (("memory", "input_log"), ("find", "facts", "movies")),
    (("reward", "script"), ("done", "actions", "crop")),
)
"""All docks open: three columns of stacks; the first of each stack is in front."""


def main(arguments: list[str]) -> None:
    """Measure one thing and print it."""
    what, game, seconds = arguments
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        report = _MEASURES[what](Path(game), Path(folder), float(seconds))
    sys.stdout.write(json.dumps(report) + "\n")


@contextmanager
def open_window(game: Path, folder: Path) -> Iterator[MainWindow]:
    """The window as the command line opens it with a game in it; closed afterwards."""
    opening = begin_opening(game)
    # Only now, as on the command line: the game is opened meanwhile.
    from integrator.app import build_window  # noqa: PLC0415 - see above

    app = QApplication.instance()
    app = app if isinstance(app, QApplication) else QApplication(sys.argv[:1])
    window = build_window(app, folder / "window.ini", opening)
    window.resize(*SIZE)
    window.show()
    yield window
    window.close()


def spin(seconds: float) -> None:
    """Let the event loop run for a while, as the program does."""
    loop = QEventLoop()
    QTimer.singleShot(round(seconds * 1000), loop.quit)
    loop.exec()


def spin_until(holds: Callable[[], object], what: str) -> None:
    """Let the event loop run until ``holds``. Raises TimeoutError."""
    end = time.monotonic() + _PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {_PATIENCE_S:.0f} s in vain for {what}")
        spin(0.02)


def measure_start(game: Path, folder: Path, began: float) -> dict[str, float]:
    """Seconds from the process's launch to the first painted frame of the game."""
    with open_window(game, folder) as window:
        painted = PaintedFrames(window)
        spin_until(lambda: painted.times, "the first frame")
        return {"seconds": round(painted.times[0] - began, 3)}


def measure_native(game: Path, folder: Path, seconds: float) -> dict[str, float]:
    """Lateness of painted frames, and the load of the window's thread, with all docks open."""
    with open_window(game, folder) as window:
        painted = PaintedFrames(window)
        spin_until(lambda: painted.times, "the first frame")
        show_all_docks(window)
        window.bridge.play()
        fps = window.controller.game.fps if window.controller.game else 60.0
        with StallWatch(_WARM_UP_S + seconds) as machine:
            spin(_WARM_UP_S)
            painted.clear()
            began, busy, process = time.monotonic(), time.thread_time(), time.process_time()
            spin(seconds)
            lasted = time.monotonic() - began
            busy, process = time.thread_time() - busy, time.process_time() - process
            stalls = [span for span in machine.stalls() if span[1] > began]
        frames = painted.numbers, painted.times, fps
        late = lateness(*frames)
        quiet = late_share(*frames, stalls)
        return {
            "seconds": round(lasted, 1),
            "painted": len(painted.times),
            "late_share": round(late_share(*frames).late, 5),
            "quiet_late_share": round(quiet.late, 5),
            "quiet_share": round(quiet.judged, 3),
            "worst_ms": round(float(late.max()) * 1000, 1),
            "ui_thread_busy": round(busy / lasted, 4),
            "process_busy": round(process / lasted, 4),
            "docks_in_sight": sum(
                not dock.visibleRegion().isEmpty() for dock in window.docks.all.values()
            ),
        }


def measure_fast(game: Path, folder: Path, seconds: float) -> dict[str, float]:
    """Frames a second while fast-forwarding, against the same session without a window."""
    headless = headless_speed(game, seconds)
    with open_window(game, folder) as window:
        painted = PaintedFrames(window)
        spin_until(lambda: painted.times, "the first frame")
        window.bridge.set_fast_forward(True)
        spin(_WARM_UP_S)
        waits = Latencies(window)
        began, first, drawn = time.monotonic(), painted.newest, len(painted.times)
        spin(seconds)
        lasted = time.monotonic() - began
        speed = (painted.newest - first) / lasted
        drawn = len(painted.times) - drawn
        window.bridge.set_fast_forward(False)
    again = headless_speed(game, seconds)
    headless = (headless + again) / 2
    return {
        "window_fps": round(speed, 1),
        "headless_fps": round(headless, 1),
        "ratio": round(speed / headless, 3),
        "drawn_per_second": round(drawn / lasted, 1),
        "command_ms_median": round(waits.median_ms, 1),
        "command_ms_worst": round(waits.worst_ms, 1),
    }


def measure_build(game: Path, folder: Path, _: float) -> dict[str, float]:
    """Processor time that building the window takes, and its widgets."""
    import integrator.app  # noqa: F401, PLC0415 - loading modules is no part of building

    began = time.thread_time()
    with open_window(game, folder) as window:
        built_s = time.thread_time() - began
        return {"seconds": round(built_s, 3), "widgets": len(window.findChildren(QWidget))}


def measure_calls(game: Path, folder: Path, seconds: float) -> dict[str, float]:
    """Calls of the project by one step and by a paused second, in the dearest workspace."""
    from integrator.ui.shell.docks.workspaces import workspaces  # noqa: PLC0415 - see open_window

    calls = Calls()
    with open_window(game, folder) as window, calls.counted():
        painted = PaintedFrames(window)
        spin_until(lambda: painted.times, "the first frame")
        keys = [key for key, _, _ in workspaces()]
        for key in keys:  # Panels of every workspace have been in sight.
            window.use_workspace(key)
            spin(_SETTLED_S)
        rests, steps, files = [], [], []
        for key in keys:
            window.use_workspace(key)
            spin(2 * _SETTLED_S)
            calls.clear()
            spin(seconds)
            rests.append(calls.total / seconds)
            calls.clear()
            window.bridge.advance_frame()
            spin(_SETTLED_S)
            steps.append(calls.total - rests[-1] * _SETTLED_S)
            files.append(len(calls.by_file))
    return {
        "rest_calls_per_s": round(max(rests), 1),
        "step_calls": round(max(steps)),
        "step_files": max(files),
    }


class Calls:
    """Calls of the project's functions by file, in every thread."""

    def __init__(self) -> None:
        self.by_file: dict[str, int] = {}
        packages = (integrator, libretro_host)
        self._roots = tuple(str(Path(str(each.__file__)).parent) for each in packages)

    @property
    def total(self) -> int:
        """Calls since the last :meth:`clear`."""
        return sum(self.by_file.values())

    def clear(self) -> None:
        """Begin at zero."""
        self.by_file.clear()

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count inside, in this thread and those that begin inside."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        yield
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(self._roots):
            self.by_file[file] = self.by_file.get(file, 0) + 1


def headless_speed(game: Path, seconds: float) -> float:
    """Frames a second of a session in this process, in chunks, with its whole timeline."""
    with open_session(game, isolated=False) as session:
        session.reset()
        session.advance(frames=_HEADLESS_CHUNK)
        began, frames = time.monotonic(), 0
        while time.monotonic() - began < seconds:
            session.advance(frames=_HEADLESS_CHUNK)
            frames += _HEADLESS_CHUNK
        return frames / (time.monotonic() - began)


def show_all_docks(window: MainWindow) -> None:
    """Open every dock: stacks in columns, as many in front as there is room for."""
    bench, docks = window.workbench, window.docks.all
    for dock in docks.values():
        bench.removeDockWidget(dock)
    fronts = [[docks[stack[0]] for stack in column] for column in COLUMNS]
    bench.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, fronts[0][0])
    for left, right in pairwise(fronts):
        bench.splitDockWidget(left[0], right[0], Qt.Orientation.Horizontal)
    for column in fronts:
        for above, below in pairwise(column):
            bench.splitDockWidget(above, below, Qt.Orientation.Vertical)
    stacks = [stack for column in COLUMNS for stack in column]
    known = {key for stack in stacks for key in stack}
    for stack in (*stacks, (stacks[0][0], *sorted(docks.keys() - known))):
        front = docks[stack[0]]
        front.show()
        # Only now: a dock that is split off a stack would join it.
        for key in stack[1:]:
            bench.tabifyDockWidget(front, docks[key])
            docks[key].show()
        front.raise_()


class PaintedFrames(QObject):
    """The times at which frames were painted on the game's screen."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.numbers: list[int] = []
        self.times: list[float] = []
        self.newest = 0
        window.screen_panel.game_screen.installEventFilter(self)
        window.bridge.frame_ready.connect(self._ready)

    def _ready(self, result: FrameResult) -> None:
        self.newest = result.number

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note when the screen is painted."""
        if event.type() is QEvent.Type.Paint:
            self.note()
        return super().eventFilter(watched, event)

    def note(self) -> None:
        """A paint event came."""
        if self.newest and (not self.numbers or self.numbers[-1] != self.newest):
            self.numbers.append(self.newest)
            self.times.append(time.monotonic())

    def clear(self) -> None:
        """Begin again."""
        self.numbers.clear()
        self.times.clear()


class Latencies:
    """Waiting times of commands while the game runs: one is asked every tenth of a second."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._waits: list[float] = []
        timer = QTimer(window)
        timer.timeout.connect(self._ask)
        timer.start(100)

    def _ask(self) -> None:
        asked = time.monotonic()
        self._window.bridge.ask(
            lambda _: None, lambda _: self._waits.append(time.monotonic() - asked)
        )

    @property
    def median_ms(self) -> float:
        """The middle one."""
        return 1000 * sorted(self._waits)[len(self._waits) // 2]

    @property
    def worst_ms(self) -> float:
        """The longest."""
        return 1000 * max(self._waits)


_MEASURES: Mapping[str, Callable[[Path, Path, float], dict[str, float]]] = {
    "start": measure_start,
    "native": measure_native,
    "fast": measure_fast,
    "build": measure_build,
    "calls": measure_calls,
}

if __name__ == "__main__":
    main(sys.argv[1:])
