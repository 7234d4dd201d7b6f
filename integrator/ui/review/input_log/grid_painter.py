"""Draws the rows of the input log: frame numbers, pressed buttons, lag, selection and marks."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from integrator.ui.review.input_log.grid_rows import AXIS_WIDTH, FRAME_WIDTH, HEAD, ROW, GridRows
from integrator.ui.screen.pad_labels import button_label
from integrator.ui.widgets.theme import Theme, mono_font, ui_font

translate = QCoreApplication.translate
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class GridPainter:
    """Draws ``shown`` in the colours of the theme."""

    def __init__(self, theme: Theme, shown: GridRows) -> None:
        self._theme = theme
        self._shown = shown
        # Looking up installed fonts takes longer than drawing a row.
        self._head_font, self._key_font, self._number_font = (
            ui_font(8.5),
            ui_font(8.0),
            mono_font(8.5),
        )

    def paint(self, painter: QPainter, damaged: QRect, viewport: QRect) -> None:
        """Draw the rows of which something is to be drawn anew."""
        shown = self._shown
        painter.fillRect(damaged, QColor(self._theme.colors.panel))
        top = shown.scrolled + 1 + max(0, (damaged.top() - HEAD) // ROW)
        bottom = shown.frame_at(damaged.bottom())
        painter.save()
        painter.setClipRect(damaged.intersected(viewport.adjusted(0, HEAD, 0, 0)))
        for frame in range(top, min(shown.length, bottom) + 1):
            self._paint_row(painter, frame)
        painter.restore()
        if damaged.top() < HEAD:
            self._paint_head(painter)

    def _paint_head(self, painter: QPainter) -> None:
        colors, shown = self._theme.colors, self._shown
        head = QRectF(0, 0, shown.width, HEAD)
        painter.fillRect(head, QColor(colors.panel))
        painter.setFont(self._head_font)
        painter.setPen(QColor(colors.faint))
        frame = translate("InputLogView", "frame")
        painter.drawText(QRectF(12, 0, FRAME_WIDTH, HEAD), _MIDDLE, frame)
        if shown.mark_width:
            names = QRectF(shown.width - shown.mark_width + 8, 0, shown.mark_width, HEAD)
            painter.drawText(names, _MIDDLE, translate("InputLogView", "mark"))
        painter.save()
        painter.setClipRect(head.adjusted(FRAME_WIDTH, 0, -shown.mark_width, 0))
        for port in range(shown.ports):
            for column, bit in enumerate(shown.bits):
                rect = QRectF(shown.column_x(port, column), 0, shown.cell_width, HEAD)
                label = button_label(str(shown.buttons[bit]))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, label[:3])
        painter.setPen(QColor(colors.warn))
        for number, name in enumerate(shown.axes):
            rect = QRectF(shown.axis_x(number), 0, AXIS_WIDTH, HEAD)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, name.removesuffix(" Axis"))
        painter.restore()
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawLine(0, HEAD - 1, shown.width, HEAD - 1)

    def _paint_row(self, painter: QPainter, frame: int) -> None:
        colors, shown = self._theme.colors, self._shown
        y, width = shown.row_y(frame), shown.width
        row, future = QRectF(0, y, width, ROW), frame > shown.position
        self._paint_ground(painter, row, frame)
        painter.setFont(self._number_font)
        painter.setPen(QColor(colors.faint if future else colors.secondary))
        number = QRectF(4, y, FRAME_WIDTH - 14, ROW)
        painter.drawText(number, _MIDDLE | Qt.AlignmentFlag.AlignRight, str(frame))
        if frame in shown.marks:
            self._paint_mark(painter, row, shown.marks[frame])
        painter.save()
        cells = row.adjusted(FRAME_WIDTH, 0, -shown.mark_width, 0)
        painter.setClipRect(cells, Qt.ClipOperation.IntersectClip)
        self._paint_cells(painter, frame, future=future)
        self._paint_axes(painter, frame, future=future)
        painter.restore()
        if frame in shown.breaks:
            painter.setPen(QPen(QColor(colors.warn), 1, Qt.PenStyle.DashLine))
            painter.drawLine(0, y + ROW - 1, width, y + ROW - 1)

    def _paint_ground(self, painter: QPainter, row: QRectF, frame: int) -> None:
        colors, shown = self._theme.colors, self._shown
        here = frame == shown.position
        if frame % 2:
            painter.fillRect(row, QColor(colors.stripe))
        if shown.lags(frame):
            painter.fillRect(row, QColor(colors.bad_soft))
        if here or shown.is_selected(frame):
            ground = QColor(colors.accent_soft)
            ground.setAlpha(255 if here else 150)
            painter.fillRect(row, ground)
        if here:
            painter.fillRect(QRectF(0, row.top(), 3, ROW), QColor(colors.accent))

    def _paint_mark(self, painter: QPainter, row: QRectF, label: str) -> None:
        colors, shown = self._theme.colors, self._shown
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.warn))
        painter.drawEllipse(QRectF(8, row.center().y() - 3.5, 7, 7))
        place = row.adjusted(shown.width - shown.mark_width + 8, 0, -4, 0)
        painter.setFont(self._head_font)
        painter.setPen(QColor(colors.text))
        text = QFontMetricsF(painter.font()).elidedText(
            label, Qt.TextElideMode.ElideRight, place.width()
        )
        painter.drawText(place, _MIDDLE, text)
        painter.restore()

    def _paint_axes(self, painter: QPainter, frame: int, *, future: bool) -> None:
        shown, colors = self._shown, self._theme.colors
        painter.setFont(self._number_font)
        for axis in range(len(shown.axes)):
            number = shown.number(frame, axis)
            rest = future or not number
            painter.setPen(QColor(colors.faint if rest else colors.text))
            rect = QRectF(shown.axis_x(axis), shown.row_y(frame), AXIS_WIDTH, ROW)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(number))

    def _paint_cells(self, painter: QPainter, frame: int, *, future: bool) -> None:
        dots = QPolygonF()
        pressed: list[tuple[QRectF, str]] = []
        shown, colors = self._shown, self._theme.colors
        y, width = shown.row_y(frame), shown.cell_width
        for port in range(shown.ports):
            left = shown.column_x(port, 0)
            for column, bit in enumerate(shown.bits):
                rect = QRectF(left + column * width, y, width, ROW)
                if shown.shows_pressed(frame, port, bit):
                    pressed.append((rect, button_label(str(shown.buttons[bit]))))
                else:
                    dots.append(rect.center())
        painter.setPen(QPen(QColor(colors.border), 2))
        painter.drawPoints(dots)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(colors.accent)
        ground.setAlpha(130 if future else 255)
        painter.setFont(self._key_font)
        for rect, label in pressed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(rect.adjusted(2, 1.5, -2, -1.5), 4, 4)
            painter.setPen(QColor(colors.on_accent))
            text = fitting_letters(label, rect.width() - 6, QFontMetricsF(self._key_font))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def fitting_letters(label: str, room: float, metrics: QFontMetricsF) -> str:
    """The first letters of a button's label that a key of a narrow column has room for."""
    while label and metrics.horizontalAdvance(label) > room:
        label = label[:-1]
    return label
