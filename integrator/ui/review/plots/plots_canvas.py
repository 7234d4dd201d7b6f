"""Plots over the timeline, drawn with pyqtgraph. Importing this module takes a while."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor

from integrator.ui.widgets.plot_axes import FrameCanvas, colour_axes, plain_plot
from integrator.ui.widgets.theme import Theme, faded


class RangeViewBox(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Calls ``selected`` with the first and last x of a drag."""

    def __init__(self, selecting: Callable[[], bool], selected: Callable[..., object]) -> None:
        super().__init__()
        self._selecting, self._selected = selecting, selected

    def mouseDragEvent(self, ev: object, axis: int | None = None) -> None:  # noqa: N802 - pyqtgraph's name
        """Select with the left button; the rest is pyqtgraph's."""
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
    """One plot with its items."""

    plot: pg.PlotItem
    curve: pg.PlotDataItem
    cursor: pg.InfiniteLine
    label: pg.TextItem
    hover: pg.InfiniteLine
    region: pg.LinearRegionItem
    title: str = ""


class PlotsCanvas(FrameCanvas):
    """One plot above the other, one axis of frames, one cursor.

    The pointer is marked in all plots, with the values there. ``range_chosen``: first and last
    frame of a drag with Shift, or of any drag while ``selecting()``.

    Plots are made once and used for other series later: taking pyqtgraph's items apart again and
    again ends the process sooner or later.
    """

    range_chosen = Signal(int, int)

    def __init__(self, theme: Theme, selecting: Callable[[], bool]) -> None:
        super().__init__(theme)
        self._selecting = selecting
        self._rows: list[_Row] = []
        self.shown: dict[str, _Row] = {}
        self.cursor_frame = 1
        tip = self.tr(
            "Click to go to a frame; Shift and drag to choose a range; drag to move, wheel to zoom"
        )
        self.say(self.tr("Plots over the timeline"), tip)
        self.scene().sigMouseMoved.connect(self._hovered)
        theme.changed.connect(self._paint_rows)
        self._paint_rows()

    def show_series(self, first: int, series: Mapping[str, NDArray[np.float64]]) -> None:
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
        row.label.setText(f"{row.title}   {y[frame - int(x[0])]:g} @ {frame:,}")

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
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
        """The window goes away: at the interpreter's end it would be too late for this."""
        self.clear()
        self._rows, self.shown = [], {}

    def _new_row(self, number: int) -> _Row:
        box = RangeViewBox(self._selecting, self._drag)
        plot = plain_plot(self, 48, row=number, col=0, viewBox=box)
        plot.showGrid(x=True, y=True, alpha=0.5)
        label = pg.TextItem("", anchor=(0, 0))
        label.setParentItem(plot.getViewBox())
        label.setPos(6, 2)
        label.setZValue(50)  # above the cursor, which would strike it through
        plot.setLimits(minYRange=2)  # of a constant, the axis would be in fractions
        curve = plot.plot()
        curve.setDownsampling(auto=True, method="peak")
        curve.setClipToView(True)
        # The cursor moves all the time; the curves below it need not be drawn again for that.
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
        colors = self._theme.colors
        self.setBackground(colors.panel)
        for row, color in zip(self._rows, cycle(colors.curves), strict=False):
            # Wider lines are drawn many times slower, on every refresh.
            row.curve.setPen(pg.mkPen(color, width=1))
            row.label.setColor(QColor(color))
            row.label.fill = pg.mkBrush(QColor(colors.panel))
            row.label.update()
            row.cursor.setPen(pg.mkPen(colors.text, width=1))
            row.hover.setPen(pg.mkPen(colors.faint, width=1, style=Qt.PenStyle.DashLine))
            row.region.setBrush(faded(colors.accent, 50))
            for line in row.region.lines:
                line.setPen(pg.mkPen(colors.accent))
            colour_axes(row.plot, colors)
