"""The facts on the time slider, read on the runner's thread, and how they are drawn."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import parse_fact
from integrator.domain.timeline.line import BranchInfo, Marker
from integrator.domain.timeline.timeline import Timeline
from integrator.session.rework import rows_ahead
from integrator.session.session import Session
from integrator.ui.widgets.rows_model import HISTORY
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Colors, faded


@dataclass(frozen=True, slots=True)
class TimelineFacts:
    """``frames`` (k,) and ``totals`` (k,) are the cumulative reward of player 1, by episode.
    ``drops`` are the frames on which the variable ``drops_name`` went down: lives lost. ``trends``
    are the latest values of each variable up to the present frame, oldest first. ``scoring`` is
    another number once recorded frames have been scored again. ``lag`` is the number of frames in
    which the game asked for no button; ``runs`` are the line's; ``can_undo`` and ``can_redo`` are
    of changes of the past. ``exact``: restored states went on as they were played. ``ahead`` frames
    have rows of inputs and are not played yet."""

    length: int
    position: int
    line: str
    frames: NDArray[np.int64]
    totals: NDArray[np.float64]
    markers: tuple[Marker, ...]
    drops_name: str
    drops: tuple[int, ...]
    branches: tuple[BranchInfo, ...]
    memory_bytes: int
    disk_bytes: int
    scoring: int = 0
    lag: int = 0
    can_undo: bool = False
    can_redo: bool = False
    exact: bool = True
    ahead: int = 0
    rewards: tuple[float, ...] = ()
    runs: tuple[tuple[int, int], ...] = ()
    trends: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def run_of(self, frame: int) -> tuple[int, int]:
        """First and last frame of the unbroken run of inputs that ``frame`` is in. A movie holds no
        more: a reset, a loaded state and a poke end a run."""
        jumps = [marker.frame for marker in self.markers if marker.kind != "user"]
        first = 1 + max((jump for jump in jumps if jump < frame), default=0)
        return first, min((jump for jump in jumps if jump >= frame), default=self.length)

    def between_marks(self, frame: int) -> tuple[int, int]:
        """From the last mark before ``frame`` to the next one, within its run of inputs."""
        first, last = self.run_of(frame)
        marks = [marker.frame for marker in self.markers if marker.kind == "user"]
        before = max((mark for mark in marks if first <= mark <= frame), default=first)
        return before, min((mark for mark in marks if frame < mark <= last), default=last)

    @classmethod
    def of(cls, session: Session, earlier: "TimelineFacts | None" = None) -> "TimelineFacts":
        """Read a session's timeline. Call it on the thread that owns the session. Parts of
        ``earlier`` are taken over while the line has not changed, as when the user only goes back
        and forth on it: half an hour of play takes most of a frame's time to read."""
        travel, log, changes = session.timeline, session.timeline.log, session.timeline.changes
        markers, branches, names = log.markers(), log.branches, log.names
        present: dict[str, Any] = {
            "position": travel.position,
            "trends": _trends(log, names, travel.position),
            "runs": log.runs,
            "can_undo": changes.earlier is not None,
            "can_redo": changes.later is not None,
            "exact": travel.exactness.is_exact,
            "ahead": len(rows_ahead(session)),
        }
        # While these are the same, the curve and the drops are, too.
        line = (log.current, travel.length, session.recorded.generation, markers, branches)
        line_of = attrgetter("line", "length", "scoring", "markers", "branches")
        if earlier is not None and line == line_of(earlier):
            return replace(earlier, **present)
        frames, totals = reward_curve(log)
        name = lives_name(names)
        return cls(
            length=travel.length,
            line=log.current,
            frames=frames,
            totals=totals,
            markers=markers,
            drops_name=name,
            drops=_drops(log, name, markers),
            branches=branches,
            memory_bytes=log.bytes_used,
            disk_bytes=log.disk_bytes,
            scoring=session.recorded.generation,
            rewards=log.totals(),
            lag=int(log.lag().sum()),
            **present,
        )


