"""The what-if curves, drawn with pyqtgraph. Importing this module takes a while."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from integrator.session.rescoring import WhatIfResult
from integrator.ui.widgets.plot_axes import FrameCanvas, colour_axes, plain_plot
from integrator.ui.widgets.theme import Theme

MOST_MARKS = 400  # moves of done that are marked; more could not be distinguished
_LOW = 80  # pixels below which the curve needs the room of the frames' numbers; rewards need half


class WhatIfCanvas(FrameCanvas):
    """Reward summed by episode, before and now, and moves of done."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._frames: int | None = None
        tip = self.tr("Click to go to a frame; drag to move, wheel to zoom")
        self.say(self.tr("Reward before and after the edit"), tip)
        self.ci.layout.setContentsMargins(4, 6, 8, 2)
        self.plot = plain_plot(self, 46)
        self.plot.showGrid(x=False, y=True, alpha=0.08)
        self.plot.getViewBox().sigResized.connect(self._fit_axis)
        self._edges = pg.VTickGroup()  # where episodes begin
        self._edges.setZValue(-10)
        self.plot.addItem(self._edges, ignoreBounds=True)
        self.before = self.plot.plot()
        self.after = self.plot.plot()
        for curve in (self.before, self.after):
            curve.setDownsampling(auto=True, method="peak")
            curve.setClipToView(True)
        self.marks = pg.ScatterPlotItem(size=9, pxMode=True)
        self.plot.addItem(self.marks)
        self._cursor = pg.InfiniteLine(1)
        self.plot.addItem(self._cursor, ignoreBounds=True)
        theme.changed.connect(self._colour)
        self._colour()

    def _fit_axis(self) -> None:
        """Leave the numbers of the axes to canvases that are high enough for them."""
        self.plot.getAxis("bottom").setStyle(showValues=self.height() >= _LOW)
        self.plot.getAxis("left").setStyle(showValues=self.height() >= _LOW // 2)

    def _colour(self) -> None:
        """Take the colours of the theme; the marks get theirs with the next result."""
        colors = self._theme.colors
        self.setBackground(colors.panel)
        colour_axes(self.plot, colors)
        self.before.setPen(pg.mkPen(colors.secondary, width=1.3, style=Qt.PenStyle.DashLine))
        self.after.setPen(pg.mkPen(colors.link, width=1.6))
        self._cursor.setPen(pg.mkPen(colors.text, width=1))
        self._edges.setPen(pg.mkPen(colors.border, width=1))

    def show_cursor(self, frame: int) -> None:
        self._cursor.setValue(frame)

    def show_result(self, result: WhatIfResult | None, player: int) -> None:
        colors = self._theme.colors
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
