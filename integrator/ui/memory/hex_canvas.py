"""The rows of bytes in the Memory panel: their layout, marks and painting."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QAbstractScrollArea

from integrator.domain.values.memory import AddressSpace, DataType
from integrator.domain.values.variables import VariableSpec
from integrator.ui import widgets as ui

ROW_BYTES = 16
FADE_STEPS = 12  # number of painted frames over which a change fades


class RowLayout:
    """Rows of sixteen bytes at addresses that are multiples of sixteen, for all regions in order.
    The *index* of a byte is its place in RAM with words in the console's order."""

    def __init__(self, space: AddressSpace) -> None:
        self.space = space
        rows = [
            np.arange(region.address - region.address % ROW_BYTES, region.end, ROW_BYTES)
            for region in space.regions
        ]
        counts = [len(each) for each in rows]
        self.rows = sum(counts)
        lows = np.concatenate(rows)
        firsts = [region.address for region in space.regions]
        self._ends = np.repeat([region.end for region in space.regions], counts)
        self.starts = np.maximum(lows, np.repeat(firsts, counts))
        self.stops = np.minimum(lows + ROW_BYTES, self._ends)

    def row_of(self, address: int) -> int | None:
        row = int(np.searchsorted(self.stops, address, side="right"))
        return row if row < self.rows and self.starts[row] <= address else None

    def spans(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return the addresses [start, stop) of each row from ``first`` to ``last``."""
        rows = slice(first, last + 1)
        return list(zip(self.starts[rows].tolist(), self.stops[rows].tolist(), strict=True))

    def offsets(self, first: int, last: int) -> NDArray[np.intp]:
        """Return the offsets in the host's flat RAM of the bytes of rows ``first`` to ``last``."""
        starts, stops = self.starts[first : last + 1], self.stops[first : last + 1]
        gaps = np.flatnonzero(np.diff(self._ends[first : last + 1]))
        blocks = zip(starts[[0, *(gaps + 1)]].tolist(), stops[[*gaps, -1]].tolist(), strict=True)
        return np.concatenate([self.space.offsets(start, stop - start) for start, stop in blocks])


class SeenBytes:
    """The shown bytes, with the frames since each byte's last change and its number of changes."""

    def __init__(self, size: int) -> None:
        self.values = np.zeros(size, np.uint8)
        self.ages = np.zeros(size, np.uint8)
        self.writes = np.zeros(size, np.uint16)
        self._seen = np.zeros(size, np.bool_)

    def show(self, start: int, data: NDArray[np.uint8], *, advanced: bool) -> None:
        """Store ``data`` from index ``start``. ``advanced``: a frame passed, so changes fade."""
        part = slice(start, start + len(data))
        ages = self.ages[part]
        if advanced:
            np.subtract(ages, 1, out=ages, where=ages > 0)
        changed = self._seen[part] & (self.values[part] != data)
        ages[changed] = FADE_STEPS
        self.writes[part] += changed & (self.writes[part] < np.iinfo(np.uint16).max)
        self.values[part] = data
        self._seen[part] = True


class Mark(NamedTuple):
    """The bytes of a variable: addresses [start, stop), its name, and a number for its color."""

    start: int
    stop: int
    name: str
    number: int


_HEX = [f" {value:02X}" for value in range(256)]
_TEXT = bytes(value if 32 <= value < 127 else ord("·") for value in range(256))  # Latin-1
_MARGIN = 12
_ADDRESS_CHARS = 8
_HALF = ROW_BYTES // 2


class HexCanvas(QAbstractScrollArea):
    """Paints the visible rows of memory, with variables, candidates and frozen bytes. ``char`` is
    the width of a character and ``row_height`` the height of a row, in pixels. ``byte_left`` has
    the left edges of bytes of ``byte_chars`` characters, with a gap between the halves;
    ``text_left`` and ``names_left`` are those of the characters and of variables' names. With a
    ``type``, bytes are shown as its numbers, signed ones in decimal, others in hexadecimal."""

    def __init__(self) -> None:
        super().__init__()
        self.layout_rows: RowLayout | None = None
        self.seen = SeenBytes(0)
        self.variables: tuple[Mark, ...] = ()
        self.candidates: NDArray[np.int64] = np.empty(0, np.int64)
        self.frozen: frozenset[int] = frozenset()
        self.place = self.anchor = 0
        self.shows_heat = False
        self._font = ui.mono_font()
        metrics, spacing = QFontMetricsF(self._font), QFont.SpacingType.AbsoluteSpacing
        self.char = char = math.ceil(metrics.horizontalAdvance("0"))
        self._font.setLetterSpacing(spacing, char - metrics.horizontalAdvance("0"))
        self.row_height = round(metrics.height() + 3)
        self._baseline = 1.5 + metrics.ascent()
        self.show_as(None)

    def show_as(self, data_type: DataType | None) -> None:
        self.type, char = data_type, self.char
        # four characters for -128, and a space
        self.byte_chars = 5 if data_type == DataType.parse("|i1") else 3
        self.byte_left = [
            _MARGIN + (_ADDRESS_CHARS + 1 + self.byte_chars * column + (column >= _HALF)) * char
            for column in range(ROW_BYTES + 1)
        ]
        self.text_left = self.byte_left[ROW_BYTES] + 2 * char
        self.names_left = self.text_left + (ROW_BYTES + 2) * char

    @property
    def selection(self) -> tuple[int, int]:
        return min(self.place, self.anchor), max(self.place, self.anchor) + 1

    def visible_rows(self) -> tuple[int, int]:
        first = self.verticalScrollBar().value()
        count = -(-self.viewport().height() // self.row_height)
        last_row = (self.layout_rows.rows if self.layout_rows else 1) - 1
        return min(first, last_row), min(first + count, last_row)

    def mark_variables(self, specs: Mapping[str, VariableSpec]) -> None:
        self.variables = tuple(
            Mark(spec.address, spec.address + spec.type.width, name, number)
            for number, (name, spec) in enumerate(specs.items())
        )
        self.viewport().update()

    def variables_within(self, start: int, stop: int) -> list[Mark]:
        """Return the variables with a byte in addresses [start, stop), sorted by address."""
        return sorted([each for each in self.variables if each.start < stop and each.stop > start])

    def candidates_within(self, start: int, stop: int) -> list[int]:
        low, high = np.searchsorted(self.candidates, (start, stop))
        found: list[int] = self.candidates[low:high].tolist()
        return found

    def draw_rows(self, painter: QPainter, layout: RowLayout) -> None:
        top, bottom = self.visible_rows()
        self._shown = slice(top, bottom + 1)
        spans = layout.spans(top, bottom)
        first = layout.space.index_of(spans[0][0])
        shown = slice(first, first + sum(stop - start for start, stop in spans))
        if self.shows_heat:
            # The background is the stronger, the more often a byte was written.
            color, writes = QColor(ui.Theme.now.colors.warn), self.seen.writes[shown]
            written = np.flatnonzero(writes).tolist()
            places = [layout.space.address_of(first + index) for index in written]
            boxes = self._byte_boxes(layout, places)
            for box, count in zip(boxes, writes[written].tolist(), strict=True):
                color.setAlphaF(min(0.6, 0.1 + 0.07 * math.log2(count + 1)))
                painter.fillRect(box, color)
        painter.setFont(self._font)
        self._draw_marks(painter, layout, spans[0][0], spans[-1][1])
        start, stop = self.selection
        for box in self.boxes(start, stop) if stop - start > 1 else ():
            painter.fillRect(box, QColor(ui.Theme.now.colors.accent_soft))
        values, ages = self.seen.values[shown], self.seen.ages[shown]
        # Looks: 0 no memory, 1 zero, 2 other, 3 changed some frames ago, 4 changed just now.
        aged = np.where(ages > FADE_STEPS // 2, 4, 3)
        looks = bytes(np.where(ages > 0, aged, np.where(values > 0, 2, 1)).astype(np.uint8))
        data, at = values.tobytes(), 0
        for row, (start, stop) in enumerate(spans):
            end, before = at + stop - start, start % ROW_BYTES
            self._draw_row(painter, row, start - before, before, data[at:end], looks[at:end])
            at = end

    def _draw_row(
        self, painter: QPainter, row: int, address: int, before: int, data: bytes, looks: bytes
    ) -> None:
        """Paint bytes after ``before`` empty columns; bytes of the same look are one text."""
        colors, y = ui.Theme.now.colors, row * self.row_height + self._baseline
        padded = (bytes(before) + data).ljust(ROW_BYTES, b"\0")
        groups = list((bytes(before) + looks).ljust(ROW_BYTES, b"\0"))
        texts, width = list(map(_HEX.__getitem__, padded)), 1
        if self.type is not None:
            width = self.type.width
            places = [slice(at, at + width) for at in range(0, ROW_BYTES, width)]
            form = "d" if self.type.kind == "i" else f"0{2 * width}X"
            numbers = (self.type.decode(padded[place]) for place in places)
            texts = [format(number, form).rjust(self.byte_chars * width) for number in numbers]
            groups = [max(groups[place]) if all(groups[place]) else 0 for place in places]
        by_look = ("", colors.faint, colors.secondary, colors.text, colors.warn)
        empty = [" " * len(texts[0])] * len(groups)
        lines = {look: empty.copy() for look in groups}
        for at, look in enumerate(groups):
            lines[look][at] = texts[at]
        for look in lines.keys() - {0}:
            cells = lines[look]
            cells.insert(_HALF // width, " ")
            painter.setPen(QColor(by_look[look]))
            painter.drawText(QPointF(self.byte_left[0] - self.char, y), "".join(cells))
        painter.setPen(QColor(colors.faint))
        text = data.translate(_TEXT).decode("latin-1")
        painter.drawText(QPointF(self.text_left + before * self.char, y), text)
        painter.setPen(QColor(colors.link))
        painter.drawText(QPointF(_MARGIN, y), f"{address:0{6 if address < 1 << 24 else 8}X}")

    def _draw_marks(self, painter: QPainter, layout: RowLayout, start: int, stop: int) -> None:
        colors = ui.Theme.now.colors
        ends: dict[float, int] = {}  # the right end of the names in each row, by the row's top
        for mark in self.variables_within(start, stop):
            color = mark_color(mark.number, colors.link)
            color.setAlphaF(0.26)
            for at, box in enumerate(self.boxes(mark.start, mark.stop)):
                painter.fillRect(box, color)
                if not at and mark.start >= start:
                    x = ends.get(box.top(), self.names_left)
                    painter.setPen(name_color(mark.number, colors.link, colors.panel))
                    painter.drawText(QPointF(x, box.top() - 1 + self.row_height * 0.74), mark.name)
                    ends[box.top()] = x + (len(mark.name) + 2) * self.char
        for box in self._byte_boxes(layout, self.candidates_within(start, stop)):
            painter.fillRect(box.adjusted(0, box.height() - 2, 0, 0), QColor(colors.good))
        painter.setPen(QColor(colors.link))
        for address in self.frozen:
            if start <= address < stop:
                painter.drawRects(self.boxes(address, address + 1))

    def boxes(self, start: int, stop: int) -> list[QRectF]:
        """Return the boxes of addresses [start, stop) in the rows painted last, one per row."""
        if (layout := self.layout_rows) is None:
            return []
        starts = np.maximum(layout.starts[self._shown], start).tolist()
        stops = np.minimum(layout.stops[self._shown], stop).tolist()
        return [
            self._box(row, begin % ROW_BYTES, (end - 1) % ROW_BYTES)
            for row, (begin, end) in enumerate(zip(starts, stops, strict=True))
            if begin < end
        ]

    def _byte_boxes(self, layout: RowLayout, addresses: Sequence[int]) -> list[QRectF]:
        rows = np.searchsorted(layout.stops, addresses, side="right") - self._shown.start
        columns = [address % ROW_BYTES for address in addresses]
        return [self._box(row, at, at) for row, at in zip(rows.tolist(), columns, strict=True)]

    def _box(self, row: int, first: int, last: int) -> QRectF:
        """Return the box of the bytes from column ``first`` to ``last`` in a visible row."""
        left, right = self.byte_left[first] - 2, self.byte_left[last] + 2
        width = right - left + (self.byte_chars - 1) * self.char
        return QRectF(left, row * self.row_height + 1, width, self.row_height - 2)


def mark_color(number: int, link: str) -> QColor:
    """Return a variable's color: ``link`` with a hue for its number, so that neighbors differ."""
    accent = QColor(link)
    hue = (accent.hsvHueF() + number * 0.381966) % 1.0
    return QColor.fromHsvF(hue, min(0.7, accent.hsvSaturationF() + 0.1), accent.valueF())


@lru_cache(maxsize=512)
def name_color(number: int, link: str, ground: str) -> QColor:
    """Return the mark color, darker or lighter until text is readable: 4.5 to 1 by WCAG."""
    color, behind = mark_color(number, link), _luminance(QColor(ground))
    while (max(_luminance(color), behind) + 0.05) / (min(_luminance(color), behind) + 0.05) < 4.5:
        color = color.darker(108) if behind > 0.2 else color.lighter(108)
    return color


def _luminance(color: QColor) -> float:
    parts = np.array([color.redF(), color.greenF(), color.blueF()])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))
