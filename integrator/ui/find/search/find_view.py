"""The Find panel: compare numbers on the screen, look at the candidates, name one."""

import html
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton

from integrator.domain.query.behaviour import Reading
from integrator.domain.query.rank import MOST_GROUPED, groups_of
from integrator.domain.search.order import RowOrder, SortBy
from integrator.domain.search.results import Candidate
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.domain.values.variables import Neighbours, VariableSpec
from integrator.session.searches import SearchCommand, SearchStatus
from integrator.ui.find.results_model import Folds, Pages, ResultColumn, ResultLine, ResultsModel
from integrator.ui.find.results_view import ResultsView
from integrator.ui.find.search.find_form import FindForm
from integrator.ui.terms import agreement, wrap_warning
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.parts import EmptyState, push_button
from integrator.ui.widgets.table import RowMenu
from integrator.ui.widgets.texts import bits_text
from integrator.ui.widgets.theme import Theme

CandidateColumn = IntEnum(
    "CandidateColumn", "ADDRESS TYPE SCALE VALUE PREVIOUS CHANGES AGE NEAR PROOF", start=0
)


def _number_text(number: float) -> str:
    """A number as a cell shows it: floats with seven digits, the precision of four bytes."""
    return str(number) if isinstance(number, int) else f"{number:.7g}"


