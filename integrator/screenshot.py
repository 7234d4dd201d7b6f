"""Pictures of the window in use, taken without a person: for the demo and the README.

Run as ``python -m integrator.screenshot OUT.png [GAME] [--theme light] [--workspace find]``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from integrator import paths
from integrator.app import build_window
from integrator.commands.demo import PlayScript
from integrator.commands.games import DEMO_GAME, demo_game
from integrator.domain.errors import SessionError
from integrator.domain.search import Search
from integrator.session.session import Session
from integrator.ui.find.find_controller import SEARCH
from integrator.ui.main_window import MainWindow
from integrator.ui.settings import UiSettings
from integrator.ui.widgets.theme import ThemeChoice

WINDOW_SIZE = (1600, 1000)
_START_STATE_FRAME = 184
"""Frame of the demo game's input script that an episode from its state Start begins with."""
_SEARCHED_AT = (367, 589, 730)
"""Frames of the script at which the score is searched; the last is the picture's."""
_SCORE_ADDRESS = 0x306
_SETTLE_MS = 900
_DEADLINE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Pose:
    """How the window stands for its picture."""

    game: Path
    out: Path
    theme: ThemeChoice = ThemeChoice.DARK
    workspace: str = "play"


def take_screenshot(pose: Pose) -> None:
    """Open the window on a game, play a little, save a PNG. Raises SessionError if it can not."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if not isinstance(app, QApplication):
        raise SessionError("a picture of the window needs a QApplication")
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "window.ini"
        UiSettings(settings).theme = pose.theme
        window = build_window(app, settings)
        window.resize(*WINDOW_SIZE)
        photographer = _Photographer(app, window, pose)
        window.show()
        window.open_path(pose.game)
        app.exec()
        window.close()
    if not photographer.done:
        raise SessionError(f"{pose.game}: no picture came from it in {_DEADLINE_MS // 1000} s")


class _Photographer:
    """Waits for the first frame, plays, searches, waits for everything to be drawn, and saves."""

    def __init__(self, app: QApplication, window: MainWindow, pose: Pose) -> None:
        self._app = app
        self._window = window
        self._pose = pose
        self.done = False
        self._started = False
        window.bridge.frame_ready.connect(self._begin)
        QTimer.singleShot(_DEADLINE_MS, window, app.quit)

    def _begin(self) -> None:
        if self._started:
            return
        self._started = True
        window = self._window
        window.bridge.pause()
        window.bridge.ask(play_and_search, then=lambda _: self._show())

    def _show(self) -> None:
        window = self._window
        window.panels.find.search(Search.observe)
        window.bridge.advance_frame()
        window.use_workspace(self._pose.workspace)
        QTimer.singleShot(_SETTLE_MS, window, self._save)

    def _save(self) -> None:
        self._window.save_screenshot(self._pose.out)
        self.done = True
        self._app.quit()


def play_and_search(session: Session) -> None:
    """Play the demo game's input script, searching the score now and then; other games just run."""
    if not session.integration.name.startswith(DEMO_GAME.removesuffix("-v0")):
        session.advance(frames=120)
        return
    source = paths.shipped("resources") / "demo-game" / "input-script.json"
    script = PlayScript.load(source, session.system.buttons)
    search = session.search(SEARCH)
    search.reset()
    for start, stop in pairwise((_START_STATE_FRAME, *_SEARCHED_AT)):
        # One by one, so that the sparklines have something to draw.
        for row in script.inputs[start:stop]:
            session.advance((int(row[0]),))
        search.refine("equal", session.memory.read(_SCORE_ADDRESS, ">d3"))


def main(arguments: list[str]) -> None:
    """Parse the command line and take one picture."""
    parser = argparse.ArgumentParser(prog="python -m integrator.screenshot", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("game", type=Path, nargs="?", default=demo_game())
    parser.add_argument("--theme", choices=[each.value for each in ThemeChoice], default="dark")
    parser.add_argument("--workspace", default="play")
    options = parser.parse_args(arguments)
    theme = ThemeChoice(options.theme)
    take_screenshot(Pose(options.game.absolute(), options.out, theme, options.workspace))


if __name__ == "__main__":
    main(sys.argv[1:])
