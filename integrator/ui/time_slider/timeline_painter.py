"""Draws the time slider: curve, marks, branch points and the legend."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import parse_fact
from integrator.domain.timeline.line import Marker
from integrator.ui.time_slider.timeline_facts import TimelineFacts
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Colors, faded

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
        share = (frame - self.start) / max(self.stop - self.start, 1.0)
        return self.rect.left() + share * self.rect.width()

    def frame_at(self, x: float) -> float:
        share = (x - self.rect.left()) / max(self.rect.width(), 1.0)
        return self.start + share * max(self.stop - self.start, 1.0)


def paint_plot(painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: Colors) -> None:
    """Draw the curve and all marks of the line, without the cursor."""
    _paint_curve(painter, area, facts, colors)
    _paint_episodes(painter, area, facts, colors)
    top, bottom = area.rect.top(), area.rect.bottom()
    _fill_with(painter, QColor(colors.bad))
    for frame in facts.drops:
        painter.drawRect(QRectF(area.x_of(frame) - 1.5, bottom - 14, 3, 14))
    for x in (area.x_of(branch.shared_frames) for branch in facts.branches):
        painter.setPen(QPen(QColor(colors.link), 1.2, Qt.PenStyle.DotLine))
        _upright(painter, x, top + 6, bottom)
        painter.setPen(QPen(QColor(colors.link), 1.6))
        fork = [QPointF(x + aside, top + down) for aside, down in ((-4, 1), (0, 6), (4, 1))]
        painter.drawPolyline(QPolygonF(fork))
    for marker in facts.markers:
        _paint_marker(painter, area, marker, colors)


def paint_range(painter: QPainter, area: PlotArea, frames: tuple[int, int], colors: Colors) -> None:
    """The range that is chosen, over the plot, with its number of frames where it fits."""
    left, right = area.x_of(frames[0] - 1), area.x_of(frames[1])
    band = QRectF(left, area.rect.top(), max(right - left, 2.0), area.rect.height())
    painter.fillRect(band, faded(colors.warn, 46))
    painter.setPen(QPen(QColor(colors.warn), 1.4))
    for x in (band.left(), band.right()):
        _upright(painter, x, band.top(), band.bottom())
    text = f"{frames[1] - frames[0] + 1:,}"
    if QFontMetricsF(painter.font()).horizontalAdvance(text) + 8 < band.width():
        painter.drawText(band.adjusted(0, 0, 0, -3), _RANGE_TEXT, text)


def paint_overview(painter: QPainter, area: PlotArea, length: int, colors: Colors) -> None:
    """A bar as long as the whole line at the top of a zoomed plot, with the part that is shown."""
    whole, top = PlotArea(area.rect, 1.0, float(length)), area.rect.top()
    left, right = whole.x_of(area.start), whole.x_of(area.stop)
    painter.fillRect(QRectF(area.rect.left(), top, area.rect.width(), 3), QColor(colors.border))
    painter.fillRect(QRectF(left, top, max(right - left, 3.0), 3), QColor(colors.accent))


def _fill_with(painter: QPainter, color: QColor) -> None:
    """Fill shapes with a colour, and draw no lines around them."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)


def _upright(painter: QPainter, x: float, top: float, bottom: float) -> None:
    painter.drawLine(QPointF(x, top), QPointF(x, bottom))


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
    points: list[QPointF] = []
    for frame, share in zip(facts.frames[turns].tolist(), shares[turns].tolist(), strict=True):
        x, y = area.x_of(frame), box.bottom() - share * box.height()
        if points:
            points.append(QPointF(x, points[-1].y()))  # a reward comes at once: a step
        points.append(QPointF(x, y))
    ground = [QPointF(end.x(), area.rect.bottom()) for end in (points[-1], points[0])]
    _fill_with(painter, faded(colors.accent, 38))
    painter.drawPolygon(QPolygonF([*points, *ground]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colors.link), 1.4))
    painter.drawPolyline(QPolygonF(points))


def _paint_episodes(
    painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: Colors
) -> None:
    last = -1000.0
    episodes = [marker.frame for marker in facts.markers if marker.kind == "episode"]
    for number, frame in enumerate(episodes, 1):
        x, top = area.x_of(frame), area.rect.top()
        painter.setPen(QPen(QColor(colors.border), 1))
        if frame:
            _upright(painter, x, top, area.rect.bottom())
        if x - last >= _EPISODE_LABEL_PIXELS:
            painter.setPen(QColor(colors.faint))
            painter.drawText(QPointF(max(x, area.rect.left()) + 5, top + 12), f"#{number}")
            last = x


