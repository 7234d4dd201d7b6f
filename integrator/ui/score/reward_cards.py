"""One reward term as a card: its fields, its summand on this frame, and its curve so far."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QLineEdit, QSizePolicy, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.scenario.tree import Measurement
from integrator.ui.score.reward_terms import CHOICES, NUMBERS, Term, TermField, TermKind
from integrator.ui.terms.help_texts import measurement_tip, op_choices, op_tip, takes_reference
from integrator.ui.widgets.delegates import trend_points
from integrator.ui.widgets.live_label import LiveLabel
from integrator.ui.widgets.panels.parts import (
    hbox,
    icon_button,
    line_edit,
    role_label,
    set_role,
    set_trait,
    vbox,
)
from integrator.ui.widgets.texts import plain_number, signed
from integrator.ui.widgets.theme import Theme, mono_font

_FIELD_WIDTH = 58


class TrendLine(QWidget):
    """The course of a number over the last frames, drawn to fit."""

    def __init__(self, theme: Theme, height: int = 24) -> None:
        super().__init__()
        self._theme = theme
        self._values: Sequence[float] = ()
        self.setMinimumSize(QSize(40, height))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_values(self, values: Sequence[float]) -> None:
        """Draw these, oldest first."""
        self._values = values
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """One line; flat ones are quiet."""
        if len(self._values) < 2:
            return
        flat = min(self._values) == max(self._values)
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.faint if flat else colors.link), 1.3))
        painter.drawPolyline(trend_points(self._values, QRectF(self.rect()).adjusted(2, 4, -2, -4)))


class RewardCard(QFrame):
    """Edits a term; invalid text is refused next to its field.

    ``edited``: (JSON path, new value); None removes the key, or the whole term.
    """

    edited = Signal(tuple, object)
    rejected = Signal(str)

    def __init__(self, theme: Theme, term: Term) -> None:
        super().__init__()
        self.setObjectName("Card")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Reward term {0}").format(term.name))
        self._term = term
        self.title = role_label(term.name, "subheading")
        self.value = LiveLabel()
        self.value.setFont(mono_font())
        self.value.setProperty("role", "secondary")
        self.value.setToolTip(self.tr("The variable now, and its change on the frame shown"))
        self.now = QLabel("·")
        self.now.setFont(mono_font())
        self.now.setToolTip(self.tr("The reward of this term on the frame shown"))
        self.trend = TrendLine(theme)
        self.trend.setToolTip(self.tr("Sum of this term since the episode began"))
        self.boxes = {key: self._box(key, each) for key, each in CHOICES.items()}
        self.fields = {key: self._field(key, each) for key, each in NUMBERS.items()}
        remove = icon_button(
            theme.icons.icon("trash"),
            self.tr("Remove this term (Del)"),
            self.remove,
            self.tr("Remove {0}").format(term.name),
        )
        self._build_ui(remove)
        self.refresh()

    def _build_ui(self, remove: QWidget) -> None:
        kind, fields = self._term.kind, self.fields
        first, second = hbox(self.title, gap=7), hbox(gap=7)
        shown: list[QWidget] = [role_label(self.tr("every frame"), "faint")]
        if kind is TermKind.VARIABLE:
            shown = [self.value, *self.boxes.values(), fields["reference"]]
        for widget in shown:
            first.addWidget(widget)
        first.addStretch(1)
        first.addWidget(self.now)
        first.addWidget(remove)
        rows = [("reward", self.tr("reward")), ("penalty", self.tr("penalty"))]
        count = {TermKind.VARIABLE: 2, TermKind.TIME: 1, TermKind.SCRIPT: 0}[kind]
        for key, text in rows[:count]:
            second.addWidget(role_label(text, "faint"))
            second.addWidget(fields[key])
            shown.append(fields[key])
        second.addWidget(self.trend, 1)
        for widget in (self.value, *self.boxes.values(), *fields.values()):
            widget.setParent(self)
            widget.setVisible(widget in shown)
        vbox(first, second, on=self, margins=(11, 7, 7, 8), gap=5)

    def _box(self, key: str, each: TermField) -> QComboBox:
        box = QComboBox(self, minimumContentsLength=5)
        box.setProperty("role", "quiet")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box.setMaximumWidth(150)
        choices = op_choices()
        if key == "measurement":
            choices = [(each.value, each.value) for each in reversed(Measurement)]
        for value, text in choices:
            box.addItem(text if value else self.tr("op —"), value)
            tip = op_tip(value) if key == "op" else measurement_tip(value)
            box.setItemData(box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        box.setAccessibleName(self.tr(each.title))
        box.activated.connect(lambda _: self._commit(key, each, str(box.currentData())))
        return box

    def _field(self, key: str, each: TermField) -> QLineEdit:
        field = line_edit(self.tr(each.title), "", tip=self.tr(each.tip), width=_FIELD_WIDTH)
        field.textEdited.connect(lambda text: self._check(field, each, text))
        field.editingFinished.connect(lambda: self._finish(key, each))
        return field

    # -- shown state ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the term's present values; a field that is being typed into is left alone."""
        term = self._term
        for key, box in self.boxes.items():
            each = CHOICES[key]
            box.setCurrentIndex(max(0, box.findData(_text(term, key, each))))
            meaning = box.itemData(box.currentIndex(), Qt.ItemDataRole.ToolTipRole)
            box.setToolTip(f"{self.tr(each.tip)}\n{box.currentText()}: {meaning}")
        for key, field in self.fields.items():
            if not field.isModified():
                field.setText(_text(term, key, NUMBERS[key]))
        compares = takes_reference(str(self.boxes["op"].currentData()))
        self.fields["reference"].setVisible(term.kind is TermKind.VARIABLE and compares)
        lost = self.tr("There is no variable “{0}”: this term gives nothing.").format(term.name)
        set_role(self.title, "subheading" if term.known else "warn")
        self.title.setToolTip("" if term.known else lost)
        self.refresh_numbers()

    def show_value(self, value: float | None, change: float) -> None:
        """The variable on this frame, and its change; None while it cannot be read."""
        text = "" if value is None else plain_number(value)
        self.value.setText(f"{text} ({signed(change)})" if text and change else text)

    def refresh_numbers(self) -> None:
        """This frame's contribution and the curve."""
        now = self._term.now
        self.now.setText(self.tr("{0} this frame").format(signed(now)) if now else "·")
        set_role(self.now, "faint" if not now else "bad" if now < 0 else "good")
        self.trend.show_values(tuple(self._term.history))

    # -- edits ------------------------------------------------------------------------------

    def remove(self) -> None:
        """Ask to take the term out of the scenario."""
        self.edited.emit(self._term.path, None)

    def _check(self, field: QLineEdit, each: TermField, text: str) -> None:
        reason = ""
        try:
            each.parse(text)
        except DomainError as error:
            reason = str(error)
        field.setToolTip(reason or self.tr(each.tip))
        set_trait(field, "invalid", bool(reason))

    def _finish(self, key: str, each: TermField) -> None:
        field = self.fields[key]
        if not field.isModified():
            return
        field.setModified(False)
        if field.property("invalid"):
            self.rejected.emit(field.toolTip())
            self._check(field, each, "0")
            self.refresh()
        else:
            self._commit(key, each, field.text())

    def _commit(self, key: str, each: TermField, text: str) -> None:
        if text != _text(self._term, key, each):
            self.edited.emit((*self._term.path, key), each.parse(text))


def _text(term: Term, key: str, each: TermField) -> str:
    return str(term.value.get(key, each.default))
