"""Draws the time slider: curve, marks, branch points and the legend."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from integrator.domain.errors import SearchError
from integrator.domain.query.recorded.text import parse_fact
from integrator.domain.timeline.timeline import Marker
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.theme import Colors
from integrator.ui.widgets.translation import translate

_TOP_ROOM = 16
_EPISODE_LABEL_PIXELS = 46
_RANGE_TEXT = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom


@dataclass(frozen=True, slots=True)
class PlotArea:
    """A rectangle that shows frames ``start`` to ``stop``."""

    rect: QRectF
    start: float
    stop: float

    def x_of(self, frame: float) -> float:
        """The place of a frame."""
        span = max(self.stop - self.start, 1.0)
        return self.rect.left() + (frame - self.start) / span * self.rect.width()

    def frame_at(self, x: float) -> float:
        """The frame at a place."""
        span = max(self.stop - self.start, 1.0)
        return self.start + (x - self.rect.left()) / max(self.rect.width(), 1.0) * span


def paint_plot(painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: Colors) -> None:
    """Everything that stands on the line but the cursor."""
    _paint_curve(painter, area, facts, colors)
    _paint_episodes(painter, area, facts, colors)
    _paint_drops(painter, area, facts, colors)
    for branch in facts.branches:
        _paint_branch(painter, area, branch.shared_frames, colors)
    for marker in facts.markers:
        _paint_marker(painter, area, marker, colors)


def paint_range(painter: QPainter, area: PlotArea, frames: tuple[int, int], colors: Colors) -> None:
    """The range that is chosen, over the plot, with its number of frames where it fits."""
    left, right = area.x_of(frames[0] - 1), area.x_of(frames[1])
    band = QRectF(left, area.rect.top(), max(right - left, 2.0), area.rect.height())
    ground = QColor(colors.warn)
    ground.setAlpha(46)
    painter.fillRect(band, ground)
    painter.setPen(QPen(QColor(colors.warn), 1.4))
    for x in (band.left(), band.right()):
        painter.drawLine(QPointF(x, band.top()), QPointF(x, band.bottom()))
    text = f"{frames[1] - frames[0] + 1:,}"
    if QFontMetricsF(painter.font()).horizontalAdvance(text) + 8 < band.width():
        painter.drawText(band.adjusted(0, 0, 0, -3), _RANGE_TEXT, text)


def paint_overview(painter: QPainter, area: PlotArea, length: int, colors: Colors) -> None:
    """A bar as long as the whole line at the top of a zoomed plot, with the part that is shown."""
    whole = PlotArea(area.rect, 1.0, float(length))
    left, right = whole.x_of(area.start), whole.x_of(area.stop)
    painter.fillRect(
        QRectF(area.rect.left(), area.rect.top(), area.rect.width(), 3), QColor(colors.border)
    )
    shown = QRectF(left, area.rect.top(), max(right - left, 3.0), 3)
    painter.fillRect(shown, QColor(colors.accent))


def _paint_curve(painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: Colors) -> None:
    if len(facts.frames) < 2:
        return
    low = min(0.0, float(facts.totals.min()))
    high = max(float(facts.totals.max()), low + 1e-9)
    box = area.rect.adjusted(0, _TOP_ROOM, 0, -6)
    flat = high - low < 1e-6
    shares = np.zeros(len(facts.totals)) if flat else (facts.totals - low) / (high - low)
    # Between two changes the line is straight: its inner points would only cost time.
    turns = np.unique([0, *(np.flatnonzero(np.diff(shares)) + 1).tolist(), len(shares) - 1])
    xs = [area.x_of(frame) for frame in facts.frames[turns].tolist()]
    ys = [box.bottom() - share * box.height() for share in shares[turns].tolist()]
    points: list[QPointF] = []
    for x, y in zip(xs, ys, strict=True):
        if points:
            points.append(QPointF(x, points[-1].y()))  # a reward comes at once: a step
        points.append(QPointF(x, y))
    ground = QPointF(points[-1].x(), area.rect.bottom()), QPointF(points[0].x(), area.rect.bottom())
    fill = QColor(colors.accent)
    fill.setAlpha(38)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPolygon(QPolygonF([*points, *ground]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colors.link), 1.4))
    painter.drawPolyline(QPolygonF(points))


def _paint_episodes(
    painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: Colors
) -> None:
    last = -1000.0
    number = 0
    for marker in facts.markers:
        if marker.kind != "episode":
            continue
        number += 1
        x = area.x_of(marker.frame)
        painter.setPen(QPen(QColor(colors.border), 1))
        if marker.frame:
            painter.drawLine(QPointF(x, area.rect.top()), QPointF(x, area.rect.bottom()))
        if x - last >= _EPISODE_LABEL_PIXELS:
            painter.setPen(QColor(colors.faint))
            painter.drawText(
                QPointF(max(x, area.rect.left()) + 5, area.rect.top() + 12), f"#{number}"
            )
            last = x


def _paint_drops(painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: Colors) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colors.bad))
    for frame in facts.drops:
        x = area.x_of(frame)
        painter.drawRect(QRectF(x - 1.5, area.rect.bottom() - 14, 3, 14))


def _paint_branch(painter: QPainter, area: PlotArea, frame: int, colors: Colors) -> None:
    x, top = area.x_of(frame), area.rect.top()
    painter.setPen(QPen(QColor(colors.link), 1.2, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(x, top + 6), QPointF(x, area.rect.bottom()))
    painter.setPen(QPen(QColor(colors.link), 1.6))
    painter.drawPolyline(
        QPolygonF([QPointF(x - 4, top + 1), QPointF(x, top + 6), QPointF(x + 4, top + 1)])
    )


def _paint_marker(painter: QPainter, area: PlotArea, marker: Marker, colors: Colors) -> None:
    x = area.x_of(marker.frame)
    shapes = {"user": colors.warn, "poke": colors.good, "state": colors.secondary}
    if marker.kind not in shapes:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(shapes[marker.kind]))
    y = area.rect.top() + 8
    if marker.kind == "user":
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5)
    elif marker.kind == "poke":
        corners = ((x, y - 4.5), (x + 4.5, y), (x, y + 4.5), (x - 4.5, y))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    else:
        painter.drawRect(QRectF(x - 3, y - 3, 6, 6))


def paint_legend(
    painter: QPainter,
    rect: QRectF,
    facts: TimelineFacts,
    colors: Colors,
    held: str,
) -> None:
    """Draw the meaning of the marks that are there; ``held`` says which frames, on the right."""
    metrics = QFontMetricsF(painter.font())
    baseline = rect.center().y() + metrics.capHeight() / 2
    right = rect.right() - metrics.horizontalAdvance(held)
    painter.setPen(QColor(colors.faint))
    painter.drawText(QPointF(right, baseline), held)
    kinds = {marker.kind for marker in facts.markers}
    entries = [
        ("line", colors.link, translate("TimelineView", "cumulative reward"), True),
        (
            "tick",
            colors.bad,
            translate("TimelineView", "{0} down").format(facts.drops_name),
            bool(facts.drops),
        ),
        ("dot", colors.warn, translate("TimelineView", "marks"), "user" in kinds),
        ("dot", colors.good, translate("TimelineView", "pokes"), "poke" in kinds),
        ("tick", colors.secondary, translate("TimelineView", "states loaded"), "state" in kinds),
        (
            "line",
            colors.link,
            translate("TimelineView", "branches: {0}").format(len(facts.branches)),
            bool(facts.branches),
        ),
    ]
    x = rect.left()
    for shape, color, text, present in entries:
        width = 16 + metrics.horizontalAdvance(text)
        if not present or x + width > right - 8:
            continue
        _paint_key(painter, shape, color, QPointF(x, rect.center().y()))
        painter.setPen(QColor(colors.secondary))
        painter.drawText(QPointF(x + 13, baseline), text)
        x += width + 16


def _paint_key(painter: QPainter, shape: str, color: str, where: QPointF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    if shape == "line":
        painter.drawRect(QRectF(where.x(), where.y() - 1, 9, 2))
    elif shape == "tick":
        painter.drawRect(QRectF(where.x() + 3, where.y() - 5, 3, 10))
    else:
        painter.drawEllipse(where + QPointF(4.5, 0), 4, 4)


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
