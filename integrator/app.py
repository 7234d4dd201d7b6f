"""The application object: builds everything that the window needs, once, and runs it."""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.search.search import Search
from integrator.log_files import log_files
from integrator.session.library.consoles.own_consoles import KnownSystems
from integrator.session.opening import EarlyOpening, open_journaled
from integrator.session.session import Session
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.garbage import WindowThreadGarbage
from integrator.ui.find.find_view import SEARCH, FindView
from integrator.ui.guide.help_controller import HelpController
from integrator.ui.settings import UiSettings
from integrator.ui.shell.files.disk_changes import Recovery
from integrator.ui.shell.files.file_commands import save_picture
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.texts import install_translations
from integrator.ui.widgets.theme import Theme, ThemeChoice
from integrator.version import __version__
from libretro_host.processes.temporary import OwnedFolder

WINDOW_SIZE = (1600, 1000)  # the size of pictures of the window
_DEADLINE_MS = 60_000


def build_window(
    app: QApplication, settings_path: Path | None = None, opening: EarlyOpening | None = None
) -> MainWindow:
    """The main window, its settings in ``settings_path``; ``opening`` is the game to show."""
    # A frame should not wait for long while another thread computes.
    sys.setswitchinterval(0.001)
    bridge = SessionBridge(open_journaled)
    garbage = WindowThreadGarbage.of(app)
    garbage.hold(bridge.is_busy)
    bridge.ending.connect(lambda: garbage.release(bridge.is_busy))
    if opening is not None:
        bridge.open(opening.path, lambda _: opening.session.result())
    resources = paths.shipped("resources")
    settings = UiSettings(settings_path or paths.user_config_dir() / "window.ini")
    # An earlier window may have set a style sheet: Qt would apply it again and again from here on.
    app.setStyleSheet("")
    theme = Theme(app, resources, settings.theme, styled=False)
    app.setWindowIcon(QIcon(str(resources / "icons" / "integrator.svg")))
    window = MainWindow(theme, settings, bridge, KnownSystems(), paths.user_integrations_dir())
    # They end with the window: connections to a longer life would keep its parts for ever.
    bridge.setParent(window)
    theme.setParent(window)
    theme.style()
    HelpController(window)
    return window


def run_window(path: Path | None = None, opening: EarlyOpening | None = None) -> int:
    """Open the window on ``path``, or the game ``opening``; returns the exit status."""
    QCoreApplication.setApplicationName(paths.APP_NAME)
    QCoreApplication.setApplicationVersion(__version__)
    # Wayland knows the window's desktop entry by this; X by WM_CLASS, the application's name.
    QGuiApplication.setDesktopFileName(paths.APP_ID)
    with log_files() as problem:
        app = _application()
        # The window is gone before its threads are, and before Qt has done with its widgets.
        with WindowThreadGarbage.of(app).held():
            return _show_window(app, path, opening, problem)


def _application() -> QApplication:
    existing = QApplication.instance()
    return existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])


def _show_window(
    app: QApplication, path: Path | None, opening: EarlyOpening | None, problem: str
) -> int:
    install_translations(app, paths.shipped("resources") / "translations")
    window = build_window(app, opening=opening)
    install_error_boundary(window)
    if problem:
        window.parts[LogView].add(problem, NoticeKind.WARNING)
    window.show()
    window.parts[Recovery].offer()
    helper = window.findChild(HelpController)
    if path is not None:
        QTimer.singleShot(0, window, lambda: window.open_path(path))
    elif opening is None and isinstance(helper, HelpController):
        helper.tour.offer()
    try:
        return app.exec()
    finally:
        # The event loop may end with the window open; its threads would go on without it.
        window.bridge.shut_down()


def photograph_window(game: Path, out: Path, play: Callable[[Session, Search], object]) -> None:
    """Open a game in a dark window, let ``play`` play and search, and save a picture of the window
    once everything is drawn. Raises SessionError if no frame comes."""
    app = _application()
    with OwnedFolder() as folder:
        settings = folder / "window.ini"
        UiSettings(settings).theme = ThemeChoice.DARK
        window = build_window(app, settings)
        steps: list[object] = []

        def begin(frame: object) -> None:
            if not steps:
                steps.append(frame)
                window.bridge.pause()
                window.bridge.ask(lambda session: play(session, session.search(SEARCH)), show)

        def show(_: object) -> None:
            window.parts[FindView].search(Search.count_by_type)
            window.bridge.advance_frame()
            QTimer.singleShot(900, window, save)

        def save() -> None:
            save_picture(window, out)
            steps.append(out)
            app.quit()

        window.bridge.frame_ready.connect(begin)
        QTimer.singleShot(_DEADLINE_MS, window, app.quit)
        window.resize(*WINDOW_SIZE)
        window.show()
        window.open_path(game)
        try:
            app.exec()
        finally:
            window.close()
    if out not in steps:
        raise SessionError(f"{game}: no picture came from it in {_DEADLINE_MS // 1000} s")


def install_error_boundary(window: MainWindow) -> None:
    """Show an unexpected error in the window and on stderr; the window goes on."""

    def report(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        window.parts[LogView].add(text, NoticeKind.ERROR)
        more = "Your edits are kept; the Log panel has details."
        window.say(NoticeKind.ERROR, f"Something unexpected went wrong: {error!r}. {more}")

    sys.excepthook = report
