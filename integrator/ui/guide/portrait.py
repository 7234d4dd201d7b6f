"""Pictures of the window in use, taken without a person: for the demo and the README."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from integrator.domain.errors import SessionError
from integrator.domain.search.search import Search
from integrator.session.session import Session
from integrator.ui.find.search.find_view import SEARCH, FindView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.theme import ThemeChoice

WINDOW_SIZE = (1600, 1000)
_SETTLE_MS = 900
_DEADLINE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Pose:
    """Pose of the window for its picture. ``play(session, search)`` plays and searches first."""

    game: Path
    out: Path
    play: Callable[[Session, Search], object]
    theme: ThemeChoice = ThemeChoice.DARK
    workspace: str = "play"


class Photographer:
    """Waits for the first frame, plays, searches, waits for everything to be drawn, and saves."""

    def __init__(self, app: QApplication, window: MainWindow, pose: Pose) -> None:
        self._app = app
        self._window = window
        self._pose = pose
        self._done = False
        self._started = False
        window.bridge.frame_ready.connect(self._begin)
        QTimer.singleShot(_DEADLINE_MS, window, app.quit)

    def take(self) -> None:
        """Open the game in the window and save the picture. Raises SessionError if none comes."""
        self._window.resize(*WINDOW_SIZE)
        self._window.show()
        self._window.open_path(self._pose.game)
        self._app.exec()
        if not self._done:
            seconds = _DEADLINE_MS // 1000
            raise SessionError(f"{self._pose.game}: no picture came from it in {seconds} s")

    def _begin(self) -> None:
        if self._started:
            return
        self._started = True
        window = self._window
        window.bridge.pause()
        window.bridge.ask(self._play, then=lambda _: self._show())

    def _play(self, session: Session) -> None:
        self._pose.play(session, session.search(SEARCH))

    def _show(self) -> None:
        window = self._window
        window.parts[FindView].search(Search.observe)
        window.bridge.advance_frame()
        window.use_workspace(self._pose.workspace)
        QTimer.singleShot(_SETTLE_MS, window, self._save)

    def _save(self) -> None:
        self._window.save_screenshot(self._pose.out)
        self._done = True
        self._app.quit()
