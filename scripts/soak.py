"""An hour's work in the real window, by script, to see that nothing piles up.

Run as ``python -m scripts.soak [--rounds 200] [--minutes 60] [--log FILE]``. Each round opens a
game, plays, fast-forwards, searches, seeks, makes a branch, edits, saves, changes workspace and
theme, plays on until its share of the time is over, and closes the game or opens the next one over
it; the games take turns, and so do the cores. After each round one JSON line tells the program's
resources. Exit status 1 when they grow after the first sixth: ten minutes of an hour."""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from integrator.app import build_window
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import SessionError
from integrator.domain.search.search import Search
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands as edits
from integrator.session.library.consoles.console_check import proof_roms
from integrator.ui.find.find_view import FindView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import ThemeChoice
from libretro_host.processes.kernel import resident_bytes
from scripts.window_measures import spin, spin_until

ROUNDS: Final = 200
MINUTES: Final = 60.0
WARM_UP: Final = 1 / 6
GROWTH: Final = 0.05
"""Growth of resident memory that is allowed after the warm-up."""

_SYSTEMS: Final = ("Snes", "GameBoy", "Sms", "Atari2600")
_PLAYED_S: Final = 0.8
_LEAST_FRAMES: Final = 60
_MORE_NONES: Final = 0.8


@dataclass(frozen=True, slots=True)
class Held:
    """The program's resources after a round.

    ``rss_mb`` is resident memory of the window's process, ``none_references`` the number of
    sys.getrefcount(None): a library that drops one too many ends the process in the long run."""

    round: int
    game: str
    seconds: float
    rss_mb: float
    processes: int
    threads: int
    python_threads: int
    shared_memory: int
    files: int
    none_references: int
    blocks: int
    open_files: tuple[str, ...] = ()

    @classmethod
    def now(cls, number: int, game: str, seconds: float) -> Held:
        """Count, after garbage was collected."""
        gc.collect()
        own = Path("/proc/self")
        files = [_target(entry) for entry in (own / "fd").iterdir()]
        return cls(
            round=number,
            game=game,
            seconds=round(seconds, 1),
            rss_mb=round(resident_bytes() / 1e6, 1),
            processes=len(_children()),
            threads=len(list((own / "task").iterdir())),
            python_threads=threading.active_count(),
            shared_memory=sum("memfd:" in file or "/dev/shm" in file for file in files),
            files=len(files),
            none_references=sys.getrefcount(None),
            # gc.get_objects() would not do: its references break a tuple that another thread is
            # building.
            blocks=sys.getallocatedblocks(),
            # Numbers tell two pipes apart, but not a pipe of the last round from one of this round.
            open_files=tuple(sorted(re.sub(r":\[\d+\]", "", file) for file in files)),
        )


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # the descriptor that listed the folder
        return ""


def _children() -> list[str]:
    found: list[str] = []
    for task in Path("/proc/self/task").iterdir():
        # A thread may end while we look.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found += (task / "children").read_text(encoding="ascii").split()
    return found


