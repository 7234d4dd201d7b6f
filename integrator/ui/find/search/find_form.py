"""The steps of a search as chips; steps that a rule made one after the other share one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QSizePolicy, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.search.operators import OPERATORS
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.searches import Compare, SearchCommand
from integrator.ui.find.search.find_options import FindOptions
from integrator.ui.widgets.fields import address_text, parse_number
from integrator.ui.widgets.fitting import FlowBox
from integrator.ui.widgets.parts import (
    combo_box,
    hbox,
    icon_button,
    line_edit,
    push_button,
    role_label,
    set_trait,
    vbox,
)
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import SIZES, Theme

MOST_CHIPS = 40
_BETWEEN = "start-from-now"  # steps that only take a picture of memory


_NAMES = {
    "keep-at": QT_TRANSLATE_NOOP("FindView", "draws the mark"),
    "start-from-now": QT_TRANSLATE_NOOP("FindView", "from here"),
    "limit-to": QT_TRANSLATE_NOOP("FindView", "within"),
    "exclude": QT_TRANSLATE_NOOP("FindView", "without"),
    "align": QT_TRANSLATE_NOOP("FindView", "every"),
}


@dataclass(frozen=True, slots=True)
class _Run:
    """Equal steps in a row: their number, the candidates left at last, and the step number."""

    step: SearchStep
    times: int
    last: int


class StepChips(FlowBox):
    """``run`` gets a command for the search: undo back to the chip that was clicked."""

    def __init__(self, run: Callable[[SearchCommand], object]) -> None:
        super().__init__()
        self._run = run
        self._shown: list[_Run] = []
        self.hide()

    def show_steps(self, steps: Sequence[SearchStep]) -> None:
        runs = runs_of(steps)[-MOST_CHIPS:]
        if runs != self._shown:
            self._shown = runs
            self._rebuild(runs, len(steps))
        self.setVisible(bool(steps))

    def _rebuild(self, runs: list[_Run], steps: int) -> None:
        self.clear()
        for at, run in enumerate(runs):
            times = f" ×{run.times:,}" if run.times > 1 else ""
            text = f"{step_text(run.step)}{times}   {run.step.count:,}"
            back = partial(self._go_back, steps - 1 - run.last)
            chip = push_button(text, back, self.tr("Go back to this step"), "chip")
            chip.setCheckable(True)
            chip.setChecked(at == len(runs) - 1)
            self.add(chip)

    def _go_back(self, steps: int) -> None:
        def undo(search: Search) -> None:
            for _ in range(steps):
                search.undo()

        # The chips are rebuilt by the answer: not while one of them still handles its click.
        QTimer.singleShot(0, self, lambda: self._run(undo))


def runs_of(steps: Sequence[SearchStep]) -> list[_Run]:
    """Steps with repetitions of the step before folded into it."""
    runs: list[_Run] = []
    for at, step in enumerate(steps):
        before = runs[-1] if runs else None
        if before is not None and step.op == _BETWEEN:
            runs[-1] = _Run(before.step, before.times, at)
        elif before is not None and _alike(before.step, step):
            runs[-1] = _Run(step, before.times + 1, at)
        else:
            runs.append(_Run(step, 1, at))
    return runs


def _alike(one: SearchStep, other: SearchStep) -> bool:
    # A number searched twice by hand is two answers; a rule's repetitions carry none.
    same = (one.op, one.against) == (other.op, other.against)
    return same and one.value is None and other.value is None


def step_text(step: SearchStep) -> str:
    """A step as a chip says it: ``= 20``, ``unchanged``, ``+ 3``."""
    if step.op in ("limit-to", "exclude") and isinstance(step.value, tuple):
        low, high = step.value
        last = high - 1 if step.op == "limit-to" else low + high - 1
        span = address_text(low) if last == low else f"{address_text(low)}…{last:X}"
        return f"{translate('FindView', _NAMES[step.op])} {span}"
    name = translate("FindView", _NAMES[step.op]) if step.op in _NAMES else step.op
    if step.value is None:
        return name if step.against in ("previous", "value") else f"{name} ({step.against})"
    value = (
        "…".join(str(v) for v in step.value) if isinstance(step.value, tuple) else str(step.value)
    )
    sign = OPERATORS[step.op].sign if step.op in OPERATORS else ""
    return f"{sign or name} {value}"


_FORECAST_MS = 150
_ONCE = "once"


class FindForm(QWidget):
    """Builds comparisons. ``command_requested``: a command to run on the search.

    ``rule_requested``: (op, when) to compare while the game runs; ``forecast_requested``: a Compare
    to try; ``place_requested``: mark a part of the screen, to find the addresses that draw it;
    ``forecast_changed``: the ``forecast`` is another text, or empty. ``searched`` is true once the
    search has begun, so that memory can be compared.
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
        self.searched = False
        self.forecast = ""
        self._wrong_field: QLineEdit
        self._build_value()
        self._build_memory()
        self._build_rest()
        self._build_ui()
        self._op_changed()

    def begin_anew(self) -> None:
        self._ask_forecast.stop()
        self._tell_forecast("")
        self.show_problem(None)
        for field in (self.value, self.second, self.frame):
            field.clear()
        for choice in (self.op, self.against, self.when):
            choice.setCurrentIndex(0)
        self.show_rule(None)
        self.searched = False
        self.chips.show_steps(())
        self.options.begin_anew()

    def show_forecast(self, op: str, count: int) -> None:
        """Show the number of candidates that a comparison would leave."""
        self._tell_forecast(self.tr("“{0}” would leave {1} now").format(op, f"{count:,}"))

    def _tell_forecast(self, text: str) -> None:
        self.forecast = text
        self.forecast_changed.emit()

    def show_rule(self, op: str | None, when: str = "frame") -> None:
        self.rule.setVisible(op is not None)
        self.rule.setChecked(True)
        texts = {
            "frame": self.tr("{0} on each frame · stop"),
            "idle": self.tr("{0} while no button is held · stop"),
            "press": self.tr("{0} from press to release · stop"),
        }
        self.rule.setText(texts[when].format(op or ""))

    def show_problem(self, text: str | None, field: QLineEdit | None = None) -> None:
        """Show why a field's text was refused; None clears it."""
        self.error.setText(text or "")
        self.error.setVisible(text is not None)
        for each in (self.value, self.second, self.frame):
            set_trait(each, "invalid", text is not None and each is (field or self.value))

    def _build_value(self) -> None:
        self.op = combo_box(
            self.tr("Comparison"),
            entries=[(self.tr(op.words), op.name) for op in OPERATORS.values() if op.operands],
        )
        self.op.currentIndexChanged.connect(self._op_changed)
        self.value = self._number_field(self.tr("Value"), self.tr("number on the screen"))
        self.second = self._number_field(self.tr("Second value"), self.tr("and"))
        self.search = push_button(
            self.tr("Search"),
            self._refine_by_value,
            self.tr("Keep the addresses that fit (Enter)"),
            "primary",
        )
        icons = self._theme.icons
        self.place = icon_button(
            icons.icon("marquee"),
            self.tr("Which addresses draw this? Mark the digits on the screen to find out"),
            self.place_requested.emit,
            self.tr("Which addresses draw this?"),
        )
        self.options = FindOptions(self.command_requested.emit)
        self.options.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.options.hide()
        self.options.rejected.connect(self.show_problem)
        self.more = icon_button(
            icons.icon("dots"),
            self.tr("Addresses, scales, snapshots, saved searches"),
            lambda: self.options.setVisible(self.more.isChecked()),
            self.tr("More about the search"),
        )
        self.more.setCheckable(True)

    def _build_memory(self) -> None:
        self.memory_buttons: dict[str, QPushButton] = {}
        for each in (op for op in OPERATORS.values() if not op.operands):
            compare = partial(self._compare, each.name)
            button = push_button(self.tr(each.words), compare, self.tr(each.tip), "chip")
            button.installEventFilter(self)
            self.memory_buttons[each.name] = button
        self.against = combo_box(
            self.tr("Compare with"),
            tip=self.tr("The earlier memory for “changed”, “increased” and so on"),
            role="quiet",
            entries=(
                (self.tr("since last search"), "previous"),
                (self.tr("since the start"), "first"),
                (self.tr("since snapshot"), "snapshot"),
                (self.tr("since last frame"), "last-frame"),
                (self.tr("since frame…"), "frame"),
            ),
        )
        self.frame = line_edit(self.tr("Frame to compare with"), self.tr("frame"))
        self.frame.setFixedWidth(72)
        self.frame.hide()
        self.frame.textEdited.connect(lambda _: self.show_problem(None))
        self.against.currentIndexChanged.connect(
            lambda _: self.frame.setVisible(self.against.currentData() == "frame")
        )
        idle = self.tr("After every frame on which no button is held")
        press = self.tr("After each press of a button, with memory before it")
        self.when = combo_box(
            self.tr("When to compare"),
            tip=self.tr(
                "Once, or by itself while you play: choose when, then press a comparison. "
                "“unchanged” on frames without buttons throws out numbers that move alone; "
                "“increased” from press to release finds what a button raises."
            ),
            role="quiet",
            entries=(
                (self.tr("once"), _ONCE, self.tr("Compare now")),
                (self.tr("each frame"), "frame", self.tr("After every frame, with the one before")),
                (self.tr("no buttons"), "idle", idle),
                (self.tr("per press"), "press", press),
            ),
        )

    def _build_rest(self) -> None:
        stop = self.tr("Stop comparing while the game runs")
        self.rule = push_button("", self.stop_requested.emit, stop, "chip")
        self.rule.setCheckable(True)
        self.rule.hide()
        self._ask_forecast = QTimer(self, singleShot=True, interval=_FORECAST_MS)
        self._ask_forecast.timeout.connect(self._forecast_value)
        self.error = role_label("", "bad", wraps=True)
        self.error.hide()
        self.chips = StepChips(self.command_requested.emit)

    def _build_ui(self) -> None:
        fields = (self.op, (self.value, 2), (self.second, 1), self.search, self.place, self.more)
        second = FlowBox()
        for widget in (*self.memory_buttons.values(), self.against, self.frame, self.when):
            second.add(widget)
        parts = (hbox(*fields, gap=7), second, self.options, self.rule, self.error, self.chips)
        vbox(*parts, on=self, margins=(SIZES.pad, 10, SIZES.pad, 8), gap=8)

    def _number_field(self, name: str, hint: str) -> QLineEdit:
        field = line_edit(name, hint, self._refine_by_value)
        field.textEdited.connect(lambda _: self.show_problem(None))
        field.textEdited.connect(lambda _: self._ask_forecast.start())
        return field

    def _op_changed(self) -> None:
        self.second.setVisible(len(self._fields(str(self.op.currentData()))) > 1)

    def _fields(self, op: str) -> list[QLineEdit]:
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
        self._refine(op, lambda: self._numbers(op))

    def _compare(self, op: str) -> None:
        when = str(self.when.currentData())
        if when != _ONCE:
            self.when.setCurrentIndex(0)
            self.rule_requested.emit(op, when)
        else:
            self._refine(op, lambda: None)

    def _refine(self, op: str, value: Callable[[], object]) -> None:
        try:
            compare = Compare(op, value(), self._against(op))
        except DomainError as error:
            self.show_problem(str(error), self._wrong_field)
            self._wrong_field.setFocus()
            return
        self.show_problem(None)
        self._ask_forecast.stop()
        self._tell_forecast("")
        self.command_requested.emit(compare)
        self.value.selectAll()

    def _against(self, op: str) -> str | None:
        """The memory an op compares with; None for one that compares with a number. Raises
        FieldError when a frame is needed and none is typed."""
        if OPERATORS[op].against != "memory":
            return None
        chosen = str(self.against.currentData())
        if chosen != "frame":
            return chosen
        self._wrong_field = self.frame
        return f"frame {parse_number(self.frame.text())}"

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Pointing at a comparison shows the number of candidates that it would leave."""
        if event.type() is QEvent.Type.Enter:
            for op, button in self.memory_buttons.items():
                if watched is button and self.searched:
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
