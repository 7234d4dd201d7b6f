"""The upper part of the Find panel: comparisons to make, once or while the game runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.domain.search.operators import OPERATORS
from integrator.session.searches.status import Compare
from integrator.ui.find.search.find_chips import StepChips
from integrator.ui.find.search.find_options import FindOptions
from integrator.ui.widgets.fields import parse_number
from integrator.ui.widgets.panels.parts import (
    hbox,
    line_edit,
    push_button,
    role_label,
    set_trait,
    vbox,
)
from integrator.ui.widgets.room.flow_box import FlowBox
from integrator.ui.widgets.theme import SIZES, Theme

_FORECAST_MS = 150
_ONCE = "once"


class FindForm(QWidget):
    """Builds comparisons. ``command_requested``: a command to run on the search.

    ``rule_requested``: (op, when) to compare while the game runs; ``forecast_requested``: a Compare
    to try; ``place_requested``: mark a part of the screen, to find the addresses that draw it;
    ``forecast_changed``: the ``forecast`` is another text, or empty.
    """

    command_requested = Signal(object)
    rule_requested = Signal(str, str)
    stop_requested = Signal()
    forecast_requested = Signal(object)
    place_requested = Signal()
    forecast_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._searched = False
        self.forecast = ""
        self._wrong_field: QLineEdit
        self._build_value()
        self._build_memory()
        self._build_rest()
        self._build_ui()
        self._op_changed()

    # -- shown state ------------------------------------------------------------------------

    def begin_anew(self) -> None:
        """Show the form as at first: another game knows nothing of the last one's search."""
        self._ask_forecast.stop()
        self._tell_forecast("")
        self.show_problem(None)
        for field in (self.value, self.second, self.frame):
            field.clear()
        for choice in (self.op, self.against, self.when):
            choice.setCurrentIndex(0)
        self.show_rule(None)
        self.show_searched(searched=False)
        self.chips.show_steps(())
        self.options.begin_anew()

    def show_searched(self, *, searched: bool) -> None:
        """Show that the search has begun, so that memory can be compared, or has not."""
        self._searched = searched

    def show_forecast(self, op: str, count: int) -> None:
        """Show the number of candidates that a comparison would leave."""
        self._tell_forecast(self.tr("“{0}” would leave {1} now").format(op, f"{count:,}"))

    def _tell_forecast(self, text: str) -> None:
        self.forecast = text
        self.forecast_changed.emit()

    def show_rule(self, op: str | None, when: str = "frame") -> None:
        """Show the comparison that is made while the game runs, if any."""
        self.rule.setVisible(op is not None)
        self.rule.setChecked(True)
        texts = {
            "frame": self.tr("{0} on each frame · stop"),
            "idle": self.tr("{0} while no button is held · stop"),
            "press": self.tr("{0} from press to release · stop"),
        }
        self.rule.setText(texts[when].format(op or ""))

    def show_problem(self, text: str | None, field: QLineEdit | None = None) -> None:
        """Show beside the field why its text was refused; None clears it."""
        self.error.setText(text or "")
        self.error.setVisible(text is not None)
        for each in (self.value, self.second, self.frame):
            set_trait(each, "invalid", text is not None and each is (field or self.value))

    # -- building ---------------------------------------------------------------------------

    def _build_value(self) -> None:
        self.op = QComboBox()
        self.op.setAccessibleName(self.tr("Comparison"))
        for each in OPERATORS.values():
            if each.operands:
                self.op.addItem(self.tr(each.words), each.name)
        self.op.currentIndexChanged.connect(self._op_changed)
        self.value = self._number_field(self.tr("Value"), self.tr("number on the screen"))
        self.second = self._number_field(self.tr("Second value"), self.tr("and"))
        self.search = push_button(
            self.tr("Search"),
            self._refine_by_value,
            self.tr("Keep the addresses that fit (Enter)"),
            "primary",
        )
        self.place = self._tool("marquee", self.tr("Which addresses draw this?"))
        self.place.setToolTip(
            self.tr("Which addresses draw this? Mark the digits on the screen to find out")
        )
        self.place.clicked.connect(self.place_requested)
        self.more = self._tool("dots", self.tr("More about the search"))
        self.more.setCheckable(True)
        self.more.setToolTip(self.tr("Addresses, scales, snapshots, saved searches"))
        self.options = FindOptions(self._theme)
        self.options.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.options.hide()
        self.options.rejected.connect(self.show_problem)
        self.options.command_requested.connect(self.command_requested)
        self.more.toggled.connect(self.options.setVisible)

    def _build_memory(self) -> None:
        self.memory_buttons: dict[str, QPushButton] = {}
        for each in OPERATORS.values():
            if each.operands:
                continue
            compare = partial(self._compare, each.name)
            button = push_button(self.tr(each.words), compare, self.tr(each.tip), "chip")
            button.installEventFilter(self)
            self.memory_buttons[each.name] = button
        self.against = self._quiet_choice(self.tr("Compare with"))
        for key, text in (
            ("previous", self.tr("since last search")),
            ("first", self.tr("since the start")),
            ("snapshot", self.tr("since snapshot")),
            ("last-frame", self.tr("since last frame")),
            ("frame", self.tr("since frame…")),
        ):
            self.against.addItem(text, key)
        self.against.setToolTip(self.tr("The earlier memory for “changed”, “increased” and so on"))
        self.frame = line_edit(self.tr("Frame to compare with"), self.tr("frame"))
        self.frame.setFixedWidth(72)
        self.frame.hide()
        self.frame.textEdited.connect(lambda _: self.show_problem(None))
        self.against.currentIndexChanged.connect(
            lambda _: self.frame.setVisible(self.against.currentData() == "frame")
        )
        self.when = self._quiet_choice(self.tr("When to compare"))
        for at, (key, text, tip) in enumerate(self._times()):
            self.when.addItem(text, key)
            self.when.setItemData(at, tip, Qt.ItemDataRole.ToolTipRole)
        self.when.setToolTip(
            self.tr(
                "Once, or by itself while you play: choose when, then press a comparison. "
                "“unchanged” on frames without buttons throws out numbers that move alone; "
                "“increased” from press to release finds what a button raises."
            )
        )

    def _times(self) -> tuple[tuple[str, str, str], ...]:
        """Times to compare, their texts and meanings; the first is by hand."""
        return (
            (_ONCE, self.tr("once"), self.tr("Compare now")),
            ("frame", self.tr("each frame"), self.tr("After every frame, with the one before")),
            (
                "idle",
                self.tr("no buttons"),
                self.tr("After every frame on which no button is held"),
            ),
            (
                "press",
                self.tr("per press"),
                self.tr("After each press of a button, with memory before it"),
            ),
        )

    def _build_rest(self) -> None:
        stop = self.tr("Stop comparing while the game runs")
        self.rule = push_button("", self.stop_requested.emit, stop, "chip")
        self.rule.setCheckable(True)
        self.rule.setChecked(True)
        self.rule.hide()
        self._ask_forecast = QTimer(self, singleShot=True, interval=_FORECAST_MS)
        self._ask_forecast.timeout.connect(self._forecast_value)
        self.error = role_label("", "bad", wraps=True)
        self.error.hide()
        self.chips = StepChips()
        self.chips.command_requested.connect(self.command_requested)

    def _build_ui(self) -> None:
        column = vbox(on=self, margins=(SIZES.pad, 10, SIZES.pad, 8), gap=8)
        first = hbox(
            self.op, (self.value, 2), (self.second, 1), self.search, self.place, self.more, gap=7
        )
        second = FlowBox()
        for widget in (*self.memory_buttons.values(), self.against, self.frame, self.when):
            second.add(widget)
        column.addLayout(first)
        for part in (second, self.options, self.rule, self.error, self.chips):
            column.addWidget(part)

    def _number_field(self, name: str, hint: str) -> QLineEdit:
        field = line_edit(name, hint, self._refine_by_value)
        field.textEdited.connect(lambda _: self.show_problem(None))
        field.textEdited.connect(lambda _: self._ask_forecast.start())
        return field

    def _tool(self, icon: str, name: str) -> QToolButton:
        button = QToolButton()
        button.setIcon(self._theme.icons.icon(icon))
        button.setProperty("role", "flat")
        button.setAccessibleName(name)
        return button

    @staticmethod
    def _quiet_choice(name: str) -> QComboBox:
        choice = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        choice.setProperty("role", "quiet")
        choice.setAccessibleName(name)
        return choice

    # -- user input -------------------------------------------------------------------------

    def _op_changed(self) -> None:
        self.second.setVisible(len(self._fields(str(self.op.currentData()))) > 1)

    def _fields(self, op: str) -> list[QLineEdit]:
        """The fields in which the numbers of an op are typed."""
        return [self.value, self.second][: len(OPERATORS[op].operands)]

    def _numbers(self, op: str) -> object:
        """The typed numbers of an op. Raises FieldError; the field at fault gets the focus."""
        numbers = []
        for field in self._fields(op):
            try:
                numbers.append(parse_number(field.text()))
            except DomainError:
                self._wrong_field = field
                raise
        return tuple(numbers) if len(numbers) > 1 else numbers[0]

    def _refine_by_value(self) -> None:
        op = str(self.op.currentData())
        try:
            value = self._numbers(op)
        except DomainError as error:
            self._refuse(error)
            return
        self._refine(op, value)

    def _refuse(self, error: DomainError) -> None:
        self.show_problem(str(error), self._wrong_field)
        self._wrong_field.setFocus()

    def _compare(self, op: str) -> None:
        when = str(self.when.currentData())
        if when != _ONCE:
            self.when.setCurrentIndex(0)
            self.rule_requested.emit(op, when)
        else:
            self._refine(op, None)

    def _refine(self, op: str, value: object) -> None:
        self.show_problem(None)
        self._ask_forecast.stop()
        self._tell_forecast("")
        try:
            against = self._against(op)
        except DomainError as error:
            self._refuse(error)
            return
        self.command_requested.emit(Compare(op, value, against))
        self.value.selectAll()

    def _against(self, op: str) -> str | None:
        """The memory an op compares with; None for one that compares with a number.

        Raises FieldError when a frame is needed and none is typed.
        """
        if OPERATORS[op].against != "memory":
            return None
        chosen = str(self.against.currentData())
        if chosen != "frame":
            return chosen
        self._wrong_field = self.frame
        return f"frame {parse_number(self.frame.text())}"

    # -- how many would be left -----------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Pointing at a comparison shows the number of candidates that it would leave."""
        if event.type() is QEvent.Type.Enter:
            for op, button in self.memory_buttons.items():
                if watched is button and self._searched:
                    self._foretell(op, lambda: None)
        elif event.type() is QEvent.Type.Leave:
            self._tell_forecast("")
        return super().eventFilter(watched, event)

    def _forecast_value(self) -> None:
        op = str(self.op.currentData())
        if self.value.text():
            self._foretell(op, lambda: self._numbers(op))
        else:
            self._tell_forecast("")

    def _foretell(self, op: str, value: Callable[[], object]) -> None:
        try:
            compare = Compare(op, value(), self._against(op))
        except DomainError:
            return  # reported when it is used
        self.forecast_requested.emit(compare)
