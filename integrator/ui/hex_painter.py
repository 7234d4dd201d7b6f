"""Draws rows of the Memory panel quickly: a few strings a row, one for each colour."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from integrator.ui.memory_layout import FADE_STEPS, ROW_BYTES, Mark, Marks, RowLayout, SeenBytes
from integrator.ui.theme import Theme

_HEX = tuple(f"{value:02X}" for value in range(256))
_TEXT = tuple(chr(value) if 32 <= value < 127 else "·" for value in range(256))
_MARGIN = 12
_ADDRESS_CHARS = 8
_MIDDLE_GAP = 1
_NAME_CHARS = 24


@dataclass(frozen=True, slots=True)
class HexMetrics:
    """Where columns stand, in pixels. ``char`` is a character's width, ``row`` a row's height."""

    char: float
    row: int

    @property
    def bytes_left(self) -> float:
        """Left edge of the first byte."""
        return _MARGIN + (_ADDRESS_CHARS + 2) * self.char

    def byte_left(self, column: int) -> float:
        """Left edge of a byte."""
        gap = _MIDDLE_GAP if column >= ROW_BYTES // 2 else 0
        return self.bytes_left + (3 * column + gap) * self.char

    @property
    def text_left(self) -> float:
        """Left edge of the bytes as characters."""
        return self.byte_left(ROW_BYTES) + 2 * self.char

    @property
    def names_left(self) -> float:
        """Left edge of the names of variables."""
        return self.text_left + (ROW_BYTES + 2) * self.char

    @property
    def width(self) -> float:
        """Of everything."""
        return self.names_left + _NAME_CHARS * self.char

    def column_at(self, x: float) -> int | None:
        """The byte's column at ``x``; None beside the bytes."""
        for column in range(ROW_BYTES):
            left = self.byte_left(column)
            if left - self.char / 2 <= x < left + 2.5 * self.char:
                return column
        return None


class HexPainter:
    """Draws one row after the other; ``begin`` tells what belongs to all of them."""

    def __init__(self, theme: Theme, font: QFont, metrics: HexMetrics) -> None:
        self._theme = theme
        self._font = font
        self._metrics = metrics
        self._seen = SeenBytes(0)
        self._marks = Marks()
        self._selection = (0, 0)

    def begin(self, seen: SeenBytes, marks: Marks, selection: tuple[int, int]) -> None:
        """What the rows show."""
        self._seen, self._marks, self._selection = seen, marks, selection

    def color_of(self, mark: Mark) -> QColor:
        """A variable's colour: the accent with its hue turned, so that neighbours differ."""
        accent = QColor(self._theme.colors.link)
        hue = (accent.hsvHueF() + mark.number * 0.381966) % 1.0
        return QColor.fromHsvF(hue, min(0.7, accent.hsvSaturationF() + 0.1), accent.valueF())

    def draw_row(self, painter: QPainter, layout: RowLayout, row: int, top: int) -> None:
        """Ground, address, bytes, characters, names."""
        start, stop = layout.span(row)
        low = layout.address_of_row(row)
        colors, metrics = self._theme.colors, self._metrics
        marks = self._marks.within(start, stop)
        self._draw_ground(painter, marks, (start, stop), low, top)
        index = layout.space.index_of(start)
        values = self._seen.values[index : index + stop - start].tolist()
        ages = self._seen.ages[index : index + stop - start].tolist()
        baseline = top + metrics.row * 0.74
        painter.setFont(self._font)
        painter.setPen(QColor(colors.link))
        painter.drawText(QPointF(_MARGIN, baseline), f"{low:0{6 if low < 1 << 24 else 8}X}")
        texts = self._texts(values, ages, start - low)
        for color, text in texts.items():
            painter.setPen(QColor(color))
            painter.drawText(QPointF(metrics.bytes_left, baseline), text)
        painter.setPen(QColor(colors.faint))
        shown = " " * (start - low) + "".join(_TEXT[value] for value in values)
        painter.drawText(QPointF(metrics.text_left, baseline), shown)
        x = metrics.names_left
        for mark in marks:
            if mark.start >= start:
                painter.setPen(self.color_of(mark))
                painter.drawText(QPointF(x, baseline), mark.name)
                x += (len(mark.name) + 2) * metrics.char

    def _texts(self, values: list[int], ages: list[int], skip: int) -> dict[str, str]:
        """One string for each colour, with blanks where another colour's bytes stand."""
        colors = self._theme.colors
        rows: dict[str, list[str]] = {}
        for column, (value, age) in enumerate(zip(values, ages, strict=True), start=skip):
            if age:
                color = colors.warn if age > FADE_STEPS // 2 else colors.text
            else:
                color = colors.secondary if value else colors.faint
            cells = rows.get(color)
            if cells is None:
                cells = rows[color] = ["   "] * ROW_BYTES
            cells[column] = f"{_HEX[value]} "
        half = ROW_BYTES // 2
        return {
            color: "".join(cells[:half]) + " " * _MIDDLE_GAP + "".join(cells[half:])
            for color, cells in rows.items()
        }

    def _draw_ground(
        self, painter: QPainter, marks: list[Mark], span: tuple[int, int], low: int, top: int
    ) -> None:
        start, stop = span
        colors = self._theme.colors
        for mark in marks:
            soft = self.color_of(mark)
            soft.setAlphaF(0.26)
            self._fill(painter, max(mark.start, start), min(mark.stop, stop), low, top, soft)
        for address in self._marks.candidates_within(start, stop):
            line = self._box(address, address + 1, low, top)
            painter.fillRect(line.adjusted(0, line.height() - 2, 0, 0), QColor(colors.good))
        chosen = (max(start, self._selection[0]), min(stop, self._selection[1]))
        if chosen[0] < chosen[1] and self._selection[1] - self._selection[0] > 1:
            self._fill(painter, *chosen, low, top, QColor(colors.accent_soft))
        if self._marks.frozen:
            painter.setPen(QColor(colors.link))
            for address in range(start, stop):
                if address in self._marks.frozen:
                    painter.drawRect(
                        self._box(address, address + 1, low, top).adjusted(0, 0, 0, -1)
                    )

    def _fill(
        self, painter: QPainter, start: int, stop: int, low: int, top: int, color: QColor
    ) -> None:
        if start < stop:
            painter.fillRect(self._box(start, stop, low, top), color)

    def _box(self, start: int, stop: int, low: int, top: int) -> QRectF:
        metrics = self._metrics
        left = metrics.byte_left(start - low) - 2
        right = metrics.byte_left(stop - 1 - low) + 2 * metrics.char + 2
        return QRectF(left, top + 1, right - left, metrics.row - 2)
