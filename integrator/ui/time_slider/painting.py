"""Paints the time slider: plot, legend, overview, and the handles of facts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import parse_fact
from integrator.session.timeline_facts import TimelineFacts
from integrator.ui import widgets as ui


@dataclass(frozen=True, slots=True)
class PlotArea:
    """A rectangle that shows the frames from ``start`` to ``stop``."""

    rect: QRectF
    start: float
    stop: float

    def x_of(self, frame: float) -> float:
        share = (frame - self.start) / max(self.stop - self.start, 1.0)
        return self.rect.left() + share * self.rect.width()

    def frame_at(self, x: float) -> float:
        share = (x - self.rect.left()) / max(self.rect.width(), 1.0)
        return self.start + share * max(self.stop - self.start, 1.0)


def paint_plot(painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: ui.Colors) -> None:
    """Paint the reward curve and all marks of the line, without the cursor."""
    _draw_curve(painter, area, facts, colors)
    top, bottom = area.rect.top(), area.rect.bottom()
    last = -1000.0  # the x of the last number, in pixels; the start value is far to the left
    episodes = [marker.frame for marker in facts.markers if marker.kind == "episode"]
    for number, frame in enumerate(episodes, 1):
        x = area.x_of(frame)
        painter.setPen(QPen(QColor(colors.border), 1))
        if frame:
            _upright(painter, x, top, bottom)
        if x - last >= 46:  # 46 pixels fit a number
            painter.setPen(QColor(colors.faint))
            painter.drawText(QPointF(max(x, area.rect.left()) + 5, top + 12), f"#{number}")
            last = x
    ui.fill_with(painter, colors.bad)
    for frame in facts.drops:
        painter.drawRect(QRectF(area.x_of(frame) - 1.5, bottom - 14, 3, 14))
    for x in (area.x_of(branch.shared_frames) for branch in facts.branches):
        painter.setPen(QPen(QColor(colors.link), 1.2, Qt.PenStyle.DotLine))
        _upright(painter, x, top + 6, bottom)
        painter.setPen(QPen(QColor(colors.link), 1.6))
        fork = [QPointF(x + aside, top + down) for aside, down in ((-4, 1), (0, 6), (4, 1))]
        painter.drawPolyline(QPolygonF(fork))
    diamond = QPolygonF([QPointF(*each) for each in ((0, -4.5), (4.5, 0), (0, 4.5), (-4.5, 0))])
    fills = {"user": colors.warn, "poke": colors.good, "state": colors.secondary}
    for marker in (each for each in facts.markers if each.kind in fills):
        place = QPointF(area.x_of(marker.frame), top + 8)
        ui.fill_with(painter, fills[marker.kind])
        if marker.kind == "user":
            painter.drawEllipse(place, 4.5, 4.5)
        elif marker.kind == "poke":
            painter.drawPolygon(diamond.translated(place))
        else:
            painter.drawRect(QRectF(place.x() - 3, place.y() - 3, 6, 6))


def paint_range(
    painter: QPainter, area: PlotArea, frames: tuple[int, int], colors: ui.Colors
) -> None:
    """Paint the chosen range over the plot, with its number of frames if that fits."""
    left, right = area.x_of(frames[0] - 1), area.x_of(frames[1])
    band = QRectF(left, area.rect.top(), max(right - left, 2.0), area.rect.height())
    painter.fillRect(band, ui.faded(colors.warn, 46))
    painter.setPen(QPen(QColor(colors.warn), 1.4))
    for x in (band.left(), band.right()):
        _upright(painter, x, band.top(), band.bottom())
    text = ui.grouped(frames[1] - frames[0] + 1)
    if QFontMetricsF(painter.font()).horizontalAdvance(text) + 8 < band.width():
        below = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        painter.drawText(band.adjusted(0, 0, 0, -3), below, text)


def paint_overview(painter: QPainter, area: PlotArea, length: int, colors: ui.Colors) -> None:
    """Paint a bar for the whole line at the top of a zoomed plot, and the visible part on it."""
    whole, top = PlotArea(area.rect, 1.0, float(length)), area.rect.top()
    left, right = whole.x_of(area.start), whole.x_of(area.stop)
    painter.fillRect(QRectF(area.rect.left(), top, area.rect.width(), 3), QColor(colors.border))
    painter.fillRect(QRectF(left, top, max(right - left, 3.0), 3), QColor(colors.accent))


def _upright(painter: QPainter, x: float, top: float, bottom: float) -> None:
    painter.drawLine(QPointF(x, top), QPointF(x, bottom))


def _draw_curve(painter: QPainter, area: PlotArea, facts: TimelineFacts, colors: ui.Colors) -> None:
    if len(facts.frames) < 2:
        return
    low = min(0.0, float(facts.totals.min()))
    high = max(float(facts.totals.max()), low + 1e-9)
    box = area.rect.adjusted(0, 16, 0, -6)
    flat = high - low < 1e-6
    shares = np.zeros(len(facts.totals)) if flat else (facts.totals - low) / (high - low)
    # The line is straight between two changes, so points in between are left out to save time.
    turns = np.unique([0, *(np.flatnonzero(np.diff(shares)) + 1).tolist(), len(shares) - 1])
    points: list[QPointF] = []
    for frame, share in zip(facts.frames[turns].tolist(), shares[turns].tolist(), strict=True):
        x, y = area.x_of(frame), box.bottom() - share * box.height()
        if points:
            points.append(QPointF(x, points[-1].y()))  # A reward is a step, not a slope.
        points.append(QPointF(x, y))
    ground = [QPointF(end.x(), area.rect.bottom()) for end in (points[-1], points[0])]
    ui.fill_with(painter, ui.faded(colors.accent, 38))
    painter.drawPolygon(QPolygonF([*points, *ground]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colors.link), 1.4))
    painter.drawPolyline(QPolygonF(points))


def paint_legend(
    painter: QPainter, rect: QRectF, facts: TimelineFacts, colors: ui.Colors, held: str
) -> None:
    """Paint the meaning of the marks; ``held`` is the text about the shown frames, at the right."""
    metrics = QFontMetricsF(painter.font())
    baseline = rect.center().y() + metrics.capHeight() / 2
    right = rect.right() - metrics.horizontalAdvance(held)
    painter.setPen(QColor(colors.faint))
    painter.drawText(QPointF(right, baseline), held)
    kinds = {marker.kind for marker in facts.markers}
    down = ui.translate("TimelineView", "{0} down").format(facts.drops_name)
    branches = ui.translate("TimelineView", "branches: {0}").format(len(facts.branches))
    line, tick, dot = QRectF(0, -1, 9, 2), QRectF(3, -5, 3, 10), QRectF(0.5, -4, 8, 8)
    entries = [
        (line, colors.link, ui.translate("TimelineView", "cumulative reward"), True),
        (tick, colors.bad, down, bool(facts.drops)),
        (dot, colors.warn, ui.translate("TimelineView", "marks"), "user" in kinds),
        (dot, colors.good, ui.translate("TimelineView", "pokes"), "poke" in kinds),
        (tick, colors.secondary, ui.translate("TimelineView", "states loaded"), "state" in kinds),
        (line, colors.link, branches, bool(facts.branches)),
    ]
    x = rect.left()
    for key, color, text, present in entries:
        width = 16 + metrics.horizontalAdvance(text)
        if not present or x + width > right - 8:
            continue
        ui.fill_with(painter, color)
        round_by = 4 if key is dot else 0
        painter.drawRoundedRect(key.translated(x, rect.center().y()), round_by, round_by)
        painter.setPen(QColor(colors.secondary))
        painter.drawText(QPointF(x + 13, baseline), text)
        x += width + 16


_FRAMES: Final = re.compile(r"(\s*)(\d+)(\s*\.\.\s*)?(?(3)(\d+))")
_GRIP: Final = 7.0  # half the width of a handle in pixels; its height is four times that


@dataclass(frozen=True, slots=True)
class FactMark:
    """The handle of a fact: the fact's row in the list, the index of its frame, and its text."""

    row: int
    which: int
    frame: int
    says: str
    on: bool