def _paint_marker(painter: QPainter, area: PlotArea, marker: Marker, colors: Colors) -> None:
    x, y = area.x_of(marker.frame), area.rect.top() + 8
    if marker.kind == "user":
        _fill_with(painter, QColor(colors.warn))
        painter.drawEllipse(QPointF(x, y), 4.5, 4.5)
    elif marker.kind == "poke":
        _fill_with(painter, QColor(colors.good))
        corners = ((x, y - 4.5), (x + 4.5, y), (x, y + 4.5), (x - 4.5, y))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    elif marker.kind == "state":
        _fill_with(painter, QColor(colors.secondary))
        painter.drawRect(QRectF(x - 3, y - 3, 6, 6))


def paint_legend(
    painter: QPainter, rect: QRectF, facts: TimelineFacts, colors: Colors, held: str
) -> None:
    """Draw the meaning of the shown marks; ``held`` names the frames, on the right."""
    metrics = QFontMetricsF(painter.font())
    baseline = rect.center().y() + metrics.capHeight() / 2
    right = rect.right() - metrics.horizontalAdvance(held)
    painter.setPen(QColor(colors.faint))
    painter.drawText(QPointF(right, baseline), held)
    kinds = {marker.kind for marker in facts.markers}
    down = translate("TimelineView", "{0} down").format(facts.drops_name)
    branches = translate("TimelineView", "branches: {0}").format(len(facts.branches))
    entries = [
        ("line", colors.link, translate("TimelineView", "cumulative reward"), True),
        ("tick", colors.bad, down, bool(facts.drops)),
        ("dot", colors.warn, translate("TimelineView", "marks"), "user" in kinds),
        ("dot", colors.good, translate("TimelineView", "pokes"), "poke" in kinds),
        ("tick", colors.secondary, translate("TimelineView", "states loaded"), "state" in kinds),
        ("line", colors.link, branches, bool(facts.branches)),
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
    _fill_with(painter, QColor(color))
    if shape == "line":
        painter.drawRect(QRectF(where.x(), where.y() - 1, 9, 2))
    elif shape == "tick":
        painter.drawRect(QRectF(where.x() + 3, where.y() - 5, 3, 10))
    else:
        painter.drawEllipse(where + QPointF(4.5, 0), 4, 4)


_FRAMES: Final = re.compile(r"(\s*)(\d+)(\s*\.\.\s*)?(?(3)(\d+))")
_GRIP: Final = 7.0  # half the width of a handle, in pixels; twice as high


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
    start, end = found.span((2, 4)[which])
    changed = line[:start] + str(frame) + line[end:]
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
        painter.save()
        painter.setClipRect(area.rect.adjusted(-_GRIP, 0, _GRIP, _GRIP))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        begins = {mark.row: area.x_of(mark.frame) for mark in self.marks if mark.which == 0}
        for end in (mark for mark in self.marks if mark.which == 1):
            left, right = begins[end.row], area.x_of(end.frame)
            bar = QRectF(left, area.rect.bottom() - 9, right - left, 9)
            painter.fillRect(bar, faded(colors.warn if end.on else colors.faint, 60))
        edge = -1000.0
        for mark in sorted(self.marks, key=lambda each: each.frame):
            edge = self._paint_mark(painter, area, mark, colors, edge)
        painter.restore()

    @staticmethod
    def _paint_mark(
        painter: QPainter, area: PlotArea, mark: FactMark, colors: Colors, edge: float
    ) -> float:
        """Draw a handle, and its words if they begin right of ``edge``; returns their end. The
        words are right of the handle, or left of it where the slider ends."""
        x, bottom = area.x_of(mark.frame), area.rect.bottom()
        color = colors.warn if mark.on else colors.faint
        painter.setPen(QPen(faded(color, 120), 1, Qt.PenStyle.DotLine))
        _upright(painter, x, area.rect.top(), bottom - 10)
        painter.setPen(QPen(QColor(color), 1.3))
        painter.setBrush(QColor(color if mark.on else colors.sunken))
        corners = ((0, -11), (5, -6), (5, 0), (-5, 0), (-5, -6))
        painter.drawPolygon(QPolygonF([QPointF(x + dx, bottom + dy) for dx, dy in corners]))
        width = QFontMetricsF(painter.font()).horizontalAdvance(mark.says)
        left = x + 8 if x + 8 + width <= area.rect.right() else x - 8 - width
        if mark.which or left < edge:
            return edge
        painter.setPen(QColor(color))
        painter.drawText(QPointF(left, bottom - 2), mark.says)
        return max(x, left + width + 4)
