"""Moving along the timeline: seek, step back, rewind, marks, branches, and the slider."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QInputDialog, QMenu

from integrator.domain.timeline.timeline import BranchInfo
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.ui.bridge.background import Replay
from integrator.ui.bridge.sight import LiveReader
from integrator.ui.desk import Part
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.texts import clock_text, counted, plain_number

_REFRESH_MS = 250


class TravelController(Part):
    """Turns requests of the slider, the transport and the keys into commands.

    Seeks are coalesced: while one runs, only the frame that was asked for last is kept. ``moved``
    gives each new TimelineFacts; ``branches_requested`` asks for the panel of branches.
    """

    moved = Signal(object)
    branches_requested = Signal()

    def _set_up(self) -> None:
        bridge, actions, screen = self._bridge, self._desk.actions, self._desk.screen
        self._wanted: int | None = None
        self._seeking = False
        self._replay = Replay(bridge, screen.replay, self._replay_text, self)
        self._live = LiveReader(
            bridge, None, _REFRESH_MS, self._look, self._show_facts, self._refused
        )
        self.branch_menu = QMenu(screen)
        self.branch_menu.aboutToShow.connect(self._fill_branch_menu)
        screen.transport.set_branch_menu(self.branch_menu)
        bridge.opened.connect(lambda _: self._begin())
        bridge.closed.connect(self._end)
        bridge.readout_ready.connect(self._show_frame)
        self._controller.follow(self._live.touch, "variables", "scenario", "scripts")
        self._controller.scored.connect(self._live.touch)
        self._timeline.seek_requested.connect(self.seek)
        actions.on("step_back", bridge.step_back)
        actions["follow"].setChecked(True)
        actions["follow"].toggled.connect(bridge.set_follow)
        actions.on("advance", bridge.advance_frame)
        actions.on("fork", self.fork)
        actions.on("mark", self.mark)
        screen.game_screen.rewind.connect(bridge.set_rewinding)
        screen.transport.rewind.connect(bridge.set_rewinding)

    def _begin(self) -> None:
        self._end()
        self._bridge.set_follow(self._desk.actions["follow"].isChecked())

    def _end(self) -> None:
        self._wanted, self._seeking = None, False
        self._timeline.show_facts(None, 60.0)

    def _show_frame(self, result: FrameResult) -> None:
        if not self._seeking:
            self._timeline.show_position(result.number)
        self._desk.actions["step_back"].setEnabled(result.number > 1)
        self._live.touch()

    def _look(self) -> Callable[[Session], TimelineFacts]:
        earlier = self._timeline.facts
        return lambda session: TimelineFacts.of(session, earlier)

    def _show_facts(self, facts: TimelineFacts) -> None:
        game = self._controller.game
        if game is None:
            return
        self._timeline.show_facts(facts, game.fps)
        self._desk.screen.show_length(facts.length)
        self._desk.screen.transport.show_branches(len(facts.branches))
        self.moved.emit(facts)

    def _refused(self, error: Exception) -> None:
        self._seeking = False
        self._replay.end()
        self._report(error)

    def seek(self, frame: int) -> None:
        """Show a frame and go on from it. The latest of many wins."""
        self._wanted = frame
        if self._seeking:
            self._replay.stop()
        else:
            self._seek_wanted()

    def _seek_wanted(self) -> None:
        frame, self._wanted = self._wanted, None
        if frame is None:
            return
        self._seeking = True
        progress = self._replay.begin()

        def done() -> None:
            self._seeking = False
            self._replay.end()
            self._seek_wanted()

        self._bridge.go(lambda session: session.timeline.seek(frame, progress), done, self._refused)

    def _replay_text(self, frames: int) -> str:
        text = self.tr("Replaying {0} frame[|s]", None, frames)
        return counted(text, frames).format(f"{frames:,}")

    def mark(self, frame: int | None = None) -> None:
        last = self._controller.last
        if last is None:
            return
        at = last.number if frame is None else frame
        facts = self._timeline.facts
        markers = facts.markers if facts else ()
        known = [each.label for each in markers if (each.frame, each.kind) == (at, "user")]
        label, accepted = QInputDialog.getText(
            self._desk.screen,
            self.tr("Mark"),
            self.tr("What is at frame {0}?").format(at),
            text=next(iter(known), ""),
        )
        if accepted:
            self.put_mark(at, label.strip())

    def put_mark(self, frame: int, label: str) -> None:
        self.unmark(frame)
        self._do(lambda session: session.timeline.log.add_marker(frame, label))

    def unmark(self, frame: int) -> None:

        def work(session: Session) -> None:
            log = session.timeline.log
            for marker in log.markers("user"):
                if marker.frame == frame:
                    log.remove_marker(marker)

        self._do(work)

    def refresh(self) -> None:
        """The timeline was changed by another command."""
        self._live.touch()

    def fork(self) -> None:

        def done(name: str) -> None:
            text = self.tr("What was played is kept as “{0}”; from here on it is another line")
            self._announce(text.format(name))
            self._live.touch()

        self._bridge.ask(lambda session: session.timeline.fork(), done)

    def switch_to(self, name: str) -> None:
        self._bridge.go(lambda session: session.timeline.switch_to(name), self._live.touch)

    def delete_branch(self, name: str) -> None:
        self._do(lambda session: session.timeline.delete_branch(name))

    def rename_branch(self, name: str) -> None:
        new_name, accepted = QInputDialog.getText(
            self._desk.screen, self.tr("Rename branch"), self.tr("Name of the branch:"), text=name
        )
        if accepted and new_name.strip() and new_name != name:
            self._do(lambda session: session.timeline.rename_branch(name, new_name.strip()))

    def _do(self, work: Callable[[Session], object]) -> None:
        self._bridge.ask(work, self._live.touch)

    def _fill_branch_menu(self) -> None:
        menu = self.branch_menu
        menu.clear()
        menu.addAction(self._desk.actions["fork"])
        menu.addAction(self._desk.actions["follow"])
        menu.addAction(self.tr("Show and compare branches"), self.branches_requested.emit)
        menu.addSeparator()
        facts = self._timeline.facts
        if facts is None or not facts.branches:
            none = self.tr("No branches yet: seek back and play on to make one")
            menu.addAction(none).setEnabled(False)
            return
        for branch in facts.branches:
            self._add_branch(menu, branch)

    def _add_branch(self, menu: QMenu, branch: BranchInfo) -> None:
        game = self._controller.game
        text = self.tr("{0}   ·   {1}, from frame {2}, reward {3}").format(
            branch.name,
            clock_text(branch.length, game.fps if game else 60.0),
            branch.shared_frames,
            " / ".join(plain_number(total) for total in branch.rewards),
        )
        entry = menu.addMenu(self._desk.actions["fork"].icon(), text)
        entry.addAction(self.tr("Go there"), partial(self.switch_to, branch.name))
        entry.addAction(self.tr("Rename…"), partial(self.rename_branch, branch.name))
        entry.addAction(self.tr("Delete"), partial(self.delete_branch, branch.name))
