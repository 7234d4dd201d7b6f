"""Draws the rows in sight of the Memory panel: grounds, bytes and characters, names."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QAbstractScrollArea

from integrator.domain.values.datatype import DataType
from integrator.ui.memory.hexadecimal.hex_layout import (
    FADE_STEPS,
    ROW_BYTES,
    Marks,
    RowLayout,
    SeenBytes,
)
from integrator.ui.widgets.theme import Colors, Theme, mono_font

_Picture = NDArray[np.uint32]
_Bytes = NDArray[np.uint8]


class GlyphAtlas:
    """Pictures of ``texts`` in each of ``colors``, all of one size, premultiplied ARGB. ``width``
    and ``height`` are device-independent; ``ratio`` device pixels make one of them."""

    def __init__(
        self,
        texts: Sequence[str],
        colors: Sequence[str],
        font: QFont,
        size: tuple[float, float],
        ratio: float,
    ) -> None:
        width, height = size
        self.ratio = ratio
        self._cell = (max(1, round(width * ratio)), max(1, math.ceil(height * ratio)))
        blank = np.zeros((1, len(texts), self._cell[1], self._cell[0]), np.uint32)
        drawn = [self._draw(texts, color, font) for color in colors]
        self._glyphs = np.concatenate([*[each[np.newaxis] for each in drawn], blank])
        self.blank = len(colors)

    def _draw(self, texts: Sequence[str], color: str, font: QFont) -> _Picture:
        width, height = self._cell
        strip = QImage(width * len(texts), height, QImage.Format.Format_ARGB32_Premultiplied)
        strip.fill(Qt.GlobalColor.transparent)
        painter = QPainter(strip)
        painter.scale(self.ratio, self.ratio)
        painter.setFont(font)
        painter.setPen(QColor(color))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for number, text in enumerate(texts):
            box = QRectF(number * width / self.ratio, 0, width / self.ratio, height / self.ratio)
            painter.drawText(box, left, text)
        painter.end()
        rows = np.frombuffer(strip.constBits(), np.uint32).reshape(height, -1)
        cells = rows[:, : width * len(texts)].reshape(height, len(texts), width)
        return np.ascontiguousarray(cells.transpose(1, 0, 2))

    def picture(self, values: _Bytes, kinds: _Bytes) -> QImage:
        """A grid (rows, columns) of glyphs; ``kinds`` are indices of colours, or ``blank``."""
        rows, columns = values.shape
        width, height = self._cell
        cells = self._glyphs[kinds, values].transpose(0, 2, 1, 3)
        pixels = np.ascontiguousarray(cells).reshape(rows * height, columns * width)
        image = QImage(
            pixels.data,
            columns * width,
            rows * height,
            4 * columns * width,
            QImage.Format.Format_ARGB32_Premultiplied,
        ).copy()  # the array goes away
        image.setDevicePixelRatio(self.ratio)
        return image


_HEX = tuple(f"{value:02X}" for value in range(256))
_TEXT = tuple(chr(value) if 32 <= value < 127 else "·" for value in range(256))
_MARGIN = 12
_ADDRESS_CHARS = 8
_HALF = ROW_BYTES // 2
_ZERO, _VALUE, _CHANGED, _FRESH, _BLANK = range(5)


class HexCanvas(QAbstractScrollArea):
    """Draws the rows in sight of a memory, with its marks.

    ``char`` is a character's width, ``row_height`` a row's, in pixels. ``byte_left`` are the left
    edges of bytes, with a gap that parts the halves; ``text_left`` and ``names_left`` are those of
    the characters and of variables' names. Bytes are shown as numbers of ``type`` if there is one.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.layout_rows: RowLayout | None = None
        self.seen = SeenBytes(0)
        self.marks = Marks()
        self.place = 0
        self.anchor = 0
        self.type: DataType | None = None
        self.shows_heat = False
        self._font = mono_font()
        metrics = QFontMetricsF(self._font)
        self.char = char = math.ceil(metrics.horizontalAdvance("0"))
        self.row_height = round(metrics.height() + 3)
        self.byte_left = [
            _MARGIN + (_ADDRESS_CHARS + 1 + 3 * column + (column >= _HALF)) * char
            for column in range(ROW_BYTES + 1)
        ]
        self.text_left = self.byte_left[ROW_BYTES] + 2 * char
        self.names_left = self.text_left + (ROW_BYTES + 2) * char
        self._drawn_for: tuple[Colors, float] | None = None
        theme.changed.connect(self.viewport().update)

    @property
    def selection(self) -> tuple[int, int]:
        """Selected addresses [start, stop)."""
        return min(self.place, self.anchor), max(self.place, self.anchor) + 1

    def visible_rows(self) -> tuple[int, int]:
        first = self.verticalScrollBar().value()
        count = -(-self.viewport().height() // self.row_height)
        last_row = (self.layout_rows.rows if self.layout_rows else 1) - 1
        return min(first, last_row), min(first + count, last_row)

    def draw_rows(self, painter: QPainter, layout: RowLayout) -> None:
        """Draw the rows in sight, the first at the top."""
        seen, selection, height = self.seen, self.selection, self.row_height
        spans = layout.spans(*self.visible_rows())
        painter.setFont(self._font)
        values = np.zeros((len(spans), ROW_BYTES), np.uint8)
        ages = np.zeros_like(values)
        blank = np.ones(values.shape, np.bool_)
        addresses = np.zeros((len(values), _ADDRESS_CHARS), np.uint8)
        marks = self.marks.between(spans[0][0], spans[-1][1])
        marked = bool(marks)
        index = layout.space.index_of(spans[0][0])
        for at, (start, stop) in enumerate(spans):
            low = start - start % ROW_BYTES
            part, count = slice(start - low, stop - low), stop - start
            values[at, part] = seen.values[index : index + count]
            ages[at, part] = seen.ages[index : index + count]
            blank[at, part] = False
            index += count
            text = f"{low:0{6 if low < 1 << 24 else 8}X}".ljust(_ADDRESS_CHARS)
            addresses[at] = np.frombuffer(text.encode(), np.uint8)
            if self.shows_heat:
                writes = seen.writes[index - count : index]
                self._draw_heat(painter, writes, start - low, at * height)
            if marked:
                self._draw_marks(painter, marks, (start, stop), low, at * height)
            first, beyond = max(start, selection[0]), min(stop, selection[1])
            if first < beyond and selection[1] - selection[0] > 1:
                box = self._box(first, beyond, low, at * height)
                painter.fillRect(box, QColor(self._theme.colors.accent_soft))
        kinds = _kinds(values, ages)
        kinds[blank] = _BLANK
        self._draw_bytes(painter, values, kinds, addresses)

    def _draw_bytes(
        self, painter: QPainter, values: _Bytes, kinds: _Bytes, addresses: _Bytes
    ) -> None:
        colors, ratio = self._theme.colors, painter.device().devicePixelRatioF()
        if self._drawn_for != (colors, ratio):
            self._drawn_for = (colors, ratio)
            by_kind = (colors.faint, colors.secondary, colors.text, colors.warn)
            size = (3.0 * self.char, float(self.row_height))
            self._bytes = GlyphAtlas(_HEX, by_kind, self._font, size, ratio)
            size = (float(self.char), float(self.row_height))
            plain, link = colors.faint, colors.link
            self._characters = GlyphAtlas(_TEXT, (plain, link), self._font, size, ratio)
        characters = self._characters
        if self.type is not None:
            self._draw_numbers(painter, self.type, values, kinds)
        else:
            for first in (0, _HALF):
                part = slice(first, first + _HALF)
                picture = self._bytes.picture(values[:, part], kinds[:, part])
                painter.drawImage(QPointF(self.byte_left[first], 0), picture)
        blank = np.where(kinds == _BLANK, characters.blank, 0).astype(np.uint8)
        painter.drawImage(QPointF(self.text_left, 0), characters.picture(values, blank))
        links = characters.picture(addresses, np.ones_like(addresses))
        painter.drawImage(QPointF(_MARGIN, 0), links)

    def _draw_numbers(
        self, painter: QPainter, data_type: DataType, values: _Bytes, kinds: _Bytes
    ) -> None:
        """Groups of bytes as numbers: signed ones in decimal, others in hexadecimal."""
        colors, width = self._theme.colors, data_type.width
        by_kind = (colors.faint, colors.secondary, colors.text, colors.warn)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row, cells in enumerate(values):
            for first in range(0, ROW_BYTES, width):
                part = slice(first, first + width)
                if (kinds[row, part] == _BLANK).any():
                    continue
                number = data_type.decode(cells[part].tobytes())
                text = str(number) if data_type.kind == "i" else f"{number:0{2 * width}X}"
                painter.setPen(QColor(by_kind[int(kinds[row, part].max())]))
                left = self.byte_left[first] - self.char
                end = self.byte_left[first + width - 1] + 2 * self.char
                box = QRectF(left, row * self.row_height, end - left, self.row_height)
                painter.drawText(box, int(right | Qt.TextFlag.TextDontClip), text)

    def _draw_heat(
        self, painter: QPainter, writes: NDArray[np.uint16], first: int, top: int
    ) -> None:
        """A ground the stronger the more often a byte was written."""
        color = QColor(self._theme.colors.warn)
        for at in np.flatnonzero(writes).tolist():
            color.setAlphaF(min(0.6, 0.1 + 0.07 * math.log2(float(writes[at]) + 1)))
            painter.fillRect(self._box(first + at, first + at + 1, 0, top), color)

    def _draw_marks(
        self, painter: QPainter, marks: Marks, span: tuple[int, int], low: int, top: int
    ) -> None:
        start, stop = span
        colors = self._theme.colors
        x = self.names_left
        for mark in marks.variables:
            if mark.start >= stop or mark.stop <= start:
                continue
            color = mark_color(mark.number, colors.link)
            if mark.start >= start:
                painter.setPen(name_color(mark.number, colors.link, colors.panel))
                painter.drawText(QPointF(x, top + self.row_height * 0.74), mark.name)
                x += (len(mark.name) + 2) * self.char
            color.setAlphaF(0.26)
            box = self._box(max(mark.start, start), min(mark.stop, stop), low, top)
            painter.fillRect(box, color)
        for address in marks.candidates_within(start, stop) if len(marks.candidates) else ():
            line = self._box(address, address + 1, low, top)
            painter.fillRect(line.adjusted(0, line.height() - 2, 0, 0), QColor(colors.good))
        for address in marks.frozen:
            if start <= address < stop:
                painter.setPen(QColor(colors.link))
                painter.drawRect(self._box(address, address + 1, low, top))

    def _box(self, start: int, stop: int, low: int, top: int) -> QRectF:
        left = self.byte_left[start - low] - 2
        right = self.byte_left[stop - 1 - low] + 2 * self.char + 2
        return QRectF(left, top + 1, right - left, self.row_height - 2)


def mark_color(number: int, link: str) -> QColor:
    """A variable's colour: ``link`` with its hue turned, so that neighbours differ."""
    accent = QColor(link)
    hue = (accent.hsvHueF() + number * 0.381966) % 1.0
    return QColor.fromHsvF(hue, min(0.7, accent.hsvSaturationF() + 0.1), accent.valueF())


@lru_cache(maxsize=512)
def name_color(number: int, link: str, ground: str) -> QColor:
    """That colour, darker or lighter until a name can be read on the ground: 4.5 to 1 by WCAG."""
    color, behind = mark_color(number, link), _luminance(QColor(ground))
    while (max(_luminance(color), behind) + 0.05) / (min(_luminance(color), behind) + 0.05) < 4.5:
        color = color.darker(108) if behind > 0.2 else color.lighter(108)
    return color


def _luminance(color: QColor) -> float:
    """Relative luminance, 0 to 1."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (color.redF(), color.greenF(), color.blueF())
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _kinds(values: _Bytes, ages: _Bytes) -> _Bytes:
    """The look of each byte: zero, other, changed some frames ago, changed just now."""
    aged = np.where(ages > FADE_STEPS // 2, _FRESH, _CHANGED)
    return np.where(ages > 0, aged, np.where(values > 0, _VALUE, _ZERO)).astype(np.uint8)
