"""Pinned facts on the time slider: where they are drawn, and which one is under the pointer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from integrator.domain.errors import SearchError
from integrator.domain.query.recorded.text import parse_fact
from integrator.ui.time_slider.timeline_painter import PlotArea
from integrator.ui.widgets.theme import Colors

_FRAMES: Final = re.compile(r"(\s*)(\d+)(\s*\.\.\s*)?(?(3)(\d+))")
_GRIP: Final = 7.0
"""Half the width of a handle, in pixels; twice as high."""


@dataclass(frozen=True, slots=True)
class FactMark:
    """A fact's handle: the fact's row in the list, the index of its frame, and its text."""

    row: int
    which: int
    frame: int
    says: str
    on: bool


def marks_of(lines: Sequence[tuple[int, str, bool]]) -> tuple[FactMark, ...]:
    """Handles of facts, given as (row, line, ticked): one for a frame, two for a range."""
    marks = []
    for row, line, on in lines:
        found = _FRAMES.match(line)
        if found is None:
            continue
        says = line[found.end() :].partition("#")[0].strip(" :=")
        frames = [text for text in (found[2], found[4]) if text is not None]
        marks += [FactMark(row, which, int(frame), says, on) for which, frame in enumerate(frames)]
    return tuple(marks)


def moved(line: str, which: int, frame: int) -> str | None:
    """The fact with one of its frames changed; None where that makes none."""
    found = _FRAMES.match(line)
    if found is None:
        return None
    group = (2, 4)[which]
    changed = line[: found.start(group)] + str(frame) + line[found.end(group) :]
    try:
        parse_fact(changed.partition("#")[0])
    except SearchError:
        return None
    return changed


class FactMarks:
    """The facts on the slider: their handles and how they are drawn."""

    def __init__(self) -> None:
        self.marks: tuple[FactMark, ...] = ()

    def hit(self, area: PlotArea, where: QPointF) -> FactMark | None:
        """The handle at a place; of several, the one whose frame is nearest."""
        if where.y() < area.rect.bottom() - 2 * _GRIP or where.y() > area.rect.bottom() + _GRIP:
            return None
        near = [m for m in self.marks if abs(area.x_of(m.frame) - where.x()) <= _GRIP]
        return min(near, key=lambda m: abs(area.x_of(m.frame) - where.x()), default=None)

    def paint(self, painter: QPainter, area: PlotArea, colors: Colors) -> None:
        """Draw handles at the lower edge, ranges as bars between them, and texts beside."""
        painter.save()
        painter.setClipRect(area.rect.adjusted(-_GRIP, 0, _GRIP, _GRIP))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in self.marks:
            if mark.which == 1:
                self._paint_range(painter, area, mark, colors)
        edge = -1000.0
        for mark in sorted(self.marks, key=lambda each: each.frame):
            edge = self._paint_mark(painter, area, mark, colors, edge)
        painter.restore()

    def _paint_range(
        self, painter: QPainter, area: PlotArea, end: FactMark, colors: Colors
    ) -> None:
        start = next(m for m in self.marks if m.row == end.row and m.which == 0)
        left, right = area.x_of(start.frame), area.x_of(end.frame)
        fill = QColor(colors.warn if end.on else colors.faint)
        fill.setAlpha(60)
        painter.fillRect(QRectF(left, area.rect.bottom() - 9, right - left, 9), fill)

    @staticmethod
    def _paint_mark(
        painter: QPainter, area: PlotArea, mark: FactMark, colors: Colors, edge: float
    ) -> float:
        """Draws a handle, and its words if they begin right of ``edge``; where these end.

        The words stand right of the handle, or left of it where the slider ends.
        """
        x, bottom = area.x_of(mark.frame), area.rect.bottom()
        color = QColor(colors.warn if mark.on else colors.faint)
        faded = QColor(color)
        faded.setAlpha(120)
        painter.setPen(QPen(faded, 1, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, area.rect.top()), QPointF(x, bottom - 10))
        painter.setPen(QPen(color, 1.3))
        painter.setBrush(color if mark.on else QColor(colors.sunken))
        tip = QPointF(x, bottom - 11)
        corners = [tip, QPointF(x + 5, bottom - 6), QPointF(x + 5, bottom), QPointF(x - 5, bottom)]
        painter.drawPolygon(QPolygonF([*corners, QPointF(x - 5, bottom - 6)]))
        width = QFontMetricsF(painter.font()).horizontalAdvance(mark.says)
        left = x + 8 if x + 8 + width <= area.rect.right() else x - 8 - width
        if mark.which or left < edge:
            return edge
        painter.setPen(color)
        painter.drawText(QPointF(left, bottom - 2), mark.says)
        return max(x, left + width + 4)
