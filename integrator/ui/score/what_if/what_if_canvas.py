"""The what-if curves, drawn with pyqtgraph. Importing this module takes a while."""

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor

from integrator.session.what_if import WhatIfResult
from integrator.ui.widgets.plot_axes import clicked_frame, colour_axes, plain_plot
from integrator.ui.widgets.theme import Theme

MOST_MARKS = 400  # moves of done that are marked; more could not be distinguished
_LOW = 80  # pixels below which the curve needs the room of the frames' numbers; rewards need half


class WhatIfCanvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Reward summed by episode, before and now, and moves of done. ``seek_requested``: frame."""

    seek_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._result: WhatIfResult | None = None
        self._player = 0
        self._frame = 1
        self.setAccessibleName(self.tr("Reward before and after the edit"))
        self.viewport().setAccessibleName(self.accessibleName())
        self.setToolTip(self.tr("Click to go to a frame; drag to move, wheel to zoom"))
        self.ci.layout.setContentsMargins(4, 6, 8, 2)
        self.plot = plain_plot(self, 46)
        self.plot.getViewBox().sigResized.connect(self._fit_axis)
        self._edges: list[pg.InfiniteLine] = []
        self.before = self.plot.plot()
        self.after = self.plot.plot()
        for curve in (self.before, self.after):
            curve.setDownsampling(auto=True, method="peak")
            curve.setClipToView(True)
        self.marks = pg.ScatterPlotItem(size=9, pxMode=True)
        self.plot.addItem(self.marks)
        self._cursor = pg.InfiniteLine(1)
        self.plot.addItem(self._cursor, ignoreBounds=True)
        self.scene().sigMouseClicked.connect(self._clicked)
        theme.changed.connect(self._colour)
        self._colour()

    def show_result(self, result: WhatIfResult | None, player: int) -> None:
        """Draw both curves of a player; None clears them."""
        fresh = self._result is None or result is None or self._result.frames != result.frames
        self._result, self._player = result, player
        self._draw()
        if fresh:
            self.plot.enableAutoRange(axis="x")

    def show_cursor(self, frame: int) -> None:
        self._frame = frame
        self._cursor.setValue(frame)

    def _fit_axis(self) -> None:
        """Leave the numbers of the axes to canvases that are high enough for them."""
        self.plot.getAxis("bottom").setStyle(showValues=self.height() >= _LOW)
        self.plot.getAxis("left").setStyle(showValues=self.height() >= _LOW // 2)

    def _colour(self) -> None:
        colors = self._theme.colors
        self.setBackground(colors.panel)
        self.plot.showGrid(x=False, y=True, alpha=0.08)
        colour_axes(self.plot, colors)
        self.before.setPen(pg.mkPen(colors.secondary, width=1.3, style=Qt.PenStyle.DashLine))
        self.after.setPen(pg.mkPen(colors.link, width=1.6))
        self._cursor.setPen(pg.mkPen(colors.text, width=1))
        self._draw()

    def _draw(self) -> None:
        result, none = self._result, np.zeros(0)
        for edge in self._edges:
            edge.hide()
        if result is None:
            self.before.setData(none, none)
            self.after.setData(none, none)
            self.marks.setData([])
            return
        frames = np.arange(1, result.frames + 1)
        totals = result.after.totals[:, self._player]
        self.before.setData(frames, result.before.totals[:, self._player])
        self.after.setData(frames, totals)
        for number, episode in enumerate(result.episodes[1:MOST_MARKS]):
            edge = self._edge(number)
            edge.setValue(episode.start)
            edge.show()
        self._mark(totals)

    def _edge(self, number: int) -> pg.InfiniteLine:
        """A line where an episode begins; lines are kept, as pyqtgraph removes items badly."""
        if number == len(self._edges):
            edge = pg.InfiniteLine(1)
            edge.setZValue(-10)
            self.plot.addItem(edge, ignoreBounds=True)
            self._edges.append(edge)
        self._edges[number].setPen(pg.mkPen(self._theme.colors.border, width=1))
        return self._edges[number]

    def _mark(self, totals: NDArray[np.float32]) -> None:
        colors = self._theme.colors
        moves = self._result.moves[:MOST_MARKS] if self._result else ()
        spots = [
            {
                "pos": (move.start, float(totals[move.start - 1])),
                "symbol": "o",
                "brush": QColor(colors.bad if move.done else colors.panel),
                "pen": pg.mkPen(colors.bad if move.done else colors.warn, width=1.6),
            }
            for move in moves
        ]
        self.marks.setData(spots)

    def _clicked(self, event: object) -> None:
        frame = clicked_frame(event, [self.plot])
        if self._result is not None and frame is not None:
            self.seek_requested.emit(min(frame, self._result.frames))
