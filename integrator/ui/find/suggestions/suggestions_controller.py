"""Looks for likely variables beside the game, proves the best, and makes variables of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from integrator.domain.suggest.suggestion import KINDS, Suggestion
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.snapshot import Documents
from integrator.session.proof.proof import ProofRun, Verdict, prepare
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan, start_core
from integrator.session.suggestions.box import Box
from integrator.session.suggestions.pointing import PointRun
from integrator.session.suggestions.recorded_play import RecordedPlay
from integrator.session.suggestions.suggesting import SuggestRun
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.find.suggestions.suggestions_model import Suggested
from integrator.ui.find.suggestions.suggestions_view import SuggestionsView
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.screen.screen_view import ScreenView
from integrator.ui.terms.proof_marks import mark_of
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.docks import is_in_sight

_CURVE_POINTS = 100
_POINTED_PROVEN = 3
_SURE_ENOUGH = 0.2
"""A proof takes a moment, so that of a weak suggestion waits for the user."""


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """All that a look at recorded play needs, besides the session.

    ``early`` is told the job and what memory alone says, before the play has run again.
    """

    plan: SessionPlan
    recorded: RecordedPlay
    early: Callable[[Job, list[Suggested]], None]

    def answer(self, job: Job) -> list[Suggested] | None:
        """Suggestions with their curves; runs on a thread beside the game, in a hidden core.

        None when cancelled.
        """
        host, _ = start_core(self.plan)

        def tell(found: Sequence[Suggestion]) -> None:
            self.early(job, _with_curves(self.recorded, found))

        try:
            found = SuggestRun(self.recorded).run(host, job.progress, job.stopped, tell)
        finally:
            host.close()
        return None if job.stopped() else _with_curves(self.recorded, found)


@dataclass(frozen=True, slots=True, eq=False)
class _PointedAt:
    """All that an explanation of a box on the screen needs, besides the session."""

    plan: SessionPlan
    recorded: RecordedPlay
    box: Box

    def answer(self, job: Job) -> tuple[list[Suggested], bool]:
        """Numbers that explain the box, and false while too few digits were seen."""
        host, _ = start_core(self.plan)
        try:
            pointed = PointRun(self.recorded, self.box).look(host, job.stopped)
        finally:
            host.close()
        return _with_curves(self.recorded, pointed.suggestions), pointed.enough


def _with_curves(recorded: RecordedPlay, found: Sequence[Suggestion]) -> list[Suggested]:
    readings = [(each.address, each.type) for each in found]
    curves = recorded.numbers(readings, _CURVE_POINTS)
    return [
        Suggested(each, curve if each.mask is None else curve & each.mask)
        for each, curve in zip(found, curves, strict=True)
    ]


class SuggestionsController(QObject):
    """Everything that takes long runs on one thread, and can be cancelled."""

    _found_early = Signal(object, object)

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: SuggestionsView,
        screen: ScreenView,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._view = view
        self.background = Background(bridge, "suggestions", self)
        # From the wish for a proof until its work begins: no idle moment in which rows move.
        self._prepares_proof = False
        hint = self.tr("Drag a box round a number on the screen · Esc to stop")
        self.tool = CropTool(screen, hint)
        view.point_requested.connect(self.tool.begin)
        self.tool.drawn.connect(self.point)
        bridge.closed.connect(self.tool.hide)
        bridge.opened.connect(lambda _: view.set_open(opened=True))
        bridge.closed.connect(lambda: view.set_open(opened=False))
        bridge.closed.connect(lambda: self._prepare_proof(wanted=False))
        controller.follow(self._show_names, "variables")
        view.suggest_requested.connect(self.suggest)
        view.prove_requested.connect(self.prove)
        view.variable_requested.connect(self.make)
        view.rejected.connect(lambda text: controller.said.emit(NoticeKind.WARNING, text))
        view.proof.cancel_requested.connect(self._cancel)
        self.background.progressed.connect(view.proof.show_progress)
        self.background.busy_changed.connect(lambda _: self._show_busy())
        self._found_early.connect(self._show_early, Qt.ConnectionType.QueuedConnection)

    def _show_names(self, documents: Documents) -> None:
        self._view.set_variables(documents.variables)

    def suggest(self) -> None:
        """Look for likely variables in what was played."""

        def look(session: Session) -> _Asked:
            plan = session.game.plan.hidden()
            return _Asked(plan, session.recorded_play(), self._found_early.emit)

        def start(asked: _Asked) -> None:
            self._view.proof.begin(self.tr("Looking at what was played"))
            self.background.start(asked.answer, self._show, self._failed)

        self._bridge.ask(look, start, self._failed)

    def point(self, crop: tuple[int, int, int, int]) -> None:
        """Look for the numbers that explain a box on the screen."""

        def look(session: Session) -> _PointedAt:
            return _PointedAt(session.game.plan.hidden(), session.recorded_play(), Box(*crop))

        def start(asked: _PointedAt) -> None:
            self._view.proof.begin(self.tr("Looking for the number in the box"))
            self.background.start(asked.answer, self._show_pointed, self._failed)

        self._bridge.ask(look, start, self._failed)

    def _show_pointed(self, answer: tuple[list[Suggested], bool]) -> None:
        found, enough = answer
        self._show_rows(found)
        if not found:
            text = self.tr("No number explains that box: draw it close round the digits")
            self._controller.said.emit(NoticeKind.INFO, text)
        elif not enough:
            text = self.tr(
                "Few digits were seen in the box: play on until more were, and ask again"
            )
            self._controller.said.emit(NoticeKind.INFO, text)
        self.prove(found[:_POINTED_PROVEN])

    def _show_early(self, job: Job, found: list[Suggested]) -> None:
        """Show what memory alone says, until pictures and experiments have put it in order."""
        if not job.stopped():
            self._show_rows(found)

    def _show_rows(self, found: Sequence[Suggested]) -> None:
        """Show suggestions; while the game rests and nobody types, Enter takes the first."""
        self._view.show_rows(found)
        types = isinstance(QApplication.focusWidget(), QLineEdit | QPlainTextEdit)
        if found and self._controller.paused and is_in_sight(self._view) and not types:
            self._view.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, found: list[Suggested] | None) -> None:
        if found is None:
            return
        self._show_rows(found)
        if not found:
            text = self.tr("Nothing that was played looks like a score, lives or a position yet")
            self._controller.said.emit(NoticeKind.INFO, text)
        self.prove(
            [
                each
                for each in self._view.model.best()
                if KINDS[each.suggestion.kind].rewarded
                and each.suggestion.confidence >= _SURE_ENOUGH
            ]
        )

    def prove(self, suggested: Sequence[Suggested]) -> None:
        """Poke suggestions in a hidden core; verdicts come to their rows."""
        readings = [(each.address, each.type) for each in suggested]
        if not readings:
            return

        def run(proof: ProofRun) -> None:
            if self._prepares_proof:
                self.background.start(
                    lambda job: proof.run(job.progress, job.stopped),
                    self._show_proofs,
                    self._failed,
                )
                self._prepare_proof(wanted=False)

        self._view.proof.begin(self.tr("Proving the best in a hidden copy of the game"))
        self._prepare_proof(wanted=True)
        self._bridge.ask(lambda session: prepare(session, readings), run, self._failed)

    def _show_proofs(self, verdicts: tuple[Verdict, ...]) -> None:
        self._view.model.add_proofs(
            {(each.address, each.type.spec): mark_of(each) for each in verdicts}
        )

    def make(self, name: str, suggested: Suggested) -> None:
        """Add a variable of a suggestion."""
        spec = VariableSpec(name, suggested.address, suggested.type, suggested.suggestion.mask)
        text = self.tr("“{0}” is a variable now; reward it, or end the episode on it, in Score")
        told = text.format(name)
        self._controller.put_variable(
            spec, lambda: self._controller.said.emit(NoticeKind.GOOD, told)
        )

    def _cancel(self) -> None:
        self.background.stop_all()
        self._view.proof.ending()
        self._prepare_proof(wanted=False)

    def _prepare_proof(self, *, wanted: bool) -> None:
        self._prepares_proof = wanted
        self._show_busy()

    def _show_busy(self) -> None:
        busy = self.background.busy or self._prepares_proof
        self._view.proof.setVisible(busy)
        self._view.suggest.setEnabled(not busy)
        self._view.point.setEnabled(not busy)

    def _failed(self, error: Exception) -> None:
        self._prepare_proof(wanted=False)
        self._controller.said.emit(NoticeKind.ERROR, str(error))
