"""Proofs in the window: candidates poked in a hidden core, bytes that draw a marked place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject, QRect
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from integrator.domain.frames.observation import Box
from integrator.domain.values.datatype import DataType
from integrator.session.frame.result import FrameResult
from integrator.session.proof.picture import Rectangle
from integrator.session.proof.proof import ProofPlanner, ProofRun, Verdict
from integrator.session.proof.redraws import Redraw, RedrawSearch, prepare_redraws
from integrator.session.session import Session
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.find.facts.facts_view import FactsView
from integrator.ui.find.proof_card import ProofCard
from integrator.ui.find.proof_overlay import ProofOverlay
from integrator.ui.find.search.candidates_model import CandidateKey
from integrator.ui.find.search.find_controller import FindController
from integrator.ui.find.search.find_view import FindView
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.terms.proof_marks import mark_of, mark_of_redraw
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.docks import dock_of, is_in_sight
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted

_PLANNED_AT_ONCE = 8
"""Candidates whose moments are looked up between two frames."""


class Readable(Protocol):
    """An address and the data type there."""

    @property
    def address(self) -> int:
        """The first byte's address."""
        ...

    @property
    def type(self) -> DataType:
        """The data type of its bytes."""
        ...


class ProofController(QObject):
    """Runs proofs beside the game and shows their verdicts, in Find and in Facts."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: FindView,
        facts: FactsView,
        find: FindController,
        screen: ScreenPanel,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._view = view
        self._facts = facts
        self._find = find
        self.verdicts: dict[CandidateKey, Verdict] = {}
        self.background = Background(bridge, "proof", self)
        self.overlay = ProofOverlay(screen.game_screen, theme)
        self._frame = 0
        hint = self.tr("Drag over the digits on the screen: what draws them? · Esc to stop")
        self.tool = CropTool(screen.game_screen, hint)
        self.card = ProofCard(parent, theme)
        self._connect()

    def _connect(self) -> None:
        results, facts, background = self._view.results, self._facts, self.background
        for view in (results, facts):
            view.prove_requested.connect(self.prove)
        results.details_requested.connect(
            lambda each: self.show_card(each, results.current_place())
        )
        facts.details_requested.connect(
            lambda each: self.show_card(each, facts.table.current_place())
        )
        results.current_changed.connect(lambda: self.show_pixels(results.selected()))
        facts.current_changed.connect(lambda: self.show_pixels(facts.table.selected()))
        self._view.form.place_requested.connect(self.tool.begin)
        self.tool.drawn.connect(self.ask_place)
        for bar in (self._view.proof, facts.proof):
            background.progressed.connect(bar.show_progress)
            bar.cancel_requested.connect(self.cancel)
        background.busy_changed.connect(self._show_busy)
        for table in (results.table, facts.table):
            table.clicked.connect(self._show_again)
        for dock in (dock_of(self._view), dock_of(facts)):
            dock.visibilityChanged.connect(lambda _: self._clear_unseen())
        self._controller.run_state_changed.connect(self._clear_played)
        self._bridge.frame_ready.connect(self._note_frame)
        self._bridge.closed.connect(self._closed)

    def _closed(self) -> None:
        self.verdicts.clear()
        self.overlay.clear()
        self.tool.hide()

    # -- candidates ---------------------------------------------------------------------------

    def prove(self, candidates: Sequence[Readable]) -> None:
        """Poke candidates in a hidden core; verdicts come to their rows."""
        subjects = [(each.address, each.type) for each in candidates]
        if not subjects:
            return
        text = self.tr("Proving {0} in a hidden copy of the game").format(
            address_text(subjects[0][0]) if len(subjects) == 1 else len(subjects)
        )

        self._begin(text)
        self._bridge.ask(ProofPlanner, lambda planner: self._plan(planner, subjects), self._failed)

    def _plan(self, planner: ProofPlanner, subjects: Sequence[tuple[int, DataType]]) -> None:
        """Plan for a few at a time, so that no frame has to wait long; then run."""
        few, rest = subjects[:_PLANNED_AT_ONCE], subjects[_PLANNED_AT_ONCE:]

        def run(proof: ProofRun) -> None:
            self.background.start(
                lambda job: proof.run(job.progress, job.stopped), self._show, self._failed
            )

        def planned(_: None) -> None:
            if rest:
                self._plan(planner, rest)
            else:
                self._bridge.ask(lambda _: planner.planned(), run, self._failed)

        self._bridge.ask(lambda _: planner.add(few), planned, self._failed)

    def _show(self, verdicts: tuple[Verdict, ...]) -> None:
        for verdict in verdicts:
            self.verdicts[verdict.address, verdict.type.spec] = verdict
        marks = {(verdict.address, verdict.type.spec): mark_of(verdict) for verdict in verdicts}
        self._view.results.model.add_proofs(marks)
        self._facts.model.add_proofs(marks)
        current = self._view.results.selected()
        if self.verdict_of(current) is not None:
            self.show_pixels(current)
        elif verdicts:
            self.show_pixels(verdicts[0])

    def show_pixels(self, candidate: Readable | None) -> None:
        """Tint the pixels that a candidate draws, as far as its proof found them."""
        verdict = self.verdict_of(candidate)
        if verdict is None or verdict.drawn is None:
            self.overlay.clear()
            return
        text = counted(self.tr("{0} draws {1} pixel[|s]", None, verdict.pixels), verdict.pixels)
        label = text.format(address_text(verdict.address), f"{verdict.pixels:,}")
        self.overlay.show_pixels(verdict.drawn, label)

    def _show_again(self) -> None:
        """Tint what the clicked row draws, after it was cleared."""
        in_find = is_in_sight(self._view)
        self.show_pixels((self._view.results if in_find else self._facts.table).selected())

    def _clear_unseen(self) -> None:
        """Clear the picture when neither panel can be seen any more."""
        seen = is_in_sight(self._view) or is_in_sight(self._facts)
        if not seen and isValid(self.overlay):
            self.overlay.clear()

    def _clear_played(self, paused: bool, _speed: float) -> None:
        """Clear the picture when the game goes on: its pixels move."""
        if not paused:
            self.overlay.clear()

    def _note_frame(self, result: FrameResult) -> None:
        """Clear the tinted pixels when another frame is shown: they move, also in pause."""
        if result.number != self._frame:
            self._frame = result.number
            self.overlay.clear_pixels()

    def show_card(self, candidate: Readable, beside: QRect) -> None:
        """Show the verdict on a candidate with its reasons; without a proof, show nothing."""
        verdict = self.verdict_of(candidate)
        if verdict is not None:
            self.card.show_verdict(verdict, beside)

    def verdict_of(self, candidate: Readable | None) -> Verdict | None:
        """The verdict on a candidate, or None."""
        if candidate is None:
            return None
        return self.verdicts.get((candidate.address, candidate.type.spec))

    # -- the other way round ------------------------------------------------------------------

    def ask_place(self, crop: Box) -> None:
        """Look for the bytes that redraw this part of the picture; they become the candidates."""
        rectangle = Rectangle(*crop)

        def plan(session: Session) -> RedrawSearch:
            return prepare_redraws(session, rectangle)

        def run(search: RedrawSearch) -> None:
            self.overlay.show_rectangle(rectangle, self.tr("What draws this?"))
            self._begin(self.tr("Looking for what draws {0}").format(rectangle))
            self.background.start(
                lambda job: _redraws(search, job), self._show_redraws, self._failed
            )

        self._bridge.ask(plan, run, self._failed)

    def _show_redraws(self, redraws: tuple[Redraw, ...]) -> None:
        self.overlay.clear()
        if not redraws:
            self._controller.said.emit(
                NoticeKind.INFO,
                self.tr(
                    "Nothing was found that draws this place. It has to change now and then: play "
                    "until it does, and ask again."
                ),
            )
            return
        marks = {each.address: mark_of_redraw(each) for each in redraws}
        self._view.results.model.set_draws(marks)
        addresses = list(marks)
        self._find.search(lambda search: search.keep_at(addresses))

    # -- while a proof runs --------------------------------------------------------------------

    def cancel(self) -> None:
        """Stop soon; verdicts that were reached so far are shown."""
        self.background.stop_all()
        for bar in (self._view.proof, self._facts.proof):
            bar.ending()

    def _begin(self, text: str) -> None:
        for bar in (self._view.proof, self._facts.proof):
            bar.begin(text)

    def _show_busy(self, busy: bool) -> None:
        for bar in (self._view.proof, self._facts.proof):
            bar.setVisible(busy)

    def _failed(self, error: Exception) -> None:
        self.overlay.clear()
        self._show_busy(busy=False)
        self._controller.said.emit(NoticeKind.ERROR, str(error))


def _redraws(search: RedrawSearch, job: Job) -> tuple[Redraw, ...]:
    return search.run(job.progress, job.stopped)
