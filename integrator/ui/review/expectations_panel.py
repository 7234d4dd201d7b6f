"""The Expectations panel: numbers that movies must reach, checked after each edit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QInputDialog, QMenu, QPushButton

from integrator.domain.integration.expectations import Expectation, ExpectedKind
from integrator.session import expect as expecting
from integrator.session.edits.editor import Change
from integrator.session.edits.snapshot import Update
from integrator.session.expect import ExpectationResult
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.session.timeline.restorer import Progress, ReplayStopped
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Job, PanelTask
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.window_context import PanelView

ExpectationColumn = IntEnum("ExpectationColumn", "SUBJECT FRAMES MOVIE RESULT", start=0)


@dataclass(slots=True)
class _Entry:
    expected: Expectation | None
    verdict: ExpectationResult | None = None


class ExpectationsModel(ui.RowsModel[_Entry]):
    """One row for each entry of expectations.json, in the order of the file."""

    ink = "secondary"

    def set_verdict(self, verdict: ExpectationResult) -> None:
        at = verdict.index
        if at < len(self.rows) and self.rows[at].expected == verdict.expected:
            self.rows[at].verdict = verdict
            self.cells_changed(at)

    @property
    def verdicts(self) -> dict[int, ExpectationResult]:
        return {at: row.verdict for at, row in enumerate(self.rows) if row.verdict}

    @property
    def differing(self) -> dict[int, ExpectationResult]:
        return {at: each for at, each in self.verdicts.items() if each.frame is not None}

    def table(self) -> Sequence[ui.Column[_Entry]]:
        def frames(row: _Entry) -> str:
            ends = dict.fromkeys((row.expected.first, row.expected.last)) if row.expected else ()
            return "-".join(ui.grouped(end) for end in ends)

        def color(row: _Entry) -> str:
            return "bad" if row.verdict and not row.verdict.holds else "secondary"

        return (
            ui.Column(self.tr("expected"), self._subject, color="text", icon=self._icon),
            ui.Column(self.tr("frames"), frames),
            ui.Column(self.tr("movie"), lambda row: row.expected.movie if row.expected else ""),
            ui.Column(self.tr("result"), self.tip, color=color),
        )

    def tip(self, row: _Entry) -> str:
        if row.expected is None:
            return self.tr("the entry is no expectation")
        if row.verdict is None:
            return ""
        return self.tr("as expected") if row.verdict.holds else row.verdict.message

    def _icon(self, row: _Entry) -> str | None:
        if row.verdict is None and row.expected is not None:
            return None
        good = row.verdict is not None and row.verdict.holds
        return "check good" if good else "error bad"

    def _subject(self, row: _Entry) -> str:
        if (entry := row.expected) is None:
            return ""
        ended = self.tr("no frame") if entry.value is None else entry.value
        texts = {
            ExpectedKind.REWARDS: self.tr("rewards"),
            ExpectedKind.DONE: self.tr("done: {0}").format(ended),
            ExpectedKind.VARIABLE: f"{entry.name} = {entry.value}",
            ExpectedKind.TOTAL: self.tr("total {0}").format(entry.value),
        }
        return texts[entry.kind] + ("" if entry.player == 1 else f" (P{entry.player})")


class ExpectationsView(PanelView):
    """Expected numbers and their verdicts. While in sight, a hidden core replays the movies."""

    def _set_up(self) -> None:
        self.model = ExpectationsModel(self)
        self.progress = ui.ProofBar()
        self.table = ui.DataTable(self.tr("Expectations"), self.model)
        self.table.set_widths((150, 92, 104, 240), stretch=ExpectationColumn.RESULT)
        self.table.wrap_rows()
        for chosen in (self.table.clicked, self.table.activated):
            chosen.connect(lambda index: self._go_to(index.row()))
        ui.show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        tip = self.tr("Keep numbers of recorded frames; each edit is checked")
        self.expect = ui.configured(QPushButton(self.tr("Expect this")), toolTip=tip, icon="plus")
        ui.drop_menu(self.expect, self.fill_menu)
        tip = self.tr("Replay the movies in a hidden core, and compare")
        self.check = ui.push_button(self.tr("Check"), self.check_all, tip, icon="play")
        tip = self.tr("Expect the present values from now on; Undo goes back")
        self.accept = ui.push_button(self.tr("Accept all"), self.accept_rows, tip)
        row = ui.hbox(self.expect, None, self.check, self.accept, margins=(10, 6, 10, 4))
        self._fill(self.table, "check", "expectations", above=[row], below=[self.progress])
        for changed in (self.model.modelReset, self.model.dataChanged):
            changed.connect(self._show_counts)
        bridge, controller = self._bridge, self._controller
        self._replay = self._parts[TravelController].replay
        self._stale = False
        self.background = PanelTask(bridge, controller, "expectations", [self.progress], self)
        self._settle = ui.settle_timer(self, pause_ms=800, then=self._check_if_seen)
        self._sight.appeared.connect(self._check_if_seen)
        self._timeline.menu_opens.connect(lambda frame, menu: self._add_range(menu, frame))
        controller.follow(lambda shown: self._show(shown.expectations), "expectations")
        controller.follow(self._edited, "variables", "scenario", "scripts")

    def _show(self, entries: Sequence[Expectation | None]) -> None:
        self.model.show([_Entry(each) for each in entries])
        self.pages.show_content(bool(entries))
        self._edited()

    def _show_counts(self) -> None:
        self.check.setEnabled(bool(self.model.rows))
        self.accept.setEnabled(bool(self.model.differing))

    def row_menu(self, row: int) -> QMenu:
        menu = ui.RowMenu(self)
        add = partial(menu.add, enabled=row in self.model.differing)
        add(self.tr("Go to the first frame that differs"), lambda: self._go_to(row))
        add(self.tr("Accept the present value"), lambda: self.accept_rows(row))
        edit = self._controller.edit
        remove = partial(edit, lambda game: game.integration.expectations.remove([row]))
        menu.add(self.tr("Remove"), remove)
        return menu

    def _go_to(self, row: int) -> None:
        """Go to the first frame that differs, or otherwise to the last expected frame."""
        if (verdict := self.model.at(row).verdict) is not None:
            expected, go_to = verdict.expected, expecting.go_to
            movie, frame = expected.movie, verdict.frame or expected.last
            self._replay.go(lambda now, go_on: go_to(now, movie, frame, go_on), self._report)

    def _closed(self) -> None:
        self._show(())
        self._settle.stop()

    def _edited(self, *_: object) -> None:
        self._stale = len(self.model.rows) > 0
        self._settle.start()

    def _check_if_seen(self) -> None:
        if self._stale and self._bridge.is_open and self._sight:
            self.check_all()

    def check_all(self) -> None:
        self._stale = False
        self.background.drop_all()

        def look(session: Session) -> tuple[SessionPlan, tuple[Expectation | None, ...]]:
            return session.game.plan.hidden(), session.integration.expectations.entries

        def work(seen: tuple[SessionPlan, tuple[Expectation | None, ...]], job: Job) -> None:
            for verdict in expecting.check_hidden(*seen, job.stopped):
                job.give(verdict)

        text, show = self.tr("Replaying in a hidden core"), self.model.set_verdict
        self.background.run(text, look, work, self._finish, show)

    def _finish(self, _: None) -> None:
        verdicts = self.model.verdicts.values()
        wrong = sum(not verdict.holds for verdict in verdicts)
        text = self.tr("{0} of {1} differ").format(wrong, len(verdicts)) if wrong else ""
        self._dock.header.note.setText(text)

    def accept_rows(self, *rows: int) -> None:
        """Expect the current values of these rows, or of all rows, as one edit."""
        differing = self.model.differing
        values = {row: differing[row].actual for row in rows or differing if row in differing}
        if values:
            self._controller.edit(lambda game: game.integration.expectations.accept(values))

    def fill_menu(self, menu: QMenu) -> None:
        facts, documents = self._timeline.facts, self._controller.documents
        if facts is None or not facts.length or documents is None:
            menu.addAction(self.tr("Play something first")).setEnabled(False)
            return
        frame = self._timeline.value()
        self._add_range(menu, frame)
        variables = menu.addMenu(self.tr("A variable on frame {0}").format(ui.grouped(frame)))
        for name in documents.variables:
            variables.addAction(name, partial(self._expect_here, variable=name))
        menu.addAction(self.tr("The total that the screen shows…"), lambda: self._ask_total(frame))

    def _add_range(self, menu: QMenu, frame: int) -> None:
        if (facts := self._timeline.facts) is None or not facts.length:
            return
        first, last = self._timeline.range or facts.run_of(frame)
        text = self.tr("Expect this: rewards, done and total of frames {0} to {1}")
        expect = partial(self.expect_frames, first, last)
        menu.addAction(text.format(ui.grouped(first), ui.grouped(last)), expect)

    def _expect_here(self, *, variable: str = "", total: float | None = None) -> None:
        facts, frame = self._timeline.facts, self._timeline.value()
        if facts is not None:
            self.expect_frames(facts.run_of(frame)[0], frame, variable=variable, total=total)

    def _ask_total(self, frame: int) -> None:
        text = self.tr("The number that the screen shows on frame {0}:").format(ui.grouped(frame))
        title, limits = self.tr("Expected total"), (0.0, -(2**31), 2**31)
        value, given = QInputDialog.getDouble(self._window, title, text, *limits, decimals=3)
        if given:
            self._expect_here(total=value)

    def expect_frames(
        self, first: int, last: int, *, variable: str = "", total: float | None = None
    ) -> None:
        make = partial(expecting.expect_range, first=first, last=last)
        self._make(partial(make, variable=variable, total=total))

    def expect_movie(self, path: Path) -> None:
        self._make(partial(expecting.expect_movie, path=path))

    def _make(self, make: Callable[..., Change]) -> None:
        self._bridge.pause()

        def work(session: Session, progress: Progress) -> tuple[Update | None, FrameResult | None]:
            try:
                return Update.of(session.game, make(session, progress=progress)), session.last
            except ReplayStopped:
                return None, session.last  # the frame that the replay has reached

        def done(answer: tuple[Update | None, FrameResult | None]) -> None:
            update, last = answer
            if last is not None:
                self._bridge.show(last)
            if update is not None:
                self._controller.show(update)
                self._dock.come_forward()

        self._replay.ask(work, done, self._report)