def marks_of(lines: Sequence[tuple[int, str, bool]]) -> tuple[FactMark, ...]:
    """Return handles of facts, given as (row, line, ticked): one for a frame, two for a range."""
    marks = []
    for row, line, on in lines:
        if (found := _FRAMES.match(line)) is None:
            continue
        says = line[found.end() :].partition("#")[0].strip(" :=")
        frames = [text for text in (found[2], found[4]) if text is not None]
        marks += [FactMark(row, which, int(frame), says, on) for which, frame in enumerate(frames)]
    return tuple(marks)


def moved(line: str, which: int, frame: int) -> str | None:
    """Return a fact's line with one of its frames changed; None if that makes no fact."""
    if (found := _FRAMES.match(line)) is None:
        return None
    start, end = found.span((2, 4)[which])
    changed = line[:start] + str(frame) + line[end:]
    try:
        parse_fact(changed.partition("#")[0])
    except SearchError:
        return None
    return changed


def mark_at(marks: Iterable[FactMark], area: PlotArea, where: QPointF) -> FactMark | None:
    """Return the handle at a point, the nearest one of several, or None."""
    if not -2 * _GRIP <= where.y() - area.rect.bottom() <= _GRIP:
        return None
    away = {mark: abs(area.x_of(mark.frame) - where.x()) for mark in marks}
    nearest = min(away, key=away.__getitem__, default=None)
    return nearest if nearest is not None and away[nearest] <= _GRIP else None


def paint_marks(
    painter: QPainter, area: PlotArea, marks: Sequence[FactMark], colors: ui.Colors
) -> None:
    painter.save()
    painter.setClipRect(area.rect.adjusted(-_GRIP, 0, _GRIP, _GRIP))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    begins = {mark.row: area.x_of(mark.frame) for mark in marks if mark.which == 0}
    for end in (mark for mark in marks if mark.which == 1):
        left, right = begins[end.row], area.x_of(end.frame)
        bar = QRectF(left, area.rect.bottom() - 9, right - left, 9)
        painter.fillRect(bar, ui.faded(colors.warn if end.on else colors.faint, 60))
    edge = -1000.0
    for mark in sorted(marks, key=lambda each: each.frame):
        edge = _paint_mark(painter, area, mark, colors, edge)
    painter.restore()


def _paint_mark(
    painter: QPainter, area: PlotArea, mark: FactMark, colors: ui.Colors, edge: float
) -> float:
    """Paint a handle, and its text if that begins right of ``edge``; return the end of both. The
    text is right of the handle, or left of it near the end of the slider."""
    x, bottom = area.x_of(mark.frame), area.rect.bottom()
    color = colors.warn if mark.on else colors.faint
    painter.setPen(QPen(ui.faded(color, 120), 1, Qt.PenStyle.DotLine))
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
