"""The rows of the input log: the place of each frame and button, and how they are drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF, QRegion

from integrator.ui.screen.pad_overlay import button_label
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Theme, faded, mono_font, ui_font

ROW = 19
HEAD = 24
FRAME_WIDTH = 66
AXIS_WIDTH = 62
_PLAYER_GAP = 10
_LEAST_CELL = 20


class Cell(NamedTuple):
    """A place in the grid; ``port`` is None over the frame numbers and the names of marks."""

    frame: int
    port: int | None
    bit: int


@dataclass(slots=True)
class Stroke:
    """Frames, in any order, that are painted with the mouse down: all get ``pressed``."""

    first: int
    last: int
    port: int
    bit: int
    pressed: bool


@dataclass(slots=True)
class GridRows:
    """Content of the grid.

    ``axes`` names the columns of sticks, touches and the like, which follow those of all players;
    the variables of ``names`` come after them, with ``values`` int64 (frames, names).
    Of ``length`` rows, the first are ``played``. ``rows`` uint16 (frames, ports and axes) and
    ``lag`` bool (frames,) are of the frames from ``first`` on. ``scrolled`` frames are above the
    viewport, ``left`` pixels to its left; ``selection`` are the first and last selected frame.
    """

    buttons: tuple[str | None, ...] = ()
    bits: tuple[int, ...] = ()
    ports: int = 1
    axes: tuple[str, ...] = ()
    length: int = 0
    played: int = 0
    position: int = 0
    first: int = 1
    rows: NDArray[np.uint16] = field(default_factory=lambda: np.zeros((0, 1), np.uint16))
    lag: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    names: tuple[str, ...] = ()
    values: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    breaks: frozenset[int] = frozenset()
    marks: Mapping[int, str] = field(default_factory=dict)
    selection: tuple[int, int] | None = None
    stroke: Stroke | None = None
    width: int = 0
    scrolled: int = 0
    left: int = 0

    @property
    def end(self) -> int:
        """The last row that can be painted: some lie beyond the recording."""
        return self.length + 30 if self.length else 0

    # A row that is not known yet has no button down, zeros, and no lag.

    def is_pressed(self, frame: int, port: int, bit: int) -> bool:
        return bool(self.mask(frame, port) >> bit & 1)

    def mask(self, frame: int, port: int) -> int:
        return self._cell(self.rows, frame, port)

    def _cell(self, table: NDArray[Any], frame: int, column: int) -> int:
        row = frame - self.first
        known = 0 <= row < len(table) and column < table.shape[1]
        return int(table[row, column]) if known else 0

    @property
    def numbers(self) -> tuple[str, ...]:
        return (*self.axes, *self.names)

    def number(self, frame: int, axis: int) -> int:
        name = axis - len(self.axes)
        if name >= 0:
            return self._cell(self.values, frame, name)
        return self._cell(self.rows.view(np.int16), frame, self.ports + axis)

    def lags(self, frame: int) -> bool:
        """True for a frame in which the game asked for no button."""
        return bool(self._cell(self.lag[:, np.newaxis], frame, 0))

    def is_selected(self, frame: int) -> bool:
        return self.selection is not None and self.selection[0] <= frame <= self.selection[1]

    def is_planned(self, frame: int) -> bool:
        """True for a row that has not been played yet."""
        return self.length >= frame > max(self.played, self.position)

    def shown_mask(self, frame: int, port: int) -> int:
        """A player's buttons on a frame, with the stroke that is being painted."""
        mask, stroke = self.mask(frame, port), self.stroke
        if stroke is None or stroke.port != port:
            return mask
        low, high = sorted((stroke.first, stroke.last))
        bit = 1 << stroke.bit if low <= frame <= high else 0
        return mask | bit if stroke.pressed else mask & ~bit

    def begin_stroke(self, frame: int, port: int, bit: int) -> None:
        self.stroke = Stroke(frame, frame, port, bit, pressed=not self.is_pressed(frame, port, bit))

    def paint(self, stroke: Stroke) -> None:
        low, high = sorted((stroke.first - self.first, stroke.last - self.first))
        bit = np.uint16(1 << stroke.bit)
        self.rows = self.rows.copy()
        cells = self.rows[max(0, low) : max(0, high + 1), stroke.port]
        cells[:] = cells | bit if stroke.pressed else cells & ~bit

    @property
    def _room(self) -> int:
        """The width of all buttons and the names of marks."""
        numbers = AXIS_WIDTH * len(self.numbers)
        return self.width - FRAME_WIDTH - _PLAYER_GAP * self.ports - numbers - 6

    @property
    def mark_width(self) -> int:
        """The width of the column of names, which is there when the line has marks. Names are cut
        before a button is out of sight; a tip has the whole name."""
        buttons = len(self.bits) * self.ports * _LEAST_CELL
        least, most = 36, 78  # pixels
        return max(least, min(most, self._room - buttons)) if self.marks else 0

    @property
    def cell_width(self) -> float:
        columns = max(1, len(self.bits) * self.ports)
        return max(_LEAST_CELL, min(40, (self._room - self.mark_width) / columns))

    @property
    def needed_width(self) -> int:
        cells = self.ports * (len(self.bits) * self.cell_width + _PLAYER_GAP)
        return round(cells + FRAME_WIDTH + AXIS_WIDTH * len(self.numbers) + self.mark_width)

    def column_x(self, port: int, column: int) -> float:
        width = self.cell_width
        player = port * (len(self.bits) * width + _PLAYER_GAP)
        return FRAME_WIDTH + player + column * width - self.left

    def axis_x(self, axis: int) -> float:
        return self.column_x(self.ports, 0) + axis * AXIS_WIDTH

    def row_y(self, frame: int) -> int:
        return HEAD + (frame - 1 - self.scrolled) * ROW

    def row_rect(self, first: int, last: int | None = None) -> QRect:
        low, high = sorted((first, first if last is None else last))
        return QRect(0, self.row_y(low), self.width, (high - low + 1) * ROW)

    def frame_at(self, y: int) -> int:
        return self.scrolled + (y - HEAD) // ROW + 1

    def column_at(self, x: int) -> tuple[int, int] | None:
        for port in range(self.ports):
            column = int((x - self.column_x(port, 0)) // self.cell_width)
            if 0 <= column < len(self.bits):
                return port, self.bits[column]
        return None

    def cell_at(self, where: QPoint) -> Cell | None:
        """The cell at a place; None in the head, between players and below the end."""
        frame = self.frame_at(where.y())
        if where.y() < HEAD or not 1 <= frame <= self.end:
            return None
        if where.x() < FRAME_WIDTH or where.x() >= self.width - self.mark_width:
            return Cell(frame, None, 0) if frame <= self.length else None
        column = self.column_at(where.x())
        return Cell(frame, *column) if column else None


_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class GridPainter:
    """Draws ``shown`` in the colours of the theme."""

    def __init__(self, theme: Theme, shown: GridRows) -> None:
        self._theme = theme
        self._shown = shown
        # Looking up installed fonts takes longer than drawing a row.
        self._head_font, self._key_font = ui_font(8.5), ui_font(8.0)
        self._number_font = mono_font(8.5)

    def paint(self, painter: QPainter, damaged: QRegion, viewport: QRect) -> None:
        """Draw the head and the rows that ``damaged`` touches: far apart when the frame on the
        screen moves on and the line grows."""
        shown, around = self._shown, damaged.boundingRect()
        painter.fillRect(around, QColor(self._theme.colors.panel))
        first = shown.frame_at(max(around.top(), HEAD))
        last = min(shown.end, shown.frame_at(around.bottom()))
        painter.save()
        painter.setClipRect(around.intersected(viewport.adjusted(0, HEAD, 0, 0)))
        for frame, y in enumerate(range(shown.row_y(first), shown.row_y(last) + 1, ROW), first):
            if damaged.intersects(QRect(0, y, shown.width, ROW)):
                self._paint_row(painter, frame, y)
        painter.restore()
        if around.top() < HEAD:
            self._paint_head(painter)

    def _paint_head(self, painter: QPainter) -> None:
        colors, shown = self._theme.colors, self._shown
        head, centre = QRectF(0, 0, shown.width, HEAD), Qt.AlignmentFlag.AlignCenter
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
                painter.drawText(rect, centre, button_label(str(shown.buttons[bit]))[:3])
        painter.setPen(QColor(colors.warn))
        elided, middle = painter.fontMetrics().elidedText, Qt.TextElideMode.ElideMiddle
        for number, name in enumerate(shown.numbers):
            rect = QRectF(shown.axis_x(number), 0, AXIS_WIDTH, HEAD)
            painter.drawText(
                rect, centre, elided(name.removesuffix(" Axis"), middle, AXIS_WIDTH - 6)
            )
        painter.restore()
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawLine(0, HEAD - 1, shown.width, HEAD - 1)

    def _paint_row(self, painter: QPainter, frame: int, y: int) -> None:
        colors, shown = self._theme.colors, self._shown
        row, future = QRectF(0, y, shown.width, ROW), frame > shown.position
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
        for at in range(len(shown.numbers)):
            shows = shown.number(frame, at)
            painter.setPen(QColor(colors.text if shows and not future else colors.faint))
            rect = QRectF(shown.axis_x(at), y, AXIS_WIDTH, ROW)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(shows))
        self._paint_cells(painter, frame, y)
        painter.restore()
        if frame in shown.breaks:
            painter.setPen(QPen(QColor(colors.warn), 1, Qt.PenStyle.DashLine))
            painter.drawLine(0, y + ROW - 1, shown.width, y + ROW - 1)

    def _paint_ground(self, painter: QPainter, row: QRectF, frame: int) -> None:
        colors, shown = self._theme.colors, self._shown
        here = frame == shown.position
        if shown.is_planned(frame):
            painter.fillRect(row, QColor(colors.sunken))
        elif frame % 2 and frame <= shown.length:
            painter.fillRect(row, QColor(colors.stripe))
        if shown.lags(frame):
            painter.fillRect(row, QColor(colors.bad_soft))
        if here or shown.is_selected(frame):
            painter.fillRect(row, faded(colors.accent_soft, 255 if here else 150))
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
        right, metrics = Qt.TextElideMode.ElideRight, QFontMetricsF(painter.font())
        painter.drawText(place, _MIDDLE, metrics.elidedText(label, right, place.width()))
        painter.restore()

    def _paint_cells(self, painter: QPainter, frame: int, y: int) -> None:
        dots = QPolygonF()
        pressed: list[tuple[QRectF, str]] = []
        shown, colors, width = self._shown, self._theme.colors, self._shown.cell_width
        for port in range(shown.ports):
            mask, left = shown.shown_mask(frame, port), shown.column_x(port, 0)
            for column, bit in enumerate(shown.bits):
                rect = QRectF(left + column * width, y, width, ROW)
                if mask >> bit & 1:
                    pressed.append((rect, button_label(str(shown.buttons[bit]))))
                else:
                    dots.append(rect.center())
        painter.setPen(QPen(QColor(colors.border), 2))
        painter.drawPoints(dots)
        if not pressed:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = faded(colors.accent, 130 if frame > shown.position else 255)
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
