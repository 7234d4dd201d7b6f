"""Plots of the panels. Panels import this module late, because importing pyqtgraph is slow."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QGuiApplication

from integrator.agents.result import ERROR, EpisodeResult
from integrator.session.rescoring import WhatIfResult
from integrator.ui.widgets.texts import grouped
from integrator.ui.widgets.theme import Colors, Theme, faded


class RoomyAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """A vertical axis with as many numbers as fit without overlap."""

    def tickSpacing(self, low: float, high: float, pixels: float) -> list[tuple[float, float]]:
        """Return one level of ticks, [(distance between two ticks, offset of the first)]."""
        levels: list[tuple[float, float]] = super().tickSpacing(low, high, pixels)
        if not levels:
            return levels
        line = QFontMetricsF(self.style["tickFont"] or QGuiApplication.font()).height()
        least = line * abs(high - low) / pixels
        distance, first = levels[0]
        wide = (distance * factor for factor in (1, 2, 5, 10))
        return [(next((each for each in wide if each >= least), distance * 10), first)]


class FrameAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis of frame numbers, which stay whole numbers at every zoom."""

    def tickSpacing(self, low: float, high: float, pixels: float) -> list[tuple[float, float]]:
        levels: list[tuple[float, float]] = super().tickSpacing(low, high, pixels)
        return [(max(1.0, distance), first) for distance, first in levels]


def plain_plot(
    canvas: pg.GraphicsLayoutWidget, left_width: int, *, frames: bool = True, **place: Any
) -> pg.PlotItem:
    """Add a plot without menu and buttons. With ``frames``, the x axis shows frames, and can be
    moved and zoomed. ``place`` goes to pyqtgraph's addPlot."""
    bottom = {"bottom": FrameAxis("bottom")} if frames else {}
    plot = canvas.addPlot(axisItems={"left": RoomyAxis("left"), **bottom}, **place)
    plot.hideButtons()
    plot.setMenuEnabled(False)
    plot.setMouseEnabled(x=frames, y=False)
    plot.getAxis("left").setWidth(left_width)
    if frames:
        plot.enableAutoRange(axis="y")
        plot.setDownsampling(auto=True, mode="peak")
        plot.setClipToView(True)
        for side in ("left", "bottom"):
            # Finer ticks take more time than the rest of the plot, and overlap in a narrow panel.
            plot.getAxis(side).setStyle(maxTickLevel=0)
    return plot


class FrameCanvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Plots over the frames of a timeline. ``seek_requested`` gives a frame that was clicked."""

    seek_requested = Signal(int)

    def __init__(self, name: str, tip: str) -> None:
        super().__init__()
        for widget in (self, self.viewport()):
            widget.setAccessibleName(name)
        self.setToolTip(tip)
        self.scene().sigMouseClicked.connect(self._clicked)

    def frame_at(self, place: QPointF) -> int | None:
        """Return the frame at a point of the scene, or None outside of the plots."""
        for plot in self.ci.items:
            if plot.isVisible() and plot.sceneBoundingRect().contains(place):
                x: float = plot.getViewBox().mapSceneToView(place).x()
                return round(x)
        return None

    def _clicked(self, event: Any) -> None:
        frame = self.frame_at(event.scenePos())
        if frame is not None and event.button() == Qt.MouseButton.LeftButton:
            self.seek_requested.emit(max(1, frame))


def color_axes(plot: pg.PlotItem, colors: Colors) -> None:
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(colors.border))
        axis.setTextPen(pg.mkPen(colors.faint))


_TITLE = 22  # height in pixels of a plot's title, which lies above its curve


class RangeViewBox(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Calls ``selected`` with the first and last x of a drag, and whether the drag is finished."""

    def __init__(self, selecting: Callable[[], bool], selected: Callable[..., object]) -> None:
        super().__init__()
        self._selecting, self._selected = selecting, selected

    def childrenBounds(self, *choice: Any, **choices: Any) -> list[Any]:
        """Add space for the title above the curve, and show a constant between whole numbers."""
        frames, values = super().childrenBounds(*choice, **choices)
        if values is None or None in values:
            return [frames, values]
        low, high = values
        if low == high:
            low, high = (low - 1, high + 1) if low else (0, 2)
        return [frames, [low, high + (high - low) * _TITLE / max(_TITLE, self.height() - _TITLE)]]

    def mouseDragEvent(self, ev: object, axis: int | None = None) -> None:
        """Select with the left button and Shift, or while ``selecting()``; else drag as usual."""
        event: pg.GraphicsScene.mouseEvents.MouseDragEvent = ev
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() != Qt.MouseButton.LeftButton or not (shift or self._selecting()):
            super().mouseDragEvent(ev, axis)
            return
        event.accept()
        begin = self.mapSceneToView(event.buttonDownScenePos()).x()
        end = self.mapSceneToView(event.scenePos()).x()
        self._selected(min(begin, end), max(begin, end), event.isFinish())


