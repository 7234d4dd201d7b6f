"""Ranges of the time slider: chosen there, exported as movies; and recording a run once more."""

from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QMenu,
    QWidget,
)

from integrator.session.frame.result import FrameResult
from integrator.session.rework import record_again
from integrator.session.session import Session
from integrator.session.timeline.export import ExportedMovie
from integrator.ui.desk import Part
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.parts import NumberBox, hbox, role_label, set_role, vbox
from integrator.ui.widgets.texts import clock_text, counted

Range = tuple[int, int]  # first and last frame


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
        self.kind.addItems([*(text for text, _ in self._offers), self.tr("Frames by number")])
        self.first = self._field(self.tr("First frame"))
        self.last = self._field(self.tr("Last frame"))
        self.note = role_label("", "secondary", wraps=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._save = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        self._save.setText(self.tr("Save movie…"))
        set_role(self._save, "primary")
        self._build_ui()
        self.kind.currentIndexChanged.connect(self._take_offer)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._take_offer(0)

    def _field(self, name: str) -> NumberBox:
        field = NumberBox()
        field.setRange(1, max(self._facts.length, 1))
        field.setGroupSeparatorShown(True)
        field.setAccessibleName(name)
        field.setMinimumWidth(96)
        field.valueChanged.connect(self._changed)
        return field

    @property
    def range(self) -> Range:
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
        for field, value in zip((self.first, self.last), self._offers[index][1], strict=True):
            with QSignalBlocker(field):
                field.setValue(value)
        self._judge()

    def _changed(self) -> None:
        offered = [each for _, each in self._offers][self.kind.currentIndex() :]
        if offered and offered[0] != self.range:
            self.kind.setCurrentIndex(len(self._offers))
        self._judge()

    def _judge(self) -> None:
        first, last = self.range
        end = self._facts.run_of(first)[1]
        if last < first:
            problem = self.tr("The last frame lies before the first.")
        elif last > end:
            problem = self.tr(
                "After frame {0} something else than a button changed the game, which a movie "
                "cannot hold: take frames up to {0}, or from {1} on."
            ).format(end, end + 1)
        else:
            problem = ""
        self._save.setEnabled(not problem)
        set_role(self.note, "warn" if problem else "secondary")
        frames = last - first + 1
        text = self.tr("{0} frame[|s], {1}, with the state before [it|them].", None, frames)
        text = counted(text, frames).format(f"{frames:,}", clock_text(frames, self._fps))
        self.note.setText(problem or text)


MOVIE_FILTER = "BizHawk movies (*.bk2)"


class RangeController(Part):
    """Offers actions for frames of the time slider."""

    def _set_up(self) -> None:
        self._actions = self._desk.actions
        self._timeline.menu_opens.connect(self.add_to_menu)
        self._actions.on("export_range", self.ask_range)
        self._actions.on("record_episodes", self.record_episodes)
        self._actions.on("record_again", self.record_again)

    def add_to_menu(self, frame: int, menu: QMenu) -> None:
        facts, view = self._timeline.facts, self._timeline
        chosen = view.range
        run = chosen or (facts.run_of(frame) if facts else (frame, frame))
        marks = facts.between_marks(frame) if facts else chosen
        menu.addSeparator()
        menu.addAction(
            self.tr("Range begins at frame {0}").format(frame),
            lambda: view.set_range((frame, max(frame, run[1]))),
        )
        menu.addAction(
            self.tr("Range ends at frame {0}").format(frame),
            lambda: view.set_range((min(frame, run[0]), frame)),
        )
        menu.addAction(self.tr("Range between the marks around it"), lambda: view.set_range(marks))
        menu.addAction(self.tr("No range"), lambda: view.set_range(None)).setEnabled(bool(chosen))
        menu.addSeparator()
        for key in ("export_range", "record_again", "mark"):
            menu.addAction(self._actions[key])

    def ask_range(self) -> None:
        facts, game = self._timeline.facts, self._controller.game
        if facts is None or game is None or not facts.length:
            return
        self._bridge.pause()
        dialog = ExportRangeDialog(facts, self._timeline.range, game.fps, self._window)
        dialog.accepted.connect(lambda: self._ask_file(*dialog.range))
        dialog.open()

    def _ask_file(self, first: int, last: int) -> None:
        game = self._controller.game
        name = f"{game.name if game else 'movie'}-{first}-{last}.bk2"
        path = self._ask_movie(self.tr("Export a range as a movie"), name)
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
            self._announce(text, kind)
            self._controller.movie_recorded.emit(movie.path)

        self._bridge.ask(
            lambda session: session.timeline.export(path, first, last + 1), done, self._report
        )

    def record_again(self) -> None:
        game = self._controller.game
        if game is None:
            return
        self._bridge.pause()
        path = self._ask_movie(self.tr("Record again from here"), f"{game.name}-again.bk2")
        if path is None:
            return

        def work(session: Session) -> tuple[Path, int]:
            return record_again(session, path), session.timeline.position

        def done(answer: tuple[Path, int]) -> None:
            self._controller.recording_changed.emit(True)  # noqa: FBT003 - a signal's argument
            text = self.tr("Recording {0}: all up to frame {1} is in it, play on from here")
            self._announce(text.format(*answer), NoticeKind.INFO)

        self._bridge.ask(work, done)

    def record_episodes(self) -> None:
        """Ask for a folder, begin an episode and record it there, and each one that follows."""
        folder = self._ask_folder("movies", self.tr("A folder for one movie an episode"))
        if folder is None:
            return

        def done(first: FrameResult) -> None:
            self._controller.recording_changed.emit(True)  # noqa: FBT003 - a signal's argument
            self._bridge.show(first)
            text = self.tr("Each episode from here on becomes a movie in {0}")
            self._announce(text.format(folder), NoticeKind.INFO)

        self._bridge.ask(lambda session: session.record(folder), done)

    def _ask_movie(self, title: str, name: str) -> Path | None:
        path = self._ask_save("movie", title, name, MOVIE_FILTER)
        return path and path.with_suffix(".bk2")
