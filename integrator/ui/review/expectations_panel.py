"""The Expectations panel: each number that a movie has to give, green or red after each edit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QInputDialog, QMenu, QPushButton, QWidget

from integrator.domain.integration.expectations import Expectation, ExpectedKind
from integrator.session.edits.commands import accept_values, remove_expectations
from integrator.session.edits.editor import Change
from integrator.session.edits.snapshot import Documents, Update
from integrator.session.expect import (
    ExpectationResult,
    Wanted,
    check_beside,
    expect_movie,
    expect_range,
    go_to,
)
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.background import Job, PanelTask
from integrator.ui.desk import PanelController
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.widgets.fields import settle_timer
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    ProofBar,
    hbox,
    push_button,
    stack,
)
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.theme import Theme

ExpectationColumn = IntEnum("ExpectationColumn", "SUBJECT FRAMES MOVIE RESULT", start=0)


@dataclass(slots=True)
class _Entry:
    expected: Expectation | None
    verdict: ExpectationResult | None = None


class ExpectationsModel(RowsModel[_Entry]):
    """A row an entry of expectations.json, in the file's order."""

    def set_verdict(self, verdict: ExpectationResult) -> None:
        at = verdict.index
        if at < len(self.rows) and self.rows[at].expected == verdict.expected:
            self.rows[at].verdict = verdict
            self.cells_changed(at)

    @property
    def differing(self) -> dict[int, ExpectationResult]:
        return {at: each for at, each in self.verdicts.items() if each.frame is not None}

    @property
    def verdicts(self) -> Mapping[int, ExpectationResult]:
        return {at: row.verdict for at, row in enumerate(self.rows) if row.verdict is not None}

    def table(self) -> Sequence[Column[_Entry]]:
        return (
            Column(self.tr("expected"), self._subject, color=lambda _row: None, icon=self._icon),
            Column(self.tr("frames"), _frames),
            Column(self.tr("movie"), lambda row: row.expected.movie if row.expected else ""),
            Column(self.tr("result"), self.tip, color=self._result_color),
        )

    def color(self, _row: _Entry) -> str:
        return self._theme.colors.secondary

    def tip(self, row: _Entry) -> str:
        if row.expected is None:
            return self.tr("the entry is no expectation")
        if row.verdict is None:
            return ""
        return self.tr("as expected") if row.verdict.holds else row.verdict.message

    def _result_color(self, row: _Entry) -> str:
        colors = self._theme.colors
        return colors.bad if row.verdict and not row.verdict.holds else colors.secondary

    def _icon(self, row: _Entry) -> QIcon | None:
        if row.verdict is None and row.expected is not None:
            return None
        good = row.verdict is not None and row.verdict.holds
        return self._theme.icons.icon("check" if good else "error", "good" if good else "bad")

    def _subject(self, row: _Entry) -> str:
        entry = row.expected
        if entry is None:
            return ""
        ended = self.tr("no frame") if entry.value is None else entry.value
        texts = {
            ExpectedKind.REWARDS: self.tr("rewards"),
            ExpectedKind.DONE: self.tr("done: {0}").format(ended),
            ExpectedKind.VARIABLE: f"{entry.name} = {entry.value}",
            ExpectedKind.TOTAL: self.tr("total {0}").format(entry.value),
        }
        player = "" if entry.player == 1 else f" (P{entry.player})"
        return texts[entry.kind] + player


def _frames(row: _Entry) -> str:
    entry = row.expected
    if entry is None:
        return ""
    return f"{entry.last:,}" if entry.first == entry.last else f"{entry.first:,}-{entry.last:,}"