class CandidatesModel(ResultsModel[Candidate]):
    """Rows over an immutable sequence of candidates, with live values laid over them."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._candidates: Sequence[Candidate] = ()
        self.grouped = False
        self._neighbours = Neighbours({})

    def table(self) -> Sequence[ResultColumn[Candidate]]:
        faint = self.tint("faint")
        last, quiet = self.tr("last search"), self.tr("quiet for")
        previous = self.tr("The number at the last step of the search")
        changes = self.tr("How many times it changed from frame to frame")
        age = self.tr("Frames since it changed")
        near = self.tr(
            "The variable at this address, or the nearest one with the distance in bytes"
        )
        return (
            self.address(80),
            self.type(60),
            self.scale(62, "secondary"),
            self.number(
                self.tr("value"),
                lambda line: _number_text(line.item.value),
                56,
                color=self._value_color,
                name="value",
                whole=True,
            ),
            self.number(
                # A line for each word: the columns are as narrow as their numbers.
                last.replace(" ", "\n"),
                lambda line: _number_text(line.item.previous),
                70,
                previous,
                color=faint,
                spare=2,
            ),
            self.number(
                self.tr("changes"),
                lambda line: str(line.item.changes),
                72,
                changes,
                color=faint,
                spare=3,
            ),
            self.number(
                quiet.replace(" ", "\n"),
                lambda line: "" if line.item.age < 0 else str(line.item.age),
                60,
                age,
                color=faint,
                name="age",
                spare=1,
            ),
            ResultColumn(
                self.tr("variable"),
                lambda line: self._neighbours.text(line.item.address, line.item.type.width),
                color=self.tint("secondary"),
                title_tip=near,
                name="near",
                width=104,
            ),
            self.verdict(112, stretch=True),
        )

    def set_candidates(self, candidates: Sequence[Candidate]) -> None:
        self._candidates = candidates
        grouped = self.grouped and len(candidates) <= MOST_GROUPED
        self.show(Folds(groups_of(candidates)) if grouped else Pages(candidates))

    def set_grouped(self, grouped: bool) -> None:
        self.grouped = grouped
        self.set_candidates(self._candidates)

    def set_live(self, first: int, present: Sequence[Candidate]) -> None:
        """New numbers of the rows from ``first`` on, if they still show these candidates."""
        for row, fresh in zip(range(first, len(self.rows)), present, strict=False):
            shown = self.item(row)
            same = (shown.address, shown.type_text) == (fresh.address, fresh.type_text)
            if same and fresh != shown:
                self.put(row, fresh, "value", "age")

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        self._neighbours = Neighbours(variables)
        self.column_changed("near")

    def reading(self, item: Candidate) -> Reading:
        return Reading(item.address, item.type, item.scale, item.mask, item.real)

    def _address_text(self, line: ResultLine[Candidate]) -> str:
        text = super()._address_text(line)
        if not isinstance(self.rows, Folds) or line.is_member:
            return f"   {text}" if line.is_member else text
        sign = "▾" if line.unfolded else "▸"
        return f"{sign if line.others else ' '} {text}"

    def _proof_text(self, line: ResultLine[Candidate]) -> str:
        return super()._proof_text(line) or self._agreement(line, agreement)

    def _scale_tip(self, item: Candidate) -> str | None:
        if not str(item.scale):
            return None
        text = self.tr("The screen shows {0} when memory holds {1}")
        return text.format(item.shown, item.value)

    def _type_tip(self, item: Candidate) -> str:
        if item.real is not None:
            return self.tr(
                "Floating-point number of four bytes. data.json has no such type: a variable "
                "holds the bytes, and a script makes the number of them."
            )
        if item.mask is None:
            return super()._type_tip(item)
        text = self.tr("{0} of the byte: a variable of it has the mask {1} (0x{1:X})")
        return text.format(bits_text(item.mask), item.mask)

    def _warning(self, item: Candidate) -> str:
        if item.mask is not None or item.real is not None:
            return ""
        return wrap_warning(item.type, max(item.value, item.previous, item.first))

    def _value_color(self, line: ResultLine[Candidate]) -> str | None:
        colors, item = self._theme.colors, line.item
        if item.value == item.previous:
            return None
        return colors.good if item.value > item.previous else colors.bad


SORTS: Final = dict(zip(CandidateColumn, SortBy, strict=False))
"""The columns by which rows can be sorted."""


class FindView(ResultsView[Candidate]):
    """Form and candidates. ``command_requested``: a command to run on the search.

    ``order_changed``: the rows are wanted in another ``order``; ``status_changed``: a SearchStatus
    that is shown; ``note_changed``: rich text for the panel's header.
    """

    command_requested = Signal(object)
    order_changed = Signal()
    status_changed = Signal(object)
    note_changed = Signal(str)

    def __init__(self, theme: Theme) -> None:
        self.candidates = CandidatesModel(theme)
        super().__init__(theme, "find", self.candidates)
        self.status: SearchStatus | None = None
        self.form = FindForm(theme)
        self.form.command_requested.connect(self.command_requested)
        self.form.forecast_changed.connect(self._show_count)
        self.form.options.grouped.toggled.connect(self.set_grouped)
        theme.changed.connect(self._show_count)
        self._build_tools()
        self._build_table()
        self._idle = EmptyState(theme, "search", "", "")
        self.build(self.tr("Candidates"), self.form, self._idle)
        self.set_open(opened=False)

    def _build_tools(self) -> None:
        def tool(text: str, command: SearchCommand, tip: str, icon: str = "") -> QPushButton:
            picture = self._theme.icons.icon(icon) if icon else None
            return push_button(
                text, partial(self.command_requested.emit, command), tip, icon=picture
            )

        self.undo = tool("", Search.undo, self.tr("Undo"), "undo")
        self.redo = tool("", Search.redo, self.tr("Redo"), "redo")
        self.fresh = tool(self.tr("New"), Search.reset, self.tr("Begin the search anew"))
        self.foot.add(self.undo, self.redo, self.fresh, at=0)
        self.foot.name.setMaximumWidth(170)
        self.foot.name.textChanged.connect(self._show_name)

    def _build_table(self) -> None:
        self.table.setMinimumHeight(60)
        self._folds = self.table.add_fold_keys("find")
        self.set_grouped(grouped=False)
        # Plain numbers stand before those with hypotheses about their scale.
        self._sorted = (int(CandidateColumn.SCALE), Qt.SortOrder.AscendingOrder)
        header = self.table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(*self._sorted)
        header.sortIndicatorChanged.connect(self._sort)

    def set_open(self, *, opened: bool) -> None:
        super().set_open(opened=opened)
        self.foot.setVisible(opened)
        if not opened:
            self.status = None
            self.form.begin_anew()
            for button in (self.undo, self.redo):
                button.setEnabled(False)
        self._show_rows()

    def set_grouped(self, grouped: bool) -> None:
        self.candidates.set_grouped(grouped)
        # Without groups, the keys move the cursor as in any table.
        for action in self._folds:
            action.setEnabled(grouped)
        if self.candidates.rowCount():
            self.table.selectRow(0)

    def show_status(self, status: SearchStatus) -> None:
        self.status = status
        self._show_rows()
        self.form.chips.show_steps(status.steps)
        self.form.searched = bool(status.steps)
        self.undo.setEnabled(bool(status.steps))
        self._show_count()
        self.status_changed.emit(status)

    def _show_rows(self) -> None:
        status = self.status if self.status and self.status.steps else None
        row = max(0, self.table.currentIndex().row())
        self.candidates.set_candidates(status.candidates if status else ())
        rows = self.candidates.rowCount()
        self._show_hint(status.steps[-1] if status and not status.count else None)
        self.pages.show_content(rows > 0)
        if rows:
            self.table.selectRow(row if row < rows else 0)

    def _show_hint(self, failed: SearchStep | None) -> None:
        """Say what to do; ``failed`` is a step that left nothing."""
        if failed is None:
            heading = self.tr("What does the screen say?")
            text = self.tr(
                "Type the score you see and press Search. Play until it changes, pause, "
                "and search again: a few rounds leave one address."
            )
        else:
            heading = self.tr("Nothing fits any more")
            text = (
                self.tr(
                    "Undo the last step, play until the number has changed, and compare again: "
                    "this step compares with memory at the step before, or at the beginning."
                )
                if failed.against == "previous"
                else self.tr(
                    "Undo the last step: the game may keep the number in another form or moment."
                )
            )
        self._idle.say(heading, text)

    def _show_count(self) -> None:
        """Say in the header how much was searched, and how much is left or would be."""
        if self.form.forecast or self.status is None:
            self.note_changed.emit(html.escape(self.form.forecast))
            return
        size, types, left = self.status.ram_bytes, self.status.types, self.status.count
        text = self.tr("{0} addresses × {1} types → <b style='color:{2}'>{3}</b>")
        self.note_changed.emit(
            text.format(f"{size:,}", types, self._theme.colors.good, f"{left:,}")
        )

    def _show_name(self, text: str) -> None:
        name = text.strip()
        made = self.tr("Make variable “{0}”").format(name) if name else self.tr("Make variable")
        self.foot.make.setText(made)

    @property
    def order(self) -> RowOrder:
        column, direction = self._sorted
        descending = direction is Qt.SortOrder.DescendingOrder
        return RowOrder(SORTS[CandidateColumn(column)], descending=descending)

    def _sort(self, column: int, direction: Qt.SortOrder) -> None:
        if CandidateColumn(column) not in SORTS:
            self.table.horizontalHeader().setSortIndicator(*self._sorted)
        elif (column, direction) != self._sorted:
            self._sorted = (column, direction)
            self.order_changed.emit()

    def _add_to_menu(self, menu: RowMenu, found: Reading) -> None:
        def exclude(search: Search) -> object:
            return search.exclude(found.address, found.type.width)

        drop = self.tr("Exclude {0}").format(address_text(found.address))
        menu.add(drop, lambda: self.command_requested.emit(exclude))
        header, titles = self.table.horizontalHeader(), Qt.Orientation.Horizontal
        sort = menu.addMenu(self.tr("Sort by"))
        present, direction = self._sorted
        for column in SORTS:
            action = sort.addAction(self.candidates.headerData(column, titles))
            action.setCheckable(True)
            action.setChecked(column == present)
            # The present column's turns the order around, as a click on the header does.
            turned = column == present and direction is Qt.SortOrder.AscendingOrder
            order = Qt.SortOrder.DescendingOrder if turned else Qt.SortOrder.AscendingOrder
            action.triggered.connect(partial(header.setSortIndicator, int(column), order))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(560, 420)