def faults(held: Sequence[Held]) -> list[str]:
    """Resources that grew from the end of the warm-up to the last rounds; empty when none did."""
    warm, tenth = round(len(held) * WARM_UP), max(1, len(held) // 10)
    early, late = held[warm : warm + tenth], held[-tenth:]
    found = []
    before, after = (statistics.median(h.rss_mb for h in part) for part in (early, late))
    if after > before * (1 + GROWTH):
        found.append(f"memory grew from {before:.1f} to {after:.1f} MB")
    for name in ("processes", "threads", "python_threads", "shared_memory", "files"):
        old, new = (max(getattr(h, name) for h in part) for part in (early, late))
        if new > old:
            found.append(f"{name.replace('_', ' ')} grew from {old} to {new}")
            if name == "files":
                found[-1] += f": {_new_files(early, late)}"
    old, new = (min(h.none_references for h in part) for part in (early, late))
    if new < old * _MORE_NONES:
        found.append(f"references to None went down from {old} to {new}")
    return found


def _new_files(early: Sequence[Held], late: Sequence[Held]) -> str:
    """Descriptors of the last round that the fullest of the early rounds did not have."""
    before = Counter(max(early, key=lambda held: held.files).open_files)
    return ", ".join((Counter(late[-1].open_files) - before).elements())


class Soak:
    """Drives one window round after round."""

    def __init__(self, window: MainWindow, games: Sequence[Path]) -> None:
        self._window = window
        self._games = games
        self._answers = 0

    def round(self, number: int, seconds: float) -> Held:
        """Work on one game, for ``seconds`` or as long as the work takes."""
        began = time.monotonic()
        game = self._games[number % len(self._games)]
        self._open(game)
        self._play()
        self._search()
        self._travel()
        if game.is_dir():
            self._edit(number)
        self._look_around(number)
        self._play_on(began + seconds)
        if number % 2:
            self._window.actions_by_key["close_game"].trigger()
        # Files that a game leaves behind go beside the window.
        cores = int(self._window.bridge.is_open)
        spin_until(lambda: len(_children()) == cores, "the core process to end")
        return Held.now(number, game.name, time.monotonic() - began)

    def _do(self, ask: Callable[[Callable[[object], None]], object]) -> None:
        """Ask for something, and wait for its answer."""
        answers = self._answers

        def answered(_: object) -> None:
            self._answers += 1

        ask(answered)
        spin_until(lambda: self._answers > answers, "an answer")

    def _open(self, game: Path) -> None:
        window = self._window
        shown: list[object] = []
        failed: list[Exception] = []
        bridge = window.bridge
        opened = bridge.opened.connect(shown.append)
        refused = bridge.open_failed.connect(lambda _, error: failed.append(error))
        window.open_path(game)
        spin_until(lambda: shown or failed, f"{game.name} to open")
        bridge.opened.disconnect(opened)
        bridge.open_failed.disconnect(refused)
        if failed:
            raise failed[0]
        spin_until(lambda: window.controller.last is not None, "the first frame")

    def _play(self) -> None:
        bridge = self._window.bridge
        bridge.play()
        bridge.set_masks((0x81,))
        spin(_PLAYED_S)
        bridge.set_fast_forward(True)
        spin(_PLAYED_S / 2)
        spin_until(lambda: _shown(self._window) > _LEAST_FRAMES, "some frames")
        bridge.set_fast_forward(False)
        bridge.set_masks((0,))
        bridge.pause()
        self._do(lambda answer: bridge.ask(lambda _: None, answer))

    def _search(self) -> None:
        find = self._window.parts[FindView]
        for step in (Search.reset, lambda s: s.refine("changed"), lambda s: s.refine("smaller", 9)):
            find.search(step)
            self._do(lambda answer: self._window.bridge.ask(lambda _: None, answer))
            self._window.bridge.advance_frame()

    def _travel(self) -> None:
        window = self._window
        for frame in (2, 9, 30, 5):
            window.parts[TravelController].seek(frame)
            spin_until(lambda f=frame: _shown(window) == f, f"frame {frame}")  # type: ignore[misc] # a default binds the loop's value
        window.parts[TravelController].fork()
        window.bridge.advance_frame()
        spin_until(lambda: _shown(window) == 6, "the branch")
        window.bridge.set_rewinding(True)
        spin(_PLAYED_S / 4)
        window.bridge.set_rewinding(False)
        self._do(lambda answer: window.bridge.ask(lambda _: None, answer))

    def _edit(self, number: int) -> None:
        controller = self._window.controller
        documents = controller.documents
        if documents is None:
            raise SessionError("the game has no documents")
        known = next(iter(documents.variables.values()))
        spec = VariableSpec(f"soaked{number % 5}", known.address, DataType.parse("|u1"))
        self._do(lambda answer: controller.put_variable(spec, lambda: answer(None)))
        reward = {"reward": float(number % 7 + 1)}
        path = ("reward", "variables", spec.name)
        edit = edits.set_in_scenario(path, reward)
        self._do(lambda answer: controller.edit(edit, lambda: answer(None)))
        self._do(lambda answer: controller.save(lambda: answer(None)))

    def _look_around(self, number: int) -> None:
        window = self._window
        for key in (each.key for each in WORKSPACES):
            window.use_workspace(key)
            spin(0.1)
        window.context.choose_theme(ThemeChoice.LIGHT if number % 2 else ThemeChoice.DARK)
        window.palette_commands.open()
        spin(0.1)
        for widget in QApplication.topLevelWidgets():
            if widget is not window and widget.isVisible():
                widget.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _play_on(self, until: float) -> None:
        left = until - time.monotonic()
        if left > 0:
            self._window.bridge.play()
            spin(left)
            self._window.bridge.pause()


def _shown(window: MainWindow) -> int:
    return window.controller.last.number if window.controller.last else 0


def run(rounds: int, minutes: float, tell: Callable[[Held], object]) -> list[Held]:
    """Do the rounds, spread over ``minutes`` if they take less."""
    app = QApplication.instance()
    app = app if isinstance(app, QApplication) else QApplication(sys.argv[:1])
    held: list[Held] = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = folder
        window = build_window(app, Path(folder) / "window.ini")
        window.resize(1600, 1000)
        window.show()
        soak = Soak(window, _games(Path(folder)))
        try:
            for number in range(rounds):
                held.append(soak.round(number, minutes * 60 / rounds))
                tell(held[-1])
        finally:
            window.close()
    return held


def _games(folder: Path) -> list[Path]:
    """Copies of the demo game and of Airstriker, and ROMs for other cores."""
    copies = [
        Path(shutil.copytree(source, folder / source.name))
        for source in (demo_game(), airstriker())
    ]
    return copies + [rom.path for rom in proof_roms().values() if rom.system in _SYSTEMS]


def main(arguments: list[str]) -> int:
    """Parse the command line, run, and say whether anything grew."""
    parser = argparse.ArgumentParser(prog="python -m scripts.soak", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="spread them over so long")
    parser.add_argument("--log", type=Path, help="write a JSON line a round here, too")
    options = parser.parse_args(arguments)

    def tell(held: Held) -> None:
        line = json.dumps(asdict(held))
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        if options.log is not None:
            with options.log.open("a", encoding="utf-8") as log:
                log.write(line + "\n")

    found = faults(run(options.rounds, options.minutes, tell))
    for fault in found:
        sys.stderr.write(f"soak: {fault}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