@dataclass(slots=True)
class _Row:
    plot: pg.PlotItem
    curve: pg.PlotDataItem
    cursor: pg.InfiniteLine
    label: pg.TextItem
    hover: pg.InfiniteLine
    region: pg.LinearRegionItem
    title: str = ""


class PlotsCanvas(FrameCanvas):
    """Plots one above the other, with a common axis of frames and a common cursor.

    The frame under the pointer is marked in all plots, with its values. ``range_chosen`` gives the
    first and last frame of a drag with Shift, or of any drag while ``selecting()`` is true.

    Plots are created once, because taking pyqtgraph's items apart repeatedly may crash the process.
    """

    range_chosen = Signal(int, int)

    def __init__(self, selecting: Callable[[], bool]) -> None:
        tip = self.tr(
            "Click to go to a frame; Shift and drag to choose a range; drag to move, wheel to zoom"
        )
        super().__init__(self.tr("Plots over the timeline"), tip)
        self._selecting = selecting
        self._rows: list[_Row] = []
        self.shown: dict[str, _Row] = {}
        self.cursor_frame = 1
        self.scene().sigMouseMoved.connect(self._hovered)
        Theme.now.changed.connect(self._paint_rows)
        self._paint_rows()

    def show_series(self, first: int, series: Mapping[str, NDArray[np.float64]]) -> None:
        """Draw series that begin at frame ``first``: float64 arrays of shape (frames,) by name."""
        for name, row in self.shown.items():
            if (values := series.get(name)) is not None:
                row.curve.setData(np.arange(first, first + len(values)), values)

    def show_cursor(self, frame: int) -> None:
        self.cursor_frame = frame
        for row in self.shown.values():
            row.cursor.setValue(frame)

    def show_range(self, first: int, last: int) -> None:
        for row in self._rows:
            row.region.setVisible(last > first)
            row.region.setRegion((first, last))

    def _drag(self, begin: float, end: float, finished: bool) -> None:
        first, last = max(1, round(begin)), max(1, round(end))
        self.show_range(first, last)
        if finished:
            self.range_chosen.emit(first, last)

    def _hovered(self, place: QPointF) -> None:
        frame = self.frame_at(place)
        for each in self.shown.values():
            self._show_hover(each, frame)

    def _show_hover(self, row: _Row, frame: int | None) -> None:
        x, y = row.curve.getOriginalDataset()
        inside = frame is not None and x is not None and len(x) and x[0] <= frame <= x[-1]
        row.hover.setVisible(bool(inside))
        if not inside or frame is None:
            row.label.setText(row.title)
            return
        row.hover.setValue(frame)
        row.label.setText(f"{row.title}   {y[frame - int(x[0])]:g} @ {grouped(frame)}")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        for row in self.shown.values():
            self._show_hover(row, None)

    def arrange(self, titles: Mapping[str, str]) -> None:
        drawn = {name: row.curve.getOriginalDataset() for name, row in self.shown.items()}
        while len(self._rows) < len(titles):
            self._rows.append(self._new_row(len(self._rows)))
        for row in self._rows:
            row.plot.hide()
            row.curve.setData([], [])
        self.shown = dict(zip(titles, self._rows, strict=False))
        for name, row in self.shown.items():
            row.title = titles[name]
            row.plot.show()
            x, y = drawn.get(name, (None, None))
            if x is not None:
                row.curve.setData(x, y)
            row.label.setText(row.title)
            row.cursor.setValue(self.cursor_frame)
            row.plot.getAxis("bottom").setStyle(showValues=row is self._rows[len(titles) - 1])
        self._paint_rows()

    def dispose(self) -> None:
        """Remove all plots before the window is destroyed; interpreter exit would be too late."""
        self.clear()
        self._rows, self.shown = [], {}

    def _new_row(self, number: int) -> _Row:
        box = RangeViewBox(self._selecting, self._drag)
        plot = plain_plot(self, 48, row=number, col=0, viewBox=box)
        plot.showGrid(x=True, y=True, alpha=0.5)
        label = pg.TextItem("", anchor=(0, 0))
        label.setParentItem(plot.getViewBox())
        label.setPos(6, 2)
        label.setZValue(50)  # above the cursor, whose line would cross the text
        curve = plot.plot()
        # The cursor moves all the time, so the curves below it are cached instead of drawn again.
        curve.curve.setCacheMode(pg.QtWidgets.QGraphicsItem.CacheMode.DeviceCoordinateCache)
        cursor, hover = pg.InfiniteLine(self.cursor_frame), pg.InfiniteLine(self.cursor_frame)
        region = pg.LinearRegionItem((0, 0), movable=False)
        region.setZValue(-10)
        for item in (cursor, hover, region):
            item.setVisible(item is cursor)
            plot.addItem(item, ignoreBounds=True)
        if self._rows:
            plot.setXLink(self._rows[0].plot)
        return _Row(plot, curve, cursor, label, hover, region)

    def _paint_rows(self) -> None:
        colors = Theme.now.colors
        self.setBackground(colors.panel)
        for row, color in zip(self._rows, cycle(colors.curves), strict=False):
            # Lines wider than 1 pixel are drawn many times slower, on every refresh.
            row.curve.setPen(pg.mkPen(color, width=1))
            row.label.setColor(QColor(color))
            row.label.fill = pg.mkBrush(QColor(colors.panel))
            row.label.update()
            row.cursor.setPen(pg.mkPen(colors.text, width=1))
            row.hover.setPen(pg.mkPen(colors.faint, width=1, style=Qt.PenStyle.DashLine))
            row.region.setBrush(faded(colors.accent, 50))
            for line in row.region.lines:
                line.setPen(pg.mkPen(colors.accent))
            color_axes(row.plot, colors)


