"""A crop's frame and its numbers, to be read over any picture."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from integrator.ui.widgets.theme import DARK

# A picture has its own colours in both themes, so the frame brings a dark ground of its own.
FRAME, GROUND = QColor(DARK.warn), QColor(DARK.screen)


def draw_frame(painter: QPainter, box: QRectF) -> None:
    """A dashed line on a dark one."""
    painter.setPen(QPen(GROUND, 3.5))
    painter.drawRect(box)
    painter.setPen(QPen(FRAME, 1.5, Qt.PenStyle.DashLine))
    painter.drawRect(box)


def draw_hint(painter: QPainter, text: str, room: QRectF) -> None:
    """A text on a dark plate in the middle of the room, in as many lines as it needs there."""
    flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    inner = room.adjusted(8, 4, -8, -4)
    plate = QFontMetricsF(painter.font()).boundingRect(inner, flags, text)
    painter.fillRect(plate.adjusted(-4, -2, 4, 2), GROUND)
    painter.setPen(FRAME)
    painter.drawText(inner, flags, text)


def draw_note(painter: QPainter, text: str, base: QPointF) -> None:
    """A text on a dark plate; ``base`` is the left end of its base line."""
    metrics = QFontMetricsF(painter.font())
    plate = metrics.boundingRect(text).adjusted(-4, -2, 4, 2).translated(base)
    painter.fillRect(plate, GROUND)
    painter.setPen(FRAME)
    painter.drawText(base, text)
