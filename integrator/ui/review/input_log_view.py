"""The Input log: frames down, buttons across, as on a piano roll; click to edit the past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea

from integrator.ui.screen.pad_labels import button_label, shown_bits
from integrator.ui.widgets.theme import Theme, mono_font, ui_font

ROW = 19
_HEAD = 24
_FRAME_WIDTH = 66
_PLAYER_GAP = 10
_LEAST_CELL, _MOST_CELL = 20, 40


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in the grid; ``port`` is None over the frame numbers."""

    frame: int
    port: int | None
    bit: int


@dataclass(slots=True)
class _Stroke:
    """Frames that are painted with the mouse down: all get ``pressed``."""

    cell: Cell
    pressed: bool
    last: int


class InputLogView(QAbstractScrollArea):
    """Shows rows that it is given. ``rows_needed`` gives first frame and count.

    ``edit_requested`` gives first and last frame, port, bit, and True to press the button.
    """

    rows_needed = Signal(int, int)
    seek_requested = Signal(int)
    edit_requested = Signal(int, int, int, int, bool)
    shown = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        # Looking up installed fonts takes longer than drawing a row.
        self._head_font, self._key_font, self._number_font = (
            ui_font(8.5),
            ui_font(8.0),
            mono_font(8.5),
        )
        self._buttons: tuple[str | None, ...] = ()
        self._bits: tuple[int, ...] = ()
        self._ports = 1
        self._length = self._position = 0
        self._first = 1
        self._rows: NDArray[np.uint16] = np.zeros((0, 1), np.uint16)
        self._breaks: frozenset[int] = frozenset()
        self._stroke: _Stroke | None = None
        self.setAccessibleName(self.tr("Input log"))
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.viewport().setMouseTracking(True)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._scrolled())
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)
        theme.changed.connect(self.viewport().update)

    # -- shown state --------------------------------------------------------------------------

    def set_buttons(self, buttons: Sequence[str | None], ports: int) -> None:
        """Show the columns of another console: one a button and player."""
        self._buttons, self._ports = tuple(buttons), ports
        self._bits = shown_bits(buttons)
        self._rows = np.zeros((0, ports), np.uint16)
        self.set_length(0, ())

    def set_length(self, length: int, breaks: Sequence[int]) -> None:
        """Set the number of frames on the timeline; a line is drawn after each of ``breaks``."""
        if length != self._length or self._breaks != set(breaks):
            self.viewport().update(self._row_rect(self._length, length))
        self._length, self._breaks = length, frozenset(breaks)
        self.verticalScrollBar().setRange(0, max(0, length - self._visible()))
        self.verticalScrollBar().setPageStep(max(1, self._visible()))
        self._fit_width()
        self._ask()

    def set_position(self, frame: int) -> None:
        """Highlight the frame on the screen, and keep it in view."""
        if frame == self._position:
            return
        for row in (self._position, frame):
            self.viewport().update(self._row_rect(row))
        self._position = frame
        self._keep_in_view()

    def _keep_in_view(self) -> None:
        bar, visible, frame = self.verticalScrollBar(), self._visible(), self._position
        if self._stroke is None and not bar.value() < frame <= bar.value() + visible:
            bar.setMaximum(max(bar.maximum(), frame - visible))
            bar.setValue(max(0, frame - visible * 3 // 4))

    def show_rows(self, first: int, rows: NDArray[np.uint16]) -> None:
        """Take the buttons of frames from ``first`` on, uint16 of shape (frames, ports)."""
        if first != self._first or not np.array_equal(rows, self._rows):
            self._first, self._rows = first, rows
            self.viewport().update()

    def is_pressed(self, frame: int, port: int, bit: int) -> bool:
        """True when a button was down on a frame, as far as the view has its row."""
        row = frame - self._first
        known = 0 <= row < len(self._rows) and port < self._rows.shape[1]
        return known and bool(self._rows[row, port] >> bit & 1)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for one player's pad."""
        return QSize(320, 300)

    def _scrolled(self) -> None:
        self._ask()
        self.viewport().update()

    def _row_rect(self, first: int, last: int | None = None) -> QRect:
        """The part of the viewport that shows some frames."""
        low, high = sorted((first, first if last is None else last))
        y = _HEAD + (low - 1 - self.verticalScrollBar().value()) * ROW
        return QRect(0, y, self.viewport().width(), (high - low + 1) * ROW)

    def _visible(self) -> int:
        return max(0, (self.viewport().height() - _HEAD) // ROW)

    def _ask(self) -> None:
        first = self.verticalScrollBar().value() + 1
        count = min(self._visible() + 1, self._length - first + 1)
        if count > 0:
            self.rows_needed.emit(first, count)

    # -- places -------------------------------------------------------------------------------

    def _cell_width(self) -> float:
        columns = max(1, len(self._bits) * self._ports)
        room = self.viewport().width() - _FRAME_WIDTH - _PLAYER_GAP * self._ports - 6
        return max(_LEAST_CELL, min(_MOST_CELL, room / columns))

    def _column_x(self, port: int, column: int) -> float:
        width, scrolled = self._cell_width(), self.horizontalScrollBar().value()
        left = _FRAME_WIDTH + port * (len(self._bits) * width + _PLAYER_GAP) + column * width
        return left - scrolled

    def _fit_width(self) -> None:
        """Scroll sideways when the buttons of all players do not fit."""
        needed = self._ports * (len(self._bits) * self._cell_width() + _PLAYER_GAP) + _FRAME_WIDTH
        room = self.viewport().width()
        self.horizontalScrollBar().setRange(0, max(0, round(needed) - room))
        self.horizontalScrollBar().setPageStep(room)

    def cell_rect(self, frame: int, port: int, bit: int) -> QRectF:
        """The rectangle of a cell, in the viewport's coordinates."""
        y = _HEAD + (frame - 1 - self.verticalScrollBar().value()) * ROW
        return QRectF(self._column_x(port, self._bits.index(bit)), y, self._cell_width(), ROW)

    def cell_at(self, where: QPoint) -> Cell | None:
        """The cell at a place; None in the head, between players and below the end."""
        row = (where.y() - _HEAD) // ROW
        frame = self.verticalScrollBar().value() + row + 1
        if where.y() < _HEAD or not 1 <= frame <= self._length:
            return None
        if where.x() < _FRAME_WIDTH:
            return Cell(frame, None, 0)
        width = self._cell_width()
        for port in range(self._ports):
            column = int((where.x() - self._column_x(port, 0)) // width)
            if 0 <= column < len(self._bits):
                return Cell(frame, port, self._bits[column])
        return None

    # -- drawing ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """The rows of which something is to be drawn anew: two when the frame moves on by one."""
        painter = QPainter(self.viewport())
        damaged = event.rect()
        painter.fillRect(damaged, QColor(self._theme.colors.panel))
        scrolled = self.verticalScrollBar().value()
        top = scrolled + 1 + max(0, (damaged.top() - _HEAD) // ROW)
        bottom = scrolled + 1 + (damaged.bottom() - _HEAD) // ROW
        painter.save()
        painter.setClipRect(damaged.intersected(self.viewport().rect().adjusted(0, _HEAD, 0, 0)))
        for frame in range(top, min(self._length, bottom) + 1):
            self._paint_row(painter, frame)
        painter.restore()
        if damaged.top() < _HEAD:
            self._paint_head(painter)

    def _paint_head(self, painter: QPainter) -> None:
        colors = self._theme.colors
        head = QRectF(0, 0, self.viewport().width(), _HEAD)
        painter.fillRect(head, QColor(colors.panel))
        painter.setFont(self._head_font)
        painter.setPen(QColor(colors.faint))
        painter.drawText(
            QRectF(12, 0, _FRAME_WIDTH, _HEAD), Qt.AlignmentFlag.AlignVCenter, self.tr("frame")
        )
        painter.save()
        painter.setClipRect(head.adjusted(_FRAME_WIDTH, 0, 0, 0))
        for port in range(self._ports):
            for column, bit in enumerate(self._bits):
                rect = QRectF(self._column_x(port, column), 0, self._cell_width(), _HEAD)
                label = button_label(str(self._buttons[bit]))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, label[:3])
        painter.restore()
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawLine(0, _HEAD - 1, self.viewport().width(), _HEAD - 1)

    def _paint_row(self, painter: QPainter, frame: int) -> None:
        colors = self._theme.colors
        y = _HEAD + (frame - 1 - self.verticalScrollBar().value()) * ROW
        width = self.viewport().width()
        if frame == self._position:
            painter.fillRect(QRectF(0, y, width, ROW), QColor(colors.accent_soft))
            painter.fillRect(QRectF(0, y, 3, ROW), QColor(colors.accent))
        elif frame % 2:
            painter.fillRect(QRectF(0, y, width, ROW), QColor(colors.stripe))
        future = frame > self._position
        painter.setFont(self._number_font)
        painter.setPen(QColor(colors.faint if future else colors.secondary))
        number = QRectF(4, y, _FRAME_WIDTH - 14, ROW)
        painter.drawText(
            number, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(frame)
        )
        painter.save()
        clip = Qt.ClipOperation.IntersectClip
        painter.setClipRect(QRectF(_FRAME_WIDTH, y, width - _FRAME_WIDTH, ROW), clip)
        self._paint_cells(painter, frame, future=future)
        painter.restore()
        if frame in self._breaks:
            painter.setPen(QPen(QColor(colors.warn), 1, Qt.PenStyle.DashLine))
            painter.drawLine(0, y + ROW - 1, width, y + ROW - 1)

    def _paint_cells(self, painter: QPainter, frame: int, *, future: bool) -> None:
        dots = QPolygonF()
        pressed: list[tuple[QRectF, str]] = []
        y, width = self._row_rect(frame).top(), self._cell_width()
        for port in range(self._ports):
            left = self._column_x(port, 0)
            for column, bit in enumerate(self._bits):
                rect = QRectF(left + column * width, y, width, ROW)
                if self._shows_pressed(frame, port, bit):
                    pressed.append((rect, button_label(str(self._buttons[bit]))))
                else:
                    dots.append(rect.center())
        colors = self._theme.colors
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
            if QFontMetricsF(painter.font()).horizontalAdvance(label) < rect.width():
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, label)

    def _shows_pressed(self, frame: int, port: int, bit: int) -> bool:
        """True when a cell is pressed on record, or will be by the unfinished stroke."""
        stroke = self._stroke
        if stroke is not None and (stroke.cell.port, stroke.cell.bit) == (port, bit):
            low, high = sorted((stroke.cell.frame, stroke.last))
            if low <= frame <= high:
                return stroke.pressed
        return self.is_pressed(frame, port, bit)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Meanwhile more may have been played."""
        super().showEvent(event)
        self.shown.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the range of the scroll bar to the new height."""
        super().resizeEvent(event)
        self.set_length(self._length, tuple(self._breaks))
        self._keep_in_view()

    # -- mouse --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A frame's number goes there; a cell begins a stroke."""
        cell = self.cell_at(event.position().toPoint())
        if cell is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        if cell.port is None:
            self.seek_requested.emit(cell.frame)
            return
        pressed = not self.is_pressed(cell.frame, cell.port, cell.bit)
        self._stroke = _Stroke(cell, pressed, cell.frame)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A stroke goes on over other frames."""
        if self._stroke is None:
            return
        row = (event.position().toPoint().y() - _HEAD) // ROW
        frame = self.verticalScrollBar().value() + row + 1
        self._stroke.last = max(1, min(self._length, frame))
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """End the stroke, which becomes an edit."""
        stroke, self._stroke = self._stroke, None
        if stroke is None or stroke.cell.port is None:
            return
        first, last = sorted((stroke.cell.frame, stroke.last))
        self.edit_requested.emit(first, last, stroke.cell.port, stroke.cell.bit, stroke.pressed)
