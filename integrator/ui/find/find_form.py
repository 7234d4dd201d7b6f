"""The form of a search: the comparison, its values, the time to compare, and more options."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QPushButton, QSizePolicy, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.search.operators import OPERATORS
from integrator.domain.search.search import Search
from integrator.session.searches import Compare, TypeKind
from integrator.ui import widgets as ui
from integrator.ui.find.candidates import StepChips


class FindForm(QWidget):
    """Builds comparisons and shows a ``forecast`` of their results. ``searched`` is true once the
    search has a step, so that memory can be compared. ``command_requested`` gives a command for the
    search; ``rule_requested`` (op, when) for comparing while the game runs; ``forecast_requested``
    a Compare to try; ``types_requested`` (scales, kinds) for a new search. ``search_chosen`` and
    ``save_requested`` give the name of a search."""

    command_requested = Signal(object)
    rule_requested = Signal(str, str)
    forecast_requested = Signal(object)
    forecast_changed = Signal()
    types_requested = Signal(bool, object)
    search_chosen = Signal(str)
    save_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.searched = False
        self.forecast = ""
        self._wrong_field: QLineEdit
        self._ask_forecast = ui.settle_timer(self, pause_ms=150, then=self._forecast_value)
        self._build_value()
        self._build_memory()
        self._build_options()
        self._build_grid()
        stop = self.tr("Stop comparing while the game runs")
        self.rule = ui.push_button("", None, stop, "chip", checkable=True, visible=False)
        self.error = ui.NoteLabel("bad")
        self.chips = StepChips(self.command_requested.emit)
        fields = (self.op, (self.value, 2), (self.second, 1), self.search, self.place, self.more)
        second = ui.FlowBox()
        for widget in (*self.memory_buttons.values(), self.against, self.frame, self.when):
            second.add(widget)
        parts = (ui.hbox(*fields, gap=7), second, self.options, self.rule, self.error, self.chips)
        ui.vbox(*parts, on=self, margins=(ui.SIZES.pad, 10, ui.SIZES.pad, 8), gap=8)
        self._op_changed()

    def begin_again(self) -> None:
        self._forget_forecast()
        for field in (self.value, self.second, self.frame, self.low, self.high):
            field.clear()
        for choice in (self.op, self.against, self.when, self.alignment):
            choice.setCurrentIndex(0)
        self.show_rule(None)
        self.searched = False
        self.chips.show_steps(())

    def show_forecast(self, op: str, count: int) -> None:
        self._show_forecast(self.tr("“{0}” would leave {1} now").format(op, ui.grouped(count)))

    def _show_forecast(self, text: str) -> None:
        self.forecast = text
        self.forecast_changed.emit()

    def _forget_forecast(self) -> None:
        self._ask_forecast.stop()
        self._show_forecast("")
        self.show_problem(None)

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
        """Show the reason why a field's text was refused; None clears the message."""
        self.error.setText(text or "")
        for each in (self.value, self.second, self.frame):
            ui.set_trait(each, "invalid", text is not None and each is (field or self.value))

    def _build_value(self) -> None:
        ops = [(ui.words(op.words), op.name) for op in OPERATORS.values() if op.operands]
        self.op = ui.combo_box(self.tr("Comparison"), entries=ops)
        self.op.currentIndexChanged.connect(self._op_changed)
        hint, search = self.tr("number on the screen"), lambda: self._refine(self.op.currentData())
        self.value = ui.line_edit(self.tr("Value"), hint, search)
        self.second = ui.line_edit(self.tr("Second value"), self.tr("and"), search)
        for field in (self.value, self.second):
            field.textEdited.connect(lambda _: self.show_problem(None))
            field.textEdited.connect(lambda _: self._ask_forecast.start())
        keep = self.tr("Keep the addresses that fit (Enter)")
        self.search = ui.push_button(self.tr("Search"), search, keep, "primary")
        name = self.tr("Which addresses draw this?")
        tip = self.tr("Which addresses draw this? Mark the digits on the screen to find out")
        self.place = ui.icon_button("marquee", tip, accessibleName=name)
        name = self.tr("More about the search")
        tip = self.tr("Addresses, scales, snapshots, saved searches")
        self.more = ui.icon_button("dots", tip, accessibleName=name, checkable=True)
        self.more.toggled.connect(lambda on: self.options.setVisible(on))

    def _build_memory(self) -> None:
        self.memory_buttons: dict[str, QPushButton] = {}
        for each in (op for op in OPERATORS.values() if not op.operands):
            compare = partial(self._compare, each.name)
            button = ui.push_button(ui.words(each.words), compare, ui.words(each.tip), "chip")
            button.setObjectName(each.name)
            button.installEventFilter(self)
            self.memory_buttons[each.name] = button
        self.against = ui.combo_box(
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
        hint, name = self.tr("frame"), self.tr("Frame to compare with")
        self.frame = ui.line_edit(name, hint, fixedWidth=72, visible=False)
        self.frame.textEdited.connect(lambda _: self.show_problem(None))
        show, chosen = self.frame.setVisible, self.against.currentData
        self.against.currentIndexChanged.connect(lambda _: show(chosen() == "frame"))
        idle = self.tr("After every frame on which no button is held")
        press = self.tr("After each press of a button, with memory before it")
        self.when = ui.combo_box(
            self.tr("When to compare"),
            tip=self.tr(
                "Once, or by itself while you play: choose when, then press a comparison. "
                "“unchanged” on frames without buttons removes numbers that move by themselves; "
                "“increased” from press to release finds what a button raises."
            ),
            role="quiet",
            entries=(
                (self.tr("once"), "once", self.tr("Compare now")),
                (self.tr("each frame"), "frame", self.tr("After every frame, with the one before")),
                (self.tr("no buttons"), "idle", idle),
                (self.tr("per press"), "press", press),
            ),
        )

    def _build_options(self) -> None:
        tip = self.tr("An address such as FF00D4; the last one is included")
        named, first, last = self.tr("Address {0}"), self.tr("from"), self.tr("to")
        self.low = ui.line_edit(named.format(first), first, tip=tip, width=84)
        self.high = ui.line_edit(named.format(last), last, tip=tip, width=84)
        self.alignment = ui.combo_box(
            self.tr("Alignment"),
            self._align,
            self.tr("Only addresses that are a multiple of this: most consoles align their words"),
            entries=[(self.tr("every {0}").format(number), number) for number in (1, 2, 4)],
        )
        text = self.tr("scaled numbers too")
        tip = self.tr(
            "The screen may show ten times what memory holds, or one more. "
            "Changing this starts the search again."
        )
        self.scales = ui.check_box(text, lambda _: self._ask_types(), tip, on=True)
        tip = self.tr(
            "Types over the same bytes with the same number share a row, the widest plausible "
            "one in front; a click on its address, or Right, lists the others"
        )
        self.grouped = ui.check_box(self.tr("group equal rows"), tip=tip)
        kinds = self.tr("Kinds of numbers to search for. Changing this starts the search again.")
        self.kinds = ui.combo_box(self.tr("Types"), self._ask_types, kinds)
        self.offer_types(floats=False)
        searches = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        tip = self.tr("Several searches can go on at once: pick one, or type a new name and Enter")
        self.searches = ui.named(searches, self.tr("Search by name"), toolTip=tip)
        self.searches.activated.connect(lambda _: self.search_chosen.emit(self._name()))
        self._build_chips()

    def _build_grid(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(9)
        grid.setVerticalSpacing(6)
        grid.setContentsMargins(0, 2, 0, 4)
        grid.setColumnStretch(1, 1)
        where = (self.low, self.high, self.limit, self.exclude, self.alignment)
        rows = (
            (self.tr("types"), (self.kinds, self.scales, self.grouped)),
            (self.tr("where"), where),
            (self.tr("what"), (self.snapshot, self.clear_counts, self.known)),
            (self.tr("name"), (self.searches, self.save)),
        )
        for line, (label, parts) in enumerate(rows):
            grid.addWidget(ui.role_label(label, "faint"), line, 0)
            grid.addLayout(ui.hbox(*parts, None, gap=6), line, 1)
        self.options = QWidget()
        self.options.setLayout(grid)
        self.options.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.options.hide()

    def _build_chips(self) -> None:
        chip = partial(ui.push_button, role="chip")
        keep, exclude = self.tr("Keep only these addresses"), self.tr("Leave out these addresses")
        self.limit = chip(self.tr("Keep these"), lambda: self._range(keep=True), keep)
        self.exclude = chip(self.tr("Exclude"), lambda: self._range(keep=False), exclude)
        known = self.tr("Leave out variables that are named already")
        self.known = chip(self.tr("Exclude variables"), None, known)
        take = self.tr("Remember memory as it is now, to compare with it “since the snapshot”")
        taken = partial(self.command_requested.emit, Search.take_snapshot)
        self.snapshot = chip(self.tr("Take snapshot"), taken, take)
        counts = self.tr("Count changes of each byte from now on")
        cleared = partial(self.command_requested.emit, Search.clear_counts)
        self.clear_counts = chip(self.tr("Clear counts"), cleared, counts)
        save = self.tr("Keep this search with the integration")
        self.save = chip(self.tr("Save"), lambda: self.save_requested.emit(self._name()), save)

    def offer_types(self, *, floats: bool) -> None:
        """Offer kinds of numbers, and choose the first. ``floats``: offer floats too."""
        self.kinds.clear()
        both = self.tr("Both at once")
        bits = self.tr(
            "Single bits of a byte, its halves and some fields; they become variables with a mask"
        )
        real = self.tr(
            "Floating-point numbers of four bytes; 12 is found as 11.5 up to 13, as a screen shows"
        )
        for text, tip, *kinds in (
            (self.tr("numbers"), self.tr("All data types of the console"), "numbers"),
            (self.tr("bits"), bits, "bits"),
            (self.tr("numbers and bits"), both, "numbers", "bits"),
            (self.tr("floats"), real, "floats"),
            (self.tr("numbers and floats"), both, "numbers", "floats"),
        ):
            if floats or "floats" not in kinds:
                self.kinds.addItem(text, kinds)
                self.kinds.setItemData(self.kinds.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)

    def show_types(self, scales: bool, kinds: Sequence[TypeKind]) -> None:
        self.scales.setChecked(scales)
        offered = [self.kinds.itemData(row) for row in range(self.kinds.count())]
        self.kinds.setCurrentIndex(offered.index([*kinds]) if [*kinds] in offered else -1)

    def show_searches(self, names: Sequence[str], current: str) -> None:
        self.searches.clear()
        self.searches.addItems(list(names))
        self.searches.setEditText(current)

    def _name(self) -> str:
        return self.searches.currentText().strip()

    def _ask_types(self) -> None:
        kinds = tuple(self.kinds.currentData() or self.kinds.itemData(0))
        self.types_requested.emit(self.scales.isChecked(), kinds)

    def _align(self) -> None:
        number = int(self.alignment.currentData())

        def align(search: Search) -> None:
            search.alignment = number

        self.command_requested.emit(align)

    def _range(self, *, keep: bool) -> None:
        with ui.errors_to(self.show_problem):
            low, high = ui.parse_address(self.low.text()), ui.parse_address(self.high.text())
            if keep:
                self.command_requested.emit(lambda search: search.limit_to(low, high + 1))
            else:
                self.command_requested.emit(lambda search: search.exclude(low, high - low + 1))

    def _op_changed(self) -> None:
        self.second.setVisible(len(OPERATORS[str(self.op.currentData())].operands) > 1)

    def _compare(self, op: str) -> None:
        if (when := str(self.when.currentData())) != "once":
            self.when.setCurrentIndex(0)
            self.rule_requested.emit(op, when)
        else:
            self._refine(op)

    def _refine(self, op: str) -> None:
        try:
            compare = self._comparison(op)
        except DomainError as error:
            self.show_problem(str(error), self._wrong_field)
            self._wrong_field.setFocus()
            return
        self._forget_forecast()
        self.command_requested.emit(compare)
        self.value.selectAll()

    def _comparison(self, op: str) -> Compare:
        """Return the comparison with the typed numbers or the chosen memory. Raises FieldError;
        ``_wrong_field`` is then the invalid field."""
        numbers = []
        for field in (self.value, self.second)[: len(OPERATORS[op].operands)]:
            self._wrong_field = field
            numbers.append(ui.parse_number(field.text()))
        value = tuple(numbers) if len(numbers) > 1 else next(iter(numbers), None)
        compares = OPERATORS[op].against == "memory"
        against = str(self.against.currentData()) if compares else None
        if against == "frame":
            self._wrong_field = self.frame
            against = f"frame {ui.parse_number(self.frame.text())}"
        return Compare(op, value, against)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show how many candidates a comparison would leave while the pointer is on its button."""
        if event.type() is QEvent.Type.Enter and self.searched:
            self._request_forecast(watched.objectName())
        elif event.type() is QEvent.Type.Leave:
            self._show_forecast("")
        return super().eventFilter(watched, event)

    def _forecast_value(self) -> None:
        if self.value.text():
            self._request_forecast(str(self.op.currentData()))
        else:
            self._show_forecast("")

    def _request_forecast(self, op: str) -> None:
        try:
            compare = self._comparison(op)
        except DomainError:
            return  # The error is reported when the comparison is used.
        self.forecast_requested.emit(compare)
