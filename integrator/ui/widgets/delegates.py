"""Painting and editing of cells: trend lines, checked text, choices."""

from collections.abc import Sequence
from typing import Protocol, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from integrator.ui.widgets.panels.parts import set_trait
from integrator.ui.widgets.rows_model import Index, TrendRole
from integrator.ui.widgets.theme import SIZES, Theme, mono_font

HISTORY = 96
"""Values kept for a trend line."""


class CheckedModel(Protocol):
    """A model that gives the reason against a text before it is set."""

    def check(self, index: Index, text: str) -> str | None:
        """The reason, or None."""
        ...


def trend_points(values: Sequence[float], box: QRectF) -> QPolygonF:
    """The line of ``values`` stretched over ``box``; flat in the middle without a change."""
    low, span = min(values), max(values) - min(values)
    step = box.width() / max(1, len(values) - 1)
    shares = [(value - low) / span if span else 0.5 for value in values]
    return QPolygonF(
        [
            QPointF(box.left() + at * step, box.bottom() - share * box.height())
            for at, share in enumerate(shares)
        ]
    )


class TrendDelegate(QStyledItemDelegate):
    """A small line of the last values, in place of text."""

    def __init__(
        self, theme: Theme, role_color: str = "good", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._role_color = role_color

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        values = index.data(TrendRole)
        if not values or len(values) < 2:
            return
        colors = self._theme.colors
        color = {"good": colors.good, "accent": colors.link}[self._role_color]
        if min(values) == max(values):
            color = colors.faint
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(color), 1.2))
        painter.drawPolyline(trend_points(values, QRectF(option.rect).adjusted(10, 7, -14, -7)))
        painter.restore()


class CheckedTextDelegate(QStyledItemDelegate):
    """A text field that turns red and says why while its text would be refused.

    Enter does not close an invalid field; leaving it puts the old text back and ``rejected`` gives
    the reason.
    """

    rejected = Signal(str)

    def createEditor(  # noqa: N802 - Qt's name
        self, parent: QWidget, _option: QStyleOptionViewItem, index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setFont(mono_font() if index.column() else parent.font())
        place = QPersistentModelIndex(index)
        editor.textEdited.connect(lambda text: self._show_check(editor, place, text))
        return editor

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Keep an invalid field open on Enter; take its text back when it is left."""
        if isinstance(editor, QLineEdit) and editor.property("invalid"):
            if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
                    self._say(editor, editor.toolTip())
                    return True
            elif event.type() is QEvent.Type.FocusOut:
                self.rejected.emit(editor.toolTip())
                self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.RevertModelCache)
                return True
        return super().eventFilter(editor, event)

    def setModelData(  # noqa: N802 - Qt's name
        self, editor: QWidget, model: QAbstractItemModel, index: Index
    ) -> None:
        text = cast("QLineEdit", editor).text()
        reason = cast("CheckedModel", model).check(index, text)
        if reason is None:
            model.setData(index, text)
        else:
            self.rejected.emit(reason)

    def _show_check(self, editor: QLineEdit, index: QPersistentModelIndex, text: str) -> None:
        reason = cast("CheckedModel", index.model()).check(index, text)
        set_trait(editor, "invalid", reason is not None)
        editor.setToolTip(reason or "")
        self._say(editor, reason or "")

    @staticmethod
    def _say(editor: QLineEdit, reason: str) -> None:
        QToolTip.showText(editor.mapToGlobal(editor.rect().bottomLeft()), reason, editor)


class ChoiceDelegate(QStyledItemDelegate):
    """A drop-down of fixed choices: (value, text shown)."""

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._choices = tuple(choices)

    def createEditor(  # noqa: N802 - Qt's name
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        box = QComboBox(parent)
        for value, text in self._choices:
            box.addItem(text, value)
        box.activated.connect(lambda _: self._commit(box))
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:  # noqa: N802 - Qt's name
        box = cast("QComboBox", editor)
        box.setCurrentIndex(max(0, box.findData(index.data(Qt.ItemDataRole.EditRole))))
        box.showPopup()

    def setModelData(  # noqa: N802 - Qt's name
        self, editor: QWidget, model: QAbstractItemModel, index: Index
    ) -> None:
        """Hand over the value, not the text."""
        model.setData(index, cast("QComboBox", editor).currentData())

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802 - Qt's name
        """Never taller than a row."""
        return QSize(super().sizeHint(option, index).width(), SIZES.row)

    def _commit(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box, QStyledItemDelegate.EndEditHint.NoHint)
