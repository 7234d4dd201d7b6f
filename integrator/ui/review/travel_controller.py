"""Travel along the timeline: seek, rewind, marks, branches, the slider, and exported ranges."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QFormLayout, QMenu, QWidget

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import FrameResult
from integrator.session.recorded_rows import record_again
from integrator.session.session import Session
from integrator.session.timeline.restorer import Progress
from integrator.session.timeline.stretch import ExportedMovie
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Replay
from integrator.ui.bridge.sight import LiveReader
from integrator.ui.window_context import Part

Range = tuple[int, int]  # first and last frame


class ExportRangeDialog(ui.Dialog):
    """Asks for a range of frames, by kind or by its two ends. ``range`` is the choice."""

    def __init__(
        self, facts: TimelineFacts, chosen: Range | None, fps: float, parent: QWidget
    ) -> None:
        super().__init__(parent, self.tr("Export a range as a movie"), minimumWidth=440)
        self._facts, self._fps = facts, fps
        offers = self._ranges(chosen)
        self._offers = list(offers)
        self.kind = QComboBox()
        self.kind.addItems([*offers.values(), self.tr("Frames by number")])
        self.first = self._field(self.tr("First frame"))
        self.last = self._field(self.tr("Last frame"))
        self.note = ui.role_label("", "secondary", wraps=True)
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Save | standard.Cancel)
        self._save = self.buttons.button(standard.Save)
        self._save.setText(self.tr("Save movie…"))
        ui.set_role(self._save, "primary")
        form = QFormLayout(horizontalSpacing=12)
        form.addRow(self.tr("Take"), self.kind)
        ends = ui.hbox(self.first, ui.role_label(self.tr("to")), self.last, None)
        form.addRow(self.tr("Frames"), ends)
        ui.vbox(form, self.note, self.buttons, on=self, margins=(16, 16, 16, 14), gap=12)
        self.kind.currentIndexChanged.connect(self._take_offer)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._take_offer(0)

    def _field(self, name: str) -> ui.NumberBox:
        traits = {"accessibleName": name, "minimumWidth": 96, "groupSeparatorShown": True}
        field = ui.NumberBox(1, max(self._facts.length, 1), **traits)
        field.valueChanged.connect(self._changed)
        return field

    @property
    def range(self) -> Range:
        return self.first.value(), self.last.value()

    def _ranges(self, chosen: Range | None) -> dict[Range, str]:
        """Return the offered ranges with their texts; equal ranges are offered once."""
        facts, here = self._facts, max(self._facts.position, 1)
        run = facts.run_of(here)
        offers = {} if chosen is None else {chosen: self.tr("The range chosen on the slider")}
        offers.setdefault(run, self.tr("This run: up to a reset, state or poke"))
        offers.setdefault(facts.between_marks(here), self.tr("Between the marks around this frame"))
        if run[0] < here < run[1]:
            offers.setdefault((here, run[1]), self.tr("From this frame on"))
            offers.setdefault((run[0], here), self.tr("Up to this frame"))
        return offers

    def _take_offer(self, index: int) -> None:
        for offered in self._offers[index : index + 1]:
            for field, value in zip((self.first, self.last), offered, strict=True):
                with QSignalBlocker(field):
                    field.setValue(value)
        self._judge()

    def _changed(self) -> None:
        at = self.kind.currentIndex()
        if self.range not in self._offers[at : at + 1]:
            self.kind.setCurrentIndex(len(self._offers))
        self._judge()

    def _judge(self) -> None:
        first, last = self.range
        end = self._facts.run_of(first)[1]
        problem = self.tr("The last frame lies before the first.") if last < first else ""
        if last > end:
            problem = self.tr(
                "After frame {0} something else than a button changed the game, which a movie "
                "cannot hold: take frames up to {0}, or from {1} on."
            ).format(end, end + 1)
        self._save.setEnabled(not problem)
        ui.set_role(self.note, "warn" if problem else "secondary")
        frames = last - first + 1
        text = self.tr("{0} frame[|s], {1}, with the state before [it|them].", None, frames)
        self.note.setText(problem or ui.count_text(text, frames, ui.clock_text(frames, self._fps)))


class TravelController(Part):
    """Turns requests of slider, transport and keys into commands. Seeks are merged: while one runs,
    only the latest requested frame is kept. ``branches_requested`` asks for the Branches panel."""

    branches_requested = Signal()

    def _set_up(self) -> None:
        bridge, actions, screen = self._bridge, self._actions, self._screen
        self._wanted: int | None = None
        self._seek: threading.Event | None = None  # stops the seek that runs or waits
        self.replay = Replay(bridge, screen.replay, self._replay_text, self)
        look, show = self._look, self._show_facts
        self._live = LiveReader(bridge, look, show, interval_ms=250, failed=self._report)
        # Other commands call this after they changed the timeline.
        self.refresh = self._live.touch
        self.branch_menu = ui.drop_menu(screen.transport.branches, self._fill_branch_menu)
        bridge.readout_ready.connect(self._show_frame)
        self._controller.follow(self._live.touch, "variables", "scenario", "scripts")
        for changed in (self._controller.scored, self._controller.memory_written):
            changed.connect(self._live.touch)
        self._timeline.valueChanged.connect(self.seek)
        actions["follow"].setChecked(True)
        actions["follow"].toggled.connect(bridge.set_follow)
        actions.on(step_back=bridge.step_back, advance=bridge.advance_frame)
        actions.on(fork=self.fork, mark=self.mark, export_range=self.ask_range)
        actions.on(record_episodes=self.record_episodes, record_again=self.record_again)
        self._timeline.menu_opens.connect(self.add_to_menu)
        for rewind in (screen.game_screen.rewind, screen.transport.rewind):
            rewind.connect(bridge.set_rewinding)

    def _opened(self, _: GameSnapshot) -> None:
        self._closed()
        self._bridge.set_follow(self._actions["follow"].isChecked())

    def _closed(self) -> None:
        self._wanted = self._seek = None
        self._timeline.show_facts(None, 60.0)

    def _show_frame(self, result: FrameResult) -> None:
        if self._seek is None:
            self._timeline.show_position(result.number)
        self._actions["step_back"].setEnabled(result.number > 1)
        self._live.touch()

    def _look(self) -> Callable[[Session], TimelineFacts]:
        earlier = self._timeline.facts
        return lambda session: TimelineFacts.of(session, earlier)

    def _show_facts(self, facts: TimelineFacts) -> None:
        if (game := self._controller.game) is None:
            return
        self._timeline.show_facts(facts, game.fps)
        self._screen.show_length(facts.length)
        self._screen.transport.show_branches(len(facts.branches))
        self._controller.timeline_moved.emit(facts)

    def seek(self, frame: int) -> None:
        """Go to a frame. Of several requests, the latest one counts."""
        self._wanted = frame
        if self._seek is None:
            self._seek_wanted()
        else:
            self._seek.set()

    def _seek_wanted(self) -> None:
        frame, self._wanted = self._wanted, None
        if frame is None:
            return

        def done() -> None:
            self._seek = None
            self._seek_wanted()

        def failed(error: Exception) -> None:
            self._report(error)
            if (last := self._controller.last) is not None:
                # else the slider never asks again
                self._timeline.show_position(last.number)
            done()

        self._seek = self.replay.go(lambda now, on: now.timeline.seek(frame, on), failed, done)

    def _replay_text(self, frames: int) -> str:
        return ui.count_text(self.tr("Replaying {0} frame[|s]", None, frames), frames)

    def mark(self, frame: int | None = None) -> None:
        if (last := self._controller.last) is None:
            return
        at = last.number if frame is None else frame
        markers = self._timeline.facts.markers if self._timeline.facts else ()
        known = [each.label for each in markers if (each.frame, each.kind) == (at, "user")]
        title, text = self.tr("Mark"), self.tr("What is at frame {0}?").format(at)
        if (label := self._ask_text(title, text, "".join(known[:1]))) is not None:
            self.put_mark(at, label)

    def put_mark(self, frame: int, label: str) -> None:
        self.unmark(frame)
        self._bridge.ask(lambda now: now.timeline.log.add_marker(frame, label), self.refresh)

    def unmark(self, frame: int) -> None:
        def work(session: Session) -> None:
            log = session.timeline.log
            for marker in log.markers("user"):
                if marker.frame == frame:
                    log.remove_marker(marker)

        self._bridge.ask(work, self.refresh)

    def fork(self) -> None:
        def done(name: str) -> None:
            text = self.tr("What was played is kept as “{0}”; from here on it is another line")
            self._announce(text.format(name))
            self.refresh()

        self._bridge.ask(lambda session: session.timeline.fork(), done)

    def switch_to(self, name: str) -> None:
        self.replay.go(lambda now, _: now.timeline.switch_to(name), self._report, self.refresh)

    def delete_branch(self, name: str) -> None:
        self._bridge.ask(lambda now: now.timeline.log.delete_branch(name), self.refresh)

    def rename_branch(self, name: str) -> None:
        new = self._ask_text(self.tr("Rename branch"), self.tr("Name of the branch:"), name)
        if new and new != name:
            self._bridge.ask(lambda now: now.timeline.log.rename_branch(name, new), self.refresh)

    def _fill_branch_menu(self, menu: ui.RowMenu) -> None:
        menu.addActions([self._actions[key] for key in ("fork", "follow")])
        menu.addAction(self.tr("Show and compare branches"), self.branches_requested.emit)
        menu.addSeparator()
        branches = self._timeline.facts.branches if self._timeline.facts else ()
        game, icon = self._controller.game, self._actions["fork"].icon()
        for branch in branches:
            length = ui.clock_text(branch.length, game.fps if game else 60.0)
            rewards = " / ".join(map(ui.plain_number, branch.rewards))
            text = self.tr("{0}   ·   {1}, from frame {2}, reward {3}")
            entry = ui.RowMenu(menu)
            entry.setTitle(text.format(branch.name, length, branch.shared_frames, rewards))
            entry.setIcon(icon)
            self.add_ways(entry, branch.name)
            menu.addMenu(entry)
        if not branches:
            none = self.tr("No branches yet: seek back and play on to make one")
            menu.addAction(none).setEnabled(False)

    def add_ways(self, menu: ui.RowMenu, name: str) -> None:
        menu.add(self.tr("Go there"), lambda: self.switch_to(name), "fork")
        menu.add(self.tr("Rename…"), lambda: self.rename_branch(name), "edit")
        menu.add(self.tr("Delete"), lambda: self.delete_branch(name), "trash")

    def add_to_menu(self, frame: int, menu: QMenu) -> None:
        facts, view = self._timeline.facts, self._timeline
        chosen = view.range
        run = chosen or (facts.run_of(frame) if facts else (frame, frame))
        marks = facts.between_marks(frame) if facts else chosen
        menu.addSeparator()
        for text, frames in (
            (self.tr("Range begins at frame {0}"), (frame, max(frame, run[1]))),
            (self.tr("Range ends at frame {0}"), (min(frame, run[0]), frame)),
            (self.tr("Range between the marks around it"), marks),
            (self.tr("No range"), None),
        ):
            action = menu.addAction(text.format(frame), partial(view.set_range, frames))
            action.setEnabled(bool(frames or chosen))
        menu.addSeparator()
        keys = ("export_range", "record_again", "mark")
        menu.addActions([self._actions[key] for key in keys])

    def ask_range(self) -> None:
        facts, game = self._timeline.facts, self._controller.game
        if facts is None or game is None or not facts.length:
            return
        self._bridge.pause()
        dialog = ExportRangeDialog(facts, self._timeline.range, game.fps, self._window)

        def ask_file() -> None:
            name = "{}-{}-{}.bk2".format(game.name, *dialog.range)
            if (path := self._ask_movie(self.tr("Export a range as a movie"), name)) is not None:
                self.export(path, *dialog.range)

        dialog.accepted.connect(ask_file)
        dialog.open()

    def export(self, path: Path, first: int, last: int) -> None:
        stop = last + 1

        def done(movie: ExportedMovie) -> None:
            frames = movie.stop - movie.start
            text = ui.counted(self.tr("{0}: {1} frame[|s]", None, frames), frames)
            text = text.format(movie.path, ui.grouped(frames))
            if movie.start < first:
                text += self.tr(
                    "; it begins at frame {0}, the last one before without buttons, as training's "
                    "playback begins with an idle frame"
                ).format(movie.start)
            if not movie.has_reset_row:
                text += self.tr(
                    "; buttons are held on all frames before it, so that stable-retro, which "
                    "begins with an idle frame, can go out of step with it"
                )
            kinds = ui.NoticeKind
            self._announce(text, kinds.GOOD if movie.has_reset_row else kinds.WARNING)
            self._controller.movie_recorded.emit(movie.path)

        def work(session: Session, progress: Progress) -> ExportedMovie:
            return session.timeline.export(path, first, stop, progress)

        self.replay.ask(work, done, self._report)

    def record_again(self) -> None:
        if (game := self._controller.game) is None:
            return
        self._bridge.pause()
        path = self._ask_movie(self.tr("Record again from here"), f"{game.name}-again.bk2")
        if path is None:
            return

        def done(answer: tuple[Path, int]) -> None:
            text = self.tr("Recording {0}: all up to frame {1} is in it, play on from here")
            self._note_recording(text.format(*answer))

        def work(session: Session, progress: Progress) -> tuple[Path, int]:
            return record_again(session, path, progress), session.timeline.position

        self.replay.ask(work, done, self._report)

    def record_episodes(self) -> None:
        """Ask for a folder, begin an episode, and record this and each later episode there."""
        folder = self._ask_folder("movies", self.tr("A folder for one movie an episode"))
        if folder is None:
            return

        def done(first: FrameResult) -> None:
            self._bridge.show(first)
            text = self.tr("Each episode from here on becomes a movie in {0}")
            self._note_recording(text.format(folder))

        self._bridge.ask(lambda session: session.record(folder), done)

    def _note_recording(self, text: str) -> None:
        self._controller.recording_changed.emit(True)  # noqa: FBT003 - a signal's argument
        self._inform(text)

    def _ask_movie(self, title: str, name: str) -> Path | None:
        path = self._ask_save("movie", title, name, "BizHawk movies (*.bk2)")
        return path and path.with_suffix(".bk2")
