"""The window's application: builds everything that the window needs, and runs it."""

import os
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
from integrator.session.opening import GameOpening, open_journaled
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.garbage import WindowThreadGarbage
from integrator.ui.find.find_view import SEARCH, FindView
from integrator.ui.guide.help_controller import HelpController
from integrator.ui.settings import UiSettings
from integrator.ui.shell.files.disk_changes import Recovery
from integrator.ui.shell.files.file_commands import save_picture
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.main_window import MainWindow
from integrator.version import __version__
from libretro_host.processes.temporary import OwnedFolder

WINDOW_SIZE = (1600, 1000)  # the size of pictures of the window
_DEADLINE_MS = 60_000


def build_window(
    app: QApplication, settings_path: Path | None = None, opening: GameOpening | None = None
) -> MainWindow:
    """Build the main window with its settings file; ``opening`` is the game to show."""
    # Switch threads often, so that frames do not wait long for a computing thread.
    sys.setswitchinterval(0.001)
    bridge = SessionBridge(open_journaled)
    garbage = WindowThreadGarbage.of(app)
    garbage.hold(bridge.is_busy)
    bridge.ending.connect(lambda: garbage.release(bridge.is_busy))
    if opening is not None:
        bridge.open(opening.path, lambda _: opening.session.result())
    resources = paths.shipped("resources")
    settings = UiSettings(settings_path or paths.user_config_dir() / "window.ini")
    # Remove an earlier window's style sheet, or Qt would apply it to each new widget.
    app.setStyleSheet("")
    theme = ui.Theme(app, resources, settings.theme, styled=False)
    app.setWindowIcon(QIcon(str(resources / "icons" / "integrator.svg")))
    window = MainWindow(settings, bridge, KnownSystems(), paths.user_integrations_dir())
    # Bridge and theme must end with the window, or their connections would keep its parts alive.
    bridge.setParent(window)
    theme.setParent(window)
    theme.style()
    HelpController(window)
    return window


def run_window(path: Path | None = None, opening: GameOpening | None = None) -> int:
    """Open the window with ``path``, or the game ``opening``; return the exit status."""
    QCoreApplication.setApplicationName(paths.APP_NAME)
    QCoreApplication.setApplicationVersion(__version__)
    # Wayland finds the window's desktop entry by this name, and X by WM_CLASS, the application's.
    QGuiApplication.setDesktopFileName(paths.APP_ID)
    with log_files() as problem:
        app = _application()
        # Python must not collect widgets on other threads, or before Qt is done with them.
        with WindowThreadGarbage.of(app).held():
            return _show_window(app, path, opening, problem)


def write_i_as_english() -> None:
    """Let PySide6 find properties such as ``interval``, whose capital differs in Turkish."""
    everything = os.environ.get("LC_ALL", "")
    named = everything or os.environ.get("LC_CTYPE") or os.environ.get("LANG", "")
    if named.startswith(("tr", "az", "crh", "ku")):
        if everything:  # It wins over the other variables, so each of them is replaced.
            for name in [each for each in os.environ if each.startswith("LC_")]:
                del os.environ[name]
            os.environ["LANG"] = everything
        os.environ["LC_CTYPE"] = "C.UTF-8"


def _application() -> QApplication:
    write_i_as_english()
    existing = QApplication.instance()
    return existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])


def _show_window(
    app: QApplication, path: Path | None, opening: GameOpening | None, problem: str
) -> int:
    ui.install_translations(app, paths.shipped("resources") / "translations")
    window = build_window(app, opening=opening)
    install_error_boundary(window)
    if problem:
        window.parts[LogView].add(problem, ui.NoticeKind.WARNING)
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
        # The event loop may end while the window is open, and its threads must end, too.
        window.bridge.shut_down()


def photograph_window(game: Path, out: Path, play: Callable[[Session, Search], object]) -> None:
    """Open a game in a dark window, let ``play`` play and search, and save a picture of the window
    once everything is drawn. Raises SessionError if that takes longer than a minute."""
    app = _application()
    with OwnedFolder() as folder:
        settings = folder / "window.ini"
        UiSettings(settings).theme = ui.ThemeChoice.DARK
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
    """Show unexpected errors in the window and on stderr, and keep the window open."""

    def report(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        window.parts[LogView].add(text, ui.NoticeKind.ERROR)
        more = "Your edits are kept; the Log panel has details."
        window.say(ui.NoticeKind.ERROR, f"Something unexpected went wrong: {error!r}. {more}")

    sys.excepthook = report
