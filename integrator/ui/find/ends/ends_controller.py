"""Finds ends of episodes and their conditions, and makes done conditions of them."""

from functools import partial

from PySide6.QtWidgets import QMenu

from integrator.domain.ends.condition import EndCondition
from integrator.domain.ends.moments import EndMoment
from integrator.session.edits import commands as edits
from integrator.session.suggestions.ends import END_LABELS, EndsRun
from integrator.ui.find.ends.ends_view import EndsView, Runs
from integrator.ui.find.results.source_controller import SourceController, hidden_look
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.notices import NoticeKind


class EndsController(SourceController[EndsView]):
    """Ends are marks of the time slider; conditions are looked for at the marked ones."""

    name = "ends"

    def _set_up(self) -> None:
        super()._set_up()
        view = self._view
        self._timeline.menu_opens.connect(self.add_to_menu)
        view.propose_requested.connect(self.propose)
        view.find_requested.connect(self.search)
        view.done_requested.connect(self._make_done)

    def show_facts(self, facts: TimelineFacts) -> None:
        game = self._controller.game
        marks = {
            mark.frame: mark.label
            for mark in facts.markers
            if mark.kind == "user" and mark.label in END_LABELS
        }
        self._view.show_marks(marks, game.fps if game is not None else 60.0)
        self._view.show_line(facts.runs)

    def add_to_menu(self, frame: int, menu: QMenu) -> None:
        view = self._view
        menu.addSeparator()
        if frame in view.moments.marked:
            menu.addAction(self.tr("No episode ends here"), lambda: view.unmarked.emit(frame))
            return
        ends = menu.addMenu(self.tr("An episode ends here"))
        for label in END_LABELS:
            ends.addAction(view.moments.label_text(label), partial(view.marked.emit, frame, label))

    def propose(self) -> None:
        self.background.run(
            self.tr("Looking for ends in what was played"),
            lambda session: (
                hidden_look(session),
                dict(session.integration.variables),
                session.timeline.log.runs,
            ),
            lambda seen, job: (seen[0].moments(seen[1], job.stopped), seen[2]),
            self._show_moments,
        )

    def _show_moments(self, found: tuple[list[EndMoment], Runs]) -> None:
        self._view.moments.propose(*found)
        self._view.show_conditions(())
        if not found[0]:
            text = self.tr("Nothing that was played looks like an end; mark it on the time slider")
            self._announce(text, NoticeKind.INFO)

    def search(self) -> None:
        self.background.run(
            self.tr("Looking for conditions that hold only there"),
            lambda session: EndsRun.take(
                session.memory.space, session.timeline.log, dict(session.integration.variables)
            ),
            lambda run, _: run.run(),
            self._view.show_conditions,
        )

    def _make_done(self, condition: EndCondition) -> None:
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
        self._controller.edit(edits.add_done_condition(condition), lambda: self._announce(told))
