"""Draws a number's course as a small curve in a table's cell."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from integrator.ui.find.suggestions.suggestions_model import CURVE_ROLE
from integrator.ui.widgets.theme import Theme

_MARGIN = 4.0


class CurveDelegate(QStyledItemDelegate):
    """The least number lies at the cell's lower edge, the greatest at its upper one."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the curve over the cell's own background."""
        super().paint(painter, option, index)
        numbers = np.asarray(index.data(CURVE_ROLE), np.float64)
        cell = QRectF(option.rect)
        box = cell.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        span = max(float(np.ptp(numbers)), 1.0)
        x = box.left() + box.width() * np.arange(len(numbers)) / max(len(numbers) - 1, 1)
        y = box.bottom() - box.height() * (numbers - numbers.min()) / span
        points = [QPointF(*each) for each in zip(x.tolist(), y.tolist(), strict=True)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._theme.colors.link), 1.2))
        painter.drawPolyline(QPolygonF(points))
        painter.restore()
