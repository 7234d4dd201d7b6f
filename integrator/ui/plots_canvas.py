"""Plots over the timeline, drawn with pyqtgraph. Importing this module takes a while."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor

from integrator.ui.theme import Theme


class PlotsCanvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """One plot above the other, one axis of frames, one cursor. ``seek_requested``: a frame."""

    seek_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._names: tuple[str, ...] = ()
        self._curves: dict[str, pg.PlotDataItem] = {}
        self._plots: dict[str, pg.PlotItem] = {}
        self._cursors: list[pg.InfiniteLine] = []
        self._frame = 1
        self.setAccessibleName(self.tr("Plots over the timeline"))
        self.setToolTip(self.tr("Click to go to a frame; drag to move, wheel to zoom"))
        self.scene().sigMouseClicked.connect(self._clicked)
        theme.changed.connect(lambda: self.arrange(self._names))

    @property
    def cursor_frame(self) -> float:
        """Where the cursor stands."""
        return float(self._cursors[0].value()) if self._cursors else 0.0

    def values(self, name: str) -> list[float]:
        """What is drawn of a series; empty when it is not shown."""
        curve = self._curves.get(name)
        values = None if curve is None else curve.getOriginalDataset()[1]
        return [] if values is None else list(values)

    def show_series(self, first: int, series: Mapping[str, NDArray[np.float64]]) -> None:
        """Draw series that begin at frame ``first``, float64 of shape (frames,) each."""
        for name, values in series.items():
            if name in self._curves:
                self._curves[name].setData(np.arange(first, first + len(values)), values)

    def show_cursor(self, frame: int) -> None:
        """Mark the frame on the screen."""
        self._frame = frame
        for cursor in self._cursors:
            cursor.setValue(frame)

    def arrange(self, names: Sequence[str]) -> None:
        """One plot above the other, with one axis of frames."""
        self._names = tuple(names)
        colors = self._theme.colors
        self.setBackground(colors.panel)
        kept = {name: self._curves[name].getOriginalDataset() for name in self._curves}
        self.clear()
        self._plots, self._curves, self._cursors = {}, {}, []
        lines = (colors.link, colors.good, colors.warn, colors.bad, colors.secondary)
        for number, name in enumerate(self._names):
            plot = self.addPlot(row=number, col=0)
            plot.hideButtons()
            plot.setMenuEnabled(False)
            plot.showGrid(x=True, y=True, alpha=0.08)
            plot.setMouseEnabled(x=True, y=False)
            plot.enableAutoRange(axis="y")
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(pg.mkPen(colors.border))
                axis.setTextPen(pg.mkPen(colors.faint))
            plot.getAxis("left").setWidth(48)
            plot.getAxis("bottom").setStyle(showValues=number == len(self._names) - 1)
            color = lines[number % len(lines)]
            label = pg.TextItem(name, color=QColor(color), anchor=(0, 0))
            label.setParentItem(plot.getViewBox())
            label.setPos(6, 2)
            curve = plot.plot(pen=pg.mkPen(color, width=1.3))
            curve.setDownsampling(auto=True, method="peak")
            curve.setClipToView(True)
            x, y = kept.get(name, (None, None))
            if x is not None:
                curve.setData(x, y)
            cursor = pg.InfiniteLine(self._frame, pen=pg.mkPen(colors.text, width=1))
            plot.addItem(cursor, ignoreBounds=True)
            first = next(iter(self._plots.values()), None)
            if first is not None:
                plot.setXLink(first)
            self._plots[name], self._curves[name] = plot, curve
            self._cursors.append(cursor)

    def _clicked(self, event: object) -> None:
        button = event.button()  # type: ignore[attr-defined]  # pyqtgraph's event has no types
        place: QPointF = event.scenePos()  # type: ignore[attr-defined]  # as above
        if button != Qt.MouseButton.LeftButton:
            return
        for plot in self._plots.values():
            if plot.sceneBoundingRect().contains(place):
                frame = round(plot.getViewBox().mapSceneToView(place).x())
                self.seek_requested.emit(max(1, frame))
                return
