"""The Ends panel: frames on which episodes ended, and the done conditions that they tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from integrator.domain.ends.condition import EndCondition
from integrator.ui.find.ends.ends_models import ConditionsModel, MomentsModel, Runs
from integrator.ui.find.results.results_view import ResultsView
from integrator.ui.widgets.panels.parts import EmptyState, hbox, push_button, role_label
from integrator.ui.widgets.panels.table import DataTable
from integrator.ui.widgets.theme import SIZES, Theme

ACCEPTED_LABEL = "dead"
"""The label of a proposed end that the user accepts: most ends are deaths."""


class EndsView(ResultsView[EndCondition]):
    """``marked``: (frame, label) of an end; ``unmarked``: a frame that is none after all.

    ``propose_requested`` and ``find_requested``: look at what was played, for ends and for
    conditions. ``done_requested``: an EndCondition that is to end episodes. ``seek_requested``: a
    frame to look at.
    """

    marked = Signal(int, str)
    unmarked = Signal(int)
    propose_requested = Signal()
    find_requested = Signal()
    done_requested = Signal(object)
    seek_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "ends", ConditionsModel(theme))
        self.moments = MomentsModel(theme, self)
        self.moments.accepted.connect(lambda frame: self.marked.emit(frame, ACCEPTED_LABEL))
        self.moments.refused.connect(self.unmarked)
        self._build_ends()
        self._build_buttons()
        self._build_ui()
        self.set_open(opened=False)

    def _build_ends(self) -> None:
        self.ends = DataTable(self.tr("Ends of episodes"), self.moments)
        self.ends.set_widths((110, 160), stretch=1, whole=(0,))
        self.ends.setToolTip(self.tr("Check the frames on which an episode ends"))
        self.ends.doubleClicked.connect(
            lambda index: self.seek_requested.emit(self.moments.at(index.row()).frame)
        )

    def _build_buttons(self) -> None:
        icons = self._theme.icons
        self.propose = push_button(
            self.tr("Propose"),
            self.propose_requested.emit,
            self.tr(
                "Look for frames where lives fall, the picture goes black, the position jumps back "
                "or input stops mattering"
            ),
            icon=icons.icon("time"),
        )
        self.search = push_button(
            self.tr("Find"),
            self.find_requested.emit,
            self.tr("Look for tests that hold at the checked ends and never before"),
            icon=icons.icon("search"),
        )
        self.use = push_button(
            self.tr("Make done"),
            self.accept,
            self.tr("Add the selected condition to Done; Enter does the same"),
            "primary",
            icons.icon("done"),
        )
        self.hint = role_label(self.tr("Enter ends episodes on the row"), "secondary", wraps=True)

    def _build_ui(self) -> None:
        empty = EmptyState(
            self._theme,
            "done",
            self.tr("When does an episode end?"),
            self.tr(
                "Right-click the time slider where the player dies or wins, or let the program "
                "propose such moments. Then find the condition that holds there, and never before."
            ),
        )
        self._head = QFrame()
        margins = (SIZES.pad, 9, SIZES.pad, 6)
        hbox(self.propose, self.search, (self.hint, 1), None, on=self._head, margins=margins)
        self.foot.make.setProperty("role", None)
        self.foot.add(self.use)
        self.build(self.tr("Done conditions found"), self._head, empty)

    def _content(self) -> QWidget:
        tables = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        tables.addWidget(self.ends)
        tables.addWidget(self.table)
        return tables

    # -- shown state --------------------------------------------------------------------------

    def set_open(self, *, opened: bool) -> None:
        """Show that a game is open, or none."""
        self._head.setVisible(opened)
        self.forget()
        self.moments.propose((), ((0, 0),))
        self.show_marks({}, 60.0)
        self.show_conditions(())

    def show_marks(self, marked: Mapping[int, str], fps: float) -> None:
        """Show the marked ends, labels by frame; conditions of other marks go."""
        if self.moments.mark(marked, fps):
            self.show_conditions(())
        self._show_buttons()

    def show_line(self, runs: Runs) -> None:
        """Show the moments of the line with these runs."""
        self.moments.show_line(runs)
        self._show_buttons()

    def show_conditions(self, found: Sequence[EndCondition]) -> None:
        """Show conditions, the first of them selected."""
        self.model.show_groups([each] for each in found)
        if found:
            self.table.selectRow(0)
        self._show_buttons()

    def show_idle(self) -> None:
        """Look for one thing at a time."""
        idle = self.bar.isHidden()
        self.propose.setEnabled(idle)
        self.search.setEnabled(idle and bool(self.moments.marked))

    def _show_buttons(self) -> None:
        self.pages.show_content(self.moments.rowCount() > 0)
        found = self.model.rowCount() > 0
        self.hint.setVisible(found)
        self.foot.setVisible(found)
        self.show_idle()

    def accept(self) -> None:
        """Let the current condition end episodes."""
        found = self.table.selected()
        if found is not None:
            self.done_requested.emit(found)