class ExpectationsView(QWidget):
    """The expected numbers and their verdicts.

    ``place_requested`` gives a verdict to go to; ``accept_requested`` and ``remove_requested``
    give rows, ``check_requested`` asks for a replay, ``menu_opens`` fills *Expect this*.
    """

    place_requested = Signal(object)
    accept_requested = Signal(object)
    remove_requested = Signal(object)
    check_requested = Signal()
    menu_opens = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.model = ExpectationsModel(theme, self)
        self.progress = ProofBar(theme)
        self.table = DataTable(self.tr("Expectations"), self.model)
        self.table.set_widths((150, 92, 104, 240), stretch=ExpectationColumn.RESULT)
        self.table.wrap_rows()
        self.table.clicked.connect(self._go)
        self.table.activated.connect(self._go)
        show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        self.expect = QPushButton(theme.icons.icon("plus"), self.tr("Expect this"))
        self.expect.setToolTip(self.tr("Keep numbers of recorded frames; each edit is checked"))
        menu = QMenu(self.expect)
        menu.aboutToShow.connect(menu.clear)
        menu.aboutToShow.connect(lambda: self.menu_opens.emit(menu))
        self.expect.setMenu(menu)
        self.check = push_button(
            self.tr("Check"),
            self.check_requested.emit,
            self.tr("Replay the movies in a hidden core, and compare"),
            icon=theme.icons.icon("play"),
        )
        self.accept = push_button(
            self.tr("Accept all"),
            lambda: self.accept_requested.emit(list(self.model.differing)),
            self.tr("Expect the present values from now on; Undo goes back"),
        )
        empty = EmptyState(
            theme,
            "check",
            self.tr("Nothing is expected yet"),
            self.tr(
                "Play a movie, or choose a range of the time slider; Expect this keeps its "
                "rewards, done and total, and each edit is checked against them."
            ),
        )
        self.pages = EmptyOr(empty, self.table)
        row = hbox(self.expect, None, self.check, self.accept, margins=(10, 6, 10, 4))
        stack(self, row, self.pages, self.progress, grows=self.pages)
        for changed in (self.model.modelReset, self.model.dataChanged):
            changed.connect(self._show_counts)

    def show_entries(self, entries: Sequence[Expectation | None]) -> None:
        self.model.show([_Entry(each) for each in entries])
        self.pages.show_content(bool(entries))

    def _show_counts(self) -> None:
        self.check.setEnabled(bool(self.model.rows))
        self.accept.setEnabled(bool(self.model.differing))

    def row_menu(self, row: int) -> QMenu:
        menu, verdict = RowMenu(self._theme, self), self.model.at(row).verdict
        differs = row in self.model.differing
        go = self.tr("Go to the first frame that differs")
        menu.add(go, lambda: self.place_requested.emit(verdict), enabled=differs)
        accept = self.tr("Accept the present value")
        menu.add(accept, lambda: self.accept_requested.emit([row]), enabled=differs)
        menu.add(self.tr("Remove"), lambda: self.remove_requested.emit([row]))
        return menu

    def _go(self, index: QModelIndex) -> None:
        verdict = self.model.at(index.row()).verdict
        if verdict is not None:
            self.place_requested.emit(verdict)


_SETTLE_MS = 800
_MOST_TOTAL = 2**31 - 1


class ExpectationsController(PanelController[ExpectationsView]):
    """Replays in a hidden core, only while the panel can be seen."""

    def _set_up(self) -> None:
        bridge, controller, view = self._bridge, self._controller, self._view
        self._stale = False
        self.background = PanelTask(bridge, controller, "expectations", [view.progress], self)
        self._settle = settle_timer(self, _SETTLE_MS, self._check_if_seen)
        view.check_requested.connect(self.check)
        view.accept_requested.connect(self.accept)
        view.remove_requested.connect(lambda rows: controller.edit(remove_expectations(rows)))
        view.place_requested.connect(self.go)
        view.menu_opens.connect(self.fill_menu)
        self._sight.appeared.connect(self._check_if_seen)
        self._timeline.menu_opens.connect(lambda frame, menu: self._add_range(menu, frame))
        controller.follow(self._show, "expectations")
        controller.follow(lambda _: self._edited(), "variables", "scenario", "scripts")

    def _closed(self) -> None:
        self._settle.stop()
        self._view.show_entries(())
        self._dock.header.note.clear()

    def _show(self, documents: Documents) -> None:
        self._view.show_entries(documents.expectations)
        self._edited()

    def _edited(self) -> None:
        self._stale = len(self._view.model.rows) > 0
        self._settle.start()

    def _check_if_seen(self) -> None:
        if self._stale and self._bridge.is_open and is_in_sight(self._view):
            self.check()

    def check(self) -> None:
        self._stale = False
        self.background.drop_all()

        def look(session: Session) -> tuple[SessionPlan, tuple[Expectation | None, ...]]:
            return session.game.plan.hidden(), session.integration.expectations.entries

        def work(seen: tuple[SessionPlan, tuple[Expectation | None, ...]], job: Job) -> None:
            for verdict in check_beside(*seen, job.stopped):
                job.give(verdict)

        text = self.tr("Replaying in a hidden core")
        show = self._view.model.set_verdict
        self.background.run(text, look, work, lambda _: self._finish(), show)

    def _finish(self) -> None:
        verdicts = self._view.model.verdicts.values()
        wrong = sum(not verdict.holds for verdict in verdicts)
        text = self.tr("{0} of {1} differ").format(wrong, len(verdicts)) if wrong else ""
        self._dock.header.note.setText(text)

    def accept(self, rows: list[int]) -> None:
        """Expect the present values of these rows, as one edit."""
        differing = self._view.model.differing
        values = {row: differing[row].actual for row in rows if row in differing}
        if values:
            self._controller.edit(accept_values(values))

    def go(self, verdict: ExpectationResult) -> None:
        """Stand at the first frame that differs, or else at the last that is expected."""
        frame = verdict.frame or verdict.expected.last
        self._bridge.go(
            lambda session: go_to(session, verdict.expected.movie, frame), otherwise=self._report
        )

    def fill_menu(self, menu: QMenu) -> None:
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
        self._make(lambda session: expect_range(session, first, last, wanted))

    def expect_movie(self, path: Path) -> None:
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

        self._bridge.ask(work, done, self._report)