def reward_curve(log: Timeline) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Some frames, ascending, and the reward that player 1 had got in the episode until each."""
    if not (length := log.length):
        return np.zeros(0, np.int64), np.zeros(0, np.float64)
    sums = np.cumsum(log.rewards()[:, 0], dtype=np.float64)
    # More points than the slider has pixels.
    picked = np.unique(np.linspace(1, length, min(length, 1500)).astype(np.int64))
    starts = np.array(sorted({0, *(m.frame for m in log.markers("episode"))}), np.int64)
    # The frames on both sides of a start stay, so that the curve falls where the episode ends.
    edges = np.concatenate([starts, starts + 1])
    picked = np.union1d(picked, edges[(edges >= 1) & (edges <= length)])
    begun = starts[np.searchsorted(starts, picked, side="left") - 1]
    before = np.where(begun > 0, sums[begun - 1], 0.0)
    return picked, sums[picked - 1] - before


def lives_name(names: tuple[str, ...]) -> str:
    """The variable that counts lives, by its name; empty when none does."""
    found = [name for name in names if name.lower().startswith(("lives", "life"))]
    return min(found, key=len, default="")


def _drops(log: Timeline, name: str, markers: Sequence[Marker]) -> tuple[int, ...]:
    if not name or log.length < 2:
        return ()
    values, valid = log.column(name)
    fell = (np.diff(values) < 0) & valid[1:] & valid[:-1]
    begun = {marker.frame + 1 for marker in markers}
    return tuple(f for f in (np.flatnonzero(fell) + 2).tolist() if f not in begun)


def _trends(log: Timeline, names: Sequence[str], position: int) -> dict[str, tuple[float, ...]]:
    trends = {}
    first = max(1, position - 599)  # ten seconds of most consoles
    for name, values in log.columns(names, first, position + 1).items():
        picked = np.linspace(0, len(values) - 1, min(len(values), HISTORY)).astype(int)
        trends[name] = tuple(values[picked].tolist())
    return trends


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
    top, bottom = area.rect.top(), area.rect.bottom()
    last = -1000.0  # the place of the last number, in pixels: far to the left
    episodes = [marker.frame for marker in facts.markers if marker.kind == "episode"]
    for number, frame in enumerate(episodes, 1):
        x = area.x_of(frame)
        painter.setPen(QPen(QColor(colors.border), 1))
        if frame:
            _upright(painter, x, top, bottom)
        if x - last >= 46:  # pixels: the room of a number
            painter.setPen(QColor(colors.faint))
            painter.drawText(QPointF(max(x, area.rect.left()) + 5, top + 12), f"#{number}")
            last = x
    _fill_with(painter, QColor(colors.bad))
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
        _fill_with(painter, QColor(fills[marker.kind]))
        if marker.kind == "user":
            painter.drawEllipse(place, 4.5, 4.5)
        elif marker.kind == "poke":
            painter.drawPolygon(diamond.translated(place))
        else:
            painter.drawRect(QRectF(place.x() - 3, place.y() - 3, 6, 6))


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
        below = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        painter.drawText(band.adjusted(0, 0, 0, -3), below, text)


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
    box = area.rect.adjusted(0, 16, 0, -6)
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
    line, tick, dot = QRectF(0, -1, 9, 2), QRectF(3, -5, 3, 10), QRectF(0.5, -4, 8, 8)
    entries = [
        (line, colors.link, translate("TimelineView", "cumulative reward"), True),
        (tick, colors.bad, down, bool(facts.drops)),
        (dot, colors.warn, translate("TimelineView", "marks"), "user" in kinds),
        (dot, colors.good, translate("TimelineView", "pokes"), "poke" in kinds),
        (tick, colors.secondary, translate("TimelineView", "states loaded"), "state" in kinds),
        (line, colors.link, branches, bool(facts.branches)),
    ]
    x = rect.left()
    for key, color, text, present in entries:
        width = 16 + metrics.horizontalAdvance(text)
        if not present or x + width > right - 8:
            continue
        _fill_with(painter, QColor(color))
        round_by = 4 if key is dot else 0
        painter.drawRoundedRect(key.translated(x, rect.center().y()), round_by, round_by)
        painter.setPen(QColor(colors.secondary))
        painter.drawText(QPointF(x + 13, baseline), text)
        x += width + 16


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
        if (found := _FRAMES.match(line)) is None:
            continue
        says = line[found.end() :].partition("#")[0].strip(" :=")
        frames = [text for text in (found[2], found[4]) if text is not None]
        marks += [FactMark(row, which, int(frame), says, on) for which, frame in enumerate(frames)]
    return tuple(marks)


def moved(line: str, which: int, frame: int) -> str | None:
    """The fact with one of its frames changed; None where that makes none."""
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
    """The handle at a place; of several, the one whose frame is nearest."""
    if not -2 * _GRIP <= where.y() - area.rect.bottom() <= _GRIP:
        return None
    away = {mark: abs(area.x_of(mark.frame) - where.x()) for mark in marks}
    nearest = min(away, key=away.__getitem__, default=None)
    return nearest if nearest is not None and away[nearest] <= _GRIP else None


def paint_marks(
    painter: QPainter, area: PlotArea, marks: Sequence[FactMark], colors: Colors
) -> None:
    painter.save()
    painter.setClipRect(area.rect.adjusted(-_GRIP, 0, _GRIP, _GRIP))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    begins = {mark.row: area.x_of(mark.frame) for mark in marks if mark.which == 0}
    for end in (mark for mark in marks if mark.which == 1):
        left, right = begins[end.row], area.x_of(end.frame)
        bar = QRectF(left, area.rect.bottom() - 9, right - left, 9)
        painter.fillRect(bar, faded(colors.warn if end.on else colors.faint, 60))
    edge = -1000.0
    for mark in sorted(marks, key=lambda each: each.frame):
        edge = _paint_mark(painter, area, mark, colors, edge)
    painter.restore()


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
