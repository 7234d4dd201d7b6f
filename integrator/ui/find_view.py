"""The Find panel: say what the number on the screen did, look at what is left, name it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from integrator.domain.errors import IntegratorError
from integrator.domain.search import Search
from integrator.domain.search_results import Candidate
from integrator.ui.find_chips import StepChips
from integrator.ui.find_options import FindOptions
from integrator.ui.find_status import (
    AGAINST,
    MEMORY_OPS,
    STEP_OPS,
    TWO_VALUES,
    VALUE_OPS,
    SearchCommand,
    SearchStatus,
)
from integrator.ui.flow_layout import FlowLayout
from integrator.ui.models.candidates_model import CandidateColumn, CandidatesModel
from integrator.ui.models.fields import address_text, parse_name, parse_number
from integrator.ui.panels import DataTable, EmptyOr, EmptyState, role_label, set_role
from integrator.ui.theme import SIZES, Theme

_FORECAST_MS = 150

__all__ = ["FindView", "SearchCommand", "SearchStatus"]


class FindView(QWidget):
    """Builds comparisons, shows candidates. ``command_requested``: what to do to the search.

    ``rule_requested``: the op to make after every frame; ``forecast_requested``: (op, value,
    against); ``show_requested``: an address to look at in memory.
    """

    command_requested = Signal(object)
    variable_requested = Signal(str, object)
    rule_requested = Signal(str)
    stop_requested = Signal()
    forecast_requested = Signal(str, object, object)
    show_requested = Signal(int)
    rejected = Signal(str)
    status_changed = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._taken: frozenset[str] = frozenset()
        self._status: SearchStatus | None = None
        self._wrong_field: QLineEdit
        self.model = CandidatesModel(theme, self)
        self._build_fields()
        self._build_table()
        self._build_ui()
        self._op_changed()
        self.set_open(opened=False)

    # -- what it shows ----------------------------------------------------------------------

    def set_open(self, *, opened: bool) -> None:
        """Whether a game is open, and so memory to search."""
        self._controls.setVisible(opened)
        self._footer.setVisible(opened)
        if not opened:
            self._status = None
            self.model.set_candidates(())
        self._show_page()

    def set_taken_names(self, names: Sequence[str]) -> None:
        """Names that variables have already."""
        self._taken = frozenset(names)
        self._check_make()

    def show_status(self, status: SearchStatus) -> None:
        """Show a search after something was done to it."""
        self._status = status
        self.model.set_candidates(status.candidates if status.steps else ())
        self.chips.show_steps(status.steps)
        self.undo.setEnabled(bool(status.steps))
        self._show_page()
        if self.model.rowCount():
            self.table.selectRow(0)
        self._check_make()
        self.status_changed.emit(status)

    def set_redo(self, *, possible: bool) -> None:
        """Whether something was undone that can be done again."""
        self.redo.setEnabled(possible)

    def visible_candidates(self) -> tuple[int, list[Candidate]]:
        """First row in sight and the candidates from there on."""
        if not self.model.rowCount() or not self.table.isVisible():
            return 0, []
        first = max(0, self.table.rowAt(0))
        last = self.table.rowAt(self.table.viewport().height() - 1)
        last = self.model.rowCount() - 1 if last < 0 else last
        return first, [self.model.candidate(row) for row in range(first, last + 1)]

    def selected(self) -> Candidate | None:
        """The candidate of the current row."""
        index = self.table.currentIndex()
        return self.model.candidate(index.row()) if index.isValid() else None

    # -- building ---------------------------------------------------------------------------

    def _build_fields(self) -> None:
        self.op = QComboBox()
        self.op.setAccessibleName(self.tr("Comparison"))
        for key, text in VALUE_OPS:
            self.op.addItem(self.tr(text), key)
        self.op.currentIndexChanged.connect(self._op_changed)
        self.value = self._number_field(self.tr("Value"), self.tr("number on the screen"))
        self.second = self._number_field(self.tr("Second value"), self.tr("and"))
        self.search = QPushButton(self.tr("Search"))
        set_role(self.search, "primary")
        self.search.setToolTip(self.tr("Keep the addresses that fit (Enter)"))
        self.search.clicked.connect(self._refine_by_value)
        self.memory_buttons: dict[str, QPushButton] = {}
        for key, text, tip in MEMORY_OPS:
            button = QPushButton(self.tr(text))
            set_role(button, "chip")
            button.setToolTip(self.tr(tip))
            button.clicked.connect(lambda _=False, op=key: self._compare(op))
            button.installEventFilter(self)
            self.memory_buttons[key] = button
        self.against = QComboBox()
        self.against.setProperty("role", "quiet")
        self.against.setAccessibleName(self.tr("Compare with"))
        for key, text in AGAINST:
            self.against.addItem(self.tr(text), key)
        self.against.setToolTip(
            self.tr("The memory that changed, increased and so on are compared with")
        )
        self.each_frame = QPushButton(self.tr("each frame"))
        set_role(self.each_frame, "chip")
        self.each_frame.setCheckable(True)
        self.each_frame.setToolTip(
            self.tr(
                "Press this, then a comparison: it is made after every frame until you stop it. "
                "“unchanged” while nothing happens throws out everything that moves."
            )
        )
        self.more = QToolButton()
        self.more.setIcon(self._theme.icons.icon("dots"))
        self.more.setProperty("role", "flat")
        self.more.setCheckable(True)
        self.more.setToolTip(self.tr("Addresses, scales, snapshots, saved searches"))
        self.more.setAccessibleName(self.tr("More about the search"))
        self.options = FindOptions(self._theme)
        self.options.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.options.hide()
        self.options.rejected.connect(self.show_problem)
        self.options.command_requested.connect(self.command_requested)
        self.more.toggled.connect(self.options.setVisible)
        self.rule = QPushButton()
        set_role(self.rule, "chip")
        self.rule.setCheckable(True)
        self.rule.setChecked(True)
        self.rule.setToolTip(self.tr("Stop comparing after every frame"))
        self.rule.hide()
        self.rule.clicked.connect(self.stop_requested)
        self.forecast = role_label("", "faint")
        self.forecast.hide()
        self._ask_forecast = QTimer(self)
        self._ask_forecast.setSingleShot(True)
        self._ask_forecast.setInterval(_FORECAST_MS)
        self._ask_forecast.timeout.connect(self._forecast_value)
        self.error = role_label("", "bad")
        self.error.setWordWrap(True)
        self.error.hide()

    def _number_field(self, name: str, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(name)
        field.setPlaceholderText(hint)
        field.returnPressed.connect(self._refine_by_value)
        field.textEdited.connect(lambda _: self._show_error(None, field))
        field.textEdited.connect(lambda _: self._ask_forecast.start())
        return field

    def _build_table(self) -> None:
        self.table = DataTable(self.tr("Candidates"))
        self.table.setModel(self.model)
        self.table.setMinimumHeight(60)
        self.table.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        self.table.set_widths((116, 74, 74, 104, 104, 74), stretch=CandidateColumn.CHANGES)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._check_make())
        self.model.modelReset.connect(self._check_make)
        self.table.doubleClicked.connect(lambda _: self.name.setFocus())
        self.table.customContextMenuRequested.connect(self._open_menu)
        self._idle = EmptyState(
            self._theme,
            "search",
            self.tr("What does the screen say?"),
            self.tr(
                "Type the score you see and press Search. Play until it changes, pause, "
                "and search again: a few rounds leave one address."
            ),
        )
        self.pages = EmptyOr(self._idle, self.table)

    def _build_footer(self) -> QFrame:
        footer = QFrame()
        footer.setObjectName("PanelFooter")
        icons = self._theme.icons
        self.undo = QPushButton(self.tr("Undo"))
        self.undo.setIcon(icons.icon("undo"))
        self.undo.clicked.connect(lambda: self.command_requested.emit(Search.undo))
        self.redo = QPushButton(icons.icon("redo"), "")
        self.redo.setToolTip(self.tr("Redo"))
        self.redo.setAccessibleName(self.tr("Redo"))
        self.redo.clicked.connect(lambda: self.command_requested.emit(Search.redo))
        self.fresh = QPushButton(self.tr("New"))
        self.fresh.setToolTip(self.tr("Begin the search anew"))
        self.fresh.clicked.connect(lambda: self.command_requested.emit(Search.reset))
        self.undo.setEnabled(False)
        self.redo.setEnabled(False)
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("name, such as score"))
        self.name.setAccessibleName(self.tr("Name of the new variable"))
        self.name.setMaximumWidth(170)
        self.name.textChanged.connect(self._check_make)
        self.name.returnPressed.connect(self._make_variable)
        self.make = QPushButton(self.tr("Make variable"))
        set_role(self.make, "primary")
        self.make.clicked.connect(self._make_variable)
        row = QHBoxLayout(footer)
        row.setContentsMargins(SIZES.pad, 9, SIZES.pad, 9)
        row.setSpacing(7)
        for widget in (self.undo, self.redo, self.fresh):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.name, 2)
        row.addWidget(self.make)
        return footer

    def _build_ui(self) -> None:
        self._controls = QWidget()
        column = QVBoxLayout(self._controls)
        column.setContentsMargins(SIZES.pad, 10, SIZES.pad, 8)
        column.setSpacing(8)
        first = QHBoxLayout()
        first.setSpacing(7)
        first.addWidget(self.op)
        first.addWidget(self.value, 2)
        first.addWidget(self.second, 1)
        first.addWidget(self.search)
        second = QWidget()
        second.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        flow = FlowLayout(second)
        for button in self.memory_buttons.values():
            flow.addWidget(button)
        flow.addWidget(self.against)
        flow.addWidget(self.each_frame)
        first.addWidget(self.more)
        self.chips = StepChips()
        self.chips.command_requested.connect(self.command_requested)
        column.addLayout(first)
        column.addWidget(second)
        column.addWidget(self.options)
        column.addWidget(self.rule)
        column.addWidget(self.forecast)
        column.addWidget(self.error)
        column.addWidget(self.chips)
        self._footer = self._build_footer()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._controls)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self._footer)

    # -- what the user does -----------------------------------------------------------------

    def _op_changed(self) -> None:
        self.second.setVisible(self.op.currentData() in TWO_VALUES)

    def _numbers(self, op: str) -> object:
        """What was typed for an op. Raises FieldError; the field at fault gets the focus."""
        numbers = []
        for field in [self.value, self.second] if op in TWO_VALUES else [self.value]:
            try:
                numbers.append(parse_number(field.text()))
            except IntegratorError:
                self._wrong_field = field
                raise
        return tuple(numbers) if op in TWO_VALUES else numbers[0]

    def _refine_by_value(self) -> None:
        op = str(self.op.currentData())
        try:
            value = self._numbers(op)
        except IntegratorError as error:
            self._show_error(str(error), self._wrong_field)
            self._wrong_field.setFocus()
            return
        self._refine(op, value)

    def _compare(self, op: str) -> None:
        if self.each_frame.isChecked():
            self.each_frame.setChecked(False)
            self.rule_requested.emit(op)
        else:
            self._refine(op, None)

    def _refine(self, op: str, value: object) -> None:
        self._show_error(None, self.value)
        self.forecast.hide()
        against = self._against(op)
        self.command_requested.emit(lambda search: search.refine(op, value, against=against))
        self.value.selectAll()

    def _against(self, op: str) -> str | None:
        """The memory an op compares with; None for one that compares with a number."""
        memory = op in self.memory_buttons or op in STEP_OPS
        return str(self.against.currentData()) if memory else None

    # -- how many would be left -----------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Pointing at a comparison says what it would leave."""
        if event.type() is QEvent.Type.Enter:
            for op, button in self.memory_buttons.items():
                if watched is button and self._status is not None and self._status.steps:
                    self.forecast_requested.emit(op, None, self._against(op))
        elif event.type() is QEvent.Type.Leave:
            self.forecast.hide()
        return super().eventFilter(watched, event)

    def _forecast_value(self) -> None:
        op = str(self.op.currentData())
        if not self.value.text():
            self.forecast.hide()
            return
        try:
            value = self._numbers(op)
        except IntegratorError:
            return  # said when it is used
        self.forecast_requested.emit(op, value, self._against(op))

    def show_forecast(self, op: str, count: int) -> None:
        """How many candidates a comparison would leave."""
        text = self.tr("“{0}” would leave {1} now").format(op, f"{count:,}")
        self.forecast.setText(text)
        self.forecast.show()

    def show_rule(self, op: str | None) -> None:
        """The comparison that is made after every frame; None: there is none."""
        self.rule.setVisible(op is not None)
        self.rule.setChecked(True)
        self.rule.setText(self.tr("{0} on each frame · stop").format(op))

    def show_problem(self, text: str) -> None:
        """A comparison was refused: say so beside the field."""
        self._show_error(text, self.value)

    def _show_error(self, text: str | None, field: QLineEdit) -> None:
        self.error.setText(text or "")
        self.error.setVisible(text is not None)
        for each in (self.value, self.second):
            wrong = text is not None and each is field
            if each.property("invalid") != wrong:
                each.setProperty("invalid", wrong)
                each.style().unpolish(each)
                each.style().polish(each)

    def _show_page(self) -> None:
        status = self._status
        searched = status is not None and bool(status.steps)
        if searched and status is not None and status.count == 0:
            self._idle.heading.setText(self.tr("Nothing fits any more"))
            self._idle.text.setText(
                self.tr(
                    "Undo the last step: the game may keep the number in another form or moment."
                )
            )
        else:
            self._idle.heading.setText(self.tr("What does the screen say?"))
            self._idle.text.setText(
                self.tr(
                    "Type the score you see and press Search. Play until it changes, pause, "
                    "and search again: a few rounds leave one address."
                )
            )
        self.pages.show_content(searched and self.model.rowCount() > 0)

    def _check_make(self) -> None:
        name = self.name.text().strip()
        reason = self._name_problem(name) if name else None
        self.name.setProperty("invalid", reason is not None)
        self.name.style().unpolish(self.name)
        self.name.style().polish(self.name)
        self.name.setToolTip(reason or "")
        text = self.tr("Make variable “{0}”").format(name) if name else self.tr("Make variable")
        self.make.setText(text)
        self.make.setEnabled(bool(name) and reason is None and self.selected() is not None)

    def _name_problem(self, name: str) -> str | None:
        try:
            parse_name(name, self._taken)
        except IntegratorError as error:
            return str(error)
        return None

    def _make_variable(self) -> None:
        candidate = self.selected()
        name = self.name.text().strip()
        problem = self._name_problem(name)
        if problem is not None:
            self.rejected.emit(problem)
        elif candidate is None:
            self.rejected.emit(
                self.tr("Select the candidate that becomes “{0}” first").format(name)
            )
        else:
            self.variable_requested.emit(name, candidate)
            self.name.clear()

    def row_menu(self, row: int) -> QMenu:
        """What can be done with a candidate."""
        candidate = self.model.candidate(row)
        menu = QMenu(self)
        text = address_text(candidate.address)
        icons = self._theme.icons
        make = menu.addAction(icons.icon("variable"), self.tr("Make variable…"))
        make.triggered.connect(lambda: self.name.setFocus())
        show = menu.addAction(icons.icon("memory"), self.tr("Show in memory"))
        show.triggered.connect(lambda: self.show_requested.emit(candidate.address))
        menu.addSeparator()
        drop = menu.addAction(self.tr("Exclude {0}").format(text))
        width = candidate.type.width
        drop.triggered.connect(
            lambda: self.command_requested.emit(lambda s: s.exclude(candidate.address, width))
        )
        copy = menu.addAction(self.tr("Copy address {0}").format(text))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(text))
        return menu

    def _open_menu(self, where: QPoint) -> None:
        index = self.table.indexAt(where)
        if index.isValid():
            self.table.setCurrentIndex(index)
            menu = self.row_menu(index.row())
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.table.viewport().mapToGlobal(where))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough for the candidate table."""
        return QSize(560, 420)

    def focus_value(self) -> None:
        """Put the cursor where the number is typed."""
        self.value.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.value.selectAll()
