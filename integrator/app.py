"""The application object: builds everything that the window needs, once, and runs it."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from integrator import __version__, paths
from integrator.domain.states import STATE_SUFFIX
from integrator.session.opening import systems
from integrator.ui.bridge import SessionBridge
from integrator.ui.help.help_controller import HelpController
from integrator.ui.main_window import MainWindow
from integrator.ui.path_opener import MOVIE_SUFFIXES
from integrator.ui.recovery import open_journaled
from integrator.ui.settings import UiSettings
from integrator.ui.translation import install_translations
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.theme import Theme

SWITCH_INTERVAL_S = 0.001
"""How long Python lets one thread compute while another waits. A frame should not wait for long."""


def build_window(
    app: QApplication, settings_path: Path | None = None, game: Path | None = None
) -> MainWindow:
    """The main window with all its parts. ``settings_path``: the INI file (default: the user's).

    ``game`` is opened meanwhile: its core starts in a process of its own.
    """
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    bridge = SessionBridge(open_journaled)
    if game is not None:
        bridge.open(game)
    resources = paths.shipped("resources")
    settings = UiSettings(settings_path or paths.user_config_dir() / "window.ini")
    theme = Theme(app, resources, settings.theme, styled=bool(app.styleSheet()))
    app.setWindowIcon(QIcon(str(resources / "icons" / "integrator.svg")))
    window = MainWindow(theme, settings, bridge, systems(), paths.user_integrations_dir())
    theme.style()
    HelpController(window, theme, settings)
    return window


def run_window(path: Path | None = None) -> int:
    """Open the window, with ``path`` in it, and return the exit status when it is closed."""
    QCoreApplication.setApplicationName(paths.APP_NAME)
    QCoreApplication.setApplicationVersion(__version__)
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    install_translations(app, paths.shipped("resources") / "translations")
    target = None if path is None else path.absolute()
    is_game = target is not None and target.suffix.lower() not in (*MOVIE_SUFFIXES, STATE_SUFFIX)
    window = build_window(app, game=target if is_game else None)
    install_error_boundary(window)
    window.show()
    window.recovery.offer()
    helper = window.findChild(HelpController)
    if target is None and isinstance(helper, HelpController):
        helper.offer_tour()
    if target is not None and not is_game:
        QTimer.singleShot(0, window, lambda: window.open_path(target))
    return app.exec()


def install_error_boundary(window: MainWindow) -> None:
    """Show an error that nobody expected in the window and on stderr; the window goes on."""

    def report(
        kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        window.docks.log.add(text, NoticeKind.ERROR)
        window.say(
            NoticeKind.ERROR,
            f"Something unexpected went wrong: {error!r}. "
            "Your edits are kept; the Log panel has details.",
        )

    sys.excepthook = report