MOST_MARKS = 400  # done moves that are marked; more marks could not be distinguished
# Below this height in pixels the x axis has no numbers, and below half of it the y axis has none.
_LOW = 80


class WhatIfCanvas(FrameCanvas):
    """Cumulative rewards of episodes before and after an edit, and the frames where done moved."""

    def __init__(self) -> None:
        tip = self.tr("Click to go to a frame; drag to move, wheel to zoom")
        super().__init__(self.tr("Reward before and after the edit"), tip)
        self._frames: int | None = None
        self.ci.layout.setContentsMargins(4, 6, 8, 2)
        self.plot = plain_plot(self, 46)
        self.plot.showGrid(x=False, y=True, alpha=0.08)
        self.plot.getViewBox().sigResized.connect(self._fit_axis)
        self._edges = pg.VTickGroup()  # the starts of episodes
        self._edges.setZValue(-10)
        self.plot.addItem(self._edges, ignoreBounds=True)
        self.before = self.plot.plot()
        self.after = self.plot.plot()
        self.marks = pg.ScatterPlotItem(size=9, pxMode=True)
        self.plot.addItem(self.marks)
        self._cursor = pg.InfiniteLine(1)
        self.plot.addItem(self._cursor, ignoreBounds=True)
        Theme.now.changed.connect(self._color)
        self._color()

    def _fit_axis(self) -> None:
        """Hide the numbers of the axes while the canvas is too low for them."""
        self.plot.getAxis("bottom").setStyle(showValues=self.height() >= _LOW)
        self.plot.getAxis("left").setStyle(showValues=self.height() >= _LOW // 2)

    def _color(self) -> None:
        """Use the colors of the theme. The marks get their colors with the next result."""
        colors = Theme.now.colors
        self.setBackground(colors.panel)
        color_axes(self.plot, colors)
        self.before.setPen(pg.mkPen(colors.secondary, width=1.3, style=Qt.PenStyle.DashLine))
        self.after.setPen(pg.mkPen(colors.link, width=1.6))
        self._cursor.setPen(pg.mkPen(colors.text, width=1))
        self._edges.setPen(pg.mkPen(colors.border, width=1))

    def show_cursor(self, frame: int) -> None:
        self._cursor.setValue(frame)

    def show_result(self, result: WhatIfResult | None, player: int) -> None:
        """Draw the curves of a player before and after the edit; None clears them."""
        colors = Theme.now.colors
        count = result.frames if result else 0
        frames = np.arange(1, count + 1)
        none = np.zeros(0)
        totals = result.after.totals[:, player] if result else none
        self.before.setData(frames, result.before.totals[:, player] if result else none)
        self.after.setData(frames, totals)
        episodes = result.episodes[1:MOST_MARKS] if result else ()
        self._edges.setXVals([episode.start for episode in episodes])
        spots = [
            {
                "pos": (move.start, float(totals[move.start - 1])),
                "symbol": "o",
                "brush": QColor(colors.bad if move.done else colors.panel),
                "pen": pg.mkPen(colors.bad if move.done else colors.warn, width=1.6),
            }
            for move in (result.moves[:MOST_MARKS] if result else ())
        ]
        self.marks.setData(spots)
        if count != self._frames:
            self._frames = count
            self.plot.enableAutoRange(axis="x")


_WIDTH: Final = 0.6  # width of a box, as a share of its group's width
NUMBERS: Final[Mapping[str, Callable[[EpisodeResult], float]]] = {  # the number to draw, by key
    "reward": lambda result: result.reward,
    "frames": lambda result: result.frames,
    "minute": lambda result: result.reward_a_minute,
}


class SpreadCanvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """A dot for each episode, and for each group a box between the quartiles and a line at the
    median. ``picked`` gives the row of the episode whose dot was clicked."""

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._results: Sequence[EpisodeResult] = ()
        self._number = "reward"
        self.setAccessibleName(self.tr("Spread of the episodes by agent and state"))
        self.setToolTip(self.tr("A dot is an episode: click it to find it in the table"))
        self.ci.layout.setContentsMargins(4, 6, 8, 2)
        self.plot = plain_plot(self, 52, frames=False)
        self.boxes = pg.BarGraphItem(x=[], height=[], width=_WIDTH, y0=[])
        self.medians = pg.PlotCurveItem(connect="pairs")
        self.dots = pg.ScatterPlotItem(size=6, pxMode=True)
        for item in (self.boxes, self.medians, self.dots):
            self.plot.addItem(item)
        self.dots.sigClicked.connect(lambda _, dots, __: self.picked.emit(int(dots[0].data())))
        Theme.now.changed.connect(self._draw)
        self._draw()

    def show_results(self, results: Sequence[EpisodeResult], number: str) -> None:
        self._results, self._number = results, number
        self._draw()

    def _draw(self) -> None:
        colors = Theme.now.colors
        self.setBackground(colors.panel)
        self.plot.showGrid(x=False, y=True, alpha=0.08)
        color_axes(self.plot, colors)
        box = QColor(colors.link)
        box.setAlphaF(0.18)
        self.boxes.setOpts(brush=box, pen=pg.mkPen(colors.border))
        self.medians.setPen(pg.mkPen(colors.text, width=2))
        self.dots.setBrush(pg.mkBrush(colors.link))
        self.dots.setPen(pg.mkPen(colors.panel))
        value = NUMBERS[self._number]
        groups: dict[tuple[str, str], list[int]] = {}
        for row, result in enumerate(self._results):
            if result.ended != ERROR:
                groups.setdefault((result.agent, result.state), []).append(row)
        values = [np.array([value(self._results[row]) for row in rows]) for rows in groups.values()]
        low, middle, high = (
            np.array([np.quantile(each, part) for each in values]) for part in (0.25, 0.5, 0.75)
        )
        at = np.arange(len(groups), dtype=np.float64)
        self.boxes.setOpts(x=at, y0=low, height=high - low)
        ends = np.stack([at - _WIDTH / 2, at + _WIDTH / 2], axis=1).ravel()
        self.medians.setData(ends, np.repeat(middle, 2))
        # A dot's offset follows from its row, so that it does not move when others are added.
        places = [
            at[group] + ((np.array(rows) * 0.618) % 1 - 0.5) * _WIDTH * 0.8
            for group, rows in enumerate(groups.values())
        ]
        rows = [row for each in groups.values() for row in each]
        none = np.zeros(0)
        xs, ys = (np.concatenate([none, *each]) for each in (places, values))
        self.dots.setData(xs, ys, data=rows)
        names = [" ".join(filter(None, group)) for group in groups]
        self.plot.getAxis("bottom").setTicks([list(enumerate(names))])
        self.plot.setXRange(-0.6, max(0.6, len(groups) - 0.4), padding=0)
