"""Save clip: asks which frames and how, and lets them be written beside the game."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from integrator.domain.errors import IntegratorError
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.hidden.clips import (
    ClipOptions,
    ClipSource,
    ClipStopped,
    clip_source,
    write_clip,
)
from integrator.session.session import Session
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.play.clips_dialog import ClipDialog, ClipRequest
from integrator.ui.settings.settings import UiSettings
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.theme import Theme

_FILTERS = {
    ".mp4": QT_TRANSLATE_NOOP("ClipsController", "Video (*.mp4)"),
    ".gif": QT_TRANSLATE_NOOP("ClipsController", "GIF (*.gif)"),
}


class ClipsController(QObject):
    """One clip is written at a time, on a thread and in a core process of its own.

    ``progressed`` gives (frames done, frames in all), ``finished`` the file, or None when it was
    stopped or failed.
    """

    progressed = Signal(int, int)
    finished = Signal(object)
    _ended = Signal(object, object)

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        actions: Actions,
        settings: UiSettings,
        theme: Theme,
        timeline: TimelineView,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._bridge = bridge
        self._controller = controller
        self._settings = settings
        self._theme = theme
        self._timeline = timeline
        self._window = window
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.dialog: ClipDialog | None = None
        actions["clip"].triggered.connect(lambda _=False: self.show_dialog())
        actions["game_picture"].triggered.connect(lambda _=False: self.choose_picture())
        timeline.menu_opens.connect(lambda _, menu: menu.addAction(actions["clip"]))
        self._ended.connect(self._show_end, Qt.ConnectionType.QueuedConnection)
        bridge.ending.connect(self.stop_and_wait)

    @property
    def is_writing(self) -> bool:
        """True while a clip is being written."""
        return self._thread is not None

    def show_dialog(self) -> None:
        """Ask for the frames, as soon as their number is known."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        self._bridge.ask(lambda session: session.timeline.length, self._open_dialog)

    def _open_dialog(self, length: int) -> None:
        game, last = self._controller.game, self._controller.last
        if game is None or last is None or self.dialog is not None:
            return
        chosen = self._timeline.range
        dialog = ClipDialog(self._theme, game.fps, length, last.number, chosen, self._window)
        self.dialog = dialog
        dialog.write_requested.connect(self._choose_file)
        dialog.stop_requested.connect(self._stop.set)
        dialog.finished.connect(self._dialog_closed)
        self.progressed.connect(dialog.show_progress)
        self.finished.connect(dialog.show_end)
        dialog.show()

    def _dialog_closed(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            self.progressed.disconnect(dialog.show_progress)
            self.finished.disconnect(dialog.show_end)

    def _choose_file(self, request: ClipRequest) -> None:
        game = self._controller.game
        folder = self._settings.folder("clip", Path.home())
        name = f"{game.name if game else 'clip'}-{request.start}{request.suffix}"
        chosen, _ = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Save clip"),
            str(folder / name),
            self.tr(_FILTERS[request.suffix]),
        )
        if chosen:
            path = Path(chosen).with_suffix(request.suffix)
            self._settings.set_folder("clip", path.parent)
            self.write(request, path)

    def write(self, request: ClipRequest, path: Path) -> None:
        """Write a clip beside the game; ``finished`` follows."""
        options = ClipOptions(path, request.scale, request.sound)
        start, stop = request.start, request.stop

        def take(session: Session) -> ClipSource:
            return clip_source(session, start, stop)

        self._bridge.ask(take, lambda source: self._begin(source, options), self._refused)

    def _refused(self, error: Exception) -> None:
        self._controller.said.emit(NoticeKind.ERROR, str(error))
        self.finished.emit(None)

    def _begin(self, source: ClipSource, options: ClipOptions) -> None:
        if self._thread is not None:
            return
        self._stop.clear()
        self.progressed.emit(0, source.frames)

        def progress(done: int, total: int) -> bool:
            self.progressed.emit(done, total)
            return not self._stop.is_set()

        def work() -> None:
            try:
                self._ended.emit(write_clip(source, options, progress), None)
            except ClipStopped:
                self._ended.emit(None, None)
            except (IntegratorError, OSError) as error:
                self._ended.emit(None, error)

        self._thread = threading.Thread(target=work, name="write-clip", daemon=True)
        self._thread.start()

    def _show_end(self, path: Path | None, error: Exception | None) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
        if error is not None:
            self._controller.said.emit(NoticeKind.ERROR, str(error))
        elif path is not None:
            size = path.stat().st_size / 1e6
            text = self.tr("Saved the clip {0} ({1} MB)").format(path, f"{size:.1f}")
            self._controller.said.emit(NoticeKind.GOOD, text)
        self.finished.emit(path)

    def choose_picture(self) -> None:
        """Ask for a file, and write the game's picture into it, as training sees it."""
        game, last = self._controller.game, self._controller.last
        if game is None or last is None or last.frame is None:
            return
        name = str(self._settings.folder("picture", Path.home()) / f"{game.name}-{last.number}.png")
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Save game picture"), name, self.tr("PNG (*.png)")
        )
        if not chosen:
            return
        path = Path(chosen).with_suffix(".png")
        self._settings.set_folder("picture", path.parent)
        picture = last.frame.rgb()

        def write() -> None:
            from integrator.session.film.video import png_bytes  # noqa: PLC0415 - loads FFmpeg

            path.write_bytes(png_bytes(picture))

        text = self.tr("Saved {0}").format(path)
        self._bridge.beside(
            write,
            lambda _: self._controller.said.emit(NoticeKind.GOOD, text),
            lambda error: self._controller.said.emit(NoticeKind.ERROR, str(error)),
        )

    def stop_and_wait(self) -> None:
        """Stop writing: the window goes away."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join()
