"""Looks at each workspace in the first window of a small screen, and prints findings as JSON.

A program of its own, because Qt asks the platform for its screens once. Argument: a PNG's folder,
or nothing."""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEventLoop, QRect, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from integrator.app import build_window
from integrator.commands.shared.options import demo_game
from integrator.session.session import Session
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.files.file_commands import save_picture
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.notices import NoticeKind


def wait(ms: int) -> None:
    """Let the window work."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def open_game(window: MainWindow) -> None:
    """Show the demo game, with some play behind it."""
    loop = QEventLoop()
    window.bridge.frame_ready.connect(loop.quit)
    QTimer.singleShot(60_000, loop.quit)
    window.open_path(demo_game())
    loop.exec()

    def play(session: Session) -> None:
        session.run(np.zeros((12_345, 1), np.uint16))

    window.bridge.ask(play)
    window.bridge.advance_frame()
    while window.controller.last is None or window.controller.last.number < 12_345:
        wait(50)


def is_cut(button: QAbstractButton) -> bool:
    """True when a part of its text, or one of its sides, is not to be seen."""
    seen = button.visibleRegion().boundingRect()
    if not button.text() or seen.isEmpty():
        return False
    return button.width() < button.minimumSizeHint().width() or seen.width() < button.width()


def number_is_drawn(window: MainWindow) -> bool:
    """True when the frame's number has pixels other than the ground's."""
    image = window.screen_panel.transport.frame.grab().toImage()
    ground = image.pixel(0, 0)
    return any(
        image.pixel(x, y) != ground for x in range(image.width()) for y in range(image.height())
    )


def rect_on_screen(widget: QWidget, rect: QRect) -> QRect:
    """A part of a widget, in global coordinates."""
    return QRect(widget.mapToGlobal(rect.topLeft()), rect.size())


def look(window: MainWindow) -> dict[str, object]:
    """Findings about the present workspace."""
    screen = window.screen_panel.game_screen
    window.screen_panel.notices.clear()
    wait(50)
    bare = screen.scale
    window.say(NoticeKind.WARNING, "A text that is long enough for two lines: " + "words " * 12)
    wait(50)
    notices = window.screen_panel.notices
    picture = rect_on_screen(screen, screen.picture_rect().toRect())
    upper = picture.adjusted(0, 0, 0, -picture.height() // 4)
    covered = upper.intersects(rect_on_screen(notices, notices.rect()))
    with_notice = screen.scale
    notices.clear()
    return {
        "scale": bare,
        "scale with a notice": with_notice,
        "cut": [b.text() for b in window.findChildren(QAbstractButton) if is_cut(b)],
        "number": number_is_drawn(window),
        "notice covers the score line": covered,
        "least": window.minimumSizeHint().toTuple(),
    }


def main() -> None:
    """Open the window, go through its workspaces, and print the findings."""
    app = QApplication([])
    window = build_window(app, Path(tempfile.mkdtemp()) / "window.ini")
    window.show()
    wait(100)
    found: dict[str, object] = {
        "room": app.primaryScreen().availableGeometry().size().toTuple(),
        "window": window.frameGeometry().size().toTuple(),
    }
    open_game(window)
    for workspace in WORKSPACES:
        window.use_workspace(workspace.key)
        wait(300)
        if sys.argv[1:]:
            save_picture(window, Path(sys.argv[1]) / f"{workspace.key}.png")
        found[workspace.key] = look(window)
    sys.stdout.write(json.dumps(found))
    window.close()


if __name__ == "__main__":
    main()
