"""Checks the expectations of the open integration after each edit, beside the game."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from integrator.domain.integration.expectations import Expectation
from integrator.session.edits.change import Change
from integrator.session.edits.commands import accept_values, remove_expectations
from integrator.session.edits.snapshot import Documents, Update
from integrator.session.expect.compare import ExpectationResult
from integrator.session.expect.making import Wanted, expect_movie, expect_range, go_to
from integrator.session.expect.replay import check_expectations
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.background import Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.bridge.sight import Sight
from integrator.ui.bridge.task import PanelTask
from integrator.ui.review.expectations_view import ExpectationsView
from integrator.ui.time_slider.timeline_view import TimelineView
from integrator.ui.widgets.panels.docks import is_in_sight

_SETTLE_MS = 800
_MOST_TOTAL = 2**31 - 1


class ExpectationsController(PanelController[ExpectationsView]):
    """Replays in a hidden core, only while the panel can be seen."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: ExpectationsView,
        timeline: TimelineView,
        parent: QWidget,
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._timeline = timeline
        self._window = parent
        self._stale = False
        self.background = PanelTask(bridge, controller, "expectations", [view.progress], self)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._check_if_seen)
        self._connect()

    def _connect(self) -> None:
        view, controller = self._view, self._controller
        view.check_requested.connect(self.check)
        view.accept_requested.connect(self.accept)
        view.remove_requested.connect(lambda rows: controller.edit(remove_expectations(rows)))
        view.place_requested.connect(self.go)
        view.menu_opens.connect(self.fill_menu)
        Sight(self._bridge, view).appeared.connect(self._check_if_seen)
        self._timeline.menu_opens.connect(lambda frame, menu: self._add_range(menu, frame))
        controller.follow(self._show, "expectations")
        controller.follow(lambda _: self._edited(), "variables", "scenario", "scripts")
        self._bridge.closed.connect(self._closed)

    def _closed(self) -> None:
        self._settle.stop()
        self._view.show_entries(())
        self._view.progress.hide()
        self._dock.header.note.clear()

    def _show(self, documents: Documents) -> None:
        self._view.show_entries(documents.expectations)
        self._edited()

    def _edited(self) -> None:
        self._stale = len(self._view.model.rows) > 0
        self._settle.start()

    # -- checking -----------------------------------------------------------------------------

    def _check_if_seen(self) -> None:
        if self._stale and self._bridge.is_open and is_in_sight(self._view):
            self.check()

    def check(self) -> None:
        """Replay the movies by the present documents."""
        self._stale = False
        self.background.drop_all()

        def look(session: Session) -> tuple[SessionPlan, tuple[Expectation | None, ...]]:
            return session.game.plan.hidden(), session.integration.expectations.entries

        def work(seen: tuple[SessionPlan, tuple[Expectation | None, ...]], job: Job) -> None:
            plan, entries = seen

            def new_session(players: int) -> Session:
                return Session(plan.for_players(players))

            for verdict in check_expectations(
                plan.integration.directory, entries, new_session, plan.systems, job.stopped
            ):
                job.give(verdict)

        text = self.tr("Replaying in a hidden core")
        self.background.run(text, look, work, lambda _: self._finish(), self._view.show_verdict)

    def _finish(self) -> None:
        verdicts = self._view.model.verdicts.values()
        wrong = sum(not verdict.holds for verdict in verdicts)
        text = self.tr("{0} of {1} differ").format(wrong, len(verdicts)) if wrong else ""
        self._dock.header.note.setText(text)

    # -- accepting ----------------------------------------------------------------------------

    def accept(self, rows: list[int]) -> None:
        """Expect the present values of these rows, as one edit."""
        verdicts = self._view.model.verdicts
        values = {row: verdicts[row].actual for row in rows if verdicts[row].frame is not None}
        if values:
            self._controller.edit(accept_values(values))

    def go(self, verdict: ExpectationResult) -> None:
        """Stand at the first frame that differs, or else at the last that is expected."""
        frame = verdict.frame or verdict.expected.last
        self._bridge.pause()

        def work(session: Session) -> FrameResult:
            return go_to(session, session.integration.directory / verdict.expected.movie, frame)

        self._bridge.ask(work, self._bridge.show, self.background.fail)

    # -- making -------------------------------------------------------------------------------

    def fill_menu(self, menu: QMenu) -> None:
        """Offer the numbers of the chosen range, or of the run of play around this frame."""
        facts, documents = self._timeline.facts, self._controller.documents
        if facts is None or not facts.length or documents is None:
            menu.addAction(self.tr("Play something first")).setEnabled(False)
            return
        frame = self._timeline.position
        self._add_range(menu, frame)
        variables = menu.addMenu(self.tr("A variable on frame {0}").format(f"{frame:,}"))
        for name in documents.variables:
            wanted = Wanted(variable=name)
            variables.addAction(name, partial(self._expect_here, wanted))
        menu.addAction(self.tr("The total that the screen shows…"), lambda: self._ask_total(frame))

    def _add_range(self, menu: QMenu, frame: int) -> None:
        facts = self._timeline.facts
        if facts is None or not facts.length:
            return
        first, last = self._timeline.range or facts.run_of(frame)
        text = self.tr("Expect this: rewards, done and total of frames {0} to {1}")
        menu.addAction(text.format(f"{first:,}", f"{last:,}"), lambda: self.expect(first, last))

    def _expect_here(self, wanted: Wanted) -> None:
        facts, frame = self._timeline.facts, self._timeline.position
        if facts is not None:
            self.expect(facts.run_of(frame)[0], frame, wanted)

    def _ask_total(self, frame: int) -> None:
        title = self.tr("Expected total")
        text = self.tr("The number that the screen shows on frame {0}:").format(f"{frame:,}")
        value, given = QInputDialog.getDouble(
            self._window, title, text, 0.0, -_MOST_TOTAL, _MOST_TOTAL, 3
        )
        if given:
            self._expect_here(Wanted(total=value))

    def expect(self, first: int, last: int, wanted: Wanted | None = None) -> None:
        """Keep the numbers of a range as expectations."""
        self._make(lambda session: expect_range(session, first, last, wanted))

    def expect_movie(self, path: Path) -> None:
        """Run a movie to its end, and keep its numbers."""
        self._make(lambda session: expect_movie(session, path))

    def _make(self, make: Callable[[Session], Change]) -> None:
        self._bridge.pause()

        def work(session: Session) -> tuple[Update, FrameResult | None]:
            return Update.of(session.game, make(session)), session.last

        def done(answer: tuple[Update, FrameResult | None]) -> None:
            self._controller.show(answer[0])
            if answer[1] is not None:
                self._bridge.show(answer[1])
            self._dock.come_forward()

        self._bridge.ask(work, done, self.background.fail)
