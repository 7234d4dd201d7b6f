"""Asks the timeline what fits the facts of the Facts panel."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.domain.query_rank import Match
from integrator.domain.variables import VariableSpec
from integrator.session.session import Session
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.docks import Docks
from integrator.ui.facts_view import Answer
from integrator.ui.notices import NoticeKind
from integrator.ui.snapshot import Documents

_MOST_MATCHES = 200


class FactsController(QObject):
    """Facts are about the line of the timeline that is shown now."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, docks: Docks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._docks = docks
        view = docks.facts
        bridge.opened.connect(lambda _: view.set_open(opened=True))
        bridge.closed.connect(self._closed)
        bridge.frame_ready.connect(lambda result: view.show_frame(result.number))
        controller.documents_changed.connect(self._show_names)
        view.facts_changed.connect(self.solve)
        view.variable_requested.connect(self.make_variable)
        view.show_requested.connect(docks.find.show_requested)
        view.rejected.connect(lambda text: controller.said.emit(NoticeKind.WARNING, text))

    def _closed(self) -> None:
        self._docks.facts.set_open(opened=False)
        self._docks.all["facts"].header.note.clear()

    def _show_names(self, documents: Documents) -> None:
        self._docks.facts.set_taken_names(list(documents.variables))

    def solve(self, facts: str) -> None:
        """Find every address, type and scale that agrees with ``facts``, one a line."""
        view, note = self._docks.facts, self._docks.all["facts"].header.note
        if not facts:
            note.clear()
            view.show_answer(Answer((), 0, 0))
            return

        def work(session: Session) -> Answer:
            solution = session.timeline.query(facts, limit=_MOST_MATCHES)
            return Answer(solution.matches, solution.exact_count, solution.near_count)

        def done(answer: Answer) -> None:
            text = self.tr("{0} fit · {1} fail one fact")
            note.setText(text.format(f"{answer.exact_count:,}", f"{answer.near_count:,}"))
            view.show_answer(answer)

        self._bridge.ask(work, done, lambda error: view.show_problem(str(error)))

    def make_variable(self, name: str, match: Match) -> None:
        """Name what was found."""
        spec = VariableSpec(name, match.address, match.type)
        text = self.tr("“{0}” is a variable now").format(name)
        scale = str(match.scale)
        if scale:
            text += self.tr("; the screen shows it scaled ({0}): use that as its reward").format(
                scale
            )
        self._controller.put_variable(
            spec, lambda: self._controller.said.emit(NoticeKind.GOOD, text)
        )
