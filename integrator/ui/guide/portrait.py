"""Pictures of the window in use, taken without a person: for the demo and the README."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from integrator.domain.errors import SessionError
from integrator.domain.search.search import Search
from integrator.session.session import Session
from integrator.ui.find.search.find_view import SEARCH, FindView
from integrator.ui.shell.main_window import MainWindow

WINDOW_SIZE = (1600, 1000)
_SETTLE_MS = 900
_DEADLINE_MS = 60_000


def photograph(
    app: QApplication,
    window: MainWindow,
    game: Path,
    out: Path,
    play: Callable[[Session, Search], object],
) -> None:
    """Open a game in the window, let ``play`` play and search, and save a picture of the window
    once everything is drawn. Raises SessionError if no frame comes."""
    begun: list[object] = []
    saved: list[object] = []

    def begin(frame: object) -> None:
        if not begun:
            begun.append(frame)
            window.bridge.pause()
            window.bridge.ask(lambda session: play(session, session.search(SEARCH)), show)

    def show(_: object) -> None:
        window.parts[FindView].search(Search.observe)
        window.bridge.advance_frame()
        window.use_workspace("play")
        QTimer.singleShot(_SETTLE_MS, window, save)

    def save() -> None:
        window.save_screenshot(out)
        saved.append(out)
        app.quit()

    window.bridge.frame_ready.connect(begin)
    QTimer.singleShot(_DEADLINE_MS, window, app.quit)
    window.resize(*WINDOW_SIZE)
    window.show()
    window.open_path(game)
    app.exec()
    if not saved:
        raise SessionError(f"{game}: no picture came from it in {_DEADLINE_MS // 1000} s")
