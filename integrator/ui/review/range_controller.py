"""Ranges of the time slider: chosen there, exported as movies; and recording a run once more."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMenu

from integrator.session.frame.result import FrameResult
from integrator.session.rework import record_again
from integrator.session.session import Session
from integrator.session.timeline.export import ExportedMovie
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.review.export_range_dialog import ExportRangeDialog
from integrator.ui.settings.settings import UiSettings
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.translation import counted

MOVIE_FILTER = "BizHawk movies (*.bk2)"


class RangeController(QObject):
    """Offers actions for frames of the time slider."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        timeline: TimelineView,
        actions: Actions,
        settings: UiSettings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._timeline = timeline
        self._actions = actions
        self._settings = settings
        timeline.menu_opens.connect(self.add_to_menu)
        actions["export_range"].triggered.connect(lambda _=False: self.ask_range())
        actions["record_episodes"].triggered.connect(lambda _=False: self.record_episodes())
        actions["record_again"].triggered.connect(lambda _=False: self.record_again())

    # -- the range ----------------------------------------------------------------------------

    def add_to_menu(self, frame: int, menu: QMenu) -> None:
        """Add actions for ranges at a frame of the slider."""
        view = self._timeline
        chosen = view.range
        menu.addSeparator()
        begin = menu.addAction(self.tr("Range begins at frame {0}").format(frame))
        begin.triggered.connect(
            lambda: view.set_range((frame, max(frame, chosen[1] if chosen else self._end(frame))))
        )
        end = menu.addAction(self.tr("Range ends at frame {0}").format(frame))
        end.triggered.connect(
            lambda: view.set_range((min(frame, chosen[0] if chosen else self._begin(frame)), frame))
        )
        marks = menu.addAction(self.tr("Range between the marks around it"))
        marks.triggered.connect(lambda: self._take_marks(frame))
        clear = menu.addAction(self.tr("No range"))
        clear.setEnabled(chosen is not None)
        clear.triggered.connect(lambda: view.set_range(None))
        menu.addSeparator()
        for key in ("export_range", "record_again", "mark"):
            menu.addAction(self._actions[key])

    def _begin(self, frame: int) -> int:
        facts = self._timeline.facts
        return facts.run_of(frame)[0] if facts else frame

    def _end(self, frame: int) -> int:
        facts = self._timeline.facts
        return facts.run_of(frame)[1] if facts else frame

    def _take_marks(self, frame: int) -> None:
        facts = self._timeline.facts
        if facts is not None:
            self._timeline.set_range(facts.between_marks(frame))

    # -- movies -------------------------------------------------------------------------------

    def ask_range(self) -> None:
        """Ask which frames, and where the movie goes; then write it."""
        facts, game = self._timeline.facts, self._controller.game
        if facts is None or game is None or not facts.length:
            return
        self._bridge.pause()
        dialog = ExportRangeDialog(facts, self._timeline.range, game.fps, self._timeline.window())
        dialog.accepted.connect(lambda: self._ask_file(*dialog.range))
        dialog.open()

    def _ask_file(self, first: int, last: int) -> None:
        game = self._controller.game
        name = f"{game.name if game else 'movie'}-{first}-{last}.bk2"
        path = self._ask_save(self.tr("Export a range as a movie"), name)
        if path is not None:
            self.export(path, first, last)

    def export(self, path: Path, first: int, last: int) -> None:
        """Write frames ``first`` to ``last`` as a movie."""

        def done(movie: ExportedMovie) -> None:
            frames = movie.stop - movie.start
            text = counted(self.tr("{0}: {1} frame[|s]", None, frames), frames)
            text = text.format(movie.path, f"{frames:,}")
            if movie.start < first:
                text += self.tr(
                    "; it begins at frame {0}, the last one before without buttons, as training's "
                    "playback begins with an idle frame"
                ).format(movie.start)
            kind = NoticeKind.GOOD
            if not movie.has_reset_row:
                kind = NoticeKind.WARNING
                text += self.tr(
                    "; buttons are held on all frames before it, so that stable-retro, which "
                    "begins with an idle frame, can go out of step with it"
                )
            self._controller.said.emit(kind, text)
            self._controller.movie_recorded.emit(movie.path)

        self._bridge.ask(
            lambda session: session.timeline.export(path, first, last + 1),
            done,
            lambda error: self._controller.said.emit(NoticeKind.ERROR, str(error)),
        )

    def record_again(self) -> None:
        """Ask where the movie goes, and record the present run anew, up to here and further."""
        game = self._controller.game
        if game is None:
            return
        self._bridge.pause()
        path = self._ask_save(self.tr("Record again from here"), f"{game.name}-again.bk2")
        if path is None:
            return

        def work(session: Session) -> tuple[Path, int]:
            return record_again(session, path), session.timeline.position

        def done(answer: tuple[Path, int]) -> None:
            self._controller.recording_changed.emit(True)  # noqa: FBT003 - a signal's argument
            text = self.tr("Recording {0}: all up to frame {1} is in it, play on from here")
            self._controller.said.emit(NoticeKind.INFO, text.format(*answer))

        self._bridge.ask(work, done)

    def record_episodes(self) -> None:
        """Ask for a folder, begin an episode and record it there, and each one that follows."""
        chosen = QFileDialog.getExistingDirectory(
            self._timeline.window(),
            self.tr("A folder for one movie an episode"),
            str(self._settings.folder("movies", Path.home())),
        )
        if not chosen:
            return
        folder = Path(chosen)
        self._settings.set_folder("movies", folder)

        def done(first: FrameResult) -> None:
            self._controller.recording_changed.emit(True)  # noqa: FBT003 - a signal's argument
            self._bridge.show(first)
            text = self.tr("Each episode from here on becomes a movie in {0}")
            self._controller.said.emit(NoticeKind.INFO, text.format(folder))

        self._bridge.ask(lambda session: session.record(folder), done)

    def _ask_save(self, title: str, name: str) -> Path | None:
        start = self._settings.folder("movie", Path.home())
        chosen, _ = QFileDialog.getSaveFileName(
            self._timeline.window(), title, str(start / name), MOVIE_FILTER
        )
        if not chosen:
            return None
        self._settings.set_folder("movie", Path(chosen).parent)
        return Path(chosen).with_suffix(".bk2")
