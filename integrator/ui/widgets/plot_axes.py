"""Plots and their axes. Importing this module takes a while, as pyqtgraph does."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication

from integrator.ui.widgets.theme import Colors, Theme


class RoomyAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An upright axis with as many numbers as there is room for, none over another."""

    def tickSpacing(  # noqa: N802 - pyqtgraph's name
        self, lowest: float, highest: float, pixels: float
    ) -> list[tuple[float, float]]:
        """The distance between two numbers, and the place of the first: (distance, 0)."""
        levels: list[tuple[float, float]] = super().tickSpacing(lowest, highest, pixels)
        if not levels:
            return levels
        line = QFontMetricsF(self.style["tickFont"] or QGuiApplication.font()).height()
        least = line * abs(highest - lowest) / pixels
        distance, first = levels[0]
        wide = (distance * factor for factor in (1, 2, 5, 10))
        return [(next((each for each in wide if each >= least), distance * 10), first)]


class FrameAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis of frames, which have whole numbers however few there are."""

    def tickSpacing(  # noqa: N802 - pyqtgraph's name
        self, lowest: float, highest: float, pixels: float
    ) -> list[tuple[float, float]]:
        levels: list[tuple[float, float]] = super().tickSpacing(lowest, highest, pixels)
        return [(max(1.0, distance), first) for distance, first in levels]


def plain_plot(
    canvas: pg.GraphicsLayoutWidget, left_width: int, *, frames: bool = True, **place: Any
) -> pg.PlotItem:
    """Add a plot without menu and buttons, over ``frames`` that can be moved and zoomed, or not.
    ``place`` goes to pyqtgraph's addPlot."""
    bottom = {"bottom": FrameAxis("bottom")} if frames else {}
    plot = canvas.addPlot(axisItems={"left": RoomyAxis("left"), **bottom}, **place)
    plot.hideButtons()
    plot.setMenuEnabled(False)
    plot.setMouseEnabled(x=frames, y=False)
    plot.getAxis("left").setWidth(left_width)
    if frames:
        plot.enableAutoRange(axis="y")
        for side in ("left", "bottom"):
            # Finer ticks cost more time than the whole rest, and overlap in a narrow panel.
            plot.getAxis(side).setStyle(maxTickLevel=0)
    return plot


class FrameCanvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Plots over the frames of a timeline. ``seek_requested``: a frame was clicked."""

    seek_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.scene().sigMouseClicked.connect(self._clicked)

    def say(self, name: str, tip: str) -> None:
        """Set the name for screen readers, and the tooltip."""
        for widget in (self, self.viewport()):
            widget.setAccessibleName(name)
        self.setToolTip(tip)

    def frame_at(self, place: QPointF) -> int | None:
        """The frame at a place of the scene; None outside of the plots."""
        for plot in self.ci.items:
            if plot.isVisible() and plot.sceneBoundingRect().contains(place):
                x: float = plot.getViewBox().mapSceneToView(place).x()
                return round(x)
        return None

    def _clicked(self, event: Any) -> None:
        frame = self.frame_at(event.scenePos())
        if frame is not None and event.button() == Qt.MouseButton.LeftButton:
            self.seek_requested.emit(max(1, frame))


def colour_axes(plot: pg.PlotItem, colors: Colors) -> None:
    """Draw the lines of both axes as borders, and their numbers in faint text."""
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(colors.border))
        axis.setTextPen(pg.mkPen(colors.faint))
