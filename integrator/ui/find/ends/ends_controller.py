"""Finds ends of episodes and their conditions beside the game, and makes done conditions."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QWidget

from integrator.domain.ends.condition import EndCondition
from integrator.domain.ends.moments import EndMoment
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands as edits
from integrator.session.session import Session
from integrator.session.suggestions.ends import END_LABELS, EndsRun
from integrator.session.suggestions.hidden_look import HiddenLook
from integrator.ui.bridge.background import Job, PanelTask
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.find.ends.ends_view import EndsView, Runs
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.notices import NoticeKind


class EndsController(QObject):
    """Everything that takes long runs on one thread, and can be cancelled."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: EndsView,
        timeline: TimelineView,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._view = view
        self.background = PanelTask(bridge, controller, "ends", [view.bar], self)
        bridge.opened.connect(lambda _: view.set_open(opened=True))
        bridge.closed.connect(lambda: view.set_open(opened=False))
        timeline.menu_opens.connect(self.add_to_menu)
        view.propose_requested.connect(self.propose)
        view.find_requested.connect(self.search)
        view.done_requested.connect(self.make_done)
        self.background.works.connect(lambda _: view.show_idle())

    def show_facts(self, facts: TimelineFacts) -> None:
        """Follow the marks on the time slider."""
        game = self._controller.game
        marks = {
            mark.frame: mark.label
            for mark in facts.markers
            if mark.kind == "user" and mark.label in END_LABELS
        }
        self._view.show_marks(marks, game.fps if game is not None else 60.0)
        self._view.show_line(facts.runs)

    def add_to_menu(self, frame: int, menu: QMenu) -> None:
        """Let a frame of the slider be an end, or none."""
        view = self._view
        menu.addSeparator()
        if frame in view.moments.marked:
            menu.addAction(self.tr("No episode ends here"), lambda: view.unmarked.emit(frame))
            return
        ends = menu.addMenu(self.tr("An episode ends here"))
        for label in END_LABELS:
            ends.addAction(view.moments.label_text(label)).triggered.connect(
                lambda _=False, label=label: view.marked.emit(frame, label)
            )

    def propose(self) -> None:
        """Look for moments that may be ends."""

        def look(session: Session) -> tuple[HiddenLook, dict[str, VariableSpec], Runs]:
            look = HiddenLook(session.game.plan.hidden(), session.recorded_play())
            return look, dict(session.integration.variables), session.timeline.log.runs

        def work(
            seen: tuple[HiddenLook, dict[str, VariableSpec], Runs], job: Job
        ) -> tuple[list[EndMoment], Runs]:
            look, specs, runs = seen
            return look.moments(specs, job.stopped), runs

        text = self.tr("Looking for ends in what was played")
        self.background.run(text, look, work, self._show_moments)

    def _show_moments(self, found: tuple[list[EndMoment], Runs]) -> None:
        moments, runs = found
        self._view.moments.propose(moments, runs)
        self._view.show_conditions(())
        if not moments:
            text = self.tr("Nothing that was played looks like an end; mark it on the time slider")
            self._controller.said.emit(NoticeKind.INFO, text)

    def search(self) -> None:
        """Look for conditions that hold at the marked ends."""

        def look(session: Session) -> EndsRun:
            specs = dict(session.integration.variables)
            return EndsRun.take(session.memory.space, session.timeline.log, specs)

        text = self.tr("Looking for conditions that hold only there")
        self.background.run(text, look, lambda run, _: run.run(), self._view.show_conditions)

    def make_done(self, condition: EndCondition) -> None:
        """End episodes on a condition, as one step that can be undone."""
        documents = self._controller.documents
        named = edits.name_bytes(condition, documents.variables if documents else ())
        told = self.tr("Episodes end now when {0}").format(named)
        new = [
            f"{test.spec.name} (0x{test.address:X})"
            for test in named.tests
            if test not in condition.tests
        ]
        if new:
            told += self.tr("; new in Variables: {0}").format(", ".join(new))
        self._controller.edit(
            edits.add_done_condition(condition),
            lambda: self._controller.said.emit(NoticeKind.GOOD, told),
        )
