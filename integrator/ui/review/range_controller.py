"""Ranges of the time slider: chosen there, exported as movies; and recording a run once more."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QMenu,
    QWidget,
)

from integrator.session.frame.result import FrameResult
from integrator.session.rework import record_again
from integrator.session.session import Session
from integrator.session.timeline.export import ExportedMovie
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.settings.settings import UiSettings
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.parts import NumberBox, hbox, role_label, set_role, vbox
from integrator.ui.widgets.texts import clock_text
from integrator.ui.widgets.translation import counted

Range = tuple[int, int]
"""First and last frame."""


class ExportRangeDialog(QDialog):
    """A range of frames, by its kind or by its two ends. ``range`` holds the choice."""

    def __init__(
        self, facts: TimelineFacts, chosen: Range | None, fps: float, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export a range as a movie"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._facts = facts
        self._fps = fps
        self._offers = self._ranges(chosen)
        self.kind = QComboBox()
        for text, _ in self._offers:
            self.kind.addItem(text)
        self.kind.addItem(self.tr("Frames by number"))
        self.first, self.last = NumberBox(), NumberBox()
        for field, name in (
            (self.first, self.tr("First frame")),
            (self.last, self.tr("Last frame")),
        ):
            field.setRange(1, max(facts.length, 1))
            field.setGroupSeparatorShown(True)
            field.setAccessibleName(name)
            field.setMinimumWidth(96)
        self.note = role_label("", "secondary", wraps=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._save = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        self._save.setText(self.tr("Save movie…"))
        set_role(self._save, "primary")
        self._build_ui()
        self.kind.currentIndexChanged.connect(self._take_offer)
        self.first.valueChanged.connect(self._changed)
        self.last.valueChanged.connect(self._changed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._take_offer(0)

    @property
    def range(self) -> Range:
        """First and last frame, both in the movie."""
        return self.first.value(), self.last.value()

    def _ranges(self, chosen: Range | None) -> list[tuple[str, Range]]:
        facts, here = self._facts, max(self._facts.position, 1)
        run = facts.run_of(here)
        offers = [] if chosen is None else [(self.tr("The range chosen on the slider"), chosen)]
        offers.append((self.tr("This run: up to a reset, state or poke"), run))
        marks = facts.between_marks(here)
        if marks != run:
            offers.append((self.tr("Between the marks around this frame"), marks))
        if run[0] < here < run[1]:
            offers.append((self.tr("From this frame on"), (here, run[1])))
            offers.append((self.tr("Up to this frame"), (run[0], here)))
        return offers

    def _build_ui(self) -> None:
        ends = hbox(self.first, QLabel(self.tr("to")), self.last, None)
        form = QFormLayout(horizontalSpacing=12)
        form.addRow(self.tr("Take"), self.kind)
        form.addRow(self.tr("Frames"), ends)
        vbox(form, self.note, self.buttons, on=self, margins=(16, 16, 16, 14), gap=12)
        self.setMinimumWidth(440)

    def _take_offer(self, index: int) -> None:
        if index >= len(self._offers):
            return
        first, last = self._offers[index][1]
        for field, value in ((self.first, first), (self.last, last)):
            field.blockSignals(True)  # noqa: FBT003 - Qt's signature
            field.setValue(value)
            field.blockSignals(False)  # noqa: FBT003 - Qt's signature
        self._judge()

    def _changed(self) -> None:
        own = len(self._offers)
        if (
            self.kind.currentIndex() < own
            and self._offers[self.kind.currentIndex()][1] != self.range
        ):
            self.kind.setCurrentIndex(own)
        self._judge()

    def _judge(self) -> None:
        """Say how long the movie is, or why these frames are none."""
        first, last = self.range
        end = self._facts.run_of(first)[1]
        if last < first:
            problem = self.tr("The last frame lies before the first.")
        elif last > end:
            problem = self.tr(
                "After frame {0} something else than a button changed the game, which a movie "
                "can not hold: take frames up to {0}, or from {1} on."
            ).format(end, end + 1)
        else:
            problem = ""
        self._save.setEnabled(not problem)
        set_role(self.note, "warn" if problem else "secondary")
        frames = last - first + 1
        told = self.tr("{0} frame[|s], {1}, with the state before [it|them].", None, frames)
        told = counted(told, frames)
        self.note.setText(problem or told.format(f"{frames:,}", clock_text(frames, self._fps)))


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
