"""The Ends panel: marked or proposed ends of episodes, and done conditions that fit them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QMenu, QSplitter

from integrator.domain.ends.marks import EndCondition, EndMoment, undecided
from integrator.domain.query.rank import Reading
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.timeline.line import FIRST_RUN, PlayedFrame, Runs
from integrator.session.edits import commands as edits
from integrator.session.session import Session
from integrator.session.suggestions.hidden_look import END_LABELS, marked_ends
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui
from integrator.ui.find.results_model import ResultColumn, ResultLine, ResultsModel
from integrator.ui.find.results_view import ResultsView

Searched = tuple[PlayedFrame, dict[int, str]]


def _ends(session: Session) -> dict[int, str]:
    return marked_ends(session.timeline.markers())


class EndRow(NamedTuple):
    """A frame at which an episode ends: marked with ``label``, or proposed for ``reason``."""

    frame: int
    label: str
    reason: str


class EndMomentsModel(ui.RowsModel[EndRow]):
    """Rows of ends. ``ticked`` is called with (frame, on) when the user marks or unmarks an end."""

    ticked: Callable[[int, bool], object]
    fps = 60.0

    @property
    def marked(self) -> tuple[int, ...]:
        return tuple(row.frame for row in self.rows if row.label)

    def table(self) -> Sequence[ui.Column[EndRow]]:
        return (
            ui.Column(
                self.tr("end"),
                lambda row: f"{row.frame}  ·  {ui.clock_text(row.frame, self.fps)}",
                ticked=lambda row: bool(row.label),
            ),
            ui.Column(
                self.tr("sign"),
                lambda row: ", ".join(filter(None, (self.label_text(row.label), row.reason))),
            ),
        )

    def tick(self, row: int, *, on: bool) -> None:
        """Mark or unmark an end; the row changes later, when the mark has been set or removed."""
        self.ticked(self.at(row).frame, on)

    def label_text(self, label: str) -> str:
        said = {"dead": self.tr("dead"), "won": self.tr("won"), "level done": self.tr("level done")}
        return said.get(label, label)


class ConditionsModel(ResultsModel[EndCondition]):
    """One row for each done condition, the most likely one first."""

    def table(self) -> Sequence[ResultColumn[EndCondition]]:
        tip = self.tr("A test of memory that may end the episode, likeliest first")
        met = self.tr("Checked ends at which the condition holds")
        alarms = self.tr("Times that the condition holds where no end is near")
        late = self.tr("Frames from the mark to the first frame on which it holds")
        of = self.tr("{0} of {1}")

        def met_text(line: ResultLine[EndCondition]) -> str:
            return of.format(sum(each is not None for each in line.item.late), len(line.item.late))

        def alarms_text(line: ResultLine[EndCondition]) -> str:
            return str(len(line.item.false_alarms))

        def alarms_color(line: ResultLine[EndCondition]) -> str:
            return "bad" if line.item.false_alarms else "good"

        def late_text(line: ResultLine[EndCondition]) -> str:
            return f"{line.item.frames_late:+}" if line.item.frames_late else "0"

        first = {"tip": lambda line: self._alike(line.item), "title_tip": tip, "stretch": True}
        false = {"color": alarms_color, "tip": self._alarm_tip, "title_tip": alarms}
        return (
            self.column(self.tr("condition"), lambda line: str(line.item), 260, **first),
            self.column(self.tr("ends met"), met_text, 72, title_tip=met),
            self.column(self.tr("false alarms"), alarms_text, 92, name="alarms", **false),
            self.column(self.tr("frames late"), late_text, 86, name="late", title_tip=late),
            self.address(spare=2),
            self.type(spare=1),
            self.verdict(spare=0 if self._proofs else 3),
        )

    def reading(self, item: EndCondition) -> Reading:
        return Reading(item.tests[0].address, item.tests[0].type, PLAIN)

    def _alarm_tip(self, line: ResultLine[EndCondition]) -> str:
        if not (alarms := line.item.false_alarms):
            return self._alike(line.item)
        frames = ", ".join(map(str, alarms[:8]))
        return self.tr("It also holds from frame {0} on, where no end is near").format(frames)

    def _alike(self, each: EndCondition) -> str:
        """Return a text that counts other conditions that hold on the same recorded frames."""
        alike = self.tr(
            "{0} more condition[ holds|s hold] on the same recorded frames", None, each.alike
        )
        return ui.counted(alike, each.alike).format(each.alike) if each.alike else str(each)


class EndsView(ResultsView[EndCondition]):
    """Shows ends, which are marks of the time slider, and finds conditions that fit them."""

    def _set_up(self) -> None:
        self._make_list("ends", ConditionsModel())
        self.background = self._own_task("ends")
        self.moments = EndMomentsModel(self)
        # A tick marks an end as a death, because most ends are deaths.
        asks, seek = self._requests, self._timeline.setValue
        mark, unmark = asks.mark.emit, asks.unmark.emit
        self.moments.ticked = lambda frame, on: mark(frame, "dead") if on else unmark(frame)
        self.ends = ui.DataTable(self.tr("Ends of episodes"), self.moments)
        self.ends.set_widths((110, 160), stretch=1, whole=(0,))
        self.ends.setToolTip(self.tr("Check the frames on which an episode ends"))
        self.ends.doubleClicked.connect(lambda index: seek(self.moments.at(index.row()).frame))
        tip = self.tr(
            "Look for frames where lives fall, the picture goes black, the position jumps back "
            "or input stops mattering"
        )
        self.propose = ui.push_button(self.tr("Propose"), self._propose, tip, icon="time")
        tip = self.tr("Look for tests that hold at the checked ends and never before")
        self.search = ui.push_button(self.tr("Find"), self._search, tip, icon="search")
        tip = self.tr("Add the selected condition to Done; Enter does the same")
        self.use = ui.push_button(self.tr("Make done"), self.accept, tip, "primary", icon="done")
        self.hint = ui.role_label("", "secondary", wraps=True)
        head, margins = QFrame(), (ui.SIZES.pad, 9, ui.SIZES.pad, 6)
        ui.hbox(self.propose, self.search, (self.hint, 1), None, on=head, margins=margins)
        self.make.setProperty("role", None)
        self._foot_row.addWidget(self.use)
        self.content = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        for table in (self.ends, self.table):
            self.content.addWidget(table)
        self.build(head, self.tr("Done conditions found"), "done", "ends")
        self._timeline.menu_opens.connect(self.add_to_menu)
        self._controller.timeline_moved.connect(self._show_facts)

    def set_open(self, *, opened: bool) -> None:
        super().set_open(opened=opened)
        self._marks: dict[int, str] = {}
        self._proposed: dict[PlayedFrame, str] = {}
        self._runs = FIRST_RUN
        # The newest frame of the line that the conditions were tested on, and its marked ends.
        self._searched: Searched = PlayedFrame(0, 0), {}
        self._show_ends()
        self._show_conditions(())

    def _show_facts(self, facts: TimelineFacts) -> None:
        game = self._controller.game
        self.moments.fps = game.fps if game is not None else 60.0
        self._runs, self._marks = facts.runs, marked_ends(facts.markers)
        # On another line, or with other ends, the conditions may hold elsewhere.
        newest, ends = self._searched
        if self.model.rowCount() and not (facts.runs.has(newest) and ends == self._marks):
            self._show_conditions(())
        self._show_ends()

    def _show_ends(self) -> None:
        """Show marks, and those proposed moments that lie on the current line of play."""
        here = self._runs.has
        proposed = {each.frame: why for each, why in self._proposed.items() if here(each)}
        marks, frames = self._marks, sorted({*proposed, *self._marks})
        rows = [EndRow(at, marks.get(at, ""), proposed.get(at, "")) for at in frames]
        self.moments.show_changed(rows)
        self._show_buttons()

    def _show_conditions(self, found: Sequence[EndCondition]) -> None:
        self.model.show_groups([each] for each in found)
        if found:
            self.table.selectRow(0)
        many = undecided(found)
        text = self.tr("{0} conditions fit the checked ends; check a third to choose")
        self.hint.setText(text.format(many) if many else self.tr("Enter ends episodes on the row"))
        self._show_buttons()

    def show_idle(self) -> None:
        idle = self.bar.isHidden()
        self.propose.setEnabled(idle)
        self.search.setEnabled(idle and bool(self.moments.marked))

    def _show_buttons(self) -> None:
        self.show_found(found=self.model.rowCount() > 0)
        self.hint.setVisible(self.model.rowCount() > 0)
        # The pages contain the list of ends too, so they are shown even without a condition.
        self.pages.show_content(self.moments.rowCount() > 0)
        self.show_idle()

    def add_to_menu(self, frame: int, menu: QMenu) -> None:
        menu.addSeparator()
        if frame in self.moments.marked:
            menu.addAction(
                self.tr("No episode ends here"), lambda: self._requests.unmark.emit(frame)
            )
            return
        ends = menu.addMenu(self.tr("An episode ends here"))
        for label in END_LABELS:
            mark = partial(self._requests.mark.emit, frame, label)
            ends.addAction(self.moments.label_text(label), mark)

    def _propose(self) -> None:
        self.background.run(
            self.tr("Looking for ends in what was played"),
            lambda session: (
                session.hidden_look(),
                dict(session.integration.variables),
                session.timeline.log.runs,
            ),
            lambda seen, job: (seen[0].moments(seen[1], job.stopped), seen[2]),
            self._show_moments,
        )

    def _show_moments(self, found: tuple[list[EndMoment], Runs]) -> None:
        moments, runs = found
        self._proposed = {runs.played(each.frame): each.reason for each in moments}
        self._show_ends()
        self._show_conditions(())
        if not moments:
            text = self.tr("Nothing that was played looks like an end; mark it on the time slider")
            self._inform(text)

    def _search(self) -> None:
        self.background.run(
            self.tr("Looking for conditions that hold only there"),
            lambda now: (now.ends_run(), (now.timeline.log.newest, _ends(now))),
            lambda seen, _: (seen[0].run(), seen[1]),
            self._show_tested,
        )

    def _show_tested(self, tested: tuple[list[EndCondition], Searched]) -> None:
        """Show conditions if they are about the session's line, which may have been cut since."""
        found, self._searched = tested
        newest, ends = self._searched
        self._bridge.ask(
            lambda now: now.timeline.log.runs.has(newest) and ends == _ends(now),
            lambda same: self._show_conditions(found if same else ()),
        )

    def accept(self) -> None:
        if (row := self.table.currentIndex().row()) >= 0:
            self.make_done(self.model.item(row))

    def make_done(self, condition: EndCondition) -> None:
        """Add a done condition; bytes in it that have no name become new variables."""
        named = edits.name_bytes(condition, self._controller.variables)
        text = self.tr("Episodes end now when {0}").format(named)
        fresh = (test for test in named.tests if test not in condition.tests)
        if new := [f"{test.spec.name} (0x{test.address:X})" for test in fresh]:
            text += self.tr("; new in Variables: {0}").format(", ".join(new))
        self._controller.edit(edits.add_done_condition(condition), lambda: self._announce(text))
