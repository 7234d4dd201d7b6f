"""Lateness of frames while 8 MiB are searched in the window, and without a search.

Run as ``python -m scripts.search_lateness [SECONDS] [MIB]``; needs a C compiler, for the test core
with that much memory. Prints one JSON line: waits beyond a frame's time, in milliseconds, of frames
as they are run and as they are painted, the time of each comparison, and the time for which it
keeps other threads from running."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtWidgets import QApplication

from integrator.app import build_window
from integrator.domain.integration.files import Integration
from integrator.domain.search.search import Search
from integrator.domain.values.memory import AddressSpace, Region
from integrator.session.opening import movie_consoles
from integrator.session.runner import Runner
from integrator.session.searches import Compare, query_types, warm
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.session.setup.roots import systems
from integrator.ui.find.find_view import FindView
from libretro_host.host import LoadRequest
from libretro_host.remote import RemoteHost
from scripts import ROOT
from scripts.window_measures import SIZE, PaintedFrames, spin, spin_until

if TYPE_CHECKING:
    from integrator.session.frame.result import FrameResult
    from integrator.ui.shell.main_window import MainWindow

SYSTEM: Final = "NintendoDs"
"""The system whose types are searched, because it has the most memory."""

_WARM_UP_S: Final = 3.0
_LATE_MS: Final = 50
_COMMANDS: Final[Sequence[tuple[str, Callable[[Search], object]]]] = (
    ("begin anew", Search.reset),
    ("unchanged", Compare("unchanged", None, "previous")),
    ("is at least 0", Compare("greater-or-equal", 0, None)),
    ("is not 12345", Compare("not-equal", 12345, None)),
    ("is 0", Compare("equal", 0, None)),
    ("undo", Search.undo),
    ("changed since last frame", Compare("changed", None, "last-frame")),
)


def main(arguments: list[str]) -> None:
    """Measure and print."""
    seconds = float(arguments[0]) if arguments else 20.0
    mebibytes = int(arguments[1]) if len(arguments) > 1 else 8
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        report: dict[str, object] = {"turns": turns(mebibytes << 20)}
        report |= measure(Path(folder), mebibytes << 20, seconds)
    sys.stdout.write(json.dumps(report) + "\n")


def toy_session(folder: Path, ram_bytes: int) -> Session:
    """A session of the test core with so much memory, in a process of its own."""
    core = folder / "toycore_libretro.so"
    compiler = os.environ.get("CC") or shutil.which("cc") or "cc"
    flags = ["-std=gnu11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"]
    flags.append(f"-I{ROOT / 'libretro_host'}")
    source = ROOT / "cores" / "toycore" / "toycore.c"
    subprocess.run([compiler, *flags, "-o", core, source, "-lstdc++"], check=True)
    content = folder / "content.toy"
    content.write_text(f"ram={ram_bytes}\n")
    descriptors = systems()
    plan = SessionPlan(
        integration=Integration(folder / f"Toy-{SYSTEM}"),
        descriptor=descriptors[SYSTEM],
        request=LoadRequest(core=core, content=content),
        new_host=RemoteHost,
        systems=movie_consoles(descriptors),
    )
    return Session(plan)


@contextmanager
def toy_window(folder: Path, ram_bytes: int) -> Iterator[MainWindow]:
    """The window with the test core in it."""
    app = QApplication.instance()
    app = app if isinstance(app, QApplication) else QApplication(sys.argv[:1])
    window = build_window(app, folder / "window.ini")
    window.resize(*SIZE)
    window.show()
    window.bridge.open(folder / "content.toy", lambda _: toy_session(folder, ram_bytes))
    yield window
    window.close()


def measure(folder: Path, ram_bytes: int, seconds: float) -> dict[str, object]:
    """Play ``seconds`` without a search, then as long with one comparison after the other."""
    run = RunFrames()
    with toy_window(folder, ram_bytes) as window:
        painted = PaintedFrames(window)
        spin_until(lambda: painted.times, "the first frame")
        window.use_workspace("find")
        window.bridge.play()
        spin(_WARM_UP_S)
        game = window.controller.game
        fps = game.fps if game is not None else 60.0
        report: dict[str, object] = {"ram_bytes": ram_bytes, "fps": round(fps, 2)}
        searcher: Searcher | None = None
        for phase in ("idle", "searching"):
            if phase == "searching":
                searcher = Searcher(window)
            run.clear()
            painted.clear()
            spin(seconds)
            report[phase] = {
                "run": waits_of(run.numbers, run.times, fps),
                "painted": waits_of(painted.numbers, painted.times, fps),
            }
        report["comparisons"] = searcher.report() if searcher is not None else {}
        return report


def waits_of(numbers: Sequence[int], times: Sequence[float], fps: float) -> dict[str, float]:
    """Frames, and waits: the time since the frame before, less the frames of the console."""
    waits = (np.diff(times) - np.diff(numbers) / fps) * 1000
    return {
        "frames": len(times),
        "worst_ms": round(float(waits.max(initial=0)), 1),
        "p99_ms": round(float(np.percentile(waits, 99)), 1) if len(waits) else 0.0,
        "later_than_50_ms": int((waits > _LATE_MS).sum()),
    }


def turns(ram_bytes: int) -> dict[str, dict[str, float]]:
    """Milliseconds that another thread waits for the interpreter while each comparison is made.

    In milliseconds of this process's processor time, which the load of the machine does not change:
    of each comparison, and the longest in which a thread that wanted to run had no turn."""
    space = AddressSpace([Region(0x2000000, ram_bytes)], None)
    ram = np.zeros(ram_bytes, np.uint8)
    ram[:: ram_bytes // 4096] = 5
    types = query_types(systems()[SYSTEM].types, ram_bytes)
    search = Search(space, types, lambda: ram, past=lambda _: ram, scales=True)
    gaps: list[float] = []
    ended = threading.Event()

    def tick() -> None:
        last = time.process_time()
        while not ended.wait(0.001):
            now = time.process_time()
            gaps.append((now - last) * 1000)
            last = now

    ticker = threading.Thread(target=tick)
    ticker.start()
    report = {}
    for name, command in _COMMANDS:
        gaps.clear()
        began = time.process_time()
        command(search)
        warm(search)
        took = (time.process_time() - began) * 1000
        longest = max(gaps, default=took)
        report[name] = {"cpu_ms": round(took, 1), "without_a_turn_ms": round(longest, 1)}
    ended.set()
    ticker.join()
    return report


class RunFrames:
    """The times at which frames were run, noted on the runner's thread."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.numbers: list[int] = []
        told = Runner._stop_if_asked  # noqa: SLF001 - called after each frame that was run

        def stop_if_asked(runner: Runner, result: FrameResult) -> None:
            self.times.append(time.monotonic())
            self.numbers.append(result.number)
            told(runner, result)

        Runner._stop_if_asked = stop_if_asked  # type: ignore[method-assign,assignment]  # noqa: SLF001 - for this process only

    def clear(self) -> None:
        """Begin again."""
        self.times.clear()
        self.numbers.clear()


class Searcher:
    """Makes the next comparison as soon as the last one is shown."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._made: list[tuple[str, float, int]] = []
        self._began = time.monotonic()
        window.parts[FindView].status_changed.connect(self._shown)
        self._next()

    def _next(self) -> None:
        self._began = time.monotonic()
        _, command = _COMMANDS[len(self._made) % len(_COMMANDS)]
        self._window.parts[FindView].search(command)

    def _shown(self) -> None:
        name, _ = _COMMANDS[len(self._made) % len(_COMMANDS)]
        status = self._window.parts[FindView].status
        count = status.count if status is not None else 0
        self._made.append((name, time.monotonic() - self._began, count))
        self._next()

    def report(self) -> dict[str, dict[str, float]]:
        """For each comparison how often it was made, its median time, and the most left."""
        names = dict.fromkeys(name for name, _, _ in self._made)
        rows = {name: [each for each in self._made if each[0] == name] for name in names}
        return {
            name: {
                "times": len(made),
                "median_ms": round(1000 * sorted(s for _, s, _ in made)[len(made) // 2], 1),
                "left": max(count for _, _, count in made),
            }
            for name, made in rows.items()
        }


if __name__ == "__main__":
    main(sys.argv[1:])
