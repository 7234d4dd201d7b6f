"""One reward term as a card: its fields, its summand on this frame, and its curve so far."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from integrator.domain.scenario.tree import Measurement
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.score.reward_model import RewardColumn, RewardModel, TermKind
from integrator.ui.terms.help_texts import measurement_tip, op_choices, op_tip, takes_reference
from integrator.ui.widgets.delegates import trend_points
from integrator.ui.widgets.live_label import LiveLabel
from integrator.ui.widgets.panels.parts import hbox, role_label, set_role, set_trait, vbox
from integrator.ui.widgets.rows_model import TrendRole
from integrator.ui.widgets.texts import plain_number, signed
from integrator.ui.widgets.theme import Theme, mono_font

_FIELD_WIDTH = 58
_TIPS = {
    RewardColumn.MEASUREMENT: (
        QT_TRANSLATE_NOOP(
            "RewardCard",
            "delta: how much the variable changed on this frame; absolute: the variable itself",
        )
    ),
    RewardColumn.OP: (
        QT_TRANSLATE_NOOP(
            "RewardCard",
            "The op on the measured number: — keeps it, the others give 1 when they hold, else 0",
        )
    ),
    RewardColumn.REFERENCE: QT_TRANSLATE_NOOP("RewardCard", "The number that the op compares with"),
    RewardColumn.REWARD: QT_TRANSLATE_NOOP("RewardCard", "A positive result is multiplied by this"),
    RewardColumn.PENALTY: QT_TRANSLATE_NOOP(
        "RewardCard", "A negative result is multiplied by this (the result is negative itself)"
    ),
}


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
    """Edits row ``row`` of the model; invalid text is refused beside its field."""

    remove_requested = Signal(int)
    rejected = Signal(str)

    def __init__(self, theme: Theme, model: RewardModel, row: int) -> None:
        super().__init__()
        self.setObjectName("Card")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._model = model
        self._row = row
        name = str(model.index(row, RewardColumn.VARIABLE).data())
        self.setAccessibleName(self.tr("Reward term {0}").format(name))
        self.title = role_label(name, "subheading")
        self.value = LiveLabel()
        self.value.setFont(mono_font())
        self.value.setProperty("role", "secondary")
        self.value.setToolTip(self.tr("The variable now, and its change on the frame shown"))
        self.now = QLabel("·")
        self.now.setFont(mono_font())
        self.now.setToolTip(self.tr("The reward of this term on the frame shown"))
        self.trend = TrendLine(theme)
        self.trend.setToolTip(self.tr("Sum of this term since the episode began"))
        self.boxes = {
            RewardColumn.MEASUREMENT: self._box(
                RewardColumn.MEASUREMENT,
                [(each.value, each.value) for each in reversed(Measurement)],
            ),
            RewardColumn.OP: self._box(RewardColumn.OP, op_choices()),
        }
        self.fields = {
            column: self._field(column)
            for column in (RewardColumn.REFERENCE, RewardColumn.REWARD, RewardColumn.PENALTY)
        }
        self._remove = QToolButton()
        self._remove.setIcon(theme.icons.icon("trash"))
        self._remove.setProperty("role", "flat")
        self._remove.setToolTip(self.tr("Remove this term (Del)"))
        self._remove.setAccessibleName(self.tr("Remove {0}").format(name))
        self._remove.clicked.connect(lambda: self.remove_requested.emit(self._row))
        self._build_ui(model.at(row).kind)
        self.refresh()

    def _build_ui(self, kind: TermKind) -> None:
        first = hbox(self.title, self.value, gap=7)
        self.value.setVisible(kind is TermKind.VARIABLE)
        if kind is not TermKind.VARIABLE:
            first.addWidget(role_label(self.tr("every frame"), "faint"))
            for unused in (*self.boxes.values(), self.fields[RewardColumn.PENALTY]):
                unused.hide()
        else:
            for column in (RewardColumn.MEASUREMENT, RewardColumn.OP):
                first.addWidget(self.boxes[column])
            first.addWidget(self.fields[RewardColumn.REFERENCE])
        first.addStretch(1)
        first.addWidget(self.now)
        first.addWidget(self._remove)
        second = hbox(gap=7)
        if kind is TermKind.SCRIPT:
            self.fields[RewardColumn.REWARD].hide()
        else:
            second.addWidget(role_label(self.tr("reward"), "faint"))
            second.addWidget(self.fields[RewardColumn.REWARD])
        if kind is TermKind.VARIABLE:
            second.addWidget(role_label(self.tr("penalty"), "faint"))
            second.addWidget(self.fields[RewardColumn.PENALTY])
        second.addWidget(self.trend, 1)
        vbox(first, second, on=self, margins=(11, 7, 7, 8), gap=5)

    def _box(self, column: RewardColumn, choices: Sequence[tuple[str, str]]) -> QComboBox:
        box = QComboBox(self, minimumContentsLength=5)
        box.setProperty("role", "quiet")
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box.setMaximumWidth(150)
        for value, text in choices:
            box.addItem(self.tr("op —") if column is RewardColumn.OP and not value else text, value)
            tip = op_tip(value) if column is RewardColumn.OP else measurement_tip(value)
            box.setItemData(box.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        box.setToolTip(self.tr(_TIPS[column]))
        box.setAccessibleName(self._model.headerData(column, Qt.Orientation.Horizontal))
        box.activated.connect(lambda _: self._commit(column, str(box.currentData())))
        return box

    def _field(self, column: RewardColumn) -> QLineEdit:
        field = QLineEdit(self)
        field.setFont(mono_font())
        field.setFixedWidth(_FIELD_WIDTH)
        field.setToolTip(self.tr(_TIPS[column]))
        field.setAccessibleName(self._model.headerData(column, Qt.Orientation.Horizontal))
        field.textEdited.connect(lambda text: self._check(column, text))
        field.editingFinished.connect(lambda: self._finish(column))
        return field

    def refresh(self) -> None:
        """Show the model's present row; a field that is being typed into is left alone."""
        for column, box in self.boxes.items():
            value = self._at(column).data(Qt.ItemDataRole.EditRole)
            box.setCurrentIndex(max(0, box.findData(value)))
            meaning = box.itemData(box.currentIndex(), Qt.ItemDataRole.ToolTipRole)
            box.setToolTip(f"{self.tr(_TIPS[column])}\n{box.currentText()}: {meaning}")
        for column, field in self.fields.items():
            if not field.isModified():
                field.setText(str(self._at(column).data(Qt.ItemDataRole.EditRole)))
        op = str(self.boxes[RewardColumn.OP].currentData())
        has_op = self._model.at(self._row).kind is TermKind.VARIABLE
        compares = has_op and takes_reference(op)
        self.fields[RewardColumn.REFERENCE].setVisible(compares)
        tip = self._at(RewardColumn.VARIABLE).data(Qt.ItemDataRole.ToolTipRole)
        set_role(self.title, "warn" if tip else "subheading")
        self.title.setToolTip(str(tip or ""))
        self.refresh_numbers()

    def show_value(self, value: float | None, change: float) -> None:
        """The variable on this frame, and its change; None while it can not be read."""
        text = "" if value is None else plain_number(value)
        self.value.setText(f"{text} ({signed(change)})" if text and change else text)

    def _at(self, column: RewardColumn) -> QModelIndex:
        return self._model.index(self._row, column)

    def refresh_numbers(self) -> None:
        """This frame's contribution and the curve."""
        index = self._model.index(self._row, RewardColumn.NOW)
        text = str(index.data())
        given = text not in ("·", "0", "")
        self.now.setText(self.tr("{0} this frame").format(text) if given else "·")
        set_role(self.now, "faint" if not given else "bad" if text.startswith("-") else "good")
        trend = self._model.index(self._row, RewardColumn.TREND).data(TrendRole)
        self.trend.show_values(tuple(trend or ()))

    def _check(self, column: RewardColumn, text: str) -> None:
        reason = self._model.check(self._model.index(self._row, column), text)
        field = self.fields[column]
        field.setToolTip(reason or self.tr(_TIPS[column]))
        set_trait(field, "invalid", reason is not None)

    def _finish(self, column: RewardColumn) -> None:
        field = self.fields[column]
        if not field.isModified():
            return
        field.setModified(False)
        if field.property("invalid"):
            self.rejected.emit(field.toolTip())
            self._check(column, "0")
            self.refresh()
        else:
            self._commit(column, field.text())

    def _commit(self, column: RewardColumn, text: str) -> None:
        self._model.setData(self._model.index(self._row, column), text)
